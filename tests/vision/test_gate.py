"""The gate sees dice move, and neither light, noise, shadows nor a swaying camera."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import cos, sin

import cv2
import numpy as np
import pytest
from film_set import LYING, THREE, Die, Shot, draw

from vision.frame import Picture
from vision.gate import SMALL_PIXELS, Gate, Motion, even_out, shrink, sway


def motions(pictures: Iterable[Picture]) -> list[Motion]:
    gate = Gate()
    return [gate.see(picture, n / 30) for n, picture in enumerate(pictures)]


def moved(pictures: Iterable[Picture]) -> list[int]:
    return [n for n, motion in enumerate(motions(pictures)) if not motion.still]


def test_noise_alone_is_still() -> None:
    assert moved(draw(LYING, n) for n in range(30)) == []


@pytest.mark.parametrize("factor", [0.3, 0.6, 1.3])
def test_a_step_of_the_exposure_is_no_motion_and_is_measured(factor: float) -> None:
    seen = motions(draw(replace(LYING, light=1.0 if n < 10 else factor), n) for n in range(20))
    assert all(motion.still for motion in seen)
    assert seen[-1].light / seen[5].light == pytest.approx(factor, rel=0.15)


def test_bands_of_mains_flicker_are_no_motion() -> None:
    assert moved(draw(replace(LYING, bands=1.1 * n), n) for n in range(30)) == []


def test_a_slow_soft_shadow_is_no_motion() -> None:
    def shaded(n: int) -> Picture:
        across = np.arange(400, dtype=np.float32) - 10 * n
        shade = 1.0 - 0.5 / (1.0 + np.exp(across / 25.0))
        return np.clip(draw(LYING, n) * shade[None, :, None], 0, 255).astype(np.uint8)

    assert moved(shaded(n) for n in range(40)) == []


def test_sway_of_the_whole_picture_is_known_as_such() -> None:
    seen = motions(draw(replace(LYING, shift=(6 * sin(n / 2), 5 * cos(n / 3))), n) for n in range(30))
    assert all(motion.still for motion in seen)
    assert sum(motion.swayed for motion in seen) > 15


def test_a_picture_that_stands_again_does_not_sway_whatever_moves_in_it() -> None:
    sways = [replace(LYING, shift=(6 * sin(n / 2), 5 * cos(n / 3))) for n in range(20)]
    rolls = [Shot((*THREE[:2], replace(THREE[2], x=250.0 - 3 * n, angle=20.0 * n))) for n in range(40)]
    seen = motions(draw(shot, n) for n, shot in enumerate([*sways, *rolls]))
    assert any(motion.swayed for motion in seen[:20])
    assert not any(motion.swayed for motion in seen[25:])
    assert not any(motion.still for motion in seen[25:])


def test_a_die_that_moves_while_the_picture_sways_is_seen_and_nothing_else() -> None:
    def shot(n: int) -> Shot:
        moving = replace(THREE[2], x=250.0 - 4 * n, angle=20.0 * n)
        return Shot((*THREE[:2], moving), shift=(4 * sin(n / 2), 3 * cos(n / 3)))

    for n, motion in enumerate(motions(draw(shot(n), n) for n in range(20))):
        if n > 3:
            assert motion.moving
            for x1, y1, x2, y2 in motion.moving:
                assert x2 > 250 - 4 * n - 25
                assert x1 < 250 - 4 * n + 50
                assert 90 < (y1 + y2) / 2 < 150


def test_the_place_of_a_mover_is_told_in_pixels_of_the_picture() -> None:
    large = [
        cv2.resize(draw(Shot((Die(120 + 5.0 * n, 100),)), n), (1200, 900), interpolation=cv2.INTER_LINEAR)
        for n in range(6)
    ]
    last = motions(large)[-1]
    x1, y1, x2, y2 = np.array(last.moving).T
    assert x1.min() < 3 * 145 < x2.max()
    assert y1.min() < 3 * 100 < y2.max()
    assert (x2.max() - x1.min()) < 3 * 60


def test_a_die_that_turns_slowly_in_its_place_moves() -> None:
    turning = [draw(Shot((*THREE[:2], replace(THREE[2], angle=5.0 * n))), n) for n in range(20)]
    assert moved(turning)[-1] == 19
    assert len(moved(turning)) >= 14


def test_stillness_comes_back_within_the_look_back() -> None:
    shots = [Shot((Die(120 + 5.0 * min(n, 10), 100),)) for n in range(20)]
    assert max(moved(draw(shot, n) for n, shot in enumerate(shots))) <= 10 + 3


def test_pictures_that_are_bit_for_bit_the_same_are_told() -> None:
    picture = draw(LYING, 0)
    assert [motion.identical for motion in motions([picture, picture, draw(LYING, 1)])] == [False, True, False]


def test_a_picture_of_another_size_or_an_earlier_time_begins_afresh() -> None:
    gate = Gate()
    gate.see(draw(LYING, 0), 1.0)
    assert gate.see(draw(Shot(), 1)[:200, :200], 1.1).still
    assert gate.see(draw(LYING, 1)[:200, :200], 0.5).still


@pytest.mark.parametrize("size", [(1, 1), (2, 500), (3, 3), (720, 1280)])
def test_pictures_of_any_size_are_taken(size: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    pictures = [rng.integers(0, 255, (*size, 3), dtype=np.uint8) for _ in range(4)]
    assert len(motions(pictures)) == 4
    small, scale = shrink(pictures[0])
    assert small.shape[0] * small.shape[1] <= SMALL_PIXELS * 1.05
    assert scale >= 1.0


def test_evening_out_takes_gain_and_slopes_of_light_away() -> None:
    rng = np.random.default_rng(2)
    texture = cv2.GaussianBlur(rng.integers(60, 120, (120, 160), dtype=np.uint8), (5, 5), 0)
    slope = np.linspace(0.6, 1.8, 160)[None]
    brighter = np.clip(texture * slope, 0, 255).astype(np.uint8)
    assert np.abs(even_out(texture).astype(int) - even_out(brighter)).mean() < 3


def test_sway_is_none_where_nothing_can_be_followed() -> None:
    flat = np.full((240, 320), 90, np.uint8)
    assert sway(flat, flat) is None
