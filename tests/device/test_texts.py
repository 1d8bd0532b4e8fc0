"""The texts of the rule card: the same keys in four languages, and one for everything the games declare."""

from __future__ import annotations

from string import Formatter

import pytest

from device.commands.rules import value_key
from device.config import LANGUAGES
from device.texts import language_of, sentences, text
from scorer.games import NAMES, game_named
from scorer.options import Option
from scorer.presets import PRESETS

OPTIONS = [(name, option) for name in NAMES for option in game_named(name).options]
GAME_WORDS = ("zand", "soixante-neuf", "barrage", "stoef")


def lacking(keys: set[str]) -> list[str]:
    """The texts that a language does not have, of those keys."""
    return [f"{language}: {key}" for language in LANGUAGES for key in sorted(keys - sentences(language).keys())]


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def choices(option: Option) -> list[str]:
    """The keys of the choices that are told in words; a number of a range is itself."""
    numbers = option.least is not None
    return [value_key(value) for value in option.values if not (numbers and type(value) is int)]


def test_every_language_has_every_text() -> None:
    every = {key for language in LANGUAGES for key in sentences(language)}
    assert len(every) > 200
    assert lacking(every) == []


def test_no_text_is_empty_and_each_has_the_same_arguments_in_every_language() -> None:
    for key, dutch in sentences("nl").items():
        for language in LANGUAGES:
            told = sentences(language)[key]
            assert told.strip(), f"{language}: {key}"
            assert fields(told) == fields(dutch), f"{language}: {key}"


@pytest.mark.parametrize(("game", "option"), OPTIONS, ids=[f"{game}-{option.name}" for game, option in OPTIONS])
def test_every_option_has_its_question_its_source_and_each_choice_in_words(game: str, option: Option) -> None:
    start = f"rules.{game}.options.{option.name}."
    assert lacking({start + key for key in ("question", "source", *choices(option))}) == []


def test_no_text_is_about_an_option_or_a_choice_that_there_is_not() -> None:
    known = {
        f"rules.{game}.options.{option.name}.{key}"
        for game, option in OPTIONS
        for key in ("question", "source", *choices(option))
    }
    told = {key for key in sentences("nl") if ".options." in key}
    assert sorted(told - known) == []


@pytest.mark.parametrize("game", NAMES)
def test_every_game_and_every_preset_has_its_texts(game: str) -> None:
    keys = {f"rules.{game}.title", f"rules.{game}.summary"}
    keys |= {f"rules.presets.{preset}.{key}" for preset in PRESETS[game] for key in ("title", "source")}
    assert lacking(keys) == []


def test_game_words_stay_dutch() -> None:
    for key, dutch in sentences("nl").items():
        for word in GAME_WORDS:
            if key.startswith("rules.pietjesbak.PJ") and word in dutch.lower():
                assert all(word in sentences(language)[key].lower() for language in LANGUAGES), (key, word)


def test_a_text_that_nobody_wrote_is_told_by_its_key() -> None:
    assert text("rules.words.no_such_text", "fr") == "no such text"
    assert text("rules.words.rules", "xx") == text("rules.words.rules", "nl")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "nl"),
        ({"LANG": "fr_BE.UTF-8"}, "fr"),
        ({"LANG": "fr_BE.UTF-8", "LC_ALL": "de_DE"}, "de"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": ""}, "en"),
        ({"LANG": "C.UTF-8"}, "nl"),
        ({"LANG": "sv_SE.UTF-8"}, "nl"),
    ],
)
def test_the_language_is_the_systems_else_dutch(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language
