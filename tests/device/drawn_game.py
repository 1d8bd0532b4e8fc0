"""A drawn recording of a whole game: dice that roll, lie and are lifted at told times, and a reader that knows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.board import Board
from vision.frame import Frame, Picture
from vision.reading import BoardReading, DieReading, Point, Problem
from vision.recording import Mark, Notes

WIDTH, HEIGHT, EDGE, FPS = 240, 180, 20, 20.0
ROLL_S = 0.4
PLACES: tuple[Point, ...] = ((66.0, 60.0), (120.0, 110.0), (172.0, 66.0))


@dataclass(frozen=True)
class Act:
    """Dice that come to rest at `at` seconds and are lifted `lies` later; in doubt for the first `doubt` of them."""

    at: float
    dice: tuple[int, ...]
    lies: float = 1.2
    doubt: float = 0.0


class DrawnGame:
    """Stands in for a recording: frames that are drawn, and notes with what was pressed."""

    def __init__(
        self, acts: Sequence[Act], game: str, players: Sequence[str], marks: Sequence[dict[str, object]]
    ) -> None:
        self.acts, self.fps, self.skipped, self.video = acts, FPS, 0, None
        self.path = Path("drawn")
        told = tuple(Mark(float(m["t"]), {k: v for k, v in m.items() if k != "t"}) for m in marks)  # type: ignore[arg-type]
        self.notes = Notes(board="whole", game=game, players=tuple(players), marks=told)

    def __call__(self, path: Path, tell: Callable[[object], None]) -> DrawnGame:
        return self

    def __iter__(self) -> Iterator[Frame]:
        end = max(act.at + act.lies for act in self.acts) + 0.5
        for index in range(round(end * FPS)):
            t = index / FPS
            yield Frame(self._drawn(t, index), t, "drawn", index)

    def shown(self, t: float) -> tuple[Act | None, tuple[Point, ...]]:
        """What lies or rolls there at `t`, and where."""
        for act in self.acts:
            if act.at - ROLL_S <= t + 1e-6 < act.at + act.lies:
                away = max(0.0, (act.at - t) / ROLL_S) * 90
                return act, tuple((x + 0.4 * away, y + away) for x, y in PLACES[: len(act.dice)])
        return None, ()

    def _drawn(self, t: float, index: int) -> Picture:
        picture = np.full((HEIGHT, WIDTH, 3), (60, 110, 30), np.uint8)
        act, places = self.shown(t)
        for (x, y), face in zip(places, act.dice if act else (), strict=True):
            half, angle = EDGE // 2, (x + 2 * y) * np.pi / 90
            corners = np.array([[np.cos(angle + k * np.pi / 2), np.sin(angle + k * np.pi / 2)] for k in range(4)])
            cv2.fillPoly(picture, [np.round(corners * half * 1.35 + [x, y]).astype(np.int32)], (235, 240, 240))
            cv2.circle(picture, (round(x), round(y)), 2 + face // 2, (20, 20, 20), -1)
        noise = np.random.default_rng(index).integers(-2, 3, picture.shape)
        return (picture.astype(np.int16) + noise).clip(0, 255).astype(np.uint8)


class Knowing:
    """A reader that knows what was drawn."""

    def __init__(self, game: DrawnGame) -> None:
        self._game = game

    def __call__(self) -> Knowing:
        return self

    def read(
        self, frame: Frame, board: Board | None = None, *, die_px: float | None = None, expected: int | None = None
    ) -> BoardReading:
        act, places = self._game.shown(frame.t)
        if act is None:
            return BoardReading(())
        doubt = frame.t < act.at + act.doubt
        dice = tuple(
            _read(place, face, sure=not (doubt and n == 0), board=board)
            for n, (place, face) in enumerate(zip(places, act.dice, strict=True))
        )
        return BoardReading(dice, (Problem.UNSURE,) if doubt else ())


def _read(place: Point, face: int, *, sure: bool, board: Board | None) -> DieReading:
    (x, y), half = place, EDGE / 2
    corners = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    where = None if board is None else board.where(place)
    box = (x - half, y - half, x + half, y + half)
    return DieReading(face if sure else None, 0.999 if sure else 0.5, None, box, corners, where)
