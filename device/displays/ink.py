"""A canvas for one small screen: drawn in units of the letters' dots, so that one layout serves every size."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image, ImageDraw

Ink = int | tuple[int, int, int]
"""1 or 0 on a black and white screen; red, green, blue on a colour screen."""


@dataclass(frozen=True)
class Format:
    """One kind of screen, `width` × `height` pixels. `mono`: each pixel is on or off. `scale`: pixels a unit."""

    width: int
    height: int
    mono: bool
    scale: int

    @property
    def units(self) -> tuple[int, int]:
        return self.width // self.scale, self.height // self.scale


OLED = Format(128, 64, True, 1)
SQUARE = Format(240, 240, False, 2)
WIDE = Format(320, 240, False, 2)


@dataclass(frozen=True)
class Inks:
    """What a screen is drawn with. On black and white everything but the ground is lit."""

    ground: Ink
    text: Ink
    quiet: Ink
    strong: Ink
    warning: Ink
    line: Ink
    players: tuple[Ink, ...]


MONO = Inks(0, 1, 1, 1, 1, 1, (1,) * 8)
# every ink has at least 4.5:1 against the ground, and the ground against every ink that is written on
COLOUR = Inks(
    ground=(10, 26, 20),
    text=(242, 239, 230),
    quiet=(158, 172, 164),
    strong=(255, 209, 92),
    warning=(255, 138, 112),
    line=(70, 96, 84),
    players=(
        (255, 190, 92),
        (126, 200, 255),
        (160, 226, 122),
        (255, 150, 190),
        (206, 176, 255),
        (102, 224, 212),
        (255, 160, 128),
        (226, 222, 130),
    ),
)


class Canvas:
    """Draws in units on a picture of a format; `width` and `height` are in units."""

    def __init__(self, form: Format) -> None:
        self.form = form
        self.inks = MONO if form.mono else COLOUR
        self.width, self.height = form.units
        self.picture = Image.new("1" if form.mono else "RGB", (form.width, form.height), self.inks.ground)
        self.draw = ImageDraw.Draw(self.picture)

    def box(self, x: int, y: int, width: int, height: int, ink: Ink) -> None:
        """A filled rectangle."""
        s = self.form.scale
        if width > 0 and height > 0:
            self.draw.rectangle((x * s, y * s, (x + width) * s - 1, (y + height) * s - 1), ink)

    def frame(self, x: int, y: int, width: int, height: int, ink: Ink) -> None:
        """Its outline, one unit thick."""
        self.box(x, y, width, 1, ink)
        self.box(x, y + height - 1, width, 1, ink)
        self.box(x, y, 1, height, ink)
        self.box(x + width - 1, y, 1, height, ink)

    def stamp(self, x: int, y: int, dots: Image.Image, ink: Ink, size: int = 1) -> None:
        """A black and white picture, each of its lit dots `size` units large."""
        s = self.form.scale
        large = dots if size * s == 1 else dots.resize((dots.width * size * s, dots.height * size * s), 0)
        self.draw.bitmap((x * s, y * s), large, ink)

    def dots(self, x: int, y: int, rows: tuple[str, ...], ink: Ink, size: int = 1) -> None:
        """A small drawing of # and . with its top left at (x, y)."""
        for down, row in enumerate(rows):
            for across, dot in enumerate(row):
                if dot == "#":
                    self.box(x + across * size, y + down * size, size, size, ink)
