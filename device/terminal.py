"""The strokes in a terminal: redrawn in place, or one line for each change where nobody watches."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from device.snapshot import Snapshot
from device.web.page import Die, Page, page
from device.wording import Wording

FACES = {1: "⚀", 2: "⚁", 3: "⚂", 4: "⚃", 5: "⚄", 6: "⚅"}
MARKS = {
    "circle": "●",
    "square": "■",
    "triangle": "▲",
    "diamond": "◆",
    "hexagon": "⬢",
    "star": "★",
    "cross": "✚",
    "drop": "⬮",
}
HOME_AND_CLEAR = "\x1b[H\x1b[J"
BOLD, PLAIN = "\x1b[1m", "\x1b[0m"


class Terminal:
    """Shows snapshots on a stream; `where` is told with them on a terminal (the page's address, as it is then)."""

    def __init__(self, stream: TextIO, wording: Wording, where: str | Callable[[], str] = "") -> None:
        self._stream, self._wording = stream, wording
        self._where = where if callable(where) else lambda: where
        self._tty = stream.isatty()
        self._last = ""
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")

    def show(self, now: Snapshot) -> None:
        """Writes only where something that this view shows has changed."""
        told = page(now, self._wording)
        text = self._screen(told) if self._tty else line(told)
        if text == self._last:
            return
        self._last = text
        try:
            self._stream.write(HOME_AND_CLEAR + text if self._tty else text + "\n")
            self._stream.flush()
        except OSError:
            pass  # the terminal went away; the page still stands

    def _screen(self, told: Page) -> str:
        width = max((len(player.name) for player in told.players), default=0)
        lines = [f"  {told.game or 'Pietjesoog'}    {self._where()}", ""]
        for player in told.players:
            pointer = "▶" if player.to_throw else " "
            row = f"{pointer} {MARKS[player.shape]} {player.name:<{width}} {player.number:>4}  {tally(player.marks)}"
            row += f"  {player.change}" if player.change else ""
            row += f"  {player.badge}" if player.badge else ""
            lines.append(f"{BOLD}{row}{PLAIN}" if player.to_throw else row)
        lines += ["", f"  {dice(told.dice)}   {told.worth}", f"  {told.headline}" + _after(" – ", told.detail)]
        lines += [f"  {change}" for change in told.changes]
        lines += [f"  {figure}" for figure in told.figures]
        lines += ["", f"  [{told.eye}]"]
        if told.notice:
            lines.append(f"  ! {told.notice}")
        return "\n".join(lines) + "\n"


def line(told: Page) -> str:
    """One moment on one line."""
    players = " · ".join(f"{player.name} {player.number}" + _after(" ", tally(player.marks)) for player in told.players)
    parts = [players, " ".join(filter(None, [dice(told.dice), told.worth])), *told.changes]
    parts += [told.headline + _after(" – ", told.detail), _after("! ", told.notice)]
    return "  |  ".join(filter(None, parts))


def tally(marks: int) -> str:
    """Strokes in threes.

    >>> tally(8)
    '||| ||| ||'
    """
    return " ".join("|" * min(3, marks - at) for at in range(0, marks, 3))


def dice(drawn: tuple[Die, ...]) -> str:
    """Dice as words for any screen reader and as small pictures.

    >>> dice((Die(1), Die(4), Die(None, "outside")))
    '⚀ ⚃ ↗ (1 4 ↗)'
    """
    other = {"unknown": "?", "outside": "↗", "rim": "–"}
    if not drawn:
        return ""
    plain = [str(die.face) if die.face is not None else other.get(die.place, "?") for die in drawn]
    small = [
        FACES.get(die.face, str(die.face)) if isinstance(die.face, int) else sign
        for die, sign in zip(drawn, plain, strict=True)
    ]
    return f"{' '.join(small)} ({' '.join(plain)})"


def _after(before: str, text: str) -> str:
    return before + text if text else ""
