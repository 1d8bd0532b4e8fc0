"""Azen jagen: the count, the roles, the race by the clock, who pays, and who is not there any more."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from azen_table import ACE, NO_ACE, glass, race, settled, state
from hypothesis import given, settings
from hypothesis import strategies as st
from telling import END, NEXT_GAME, Told, begin, cell, changes, join, leave, player, refused, tell, throw

from scorer.session import Session


def test_only_aces_count_one_each() -> None:
    session = tell(begin("azen"), throw(1, 1, 6), throw(*NO_ACE), throw(6, 5, 1))
    assert session.state["count"] == 3
    assert [player(session, name)["aces"] for name in "ABC"] == [2, 0, 1]


def test_a_turn_is_one_throw_clockwise() -> None:
    session = begin("azen")
    turns = []
    for _ in range(4):
        turns.append(session.state["to_throw"])
        session = tell(session, throw(*NO_ACE))
    assert turns == ["A", "B", "C", "A"]
    assert refused(session, throw(*ACE, by="A")) == "throw_limit"
    assert refused(session, throw(*ACE, by="C")) == "not_your_turn"


@pytest.mark.parametrize(
    ("before", "dice", "key", "role"),
    [
        (2, (1, 2, 3), "third_ace", "orderer"),
        (1, (1, 1, 1), "third_ace", "orderer"),
        (5, (1, 1, 4), "sixth_ace", "taster"),
    ],
)
def test_the_throw_that_reaches_or_passes_a_mark_gives_its_role(
    before: int, dice: tuple[int, ...], key: str, role: str
) -> None:
    more: Told = {"orderer": "C"} if before >= 3 else {}
    session = tell(begin("azen", opener="B", count=before, **more), throw(*dice))
    assert session.state[role] == "B"
    assert session.view.pattern == key
    assert changes(session)[-1] == {"player": "B", role: 1, "why": key}
    assert role in next(p.roles for p in session.view.players if p.name == "B")


def test_no_throw_passes_two_marks_and_the_ninth_opens_the_race() -> None:
    for count, dice in product(range(9), product((1, 2), repeat=3)):
        more: Told = {"orderer": "C"} if count >= 3 else {}
        session = tell(begin("azen", count=count, **more), throw(*dice))
        total = count + dice.count(1)
        given_roles = [change for change in changes(session) if "aces" not in change]
        assert len(given_roles) == (count // 3 < total // 3)
        assert (session.state["race"] == "open") == (total >= 9)


def test_the_ninth_ace_makes_the_drinker_and_the_others_hunt_in_turn() -> None:
    session = race("ABCD")
    assert state(session, "race", "drinker", "orderer", "to_throw", "legal") == (
        "open",
        "A",
        "B",
        "B",
        ["throw", "glass_empty"],
    )
    hunters = []
    for _ in range(4):
        hunters.append(session.state["to_throw"])
        session = tell(session, throw(*NO_ACE))
    assert hunters == ["B", "C", "D", "B"]
    assert refused(session, throw(*ACE, by="A")) == "not_your_turn"


def test_the_next_ace_before_the_glass_is_empty_makes_the_drinker_pay() -> None:
    session = tell(race(), throw(*NO_ACE), throw(*ACE))
    assert state(session, "race", "payer", "count", "opener", "to_throw", "round") == ("none", "A", 0, "A", "A", 2)
    assert changes(session) == [{"player": "A", "orders": 1, "why": "glass_too_late"}]
    assert session.view.pattern == "payer"


def test_the_glass_empty_in_time_makes_the_orderer_pay() -> None:
    session = tell(race(), throw(*NO_ACE), glass())
    assert state(session, "race", "payer", "count", "to_throw") == ("none", "B", 0, "A")
    assert changes(session) == [{"player": "B", "orders": 1, "why": "glass_in_time"}]


def test_who_pays_stands_until_the_next_throw() -> None:
    session = tell(race(), glass())
    assert session.state["payer"] == "B"
    session = tell(session, join("D"))
    assert session.state["payer"] == "B"
    assert tell(session, throw(*NO_ACE)).state["payer"] is None


def test_orderer_and_drinker_may_be_one() -> None:
    started = tell(begin("azen", count=8, orderer="A"), throw(*ACE))
    assert tell(started, throw(*ACE)).state["payer"] == "A"
    assert tell(started, glass()).state["payer"] == "A"


def test_the_news_of_the_glass_tells_its_own_changes_only() -> None:
    for news in ([glass()], [glass(5.0), settled(6.0)]):
        session = tell(race(ninth_at=1.0), *news[:-1], join("D"), news[-1])
        assert changes(session) == [{"player": "B", "orders": 1, "why": "glass_in_time"}]
    assert changes(tell(race(), glass())) == [{"player": "B", "orders": 1, "why": "glass_in_time"}]
    assert changes(tell(race(), glass(5.0))) == []


def test_an_undo_and_a_correction_tell_who_pays_no_more() -> None:
    over = tell(race(), throw(*ACE))
    for event in ({"do": "undo"}, {"do": "correct", "throw": 2, "dice": NO_ACE}):
        assert {"player": "A", "orders": -1, "why": event["do"]} in changes(tell(over, event))


def test_a_late_word_of_the_glass_takes_the_order_from_one_and_gives_it_to_the_other() -> None:
    turned = tell(race(ninth_at=1.0), throw(*ACE, at=3.0), glass(2.0))
    assert changes(turned) == [
        {"player": "A", "orders": -1, "why": "glass_in_time"},
        {"player": "B", "orders": 1, "why": "glass_in_time"},
    ]


def test_a_game_begins_with_the_caution() -> None:
    assert begin("azen").view.prompt.key == "azen_start"
    rolling = begin("azen", opener=None)
    assert rolling.view.prompt.key == "azen_roll_off"
    assert tell(rolling, throw(3)).view.prompt.key == "roll_off"
    assert tell(begin("azen"), throw(*NO_ACE)).view.prompt.key == "azen_mark"


def test_only_the_drinker_empties_the_glass() -> None:
    assert refused(race(), glass(by="B")) == "not_your_turn"
    assert tell(race(), glass(by="A")).state["payer"] == "B"
    assert refused(begin("azen"), glass()) == "not_now"


@pytest.mark.parametrize(
    ("glass_at", "ace_at", "payer"),
    [(10.0, 10.4, "B"), (10.4, 10.0, "A"), (10.0, 10.0, "B")],
    ids=["glass", "ace", "equal"],
)
@pytest.mark.parametrize("glass_first", [True, False])
def test_the_clock_decides_and_not_the_order_of_the_news(
    glass_at: float, ace_at: float, payer: str, glass_first: bool
) -> None:
    news = [glass(glass_at), throw(*ACE, at=ace_at)]
    session = race(ninth_at=5.0)
    for event in news if glass_first else reversed(news):
        if event["do"] == "glass_empty" and session.state["race"] == "none" and payer == "A":
            assert refused(session, event) == "not_now"  # it comes after an ace that fell before it
        else:
            session = tell(session, event)
    assert state(session, "race", "payer", "to_throw", "count") == ("none", payer, "A", 0)
    assert [player(session, name)["orders"] for name in "AB"] == [int(payer == "A"), int(payer == "B")]


@settings(deadline=None)
@given(
    throws=st.lists(st.tuples(st.floats(6, 20), st.booleans()), min_size=1, max_size=5),
    glass_at=st.floats(6, 20),
    arrives=st.integers(0, 5),
)
def test_whenever_the_news_of_the_glass_comes_the_same_player_pays(
    throws: list[tuple[float, bool]], glass_at: float, arrives: int
) -> None:
    """The dice are read in the order in which they came to rest; the word of the glass may come anywhere between."""
    throws = sorted(throws)
    first_ace = next((at for at, is_ace in throws if is_ace), None)
    if first_ace is not None:
        throws = [(at, is_ace) for at, is_ace in throws if at <= first_ace][: [a for _, a in throws].index(True) + 1]
    events: list[Told] = [throw(*(ACE if is_ace else NO_ACE), at=at) for at, is_ace in throws]
    events.insert(min(arrives, len(events)), glass(glass_at))
    session = race(ninth_at=5.0)
    for event in events:
        if session.state["race"] == "none" and event["do"] == "throw":
            break  # this one came to rest after the glass: the race was over
        if session.state["race"] == "none" and first_ace is not None and first_ace < glass_at:
            assert refused(session, event) == "not_now"
            continue
        session = tell(session, event)
    if session.state["race"] == "settling":
        session = tell(session, settled(glass_at))
    assert session.state["payer"] == ("A" if first_ace is not None and first_ace < glass_at else "B")


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 8))
def test_every_race_closes_with_one_of_two_to_pay(seed: int, players: int) -> None:
    rng = random.Random(seed)
    session = begin("azen", "ABCDEFGH"[:players])
    for second in range(120):
        before = session.state
        word = rng.choice(session.legal)
        if word == "throw":
            session = tell(session, throw(*(rng.choice((1, 1, 2, 3)) for _ in range(3)), at=second))
        else:
            session = tell(session, {"do": word, "at": second})
        race_now, drinker, to_throw = state(session, "race", "drinker", "to_throw")
        assert (race_now == "none") == (drinker is None)
        assert drinker != to_throw
        if before["race"] != "none" and race_now == "none":
            assert session.state["payer"] in (before["orderer"], before["drinker"])
            assert session.state["count"] == 0
            assert to_throw == before["drinker"]
    if session.state["race"] == "open":
        session = tell(session, throw(*ACE, at=120))
    elif session.state["race"] == "settling":
        session = tell(session, settled(120))
    assert session.state["race"] == "none"
    assert int(str(session.state["round"])) > 1


def test_the_race_settles_until_a_later_throw_or_word_that_all_is_read() -> None:
    session = tell(race(), glass(10.0))
    assert state(session, "race", "payer", "legal") == ("settling", None, ["throw", "settled"])
    still = tell(session, throw(*NO_ACE, at=9.0), settled(9.5), throw(*NO_ACE, at=10.0))
    assert state(still, "race", "payer") == ("settling", None)
    assert tell(still, throw(*NO_ACE, at=10.1)).state["payer"] == "B"
    assert tell(still, settled(10.0)).state["payer"] == "B"
    assert tell(still, throw(*ACE)).state["payer"] == "B"  # without a time: it came after the glass
    assert refused(session, glass(9.0)) == "not_now"
    assert refused(race(), settled(9.0)) == "not_now"


def test_without_times_the_order_of_the_lines_decides() -> None:
    assert refused(tell(race(), throw(*ACE)), glass()) == "not_now"
    assert refused(tell(race(), throw(*ACE)), glass(3.0)) == "not_now"
    assert refused(tell(race(), throw(*ACE, at=4.0)), glass()) == "not_now"


def test_a_late_word_of_the_glass_counts_until_the_next_throw_only() -> None:
    session = tell(race(), throw(*ACE, at=12.0))
    assert tell(session, glass(11.0)).state["payer"] == "B"
    assert refused(tell(session, throw(*NO_ACE, at=13.0)), glass(11.0)) == "not_now"
    assert refused(session, glass(11.0, by="B")) == "not_your_turn"


def test_a_glass_is_not_empty_before_the_ninth_ace() -> None:
    assert refused(race(ninth_at=20.0), glass(19.0)) == "not_now"


@pytest.mark.parametrize("beside", [{"outside": 1}, {"rim": 1}])
def test_a_die_beside_the_felt_makes_the_throw_void(beside: dict[str, int]) -> None:
    for session in (begin("azen", count=2), race()):
        again = tell(session, throw(1, 1, **beside))
        assert state(again, "count", "race", "to_throw", "payer") == state(
            session, "count", "race", "to_throw", "payer"
        )
        assert again.state["throws"] == session.view.throws + 1
        assert again.view.pattern == ("die_outside" if "outside" in beside else "die_on_rim")


def test_again_on_ace_lets_the_thrower_go_on() -> None:
    for again, following in ((False, "B"), (True, "A")):
        session = begin("azen", options={"again_on_ace": again})
        assert tell(session, throw(*ACE)).state["to_throw"] == following
        assert tell(session, throw(*NO_ACE)).state["to_throw"] == "B"
    assert race(again_on_ace=True).state["to_throw"] == "B"  # the drinker does not hunt


def test_spare_aces_may_be_the_next_ace() -> None:
    for spare, race_now, payer in (("ignored", "open", None), ("count", "none", "A")):
        session = begin("azen", count=8, orderer="B", options={"spare_aces": spare})
        assert state(tell(session, throw(1, 1, 4)), "race", "payer") == (race_now, payer)
        assert tell(session, throw(*ACE)).state["race"] == "open"


def test_next_round_says_who_begins_the_next_count() -> None:
    for following, opener in (("drinker", "B"), ("clockwise", "C")):
        session = begin("azen", opener="B", count=8, orderer="C", options={"next_round": following})
        assert tell(session, throw(*ACE), glass()).state["to_throw"] == opener


def test_the_next_count_begins_behind_who_began_this_one_also_when_gone() -> None:
    session = begin("azen", "ABC", count=8, orderer="B", options={"next_round": "clockwise"})
    session = tell(session, throw(*NO_ACE), leave("A"), throw(*ACE), glass())
    assert state(session, "round", "opener", "to_throw") == (2, "B", "B")


def test_the_roll_off_goes_again_for_everyone_after_a_tie() -> None:
    session = begin("azen", opener=None)
    assert state(session, "phase", "to_throw") == ("roll_off", "A")
    session = tell(session, throw(5), throw(5), throw(2))
    assert state(session, "phase", "to_throw") == ("roll_off", "A")
    session = tell(session, throw(outside=1), throw(1), throw(3), throw(6))
    assert state(session, "phase", "to_throw", "opener", "throws") == ("turn", "C", "C", 7)


@pytest.mark.parametrize(
    ("dice", "reason"), [((1, 2), "dice_count"), ((1, 2, 3, 4), "dice_count"), (("G", 1, 2), "bad_face")]
)
def test_other_dice_are_refused(dice: Sequence[Any], reason: str) -> None:
    assert refused(begin("azen"), throw(*dice)) == reason


@pytest.mark.parametrize(
    "event", [{"do": "stop"}, {"do": "choose", "number": 3}, {"do": "adjust", "player": "A", "strokes": 3}]
)
def test_what_other_games_have_is_not_in_this_one(event: Told) -> None:
    assert refused(begin("azen"), event) == "not_in_this_game"


def test_it_ends_by_hand_and_the_next_game_begins_with_a_roll_off() -> None:
    assert refused(race(), NEXT_GAME) == "not_now"
    session = tell(race(), END)
    assert state(session, "phase", "to_throw", "legal", "race") == ("over", None, [], "none")
    assert refused(session, throw(*ACE)) == "game_over"
    session = tell(session, NEXT_GAME)
    assert state(session, "phase", "count", "throws") == ("roll_off", 0, 0)


def test_the_board_shows_count_race_and_payer() -> None:
    session = race()
    assert (cell(session, "aces"), cell(session, "race"), cell(session, "orderer", "B")) == (9, "open", 3)
    assert next(c.of for c in session.view.board if c.key == "aces") == 9
    assert session.view.prompt.key == "azen_race"
    assert session.view.prompt.args["drinker"] == "A"
    session = tell(session, glass())
    assert cell(session, "payer", "B") == 1
    before = begin("azen", count=4, orderer="C")
    assert (before.view.prompt.key, dict(before.view.prompt.args)) == (
        "azen_start",
        {"player": "A", "missing": 2, "role": "taster"},
    )


@pytest.mark.parametrize(
    ("chalk", "reason"),
    [
        ({"count": 9}, "bad_join"),
        ({"count": True}, "bad_join"),
        ({"count": 2, "orderer": "A"}, "bad_join"),
        ({"count": 4, "orderer": "X"}, "unknown_player"),
        ({"strokes": {"A": 3}}, "unknown_key"),
        ({"opener": "X"}, "unknown_player"),
        ({"seats": {"X": 90}}, "unknown_player"),
        ({"players": ["A"]}, "players"),
        ({"options": {"again_on_ace": 1}}, "bad_option"),
    ],
)
def test_a_start_that_cannot_be_is_refused(chalk: Told, reason: str) -> None:
    start = {"do": "start", "game": "azen", "players": ["A", "B"], "opener": "A", **chalk}
    assert refused(Session(), start) == reason


def test_a_correction_reopens_the_race_and_may_be_taken_back() -> None:
    session = tell(race(ninth_at=5.0), throw(*ACE, at=8.0))
    corrected = tell(session, {"do": "correct", "throw": 2, "dice": list(NO_ACE)})
    assert state(corrected, "race", "payer", "to_throw") == ("open", None, "C")
    assert state(tell(corrected, {"do": "undo"}), "race", "payer") == ("none", "A")
    assert refused(tell(corrected, glass(9.0)), {"do": "correct", "throw": 2, "dice": list(ACE)}) == "would_break"
