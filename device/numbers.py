"""Numbers of the command line, checked where they are typed."""

from __future__ import annotations

import argparse
from math import isfinite


def dice_count(text: str) -> int:
    """How many dice one throw has: 1 to 6.

    >>> dice_count("3")
    3
    """
    try:
        count = int(text)
    except ValueError:
        count = 0
    if not 1 <= count <= 6:
        raise argparse.ArgumentTypeError(f"a throw has 1 to 6 dice, not {text}")
    return count


def dice_seen(text: str) -> int:
    """How many dice lie in a picture: 1 to 99.

    >>> dice_seen("24")
    24
    """
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= 99):
        raise argparse.ArgumentTypeError(f"a picture has 1 to 99 dice, not {text}")
    return int(text)


def length_px(text: str) -> float:
    """A length in pixels, more than 2.

    >>> length_px("28.5")
    28.5
    """
    try:
        length = float(text)
    except ValueError:
        length = 0.0
    if not (isfinite(length) and 2 <= length <= 10_000):
        raise argparse.ArgumentTypeError(f"an edge of a die is 2 to 10000 pixels, not {text}")
    return length


def length_mm(text: str) -> float:
    """A length in millimetres, from 1 to 2000.

    >>> length_mm("15.5")
    15.5
    """
    try:
        length = float(text)
    except ValueError:
        length = 0.0
    if not (isfinite(length) and 1 <= length <= 2000):
        raise argparse.ArgumentTypeError(f"a length is 1 to 2000 millimetres, not {text}")
    return length


def length_s(text: str) -> float:
    """Seconds of a recording, up to half an hour.

    >>> length_s("20")
    20.0
    """
    try:
        length = float(text)
    except ValueError:
        length = 0.0
    if not (isfinite(length) and 0.1 <= length <= 1800):
        raise argparse.ArgumentTypeError(f"a recording lasts 0.1 to 1800 seconds, not {text}")
    return length


def rate_fps(text: str) -> float:
    """Pictures a second.

    >>> rate_fps("12.5")
    12.5
    """
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not (isfinite(rate) and 0.5 <= rate <= 120):
        raise argparse.ArgumentTypeError(f"a rate is 0.5 to 120 pictures a second, not {text}")
    return rate


def point_px(text: str) -> tuple[float, float]:
    """A point of a picture in pixels, written x,y.

    >>> point_px("910.5,280")
    (910.5, 280.0)
    """
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        x = y = float("nan")
    if not (isfinite(x) and isfinite(y)):
        raise argparse.ArgumentTypeError(f"a corner is two numbers of pixels, as 910,280, not {text}")
    return x, y


def port_number(text: str) -> int:
    """A port to listen on, 0 for a free one.

    >>> port_number("8080")
    8080
    """
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"a port is a whole number up to 65535, not {text}")
    return int(text)
