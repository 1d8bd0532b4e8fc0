"""Many dice at once: the kind "dense", which gives the most labelled dice a second of rendering."""

import numpy as np

from models.render.camera import overhead
from models.render.ground_sampling import sample_board, sample_ground
from models.render.light_sampling import sample_film, sample_lens, sample_light, spare
from models.render.materials import sample_look
from models.render.placing import lay_dice, lean, lean_on_die, lean_on_thing, reach_along, stack
from models.render.scene import Board, Clutter, Die, DieLook, Scene
from models.render.sprites import make_sprite
from models.render.table_sampling import sample_clutter, sample_hand

LEVEL = 0.25
"""Share of pictures in which every die lies flat."""

PROPS = ("coin", "coin", "button", "chip", "stick")
"""Clutter that a die may lie on with one side; a stick is a piece of chalk."""


WAYS = (0.28, 0.58, 0.75)
"""Of upset dice so many lean on another; up to so many more lie on one; up to so many lean on a thing; the rest lean on
nothing in view."""
HEAPED = (0.12, 0.76, 0.86)
"""The same where most are stacked."""


def dense_scene(rng: np.random.Generator, size: tuple[int, int], seed: int, *, heaped: bool = False) -> Scene:
    """8 to 16 dice of 28 to 90 px, mostly flat, apart or touching; in three of four pictures some are upset.

    `heaped`: 5 to 10, and most of them have another lying on them.
    """
    count = int(rng.integers(5, 11) if heaped else rng.integers(8, 17))
    most = min(90.0, min(size) * float(np.sqrt(0.40 / count)))
    die_px = float(np.exp(rng.uniform(np.log(28), np.log(most))))
    edge = float(rng.uniform(12, 19))
    height = float(rng.uniform(350, 900))
    focal = die_px / edge * (height - edge)
    tilt = float(min(abs(rng.normal(0, 11)), 30))
    azimuth = float(rng.uniform(0, 360))
    roll = azimuth + 90 + float(rng.uniform(-6, 6))
    camera = overhead((0.0, 0.0), height, tilt, azimuth, roll, focal, size, sample_lens(rng, focal, size))
    reach = min(size) / die_px * edge
    looks = [sample_look(rng) for _ in range(1 if rng.random() < 0.2 else int(rng.integers(2, 9)))]
    dice = lay_dice(rng, looks, count, edge, reach * (1.0 if rng.random() < 0.5 else 0.92))
    props: tuple[Clutter, ...] = ()
    if heaped:
        dice, props = upset(rng, looks, dice, count, ways=HEAPED)
    elif rng.random() > LEVEL:
        dice, props = upset(rng, looks, dice, int(rng.integers(1, 6)))
    clutter = props
    if rng.random() < 0.2:
        clutter += sample_clutter(rng, None, dice, reach, edge)
    hand = sample_hand(rng, None, dice, reach) if rng.random() < 0.03 else None
    light = sample_light(rng, reach)
    film, light, dice = spare(rng, sample_film(rng, die_px, light.name), light, dice)
    ground = sample_ground(rng)
    if rng.random() < 0.25:
        ground = sample_board(rng).floor
    return Scene(dice, ground, camera, light, film, None, clutter, hand, seed, "heaped" if heaped else "dense", tilt)


def upset(
    rng: np.random.Generator,
    looks: list[DieLook],
    dice: tuple[Die, ...],
    count: int,
    board: Board | None = None,
    ways: tuple[float, float, float] = WAYS,
) -> tuple[tuple[Die, ...], tuple[Clutter, ...]]:
    """Up to `count` of the flat dice leant on others, on coins or on things unseen, or stacked; what they lean on.

    On a board only dice on its floor, away from the wall. `ways`: as `WAYS`.
    """
    out, touched = list(dice), list[Die]()
    props: list[Clutter] = []
    for _ in range(count):
        free = [d for d in out if not any(d is t for t in touched) and _lies_open(d, board)]
        if not free:
            break
        base = free[int(rng.integers(len(free)))]
        die = Die(looks[int(rng.integers(len(looks)))], base.position, base.rotation, base.edge_mm)
        way, kind = float(rng.uniform(0, 2 * np.pi)), rng.random()
        kept, prop = [base], None
        if kind < ways[0]:
            new = lean_on_die(rng, die, base)
        elif kind < ways[1]:
            new = stack(rng, die, base)
        elif kind < ways[2]:
            new, prop = on_prop(rng, base, way)
            kept = []
        else:
            new = lean(rng, die, way, base.position[2] - base.edge_mm / 2, float(rng.uniform(8, 60)))
            kept = []
        others = [d for d in out if d is not base]
        if not _free(new, prop, others):
            continue
        out = [*others, *kept, new]
        touched += [*kept, new]
        if prop is not None:
            props.append(prop)
    return tuple(out), tuple(props)


def on_prop(rng: np.random.Generator, die: Die, way: float) -> tuple[Die, Clutter]:
    """The die with its side towards `way` resting on a coin, a button, a chip or a piece of chalk, and that thing."""
    kind, seed = PROPS[int(rng.integers(len(PROPS)))], int(rng.integers(1 << 30))
    turn = float(np.degrees(way) + rng.normal(0, 10))
    size = float(rng.uniform(18, 34) if kind == "stick" else rng.uniform(14, 24))
    thick = make_sprite(kind, size, seed).tall
    # a stick lies across the way, and is about as wide as it is thick
    half = thick / 1.8 if kind == "stick" else size / 2
    tipped, (x, y) = lean_on_thing(rng, die, way, thick)
    floor = die.position[2] - die.edge_mm / 2
    thing = Clutter(kind, x + half * float(np.cos(way)), y + half * float(np.sin(way)), floor, turn, size, seed)
    return tipped, thing


def _lies_open(die: Die, board: Board | None) -> bool:
    """Whether a die lies flat on the floor, a die's width from any wall."""
    if np.abs(np.array(die.rotation)[2]).max() < 0.999 or abs(die.position[2] - die.edge_mm / 2) > 0.01:
        return False
    return board is None or board.depth_inside(die.position[0], die.position[1]) > 1.8 * die.edge_mm


def _free(die: Die, prop: Clutter | None, others: list[Die]) -> bool:
    """Whether a die, and what it rests on, keep clear of the others."""
    for other in others:
        gap = np.array(other.position[:2]) - np.array(die.position[:2])
        way = float(np.arctan2(gap[1], gap[0]))
        if np.hypot(*gap) < reach_along(die, way) + reach_along(other, way + np.pi):
            return False
        if prop is not None and np.hypot(prop.x - other.position[0], prop.y - other.position[1]) < (
            prop.size / 2 + 0.72 * other.edge_mm
        ):
            return False
    return True
