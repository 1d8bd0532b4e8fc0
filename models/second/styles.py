"""What a die is made of and what its pips are painted with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.second.die_mesh import DieShape
from models.second.pips import Spots, draw_spots, reach

Colour = tuple[float, float, float]
"""Linear red, green, blue, 0 to 1."""

BODIES: dict[str, Colour] = {
    "white": (0.78, 0.78, 0.76),
    "ivory": (0.72, 0.62, 0.42),
    "black": (0.012, 0.012, 0.014),
    "red": (0.50, 0.015, 0.02),
    "blue": (0.02, 0.07, 0.38),
    "green": (0.015, 0.20, 0.06),
    "yellow": (0.70, 0.45, 0.03),
    "orange": (0.65, 0.16, 0.015),
    "purple": (0.14, 0.02, 0.24),
    "pink": (0.72, 0.20, 0.32),
    "turquoise": (0.02, 0.35, 0.36),
    "brown": (0.13, 0.05, 0.02),
    "grey": (0.22, 0.22, 0.23),
}
PAINTS: dict[str, tuple[Colour, bool]] = {
    "white": ((0.80, 0.80, 0.78), False),
    "black": ((0.012, 0.012, 0.012), False),
    "gold": ((0.80, 0.52, 0.16), True),
    "silver": ((0.72, 0.73, 0.75), True),
    "red": ((0.50, 0.01, 0.02), False),
    "blue": ((0.02, 0.06, 0.35), False),
}
"""Colour, and whether it is metal."""
PAINT_SHARES = {"white": 4.0, "black": 4.0, "gold": 1.2, "silver": 0.8, "red": 0.5, "blue": 0.5}
CLEAR_DARKER = 0.6
"""A clear body looks so much darker than its tint: what goes in comes out elsewhere. Measured on traced dice."""
LEAST_GAP = 38.0
"""In lightness, between pips and body; white or black is that far from any body of one colour."""
KINDS = ("matt", "glossy", "marbled", "pearl", "speckled", "wood", "clear")
_SHARES = (0.24, 0.30, 0.14, 0.09, 0.08, 0.05, 0.10)
_WOODS: tuple[Colour, ...] = ((0.50, 0.30, 0.13), (0.34, 0.16, 0.06), (0.62, 0.45, 0.25), (0.10, 0.045, 0.02))
RIGHT = (2, 5, 3, 4, 1, 6)
"""Faces on the sides +x, -x, +y, -y, +z, -z: 1, 2, 3 run counterclockwise round their corner."""
LEFT = (2, 5, 4, 3, 1, 6)


@dataclass(frozen=True)
class Style:
    """One make of dice."""

    kind: str
    body: str
    colour: Colour
    second: Colour
    pips: str
    pip_colour: Colour
    pip_metal: bool
    pip_how: str
    red_faces: tuple[int, ...]
    roughness: float
    haze: float
    wear: float
    shape: DieShape
    spots: tuple[Spots, ...]
    values: tuple[int, ...]
    seed: int

    @property
    def material(self) -> str:
        return f"{self.kind} {self.body}"

    @property
    def handed(self) -> str:
        return "right" if self.values == RIGHT else "left"

    def paint_of(self, face: int) -> tuple[Colour, bool]:
        """Colour of the pips of a face, and whether they are metal."""
        return (PAINTS["red"][0], False) if face in self.red_faces else (self.pip_colour, self.pip_metal)


def lightness(colour: Colour) -> float:
    """CIE L*, 0 to 100, of a linear colour."""
    y = 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]
    return float(116 * np.cbrt(y) - 16) if y > 0.009 else 903.3 * y


def draw_style(rng: np.random.Generator) -> Style:
    """A make of dice as cafés, shops and drawers hold them: white and ivory most often."""
    kind = str(rng.choice(KINDS, p=_SHARES))
    names = list(BODIES)
    usual = np.array([6, 3, 2.2, 2.2, 1.2, 1.2, 0.8, 0.6, 0.6, 0.4, 0.5, 0.4, 0.4])
    if kind == "clear":
        usual[[names.index(n) for n in ("ivory", "black", "brown")]] = 0
    body = str(rng.choice(names, p=usual / usual.sum()))
    colour, second = _shade(rng, BODIES[body]), _second(rng, kind, BODIES[body])
    if kind == "wood":
        body, colour = "wood", _shade(rng, _WOODS[rng.integers(len(_WOODS))])
    fit = _paints_for(colour, second, kind)
    while not fit:  # veins as far from every paint as from their ground would leave none to read by
        second = _shade(rng, colour)
        fit = _paints_for(colour, second, kind)
    weights = np.array([PAINT_SHARES[name] for name in fit])
    pips = str(rng.choice(fit, p=weights / weights.sum()))
    light = lightness(colour) > 75 and kind in ("matt", "glossy") and pips == "black"
    red = ((1,) if rng.random() < 0.7 else (1, 4)) if light and rng.random() < 0.3 else ()
    spots = draw_spots(rng)
    how = str(rng.choice(["drilled", "inset", "painted"], p=[0.55, 0.2, 0.25]))
    paint, metal = PAINTS[pips]
    return Style(
        kind=kind,
        body=body,
        colour=colour,
        second=second,
        pips=pips,
        pip_colour=_shade(rng, paint, 0.1),
        pip_metal=metal,
        pip_how=how,
        red_faces=red,
        roughness=float(rng.uniform(0.35, 0.6) if kind in ("matt", "wood") else rng.uniform(0.06, 0.25)),
        haze=float(rng.uniform(0.2, 0.5)),
        wear=float(rng.uniform(0.1, 0.5)) if rng.random() < 0.12 else 0.0,
        shape=_shape(rng, spots, how),
        spots=spots,
        values=RIGHT if rng.random() < 0.5 else LEFT,
        seed=int(rng.integers(2**31)),
    )


def _shade(rng: np.random.Generator, colour: Colour, much: float = 0.25) -> Colour:
    made = np.clip(np.array(colour) * np.exp(rng.normal(0, much)) * np.exp(rng.normal(0, much / 3, 3)), 0.008, 0.86)
    return (float(made[0]), float(made[1]), float(made[2]))


def _second(rng: np.random.Generator, kind: str, colour: Colour) -> Colour:
    """The colour of veins, specks or shimmer."""
    if kind == "speckled":
        others = [c for c in BODIES.values() if 12 < abs(lightness(c) - lightness(colour)) < 42]
        return _shade(rng, others[rng.integers(len(others))])
    toward = 0.75 if lightness(colour) < 55 and rng.random() < 0.6 else 0.0
    mixed = (1 - 0.5) * np.array(colour) + 0.5 * toward * np.ones(3)
    return _shade(rng, (float(mixed[0]), float(mixed[1]), float(mixed[2])))


def _paints_for(colour: Colour, second: Colour, kind: str) -> list[str]:
    """The paints that can be told from the body: dice that nobody at the table can read are not made."""
    grounds = [lightness(colour)] + ([lightness(second)] if kind in ("marbled", "pearl") else [])
    if kind == "clear":
        grounds = [CLEAR_DARKER * grounds[0]]
    gaps = {name: min(abs(lightness(paint) - ground) for ground in grounds) for name, (paint, _) in PAINTS.items()}
    return [name for name, gap in gaps.items() if gap >= LEAST_GAP]


def _shape(rng: np.random.Generator, spots: tuple[Spots, ...], how: str) -> DieShape:
    """Edges and corners, never rounded so far that they would cut a pip."""
    side, middle = reach(spots)
    bevel = rng.uniform(0.03, 0.09) if rng.random() < 0.3 else rng.uniform(0.10, 0.32)
    bevel = float(np.clip(1.03 - side, 0.03, bevel))
    ball = max(float(rng.uniform(1.34, 1.55)), float(np.hypot(1, middle))) if rng.random() < 0.5 else 0.0
    depth = {"drilled": rng.uniform(0.3, 0.6), "inset": rng.uniform(0.15, 0.3), "painted": 0.0}[how]
    return DieShape(bevel, 0.0 if ball > 1.6 else ball, float(depth), how == "inset")
