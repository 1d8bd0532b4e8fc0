"""Undo, correct, give, insert, void: the game is then exactly what it would have been."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playing import begin, events, outcome, play, strokes

from scorer.errors import IllegalEvent
from scorer.events import (
    Adjust,
    Correct,
    End,
    Event,
    Insert,
    Join,
    Leave,
    NextGame,
    Pause,
    Resume,
    Start,
    Stop,
    Throw,
    Undo,
)
from scorer.session import Session

GAME = (
    "125 . 134 3 5 223 145 . 166 146 x36 134 235 . 155 146 145 . 236"  # a barrage, a 2-2-3, a die outside, four rounds
)


def refused(session: Session, event: Event) -> IllegalEvent:
    """How the event is refused; the session is as it was."""
    before = session.state
    with pytest.raises(IllegalEvent) as caught:
        session.apply(event)
    assert session.state == before
    return caught.value


def thrown(session: Session, **what: Any) -> Session:
    return session.apply(Correct(**what))


def without_numbers(session: Session) -> dict[str, Any]:
    """The outcome, whatever numbers its throws have."""
    told = outcome(session)
    told.pop("throws")
    told["turn"] = [{**throw, "throw": 0} for throw in told["turn"]]
    told["last"] = None if told["last"] is None else {**told["last"], "throw": 0}
    return told


def test_nothing_can_be_done_before_a_start() -> None:
    for event in (Throw(dice=(1, 4, 5)), Stop(), Undo(), End(), Correct(throw=1, void=True)):
        assert refused(Session(), event).reason == "no_game"
    assert Session().legal == ("start",)
    assert Session().view.phase == "idle"
    assert Session().events == ()


def test_undoing_n_events_is_replaying_the_rest() -> None:
    every = [begin().events[0], *events(GAME)]
    session = Session.replay(every)
    for kept in range(len(every) - 1, 0, -1):
        session = session.apply(Undo())
        assert outcome(session) == outcome(Session.replay(every[:kept]))
    assert refused(session, Undo()).reason == "nothing_to_undo"
    assert len(session.events) == 2 * len(every) - 1


def test_an_undo_tells_the_difference() -> None:
    session = play("223 566 . 112 .")
    assert session.state["changes"] == [{"player": "B", "strokes": -1, "why": "won_round", "rule": "PJ-14"}]
    undone = session.apply(Undo())
    assert undone.state["changes"] == [{"player": "B", "strokes": 1, "why": "undo", "rule": ""}]
    assert undone.view.changes[0].amount == 1
    assert undone.view.pattern == "undo"
    assert strokes(undone) == "10 9"


def test_an_undo_takes_back_a_correction_too_and_never_the_start() -> None:
    session = thrown(play("145 . 236"), throw=2, dice=(1, 1, 6))
    assert strokes(session) == "9 8"
    assert strokes(session.apply(Undo())) == "8 9"
    assert refused(begin(), Undo()).reason == "nothing_to_undo"


@pytest.mark.parametrize("number", range(1, 16))
def test_any_throw_of_the_game_can_be_corrected_and_back(number: int) -> None:
    session = play(GAME)
    was = next(event for event in list(_throws(session))[number - 1 : number])
    now = tuple(6 if face != 6 else 5 for face in was.dice)
    change = Correct(throw=number, dice=now, outside=was.outside, rim=was.rim)
    every = list(session.events)
    places = [place for place, event in enumerate(every) if isinstance(event, Throw)]
    every[places[number - 1]] = Throw(dice=now, outside=was.outside, rim=was.rim)
    try:
        wanted = Session.replay(every)
    except IllegalEvent:
        assert refused(session, change).reason == "would_break"
        return
    corrected = session.apply(change)
    assert outcome(corrected) == outcome(wanted)
    back = corrected.apply(Correct(throw=number, dice=was.dice, outside=was.outside, rim=was.rim))
    assert outcome(back) == outcome(session)
    assert corrected.events[-1] == change


def _throws(session: Session) -> list[Throw]:
    return [event for event in session.events if isinstance(event, Throw)]


def test_a_correction_three_rounds_ago_moves_every_stroke_since() -> None:
    session = play("145 . 236 145 . 236 145 . 236", begin(next_opener="clockwise", wiped="A"))
    assert strokes(session) == "7 8"
    corrected = thrown(session, throw=1, dice=(2, 2, 3))
    assert strokes(corrected) == "9 7"
    assert corrected.state["changes"] == [
        {"player": "A", "strokes": 2, "why": "correct", "rule": ""},
        {"player": "B", "strokes": -1, "why": "correct", "rule": ""},
    ]
    assert corrected.state["throws"] == 6


def test_a_die_outside_can_be_said_later() -> None:
    session = play("145 124 . 236").apply(Throw(dice=(2, 3, 5), by="B"))
    corrected = thrown(play("145 124"), throw=1, dice=(1, 4), outside=1)
    assert strokes(corrected) == "10 9"
    assert corrected.state["throws_used"] == 1
    assert refused(session, Correct(throw=1, dice=(1, 4), outside=1)).throw == 4


def test_what_would_break_later_is_refused_and_named() -> None:
    session = play("145 124 . 236").apply(Throw(dice=(2, 3, 5), by="B"))
    error = refused(session, Correct(throw=2, void=True))
    assert (error.reason, error.throw) == ("would_break", 4)
    error = refused(play("145 ."), Correct(throw=1, void=True))
    assert (error.reason, error.throw) == ("would_break", 1)
    assert "stop after throw 1" in error.message
    error = refused(play("145 . 235", begin("ABC")), Correct(throw=1, dice=(1, 1, 1)))
    assert error.reason == "would_break"
    assert error.to_json() == {"reason": "would_break", "message": error.message, "throw": 1}


def test_a_correction_with_the_wrong_number_of_dice_is_its_own_fault() -> None:
    assert refused(play("145 . 236"), Correct(throw=1, dice=(1, 4))).reason == "dice_count"


@pytest.mark.parametrize("throw", [0, 3, 99])
def test_a_throw_that_is_not_there_cannot_be_corrected(throw: int) -> None:
    assert refused(play("145 . 236"), Correct(throw=throw, dice=(1, 4, 5))).reason == "no_such_throw"


@pytest.mark.parametrize(
    "what", [{}, {"void": True, "dice": (1, 4, 5)}, {"void": True, "player": "B"}], ids=["nothing", "dice", "player"]
)
def test_a_correction_says_one_thing(what: dict[str, Any]) -> None:
    assert refused(play("145"), Correct(throw=1, **what)).reason == "bad_correction"


def test_numbers_are_stable_under_a_void_throw() -> None:
    session = thrown(play("145 124 123"), throw=2, void=True)
    assert without_numbers(session) == without_numbers(play("145 123"))
    assert [throw["throw"] for throw in outcome(session)["turn"]] == [1, 3]
    assert session.state["throws"] == 3
    assert session.apply(Stop()).apply(Throw(dice=(2, 3, 4))).state["throws"] == 4
    assert refused(session, Correct(throw=2, void=True)).reason == "void"
    assert refused(session, Correct(throw=2, player="B")).reason == "void"
    again = thrown(session, throw=2, dice=(1, 2, 4))
    assert outcome(again) == outcome(play("145 124 123"))


def test_the_last_throw_void_leaves_its_number_taken() -> None:
    session = thrown(play("145 124"), throw=2, void=True)
    assert session.state["throws"] == session.view.throws == 2
    assert session.apply(Throw(dice=(2, 3, 4))).state["last"] == {
        "throw": 3, "player": "A", "dice": [2, 3, 4], "class": "plain", "points": 9, "rank": 40, "outside": 0, "rim": 0,
        "counted": True,
    }  # fmt: skip


def test_a_throw_is_given_to_the_next_player_with_the_stop_it_needs() -> None:
    session = play("145 235")
    given = thrown(session, throw=2, player="B")
    assert outcome(given) == outcome(play("145 . 235"))
    assert strokes(given) == "8 9"


def test_a_throw_is_given_with_other_dice_in_one_go() -> None:
    given = thrown(play("145 235"), throw=2, player="B", dice=(1, 1, 6))
    assert outcome(given) == outcome(play("145 . 116"))


def test_a_throw_is_given_back_to_who_had_not_stopped() -> None:
    session = play("145 . 235", begin("ABC"))
    given = thrown(session, throw=2, player="A")
    assert outcome(given) == outcome(play("145 235", begin("ABC")))


def test_what_the_next_player_did_after_a_throw_that_is_given_moves_along() -> None:
    session = play("145 125 . 236 234", begin("ABC"))  # throw 2 was B's, and so was the stop
    assert refused(session, Correct(throw=2, player="B")).reason == "would_break"
    session = play("145 125 235", begin("ABC"))  # nobody pressed: throws 2 and 3 were B's and C's
    given = thrown(session, throw=2, player="B")
    assert outcome(given) == outcome(play("145 . 125 235", begin("ABC")))


def test_a_throw_cannot_be_given_to_who_was_not_next() -> None:
    session = play("145 124", begin("ABC"))
    assert refused(session, Correct(throw=2, player="C")).reason == "not_next"
    assert refused(session, Correct(throw=1, player="B")).reason == "not_next"
    assert refused(play("5 3", begin(opener=None)), Correct(throw=1, player="B")).reason == "not_next"


def test_a_throw_given_to_who_threw_it_changes_nothing() -> None:
    session = play("145 124")
    assert without_numbers(thrown(session, throw=2, player="A")) == without_numbers(session)


def test_a_missed_throw_goes_where_it_was_thrown_and_takes_the_next_number() -> None:
    session = play("145 123").apply(Insert(after=1, dice=(1, 2, 4)))
    assert without_numbers(session) == without_numbers(play("145 124 123"))
    assert session.state["last"] == {**play("145 124 123").state["last"], "throw": 2}  # type: ignore[dict-item]
    assert session.state["throws"] == 3
    assert play("235", session).state["last"]["throw"] == 4  # type: ignore[index]


def test_a_missed_first_throw() -> None:
    session = play("123 .").apply(Insert(after=0, dice=(1, 4, 5)))
    assert without_numbers(session) == without_numbers(play("145 123 ."))


def test_a_missed_throw_of_the_next_player_goes_behind_the_stop() -> None:
    session = play("145 . 235", begin("ABC")).apply(Insert(after=1, dice=(1, 1, 6), player="B"))
    assert without_numbers(session) == without_numbers(play("145 . 116 235", begin("ABC")))
    session = play("145", begin("ABC")).apply(Insert(after=1, dice=(1, 1, 6), player="B"))
    assert without_numbers(session) == without_numbers(play("145 . 116", begin("ABC")))
    assert refused(play("145", begin("ABC")), Insert(after=1, dice=(1, 1, 6), player="C")).reason == "not_your_turn"


def test_a_missed_throw_never_jumps_over_another() -> None:
    session = play("145 123 . 124 .", begin("ABC"))
    assert refused(session, Insert(after=2, dice=(1, 1, 6), player="C")).reason == "not_your_turn"


def test_a_missed_throw_that_does_not_fit_is_refused() -> None:
    assert refused(play("145 123 ."), Insert(after=1, dice=(1, 2, 4))).reason == "would_break"
    assert refused(play("145"), Insert(after=2, dice=(1, 2, 4))).reason == "no_such_throw"
    assert refused(play("145"), Insert(after=1, dice=(1, 2))).reason == "dice_count"


def test_undo_to_a_throw_keeps_what_was_said_of_those_before_it() -> None:
    session = play("145 . 236 112")
    session = thrown(session, throw=1, dice=(2, 2, 4))
    session = play("113 .", session)
    back = session.apply(Undo(to=2))
    assert outcome(back) == outcome(thrown(play("145 . 236"), throw=1, dice=(2, 2, 4)))
    assert outcome(back.apply(Undo())) == outcome(play("145 . 236"))
    assert strokes(session.apply(Undo(to=0))) == "9 9"


def test_undo_to_names_a_throw_of_this_game() -> None:
    session = play("145 .")
    assert refused(session, Undo(to=5)).reason == "no_such_throw"
    assert outcome(session.apply(Undo(to=1))) == outcome(play("145"))
    assert refused(play("145"), Undo(to=1)).reason == "nothing_to_undo"
    assert refused(begin(), Undo(to=0)).reason == "nothing_to_undo"


def test_undo_to_drops_a_correction_of_what_is_gone() -> None:
    session = thrown(play("145 124 123"), throw=3, dice=(2, 2, 4))
    assert outcome(session.apply(Undo(to=2))) == outcome(play("145 124"))


def test_a_new_start_begins_anew_at_any_time() -> None:
    session = play("145 .").apply(Start(game="pietjesbak", players=("X", "Y"), opener="Y"))
    assert session.state["to_throw"] == "Y"
    assert session.state["throws"] == 0
    assert len(session.events) == 4
    assert refused(session, Undo()).reason == "nothing_to_undo"


def test_the_next_game_counts_its_throws_from_one_and_can_be_undone() -> None:
    over = play("111")
    fresh = over.apply(NextGame())
    assert (fresh.state["phase"], fresh.state["throws"], strokes(fresh)) == ("roll_off", 0, "9 9")
    session = play("5 3 145", fresh)
    assert session.state["throws"] == 3
    assert strokes(thrown(session, throw=3, dice=(2, 2, 3))) == "10 9"
    assert refused(session, Correct(throw=4, void=True)).reason == "no_such_throw"
    assert session.apply(Undo(to=0)).state["phase"] == "roll_off"
    assert outcome(fresh.apply(Undo())) == outcome(over)
    assert refused(play("145"), NextGame()).reason == "not_now"


def test_pause_and_resume() -> None:
    paused = play("145").apply(Pause())
    assert paused.view.paused
    assert paused.view.prompt.key == "paused"
    assert paused.legal == ("resume",)
    assert paused.state["paused"] is True
    for event in (Throw(dice=(1, 4, 5)), Stop(), Pause()):
        assert refused(paused, event).reason == "paused"
    resumed = paused.apply(Resume())
    assert outcome(resumed) == outcome(play("145"))
    assert refused(resumed, Resume()).reason == "not_paused"
    assert outcome(play(".", resumed)) == outcome(play("145 ."))


def test_a_round_is_won_in_the_state_after_its_last_event_only() -> None:
    won = play("145 . 236")
    assert won.state["round_winner"] == "A"
    assert won.apply(Pause()).state["round_winner"] is None
    assert play("145", won).state["round_winner"] is None
    assert won.apply(Adjust(player="B", strokes=9)).state["round_winner"] is None


def test_end_now() -> None:
    over = play("145 .").apply(End())
    assert (over.state["phase"], over.state["loser"], over.state["to_throw"]) == ("over", None, None)
    assert refused(over, Throw(dice=(1, 4, 5))).reason == "game_over"
    assert over.apply(NextGame()).state["phase"] == "roll_off"
    assert outcome(over.apply(Undo())) == outcome(play("145 ."))


def test_a_correction_reaches_through_leave_join_and_adjust() -> None:
    session = play("145 . 236 124", begin("ABC"))
    session = session.apply(Leave(player="C")).apply(Join(player="D")).apply(Adjust(player="B", strokes=4))
    corrected = thrown(session, throw=1, dice=(2, 2, 3))
    every = [Throw(dice=(2, 2, 3)) if n == 1 else event for n, event in enumerate(session.events)]
    assert outcome(corrected) == outcome(Session.replay(every))


def test_the_log_keeps_everything() -> None:
    session = play("145 235").apply(Undo()).apply(Correct(throw=1, dice=(1, 1, 6)))
    assert [event.do for event in session.events] == ["start", "throw", "throw", "undo", "correct"]
    assert outcome(Session.replay(session.events)) == outcome(session)
    assert session.events[1] == Throw(dice=(1, 4, 5))


def test_a_session_is_never_changed_by_what_follows() -> None:
    session = play("145 . 236 145")
    before = (session.state, session.view, session.events)
    for event in (Undo(), Stop(), Correct(throw=1, dice=(2, 2, 3)), End(), Pause()):
        session.apply(event)
    again = Session.replay(session.events)
    assert (again.state, again.view, again.events) == before


def test_many_random_undos_and_corrections_equal_what_they_mean() -> None:
    rng = random.Random(3)
    for _ in range(20):
        session = begin("ABC", wiped="ABC")
        meant: list[Event] = []
        for _ in range(60):
            roll = rng.random()
            try:
                if roll < 0.15 and meant:
                    session = session.apply(Undo())
                    meant.pop()
                elif roll < 0.4:
                    session = session.apply(Stop())
                    meant.append(Stop())
                else:
                    dice = tuple(rng.randint(1, 6) for _ in range(session.view.expected))
                    session = session.apply(Throw(dice=dice))
                    meant.append(Throw(dice=dice))
            except IllegalEvent:
                continue
        assert outcome(session) == outcome(Session.replay([begin("ABC", wiped="ABC").events[0], *meant]))


def test_a_long_evening_does_not_hit_the_recursion_limit() -> None:
    session = begin()
    for _ in range(1500):
        session = session.apply(Throw(dice=(2, 3), outside=1))
    corrected = thrown(session, throw=1, dice=(2, 3), rim=1)
    assert strokes(corrected) == "1508 9"
    repr(corrected)
    del session, corrected
