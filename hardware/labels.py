"""The sheet of labels: QR code of the page, camera notice, warnings and signs for the buttons, in four languages.

    python -m hardware.labels                                            # writes hardware/labels.svg, A4
    python -m hardware.labels --address http://10.42.0.1/play --out mine.svg

Print it at 100 % from any browser, cut along the dashed lines. The words are those of device/texts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import wrap
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from device.config import LANGUAGES
from device.texts import text
from device.web.qr import code

ADDRESS = "http://pietjesoog.local/play"
SHEET = Path(__file__).with_name("labels.svg")
LONGEST = 100  # characters of an address: more modules than that are too fine for a phone at arm's length
PAGE = (210, 297)  # A4, millimetres
EDGE = 10
WIDE = PAGE[0] - 2 * EDGE
LETTER = 0.53  # width of a letter ÷ size of the type, a little more than most types have
LINE = 1.25  # line height ÷ size of the type
INK, SOFT = "#111", "#555"


class BadAddress(ValueError):
    """What cannot be the page's address; the text says what can."""


def checked(address: str) -> str:
    """The address, or `BadAddress`."""
    parts = urlsplit(address)
    clean = address.isascii() and address.isprintable() and " " not in address
    if parts.scheme not in ("http", "https") or not parts.hostname or not clean or len(address) > LONGEST:
        raise BadAddress(f"the page's address begins with http:// and has at most {LONGEST} signs: {ADDRESS}")
    return address


def words(
    x: float, y: float, told: str, size: float, weight: str = "400", fill: str = INK, anchor: str = "start"
) -> str:
    """One line of type, its foot at y."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-weight="{weight}" fill="{fill}" '
        f'text-anchor="{anchor}">{escape(told)}</text>'
    )


def paragraph(x: float, y: float, wide: float, told: str, size: float) -> tuple[list[str], float]:
    """Lines that keep within `wide`, from the top at y; and where the next may begin."""
    lines = wrap(told, int(wide / (size * LETTER)))
    drawn = [words(x, y + size * (1 + LINE * n), line, size) for n, line in enumerate(lines)]
    return drawn, y + size * LINE * len(lines)


def box(y: float, high: float) -> str:
    """The line to cut along."""
    return (
        f'<rect x="{EDGE}" y="{y:g}" width="{WIDE}" height="{high:g}" fill="none" stroke="#999" '
        'stroke-width="0.2" stroke-dasharray="2 1.5"/>'
    )


def invitation(y: float, address: str) -> list[str]:
    """QR code and address, 84 mm high."""
    mark = code(address)
    side = 70.0
    drawn = [
        box(y, 84),
        f'<path class="qr" transform="translate({EDGE + 4} {y + 4}) scale({side / mark.size:.5f})" d="{mark.path}"/>',
        words(EDGE + 82, y + 19, "Pietjesoog", 11, "700"),
    ]
    for n, language in enumerate(LANGUAGES):
        drawn += [
            words(EDGE + 82, y + 33 + 11 * n, text("label.scan", language), 5.2, "700"),
            words(EDGE + 82, y + 37.6 + 11 * n, text("label.type", language), 3, fill=SOFT),
        ]
    drawn.append(words(EDGE + 8, y + 79.5, address, min(5.5, WIDE / len(address)), "700"))
    return drawn


def notice(y: float) -> list[str]:
    """Who sees what, 98 mm high, two columns of two languages."""
    drawn = [box(y, 98)]
    half = WIDE / 2
    top = below = y + 3
    for n, language in enumerate(LANGUAGES):
        x = EDGE + 4 + half * (n % 2)
        if n == 2:  # the second row, below the longer text of the first
            top = below + 2
        drawn.append(words(x, top + 4.5, text("label.camera", language), 4.4, "700"))
        at = top + 6.5
        for key in ("sees", "keeps", "scores"):
            lines, at = paragraph(x, at, half - 8, text(f"label.{key}", language), 2.9)
            drawn += lines
            at += 0.8
        below = max(below, at)
    owners = " · ".join(text("label.owner", language) for language in LANGUAGES)
    lines, _ = paragraph(EDGE + 4, y + 88.5, 100, owners, 2.3)
    rule = f'<path d="M{EDGE + 110} {y + 94}H{EDGE + WIDE - 4}" stroke="{INK}" stroke-width="0.3"/>'
    return [*drawn, *lines, rule]


def warnings(y: float) -> list[str]:
    """Small parts and alcohol, 48 mm high, a column a language."""
    drawn = [box(y, 48)]
    column = WIDE / len(LANGUAGES)
    for n, language in enumerate(LANGUAGES):
        x, at = EDGE + 3 + column * n, y + 3
        drawn.append(words(x, at + 3.4, text("rules.words.warnings", language), 3.2, "700"))
        at += 4.5
        for key in ("age", "small_parts", "adult", "alcohol"):
            lines, at = paragraph(x, at, column - 5, text(f"rules.warnings.{key}", language), 2.4)
            drawn += lines
            at += 0.9
    return drawn


SIGNS = {  # drawn in a field of 12 × 12
    "stop": "M2 2h5v8h-5zM8 2l3 4l-3 4z",
    "undo": "M5 1L1 5l4 4v-2.5h3a2 2 0 0 1 0 4h-3v1.5h3a3.5 3.5 0 0 0 0-7h-3z",
    "menu": "M1 2h10v2h-10zM1 5.2h10v2h-10zM1 8.4h10v2h-10z",
}


def signs(y: float) -> list[str]:
    """One sign for each button and one for the supply, 36 mm high."""
    drawn = [box(y, 36)]
    column = WIDE / 4
    for n, (key, shape) in enumerate(SIGNS.items()):
        x = EDGE + column * n
        drawn.append(
            f'<path transform="translate({x + column / 2 - 8} {y + 3}) scale(1.33)" d="{shape}" fill="{INK}"/>'
        )
        drawn += _names(x + column / 2, y + 23, f"label.{key}")
    x = EDGE + column * 3
    drawn.append(words(x + column / 2, y + 14, "5 V DC", 8, "700", anchor="middle"))
    drawn += _names(x + column / 2, y + 20, "label.supply", 2.3)
    return drawn


def _names(x: float, y: float, key: str, size: float = 2.9) -> list[str]:
    told = dict.fromkeys(text(key, language) for language in LANGUAGES)
    return [words(x, y + 1.3 * size * n, name, size, anchor="middle") for n, name in enumerate(told)]


def sheet(address: str = ADDRESS) -> str:
    """The whole sheet as SVG; raises `BadAddress`."""
    parts: Iterable[str] = (
        *invitation(8, checked(address)),
        *notice(96),
        *warnings(198),
        *signs(250),
    )
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{PAGE[0]}mm" height="{PAGE[1]}mm" '
            f'viewBox="0 0 {PAGE[0]} {PAGE[1]}" font-family="Arial, Helvetica, \'DejaVu Sans\', sans-serif">',
            '<rect width="210" height="297" fill="#fff"/>',
            *parts,
            "</svg>\n",
        )
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the sheet: 0 written, 2 not."""
    parser = argparse.ArgumentParser(
        prog="python -m hardware.labels",
        description="Writes the sheet of labels.",
        epilog="example: python -m hardware.labels --address http://10.42.0.1/play --out mine.svg",
    )
    parser.add_argument("--address", default=ADDRESS, help=f"of the page (default {ADDRESS})")
    parser.add_argument("--out", type=Path, default=SHEET, help="file to write (default hardware/labels.svg)")
    told = parser.parse_args(arguments)
    try:
        told.out.write_text(sheet(told.address), "utf-8")
    except BadAddress as fault:
        print(fault, file=sys.stderr)
        return 2
    except OSError as fault:
        print(f"{told.out} cannot be written: {fault.strerror or fault}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
