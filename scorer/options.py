"""What a game lets a table choose: declared once, checked by one function."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scorer.errors import IllegalEvent

Scalar = str | int | float | bool | None


@dataclass(frozen=True, kw_only=True)
class Option:
    """One open point of the rules that a table settles before it plays.

    `values` lists what is allowed; whole numbers from `least` to `most` are allowed as well where those are given.
    `rule` is the id in the rule card, `source` where each reading comes from.

    >>> Option(name="counting", default="last", values=("last", "best"), rule="PJ-06", source="rulebook").check("best")
    'best'
    """

    name: str
    default: Scalar
    rule: str
    source: str
    values: tuple[Scalar, ...] = ()
    least: int | None = None
    most: int | None = None

    @property
    def text(self) -> str:
        """The key of its sentence in the texts."""
        return f"option.{self.name}"

    def allows(self, value: object) -> bool:
        """Whether `value` may be chosen; ``True`` is no 1 here, and ``1.0`` neither."""
        if self.least is not None and self.most is not None and type(value) is int:
            return self.least <= value <= self.most
        return any(type(value) is type(known) and value == known for known in self.values)

    def check(self, value: object) -> Any:
        """`value` itself; raises `IllegalEvent` (``bad_option``) with what is allowed instead."""
        if self.allows(value):
            return value
        raise IllegalEvent("bad_option", f"{self.name} cannot be {_shown(value)}; allowed: {self.allowed()}")

    def allowed(self) -> str:
        """The allowed values in words: ``"last", "best"`` or ``1 to 50, null``."""
        told = [] if self.least is None else [f"{self.least} to {self.most}"]
        return ", ".join([*told, *(_shown(value) for value in self.values)])


def check_options(declared: Iterable[Option], given: Mapping[str, object]) -> dict[str, Any]:
    """Every declared option with its chosen value, defaults filled in.

    Raises `IllegalEvent`: ``unknown_option`` or ``bad_option``, the sentence says what is allowed.

    >>> spare = Option(name="spare_aces", default="ignored", values=("ignored", "count"), rule="B3", source="digest")
    >>> check_options([spare], {})
    {'spare_aces': 'ignored'}
    >>> check_options([spare], {"spare_aces": 3})
    Traceback (most recent call last):
    scorer.errors.IllegalEvent: spare_aces cannot be 3; allowed: "ignored", "count"
    """
    known = {option.name: option for option in declared}
    for name in given:
        if name not in known:
            there = ", ".join(known) or "none"
            raise IllegalEvent("unknown_option", f"there is no option {_shown(name)}; there are: {there}")
    return {name: option.check(given[name]) if name in given else option.default for name, option in known.items()}


def _shown(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return f'"{value[:40]}"'
    if isinstance(value, int):
        return str(value) if abs(value) < 10**12 else "such a large number"
    return str(value)[:40] if isinstance(value, float) else "a list or an object"
