"""Dice to draw: what they are made of, how their pips are made, which shape they have."""

import colorsys

import numpy as np

from models.render.layouts import LEFT_HANDED, RIGHT_HANDED, sample_layout, within
from models.render.pairs import as_bright, is_lost, lab, plain, sample_pair
from models.render.scene import DieLook, Rgb

SYMBOL_COUNT = 32
"""How many emblems `symbols.atlas` holds."""

MATERIALS = {
    "white": 0.20,
    "ivory": 0.09,
    "black": 0.08,
    "red": 0.08,
    "colour": 0.15,
    "marble": 0.13,
    "pearl": 0.07,
    "speckled": 0.06,
    "translucent": 0.10,
    "wood": 0.04,
}
"""Share of each material among the dice drawn."""


HUED = ("colour", "marble", "pearl", "translucent", "speckled")
"""Materials whose pips are now and then as bright as the die."""

PAIRED, AS_BRIGHT = 0.22, 0.12
"""Share of those dice with pips of `pairs.PAIRS`, and of the others with pips of any hue as bright as the die."""

DISCS = 0.12
"""Share of dice with a printed or dished disc about the pips."""


def sample_look(rng: np.random.Generator, material: str | None = None) -> DieLook:
    """Draw a die's look; `material` is a key of `MATERIALS`."""
    names = list(MATERIALS)
    shares = np.array(list(MATERIALS.values()))
    name = material or names[int(rng.choice(len(names), p=shares / shares.sum()))]
    stuff = _stuff(rng, name)
    pair = sample_pair(rng, name) if rng.random() < PAIRED else None
    if pair is not None:
        stuff |= {"base": pair.base, "second": pair.second}
    drilled = rng.random() < (0.35 if name == "translucent" else 0.6)
    corner, sphere = _shape(rng, name)
    base = stuff["base"]
    assert isinstance(base, tuple)
    fields: dict[str, object] = {
        "layout": sample_layout(rng),
        "material": name,
        "corner": corner,
        "sphere": sphere,
        "faces": LEFT_HANDED if rng.random() < 0.5 else RIGHT_HANDED,
        "seed": int(rng.integers(1 << 30)),
        "roughness": float(rng.choice([0.12, 0.22, 0.35, 0.6], p=[0.40, 0.32, 0.17, 0.11])),
        "gloss": float(rng.uniform(0.5, 1.5)),
        **stuff,
    }
    fields |= _tumbled(rng, sphere)
    other = as_bright(rng, base) if name in HUED and rng.random() < AS_BRIGHT else None
    if pair is not None:
        fields["pip_colours"], fields["pip_metal"] = (pair.pips,) * 6, pair.metal
    elif other is not None:
        fields["pip_colours"], fields["pip_metal"] = (other,) * 6, 0.0
    else:
        fields["pip_colours"], fields["pip_metal"] = _pips(rng, base, name)
    if rng.random() < DISCS:
        fields |= _disc(rng, base)
        fields["layout"] = within(sample_layout(rng), float(rng.uniform(0.88, 0.97)) * fields["disc"])  # type: ignore[operator]
    fields["pip_style"] = "drilled" if drilled else "painted"
    fields["pip_depth"] = float(rng.uniform(0.25, 0.85)) if drilled else 0.0
    fields["pip_gloss"] = float(rng.choice([0.1, 0.4, 0.8, 1.3], p=[0.35, 0.3, 0.2, 0.15]))
    fields["pip_wear"] = float(rng.uniform(0.1, 0.45)) if rng.random() < 0.10 else 0.0
    if rng.random() < 0.12:
        fields["symbols"], fields["symbol_size"] = _symbols(rng)
    look = DieLook(**fields)  # type: ignore[arg-type]
    return plain(look) if is_lost(look) else look


def _shape(rng: np.random.Generator, name: str) -> tuple[float, float]:
    """Corner radius and the sphere that cuts the corners off, both in half edges."""
    kind = rng.random()
    if name == "translucent" and kind < 0.55:
        return float(rng.uniform(0.015, 0.06)), 2.0
    if kind < 0.12:
        return float(rng.uniform(0.02, 0.08)), 2.0
    if kind < 0.60:
        return float(rng.uniform(0.10, 0.34)), 2.0
    return float(rng.uniform(0.04, 0.22)), float(rng.uniform(1.24, 1.52))


def _tumbled(rng: np.random.Generator, sphere: float) -> dict[str, object]:
    """How a die was tumbled smooth: soft edge of its ball, sides that fall off, lips that sink down to the pips."""
    out: dict[str, object] = {"bevel": float(rng.choice([0.04, 0.08, 0.16]))}
    if rng.random() < (0.65 if sphere < 2 else 0.4):
        out["dome"] = float(rng.uniform(0.15, 0.8))
        out["dome_from"] = float(rng.uniform(0.45, 0.9))
    if rng.random() < 0.5:
        out["lip"] = float(rng.uniform(0.15, 0.8))
        out["lip_width"] = float(rng.uniform(0.25, 1.3))
    return out


def _disc(rng: np.random.Generator, base: Rgb) -> dict[str, object]:
    """A disc about the pips, printed or dished, a little or much darker or lighter than the die."""
    faint = rng.random() < 0.45
    colour = _shift(rng, base, float(rng.uniform(0.06, 0.16)) if faint else 0.35)
    out: dict[str, object] = {
        "disc": float(rng.uniform(0.62, 0.92)),
        "disc_colour": colour,
        "dish": float(rng.uniform(0.2, 0.9)) if rng.random() < 0.6 else 0.0,
    }
    if rng.random() < 0.5:
        lighter = rng.random() < 0.6
        # pips as the body about the disc, or a little paler than the disc
        pips = base if not faint or not lighter else _clip(*(v + float(rng.uniform(0.13, 0.25)) for v in colour))
        if float(np.linalg.norm(lab(pips) - lab(colour))) > FAINTEST:
            out["pip_colours"] = (pips,) * 6
            out["pip_metal"] = 0.0
    if "pip_colours" not in out and rng.random() < 0.7:
        pips = _shift(rng, colour, float(rng.uniform(0.35, 0.9)))
        out["pip_colours"], out["pip_metal"] = (pips,) * 6, 0.0
    return out


FAINTEST = 12.0
"""Colour (CIE Lab) between a face and its faintest pips."""


def _stuff(rng: np.random.Generator, name: str) -> dict[str, object]:
    """Colours and pattern of a material."""
    scale = float(rng.uniform(0.35, 2.6))
    if name == "white":
        tint = rng.uniform(0.86, 0.97)
        warm = rng.uniform(-0.03, 0.03)
        return {"base": _clip(tint + warm, tint, tint - warm)}
    if name == "ivory":
        v = rng.uniform(0.78, 0.95)
        return {"base": _clip(v, v * rng.uniform(0.90, 0.96), v * rng.uniform(0.66, 0.84))}
    if name == "black":
        v = rng.uniform(0.02, 0.14)
        return {"base": _clip(v, v * rng.uniform(0.9, 1.1), v * rng.uniform(0.9, 1.2))}
    if name == "red":
        return {"base": _hsv(rng.uniform(-0.03, 0.02), rng.uniform(0.75, 1.0), rng.uniform(0.45, 0.85))}
    if name == "colour":
        return {"base": _hsv(rng.random(), rng.uniform(0.35, 1.0), rng.uniform(0.3, 0.97))}
    if name == "marble":
        hue = rng.random()
        first = _hsv(hue, rng.uniform(0.2, 1.0), rng.uniform(0.15, 0.9))
        other = _hsv(hue + rng.normal(0, 0.12), rng.uniform(0.0, 1.0), rng.uniform(0.05, 0.97))
        if rng.random() < 0.3:
            other = _hsv(rng.random(), rng.uniform(0.2, 1), rng.uniform(0.1, 0.95))
        low = float(rng.uniform(0.25, 0.5))
        return {
            "base": first,
            "second": other,
            "pattern_scale": (scale, scale, scale),
            "pattern_range": (low, low + float(rng.uniform(0.05, 0.45))),
            "pattern_mix": float(rng.uniform(0.4, 1.0)),
            "pattern_warp": float(rng.uniform(0.3, 2.0)),
            "pearl": float(rng.uniform(0.1, 0.6)) if rng.random() < 0.5 else 0.0,
            "pearl_scale": float(rng.uniform(0.8, 3.0)),
        }
    if name == "pearl":
        sat, v = rng.uniform(0, 0.75), rng.uniform(0.4, 0.95)
        hue = rng.random()
        return {
            "base": _hsv(hue, sat, v),
            "second": _hsv(hue + rng.normal(0, 0.05), sat * 0.4, min(1.0, v * 1.35)),
            "pattern_scale": (scale, scale * 0.6, scale),
            "pattern_range": (0.2, 0.8),
            "pattern_mix": float(rng.uniform(0.5, 1.0)),
            "pattern_warp": float(rng.uniform(0.5, 2.5)),
            "pearl": float(rng.uniform(0.15, 0.7)),
            "pearl_scale": float(rng.uniform(0.8, 3.0)),
            "gloss": 1.4,
        }
    if name == "speckled":
        base = _hsv(rng.random(), rng.uniform(0, 0.9), rng.uniform(0.1, 0.95))
        return {
            "base": base,
            "speck": _shift(rng, base, 0.6),
            "speck_scale": float(rng.uniform(5, 14)),
            "speck_share": float(rng.uniform(0.15, 0.45)),
        }
    if name == "translucent" and rng.random() < 0.3:
        smoke = float(rng.uniform(0.25, 0.6))
        return {
            "base": _hsv(rng.random(), rng.uniform(0.0, 0.25), smoke),
            "translucency": float(rng.uniform(0.45, 0.9)),
            "roughness": float(rng.uniform(0.1, 0.25)),
            "gloss": float(rng.uniform(0.8, 1.5)),
            "core": float(rng.uniform(0.3, 0.9)),
        }
    if name == "translucent":
        return {
            "base": _hsv(rng.random(), rng.uniform(0.3, 1.0), rng.uniform(0.35, 0.95)),
            "translucency": float(rng.uniform(0.55, 0.97)),
            "core": float(rng.uniform(0.2, 0.9)) if rng.random() < 0.5 else 0.0,
            "roughness": float(rng.uniform(0.08, 0.2)),
            "gloss": float(rng.uniform(0.9, 1.5)),
        }
    v = rng.uniform(0.35, 0.85)
    dark = rng.uniform(0.68, 0.93)
    base = _clip(v, v * rng.uniform(0.68, 0.82), v * rng.uniform(0.38, 0.6))
    return {
        "base": base,
        "second": _clip(base[0] * dark, base[1] * dark, base[2] * dark),
        "pattern_scale": (scale, scale, scale * 0.15),
        "pattern_range": (0.3, 0.75),
        "pattern_mix": 1.0,
        "rings": float(rng.uniform(5, 14)),
        "roughness": 0.7,
        "gloss": 0.3,
    }


def _pips(rng: np.random.Generator, base: Rgb, name: str) -> tuple[tuple[Rgb, ...], float]:
    """A colour for the pips of each face, and how metallic they are."""
    light = luma(base) > 0.45
    kind = rng.random()
    metal = 0.0
    if kind < 0.08:
        colour = _low_contrast(rng, base)
    elif kind < 0.62:
        dark = float(rng.uniform(0.01, 0.12))
        pale = float(rng.uniform(0.82, 1.0))
        colour = (dark, dark, dark * 1.1) if light else (pale, pale, pale * float(rng.uniform(0.85, 1)))
    elif (kind < 0.76 and not light) or (name == "marble" and kind < 0.85):
        gold = rng.random() < 0.65
        colour = (0.85, 0.65, 0.28) if gold else (0.78, 0.78, 0.80)
        metal = float(rng.uniform(0.3, 1.0))
    else:
        colour = _hsv(rng.random(), rng.uniform(0.5, 1), rng.uniform(0.1, 0.5) if light else rng.uniform(0.55, 0.95))
        if abs(luma(colour) - luma(base)) < 0.2:
            colour = _shift(rng, base, 0.5)
    colours = [colour] * 6
    if rng.random() < 0.18:
        red = _hsv(rng.uniform(-0.02, 0.02), rng.uniform(0.8, 1), rng.uniform(0.5, 0.85))
        if abs(red[0] - base[0]) + abs(red[1] - base[1]) > 0.35:
            colours[0] = red
            if rng.random() < 0.5:
                colours[3] = red
    return tuple(colours), metal


def _low_contrast(rng: np.random.Generator, base: Rgb) -> Rgb:
    """Pips hard to see: red on smoke, yellow on red, a neighbouring hue, a little lighter or darker."""
    hue, sat, value = colorsys.rgb_to_hsv(*base)
    if sat < 0.15 and rng.random() < 0.6:
        # grey on grey: 8 to 15 % apart
        step = float(rng.uniform(0.08, 0.15)) * (-1 if value > 0.75 or rng.random() < 0.5 else 1)
        return _clip(*(v + step * (1.0 if value > 0.3 else 1.6) for v in base))
    step = float(rng.uniform(0.2, 0.38))
    value = value - step if value > 0.62 or (value > 0.4 and rng.random() < 0.5) else value + step
    if sat > 0.3:
        return _hsv(hue + rng.choice([-0.12, 0.12, 0.0]), sat * rng.uniform(0.7, 1.0), value)
    return _hsv(rng.random(), rng.uniform(0.5, 1.0), value)


def _symbols(rng: np.random.Generator) -> tuple[tuple[int, ...], float]:
    """An emblem on the ace, the six, or on every face (digits)."""
    kind = rng.random()
    marks = [-1] * 6
    if kind < 0.15:
        marks = [int(v) for v in range(6)]
    else:
        for _ in range(1 if kind < 0.75 else 2):
            marks[int(rng.choice(np.array([0, 5, 5, int(rng.integers(6))])))] = int(rng.integers(SYMBOL_COUNT))
    return tuple(marks), float(rng.uniform(0.5, 0.85))


def luma(colour: Rgb) -> float:
    """Perceived brightness of an sRGB colour."""
    return 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2]


def _shift(rng: np.random.Generator, base: Rgb, amount: float) -> Rgb:
    """A colour lighter than a dark one, darker than a light one."""
    sign = -1.0 if luma(base) > 0.5 else 1.0
    step = sign * amount * rng.uniform(0.7, 1.3)
    return _clip(*(v + step * rng.uniform(0.7, 1.2) for v in base))


def _hsv(hue: float, sat: float, value: float) -> Rgb:
    return colorsys.hsv_to_rgb(float(hue) % 1.0, float(min(max(sat, 0), 1)), float(min(max(value, 0), 1)))


def _clip(r: float, g: float, b: float) -> Rgb:
    return float(np.clip(r, 0, 1)), float(np.clip(g, 0, 1)), float(np.clip(b, 0, 1))
