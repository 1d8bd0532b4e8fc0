"""Grounds and boards at random."""

import numpy as np

from models.render.scene import Board, Ground, Rgb

GROUNDS: dict[str, float] = {
    "felt": 0.26,
    "wood": 0.14,
    "carpet": 0.07,
    "leather": 0.06,
    "denim": 0.05,
    "checked": 0.04,
    "weave": 0.05,
    "marble": 0.04,
    "paper": 0.06,
    "cardboard": 0.03,
    "plastic": 0.08,
    "tray": 0.07,
    "stone": 0.04,
    "tiles": 0.03,
    "printed": 0.04,
    "grid": 0.04,
    "box": 0.05,
}
"""Share of each ground."""

BARE = ("wood", "wood", "leather", "carpet", "weave", "plastic", "printed", "paper")
"""What a board's floor may be instead of felt."""

FELTS: tuple[Rgb, ...] = (
    (0.05, 0.33, 0.17),
    (0.10, 0.42, 0.22),
    (0.02, 0.22, 0.12),
    (0.55, 0.08, 0.10),
    (0.38, 0.05, 0.12),
    (0.08, 0.16, 0.42),
    (0.05, 0.25, 0.35),
    (0.07, 0.07, 0.08),
    (0.30, 0.20, 0.12),
    (0.45, 0.45, 0.45),
    (0.20, 0.45, 0.10),
)
WOODS: tuple[Rgb, ...] = (
    (0.80, 0.62, 0.42),
    (0.62, 0.42, 0.24),
    (0.42, 0.26, 0.15),
    (0.30, 0.16, 0.10),
    (0.58, 0.24, 0.12),
    (0.85, 0.75, 0.60),
    (0.50, 0.47, 0.43),
    (0.20, 0.16, 0.14),
    (0.72, 0.50, 0.20),
)
CARPETS: tuple[Rgb, ...] = (
    (0.36, 0.30, 0.25),
    (0.45, 0.40, 0.34),
    (0.25, 0.25, 0.27),
    (0.50, 0.42, 0.30),
    (0.3, 0.2, 0.2),
)


def sample_ground(rng: np.random.Generator, kind: str | None = None) -> Ground:
    """Draw a ground; `kind` is a key of `GROUNDS`."""
    names = list(GROUNDS)
    shares = np.array(list(GROUNDS.values()))
    kind = kind or names[int(rng.choice(len(names), p=shares / shares.sum()))]
    colour, second = _ground_colours(rng, kind)
    return Ground(
        kind,
        colour,
        second,
        int(rng.integers(1 << 30)),
        float(np.exp(rng.normal(0, 0.3))),
        float(rng.uniform(0, 360)),
        0.0,
    )


def _ground_colours(rng: np.random.Generator, kind: str) -> tuple[Rgb, Rgb]:
    any_colour = _rgb(rng.uniform(0.03, 0.95, 3))
    if rng.random() < 0.08:
        return any_colour, _rgb(rng.uniform(0.03, 0.95, 3))
    if kind == "felt":
        return _near(rng, FELTS, 0.05), any_colour
    if kind == "wood":
        colour = _near(rng, WOODS, 0.05)
        return colour, _rgb(np.array(colour) * rng.uniform(0.5, 0.9))
    if kind == "carpet":
        return _near(rng, CARPETS, 0.07), _rgb(rng.uniform(0.2, 0.7, 3))
    if kind == "leather":
        v = rng.uniform(0.03, 0.25) if rng.random() < 0.7 else rng.uniform(0.2, 0.5)
        return _rgb(v * rng.uniform([1.0, 0.8, 0.6], [1.2, 1.0, 1.1])), any_colour
    if kind == "denim":
        v = rng.uniform(0.15, 0.5)
        return _rgb([v * 0.7, v * 0.9, v * 1.25]), _rgb(np.full(3, rng.uniform(0.6, 0.85)))
    if kind == "checked":
        return _rgb(rng.uniform(0.8, 0.95) * np.ones(3)), _rgb(
            rng.choice(np.array([[0.7, 0.1, 0.1], [0.1, 0.2, 0.55], [0.1, 0.4, 0.15]]))
        )
    if kind == "marble":
        v = rng.uniform(0.55, 0.95) if rng.random() < 0.7 else rng.uniform(0.05, 0.3)
        return _rgb(v * rng.uniform(0.94, 1.03, 3)), _rgb(np.full(3, rng.uniform(0.2, 0.7)))
    if kind == "cardboard":
        v = rng.uniform(0.5, 0.8)
        return _rgb([v, v * 0.8, v * 0.58]), any_colour
    if kind == "grid":
        v = rng.uniform(0.75, 0.97) if rng.random() < 0.8 else rng.uniform(0.1, 0.4)
        return _rgb(v * rng.uniform(0.93, 1.03, 3)), _rgb(v * rng.uniform(0.35, 0.85) * rng.uniform(0.7, 1.2, 3))
    if kind == "box":
        v = rng.uniform(0.55, 0.95)
        walls = rng.uniform(0.01, 0.08) if rng.random() < 0.4 else v * rng.uniform(0.55, 0.95)
        return _rgb(v * rng.uniform(0.95, 1.03, 3)), _rgb(walls * rng.uniform(0.9, 1.1, 3))
    if kind in ("paper", "plastic", "tiles"):
        v = rng.uniform(0.7, 0.98) if rng.random() < 0.65 else rng.uniform(0.04, 0.6)
        return _rgb(v * rng.uniform(0.93, 1.04, 3)), _rgb(np.full(3, rng.uniform(0.15, 0.8)))
    if kind == "tray":
        v = rng.uniform(0.75, 0.98) if rng.random() < 0.6 else rng.uniform(0.05, 0.7)
        dark = rng.uniform(0.02, 0.25) if rng.random() < 0.7 else rng.uniform(0.3, 0.9)
        return _rgb(v * rng.uniform(0.92, 1.03, 3)), _rgb(dark * rng.uniform(0.8, 1.2, 3))
    if kind == "stone":
        v = rng.uniform(0.15, 0.75)
        return _rgb(v * rng.uniform(0.9, 1.1, 3)), _rgb(np.full(3, rng.uniform(0.05, 0.9)))
    return any_colour, _rgb(rng.uniform(0.03, 0.95, 3))


def _near(rng: np.random.Generator, colours: tuple[Rgb, ...], spread: float) -> Rgb:
    base = np.array(colours[int(rng.integers(len(colours)))])
    return _rgb(base * np.exp(rng.normal(0, 0.2)) + rng.normal(0, spread, 3) * base.mean())


def _rgb(v: object) -> Rgb:
    r, g, b = np.clip(np.asarray(v, np.float64), 0.01, 0.98)
    return float(r), float(g), float(b)


def sample_board(rng: np.random.Generator) -> Board:
    """Draw a board: 300 to 450 mm across, rim 25 to 55 mm wide and 20 to 45 mm high."""
    floor = sample_ground(rng, "felt") if rng.random() < 0.88 else sample_ground(rng, str(rng.choice(BARE)))
    wood = sample_ground(rng, "wood")
    if rng.random() < 0.3:
        tone = _rgb(np.full(3, rng.uniform(0.02, 0.2)) * rng.uniform(0.8, 1.3, 3))
        if rng.random() < 0.3:
            tone = _rgb(rng.uniform(0.05, 0.7, 3))
        wood = Ground("plastic", tone, tone, wood.seed, 1.0, 0.0, float(rng.uniform(0, 0.5)))
    else:
        wood = Ground("wood", wood.colour, wood.second, wood.seed, 0.8, 0.0, float(rng.uniform(0, 0.4)))
    return Board(
        across=float(rng.uniform(350, 420) if rng.random() < 0.8 else rng.uniform(300, 450)),
        rim_width=float(rng.uniform(25, 55)),
        rim_height=float(rng.uniform(20, 45)),
        base=float(rng.uniform(3, 14)),
        angle_deg=float(rng.uniform(0, 360)),
        floor=floor,
        rim=wood,
        walls_felt=bool(rng.random() < 0.4),
        strokes=int(rng.integers(3, 60)) if rng.random() < 0.75 else 0,
        dust=float(rng.uniform(0.0, 0.7)) if rng.random() < 0.7 else 0.0,
        logo=int(rng.integers(32)) if rng.random() < 0.2 else -1,
        seed=int(rng.integers(1 << 30)),
    )
