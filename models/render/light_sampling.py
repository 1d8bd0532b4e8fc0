"""Light and cameras at random: the lamp over a café table, a window, neon, and the picture a small camera makes."""

import dataclasses

import numpy as np

from models.render.pairs import is_dull, plain
from models.render.scene import Die, Film, Lamp, Light, Pane, Rgb

LIGHTS: dict[str, float] = {
    "hard": 0.22,
    "area": 0.20,
    "ceiling": 0.16,
    "warm": 0.14,
    "daylight": 0.14,
    "two": 0.08,
    "neon": 0.06,
}
"""Share of each kind of light."""


def sample_light(rng: np.random.Generator, reach: float, name: str | None = None) -> Light:
    """Draw a light for a scene `reach` mm wide; `name` is a key of `LIGHTS`."""
    names = list(LIGHTS)
    shares = np.array(list(LIGHTS.values()))
    name = name or names[int(rng.choice(len(names), p=shares / shares.sum()))]
    sky = float(np.exp(rng.uniform(np.log(0.12), np.log(0.8))))
    tint = _kelvin(rng.uniform(3500, 8000))
    lamps: list[Lamp] = []
    side: Rgb = (0.0, 0.0, 0.0)
    if name == "hard":
        lamps = [_lamp(rng, float(rng.uniform(2, 18)), 1.0, _kelvin(rng.uniform(2800, 6500)), (25, 85))]
        sky *= 0.6
    elif name == "area":
        lamps = [_lamp(rng, float(rng.uniform(60, 300)), 1.0, _kelvin(rng.uniform(3000, 6500)), (35, 88))]
    elif name == "ceiling":
        lamps = [_lamp(rng, float(rng.uniform(150, 420)), 0.7, _kelvin(rng.uniform(3500, 6500)), (60, 89))]
        sky *= 1.6
    elif name == "warm":
        lamps = [_lamp(rng, float(rng.uniform(15, 120)), 1.0, _kelvin(rng.uniform(1900, 3000)), (40, 85))]
        tint = _kelvin(rng.uniform(2200, 4500))
        sky *= 0.7
    elif name == "daylight":
        lamps = [_lamp(rng, float(rng.uniform(200, 500)), 0.8, _kelvin(rng.uniform(5500, 9000)), (18, 45))]
        v = float(rng.uniform(0.1, 0.5))
        side = (v * 0.9, v, v * 1.1)
    elif name == "two":
        lamps = [
            _lamp(
                rng,
                float(rng.uniform(5, 90)),
                float(rng.uniform(0.4, 0.9)),
                _kelvin(rng.uniform(2300, 7000)),
                (25, 85),
            )
            for _ in range(2)
        ]
    else:
        hue = rng.dirichlet([0.6, 0.4, 0.6]) * 2.2 + 0.08
        lamps = [_lamp(rng, float(rng.uniform(30, 200)), 1.0, (float(hue[0]), float(hue[1]), float(hue[2])), (25, 80))]
        sky *= 0.6
    cookie, size, dark = "none", reach * 1.3, 0.0
    if rng.random() < 0.22:
        cookie = str(rng.choice(["edge", "edge", "person", "person", "bars", "dapple"]))
        size = reach * float(rng.uniform(1.1, 2.2))
        dark = float(rng.uniform(0.5, 1.0))
    zenith = tuple(float(sky * c * rng.uniform(0.8, 1.2)) for c in tint)
    horizon = tuple(float(sky * c * rng.uniform(0.3, 1.3)) for c in tint)
    return Light(
        name,
        tuple(lamps),
        (zenith[0], zenith[1], zenith[2]),
        (horizon[0], horizon[1], horizon[2]),
        side,
        float(rng.uniform(0, 360)),
        _mirrored(rng, sky),
        cookie,
        int(rng.integers(1 << 30)),
        size,
        dark,
        _panes(rng) if rng.random() < 0.55 else (),
    )


def _lamp(rng: np.random.Generator, radius: float, power: float, colour: Rgb, elevation: tuple[float, float]) -> Lamp:
    up, turn = np.radians(rng.uniform(*elevation)), rng.uniform(0, 2 * np.pi)
    away = float(rng.uniform(600, 2600)) if radius < 100 else float(rng.uniform(900, 2600))
    at = away * np.array([np.cos(up) * np.cos(turn), np.cos(up) * np.sin(turn), np.sin(up)])
    gain = power / max(float(np.sin(up)), 0.45)
    return Lamp(
        (float(at[0]), float(at[1]), float(at[2])),
        (colour[0] * gain, colour[1] * gain, colour[2] * gain),
        radius,
    )


def _mirrored(rng: np.random.Generator, sky: float) -> tuple[tuple[float, float, float, float, float], ...]:
    """Bright patches of the room that glossy faces mirror: direction, cosine of radius, light."""
    patches = []
    for _ in range(int(rng.integers(0, 4))):
        z, turn = rng.uniform(0.15, 1.0), rng.uniform(0, 2 * np.pi)
        r = np.sqrt(1 - z * z)
        power = float(np.exp(rng.uniform(np.log(1.0), np.log(16.0))))
        cosine = float(np.cos(np.radians(rng.uniform(3, 22))))
        patches.append((float(r * np.cos(turn)), float(r * np.sin(turn)), float(z), cosine, power))
    return tuple(patches)


def _panes(rng: np.random.Generator) -> tuple[Pane, ...]:
    """A window, a tube or two, or a ring light about the camera: what draws bright arcs on glossy dice."""
    power = float(np.exp(rng.uniform(np.log(10.0), np.log(80.0))))
    turn = float(rng.uniform(0, 360))
    kind = rng.random()
    if kind < 0.25:
        outer = float(rng.uniform(0.1, 0.5))
        return (Pane(_way(rng, 0.9, 1.0), outer, outer, 0.0, float(rng.uniform(0.5, 0.85)), 0, power),)
    if kind < 0.6:
        wide, tall = float(rng.uniform(0.1, 0.5)), float(rng.uniform(0.15, 0.7))
        bars = int(rng.choice([0, 1, 2]))
        return (Pane(_way(rng, 0.25, 0.95), wide, tall, turn, 0.0, bars, power),)
    tube = Pane(_way(rng, 0.5, 1.0), float(rng.uniform(0.02, 0.06)), float(rng.uniform(0.2, 0.9)), turn, 0.0, 0, power)
    if rng.random() < 0.5:
        return (tube,)
    return tube, dataclasses.replace(tube, toward=_way(rng, 0.5, 1.0))


def _way(rng: np.random.Generator, low: float, high: float) -> tuple[float, float, float]:
    """A unit vector upwards whose height lies between `low` and `high`."""
    z, turn = rng.uniform(low, high), rng.uniform(0, 2 * np.pi)
    r = np.sqrt(1 - z * z)
    return float(r * np.cos(turn)), float(r * np.sin(turn)), float(z)


def _kelvin(t: float) -> Rgb:
    """Linear colour of a black body, green about 1 (after Tanner Helland's fit)."""
    t = t / 100
    r = 255.0 if t <= 66 else 329.7 * (t - 60) ** -0.1332
    g = 99.47 * np.log(t) - 161.1 if t <= 66 else 288.1 * (t - 60) ** -0.0755
    b = 255.0 if t >= 66 else 0.0 if t <= 19 else 138.5 * np.log(t - 10) - 305.0
    c = (np.clip(np.array([r, g, b]), 5, 255) / 255) ** 2.2
    c = c / (0.3 * c[0] + 0.6 * c[1] + 0.1 * c[2])
    return float(c[0]), float(c[1]), float(c[2])


def sample_film(rng: np.random.Generator, die_px: float, light: str) -> Film:
    """Draw a camera's way of seeing, for dice of `die_px` px."""
    neutral = _kelvin(rng.uniform(2600, 6800) if light == "warm" else rng.uniform(4200, 7500))
    balance = 1 / np.array(neutral)
    if rng.random() < 0.06:
        balance = balance * np.exp(rng.normal(0, 0.25, 3))
    quiet = rng.random() < 0.45
    noise = float(np.exp(rng.uniform(np.log(0.002), np.log(0.012 if quiet else 0.06))))
    soft = rng.random()
    defocus = 0.0 if soft < 0.45 else float(rng.uniform(0.4, 0.045 * die_px + 0.6))
    moving = rng.random() < 0.12
    exposure, hold = float(np.clip(np.exp(rng.normal(np.log(0.17), 0.55)), 0.03, 0.55)), 0.75
    if rng.random() < 0.07:
        exposure, hold = float(rng.uniform(0.3, 0.7)), float(rng.uniform(0.0, 0.4))
    vignette = float(rng.uniform(0, 0.5)) if rng.random() < 0.5 else 0.05
    if rng.random() < 0.07:
        vignette = float(rng.uniform(0.5, 0.95))
    tube = float(rng.uniform(0.3, 0.5)) if rng.random() < 0.08 else 0.0
    off = rng.normal(0, 0.05, 2)
    glare = float(rng.uniform(0.03, 0.45)) if rng.random() < 0.08 else 0.0
    return Film(
        exposure=exposure,
        hold=hold,
        balance=(float(balance[0]), float(balance[1]), float(balance[2])),
        saturation=float(0.0 if rng.random() < 0.07 else rng.uniform(0.45, 1.2)),
        contrast=float(rng.uniform(-0.2, 0.7)),
        gamma=float(rng.uniform(2.0, 2.4)),
        vignette=vignette,
        defocus=defocus,
        motion=float(rng.uniform(1, 0.12 * die_px + 1)) if moving else 0.0,
        motion_deg=float(rng.uniform(0, 180)),
        bloom=float(rng.uniform(0, 0.15)),
        shot_noise=noise,
        read_noise=noise * float(rng.uniform(0.2, 0.6)),
        noise_size=float(rng.choice([0.0, 0.6, 1.0], p=[0.5, 0.3, 0.2])),
        sharpen=float(rng.uniform(0.2, 1.6)) if rng.random() < 0.45 else 0.0,
        flicker=float(rng.uniform(0.03, 0.25)) if rng.random() < 0.12 else 0.0,
        flicker_period=float(rng.uniform(90, 700)),
        flicker_phase=float(rng.random()),
        jpeg=int(rng.choice([35, 55, 75, 88, 95, 100], p=[0.08, 0.14, 0.22, 0.26, 0.2, 0.1])),
        tube=tube,
        tube_at=(float(off[0]), float(off[1])),
        tube_soft=float(rng.choice([0.012, 0.03, 0.12])),
        glare=glare,
        glare_at=(float(rng.uniform(0, 1)), float(rng.uniform(0, 1))),
        glare_size=float(rng.uniform(0.05, 0.35)),
    )


def sample_lens(rng: np.random.Generator, focal: float, size: tuple[int, int]) -> float:
    """Distortion k1 that bends the corner of the picture by at most a sixth, mostly barrel."""
    corner = (np.hypot(*size) / 2 / focal) ** 2
    bend = rng.normal(-0.01, 0.02) if rng.random() < 0.7 else rng.uniform(-0.14, 0.02)
    return float(np.clip(bend, -0.16, 0.05) / corner)


def spare(
    rng: np.random.Generator, film: Film, light: Light, dice: tuple[Die, ...]
) -> tuple[Film, Light, tuple[Die, ...]]:
    """The same picture where pips as bright as their die would be lost in it: other pips, or a kinder camera and light.

    A hard picture (grey, noisy, dark, of one hue) keeps its camera in 60 % of cases, its dull dice get plain pips.
    """
    hard = film.saturation < 0.7 or film.shot_noise > 0.015 or film.exposure < 0.08 or film.jpeg < 60
    hard = hard or light.name in ("neon", "warm") or film.defocus > 1.5 or film.glare > 0.15
    if not hard or not any(is_dull(d.look) for d in dice):
        return film, light, dice
    if rng.random() < 0.6:
        plainer = tuple(dataclasses.replace(d, look=plain(d.look)) if is_dull(d.look) else d for d in dice)
        return film, light, plainer
    film = dataclasses.replace(
        film,
        saturation=max(film.saturation, 0.8),
        shot_noise=min(film.shot_noise, 0.015),
        read_noise=min(film.read_noise, 0.008),
        defocus=film.defocus * 0.5,
        motion=film.motion * 0.5,
        jpeg=max(film.jpeg, 70),
        exposure=max(film.exposure, 0.09),
        glare=film.glare * 0.4,
    )
    if light.name in ("neon", "warm"):
        lamps = []
        for lamp in light.lamps:
            grey = float(np.mean(lamp.power))
            r, g, b = (0.65 * grey + 0.35 * v for v in lamp.power)
            lamps.append(dataclasses.replace(lamp, power=(r, g, b)))
        light = dataclasses.replace(light, lamps=tuple(lamps))
    return film, light, dice
