"""Azen jagen: who goes home, who comes later."""

from __future__ import annotations

from azen_table import NO_ACE, glass, race, state
from telling import NEXT_GAME, begin, join, leave, refused, tell, throw


def test_the_drinker_who_leaves_during_the_race_pays() -> None:
    session = tell(race("ABCD"), leave("A"))
    assert state(session, "race", "payer", "to_throw") == ("none", "A", "B")
    emptied = tell(race("ABCD"), glass(10.0), leave("A"))
    assert state(emptied, "race", "payer") == ("none", "B")


def test_who_ordered_owes_it_also_when_gone() -> None:
    session = tell(race("ABCD"), leave("B"))
    assert session.state["to_throw"] == "C"
    assert tell(session, glass()).state["payer"] == "B"


def test_when_the_player_to_throw_leaves_the_next_one_throws() -> None:
    assert tell(begin("azen"), leave("A")).state["to_throw"] == "B"
    assert tell(race("ABC"), leave("B")).state["to_throw"] == "C"
    assert tell(begin("azen", opener=None), leave("A")).state["to_throw"] == "B"


def test_one_player_alone_is_no_game() -> None:
    assert tell(begin("azen", "AB"), leave("A")).state["phase"] == "over"
    assert tell(race("AB"), leave("B")).state["phase"] == "over"
    assert refused(tell(begin("azen", "AB"), leave("A")), NEXT_GAME) == "players"


def test_who_joins_throws_last_in_the_circle_and_may_come_back() -> None:
    session = tell(begin("azen", "AB"), throw(*NO_ACE), join("C"), throw(*NO_ACE))
    assert session.state["to_throw"] == "C"
    assert tell(session, leave("C"), join("C"), throw(*NO_ACE)).state["to_throw"] == "B"
    assert refused(session, join("A")) == "already_playing"
    assert refused(begin("azen", "ABCDEFGH"), join("I")) == "players"
    assert refused(session, leave("X")) == "unknown_player"
