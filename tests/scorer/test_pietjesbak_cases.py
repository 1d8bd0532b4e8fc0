"""Rounds worked by hand from the rule texts: what is thrown, and what then stands on the rim."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from playing import begin, play, strokes, with_flag


@dataclass(frozen=True)
class Case:
    """Events as in `playing`, and what the state says after the last; None: not looked at."""

    what: str
    script: str
    strokes: str
    start: dict[str, int] | None = None
    players: str = "AB"
    wiped: str | None = None
    winner: str | None = None
    opener: str | None = None
    phase: str = "turn"
    out: str = ""
    lost: str = ""
    options: dict[str, Any] = field(default_factory=dict)


CASES = (
    Case("109 beats 65 and wipes one", "145 . 236", "8 9", winner="A", opener="A"),
    Case("the higher throw wins from behind", "236 . 145", "9 8", winner="B", opener="B"),
    Case("125 beats 110: two sixes weigh more than an ace and fives", "155 . 566", "9 8", winner="B"),
    Case("zand of six beats zand of five and wipes two", "555 . 666", "9 7", winner="B"),
    Case("zand of two beats 260", "222 . 116", "7 9", winner="A"),
    Case("soixante-neuf beats zand of six and wipes three", "666 . 654", "9 6", winner="B"),
    Case("three aces beat soixante-neuf and wipe all", "111 . 456", "0 9", wiped="A", start={"A": 7}, winner="A",
         phase="over", out="A", opener="A"),
    Case("three aces with all strokes standing: lost at once, two players, over", "111", "9 9", phase="over", lost="A"),
    Case("a third player plays on after an early three aces", "111 123 . 566", "9 9 8", players="ABC", lost="A",
         winner="C", opener="C"),
    Case("ten strokes and never a wipe: three aces are still too early", "111", "10 9", start={"A": 10}, wiped="",
         phase="over", lost="A"),
    Case("back at nine after a wipe: three aces are good", "111 . 234", "0 9", wiped="A", phase="over", out="A",
         winner="A"),
    Case("the follower throws three aces too early", "145 . 111", "9 9", phase="over", lost="B"),
    Case("2-2-3 adds a stroke at once", "223", "10 9"),
    Case("2-2-3 loses to 2-2-4", "223 . 224", "10 8", winner="B"),
    Case("2-2-3 adds a stroke on a throw that does not count", "223 566 . 112", "10 9"),
    Case("2-2-3 thrown twice adds two", "223 322 .", "11 9"),
    Case("everybody throws 2-2-3: a stroke each, then a barrage", "223 . 232 1 2", "10 9", winner="B"),
    Case("strokes above nine are wiped like others", "333 . 116", "8 9", start={"A": 10}, wiped="", winner="A"),
    Case("a tie is decided by value, not by equal dice", "125 . 134", "9 9", phase="barrage"),
    Case("in a barrage the eyes count plainly", "125 . 134 3 5", "9 8", winner="B", opener="B"),
    Case("an ace is one eye in a barrage", "444 . 444 6 1", "8 9", winner="A"),
    Case("a barrage wipes one, even after two times three aces", "111 . 111 2 6", "8 4", start={"A": 8, "B": 5},
         wiped="AB", winner="B"),
    Case("a barrage level again is thrown again", "444 . 444 3 3", "9 9", phase="barrage"),
    Case("and again, until one is higher", "444 . 444 3 3 1 1 2 1", "8 9", winner="A"),
    Case("who throws less falls out of a barrage", "444 . 444 444 3 5 5 6 2", "9 8 9", players="ABC", winner="B"),
    Case("the last throw counts, not the best", "116 234 . 235 .", "9 8", winner="B"),
    Case("for the follower too", "116 234 . 345 224", "8 9", winner="A"),
    Case("three throws end the opener's turn without a stop", "234 235 236 145", "9 9"),
    Case("the follower has as many throws as the opener used", "124 123 . 225 245", "8 9", winner="A"),
    Case("the follower may stop earlier", "124 123 . 125 .", "9 8", winner="B"),
    Case("who follows one who stopped earlier still has the opener's number", "124 123 . 125 . 122 145", "9 9 8",
         players="ABC", winner="C"),
    Case("a die outside adds a stroke and the throw is thrown again", "x23 156 . 236", "9 9", winner="A"),
    Case("two dice outside add one stroke", "xx2", "10 9"),
    Case("each throw with a die outside adds one", "x23 x45 xxx", "12 9"),
    Case("a die on the rim adds nothing and the throw is thrown again", "r23 156 . 236", "8 9", winner="A"),
    Case("a die outside in a barrage adds a stroke, the die is thrown again", "444 . 444 x 5 2", "9 9", winner="A"),
    Case("wiping more than is left takes what is left", "456 . 123", "0 9", start={"A": 1}, phase="over", out="A",
         winner="A"),
    Case("who went out is skipped, the next clockwise opens", "116 . 234 235", "0 4 4", players="ABC",
         start={"A": 1, "B": 4, "C": 4}, winner="A", out="A", opener="B"),
    Case("the last player out may be out by a barrage", "125 . 134 1 2", "1 0", start={"A": 1, "B": 1}, phase="over",
         out="B", winner="B"),
    Case("an eliminated opener hands the opening on, with three throws", "111 566 556 123", "9 9 9", players="ABC",
         lost="A", opener="B"),
    Case("the last but one eliminated ends it, whatever was thrown", "116 . 111 111", "9 9 9", players="ABC",
         lost="BC", phase="over"),
    Case("a wipe on the way down counts for later three aces", "145 . 236 111 . 123", "0 9", phase="over", out="A",
         winner="A"),
    Case("eight players, one round", "123 . 122 122 122 122 122 122 145", "9 9 9 9 9 9 9 8", players="ABCDEFGH",
         winner="H", opener="H"),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_a_round_by_hand(case: Case) -> None:
    session = play(case.script, begin(case.players, chalk=case.start, wiped=case.wiped, **case.options))
    state = session.state
    assert strokes(session) == case.strokes
    assert (state["phase"], with_flag(session, "out"), with_flag(session, "lost")) == (case.phase, case.out, case.lost)
    assert state["round_winner"] == case.winner
    if case.opener is not None:
        assert state["opener"] == case.opener


def test_there_are_forty_of_them_and_more() -> None:
    assert len({case.what for case in CASES}) == len(CASES) >= 40
