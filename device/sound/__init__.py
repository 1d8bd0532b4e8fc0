"""What can be heard: a loudspeaker and a voice, one small protocol each, and the fakes beside them."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Protocol

import numpy as np

RATE = 22050  # samples a second; what espeak-ng gives


@dataclass(frozen=True)
class Wave:
    """Sound to play: 16 bits a sample, one channel, `RATE` samples a second."""

    samples: bytes

    @property
    def seconds(self) -> float:
        return len(self.samples) / 2 / RATE

    def __add__(self, other: Wave) -> Wave:
        return Wave(self.samples + other.samples)

    def louder(self, factor: float) -> Wave:
        """The same, every sample times `factor`; what gets too loud is cut."""
        samples = np.frombuffer(self.samples, np.int16).astype(np.float64) * factor
        return Wave(np.clip(samples, -32768, 32767).astype(np.int16).tobytes())


class Playing(Protocol):
    """One wave on its way out."""

    def wait(self) -> None:
        """Until it is over; raises `device.kept.PartLost` where it failed or takes much longer than it should."""

    def stop(self) -> None:
        """Silence now; from any thread, any number of times; `wait` then returns."""


class Speaker(Protocol):
    """A loudspeaker, opened by its constructor; a contract suite runs on every class.

    Constructor and methods raise `device.kept.PartLost`; then it is closed and opened anew.
    """

    def start(self, wave: Wave) -> Playing:
        """Begin to play; returns at once."""

    def close(self) -> None:
        """Silence; any number of times."""


class Voice(Protocol):
    """Says words, opened by its constructor; raises `device.kept.PartLost` like a speaker."""

    def speak(self, ssml: str, language: str) -> Wave:
        """The words as sound; takes a second at most."""

    def close(self) -> None:
        """Any number of times."""


class FakePlaying:
    """Lasts until somebody sets `over`."""

    def __init__(self, lost: Exception | None) -> None:
        self.over = threading.Event()
        self.stopped = False
        self._lost = lost

    def wait(self) -> None:
        self.over.wait(10)
        if self._lost is not None and not self.stopped:
            raise self._lost

    def stop(self) -> None:
        self.stopped = True
        self.over.set()


class FakeSpeaker:
    """Keeps the waves that were `played`; `lost`, once set, is raised when a wave is over. `at_once`: none lasts."""

    def __init__(self, *, at_once: bool = True) -> None:
        self.played: list[Wave] = []
        self.playing: list[FakePlaying] = []
        self.lost: Exception | None = None
        self.closed = False
        self._at_once = at_once

    def start(self, wave: Wave) -> Playing:
        self.played.append(wave)
        self.playing.append(FakePlaying(self.lost))
        if self._at_once:
            self.playing[-1].over.set()
        return self.playing[-1]

    def close(self) -> None:
        self.closed = True
        for playing in self.playing:
            playing.stop()


class FakeVoice:
    """Keeps what was `spoken` as (words, language); a tenth of a second of silence for each. `lost` as above."""

    def __init__(self) -> None:
        self.spoken: list[tuple[str, str]] = []
        self.lost: Exception | None = None
        self.closed = False

    def speak(self, ssml: str, language: str) -> Wave:
        if self.lost is not None:
            raise self.lost
        self.spoken.append((ssml, language))
        return Wave(bytes(RATE // 10 * 2))

    def close(self) -> None:
        self.closed = True
