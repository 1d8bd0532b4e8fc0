"""Forgetting a person: another name in all that is stored, and the old one gone from the file.

The journal is written over instead of being told "forget Ann": a name in a file on a card is personal data, and an
event that names who is to be forgotten would keep it there for good. All that else was stored stays, entry by entry,
so that every figure comes out as before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from device.journal import Journal, Row
from device.table import Table
from scorer.events import Join, Start

ANONYMOUS = "Anoniem"
"""Understood in all our languages; what follows is a number."""
_NAMES = ("by", "player", "opener", "orderer", "taster")
_LISTS = ("players", "ever_wiped")
_BY_NAME = ("seats", "strokes", "scores", "crosses", "dice_left", "sizes", "told", "learned")
_SEATS = {"told", "learned"}
_NO_NAMES = ("options", "lay")


def forget(table: Table, journal: Journal, name: str) -> str | None:
    """Have this person called something else from now on, everywhere; the new name, None where nobody is called so.

    The running game first, in one piece with the table, then what is long over. Raises `JournalError`.
    """
    names = names_in(journal)
    if name not in names:
        return None
    other = anonymous(names)
    table.rename(name, lambda row: renamed(row, name, other))
    journal.rewrite(name, lambda row: renamed(row, name, other))
    journal.scrub()
    return other


def names_in(journal: Journal) -> list[str]:
    """Everybody who ever played or joined, in order of the alphabet; raises `JournalError`."""
    found: set[str] = set()
    for row in journal.rows():
        do = row.body.get("do") if row.kind == "event" else None
        if do == Start.do and isinstance(players := row.body.get("players"), list):
            found.update(filter(lambda name: isinstance(name, str), players))
        elif do == Join.do and isinstance(player := row.body.get("player"), str):
            found.add(player)
    return sorted(found, key=lambda name: (name.casefold(), name))


def anonymous(names: list[str]) -> str:
    """A name that nobody has and that says nothing.

    >>> anonymous(["Ann", "Anoniem 3"])
    'Anoniem 4'
    """
    numbers = [int(found[1]) for name in names if (found := re.fullmatch(rf"{ANONYMOUS} (\d{{1,9}})", name))]
    return f"{ANONYMOUS} {1 + max(numbers, default=0)}"


def renamed(row: Row, name: str, other: str) -> Row:
    """The row with `other` in all places where `name` is a player; the same one where it is none.

    >>> renamed(Row(1, 1, "event", {"do": "stop", "by": "stop"}, "1"), "stop", "Anoniem 1").body
    {'do': 'stop', 'by': 'Anoniem 1'}
    """
    body = _renamed(row.body, name, other)
    return row if body == row.body else replace(row, body=body)


def _renamed(told: Any, name: str, other: str) -> Any:
    if isinstance(told, list):
        return [_renamed(one, name, other) for one in told]
    return {key: _value(key, value, name, other) for key, value in told.items()} if isinstance(told, Mapping) else told


def _value(key: str, value: Any, name: str, other: str) -> Any:
    if key in _NAMES and value == name:
        return other
    if key in _LISTS and isinstance(value, list):
        return [other if one == name else one for one in value]
    if key in _BY_NAME and isinstance(value, Mapping) and not (value.keys() == _SEATS and _are_seats(value)):
        return {other if one == name else one: kept for one, kept in value.items()}
    return value if key in _NO_NAMES else _renamed(value, name, other)


def _are_seats(value: Mapping[str, object]) -> bool:
    """A note of seats: what was told and what was learned, each by name."""
    return all(isinstance(part, Mapping) for part in value.values())
