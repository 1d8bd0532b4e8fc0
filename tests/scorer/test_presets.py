"""Presets by name: each differs from the defaults exactly as its source does, and each difference is felt."""

from __future__ import annotations

from typing import Any

import pytest
from test_pietjesbak_options import Case, holds, told

from scorer.errors import IllegalEvent
from scorer.events import Start
from scorer.games import NAMES, game_named
from scorer.pietjesbak import GAME
from scorer.presets import PRESETS, options_for
from scorer.session import Session

DIFFERENCES: dict[str, dict[str, Any]] = {
    "rulebook": {},
    "vlaams": {"counting": "best", "three_aces_needs": "below_start", "early_aces_pay": True},
    "nl-wikipedia": {"zand_order": "all_equal"},
    "buffalo": {
        "counting": "best",
        "seven_penalty": "everyone",
        "stoef": "two_strokes",
        "stoef_lost": 2,
        "finish": "first_out_wins",
    },
    "mort-subite": {
        "counting": "best",
        "stoef": "two_strokes",
        "die_outside_strokes": 0,
        "die_outside_pays": True,
    },
    "lepastis": {"strokes": 12, "start_tie": "tied_only", "next_game": "loser"},
}

# by the preset as it is, and with that one option put back to its default
FELT = (
    ("vlaams", Case("counting", "last", "116 234 . 345 .", "8 9 round_winner=A", "9 8 round_winner=B")),
    ("vlaams", Case("three_aces_needs", "ever_wiped", "111", "9 9 loser=A", "9 9 phase=turn", wiped="A")),
    ("vlaams", Case("early_aces_pay", False, "111", "9 9 pays_round=A", "9 9 pays_round=None")),
    ("nl-wikipedia", Case("zand_order", "by_face", "555 . 666", "9 9 phase=barrage", "9 7")),
    ("buffalo", Case("counting", "last", "116 234 . 345 .", "8 9", "9 8")),
    ("buffalo", Case("seven_penalty", "thrower", "223 345 . 566 .", "10 9", "10 8")),
    ("buffalo", Case("stoef", "off", "566 . 234", "7 9", "8 9")),
    ("buffalo", Case("stoef_lost", 0, "234 . 566", "11 8", "9 8")),
    ("buffalo", Case("finish", "last_player_loses", "456 . 123 123", "0 3 3 phase=over winner=A", "0 3 3 phase=turn",
                     players="ABC", start=(3, 3, 3))),
    ("mort-subite", Case("counting", "last", "116 234 . 345 .", "8 9", "9 8")),
    ("mort-subite", Case("stoef", "off", "566 . 234", "7 9", "8 9")),
    ("mort-subite", Case("die_outside_strokes", 1, "x23", "9 9", "10 9")),
    ("mort-subite", Case("die_outside_pays", False, "x23", "9 9 pays_round=A", "9 9 pays_round=None")),
    ("lepastis", Case("strokes", 9, "145 . 236", "11 12", "8 9")),
    ("lepastis", Case("start_tie", "everyone", "5 5 2 3 4", "12 12 12 opener=B", "12 12 12 phase=roll_off",
                      players="ABC", opener=None)),
    ("lepastis", Case("next_game", "roll_off", "111 next", "12 12 opener=A", "12 12 phase=roll_off")),
)  # fmt: skip


def test_the_table_of_presets_is_the_one_of_the_sources() -> None:
    assert {name: dict(options) for name, options in PRESETS["pietjesbak"].items()} == DIFFERENCES


@pytest.mark.parametrize(("preset", "case"), FELT, ids=lambda it: it.option if isinstance(it, Case) else it)
def test_a_difference_of_a_preset_is_felt(preset: str, case: Case) -> None:
    assert holds(case.default, told(case, preset=preset)), told(case, preset=preset)
    put_back = told(case, preset=preset, **{case.option: case.value})
    assert holds(case.chosen, put_back), put_back


def test_every_difference_has_such_a_game_and_is_put_back_to_the_default() -> None:
    assert {(preset, case.option) for preset, case in FELT} == {
        (preset, option) for preset, options in DIFFERENCES.items() for option in options
    }
    defaults = {option.name: option.default for option in GAME.options}
    assert all(case.value == defaults[case.option] for _, case in FELT)


def test_a_single_option_goes_before_the_preset() -> None:
    start = Start(game="pietjesbak", players=("A", "B"), preset="lepastis", options={"strokes": 7})
    chosen = options_for(start, GAME.options)
    assert (chosen["strokes"], chosen["start_tie"], chosen["counting"]) == (7, "tied_only", "last")
    assert Session().apply(start).options == chosen


def test_an_unknown_preset_names_those_there_are() -> None:
    with pytest.raises(IllegalEvent, match="vlaams") as refused:
        Session().apply(Start(game="pietjesbak", players=("A", "B"), preset="belgisch"))
    assert refused.value.reason == "unknown_preset"


@pytest.mark.parametrize("name", NAMES)
def test_every_preset_of_every_game_holds_options_that_exist(name: str) -> None:
    for preset in PRESETS[name]:
        options_for(Start(game=name, players=("A", "B"), preset=preset), game_named(name).options)
