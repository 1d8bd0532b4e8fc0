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


def port_number(text: str) -> int:
    """A port to listen on, 0 for a free one.

    >>> port_number("8080")
    8080
    """
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"a port is a whole number up to 65535, not {text}")
    return int(text)
