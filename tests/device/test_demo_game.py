"""The recording that ships: what was filmed is a whole game, and its strokes are those worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.cli import main
from scorer.session import Session
from scorer.wire import event_from_json
from vision.board import Board
from vision.recording import Recording

DEMO = Path(__file__).parents[2] / "device" / "demo"
MARIE, JEF = "Marie", "Jef"

BY_HAND = [
    # who, dice, outside, strokes of Marie and Jef after it (both begin with 3), the rule
    (MARIE, [2, 3, 4], 0, 3, 3),  # 9 points, she throws again
    (MARIE, [1, 5, 6], 0, 3, 3),  # 165, she stops: two throws for Jef (PJ-07)
    (JEF, [2, 2, 3], 0, 3, 4),  # the lowest throw costs its thrower a stroke (PJ-17)
    (JEF, [2, 6, 6], 0, 2, 4),  # 122: Marie's 165 wins the round and wipes one (PJ-14)
    (MARIE, [3, 6], 1, 3, 4),  # a die outside: a stroke, and all three again (PJ-18, A13)
    (MARIE, [1, 5, 5], 0, 3, 4),  # 110, she stops after one counted throw
    (JEF, [4, 4, 4], 0, 3, 2),  # zand wins and wipes two (PJ-09)
    (JEF, [4, 5, 6], 0, 3, 2),  # he opens (A23) with soixante-neuf and stops
    (MARIE, [1, 3, 6], 0, 3, 0),  # 163 loses; soixante-neuf wipes three, two were left (PJ-11, A17): Jef is out
]


@pytest.fixture(scope="module")
def notes() -> dict[str, Any]:
    told: dict[str, Any] = json.loads((DEMO / "recording.json").read_text("utf-8"))
    return told


def events(notes: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What was pressed and what was thrown, in order of time."""
    thrown = [
        {"t": row["t"], "do": "throw", "dice": row["dice"], "outside": row["outside"], "by": row["by"]}
        for row in notes["truth"]
    ]
    yield from sorted([*notes["marks"], *thrown], key=lambda row: float(row["t"]))


def strokes(session: Session) -> tuple[int, int]:
    players = session.state["players"]
    assert isinstance(players, list)
    by_name = {player["name"]: player["strokes"] for player in players}
    return by_name[MARIE], by_name[JEF]


def final(state: dict[str, Any]) -> dict[str, Any]:
    """What a finished game comes to, without what only this event did."""
    keep = ("phase", "round", "players", "winner", "loser", "throws")
    return {key: state[key] for key in keep}


def test_the_script_holds_what_people_should_see(notes: dict[str, Any]) -> None:
    told = [(row["by"], row["dice"], row["outside"]) for row in notes["truth"]]
    assert told == [(who, dice, outside) for who, dice, outside, _, _ in BY_HAND]
    assert notes["game"] == "pietjesbak"
    assert (notes["players"], notes["opener"]) == ([MARIE, JEF], MARIE)


def test_the_strokes_are_those_worked_out_by_hand(notes: dict[str, Any]) -> None:
    session, after = Session(), []
    for event in events(notes):
        session = session.apply(event_from_json({key: value for key, value in event.items() if key != "t"}))
        if event["do"] == "throw":
            after.append(strokes(session))
    assert after == [(marie, jef) for _, _, _, marie, jef in BY_HAND]
    assert session.state["phase"] == "over"
    assert (session.state["winner"], session.state["loser"]) == (JEF, MARIE)


def test_the_recording_is_small_short_and_has_its_board(notes: dict[str, Any]) -> None:
    assert (DEMO / "game.mp4").stat().st_size < 4 * 2**20
    recording = Recording(DEMO)
    first = next(iter(recording))
    height, width = first.picture.shape[:2]
    board = Board.load(DEMO / notes["board"])
    assert (board.width, board.height) == (width, height)
    assert recording.fps == notes["fps"] == 30
    assert max(row["t"] for row in notes["truth"]) < 70
    assert {mark.event["do"] for mark in recording.notes.marks} == {"start", "stop"}


@pytest.mark.slow
def test_the_eye_sees_the_game_that_was_filmed(notes: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "--json", str(DEMO)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    throws = [line for line in lines if line["event"] == "throw"]
    told = [(line["dice"], line["outside"]) for line in throws]
    assert told == [(dice, outside) for _, dice, outside, _, _ in BY_HAND]
    for line, row in zip(throws, notes["truth"], strict=True):
        assert 0 <= line["t"] - row["t"] < 1.5
    assert [line for line in lines if line["event"] in ("unsure", "error")] == []
    session = Session()
    for event in events(notes):
        session = session.apply(event_from_json({key: value for key, value in event.items() if key != "t"}))
    seen = [line["state"] for line in lines if line["event"] == "state"][-1]
    assert final(seen) == final(dict(session.state))
