"""A board or a part of it in a small picture: the kind "smallboard", the whole board's cheaper sister."""

import dataclasses

import numpy as np

from models.render.camera import overhead
from models.render.crowds import upset
from models.render.ground_sampling import sample_board, sample_ground
from models.render.light_sampling import sample_film, sample_lens, sample_light, spare
from models.render.materials import sample_look
from models.render.scene import Board, Scene
from models.render.table_sampling import sample_clutter, sample_hand, throw_on_board

ODD, HANDS, BUSY = 0.6, 0.25, 0.4
"""Shares of pictures with dice in odd places or poses, with a hand, and with clutter."""

TABLES = ("wood", "wood", "marble", "checked", "stone", "plastic", "leather", "felt", "tiles", "weave")
"""What a board may stand on."""


def small_board_scene(rng: np.random.Generator, size: tuple[int, int], seed: int) -> Scene:
    """3 to 6 dice of 20 to 45 px on or about a board that is seen whole or in part."""
    die_px = float(np.exp(rng.uniform(np.log(20), np.log(45))))
    edge = float(rng.uniform(13, 18))
    height = float(rng.uniform(500, 1000))
    focal = die_px / edge * (height - edge)
    tilt = float(min(abs(rng.normal(0, 11)), 30))
    azimuth = float(rng.uniform(0, 360))
    roll = azimuth + 90 + float(rng.uniform(-6, 6))
    camera = overhead((0.0, 0.0), height, tilt, azimuth, roll, focal, size, sample_lens(rng, focal, size))
    reach = (0.35 * max(size) + 0.6 * min(size)) / die_px * edge
    odd = bool(rng.random() < ODD)
    board = _aimed(rng, reach, odd)
    looks = [sample_look(rng)] if rng.random() < 0.7 else [sample_look(rng) for _ in range(3)]
    dice = throw_on_board(rng, looks, int(rng.integers(3, 7)), edge, board, reach, odd)
    clutter = sample_clutter(rng, board, dice, reach, edge) if rng.random() < BUSY else ()
    if odd and not clutter and rng.random() < 0.7:
        dice, clutter = upset(rng, looks, dice, int(rng.integers(1, 3)), board)
    hand = sample_hand(rng, board, dice, reach) if rng.random() < HANDS else None
    light = sample_light(rng, reach)
    film, light, dice = spare(rng, sample_film(rng, die_px, light.name), light, dice)
    ground = sample_ground(rng, str(rng.choice(np.array(TABLES))))
    return Scene(dice, ground, camera, light, film, board, clutter, hand, seed, "smallboard", tilt)


def _aimed(rng: np.random.Generator, reach: float, odd: bool) -> Board:
    """A board placed so that the picture, `reach` mm wide, sees much of its floor, its rim if anything is odd."""
    board = sample_board(rng)
    inner = board.across / 2 - board.rim_width
    slack = max(inner - reach * 0.4, 0.0)
    away = inner * 0.12 + slack * float(rng.uniform(0.7, 1.2) if odd else np.sqrt(rng.random()))
    way = rng.uniform(0, 2 * np.pi)
    return dataclasses.replace(board, centre=(float(away * np.cos(way)), float(away * np.sin(way))))
