"""The thread that is heard: a short queue that drops what is old, so that nothing wrong or late is said."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from device.buttons.menu import Shown
from device.kept import Kept
from device.snapshot import Snapshot
from device.sound import RATE, Playing, Speaker, Voice, Wave
from device.sound.tones import tone
from device.sound.words import MENDED, Heard, heard, plain
from device.table import Table
from device.turning import GoesOn, Turning
from device.wording import Wording

LOG = logging.getLogger("pietjesoog")
MOST_WAITING = 4
STALE_S = {"tone": 1.0, "menu": 3.0, "table": 8.0}  # what waited longer is not worth hearing any more
BETWEEN = Wave(bytes(2 * round(0.15 * RATE)))  # the pause between a tone and words


@dataclass(frozen=True)
class _Waiting:
    """Something to hear: since when, of which kind and epoch; a table's moment is put into words when it is due."""

    since: float
    kind: str
    epoch: int
    tone: str = ""
    words: str = ""


class Sound:
    """Tones, and speech where a voice is given, for whatever the table makes of things.

    `heard` and `lay_over` are for the buttons; `kind` (none, tones, speech) and `volume` may change at any time. A
    throw that is corrected, undone or followed by another silences what was being said of it. Nobody ever waits for
    sound.
    """

    def __init__(
        self,
        table: Table,
        words: Wording,
        open_speaker: Callable[[], Speaker],
        open_voice: Callable[[], Voice] | None = None,
        *,
        kind: str = "",
        volume: int = 60,
        retry_s: float = 5.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._words, self._clock = words, clock
        self._speaker: Kept[Speaker] = Kept("the sound", open_speaker, clock=clock, retry_s=retry_s)
        self._voice: Kept[Voice] | None = None
        if open_voice is not None:
            self._voice = Kept("the speech", open_voice, clock=clock, retry_s=retry_s)
        self.kind = kind or ("tones" if open_voice is None else "speech")
        self.volume = volume
        self._lock = threading.Lock()
        self._told = self._now = table.now
        self._epoch = 0
        self._queue: deque[_Waiting] = deque(maxlen=MOST_WAITING)
        self._playing: Playing | None = None
        self._wake = threading.Event()
        self.turning = Turning("sound", self._run, clock=clock)
        table.listen(self._take)

    def start(self) -> None:
        self.turning.start()

    def heard(self, key: str) -> None:
        """The tone of a press; from any thread, returns at once."""
        self._put("tone", Heard(key))

    def lay_over(self, shown: Shown | None) -> None:
        """The chosen line of a menu is said, for whoever cannot see it; from any thread, returns at once."""
        if shown is not None and shown.lines and self._speaks:
            with self._lock:
                self._drop("menu")
            self._put("menu", Heard("", plain(shown.lines[shown.chosen])))

    def try_out(self) -> None:
        """A tone, and words where it speaks, so that somebody hears how loud it is; from any thread."""
        self._put("menu", Heard("won", plain(self._words.say("page", "title")) if self._speaks else ""))

    @property
    def is_off(self) -> bool:
        return self.kind == "none"

    def close(self) -> None:
        """Any number of times; silence."""
        self.turning.ended.set()
        with self._lock:
            self._queue.clear()
            self._hush()
        self._wake.set()
        self.turning.end(1.0)
        self._speaker.close()
        if self._voice is not None:
            self._voice.close()

    def health(self) -> dict[str, object]:
        """What ``/api/v1/health`` tells: the loudspeaker's trouble, else the voice's."""
        ill = next((kept for kept in self._in_use() if kept.fault is not None), None)
        told: dict[str, object] = {"ok": ill is None, "message": None, "trouble": None, "volume": self.volume}
        return told if ill is None else told | {"message": ill.fault, "trouble": ill.trouble}

    # -- inside

    @property
    def _speaks(self) -> bool:
        return self.kind == "speech" and self._voice is not None

    def _in_use(self) -> Iterator[Kept[Speaker] | Kept[Voice]]:
        if not self.is_off:
            yield self._speaker
        if self._speaks and self._voice is not None:
            yield self._voice

    def _take(self, now: Snapshot) -> None:
        """From the thread that made it: what was being said is silenced where it holds no more; words come later."""
        with self._lock:
            was, self._now = self._now, now
            if now.seq != was.seq and (now.throw != was.throw or now.view.pattern in MENDED or now.begun != was.begun):
                self._epoch += 1
                self._drop("table")
                self._hush()
        self._put("table", Heard())

    def _put(self, kind: str, what: Heard) -> None:
        with self._lock:
            if kind == "table" and any(waiting.kind == "table" for waiting in self._queue):
                return  # the one that waits will tell of the latest moment
            self._queue.append(_Waiting(self._clock(), kind, self._epoch, what.tone, what.words))
        self._wake.set()

    def _drop(self, kind: str) -> None:
        kept = [waiting for waiting in self._queue if waiting.kind != kind]
        self._queue.clear()
        self._queue.extend(kept)

    def _hush(self) -> None:
        if self._playing is not None:
            self._playing.stop()

    def _run(self, goes_on: GoesOn) -> None:
        while goes_on():
            self._wake.wait(1.0)
            self._wake.clear()
            try:
                for part in self._in_use():
                    part.get()  # what was missing may be there now: health should know
                while goes_on() and self.turn():
                    pass
            except Exception:  # one sound is lost, the next may be well
                LOG.exception("a sound stumbled")

    def turn(self) -> bool:
        """Play the next that is still worth it, to its end; false where nothing waits."""
        with self._lock:
            if not self._queue:
                return False
            waiting = self._queue.popleft()
            told, now = self._told, self._now
            if waiting.kind == "table":
                self._told = now
        what = heard(told, now, self._words) if waiting.kind == "table" else Heard(waiting.tone, waiting.words)
        fresh = self._clock() - waiting.since <= STALE_S[waiting.kind]
        if not fresh or self.is_off or self.volume <= 0 or not (what.tone or what.words):
            return True
        wave = self._wave(what)
        if wave.samples:
            self._speaker.use(lambda speaker: self._play(speaker, wave, waiting))
        return True

    def _wave(self, what: Heard) -> Wave:
        """Tone and speech as one sound, as loud as set; the tone alone where the voice is lost."""
        wave = tone(what.tone)
        if what.words and self._speaks and self._voice is not None:
            said: list[Wave] = []
            self._voice.use(lambda voice: said.append(voice.speak(what.words, self._words.language)))
            if said:
                wave = wave + BETWEEN + said[0] if wave.samples else said[0]
        return wave.louder((max(0, min(100, self.volume)) / 100) ** 2)

    def _is_over(self, waiting: _Waiting) -> bool:
        """Whether the table went on while the words were made."""
        with self._lock:
            return self.turning.ended.is_set() or (waiting.kind == "table" and waiting.epoch != self._epoch)

    def _play(self, speaker: Speaker, wave: Wave, waiting: _Waiting) -> None:
        if self._is_over(waiting):
            return
        playing = speaker.start(wave)
        with self._lock:
            self._playing = playing
        try:
            if self._is_over(waiting):  # the table went on at this very moment
                playing.stop()
            playing.wait()
        finally:
            with self._lock:
                self._playing = None
