"""`pietjesoog score` as a shell sees it: a line out for every line in, and it goes on whatever comes in."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from device.cli import main

START = '{"do": "start", "game": "pietjesbak", "players": ["A", "B"], "opener": "A"}'
THROW = '{"do": "throw", "dice": [1, 4, 5]}'


@pytest.fixture
def score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Lines in; the exit status and the lines out."""

    def scored(*lines: str | bytes, words: bool = False) -> tuple[int, list[Any]]:
        file = tmp_path / "events.jsonl"
        file.write_bytes(b"\n".join(line.encode() if isinstance(line, str) else line for line in lines))
        status = main(["score", *([] if words else ["--json"]), str(file)])
        out = capsys.readouterr().out.splitlines()
        return status, out if words else [json.loads(line) for line in out]

    return scored


def test_a_state_for_every_event(score: Any) -> None:
    status, out = score(START, THROW, '{"do": "stop"}', '{"do": "throw", "dice": [2, 3, 6]}')
    assert status == 0
    assert [state["to_throw"] for state in out] == ["A", "A", "B", "A"]
    assert out[-1]["round_winner"] == "A"


def test_empty_lines_are_skipped(score: Any) -> None:
    status, out = score("", START, "", "  ", THROW, "")
    assert (status, len(out)) == (0, 2)


BAD = [
    "{",
    "nonsense",
    "[1, 2]",
    "3",
    "null",
    '{"do": "roll"}',
    '{"do": "throw"}',
    '{"do": "throw", "dice": [1, 4]}',
    '{"do": "throw", "dice": [1, 4, 5, 6]}',
    '{"do": "throw", "dice": [0, 4, 5]}',
    '{"do": "throw", "dice": [7, 4, 5]}',
    '{"do": "throw", "dice": [1, 4, 5], "at": NaN}',
    '{"do": "throw", "dice": [1, 4, 5], "outside": 1000000000000000000000000000000}',
    '{"do": "throw", "dice": [1, 4, 5], "by": "B"}',
    '{"do": "throw", "dice": ["G", 4, 5]}',
    '{"do": "undo", "to": ' + "9" * 5000 + "}",
    '{"do": "adjust", "player": "A", "strokes": -1}',
    '{"do": "adjust", "player": "A", "strokes": 10000}',
    '{"do": "start", "game": "pietjesbak", "players": ["A"]}',
    '{"do": "start", "game": "pietjesbak", "players": ["A", "B", "C", "D", "E", "F", "G", "H", "I"]}',
    '{"do": "start", "game": "pietjesbak", "players": ["A", "A"]}',
    '{"do": "start", "game": "pietjesbak", "players": ["A", "' + "x" * 1000 + '"]}',
    '{"do": "start", "game": "pietjesbak", "players": ["A", "b\\u0007"]}',
    '{"do": "start", "game": "pietjesbak", "players": ["A", "\\ud800"]}',
    '{"do": "start", "game": "pietjesbak", "players": ["A", "B"], "strokes": {"A": -1}}',
    '{"do": "start", "game": "pietjesbak", "players": ["A", "B"], "options": {"counting": "worst"}}',
    '{"do": "start", "game": "kingen", "players": ["A", "B"]}',
    b'{"do": "join", "player": "\xff\xfe"}',
    b"\x00\x01\x02",
    "[" * 50_000,
]


@pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
def test_a_bad_line_is_told_changes_nothing_and_the_next_is_played(score: Any, bad: str | bytes) -> None:
    status, out = score(START, bad, THROW)
    assert (status, len(out)) == (1, 3)
    error = out[1]["error"]
    assert error["reason"]
    assert error["message"].isprintable()
    assert len(error["message"]) < 400
    _, clean = score(START, THROW)
    assert out[2] == clean[1]


def test_a_file_of_another_system_is_read_too(score: Any) -> None:
    status, out = score(b"\xef\xbb\xbf" + START.encode() + b"\r", THROW.encode() + b"\r")
    assert (status, [state["throws"] for state in out]) == (0, [0, 1])


def test_an_event_before_a_start_is_refused(score: Any) -> None:
    status, out = score(THROW, START)
    assert (status, out[0]["error"]["reason"], out[1]["phase"]) == (1, "no_game", "turn")


def test_no_such_file_is_one_sentence_and_status_2(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        assert main(["score", str(path)]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith("pietjesoog score: cannot read")
        assert said.err.count("\n") == 1


def test_standard_input_without_a_file(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{START}\n{THROW}\n".encode())))
    assert main(["score", "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_in_words_a_line_is_read_at_a_glance(score: Any) -> None:
    status, out = score(
        START, THROW, '{"do": "stop"}', "{", '{"do": "throw", "dice": [2, 3], "outside": 1}', words=True
    )
    assert status == 1
    assert out == [
        "pietjesbak, round 1, turn | A 9 · B 9 | to throw A",
        "pietjesbak, round 1, turn | A 9 · B 9 | last throw 1 4 5 | to throw A",
        "pietjesbak, round 1, turn | A 9 · B 9 | last throw 1 4 5 | to beat 1-4-5 (plain, 109) | to throw B",
        "refused: this line is no JSON (not_json)",
        "pietjesbak, round 1, turn | A 9 · B 10 | last throw 2 3, 1 outside | to beat 1-4-5 (plain, 109)"
        " | B +1 strokes die outside | to throw B",
    ]


def test_in_words_who_is_placed_and_who_left(score: Any) -> None:
    start = START.replace('"B"', '"B", "C"')
    _, out = score(start, '{"do": "throw", "dice": [1, 1, 1]}', '{"do": "leave", "player": "B"}', words=True)
    assert out[-1] == (
        "pietjesbak, round 1, over | A 9 (place 2) · B 9 (left) · C 9 (place 1) | last throw 1 1 1"
        " | B left | winner C | loser A"
    )


@pytest.mark.parametrize("game", ["azen", "pig", "sachsenkniffel", "bataclan"])
def test_in_words_every_game(score: Any, game: str) -> None:
    status, out = score(f'{{"do": "start", "game": "{game}", "players": ["A", "B"], "opener": "A"}}', words=True)
    assert status == 0
    assert out[0].startswith(f"{game}, round 1, ")
    assert "to throw A" in out[0]
