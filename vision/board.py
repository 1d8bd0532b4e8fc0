"""The board in a picture: its two octagons, picture ⇄ board millimetres, and where a die lies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from math import hypot, isfinite
from pathlib import Path

import numpy as np

from vision import octagon
from vision.errors import VisionError
from vision.lens import Lens
from vision.octagon import Matrix, Points
from vision.reading import Point, Where

ASSUMED_FELT_MM = 360.0  # floor across its flats, where nobody told: boards are 30 to 45 cm over all
DIE_MM = 16.0  # the edge of a die, where nobody told
_ASSUMED_FOCAL = 1.0  # focal length in picture widths, where it was not found
# height of a rim before it is measured, and how sure that is: parts of the felt's width (20–45 mm of 360)
_USUAL_RIM, _RIM_SPREAD = 0.105, 0.025
_LEAST_INSET = (
    0.25  # edges of a die: a whole die beside the rim has its middle half an edge from it, one on it has none
)


class Scale(StrEnum):
    """Where the millimetres come from."""

    ASSUMED = "assumed"
    TOLD = "told"


@dataclass(frozen=True)
class Board:
    """An octagonal board as one camera sees it; pixels are those of a picture of `width` × `height`.

    `felt` has the 8 corners of the floor, `rim` those of the rim's outer edge (a little higher), both clockwise as
    seen and beginning at the same side; both empty where the whole picture is felt. `k1` is the bend of the lens
    (`Lens`), `focal` its focal length in pixels where known, `felt_mm` the floor's width across its flats,
    `rim_height` how high the rim stands above it, where known, and `opening` the width of the rim's inner edge, both in
    parts of that width.
    Raises VisionError if the octagons cannot be a board's.

    >>> corners = tuple(map(tuple, (octagon.regular_octagon(600) + 480).tolist()))
    >>> outer = tuple(map(tuple, (octagon.regular_octagon(700) + 480).tolist()))
    >>> board = Board(960, 960, corners, outer, felt_mm=300)
    >>> board.where((480, 480)).value, round(board.px_per_mm, 2), round(board.expected_die_px(), 1)
    ('inside', 2.0, 32.0)
    """

    width: int
    height: int
    felt: tuple[Point, ...]
    rim: tuple[Point, ...]
    k1: float = 0.0
    focal: float | None = None
    rim_height: float | None = None
    opening: float = 1.0
    felt_mm: float = ASSUMED_FELT_MM
    die_mm: float = DIE_MM
    scale: Scale = Scale.ASSUMED
    die_px: float | None = None

    def __post_init__(self) -> None:
        if self.width <= 0 or self.height <= 0:
            raise VisionError(f"A board needs a picture with a size, not {self.width} × {self.height}.")
        if not (isfinite(self.felt_mm) and self.felt_mm > 0 and isfinite(self.die_mm) and self.die_mm > 0):
            raise VisionError("The width of the felt and of a die must be more than nothing.")
        if not isfinite(self.k1) or abs(self.k1) > 0.3:
            raise VisionError(f"A lens bend of {self.k1} is beyond any lens that Pietjesoog knows.")
        if self.focal is not None and not (isfinite(self.focal) and self.focal > 0):
            raise VisionError("The focal length must be more than nothing.")
        if self.rim_height is not None and not 0 <= self.rim_height <= 0.5:
            raise VisionError("The rim must be between nothing and half as high as the felt is wide.")
        if not 0.9 <= self.opening <= 1.2:
            raise VisionError("The rim's inner edge must be about as wide as the felt.")
        if not self.felt and not self.rim:
            return
        for name, corners in (("felt", self.felt), ("rim", self.rim)):
            self._check(name, np.array(corners, float).reshape(-1, 2))
        felt, rim = np.array(self.felt), np.array(self.rim)  # seen from a side, a corner of the felt may lie beyond
        apart = float(np.hypot(*(felt.mean(axis=0) - rim.mean(axis=0))))
        if octagon.signed_area(rim) <= octagon.signed_area(felt) or apart > np.ptp(felt, axis=0).min() / 4:
            raise VisionError("The rim must run around the felt, and here it does not.")

    def _check(self, name: str, corners: Points) -> None:
        if len(corners) != octagon.SIDES:
            raise VisionError(f"The {name} has {len(corners)} corners; a board has 8.")
        if not np.isfinite(corners).all():
            raise VisionError(f"The {name} has a corner that is no number.")
        if not octagon.is_convex_clockwise(corners):
            raise VisionError(f"The corners of the {name} do not make an octagon that runs clockwise.")
        slack = 0.25 * np.array([self.width, self.height])  # a board may stick out of the picture a little
        if (corners < -slack).any() or (corners > np.array([self.width, self.height]) + slack).any():
            raise VisionError(f"The {name} has a corner far outside the picture of {self.width} × {self.height}.")

    @classmethod
    def whole(cls, width: int, height: int, die_px: float | None = None) -> Board:
        """The whole picture is felt: every die lies inside; the scale is that of a die of `die_px`, where told."""
        return cls(width, height, (), (), die_px=die_px)

    @property
    def is_whole(self) -> bool:
        return not self.felt

    # picture ⇄ millimetres

    @cached_property
    def lens(self) -> Lens:
        return Lens(self.width, self.height, self.k1)

    @cached_property
    def _turn(self) -> float:
        """How the felt's octagon is turned in the board's millimetres, whose x runs right as seen."""
        return octagon.turn_of(np.array(self.felt, float))

    @cached_property
    def _floor(self) -> Matrix:
        """Homography of the floor: millimetres to the straightened picture."""
        if self.is_whole:
            per_mm = self.px_per_mm
            return np.array([[per_mm, 0, self.width / 2], [0, per_mm, self.height / 2], [0, 0, 1]])
        return octagon.homography(
            octagon.regular_octagon(self.felt_mm, self._turn), self.lens.straighten(np.array(self.felt, float))
        )

    @cached_property
    def _up(self) -> Points:
        """What one millimetre of height adds to the homography's last column (3,)."""
        if self.is_whole:
            return np.zeros(3)
        seen = np.linalg.inv(self._camera) @ self._floor
        length = float(np.linalg.norm(seen[:, 0]) + np.linalg.norm(seen[:, 1])) / 2
        away = np.cross(seen[:, 0], seen[:, 1])  # x right, y down: z runs away from the camera, up is −z
        return np.asarray(-self._camera @ away / float(np.linalg.norm(away)) * length)

    @cached_property
    def _camera(self) -> Matrix:
        """Directions as the camera sees them to the straightened picture."""
        focal = self.focal or _ASSUMED_FOCAL * self.width
        return np.array([[focal, 0, (self.width - 1) / 2], [0, focal, (self.height - 1) / 2], [0, 0, 1]])

    @cached_property
    def _upright(self) -> tuple[float, float, float]:
        """The board's normal as the camera sees it, of length 1."""
        up = np.linalg.solve(self._camera, self._up)
        x, y, z = (up / np.linalg.norm(up)).tolist()
        return x, y, z

    def level(self, point: Point) -> Point:
        """How a level top at a point of the picture looks past the camera: the part of its unit normal across the
        line of sight, along x and y of the picture.
        """
        if self.is_whole:
            return 0.0, 0.0
        (focal, _, across), (_, _, down), _ = self._camera.tolist()
        ((x, y),) = self.lens.straighten(np.array([point])).tolist()
        x, y = (x - across) / focal, (y - down) / focal
        far = hypot(x, y, 1.0)
        x, y, z = x / far, y / far, 1 / far
        # by the least turn that brings the line of sight onto z
        up_x, up_y, up_z = self._upright
        along = (x * up_x + y * up_y) / (1 + z) + up_z
        return up_x - x * along, up_y - y * along

    def _plane(self, height_mm: float) -> Matrix:
        """Homography of the plane that lies `height_mm` above the floor."""
        raised: Matrix = np.array(self._floor, np.float64)
        raised[:, 2] += height_mm * self._up
        return raised

    def to_mm(self, points: Points, height_mm: float = 0.0) -> Points:
        """Board millimetres (n × 2) of picture pixels (n × 2) that lie `height_mm` above the floor."""
        to_floor, up = self._from_picture
        on_floor = self.lens.straighten(np.asarray(points, float).reshape(-1, 2)) @ to_floor[:, :2].T + to_floor[:, 2]
        lifted = on_floor - on_floor[:, 2:] * (height_mm / (1 + height_mm * up[2]) * up)  # the inverse of `_plane`
        return np.asarray(lifted[:, :2] / lifted[:, 2:])

    @cached_property
    def _from_picture(self) -> tuple[Matrix, Points]:
        """The straightened picture to the floor's millimetres, and `_up` taken there (3,)."""
        to_floor = np.array(np.linalg.inv(self._floor), np.float64)
        return to_floor, np.asarray(to_floor @ self._up)

    def to_px(self, points: Points, height_mm: float = 0.0) -> Points:
        """Picture pixels (n × 2) of board millimetres (n × 2) that lie `height_mm` above the floor."""
        return self.lens.bend(octagon.apply(self._plane(height_mm), np.array(points, np.float64).reshape(-1, 2)))

    @cached_property
    def px_per_mm(self) -> float:
        """Pixels to a millimetre, the mean over the felt."""
        if self.is_whole:
            return (self.die_px or self.die_mm) / self.die_mm
        area_mm = octagon.signed_area(octagon.regular_octagon(self.felt_mm))
        return float(np.sqrt(octagon.signed_area(np.array(self.felt)) / area_mm))

    def px_per_mm_at(self, point: Point) -> float:
        """Pixels to a millimetre of the floor about one point of the picture (the mean of both directions)."""
        if self.is_whole:
            return self.px_per_mm
        x, y = self.to_mm(np.array([point]))[0]
        square = self.to_px(np.array([[x - 1, y - 1], [x + 1, y - 1], [x + 1, y + 1], [x - 1, y + 1]]))
        return float(np.sqrt(abs(octagon.signed_area(square)))) / 2

    def expected_die_px(self, point: Point | None = None, die_mm: float | None = None) -> float | None:
        """Edge of a die in pixels, at a point or on average; None where the whole picture is felt and nobody told."""
        if self.is_whole:
            return self.die_px
        return (self.px_per_mm if point is None else self.px_per_mm_at(point)) * (die_mm or self.die_mm)

    # where a die lies

    @cached_property
    def _rim_mm(self) -> tuple[float, float]:
        """Height of the rim and its width across flats; a height not told is where its corners fit best."""
        regular = octagon.regular_octagon(1.0, self._turn)
        best = (np.inf, 0.0, self.felt_mm)
        heights = np.arange(0.0, 0.2, 0.005) if self.rim_height is None else (self.rim_height,)
        for part in heights:
            corners = self.to_mm(np.array(self.rim), float(part) * self.felt_mm)
            across = float((corners * regular).sum() / (regular**2).sum())
            off = ((corners - across * regular) ** 2).sum() * self.px_per_mm**2  # a corner is known to about a pixel
            odd = ((part - _USUAL_RIM) / _RIM_SPREAD) ** 2
            best = min(best, (float(off + odd), float(part) * self.felt_mm, across))
        return best[1], best[2]

    @property
    def rim_height_mm(self) -> float:
        """Height of the rim above the felt."""
        return 0.0 if self.is_whole else self._rim_mm[0]

    @property
    def inner(self) -> tuple[Point, ...]:
        """The 8 corners of the rim's inner edge, in pixels."""
        if self.is_whole:
            return ()
        corners = self.to_px(octagon.regular_octagon(self.opening * self.felt_mm, self._turn), self.rim_height_mm)
        return tuple((float(x), float(y)) for x, y in corners)

    def where(self, top: Point, die_px: float | None = None) -> Where | None:
        """Where the die lies whose top face has its middle at `top`, a point of the picture; see `place`."""
        return self.place(top, die_px)[0]

    def place(self, top: Point, die_px: float | None = None) -> tuple[Where, float]:
        """Where a die lies, and how surely: half the lead over the next best place, in edges of a die.

        `top` is the middle of the die's top face in the picture, `die_px` the edge of this die as seen, where known.
        The rim hides what is lower than itself: a die on the felt is seen wholly within the rim's inner edge, one on
        the table wholly beyond the outer edge. A die on the rim stands over it and is taken at the height of its top.
        """
        if self.is_whole:
            return Where.INSIDE, float("inf")
        die = self._die_mm_of(die_px)
        rim_height, rim_across = self._rim_mm
        inner, outer = self.opening * self.felt_mm / 2, rim_across / 2
        behind, foot = self._reach(top, rim_height), self._reach(top, rim_height + die)
        margins = {
            Where.INSIDE: (inner - behind) / die - _LEAST_INSET,
            Where.RIM: min(foot - inner, outer - foot) / die + _LEAST_INSET,
            Where.OUTSIDE: (behind - outer) / die - _LEAST_INSET,
        }
        first, second = sorted(margins, key=lambda place: margins[place], reverse=True)[:2]
        return first, (margins[first] - margins[second]) / 2

    def _reach(self, point: Point, height_mm: float) -> float:
        """Half the width in millimetres of the octagon on whose side a point lies that is so high above the floor."""
        return float(octagon.reach(self.to_mm(np.array([point]), height_mm), self._turn)[0])

    def _die_mm_of(self, die_px: float | None) -> float:
        """The edge in millimetres of a die that is seen so large; of a usual one where that is not told."""
        return self.die_mm if die_px is None else min(2.0, die_px / self.px_per_mm / self.die_mm) * self.die_mm

    def from_wall(self, top: Point, die_px: float) -> float:
        """How far the middle of a die's top lies from the floor's edge, in edges of that die: half of one where it
        touches the wall. Without end where there is no wall, and for dice elsewhere than on the floor.
        """
        if self.is_whole:
            return float("inf")
        die = self._die_mm_of(die_px)
        depth = (self.felt_mm / 2 - self._reach(top, die)) / die
        return depth if depth > 1 or self.where(top, die_px) is Where.INSIDE else float("inf")

    # other words for the same board

    def scaled(self, width: int, height: int) -> Board:
        """The same board in a picture of another size of the same shape; raises VisionError for another shape."""
        if (width, height) == (self.width, self.height):
            return self
        factor = width / self.width
        if width <= 0 or abs(height - factor * self.height) > max(1.0, 0.01 * height):
            raise VisionError(
                f"The board was found in a picture of {self.width} × {self.height}; one of {width} × {height} has "
                "another shape, please calibrate again."
            )

        def grown(corners: tuple[Point, ...]) -> tuple[Point, ...]:
            return tuple(((x + 0.5) * factor - 0.5, (y + 0.5) * factor - 0.5) for x, y in corners)

        return replace(
            self,
            width=width,
            height=height,
            felt=grown(self.felt),
            rim=grown(self.rim),
            focal=self.focal and self.focal * factor,
            die_px=self.die_px and self.die_px * factor,
        )

    def told_width(self, board_mm: float) -> Board:
        """With millimetres from the width of the whole board, measured from side to opposite side over the rim."""
        if not (isfinite(board_mm) and board_mm > 0):
            raise VisionError("The width of the board must be more than nothing.")
        return replace(self, felt_mm=self.felt_mm * board_mm / self._rim_mm[1], scale=Scale.TOLD)

    def told_die(self, die_px: float, die_mm: float = DIE_MM) -> Board:
        """With millimetres from the edge of a die lying on the felt, as seen and as measured."""
        if not (isfinite(die_px) and die_px > 0 and isfinite(die_mm) and die_mm > 0):
            raise VisionError("The size of a die must be more than nothing.")
        if self.is_whole:
            return replace(self, die_px=die_px, die_mm=die_mm, scale=Scale.TOLD)
        felt_mm = self.felt_mm * self.px_per_mm * die_mm / die_px
        return replace(self, felt_mm=felt_mm, die_mm=die_mm, scale=Scale.TOLD)

    def measured_as(self, known: Board) -> Board:
        """With the millimetres of the same board where it lay before."""
        return replace(self, felt_mm=known.felt_mm, die_mm=known.die_mm, scale=known.scale)

    def to_json(self) -> dict[str, object] | None:
        """The contract's ``board``: corners, pixels to a millimetre and whether that was told; None if all is felt."""
        if self.is_whole:
            return None
        return {
            "felt": [[round(x, 2), round(y, 2)] for x, y in self.felt],
            "rim": [[round(x, 2), round(y, 2)] for x, y in self.rim],
            "px_per_mm": round(self.px_per_mm, 4),
            "scale": self.scale.value,
        }

    def save(self, path: Path) -> None:
        """Writes the board to a TOML file that `load` reads; raises VisionError if it cannot be written."""
        from vision.board_file import write

        write(self, path)

    @classmethod
    def load(cls, path: Path) -> Board:
        """Reads what `save` wrote; raises VisionError for a missing, broken or odd file."""
        from vision.board_file import read

        return read(path)
