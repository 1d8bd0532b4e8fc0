"""Where to hang the camera and put the lamp: heights, pixels a die edge, slant and glare, computed.

    python -m hardware.field_of_view                                    # the two tables of GUIDE.md
    python -m hardware.field_of_view --camera wide --board 400 --height 45 --die 14

A camera is a pinhole above the board's middle, looking straight down. Lengths are millimetres unless a name says
otherwise; heights are from the felt to the front of the lens.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import atan, ceil, cos, degrees, floor, pi, radians, tan

HAND = 85.0  # a hand's breadth of table on every side: where a die that left the board comes to rest
MIN_PX = 26.0  # of a die's edge, below which the reader is not asked to be sure
DICE = (12, 16)  # edges of the smallest and the usual dice of a pietjesbak
BOARDS = (300, 350, 400, 450)  # across the flats of the octagon, outer edge to outer edge
MOST_SLANT = 30.0  # degrees off the vertical up to which a top face is read
RIM_HIGH = 30.0  # the rim above the felt
CORNER = 1 / cos(pi / 8)  # of an octagon: across the corners ÷ across the flats
LAMPS = (30, 40, 60)  # heights of the lamp above the felt, cm


class BadNumber(ValueError):
    """A size that no board, die or arm has; the text says what is allowed."""


@dataclass(frozen=True)
class Camera:
    """`h_deg` × `v_deg`: full field of view along the picture's long and short side; `pictures`: width × height."""

    name: str
    h_deg: float
    v_deg: float
    pictures: tuple[tuple[int, int], ...]


def by_sensor(name: str, lens_mm: float, wide: float, high: float, pictures: tuple[tuple[int, int], ...]) -> Camera:
    """A camera of which the sensor's sides and the focal length are known."""
    return Camera(name, _angle(wide / 2 / lens_mm), _angle(high / 2 / lens_mm), pictures)


def by_diagonal(name: str, diagonal_deg: float, wide: int, high: int) -> Camera:
    """A camera of which only the diagonal field of view is printed on the box."""
    half = tan(radians(diagonal_deg / 2)) / (wide**2 + high**2) ** 0.5
    return Camera(name, _angle(half * wide), _angle(half * high), ((wide, high),))


def _angle(half: float) -> float:
    return 2 * degrees(atan(half))


# Fields of view of the Pi cameras: their maker's data (sensors 4608 × 2592 of 6.45 × 3.63 mm, 4056 × 3040 of
# 6.287 × 4.712 mm). Pictures: sizes that show the whole sensor and that the settings allow.
CAMERAS = {
    "standard": Camera("Camera Module 3", 66, 41, ((2304, 1296), (3072, 1728))),
    "wide": Camera("Camera Module 3 Wide", 102, 67, ((2304, 1296), (3072, 1728))),
    "hq": by_sensor("HQ camera, 6 mm lens", 6.0, 6.287, 4.712, ((2028, 1520),)),
    "usb": by_diagonal("USB, 78° diagonal, 4:3", 78, 1280, 960),
    "usb-hd": by_diagonal("USB, 78° diagonal, 16:9", 78, 1920, 1080),
}


def lowest(camera: Camera, board: float) -> float:
    """Height from which the picture's short side shows the board and a hand's breadth of table."""
    return (board / 2 + HAND) / tan(radians(min(camera.h_deg, camera.v_deg) / 2))


def px_per_mm(camera: Camera, picture: tuple[int, int], height: float) -> float:
    """Pixels a millimetre of felt, the smaller of both directions."""
    return min(
        pixels / (2 * height * tan(radians(angle / 2)))
        for pixels, angle in zip(picture, (camera.h_deg, camera.v_deg), strict=True)
    )


def highest(camera: Camera, picture: tuple[int, int], die: float) -> float:
    """Height up to which a die's edge has `MIN_PX` pixels."""
    return px_per_mm(camera, picture, 1.0) * die / MIN_PX


def slant(board: float, height: float) -> float:
    """Degrees off the vertical at which the camera sees the outermost corner of the board."""
    return degrees(atan(board * CORNER / 2 / height))


def hidden(board: float, height: float) -> float:
    """Width of the strip of table that the rim hides; a die of more than that stands out behind it."""
    return RIM_HIGH * (board / 2) / (height - RIM_HIGH)


def lamp_away(board: float, height: float, lamp: float) -> float:
    """Distance from the board's middle from which no die that lies flat on the felt mirrors a lamp into the lens.

    The top of a die is a level mirror: it shows the lamp at ``away × height / (height + lamp)`` from the middle.
    """
    return board / 2 * (height + lamp) / height


def rim_shadow(board: float, away: float, lamp: float) -> float:
    """Length of the rim's shadow on the felt, on the lamp's side."""
    return RIM_HIGH * (away - board / 2) / (lamp - RIM_HIGH)


def camera_rows() -> Iterator[tuple[str, ...]]:
    """One row a camera, picture size and board."""
    for camera in CAMERAS.values():
        for picture in camera.pictures:
            for board in BOARDS:
                low = ceil(lowest(camera, board) / 10)
                highs = [floor(highest(camera, picture, die) / 10) for die in DICE]
                yield (
                    camera.name,
                    f"{camera.h_deg:.0f}° × {camera.v_deg:.0f}°",
                    f"{picture[0]} × {picture[1]}",
                    f"{board / 10:g}",
                    *(f"{low}–{high}" if high >= low else "too coarse" for high in highs),
                    *(f"{px_per_mm(camera, picture, low * 10) * die:.0f}" for die in DICE),
                    f"{slant(board, low * 10):.0f}°",
                    f"{hidden(board, low * 10):.0f}",
                )


def lamp_rows() -> Iterator[tuple[str, ...]]:
    """One row a camera and board: how far from the middle the lamp must stand, for each of its heights."""
    for key in ("standard", "wide"):
        for board in BOARDS:
            height = ceil(lowest(CAMERAS[key], board) / 10) * 10
            away = [lamp_away(board, height, lamp * 10) for lamp in LAMPS]
            yield (
                CAMERAS[key].name,
                f"{board / 10:g}",
                f"{height / 10:.0f}",
                *(f"{ceil(distance / 10)}" for distance in away),
                f"{rim_shadow(board, away[1], LAMPS[1] * 10):.0f}",
            )


def table(head: Sequence[str], rows: Iterator[tuple[str, ...]]) -> str:
    """A table as Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


def camera_table() -> str:
    """The heights for every camera."""
    small, usual = DICE
    head = [
        "camera", "sees", "picture", "board cm",
        f"height cm, {small} mm dice", f"height cm, {usual} mm dice",
        f"px at the lowest, {small} mm", f"px, {usual} mm", "slant at the rim", "hidden by the rim, mm",
    ]  # fmt: skip
    return table(head, camera_rows())


def lamp_table() -> str:
    """The places of the lamp."""
    heights = [f"lamp {lamp} cm high: from the middle, cm" for lamp in LAMPS]
    return table(["camera", "board cm", "camera cm", *heights, f"rim's shadow at {LAMPS[1]} cm, mm"], lamp_rows())


def judged(camera: Camera, picture: tuple[int, int], board: float, height: float, die: float) -> tuple[str, ...]:
    """Sentences about one arrangement; a sentence that begins with "Not" says what is wrong and how to mend it."""
    px = px_per_mm(camera, picture, height) * die
    low, high, lean = lowest(camera, board), highest(camera, picture, die), slant(board, height)
    seen = 2 * height * tan(radians(min(camera.h_deg, camera.v_deg) / 2))
    says = [
        f"{camera.name}, {picture[0]} × {picture[1]}, {height / 10:g} cm above the felt of a {board / 10:g} cm board."
    ]
    if height >= low:
        says.append(f"The short side shows {seen / 10:.0f} cm: the board and {(seen - board) / 20:.1f} cm beside it.")
    else:
        says.append(
            f"Not enough table: the short side shows {seen / 10:.0f} cm; hang it at {ceil(low / 10)} cm or more."
        )
    if px >= MIN_PX:
        says.append(f"A die of {die:g} mm has an edge of {px:.0f} px.")
    else:
        says.append(
            f"Not enough pixels: a die of {die:g} mm has {px:.0f} px, {MIN_PX:.0f} are needed; hang it at "
            f"{floor(high / 10)} cm or less, or take larger pictures."
        )
    if lean <= MOST_SLANT:
        says.append(
            f"At the rim it looks {lean:.0f}° off the vertical; the rim hides {hidden(board, height):.0f} mm of table."
        )
    else:
        says.append(
            f"Not steep enough: at the rim it looks {lean:.0f}° off the vertical, {MOST_SLANT:.0f}° is the limit."
        )
    away = lamp_away(board, height, 400)
    says.append(f"A lamp 40 cm above the felt stands {ceil(away / 10)} cm or more from the board's middle.")
    return tuple(says)


def _within(name: str, value: float, low: float, high: float, unit: str) -> float:
    if not low <= value <= high:
        raise BadNumber(f"{name} must be from {low:g} to {high:g} {unit}, not {value:g}")
    return value


def _picture(told: str) -> tuple[int, int]:
    width, _, height = told.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal() and 64 <= int(height) <= int(width) <= 10000):
        raise BadNumber(f"a picture is width x height in pixels, for instance 2304x1296, not {told}")
    return int(width), int(height)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the tables, or judges the arrangement that was told: 0 good, 1 something is wrong, 2 no such size."""
    parser = argparse.ArgumentParser(
        prog="python -m hardware.field_of_view",
        description="Heights, pixels a die edge and lamp places.",
        epilog="example: python -m hardware.field_of_view --camera wide --board 400 --height 45 --die 14",
    )
    parser.add_argument("--camera", choices=CAMERAS, help="judge one arrangement with this camera")
    parser.add_argument("--picture", help="pixels, for instance 2304x1296 (default: the smallest of the camera's)")
    parser.add_argument("--board", type=float, default=400, help="millimetres across the flats (default 400)")
    parser.add_argument(
        "--height", type=float, help="centimetres from felt to lens (default: the lowest that shows all)"
    )
    parser.add_argument("--die", type=float, default=16, help="millimetres of a die's edge (default 16)")
    told = parser.parse_args(arguments)
    if not told.camera:
        print(camera_table(), lamp_table(), sep="\n\n")
        return 0
    camera = CAMERAS[told.camera]
    try:
        board = _within("the board", told.board, 150, 900, "mm")
        die = _within("a die", told.die, 5, 40, "mm")
        height = (
            ceil(lowest(camera, board) / 10)
            if told.height is None
            else _within("the height", told.height, 10, 300, "cm")
        )
        picture = _picture(told.picture) if told.picture else camera.pictures[0]
    except BadNumber as fault:
        print(fault, file=sys.stderr)
        return 2
    says = judged(camera, picture, board, height * 10, die)
    print("\n".join(says))
    return 1 if any(sentence.startswith("Not") for sentence in says) else 0


if __name__ == "__main__":
    sys.exit(main())
