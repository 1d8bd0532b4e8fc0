"""Scenes at random: `sample_scene` draws everything a picture shows from one generator."""

import dataclasses

import numpy as np

from models.render.camera import overhead
from models.render.crowds import dense_scene
from models.render.ground_sampling import sample_board, sample_ground
from models.render.light_sampling import sample_film, sample_lens, sample_light, spare
from models.render.materials import sample_look
from models.render.placing import lay_dice, lean, lean_on_die, stack
from models.render.scene import Board, Clutter, Die, DieLook, Scene
from models.render.small_boards import small_board_scene
from models.render.table_sampling import sample_clutter, sample_hand, throw_on_board

KINDS = ("closeup", "dense", "heaped", "board", "smallboard", "mixed")
"""Kinds of pictures that can be drawn."""


def sample_scene(
    rng: np.random.Generator, kind: str = "closeup", size: tuple[int, int] | None = None, seed: int = 0
) -> Scene:
    """Draw a scene of a kind; `size` is width and height in px.

    >>> scene = sample_scene(np.random.default_rng(1), "closeup")
    >>> (scene.camera.width, scene.camera.height)
    (512, 512)
    """
    if kind == "mixed":
        kind = "board" if rng.random() < 0.3 else "closeup"
        scene = sample_scene(rng, kind, size, seed)
        return dataclasses.replace(scene, kind="mixed")
    if kind == "board":
        return _whole_board(rng, size or (1280, 960), seed)
    if kind in ("dense", "heaped"):
        return dense_scene(rng, size or (512, 512), seed, heaped=kind == "heaped")
    if kind == "smallboard":
        return small_board_scene(rng, size or (640, 480), seed)
    return _closeup(rng, size or (512, 512), seed)


def _closeup(rng: np.random.Generator, size: tuple[int, int], seed: int) -> Scene:
    """Dice at 20 to 130 px on any ground, some of it inside a board or across its rim."""
    die_px = float(np.exp(rng.uniform(np.log(20), np.log(130))))
    edge = float(rng.uniform(12, 19))
    height = float(rng.uniform(350, 900))
    focal = die_px / edge * (height - edge)
    tilt = float(min(abs(rng.normal(0, 11)), 30))
    reach = min(size) / die_px * edge
    board = _board_about(rng, reach) if rng.random() < 0.38 else None
    azimuth = float(rng.uniform(0, 360))
    roll = azimuth + 90 + float(rng.uniform(-6, 6))
    camera = overhead((0.0, 0.0), height, tilt, azimuth, roll, focal, size, sample_lens(rng, focal, size))
    looks = _looks(rng)
    count = int(rng.integers(0, 4)) if rng.random() < 0.25 else int(rng.integers(2, 13))
    if rng.random() < 0.06:
        count = 0
    count = min(count, max(1, int((min(size) / die_px) ** 2 * 0.4)))
    if board is not None:
        dice = throw_on_board(rng, looks, count, edge, board, reach)
    else:
        dice = _disturbed(rng, looks, lay_dice(rng, looks, count, edge, reach))
    busy = 0.8 if not dice else 0.42
    clutter = sample_clutter(rng, board, dice, reach, edge) if rng.random() < busy else ()
    hand = sample_hand(rng, board, dice, reach) if rng.random() < (0.3 if not dice else 0.10) else None
    light = sample_light(rng, reach)
    film, light, dice = spare(rng, sample_film(rng, die_px, light.name), light, dice)
    ground = sample_ground(rng)
    return Scene(dice, ground, camera, light, film, board, clutter, hand, seed, "closeup", tilt)


def _whole_board(rng: np.random.Generator, size: tuple[int, int], seed: int) -> Scene:
    """A board on a café table seen whole, dice 12 to 19 mm, glasses and hands about it."""
    board = dataclasses.replace(sample_board(rng), centre=(0.0, 0.0))
    edge = float(rng.uniform(13, 18))
    height = float(rng.uniform(550, 1100))
    fill = float(rng.uniform(0.72, 1.0))
    focal = fill * min(size) / board.across * height / 1.03
    tilt = float(min(abs(rng.normal(0, 12)), 30))
    aim = rng.normal(0, 0.04, 2) * board.across
    azimuth = float(rng.uniform(0, 360))
    roll = azimuth + 90 + float(rng.uniform(-6, 6))
    lens = sample_lens(rng, focal, size)
    camera = overhead((float(aim[0]), float(aim[1])), height, tilt, azimuth, roll, focal, size, lens)
    reach = max(size) / focal * height
    looks = [sample_look(rng)] if rng.random() < 0.85 else [sample_look(rng) for _ in range(3)]
    count = 3 if rng.random() < 0.75 else int(rng.integers(0, 6))
    dice = throw_on_board(rng, looks, count, edge, board, None)
    clutter = sample_clutter(rng, board, dice, reach, edge)
    hand = sample_hand(rng, board, dice, reach) if rng.random() < 0.3 else None
    light = sample_light(rng, reach)
    film, light, dice = spare(rng, sample_film(rng, edge * focal / height, light.name), light, dice)
    ground = sample_ground(
        rng, str(rng.choice(["wood", "wood", "marble", "checked", "stone", "plastic", "leather", "felt"]))
    )
    return Scene(dice, ground, camera, light, film, board, clutter, hand, seed, "board", tilt)


def _board_about(rng: np.random.Generator, reach: float) -> Board:
    """A board placed so that the picture sees its floor, or its rim in 60 % of cases."""
    board = sample_board(rng)
    inner = board.across / 2 - board.rim_width
    way = rng.uniform(0, 2 * np.pi)
    away = inner * np.sqrt(rng.uniform(0, 0.8)) if rng.random() < 0.4 else inner + reach * rng.uniform(-0.5, 0.35)
    return dataclasses.replace(board, centre=(float(away * np.cos(way)), float(away * np.sin(way))))


def _disturbed(rng: np.random.Generator, looks: list[DieLook], dice: tuple[Die, ...]) -> tuple[Die, ...]:
    """The dice, some of them leaning on another, cocked on nothing in view, or stacked."""
    out = list(dice)
    if not out or rng.random() > 0.28:
        return dice
    base = out[int(rng.integers(len(out)))]
    extra = Die(looks[int(rng.integers(len(looks)))], base.position, base.rotation, base.edge_mm)
    kind = rng.random()
    if kind < 0.4:
        new = lean_on_die(rng, extra, base)
    elif kind < 0.65:
        new = stack(rng, extra, base)
    else:
        out.remove(base)
        new = lean(rng, extra, float(rng.uniform(0, 2 * np.pi)))
    kept = [
        d for d in out if d is base or np.hypot(*(np.array(d.position) - np.array(new.position))[:2]) > 1.45 * d.edge_mm
    ]
    return (*kept, new)


def _looks(rng: np.random.Generator) -> list[DieLook]:
    """The looks in a picture: usually one set, sometimes a mixture."""
    if rng.random() < 0.55:
        return [sample_look(rng)]
    return [sample_look(rng) for _ in range(int(rng.integers(2, 8)))]


__all__ = ["KINDS", "Clutter", "sample_scene"]
