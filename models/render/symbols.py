"""Emblems that stand on a face in place of pips: digits, letters, skulls, suits, stars, logos."""

import functools

import cv2
import numpy as np
import numpy.typing as npt

SIDE = 128
COLUMNS = 8
WHITE, BLACK = (255.0,), (0.0,)


@functools.cache
def atlas() -> npt.NDArray[np.uint8]:
    """All emblems as masks in one picture, 8 a row of 128 px, the first six being the digits 1 to 6."""
    cells = [_text(t) for t in ("1", "2", "3", "4", "5", "6", "003", "69", "7", "10", "J", "Q", "K", "A")]
    cells += [_text(t) for t in ("PB", "&", "?", "X", "100", "zot")]
    cells += [_skull(), _star(5), _star(6), _star(4), _heart(), _crown(), _anchor(), _moon()]
    cells += [_ring_logo(), _cross(), _bolt(), _eye()]
    rows = [np.hstack(cells[i : i + COLUMNS]) for i in range(0, len(cells), COLUMNS)]
    return np.vstack(rows)


def _blank() -> npt.NDArray[np.uint8]:
    return np.zeros((SIDE, SIDE), np.uint8)


def _text(text: str) -> npt.NDArray[np.uint8]:
    font = cv2.FONT_HERSHEY_DUPLEX if len(text) % 2 else cv2.FONT_HERSHEY_TRIPLEX
    (w, h), _ = cv2.getTextSize(text, font, 1.0, 1)
    scale = min(100 / w, 96 / h)
    thick = max(4, int(3.2 * scale))
    (w, h), _ = cv2.getTextSize(text, font, scale, thick)
    place = ((SIDE - w) // 2, (SIDE + h) // 2)
    return np.asarray(cv2.putText(_blank(), text, place, font, scale, WHITE, thick, cv2.LINE_AA), np.uint8)


def _fill(points: list[tuple[float, float]]) -> npt.NDArray[np.uint8]:
    shape = np.array([[(x * 0.5 + 0.5) * SIDE, (y * 0.5 + 0.5) * SIDE] for x, y in points])
    return np.asarray(cv2.fillPoly(_blank(), [shape.round().astype(np.int32)], WHITE, cv2.LINE_AA), np.uint8)


def _star(points: int) -> npt.NDArray[np.uint8]:
    turn = np.arange(2 * points) * np.pi / points - np.pi / 2
    radius = np.where(np.arange(2 * points) % 2 == 0, 0.9, 0.38)
    return _fill(list(zip(radius * np.cos(turn), radius * np.sin(turn), strict=True)))


def _heart() -> npt.NDArray[np.uint8]:
    t = np.linspace(0, 2 * np.pi, 80)
    x = 16 * np.sin(t) ** 3
    y = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
    return _fill(list(zip(x / 19, y / 19, strict=True)))


def _crown() -> npt.NDArray[np.uint8]:
    return _fill(
        [(-0.8, 0.6), (-0.9, -0.5), (-0.4, 0.0), (0, -0.8), (0.4, 0.0), (0.9, -0.5), (0.8, 0.6)],
    )


def _bolt() -> npt.NDArray[np.uint8]:
    return _fill([(0.2, -0.9), (-0.6, 0.15), (-0.05, 0.15), (-0.25, 0.9), (0.6, -0.2), (0.05, -0.2)])


def _cross() -> npt.NDArray[np.uint8]:
    m = _blank()
    cv2.rectangle(m, (50, 14), (78, 114), WHITE, -1)
    cv2.rectangle(m, (14, 50), (114, 78), WHITE, -1)
    return m


def _skull() -> npt.NDArray[np.uint8]:
    m = _blank()
    cv2.ellipse(m, (64, 54), (42, 40), 0, 0, 360, WHITE, -1, cv2.LINE_AA)
    cv2.rectangle(m, (42, 80), (86, 112), WHITE, -1)
    for x in (48, 80):
        cv2.circle(m, (x, 56), 11, BLACK, -1, cv2.LINE_AA)
    cv2.ellipse(m, (64, 76), (5, 8), 0, 0, 360, BLACK, -1, cv2.LINE_AA)
    for x in (53, 64, 75):
        cv2.line(m, (x, 96), (x, 112), BLACK, 3, cv2.LINE_AA)
    return m


def _anchor() -> npt.NDArray[np.uint8]:
    m = _blank()
    cv2.circle(m, (64, 24), 12, WHITE, 7, cv2.LINE_AA)
    cv2.line(m, (64, 36), (64, 112), WHITE, 10, cv2.LINE_AA)
    cv2.line(m, (38, 50), (90, 50), WHITE, 9, cv2.LINE_AA)
    cv2.ellipse(m, (64, 72), (44, 40), 0, 10, 170, WHITE, 10, cv2.LINE_AA)
    return m


def _moon() -> npt.NDArray[np.uint8]:
    m = _blank()
    cv2.circle(m, (60, 64), 48, WHITE, -1, cv2.LINE_AA)
    cv2.circle(m, (82, 54), 42, BLACK, -1, cv2.LINE_AA)
    return m


def _ring_logo() -> npt.NDArray[np.uint8]:
    m = _blank()
    cv2.circle(m, (64, 64), 54, WHITE, 6, cv2.LINE_AA)
    cv2.circle(m, (64, 64), 40, WHITE, 3, cv2.LINE_AA)
    cv2.putText(m, "B", (44, 86), cv2.FONT_HERSHEY_TRIPLEX, 1.9, WHITE, 5, cv2.LINE_AA)
    return m


def _eye() -> npt.NDArray[np.uint8]:
    m = _blank()
    cv2.ellipse(m, (64, 64), (56, 32), 0, 0, 360, WHITE, 7, cv2.LINE_AA)
    cv2.circle(m, (64, 64), 18, WHITE, -1, cv2.LINE_AA)
    cv2.circle(m, (64, 64), 7, BLACK, -1, cv2.LINE_AA)
    return m
