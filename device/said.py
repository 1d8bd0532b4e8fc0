"""What a person said of dice that the eye still looks at, so that no throw is booked twice."""

from __future__ import annotations

from device.throws import same
from device.waiting import SAME_REST_S
from scorer.events import Throw


class Said:
    """Remembers the dice that a person named, by when they came to rest where that is known.

    >>> said = Said()
    >>> said.answered(12.4)
    >>> said.others_lie_there()
    >>> said.covers(12.4), said.covers(15.0)
    (True, False)
    """

    def __init__(self) -> None:
        self._lie_there = False  # the dice that were named lie there still
        self._rest: float | None = None
        self._typed: tuple[Throw, float | None] | None = None

    def answered(self, rest: float | None) -> None:
        """A person said what the dice are that came to rest then and lie there still."""
        self._lie_there, self._rest = True, rest

    def typed(self, throw: Throw, at: float | None) -> None:
        """A person entered a throw at `at` (None: nobody knows when) while the eye was still reading."""
        self._typed = (throw, at)

    def others_lie_there(self) -> None:
        """Other dice lie there now, or none."""
        self._lie_there = False
        if self._typed is not None and self._typed[1] is None:
            self._typed = None

    def covers(self, rest: float | None, seen: Throw | None = None) -> bool:
        """Whether dice that the eye tells of now are those that a person named: the person's word stands.

        Dice typed while the eye was reading are these if they rested by then, whatever was typed; where no times are
        known only if they show the same.
        """
        if rest is not None and self._rest is not None:
            if abs(rest - self._rest) <= SAME_REST_S:
                return True
        elif self._lie_there:
            return True
        typed, self._typed = self._typed, None
        if typed is None:
            return False
        throw, at = typed
        if not (rest <= at if rest is not None and at is not None else seen is not None and same(throw, seen)):
            return False
        self._lie_there, self._rest = True, rest
        return True
