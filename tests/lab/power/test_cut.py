"""What the power lab would find after a start."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lab.power.cut import Played

START = {"do": "start", "game": "pig", "players": ["A", "B"], "opener": "A"}
THROW, STOP, UNDO = {"do": "throw", "dice": [3, 4]}, {"do": "stop"}, {"do": "undo"}
SHOWN = {"seq": 3, "players": [{"name": "A", "points": 7}]}


@pytest.mark.parametrize(
    ("journal", "points", "why"),
    [
        ([START, THROW, STOP], 7, None),
        ([START, THROW, STOP, UNDO], 0, None),  # booked, only nobody heard of it
        ([START, THROW], 7, "1 acknowledged events lost"),
        ([START, THROW, THROW, STOP], 7, "another order, or an event doubled"),
        ([START, STOP, THROW], 7, "another order, or an event doubled"),
        ([START, THROW, STOP, THROW], 7, "another order, or an event doubled"),
        ([START, THROW, STOP, UNDO, UNDO], 7, "1 events that nobody sent"),
        ([START, THROW, STOP], 0, "other strokes than were shown"),
    ],
)
def test_whatever_is_not_as_it_was_told_is_found(journal: list[dict[str, Any]], points: int, why: str | None) -> None:
    played = Played([START, THROW, STOP], UNDO, SHOWN)
    found = [{"seq": number, **event} for number, event in enumerate(journal, 1)]
    state = {"seq": len(found), "players": [{"name": "A", "points": points}], "eye": "none", "storage": "well"}
    assert played.wrong_with(found, state) == why
