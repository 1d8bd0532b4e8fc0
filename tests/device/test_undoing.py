"""The undo button says what it takes back, for everything that can be taken back."""

from __future__ import annotations

import re

import pytest

from device.config import LANGUAGES
from device.undoing import undo_told
from device.wording import wording
from scorer.session import Session
from scorer.wire import event_from_json

START = {"do": "start", "game": "pietjesbak", "players": ["An", "Bob"], "opener": "An"}
AZEN = {"do": "start", "game": "azen", "players": ["An", "Bob"], "opener": "An", "count": 8}
BATACLAN = {"do": "start", "game": "bataclan", "players": ["An", "Bob"], "opener": "An"}
SACHSEN = {"do": "start", "game": "sachsenkniffel", "players": ["An", "Bob"]}
G = {"do": "throw", "dice": ["G", 2, 3, 4, 5, 6, 2, 2, 2, 2, 2, 2, 2, 2]}
THROW = {"do": "throw", "dice": [6, 5, 1]}


@pytest.mark.parametrize(
    ("events", "told"),
    [
        ([START], "Herstel"),
        ([START, THROW], "Neem terug: worp van An, 6-5-1"),
        ([START, {"do": "throw", "dice": [6, 5], "outside": 1}], "Neem terug: worp van An, 6-5 + 1 buiten"),
        ([START, THROW, {"do": "stop"}], "Neem terug: stop van An"),
        ([START, THROW, {"do": "stop"}, {"do": "undo"}], "Neem terug: worp van An, 6-5-1"),
        ([START, THROW, {"do": "correct", "throw": 1, "dice": [6, 5, 2]}], "Neem terug: verbetering van worp 1"),
        ([START, THROW, {"do": "insert", "after": 1, "dice": [2, 3, 6]}], "Neem terug: ingevoegde worp 2-3-6"),
        ([START, {"do": "adjust", "player": "Bob", "strokes": 4}], "Neem terug: streepjes van Bob op 4"),
        ([START, {"do": "join", "player": "Cas"}], "Neem terug: meespelen van Cas"),
        ([{**START, "players": ["An", "Bob", "Cas"]}, {"do": "leave", "player": "Cas"}], "Neem terug: vertrek van Cas"),
        ([START, {"do": "pause"}], "Neem terug: pauze"),
        ([START, {"do": "pause"}, {"do": "resume"}], "Neem terug: einde van de pauze"),
        ([START, {"do": "end"}], "Neem terug: einde van het spel"),
        ([START, {"do": "end"}, {"do": "next_game"}], "Neem terug: begin van dit spel"),
        ([AZEN, {"do": "throw", "dice": [1, 4, 5]}, {"do": "glass_empty"}], "Neem terug: glas leeg"),
        ([BATACLAN, G], "Neem terug: worp van An, G-2-3-4-5-6-2-2-2-2-2-2-2-2"),
        ([BATACLAN, G, {"do": "place", "dice": ["G", 2]}], "Neem terug: stapelen van G-2"),
        (
            [BATACLAN, G, {"do": "place", "dice": ["G", 2]}, {"do": "fallen", "dice": 1, "player": "Bob"}],
            "Neem terug: gevallen stenen van Bob",
        ),
        ([SACHSEN, {"do": "throw", "dice": [1, 1, 2, 5, 5, 6]}, {"do": "choose", "number": 7}], "Neem terug: keuze 7"),
    ],
)
def test_it_says_so(events: list[dict[str, object]], told: str) -> None:
    session = Session.replay(event_from_json(event) for event in events)
    assert undo_told(session, wording("nl")) == told
    for language in LANGUAGES:
        assert not re.search(r"\{|  |: ,|: $", undo_told(session, wording(language)))


def test_what_it_says_is_what_goes() -> None:
    session = Session.replay(event_from_json(event) for event in (START, THROW, {"do": "stop"}))
    assert session.undoable == session.events[-1]
    assert session.apply(event_from_json({"do": "undo"})).undoable == session.events[-2]
