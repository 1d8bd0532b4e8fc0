"""Texts: every language says the same things, and every key that a game can give has words."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping

import pytest

from device.config import LANGUAGES
from device.wording import wording
from scorer.errors import IllegalEvent
from scorer.events import Choose, Event, GlassEmpty, Place, Settled, Start, Stop, Throw, Undo
from scorer.game import View
from scorer.games import NAMES
from scorer.session import Session

SECTIONS = ("page", "remote", "game", "eye", "trouble", "doubt", "class", "why", "refused", "figure", "role")
SCORE_SECTIONS = ("prompt", "detail", "cell", "demo")


def fields(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", text))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("section", [*SECTIONS, *SCORE_SECTIONS])
def test_every_language_has_the_keys_and_arguments_of_the_first(language: str, section: str) -> None:
    first, other = wording("nl").section(section), wording(language).section(section)
    assert first.keys() == other.keys()
    for key in first:
        assert fields(other[key]) == fields(first[key]), key
        assert other[key].strip(), key


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_language_is_no_copy_of_the_first(language: str) -> None:
    same = [k for k, text in wording("nl").section("remote").items() if wording(language).section("remote")[k] == text]
    assert len(same) < 6, same


def test_an_unknown_language_is_dutch() -> None:
    assert wording("xx").language == "nl"


def test_numbers_choose_their_noun() -> None:
    words = wording("en")
    assert words.say("detail", "throw", throws_left=1) == "1 throw left"
    assert words.say("detail", "throw", throws_left=2) == "2 throws left"
    assert words.say("why", "aces", player="Ann", amount="+1") == "Ann: +1 ace"


def test_what_is_unknown_is_left_out() -> None:
    words = wording("en")
    assert words.say("detail", "over", loser=None) == ""
    assert words.say("detail", "over", loser="Bob") == "Bob loses"
    assert words.say("detail", "barrage") == "one die"


def test_a_missing_text_is_told_by_its_key() -> None:
    assert wording("en").say("why", "no_such_key") == "no such key"


def test_a_name_with_braces_is_no_format() -> None:
    assert wording("en").say("prompt", "throw", player="{0}{x.y}") == "{0}{x.y} throws"


def played(game: str, seed: int, steps: int) -> Iterator[Session]:
    """A random but legal play of one game."""
    chance = random.Random(seed)
    session = Session().apply(Start(game=game, players=("Ann", "Bob", "Cas")))
    for _ in range(steps):
        yield session
        for event in tries(session.view, session.state, chance):
            try:
                session = session.apply(event)
                break
            except IllegalEvent:
                continue


def tries(view: View, state: Mapping[str, object], chance: random.Random) -> Iterator[Event]:
    if chance.random() < 0.03:
        yield Undo()
    if chance.random() < 0.3:
        yield Stop()
    may_place = state.get("may_place")
    if isinstance(may_place, list) and may_place:
        yield Place(dice=(may_place[0],))
    if chance.random() < 0.4:
        yield Choose(number=chance.randint(1, 12))
    if chance.random() < 0.3:
        yield GlassEmpty()
        yield Settled()
    outside = int(chance.random() < 0.1)
    faces = (1, 2, 3, 4, 5, 6) if view.game != "bataclan" else ("G", 2, 3, 4, 5, 6)
    yield Throw(dice=tuple(chance.choice(faces) for _ in range(view.expected - outside)), outside=outside)
    yield Throw(dice=tuple(chance.choice(faces) for _ in range(view.expected)))
    yield Stop()


@pytest.mark.parametrize("game", NAMES)
def test_everything_a_game_says_has_words(game: str) -> None:
    words = wording("nl")
    prompts = set()
    for seed in range(4):
        for session in played(game, seed, 250):
            view = session.view
            prompts.add(view.prompt.key)
            assert words.has("prompt", view.prompt.key), view.prompt
            args = {k: v for k, v in view.prompt.args.items() if v is not None}
            for section in ("prompt", "detail"):
                text = words.section(section).get(view.prompt.key, "")
                needed = fields(re.sub(r"\[\[.*?\]\]", "", text))
                assert needed <= args.keys(), (section, view.prompt)
            for change in view.changes:
                assert words.has("why", change.why), change
            for player in view.players:
                assert all(words.has("role", role) for role in player.roles), player.roles
    assert len(prompts) > 2
