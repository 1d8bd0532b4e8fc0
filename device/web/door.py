"""Who may do what: anybody may look, whoever has the table's code plays, whoever has the PIN sets."""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

from device.web.pin import Pin
from device.web.rate import Limit, Rate, key_of

DIGITS = 6
IDLE_S = 6 * 3600.0  # nobody played for so long: the next evening has another code
OWNER_S = 12 * 3600.0  # how long a PIN stays entered
HERE_S = 3 * 3600.0  # a phone not heard of for so long has gone home
MOST_VISITORS = 256
CODE_TRIES = (Rate(10, 6.0), Rate(60, 1.0))  # wrong codes: an address, all of them
PIN_TRIES = (Rate(5, 60.0), Rate(20, 15.0))  # 10 000 PINs would take 41 hours from many addresses, a week from one


class TooManyTries(Exception):
    """Somebody guesses; `wait_s` seconds until the next try."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(f"too many wrong tries; wait {wait_s:.0f} seconds")
        self.wait_s = wait_s


@dataclass(frozen=True)
class Visitor:
    """One browser that came in; `code` is the one it came in by, `name` who holds it ('' the table), once `asked`."""

    token: str
    code: str = ""
    name: str = ""
    asked: bool = False
    seat: float | None = None
    owner_until: float = 0.0
    seen: float = 0.0


class Door:
    """Keeps the table's code and the visitors; in memory only, so that a restart asks everybody again.

    `clock` is monotonic seconds, `draw` gives a whole number below its argument.

    >>> door = Door(draw=lambda below: 482913)
    >>> visitor = door.enter("482 913", "192.168.1.7")
    >>> door.code, door.may_play(visitor), door.may_play(None)
    ('482913', True, False)
    """

    def __init__(
        self,
        pin: Pin | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[int], int] = secrets.randbelow,
    ) -> None:
        self.pin = pin if pin is not None else Pin(None)
        self.clock, self._draw = clock, draw
        self._lock = threading.RLock()
        self._visitors: OrderedDict[str, Visitor] = OrderedDict()
        self._codes = Limit(CODE_TRIES[0], CODE_TRIES[1], clock=clock)
        self._pins = Limit(PIN_TRIES[0], PIN_TRIES[1], clock=clock)
        self._stirred = clock()
        self._code = self._drawn()
        self.version = 0  # grows with whatever a page shows of this

    # -- the table's code

    @property
    def code(self) -> str:
        """The code that counts now."""
        with self._lock:
            if self.clock() - self._stirred >= IDLE_S:
                self._renew()
            return self._code

    def stir(self) -> None:
        """Somebody plays: the code stays."""
        with self._lock:
            if self.code:  # first let an old one go
                self._stirred = self.clock()

    def renew(self) -> None:
        """Another code at once; who came in by the old one has to come in again."""
        with self._lock:
            self._renew()

    def fits(self, told: str, address: str) -> bool:
        """Whether `told` is the code, blanks aside; raises `TooManyTries` for an address that guesses."""
        key = key_of(address)
        if wait := self._codes.spend(key):
            raise TooManyTries(wait)
        right = hmac.compare_digest("".join(told.split()).encode("utf-8", "replace"), self.code.encode())
        if right:
            self._codes.give_back(key)
        return right

    # -- visitors

    def enter(self, told: str, address: str, token: str | None = None) -> Visitor | None:
        """The visitor who told the right code, None for a wrong one; raises `TooManyTries`."""
        if not self.fits(told, address):
            return None
        with self._lock:
            return self._keep(replace(self._anew(token), code=self.code))

    def enter_pin(self, told: str, address: str, token: str | None = None) -> Visitor | None:
        """The owner who told the right PIN, None for a wrong one; raises `TooManyTries`."""
        return self.own(token) if self.fits_pin(told, address) else None

    def fits_pin(self, told: str, address: str) -> bool:
        """Whether `told` is the PIN; raises `TooManyTries` for an address that guesses."""
        key = key_of(address)
        if wait := self._pins.spend(key):
            raise TooManyTries(wait)
        right = self.pin.fits(told)
        if right:
            self._pins.give_back(key)
        return right

    def disown(self) -> None:
        """Whoever entered the PIN enters it again: it is another one now."""
        with self._lock:
            for token, visitor in self._visitors.items():
                self._visitors[token] = replace(visitor, owner_until=0.0)

    def own(self, token: str | None) -> Visitor:
        """The visitor as an owner, after the PIN was entered or set."""
        with self._lock:
            return self._keep(replace(self._anew(token), owner_until=self.clock() + OWNER_S))

    def visitor(self, token: str | None) -> Visitor | None:
        """Who has this token."""
        with self._lock:
            visitor = self._visitors.get(token) if token else None
            return None if visitor is None else self._keep(visitor)

    def leave(self, token: str | None) -> None:
        """Forget this browser."""
        with self._lock:
            if token and self._visitors.pop(token, None) is not None:
                self.version += 1

    def may_play(self, visitor: Visitor | None) -> bool:
        return visitor is not None and (visitor.code == self.code or self.may_set(visitor))

    def may_set(self, visitor: Visitor | None) -> bool:
        return visitor is not None and self.clock() < visitor.owner_until

    # -- who is here

    def call(self, token: str, name: str, seat: float | None = None) -> Visitor | None:
        """This phone is `name`'s ('' for nobody's); None for a token that is not known."""
        with self._lock:
            visitor = self._visitors.get(token)
            if visitor is None:
                return None
            self.version += 1
            return self._keep(replace(visitor, name=name, asked=True, seat=seat))

    def uncall(self, name: str) -> None:
        """No phone is this person's any more."""
        with self._lock:
            for token, visitor in self._visitors.items():
                if visitor.name == name:
                    self._visitors[token] = replace(visitor, name="", asked=False)
                    self.version += 1

    @property
    def here(self) -> dict[str, float | None]:
        """The names of those who play and have a phone here, in the order in which they came, each with the seat."""
        with self._lock:
            now = self.clock()
            present = [v for v in self._visitors.values() if v.name and now - v.seen < HERE_S and self.may_play(v)]
            return {visitor.name: visitor.seat for visitor in present}

    # -- inside

    def _anew(self, token: str | None) -> Visitor:
        """The visitor of this token under another token: what was told before entering opens nothing afterwards."""
        known = self._visitors.pop(token, None) if token else None
        fresh = secrets.token_urlsafe(24)
        return Visitor(fresh) if known is None else replace(known, token=fresh)

    def _keep(self, visitor: Visitor) -> Visitor:
        kept = replace(visitor, seen=self.clock())
        self._visitors[kept.token] = kept
        while len(self._visitors) > MOST_VISITORS:
            oldest = min(self._visitors.values(), key=lambda other: other.seen)
            del self._visitors[oldest.token]
        return kept

    def _renew(self) -> None:
        before = self._code
        while self._code == before:
            self._code = self._drawn()
        self._stirred = self.clock()
        self.version += 1

    def _drawn(self) -> str:
        return f"{self._draw(10**DIGITS):0{DIGITS}}"
