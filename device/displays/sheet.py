"""Draws every state on every kind of screen: one picture to look at, or one small picture each.

python -m device.displays.sheet SHEET.png [--language nl] [--only oled] [--each FOLDER]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path

from PIL import Image

from device.config import LANGUAGES
from device.displays.ink import MONO, OLED, SQUARE, WIDE, Canvas, Format
from device.displays.letters import HEIGHT, write
from device.displays.screen import paint, sleeping
from device.displays.states import STATES
from device.wording import Wording, wording

FORMATS: Mapping[str, Format] = {"oled": OLED, "square": SQUARE, "wide": WIDE}
COLUMNS = {"oled": 4, "square": 5, "wide": 4}
PLAIN_COLUMNS = 6


def pictures(form: Format, words: Wording) -> Iterator[tuple[str, Image.Image]]:
    """Name and picture of every state."""
    for name, moment in STATES.items():
        now, around = moment.shows(words)
        yield name, paint(now, words, form, around)
    yield "sleeping", sleeping(form, 3)


def sheet(form: Format, words: Wording, columns: int) -> Image.Image:
    """All states side by side with their names, black and white ones twice as large."""
    scale = 3 if form.mono else 1
    drawn = list(pictures(form, words))
    wide, high = form.width * scale + 12, form.height * scale + 26
    whole = Image.new("RGB", (wide * columns, high * -(-len(drawn) // columns)), (60, 60, 60))
    for n, (name, picture) in enumerate(drawn):
        x, y = n % columns * wide + 6, n // columns * high + 20
        label = Canvas(Format(form.width, 2 * HEIGHT, True, 2))
        write(label, 0, 0, name, MONO.text)
        whole.paste(label.picture.convert("RGB"), (x, y - 16))
        whole.paste(picture.convert("RGB").resize((form.width * scale, form.height * scale), 0), (x, y))
    return whole


def plain(form: Format, words: Wording) -> Image.Image:
    """All states without names, pixel by pixel, `PLAIN_COLUMNS` in a row."""
    drawn = list(pictures(form, words))
    rows = -(-len(drawn) // PLAIN_COLUMNS)
    whole = Image.new("1" if form.mono else "RGB", (form.width * PLAIN_COLUMNS, form.height * rows))
    for n, (_, picture) in enumerate(drawn):
        whole.paste(picture, place(form, n))
    return whole


def place(form: Format, n: int) -> tuple[int, int]:
    """Where picture `n` has its top left on a plain sheet."""
    return n % PLAIN_COLUMNS * form.width, n // PLAIN_COLUMNS * form.height


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m device.displays.sheet", description=__doc__)
    parser.add_argument("out", type=Path, help="the picture to write; each kind of screen gets its own behind the name")
    parser.add_argument("--language", choices=LANGUAGES, default="nl")
    parser.add_argument("--only", choices=tuple(FORMATS), help="one kind of screen")
    parser.add_argument("--plain", action="store_true", help="the pictures alone, pixel by pixel")
    args = parser.parse_args()
    words = wording(args.language)
    for kind, form in FORMATS.items():
        if args.only not in (None, kind):
            continue
        whole = plain(form, words) if args.plain else sheet(form, words, COLUMNS[kind])
        whole.save(args.out.with_stem(f"{args.out.stem}-{kind}"), optimize=True)


if __name__ == "__main__":
    main()
