"""A short set of tones, made here: soft, brief, each told from the others by its melody."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from device.sound import RATE, Wave

LEVEL = 0.45  # of full scale, so that speech is not drowned
FADE_S = 0.012  # no clicks at either end of a note
C, D, E, G, A, C2, E2, G2 = 523.3, 587.3, 659.3, 784.0, 880.0, 1046.5, 1318.5, 1568.0
LOW_C, LOW_E, LOW_G = 261.6, 329.6, 392.0
Note = tuple[float, float]
"""A frequency in Hz (0: silence) and how long, in seconds."""

TONES: Mapping[str, tuple[Note, ...]] = {
    # what a button did
    "press": ((A, 0.05),),
    "menu": ((E2, 0.04),),
    "undo": ((A, 0.06), (E, 0.08)),
    "refused": ((LOW_G, 0.09), (0, 0.03), (LOW_G, 0.09)),
    # what the table saw
    "read": ((G, 0.06), (C2, 0.10)),
    "corrected": ((C2, 0.06), (G, 0.06), (C2, 0.08)),
    "unsure": ((E, 0.12), (0, 0.04), (G, 0.18)),
    "trouble": ((LOW_E, 0.2), (0, 0.1), (LOW_E, 0.2)),
    # what it was worth
    "won": ((C, 0.08), (E, 0.08), (G, 0.14)),
    "zand": ((C, 0.07), (G, 0.07), (C2, 0.16)),
    "soixante_neuf": ((E, 0.07), (G, 0.07), (C2, 0.07), (E2, 0.18)),
    "three_aces": ((C2, 0.07), (E2, 0.07), (G2, 0.07), (C2, 0.07), (E2, 0.07), (G2, 0.2)),
    "seven": ((G, 0.1), (E, 0.1), (LOW_C, 0.22)),
    "die_outside": ((E, 0.08), (LOW_E, 0.2)),
    "barrage": ((G, 0.07), (0, 0.04), (G, 0.07), (0, 0.04), (G, 0.12)),
    "out": ((C, 0.09), (E, 0.09), (G, 0.09), (C2, 0.25)),
    "lost": ((LOW_G, 0.12), (LOW_E, 0.12), (LOW_C, 0.3)),
    "over": ((C2, 0.1), (G, 0.1), (E, 0.1), (C, 0.25)),
}


@cache
def tone(key: str) -> Wave:
    """The tone of this key; silence for one that there is not.

    >>> round(tone("press").seconds, 2)
    0.05
    >>> tone("no such tone").seconds
    0.0
    """
    notes = [_note(hertz, seconds) for hertz, seconds in TONES.get(key, ())]
    if not notes:
        return Wave(b"")
    return Wave((np.concatenate(notes) * LEVEL * 32767).astype(np.int16).tobytes())


def _note(hertz: float, seconds: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    t = np.arange(round(seconds * RATE)) / RATE
    if not hertz:
        return np.zeros_like(t)
    wave = 0.75 * np.sin(2 * np.pi * hertz * t) + 0.25 * np.sin(4 * np.pi * hertz * t) * np.exp(-t * 18)
    fade = np.minimum(1.0, np.minimum(t, seconds - t) / FADE_S)
    shaped: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = wave * np.maximum(0.0, fade)
    return shaped
