"""Events as JSON and back: the one gate where words from outside become facts."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any

from scorer import events
from scorer.errors import IllegalEvent
from scorer.events import Event, Face

MOST_DICE = 28  # Bataclan's whole box
MOST_PLAYERS = 20  # no game has more; each game has its own range
NAME_LENGTH = 40
MOST_NUMBER = 10**9
_BOOKKEEPING = {"do", "seq", "rules"}
_BIDI = {chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}

Reader = Callable[[str, object], Any]


class WireError(IllegalEvent):
    """What came in is no event at all: broken JSON, an unknown word, a wrong type, a face no die has."""


def event_from_line(line: str) -> Event:
    """The event in one line of JSON.

    Raises `WireError`: ``not_json``, ``duplicate_key`` and the reasons of `event_from_json`.
    """
    try:
        told = json.loads(line, parse_constant=_no_constant, object_pairs_hook=_object)
    except WireError:
        raise
    except (ValueError, RecursionError) as fault:
        raise WireError("not_json", "this line is no JSON") from fault
    return event_from_json(told)


def event_from_json(told: object) -> Event:
    """The event that a JSON object means.

    A key that `start` does not know goes to `Start.joined`, which the game checks; elsewhere it is ignored. Raises
    `WireError` with reason ``not_an_object``, ``unknown_event``, ``missing``, ``bad_face``, ``bad_name``,
    ``duplicate_name`` or ``bad_value``.

    >>> event_from_json({"do": "throw", "dice": [1, 4], "outside": 1}).outside
    1
    """
    if not isinstance(told, Mapping):
        raise WireError("not_an_object", "an event is a JSON object with a key do")
    do = told.get("do")
    kind = _KINDS.get(do) if isinstance(do, str) else None
    if kind is None:
        raise WireError("unknown_event", f"there is no event {_quoted(do)}; there are: {', '.join(_KINDS)}")
    readers = _READERS[kind]
    given = {key: readers[key](key, told[key]) for key in readers if told.get(key) is not None}
    if kind is events.Start:
        known = {*readers, *_BOOKKEEPING}
        given["joined"] = {_key(key): _plain(str(key), value) for key, value in told.items() if key not in known}
        if given.get("opener") in ("roll-off", "roll_off") and given["opener"] not in given.get("players", ()):
            del given["opener"]
    try:
        return kind(**given)
    except TypeError as fault:
        lacking = next(key for key in readers if key not in given and key in _required(kind))
        raise WireError("missing", f"{do} needs the key {lacking}") from fault


def event_to_json(event: Event) -> dict[str, object]:
    """The JSON object that `event_from_json` turns into the same event; keys with their default are left out.

    >>> event_to_json(events.Throw(dice=(1, 4), outside=1))
    {'do': 'throw', 'dice': [1, 4], 'outside': 1}
    """
    told: dict[str, object] = {"do": event.do}
    for key in _READERS[type(event)]:
        value = getattr(event, key)
        if value is not None and value != _DEFAULTS[type(event)].get(key):
            told[key] = _json(value)
    if isinstance(event, events.Start):
        told |= {key: _json(value) for key, value in event.joined.items()}
    return told


def _json(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_json(item) for item in value]
    return {key: _json(item) for key, item in value.items()} if isinstance(value, Mapping) else value


def _name(key: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise WireError("bad_name", f"{key} must be a name")
    if len(value) > NAME_LENGTH:
        raise WireError("bad_name", f"{key}: a name has at most {NAME_LENGTH} characters")
    if value != value.strip() or any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") or c in _BIDI for c in value):
        raise WireError("bad_name", f"{key}: a name has no control characters and no space at its ends")
    if not _visible(value).strip():
        raise WireError("bad_name", f"{key}: nobody could see that name")
    return unicodedata.normalize("NFC", value)


def _visible(name: str) -> str:
    """The name without what leaves no mark, a joiner or a zero-width space: two names that look alike are one."""
    return "".join(c for c in unicodedata.normalize("NFC", name) if unicodedata.category(c) != "Cf")


def _names(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or len(value) > MOST_PLAYERS:
        raise WireError("bad_value", f"{key} must be a list of at most {MOST_PLAYERS} names")
    names = tuple(_name(key, name) for name in value)
    if len({_visible(name) for name in names}) < len(names):
        raise WireError("duplicate_name", "two players cannot have one name")
    return names


def _count(key: str, value: object) -> int:
    """A whole number from 0; a bool is none."""
    if type(value) is not int or not 0 <= value <= MOST_NUMBER:
        raise WireError("bad_value", f"{key} must be a whole number from 0 to {MOST_NUMBER}")
    return value


def _dice_count(key: str, value: object) -> int:
    if type(value) is not int or not 0 <= value <= MOST_DICE:
        raise WireError("bad_value", f"{key} must be a number of dice from 0 to {MOST_DICE}")
    return value


def _faces(key: str, value: object) -> tuple[Face, ...]:
    if not isinstance(value, list | tuple) or len(value) > MOST_DICE:
        raise WireError("bad_value", f"{key} must be a list of at most {MOST_DICE} faces")
    return tuple(_face(key, face) for face in value)


def _face(key: str, value: object) -> Face:
    if value == "G" and isinstance(value, str):
        return value
    if type(value) is not int or not 1 <= value <= 6:
        raise WireError("bad_face", f"{key}: a face is a whole number from 1 to 6, not {_quoted(value)}")
    return value


def _seconds(key: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1e15:
        raise WireError("bad_value", f"{key} must be seconds from 0")
    return float(value)


def _flag(key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise WireError("bad_value", f"{key} must be true or false")
    return value


def _word(key: str, value: object) -> str:
    if not isinstance(value, str) or not value or len(value) > NAME_LENGTH or not value.isprintable():
        raise WireError("bad_value", f"{key} must be a word of at most {NAME_LENGTH} characters")
    return value


def _choices(key: str, value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise WireError("bad_value", f"{key} must be an object of names and values")
    for name, chosen in value.items():
        if not isinstance(chosen, str | int | float | bool | None) or chosen != chosen:
            raise WireError("bad_value", f"{key}: {_quoted(name)} must be one plain value")
    return {_key(name): chosen for name, chosen in value.items()}


def _seats(key: str, value: object) -> Mapping[str, float]:
    if not isinstance(value, Mapping):
        raise WireError("bad_value", f"{key} must be an object of names and degrees")
    for degrees in value.values():
        if isinstance(degrees, bool) or not isinstance(degrees, int | float) or not 0 <= degrees <= 360:
            raise WireError("bad_value", f"{key}: a seat is from 0 to 360 degrees")
    return {_name(key, name): float(degrees) for name, degrees in value.items()}


def _plain(key: str, value: object, depth: int = 0) -> object:
    """What stands in chalk: whole numbers from 0, names, lists and objects of them, at most two deep."""
    if isinstance(value, Mapping) and depth < 2:
        return {_key(name): _plain(key, item, depth + 1) for name, item in value.items()}
    if isinstance(value, list | tuple) and depth < 2 and len(value) <= MOST_DICE:
        return tuple(_plain(key, item, depth + 1) for item in value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _name(key, value)
    if type(value) is int:
        return _count(key, value)
    raise WireError("bad_value", f"{_quoted(key)} cannot be {_quoted(value)}")


def _key(key: object) -> str:
    if not isinstance(key, str) or not 0 < len(key) <= NAME_LENGTH or not key.isprintable():
        raise WireError("bad_value", f"a key is a word of at most {NAME_LENGTH} characters")
    return key


def _quoted(value: object) -> str:
    if isinstance(value, str):
        return f'"{value[:NAME_LENGTH]}"' if value.isprintable() else "with such characters"
    if isinstance(value, float) and not math.isfinite(value):
        return "no number"
    is_plain = isinstance(value, int | float | None) and len(repr(value)) <= NAME_LENGTH
    return json.dumps(value) if is_plain else "that value"


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """A JSON object; one that says two things under one key says nothing."""
    told = dict(pairs)
    if len(told) < len(pairs):
        raise WireError("duplicate_key", "a key stands twice in this line")
    return told


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


def _required(kind: type[Event]) -> set[str]:
    return {field.name for field in fields(kind) if field.name not in _DEFAULTS[kind]}


_EVERY: dict[str, Reader] = {"by": _name, "at": _seconds}
_WHERE: dict[str, Reader] = {"dice": _faces, "outside": _dice_count, "rim": _dice_count}
_READERS: dict[type[Event], dict[str, Reader]] = {
    events.Start: {
        "game": _word,
        "players": _names,
        "preset": _word,
        "options": _choices,
        "opener": _name,
        "seats": _seats,
        **_EVERY,
    },
    events.Throw: {**_WHERE, "kept": _faces, **_EVERY},
    events.Stop: _EVERY,
    events.GlassEmpty: _EVERY,
    events.Settled: _EVERY,
    events.Choose: {"number": _count, **_EVERY},
    events.Place: {"dice": _faces, **_EVERY},
    events.Fallen: {"dice": _dice_count, "player": _name, **_EVERY},
    events.NextGame: _EVERY,
    events.End: _EVERY,
    events.Pause: _EVERY,
    events.Resume: _EVERY,
    events.Leave: {"player": _name, **_EVERY},
    events.Join: {"player": _name, **_EVERY},
    events.Adjust: {"player": _name, "strokes": _count, **_EVERY},
    events.Undo: {"to": _count, **_EVERY},
    events.Correct: {"throw": _count, **_WHERE, "player": _name, "void": _flag, **_EVERY},
    events.Insert: {"after": _count, **_WHERE, "player": _name, **_EVERY},
}
_KINDS: dict[str, type[Event]] = {kind.do: kind for kind in _READERS}
_DEFAULTS: dict[type[Event], dict[str, object]] = {
    kind: {
        field.name: field.default_factory() if callable(field.default_factory) else field.default
        for field in fields(kind)
        if field.default is not MISSING or field.default_factory is not MISSING
    }
    for kind in _READERS
}
