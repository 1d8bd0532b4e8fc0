"""Every option, each reading against the default: one game in which that option alone makes the difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from playing import WIPED, begin, outcome, play, strokes

from scorer.errors import IllegalEvent
from scorer.events import NextGame
from scorer.options import Option
from scorer.pietjesbak import GAME
from scorer.session import Session

CHECKED = ("round_winner", "opener", "phase", "to_throw", "throws_left", "pays_round", "loser", "winner", "round")


@dataclass(frozen=True)
class Case:
    """The same events by the default and by `value`; `default` and `chosen` are what then is noticed.

    Each is the strokes, and pairs ``key=value`` of the state.
    """

    option: str
    value: Any
    script: str
    default: str
    chosen: str
    players: str = "AB"
    opener: str | None = "A"
    wiped: str | None = None
    start: tuple[int, ...] | None = None
    also: tuple[tuple[str, Any], ...] = ()


CASES = (
    Case("strokes", 5, "145 . 236", "8 9", "4 5"),
    Case("strokes", 12, "145 . 236", "8 9", "11 12"),
    Case("strokes", 1, "145 . 236", "8 9", "0 1 phase=over"),
    Case("strokes", 50, "145 . 236", "8 9", "49 50"),
    Case("stroke_cap", 10, "223 223 .", "11 9", "10 9"),
    Case("stroke_cap", 9, "x23", "10 9", "9 9"),
    Case("counting", "best", "116 234 . 345 .", "9 8 round_winner=B", "8 9 round_winner=A"),
    Case("followers", "exactly", "123 124 . 145 .", "9 8", "refused must_throw"),
    Case("followers", "exactly", "123 124 .", "9 9 to_throw=B", "9 9 to_throw=B"),
    Case("zand_order", "all_equal", "555 . 666", "9 7", "9 9 phase=barrage"),
    Case("zand_order", "all_equal", "222 . 116", "7 9", "7 9"),
    Case("zand_order", "all_equal", "666 . 456", "9 6", "9 6"),
    Case("three_aces_needs", "below_start", "111", "9 9 phase=turn", "9 9 phase=over loser=A", wiped="A"),
    Case("three_aces_needs", "below_start", "111", "8 9 phase=over", "8 9 phase=turn", wiped="", start=(8, 9)),
    Case("three_aces_early", "ends_game", "111", "9 9 9 phase=turn", "9 9 9 phase=over loser=A", players="ABC"),
    Case("three_aces_early", "sits_out_round", "111 123 . 122", "refused game_over", "9 8 round=2 opener=B"),
    Case("three_aces_early_when", "counting_throw", "111 145", "refused game_over", "9 9 phase=turn to_throw=A"),
    Case("three_aces_early_when", "counting_throw", "111 145 .", "refused game_over", "9 9 to_throw=B"),
    Case("early_aces_pay", True, "111", "9 9 pays_round=None", "9 9 pays_round=A"),
    Case("opener_lost", "count_stands", "123 111 ", "9 9 9 throws_left=3 opener=B", "9 9 9 throws_left=2 opener=A",
         players="ABC"),
    Case("seven_when", "counting_throw", "223 566 . 112", "10 9", "9 9"),
    Case("seven_when", "counting_throw", "566 223 .", "10 9", "10 9", also=(("seven_penalty", "thrower"),)),
    Case("seven_penalty", "everyone", "223 . 345", "10 8", "10 9"),
    Case("seven_penalty", "none", "223 . 345", "10 8", "9 8"),
    Case("die_outside", "throw_lost", "x23 .", "refused no_throw", "10 9 to_throw=B throws_left=1"),
    Case("die_outside", "throw_lost", "145 x23 . 234 235", "9 9 round=2", "10 8 round_winner=B"),
    Case("die_outside", "throw_lost", "x23 . x45", "refused no_throw", "10 10 round_winner=None opener=A round=2"),
    Case("die_outside_strokes", 0, "x23", "10 9", "9 9"),
    Case("die_outside_in", "turn_only", "444 . 444 x 5 2", "9 9", "8 9"),
    Case("die_outside_in", "all_throws", "x 5 2", "9 9", "10 9", opener=None),
    Case("die_outside_pays", True, "x23", "10 9 pays_round=None", "10 9 pays_round=A"),
    Case("die_on_rim", "outside", "r23", "9 9", "10 9"),
    Case("die_on_rim", "outside", "444 . 444 r 5 2", "8 9", "9 9"),
    Case("tie", "replay_round", "125 . 134 145 . 123", "refused dice_count", "8 9 round=2 opener=A"),
    Case("tie", "replay_round", "123 . 145 145", "9 9 9 phase=barrage", "9 9 9 to_throw=A round=1", players="ABC"),
    Case("barrage_again", "all_tied", "444 . 444 444 5 5 1 6 2 6", "refused dice_count", "9 9 9 phase=barrage",
         players="ABC"),
    Case("barrage_again", "all_tied", "444 . 444 444 5 5 1 1 2 6", "refused dice_count", "9 9 8", players="ABC"),
    Case("barrage_wipes", "by_throw", "444 . 444 5 2", "8 9", "7 9"),
    Case("barrage_wipes", "by_throw", "111 . 111 2 5", "9 8", "9 0 phase=over", wiped=WIPED),
    Case("stoef", "two_strokes", "566 . 234", "8 9", "7 9"),
    Case("stoef", "two_strokes", "456 . 234", "6 9", "6 9"),
    Case("stoef", "two_strokes", "566 556 156 234 235 236", "8 9", "8 9"),
    Case("stoef", "two_strokes", "125 . 134 5 2", "8 9", "8 9"),
    Case("stoef", "two_strokes", "125 . 134 5 2", "8 9", "8 9", also=(("barrage_wipes", "by_throw"),)),
    Case("stoef", "double", "444 . 234", "7 9", "5 9"),
    Case("stoef", "double", "456 . 234", "6 9", "3 9"),
    Case("stoef", "double", "566 . 234", "8 9", "7 9"),
    Case("stoef_lost", 1, "234 . 566", "9 8", "10 8", also=(("stoef", "two_strokes"),)),
    Case("stoef_lost", 2, "234 . 566", "9 8", "11 8", also=(("stoef", "two_strokes"),)),
    Case("stoef_lost", 2, "566 . 234", "7 9", "7 9", also=(("stoef", "two_strokes"),)),
    Case("stoef_lost", 2, "125 . 134 2 5", "9 8", "11 8", also=(("stoef", "double"),)),
    Case("stoef_lost", 2, "234 235 . 566 .", "9 8", "9 8", also=(("stoef", "two_strokes"),)),
    Case("stoef_lost", 1, "x23 . x45", "10 10", "11 10", also=(("stoef", "double"), ("die_outside", "throw_lost"))),
    Case("next_opener", "clockwise", "145 . 123 123", "8 9 9 opener=A", "8 9 9 opener=B", players="ABC"),
    Case("next_opener", "round_loser", "145 . 124 123", "8 9 9 opener=A", "8 9 9 opener=C", players="ABC"),
    Case("next_opener", "round_loser", "125 . 134 2 5", "9 8 opener=B", "9 8 opener=A"),
    Case("next_opener", "round_loser", "145 . x23 123", "8 10 9 opener=A", "8 10 9 opener=B", players="ABC",
         also=(("die_outside", "throw_lost"),)),
    Case("start_tie", "tied_only", "5 5 2 3", "9 9 9 to_throw=B", "9 9 9 to_throw=B", players="ABC", opener=None),
    Case("start_tie", "tied_only", "5 5 2 3 4", "9 9 9 phase=roll_off", "9 9 9 phase=turn opener=B", players="ABC",
         opener=None),
    Case("next_game", "loser", "111 next", "9 9 phase=roll_off", "9 9 phase=turn opener=A"),
    Case("next_game", "winner", "111 next", "9 9 phase=roll_off", "9 9 phase=turn opener=B"),
    Case("finish", "first_out_wins", "456 . 123 123", "0 3 3 phase=turn opener=B", "0 3 3 phase=over winner=A",
         players="ABC", start=(3, 3, 3)),
)  # fmt: skip


def told(case: Case, **options: Any) -> str:
    """Strokes and the state's keys that matter here, or how it was refused."""
    how: dict[str, Any] = {"wiped": case.wiped, "opener": case.opener, **dict(case.also), **options}
    if case.start is not None:
        how["chalk"] = dict(zip(case.players, case.start, strict=True))
    session: Session = begin(case.players, **how)
    try:
        session = play(case.script.removesuffix(" next"), session)
        if case.script.endswith(" next"):
            session = session.apply(NextGame())
    except IllegalEvent as refused:
        return f"refused {refused.reason}"
    state = outcome(session)
    return " ".join([strokes(session), *(f"{key}={state[key]}" for key in CHECKED)])


def holds(wanted: str, found: str) -> bool:
    """Whether the strokes (or the refusal) and each ``key=value`` wanted were found."""
    figures = " ".join(word for word in wanted.split() if "=" not in word)
    rest = [word for word in wanted.split() if "=" in word]
    return found.startswith(figures) and set(rest) <= set(found.split())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.option}-{case.value}-{case.script}")
def test_an_option_alone_makes_the_difference(case: Case) -> None:
    by_default, chosen = told(case), told(case, **{case.option: case.value})
    assert holds(case.default, by_default), by_default
    assert holds(case.chosen, chosen), chosen


@pytest.mark.parametrize("option", GAME.options, ids=lambda option: option.name)
def test_every_reading_of_every_option_has_such_a_game(option: Option) -> None:
    readings = {value for value in option.values if value != option.default or type(value) is not type(option.default)}
    told_apart = {case.value for case in CASES if case.option == option.name and told_differs(case)}
    assert readings - {None} <= told_apart
    assert told_apart, "no game shows this option"


def told_differs(case: Case) -> bool:
    return told(case) != told(case, **{case.option: case.value})


@pytest.mark.parametrize("option", GAME.options, ids=lambda option: option.name)
@pytest.mark.parametrize("wrong", ["nonsense", -1, 100, 1.0, "", (1,)], ids=repr)
def test_a_value_that_is_not_allowed_is_refused_with_those_that_are(option: Option, wrong: object) -> None:
    with pytest.raises(IllegalEvent) as refused:
        begin(**dict[str, Any]({option.name: wrong}))
    assert refused.value.reason == "bad_option"
    assert option.allowed() in str(refused.value)


def test_true_is_no_one_and_one_is_no_true() -> None:
    for name, wrong in (("strokes", True), ("early_aces_pay", 1), ("die_outside_strokes", False)):
        with pytest.raises(IllegalEvent, match=name):
            begin(**dict[str, Any]({name: wrong}))


def test_an_unknown_option_names_those_there_are() -> None:
    with pytest.raises(IllegalEvent, match="counting") as refused:
        begin(cuonting="best")
    assert refused.value.reason == "unknown_option"


def test_a_cap_below_the_strokes_one_begins_with_is_refused() -> None:
    with pytest.raises(IllegalEvent, match="stroke_cap"):
        begin(stroke_cap=8)
