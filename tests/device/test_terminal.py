"""The terminal: drawn in place where somebody watches, plain lines where nobody does."""

from __future__ import annotations

import io

import pytest

from device.journal import MemoryJournal
from device.snapshot import Eye
from device.table import Table
from device.terminal import HOME_AND_CLEAR, Terminal
from device.wording import wording

START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann", "strokes": {"Bob": 11}}


class Watched(io.StringIO):
    def isatty(self) -> bool:
        return True


class Gone(Watched):
    def write(self, text: str) -> int:
        raise OSError("the terminal is gone")


@pytest.fixture
def table() -> Table:
    table = Table(MemoryJournal())
    table.say(START)
    return table


def test_draws_names_strokes_dice_and_prompt_in_place(table: Table) -> None:
    stream = Watched()
    terminal = Terminal(stream, wording("en"), "http://127.0.0.1:8080/")
    table.saw_throw((1, 4, 5))
    table.say({"do": "stop"})
    terminal.show(table.now)
    text = stream.getvalue()
    assert text.startswith(HOME_AND_CLEAR)
    assert "http://127.0.0.1:8080/" in text
    assert "● Ann    9  ||| ||| |||" in text
    assert "▶ ■ Bob   11  ||| ||| ||| ||" in text
    assert "⚀ ⚃ ⚄ (1 4 5)   109" in text
    assert "Bob throws – to beat: 109 of Ann · 1 throw left" in text


def test_redraws_only_on_change(table: Table) -> None:
    stream = Watched()
    terminal = Terminal(stream, wording("en"))
    terminal.show(table.now)
    terminal.show(table.now)
    assert stream.getvalue().count(HOME_AND_CLEAR) == 1
    table.look(Eye.READING)
    terminal.show(table.now)
    assert stream.getvalue().count(HOME_AND_CLEAR) == 2


def test_plain_lines_have_no_control_characters_and_no_repeats(table: Table) -> None:
    stream = io.StringIO()
    terminal = Terminal(stream, wording("en"))
    for eye in (Eye.WAITING, Eye.READING, Eye.READ):
        table.look(eye)
        terminal.show(table.now)
    table.saw_throw((4, 5), outside=1)
    terminal.show(table.now)
    lines = stream.getvalue().splitlines()
    assert len(lines) == 2
    assert "\x1b" not in stream.getvalue()
    assert "Ann 10 ||| ||| ||| |" in lines[1]
    assert "die outside: Ann +1" in lines[1]


def test_doubt_and_trouble_are_told(table: Table) -> None:
    stream = io.StringIO()
    terminal = Terminal(stream, wording("en"))
    table.saw_unsure(["cocked"], (1, 3, None))
    terminal.show(table.now)
    assert "! What was this throw? · a die leans." in stream.getvalue()
    table.look(Eye.LOST, "USB camera 0 gives no picture")
    terminal.show(table.now)
    assert "USB camera 0 gives no picture" in stream.getvalue()


def test_a_terminal_that_went_away_stops_nothing(table: Table) -> None:
    Terminal(Gone(), wording("en")).show(table.now)


def test_a_stream_that_knows_only_ascii_gets_what_it_can_show(table: Table) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    table.saw_throw((1, 4, 5))
    Terminal(stream, wording("fr")).show(table.now)
    stream.flush()
    assert b"(1 4 5) 109" in raw.getvalue()
