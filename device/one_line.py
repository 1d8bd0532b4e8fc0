"""Text from outside on one line of a terminal: a file's name may hold anything."""

from __future__ import annotations

import unicodedata

_UNSEEN = frozenset({"Cc", "Cs", "Zl", "Zp"})
_BIDI = frozenset(chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))


def one_line(text: str) -> str:
    """`text` with escapes for what would break the line, steer the terminal, or is no character at all.

    >>> one_line("evening\\n1.jpg")
    'evening\\\\n1.jpg'
    """
    return "".join(_escaped(c) if unicodedata.category(c) in _UNSEEN or c in _BIDI else c for c in text)


def _escaped(c: str) -> str:
    return c.encode("unicode_escape", errors="surrogatepass").decode()
