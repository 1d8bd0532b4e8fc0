"""`pietjesoog rules` as a person at a table sees it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from device.cli import main
from scorer.games import NAMES, game_named
from scorer.options import check_options
from scorer.presets import PRESETS


@pytest.fixture
def rules(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """The command's exit status, what it says and what it complains of."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)

    def told(*args: str) -> tuple[int, str, str]:
        status = main(["rules", *args])
        out = capsys.readouterr()
        return status, out.out, out.err

    return told


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("language", ["nl", "fr", "en", "de"])
def test_the_card_has_every_option_with_its_default_and_its_alternatives(rules: Any, game: str, language: str) -> None:
    status, out, _ = rules(game, "--language", language, "--json")
    card = json.loads(out)
    assert status == 0
    assert [option["name"] for option in card["options"]] == [option.name for option in game_named(game).options]
    for told, option in zip(card["options"], game_named(game).options, strict=True):
        assert told["default"] == told["chosen"] == option.default
        assert [value["value"] for value in told["alternatives"] if value["default"]] == [option.default]
        assert len(told["alternatives"]) > 1
        assert told["question"] != option.name.replace("_", " ")
    _, printed, _ = rules(game, "--language", language)
    for told in card["options"]:
        assert told["question"] in printed
        assert told["from"] in printed
        assert all(value["text"] in printed for value in told["alternatives"])
    assert all(rule["text"] in printed for rule in card["rules"])
    assert all(warning in printed for warning in card["warnings"])
    assert len(card["rules"]) >= 6


@pytest.mark.parametrize("preset", PRESETS["pietjesbak"])
def test_a_preset_marks_what_it_chooses(rules: Any, preset: str) -> None:
    _, out, _ = rules("pietjesbak", "--preset", preset, "--json")
    card = json.loads(out)
    chosen = {option["name"]: option["chosen"] for option in card["options"]}
    assert chosen == check_options(game_named("pietjesbak").options, PRESETS["pietjesbak"][preset])
    for option in card["options"]:
        assert [value["value"] for value in option["alternatives"] if value["chosen"]] == [option["chosen"]]
    assert {one["name"]: one["options"] for one in card["presets"]} == {
        name: dict(options) for name, options in PRESETS["pietjesbak"].items()
    }


def test_a_rule_that_the_preset_changes_says_so_beside_it(rules: Any) -> None:
    _, out, _ = rules("pietjesbak", "--preset", "vlaams", "--language", "en")
    lines = out.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("PJ-06"))
    assert lines[at + 1].strip() == "→ Which throw of a turn counts? the best"
    _, plain, _ = rules("pietjesbak", "--language", "en")
    assert "→" not in plain


def test_the_warnings_stand_on_every_card_and_the_caution_about_alcohol_on_azen(rules: Any) -> None:
    for game in NAMES:
        _, out, _ = rules(game, "--language", "en")
        assert "under three years" in out
        assert "swallowed" in out
        assert "an adult" in out
        assert ("alcohol" in out) == (game == "azen")


def test_without_a_game_all_are_named(rules: Any) -> None:
    status, out, _ = rules("--language", "en")
    assert status == 0
    assert all(name in out for name in NAMES)
    _, lines, _ = rules("--json")
    assert [json.loads(line)["game"] for line in lines.splitlines()] == list(NAMES)


@pytest.mark.parametrize(
    ("environment", "word"),
    [({}, "Regels"), ({"LANG": "fr_BE.UTF-8"}, "Règles"), ({"LANG": "fr_BE", "LC_ALL": "de_DE.UTF-8"}, "Regeln")],
)
def test_the_language_is_the_systems(
    rules: Any, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], word: str
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert word in rules("pig")[1].splitlines()


@pytest.mark.parametrize(
    ("args", "names"),
    [
        (("poker",), NAMES),
        (("pietjesbak", "--preset", "brugge"), tuple(PRESETS["pietjesbak"])),
        (("--preset", "vlaams"), ("pietjesbak --preset vlaams",)),
    ],
)
def test_what_there_is_not_is_told_in_one_sentence(rules: Any, args: tuple[str, ...], names: tuple[str, ...]) -> None:
    status, out, err = rules(*args)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert all(name in err for name in names)


def test_an_unknown_language_is_bad_usage(rules: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        rules("pig", "--language", "xx")
    assert exit_.value.code == 2
    assert "nl" in capsys.readouterr().err
