"""Our own pixel letters, drawn dot by dot: the same on every machine, sharp at any whole size.

Accented letters are put together from the letter and its mark, so that nearly every Latin name can be written; what
no letter was drawn for is a hollow box.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from PIL import Image

from device.displays.ink import Canvas, Ink

RISE, HEIGHT, HANG = 2, 7, 2  # dots of a mark on a capital, of a capital, below the line
ABOVE = 4  # dots over a capital, for the highest mark
GAP = 1
_MARKS = {
    "\u0300": "grave",
    "\u0301": "acute",
    "\u0302": "circumflex",
    "\u0303": "tilde",
    "\u0304": "macron",
    "\u0306": "breve",
    "\u0307": "dot",
    "\u0308": "diaeresis",
    "\u030a": "ring",
    "\u030b": "double-acute",
    "\u030c": "caron",
    "\u0326": "comma",
    "\u0327": "cedilla",
    "\u0328": "ogonek",
}
_BELOW = ("cedilla", "ogonek", "comma")
_DOTLESS = {"i": "ı", "j": "j"}
_BOX = ("####", "#..#", "#..#", "#..#", "#..#", "#..#", "####")
Rows = tuple[str, ...]


@dataclass(frozen=True)
class Glyph:
    """One letter: the dots (x, y) with y from −4 (marks) to 8, and how wide it is without the gap behind it."""

    dots: tuple[tuple[int, int], ...]
    width: int


def width(text: str, size: int = 1) -> int:
    """How many units wide a line of text is.

    >>> width("il"), width("il", 2), width("")
    (4, 8, 0)
    """
    glyphs = _glyphs(text)
    return max(0, sum(glyph.width + GAP for glyph in glyphs) - GAP) * size


def write(canvas: Canvas, x: int, y: int, text: str, ink: Ink, size: int = 1) -> int:
    """Write a line whose capitals have their top left at (x, y); gives back where the next letter would begin."""
    if not text:
        return x
    canvas.stamp(x, y - ABOVE * size, _line(text), ink, size)
    return x + width(text, size) + GAP * size


def fitted(text: str, most: int, size: int = 1) -> str:
    """The text, shortened with … where it is wider than `most` units.

    >>> fitted("Guillaume", 30), fitted("Ann", 30)
    ('Guilla…', 'Ann')
    """
    if width(text, size) <= most:
        return text
    while text and width(text.rstrip() + "…", size) > most:
        text = text[:-1]
    return text.rstrip() + "…" if text else ""


def wrapped(text: str, most: int, lines: int, size: int = 1) -> list[str]:
    """The text in at most so many lines of `most` units, broken between words; the last is shortened.

    >>> wrapped("to beat: 165 by Ann", 60, 2)
    ['to beat: 165', 'by Ann']
    """
    done: list[str] = []
    words = text.split()
    while words and len(done) < lines - 1:
        line = words.pop(0)
        while words and width(f"{line} {words[0]}", size) <= most:
            line += f" {words.pop(0)}"
        done.append(fitted(line, most, size))
    return [*done, fitted(" ".join(words), most, size)] if words else done


@lru_cache(512)
def _line(text: str) -> Image.Image:
    """The dots of a line, `ABOVE` rows over its capitals included."""
    picture = Image.new("1", (width(text), ABOVE + HEIGHT + HANG))
    x = 0
    for glyph in _glyphs(text):
        for column, row in glyph.dots:
            picture.putpixel((x + column, ABOVE + row), 1)
        x += glyph.width + GAP
    return picture


@lru_cache(512)
def _glyphs(text: str) -> tuple[Glyph, ...]:
    letters: list[tuple[str, list[str]]] = []
    for char in unicodedata.normalize("NFD", text):
        if unicodedata.combining(char):
            if letters:
                letters[-1][1].append(char)
        elif not unicodedata.category(char).startswith("C"):
            letters.append((char, []))
    return tuple(_glyph(letter, tuple(marks)) for letter, marks in letters)


@lru_cache(512)
def _glyph(letter: str, marks: tuple[str, ...]) -> Glyph:
    drawn = _drawn()
    names = [_MARKS[mark] for mark in marks if mark in _MARKS]
    above = [name for name in names if name not in _BELOW]
    rows = drawn.get("space" if letter.isspace() else _DOTLESS.get(letter, letter) if above else letter, _BOX)
    wide = max(map(len, rows))
    dots = [(x, y) for y, row in enumerate(rows) for x, dot in enumerate(row) if dot == "#"]
    low = letter.islower() and letter not in "bdfhklt"
    for name in names:
        mark = drawn[name]
        top = HEIGHT if name in _BELOW else -1 if low else -RISE - (len(mark) - RISE)
        left = (wide - len(mark[0]) + 1) // 2
        dots += [(left + x, top + y) for y, row in enumerate(mark) for x, dot in enumerate(row) if dot == "#"]
    shift = -min(0, *(x for x, _ in dots)) if dots else 0  # a mark wider than its letter
    dots = [(x + shift, y) for x, y in dots]
    return Glyph(tuple(dict.fromkeys(dots)), max(wide, *(x + 1 for x, _ in dots)) if dots else wide)


@cache
def _drawn() -> dict[str, Rows]:
    told: dict[str, Rows] = {}
    for line in (files("device.displays") / "letters.txt").read_text(encoding="utf-8").splitlines():
        name, *rows = line.split()
        if name != "#" or set("".join(rows)) <= {"#", "."}:
            told[name] = tuple(rows)
    return told
