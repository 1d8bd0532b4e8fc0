"""Buttons without bounce: pressed, held long, let go."""

STEADY_MS = 15  # a contact that stays so long is meant
LONG_MS = 800
RELEASED, PRESSED, LONG = 0, 1, 2


class Keys:
    """Raw contacts in, events out. `diff` is ``time.ticks_diff``: milliseconds that wrap round."""

    def __init__(self, count: int, diff: object) -> None:
        self._diff = diff
        self._raw = [False] * count
        self._since = [0] * count
        self._down = [False] * count
        self._long = [False] * count

    def look(self, contacts: int, now: int) -> list:
        """Events since the last look as (key, kind, the time its contact changed); `contacts` has a bit a key."""
        events = []
        for key in range(len(self._raw)):
            raw = bool(contacts >> key & 1)
            if raw != self._raw[key]:
                self._raw[key] = raw
                self._since[key] = now
            for_ms = self._diff(now, self._since[key])
            if raw != self._down[key] and for_ms >= STEADY_MS:
                self._down[key] = raw
                self._long[key] = False
                events.append((key, PRESSED if raw else RELEASED, self._since[key]))
            elif raw and self._down[key] and not self._long[key] and for_ms >= LONG_MS:
                self._long[key] = True
                events.append((key, LONG, now))
        return events
