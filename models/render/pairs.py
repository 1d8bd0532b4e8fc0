"""Dice whose pips differ from the body by hue or shine rather than by brightness, as many café dice do."""

import colorsys
import dataclasses

import numpy as np
import numpy.typing as npt

from models.render.scene import DieLook, Rgb

Array = npt.NDArray[np.float64]

DULL_BELOW = 22.0
"""Lightness (CIE L*) apart below which a body and its pips need their hue to be told apart."""

READABLE = 36.0
"""Colour (CIE Lab) apart from which a person still reads a face at 40 px."""


NEAREST = 13.0
"""Colour (CIE Lab) between pips and the nearer of a pattern's colours."""


@dataclasses.dataclass(frozen=True)
class Pair:
    """A body, its second colour, its pips, how metallic they are, and the materials it comes in."""

    base: Rgb
    second: Rgb
    pips: Rgb
    metal: float
    materials: tuple[str, ...]


RED, GOLD, SILVER, WHITE = (0.80, 0.12, 0.12), (0.82, 0.62, 0.26), (0.75, 0.75, 0.78), (0.95, 0.95, 0.95)
BLACK, YELLOW, ORANGE = (0.04, 0.04, 0.04), (0.93, 0.80, 0.10), (0.95, 0.45, 0.08)

PAIRS: tuple[Pair, ...] = (
    Pair((0.10, 0.38, 0.62), (0.03, 0.05, 0.10), RED, 0.0, ("marble", "pearl", "colour")),
    Pair((0.06, 0.30, 0.62), (0.10, 0.55, 0.80), RED, 0.0, ("pearl", "colour", "translucent")),
    Pair((0.30, 0.27, 0.26), (0.22, 0.20, 0.20), RED, 0.0, ("translucent", "pearl", "colour")),
    Pair((0.13, 0.12, 0.12), (0.24, 0.22, 0.21), RED, 0.0, ("translucent", "colour", "speckled")),
    Pair((0.72, 0.10, 0.12), (0.85, 0.25, 0.15), GOLD, 0.6, ("colour", "pearl", "marble", "translucent")),
    Pair((0.85, 0.16, 0.14), (0.90, 0.30, 0.20), (0.72, 0.62, 0.30), 0.0, ("colour", "speckled")),
    Pair((0.10, 0.20, 0.55), (0.40, 0.50, 0.75), GOLD, 0.7, ("marble", "pearl")),
    Pair((0.75, 0.12, 0.08), (0.90, 0.45, 0.10), YELLOW, 0.0, ("colour", "marble", "translucent")),
    Pair((0.92, 0.42, 0.08), (0.90, 0.25, 0.08), YELLOW, 0.0, ("colour", "marble", "pearl")),
    Pair((0.05, 0.42, 0.38), (0.10, 0.62, 0.50), (0.90, 0.80, 0.22), 0.0, ("pearl", "marble", "speckled")),
    Pair((0.40, 0.12, 0.50), (0.60, 0.30, 0.65), ORANGE, 0.0, ("colour", "pearl", "marble")),
    Pair((0.14, 0.16, 0.46), (0.22, 0.28, 0.60), BLACK, 0.0, ("colour", "pearl", "translucent")),
    Pair((0.34, 0.14, 0.44), (0.45, 0.25, 0.55), BLACK, 0.0, ("colour", "pearl", "marble")),
    Pair((0.44, 0.28, 0.14), (0.30, 0.18, 0.09), BLACK, 0.0, ("colour", "marble", "speckled")),
    Pair((0.60, 0.42, 0.14), (0.82, 0.66, 0.32), BLACK, 0.0, ("marble", "pearl")),
    Pair((0.92, 0.66, 0.72), (0.94, 0.78, 0.82), WHITE, 0.0, ("pearl", "marble", "colour")),
    Pair((0.70, 0.38, 0.44), (0.88, 0.68, 0.72), WHITE, 0.0, ("marble", "pearl")),
    Pair((0.78, 0.80, 0.84), (0.84, 0.85, 0.88), WHITE, 0.0, ("pearl", "marble")),
    Pair((0.48, 0.49, 0.51), (0.60, 0.60, 0.62), SILVER, 0.7, ("colour", "pearl", "marble")),
    Pair((0.62, 0.62, 0.62), (0.52, 0.52, 0.54), WHITE, 0.0, ("colour", "speckled", "marble")),
    Pair((0.90, 0.72, 0.36), (0.95, 0.82, 0.50), RED, 0.0, ("colour", "pearl", "marble")),
    Pair((0.30, 0.45, 0.20), (0.20, 0.35, 0.14), GOLD, 0.7, ("marble", "pearl", "colour")),
    Pair((0.15, 0.45, 0.18), (0.25, 0.60, 0.25), RED, 0.0, ("colour", "translucent")),
)
"""Pairs seen on real dice."""


def lab(colour: Rgb) -> Array:
    """CIE L*, a*, b* of an sRGB colour under daylight."""
    c = np.array(colour, np.float64)
    c = np.where(c > 0.04045, ((c + 0.055) / 1.055) ** 2.4, c / 12.92)
    m = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    f = m @ c / np.array([0.9505, 1.0, 1.089])
    f = np.where(f > 0.008856, np.cbrt(f), 7.787 * f + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def is_dull(look: DieLook) -> bool:
    """Whether some pips are about as bright as the body about them."""
    body = _body_lightness(look)
    return any(abs(b - lab(c)[0]) < DULL_BELOW for b in body for c in set(look.pip_colours))


def is_lost(look: DieLook) -> bool:
    """Whether pips drown in a pattern or in specks: near one of the colours about them, or not far from any."""
    body = _about_pips(look)
    if len(body) < 2:
        return False
    gaps = [[float(np.linalg.norm(lab(c) - lab(b))) for b in body] for c in set(look.pip_colours)]
    return any(min(gap) < NEAREST or max(gap) < 2 * NEAREST for gap in gaps)


def plain(look: DieLook) -> DieLook:
    """The same die with black or white pips, whichever stand out more."""
    body = _body_lightness(look)
    ink = BLACK if min(body) > 100 - max(body) else WHITE
    return dataclasses.replace(look, pip_colours=(ink,) * 6, pip_metal=0.0)


def _about_pips(look: DieLook) -> list[Rgb]:
    """The colours of the body that pips must stand out from."""
    colours = [look.base]
    if look.pattern_mix > 0.3:
        colours.append(look.second)
    if look.speck_share > 0:
        colours.append(look.speck)
    return colours


def _body_lightness(look: DieLook) -> list[float]:
    """Lightness (CIE L*) of what is about the pips."""
    colours = _about_pips(look) + ([look.disc_colour] if look.disc > 0 else [])
    return [float(lab(c)[0]) for c in colours]


def sample_pair(rng: np.random.Generator, material: str) -> Pair | None:
    """One of `PAIRS` that comes in a material, its colours varied a little; None where none does."""
    fitting = [p for p in PAIRS if material in p.materials]
    if not fitting:
        return None
    pair = fitting[int(rng.integers(len(fitting)))]
    return dataclasses.replace(
        pair,
        base=_varied(rng, pair.base),
        second=_varied(rng, pair.second),
        pips=_varied(rng, pair.pips),
        metal=pair.metal * float(rng.uniform(0, 1.4)) if rng.random() < 0.7 else 0.0,
    )


def as_bright(rng: np.random.Generator, base: Rgb) -> Rgb | None:
    """A colour about as bright as another, but plainly of another hue or strength; None where none was found."""
    own = lab(base)
    for _ in range(30):
        hue, sat, value = rng.random(), rng.uniform(0.0, 1.0) ** 0.5, rng.uniform(0.05, 1.0)
        colour = colorsys.hsv_to_rgb(float(hue), float(sat), float(value))
        gap = lab(colour) - own
        if abs(gap[0]) < 18 and np.linalg.norm(gap) > READABLE:
            return colour
    return None


def _varied(rng: np.random.Generator, colour: Rgb) -> Rgb:
    """A colour near another: a little of hue, more of strength and brightness."""
    hue, sat, value = colorsys.rgb_to_hsv(*colour)
    return colorsys.hsv_to_rgb(
        float(hue + rng.normal(0, 0.012)) % 1.0,
        float(np.clip(sat * np.exp(rng.normal(0, 0.10)), 0, 1)),
        float(np.clip(value * np.exp(rng.normal(0, 0.12)), 0.02, 1)),
    )
