"""Events in and out of JSON; whatever else comes in is refused with a reason and a sentence."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer import events
from scorer.errors import IllegalEvent
from scorer.events import Event, Start, Throw
from scorer.session import Session
from scorer.wire import WireError, event_from_json, event_from_line, event_to_json

START = {"do": "start", "game": "pietjesbak", "players": ["A", "B"]}
THROW = {"do": "throw", "dice": [1, 4, 5]}

EVERY = (
    Start(
        game="pietjesbak",
        players=("A", "B"),
        preset="vlaams",
        options={"strokes": 7, "early_aces_pay": True, "stroke_cap": None},
        opener="A",
        seats={"A": 90.0},
        joined={"strokes": {"A": 8}, "ever_wiped": ("A",)},
    ),
    Throw(dice=(1, 4, 5), by="A", at=3.25),
    Throw(dice=(1,), outside=1, rim=1),
    Throw(dice=(), outside=3),
    Throw(dice=("G", 2, 3), kept=("G", 1)),
    events.Stop(by="A"),
    events.GlassEmpty(at=12.5),
    events.Settled(at=0.0),
    events.Choose(number=7),
    events.Place(dice=("G", 2)),
    events.Fallen(dice=3, player="A"),
    events.NextGame(),
    events.End(),
    events.Pause(),
    events.Resume(),
    events.Leave(player="B"),
    events.Join(player="Zoë 🎲"),
    events.Adjust(player="A", strokes=0),
    events.Undo(),
    events.Undo(to=0),
    events.Correct(throw=3, dice=(1, 4), outside=1),
    events.Correct(throw=3, dice=()),
    events.Correct(throw=3, void=True),
    events.Correct(throw=3, player="B"),
    events.Insert(after=0, dice=(2, 2, 3), player="B"),
)


@pytest.mark.parametrize("event", EVERY, ids=lambda event: event.do)
def test_every_event_comes_back_from_its_json(event: Event) -> None:
    line = json.dumps(event_to_json(event))
    assert event_from_line(line) == event
    assert event_from_json(json.loads(line)) == event


def test_no_event_is_forgotten() -> None:
    assert {type(event) for event in EVERY} == set(Event.__subclasses__())


def test_the_number_that_a_session_gives_never_travels() -> None:
    assert "number" not in event_to_json(Throw(dice=(1, 4, 5), number=7))
    assert event_from_json({**THROW, "number": 7}).number == 0  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ([], "not_an_object"),
        ("throw", "not_an_object"),
        (None, "not_an_object"),
        (3, "not_an_object"),
        ({}, "unknown_event"),
        ({"do": "roll"}, "unknown_event"),
        ({"do": ["throw"]}, "unknown_event"),
        ({"do": "throw"}, "missing"),
        ({"do": "throw", "dice": None}, "missing"),
        ({"do": "correct", "dice": [1, 4, 5]}, "missing"),
        ({"do": "start", "players": ["A", "B"]}, "missing"),
        ({"do": "throw", "dice": [0, 1, 2]}, "bad_face"),
        ({"do": "throw", "dice": [7, 1, 2]}, "bad_face"),
        ({"do": "throw", "dice": [True, 1, 2]}, "bad_face"),
        ({"do": "throw", "dice": [1.0, 1, 2]}, "bad_face"),
        ({"do": "throw", "dice": ["1", 1, 2]}, "bad_face"),
        ({"do": "throw", "dice": ["g"]}, "bad_face"),
        ({"do": "throw", "dice": [None, 1, 2]}, "bad_face"),
        ({"do": "throw", "dice": [10**400, 1, 2]}, "bad_face"),
        ({"do": "throw", "dice": "145"}, "bad_value"),
        ({"do": "throw", "dice": {"1": 1}}, "bad_value"),
        ({"do": "throw", "dice": [1] * 29}, "bad_value"),
        ({**THROW, "outside": -1}, "bad_value"),
        ({**THROW, "outside": True}, "bad_value"),
        ({**THROW, "rim": 29}, "bad_value"),
        ({**THROW, "rim": 0.0}, "bad_value"),
        ({**THROW, "at": -0.5}, "bad_value"),
        ({**THROW, "at": True}, "bad_value"),
        ({**THROW, "at": float("nan")}, "bad_value"),
        ({**THROW, "at": float("inf")}, "bad_value"),
        ({**THROW, "at": 10**400}, "bad_value"),
        ({**THROW, "at": "3"}, "bad_value"),
        ({**THROW, "by": 3}, "bad_name"),
        ({"do": "undo", "to": -1}, "bad_value"),
        ({"do": "undo", "to": 1.5}, "bad_value"),
        ({"do": "undo", "to": 10**10}, "bad_value"),
        ({"do": "correct", "throw": 1, "void": 1}, "bad_value"),
        ({"do": "adjust", "player": "A", "strokes": -1}, "bad_value"),
        ({"do": "leave", "player": ""}, "bad_name"),
        ({"do": "leave", "player": "  "}, "bad_name"),
        ({"do": "leave", "player": " A"}, "bad_name"),
        ({"do": "join", "player": "x" * 41}, "bad_name"),
        ({"do": "join", "player": "x" * 1000}, "bad_name"),
        ({"do": "join", "player": "a\nb"}, "bad_name"),
        ({"do": "join", "player": "a\x00b"}, "bad_name"),
        ({"do": "join", "player": "a\x7fb"}, "bad_name"),
        ({"do": "join", "player": "a\u202eb"}, "bad_name"),
        ({"do": "join", "player": "a\u2028b"}, "bad_name"),
        ({"do": "join", "player": "\ud800"}, "bad_name"),
        ({"do": "join", "player": "\u200b"}, "bad_name"),
        ({**START, "players": ["A", "A\u200b"]}, "duplicate_name"),
        ({**START, "players": "AB"}, "bad_value"),
        ({**START, "players": ["A"] * 21}, "bad_value"),
        ({**START, "players": ["A", 3]}, "bad_name"),
        ({**START, "players": ["A", "A"]}, "duplicate_name"),
        ({**START, "players": ["é", "e\u0301"]}, "duplicate_name"),
        ({**START, "game": 3}, "bad_value"),
        ({**START, "game": "x" * 1000}, "bad_value"),
        ({**START, "options": ["counting"]}, "bad_value"),
        ({**START, "options": {"counting": ["best"]}}, "bad_value"),
        ({**START, "options": {"strokes": float("nan")}}, "bad_value"),
        ({**START, "options": {"x" * 1000: 1}}, "bad_value"),
        ({**START, "seats": {"A": 361}}, "bad_value"),
        ({**START, "seats": {"A": True}}, "bad_value"),
        ({**START, "seats": [90]}, "bad_value"),
        ({**START, "strokes": {"A": -1}}, "bad_value"),
        ({**START, "strokes": {"A": 1.5}}, "bad_value"),
        ({**START, "strokes": {"A": 10**12}}, "bad_value"),
        ({**START, "strokes": {"A": {"B": {"C": 1}}}}, "bad_value"),
        ({**START, "strokes": {"\x00": 1}}, "bad_value"),
    ],
    ids=lambda it: str(it)[:60] if not isinstance(it, str) else it,
)
def test_what_is_no_event_is_refused_with_a_reason(told: object, reason: str) -> None:
    with pytest.raises(WireError) as refused:
        event_from_json(told)
    assert refused.value.reason == reason
    assert refused.value.message
    assert refused.value.message.isprintable()
    assert len(refused.value.message) < 300


@pytest.mark.parametrize(
    "line",
    [
        "", "{", "throw", "{'do': 'stop'}", '{"do": "throw", "dice": [1, 4, 5], "at": NaN}', "[" * 100_000,
        '{"do": "undo", "to": ' + "9" * 5000 + "}", '{"do": "stop"} {"do": "stop"}', "\udce9",
    ],
    ids=range(9),
)  # fmt: skip
def test_a_line_that_is_no_json_is_refused(line: str) -> None:
    with pytest.raises(WireError) as refused:
        event_from_line(line)
    assert refused.value.reason == "not_json"


@pytest.mark.parametrize("line", ['{"do": "stop", "do": "end"}', '{"do": "throw", "dice": [1], "dice": [1, 1, 1]}'])
def test_a_line_that_says_two_things_under_one_key_is_refused(line: str) -> None:
    with pytest.raises(WireError) as refused:
        event_from_line(line)
    assert refused.value.reason == "duplicate_key"


def test_a_name_is_one_name_however_its_letters_are_composed() -> None:
    session = Session().apply(event_from_json({**START, "players": ["Zo\u00eb", "B"], "opener": "Zoe\u0308"}))
    assert session.state["opener"] == "Zo\u00eb"
    assert session.apply(event_from_json({**THROW, "by": "Zoe\u0308"})).state["throws_used"] == 1


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("pietjesbak", ("strokes", "ever_wiped")),
        ("azen", ("count", "orderer", "taster")),
        ("pig", ("scores",)),
        ("sachsenkniffel", ("crosses",)),
        ("bataclan", ("dice_left", "top", "pile", "sizes")),
    ],
)
def test_chalk_is_null_or_the_game_s_own_and_anything_else_is_refused(game: str, words: tuple[str, ...]) -> None:
    start = {**START, "game": game}
    clean = Session().apply(event_from_json(start)).state
    assert Session().apply(event_from_json({**start, **dict.fromkeys(words)})).state == clean
    for word in words:
        for wrong in (True, "?", [9], [["G"]], {"A": [1]}, {"A": {"x": 1}}, {"A": True}):
            with pytest.raises(IllegalEvent) as refused:
                Session().apply(event_from_json({**start, word: wrong}))
            assert refused.value.reason in ("bad_join", "bad_name", "unknown_player")


def test_a_refusal_says_what_would_do() -> None:
    rolling = Session().apply(event_from_json(START))
    for session, told, words in (
        (rolling, THROW, "this throw has 1 die, not 3"),
        (rolling, {"do": "adjust", "player": "A", "strokes": 100}, "at most 99 strokes"),
        (Session(), {**START, "strokes": {"A": 100}}, "strokes of A is a whole number from 0 to 99"),
        (Session(), {**START, "game": "azen", "count": 9}, "count is a whole number from 0 to 8"),
    ):
        with pytest.raises(IllegalEvent, match=words):
            session.apply(event_from_json(told))


def test_null_is_as_good_as_left_out() -> None:
    assert event_from_json({**START, "opener": None, "preset": None, "strokes": None}) == Start(
        game="pietjesbak", players=("A", "B"), joined={"strokes": None}
    )


def test_keys_that_nobody_knows_are_ignored_but_never_at_a_start() -> None:
    assert event_from_json({**THROW, "seq": 4, "colour": "red"}) == Throw(dice=(1, 4, 5))
    assert event_from_json({**START, "seq": 4, "rules": "1"}) == Start(game="pietjesbak", players=("A", "B"))
    with pytest.raises(IllegalEvent) as refused:
        Session().apply(event_from_json({**START, "strokse": {"A": 8}}))
    assert refused.value.reason == "unknown_key"


def test_roll_off_is_no_opener_unless_somebody_is_called_so() -> None:
    assert event_from_json({**START, "opener": "roll-off"}).opener is None  # type: ignore[attr-defined]
    told = {**START, "players": ["A", "roll-off"], "opener": "roll-off"}
    assert event_from_json(told).opener == "roll-off"  # type: ignore[attr-defined]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["A", "B", "G"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = sorted({field.name for kind in Event.__subclasses__() for field in fields(kind)})


@settings(max_examples=100, deadline=None)
@given(
    st.fixed_dictionaries({"do": st.sampled_from(sorted(kind.do for kind in Event.__subclasses__()))}),
    st.dictionaries(st.sampled_from(KEYS), JSON, max_size=6),
)
def test_nothing_that_comes_in_raises_anything_but_an_illegal_event(do: dict[str, Any], keys: dict[str, Any]) -> None:
    session = Session().apply(event_from_json({**START, "opener": "A"}))
    try:
        event = event_from_json({**keys, **do})
    except WireError:
        return
    assert event_from_json(event_to_json(event)) == event
    try:
        session = session.apply(event)
    except IllegalEvent:
        return
    json.dumps(session.state)
