"""What the journal remembers, as evenings: which games belong together, counted once and kept while the device runs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from device.counts import Counted
from device.journal import Journal, JournalError
from device.played import Line, Played, games_of, lines_of
from device.stretches import CLOCK_SET_S, Index, Stretch

PATIENCE_S = 0.15  # a page is answered with what was counted by then
IN_LIST = 20  # evenings
IN_ONE_GO = 5000  # entries that are counted together; more of them would fill the memory


@dataclass(frozen=True)
class Evening:
    """Games that belong together, in order; `number` is that of the entry at which it began, and its name for good."""

    number: int
    games: tuple[Played, ...]

    @property
    def begun(self) -> datetime | None:
        """When it began by the wall clock: by the last game where the clock was put right in between."""
        first, last = self.games[0], self.games[-1]
        if first.begun is None or last.begun is None:
            return last.begun
        passed = (last.begun - first.begun).total_seconds()
        return first.begun if 0 <= passed < CLOCK_SET_S else last.begun

    @property
    def ended(self) -> datetime | None:
        return self.games[-1].ended

    @property
    def players(self) -> tuple[str, ...]:
        """Everybody who played, in the order in which they came."""
        return tuple(dict.fromkeys(name for game in self.games for name in game.players))

    @cached_property
    def counted(self) -> Counted:
        return together(self.games)

    @property
    def lasted_s(self) -> float:
        return sum(game.lasted_s for game in self.games)

    @property
    def longest(self) -> Played | None:
        """Of the games that came to an end, where there are two at least."""
        ended = self._ended
        return max(ended, key=_length) if len(ended) > 1 else None

    @property
    def shortest(self) -> Played | None:
        ended = self._ended
        return min(ended, key=_length) if len(ended) > 1 else None

    @property
    def _ended(self) -> list[Played]:
        return [game for game in self.games if game.over and game.whole]


@dataclass(frozen=True)
class Listed:
    """Evenings, the latest first; `complete` once all that were asked for are counted, `more` where there are older."""

    evenings: tuple[Evening, ...]
    complete: bool
    more: bool = False


class Past:
    """The journal's evenings; safe to call from several threads. Raises `JournalError` where it cannot be read.

    A game is counted once, and again when something was added that may have put it right.

    >>> from device.journal import MemoryJournal
    >>> Past(MemoryJournal()).evenings().evenings
    ()
    """

    def __init__(self, journal: Journal, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._journal, self._clock = journal, clock
        self._lock = threading.RLock()
        self._counting: threading.Thread | None = None
        self.forget()

    def forget(self) -> None:
        """Read and count anew when it is asked for: the journal was written over."""
        with self._lock:
            self._index = Index(self._journal)
            self._games: dict[int, tuple[int, tuple[Played, ...]]] = {}

    def evenings(self, before: int | None = None, most: int = IN_LIST, patience_s: float | None = None) -> Listed:
        """The latest evenings, of those before evening `before`; what is not counted in time is in the background.

        `patience_s`: how long to count at most, `PATIENCE_S` where nobody says.
        """
        begun = self._clock()
        patience_s = PATIENCE_S if patience_s is None else patience_s
        with self._lock:
            index = self._look()
            while not index.all_read and self._lacks(index, before, most) and self._clock() - begun < patience_s:
                index.further()
            begins = index.before(before)
            complete = index.all_read or not self._lacks(index, before, most)
        found: list[Evening] = []
        for begin in reversed(begins[-most:]):
            if found and self._clock() - begun > patience_s and not self._is_counted(begin):
                complete = False
                break
            if (evening := self._evening(begin)) is not None:
                found.append(evening)
        if not complete:
            self._count_on(before, most)
        return Listed(tuple(found), complete, len(begins) > most)

    def everything(self) -> Listed:
        """All evenings that are counted by now; the others are in the background."""
        return self.evenings(None, 10**9)

    def each(self) -> Iterator[Evening]:
        """Every evening, the latest first, however long it takes."""
        with self._lock:
            index = self._look()
        before: int | None = None
        while True:
            with self._lock:
                while not index.all_read and self._lacks(index, before, 1):
                    index.further()
                begins = index.before(before)
            if not begins:
                return
            before = begins[-1]
            if (evening := self._evening(before)) is not None:
                yield evening

    def evening(self, number: int) -> Evening | None:
        """The evening of that number, with all its games."""
        return self._evening(number) if number in self._read_to(number).begins else None

    def latest(self) -> Played | None:
        """The game that was begun last, thrown or not."""
        with self._lock:
            index = self._look()
            while not index.stretches and not index.all_read:
                index.further()
            stretch = index.stretches[-1] if index.stretches else None
        games = [] if stretch is None else self._counted(index, [stretch])
        return games[-1] if games else None

    def beside(self, number: int) -> tuple[int | None, int | None]:
        """The evenings before and after that one."""
        index = self._read_to(number)
        while not index.all_read and index.begins[:1] == [number]:
            with self._lock:
                index.further()
        begins = list(index.begins)
        if number not in begins:
            return None, None
        at = begins.index(number)
        return begins[at - 1] if at else None, begins[at + 1] if at + 1 < len(begins) else None

    def lines(self, game: int) -> tuple[Line, ...]:
        """Every throw of the game of that number; nothing for a number that no game has."""
        index = self._read_to(game)
        with self._lock:
            stretch = next(iter(index.within(game, game + 1)), None)
        return () if stretch is None else lines_of(index.rows(stretch, stretch), game)

    # -- inside

    def _look(self) -> Index:
        if not self._index.look():
            self.forget()
            self._index.look()
        return self._index

    def _read_to(self, number: int) -> Index:
        """The index, read until it is known whether an evening begins at `number` and what stretch that is in."""
        with self._lock:
            index = self._look()
        while not index.all_read and (index.low >= number or not index.within(number, number + 1)):
            with self._lock:
                index.further()
        return index

    def _lacks(self, index: Index, before: int | None, most: int) -> bool:
        """Whether more has to be read for so many evenings and one more."""
        begins = index.before(before)
        return len(begins) <= most or not index.stretches or index.stretches[0].first > begins[-most]

    def _evening(self, begin: int) -> Evening | None:
        """None where nobody threw."""
        with self._lock:
            index = self._index
            until = index.end_of(begin)
            stretches = index.within(begin, until)
        games = [game for game in self._counted(index, stretches) if begin <= game.number < until]
        thrown = tuple(game for game in games if game.counts.throws or not game.whole)
        return Evening(begin, thrown) if thrown else None

    def _is_counted(self, begin: int) -> bool:
        with self._lock:
            stretches = self._index.within(begin, self._index.end_of(begin))
            return all(self._known(self._index, one) is not None for one in stretches)

    def _known(self, index: Index, stretch: Stretch) -> tuple[Played, ...] | None:
        """Its games, None where they are not counted, or something came since."""
        last, games = self._games.get(stretch.first, (0, ()))
        return games if last == index.put_right_until(stretch) else None

    def _counted(self, index: Index, stretches: Sequence[Stretch]) -> list[Played]:
        """Their games; counted outside the lock, so that a page waits for no other."""
        with self._lock:
            runs = _runs(stretches, [self._known(index, one) is not None for one in stretches])
        for run in runs:
            games = self._played(index, run)
            if len(run) > 1 and not all(game.whole for game in games):
                for one in run:  # what cannot be read hides no game but its own
                    self._played(index, [one])
        with self._lock:
            return [game for one in stretches for game in self._games.get(one.first, (0, ()))[1]]

    def _played(self, index: Index, run: Sequence[Stretch]) -> tuple[Played, ...]:
        """The games of stretches that follow one another, counted in one go and kept."""
        with self._lock:
            store, ends = self._games, [(one.first, one.last, index.put_right_until(one)) for one in run]
        games = games_of(index.rows(run[0], run[-1]), ends[-1][1] + 1)
        for first, last, put_right in ends:
            store[first] = (put_right, tuple(game for game in games if first <= game.number <= last))
        return games

    def _count_on(self, before: int | None, most: int) -> None:
        """Read and count the rest in the background, at half speed: the eye goes on reading dice meanwhile."""
        with self._lock:
            if self._counting is None or not self._counting.is_alive():
                self._counting = threading.Thread(target=self._count, args=(before, most), name="evenings", daemon=True)
                self._counting.start()

    def _count(self, before: int | None, most: int) -> None:
        with suppress(JournalError):  # whoever asks next is told
            while True:
                begun = self._clock()
                with self._lock:
                    index = self._index
                    if index.all_read or not self._lacks(index, before, most):
                        break
                    index.further()
                self._rest(begun)
            for begin in reversed(index.before(before)[-most:]):
                begun = self._clock()
                self._evening(begin)
                self._rest(begun)

    def _rest(self, begun: float) -> None:
        time.sleep(min(1.0, max(0.0, self._clock() - begun)))


def _runs(stretches: Sequence[Stretch], counted: Sequence[bool]) -> list[list[Stretch]]:
    """Those not counted yet, in runs of which each goes on from the one before."""
    runs: list[list[Stretch]] = []
    before: Stretch | None = None
    for one, is_counted in zip(stretches, counted, strict=True):
        if not is_counted:
            if runs and before is runs[-1][-1] and one.goes_on and one.last - runs[-1][0].first < IN_ONE_GO:
                runs[-1].append(one)
            else:
                runs.append([one])
        before = one
    return runs


def together(games: Iterable[Played]) -> Counted:
    """What several games came to."""
    total = Counted()
    for game in games:
        total = total.plus(game.counted)
    return total


def _length(game: Played) -> tuple[float, int]:
    return game.lasted_s, game.counts.throws
