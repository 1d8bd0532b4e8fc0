"""Where the light comes from: sample points on lamps and in the sky, and the matrices of their shadow maps."""

import dataclasses

import numpy as np
import numpy.typing as npt

from models.render.scene import Lamp, Light
from models.render.shaders import ATLAS, ND, NK

Array = npt.NDArray[np.float64]
LAMP_TILE, SKY_TILE = 512, 256
SKY_DISTANCE = 5000.0


@dataclasses.dataclass
class Samples:
    """Lamp points and sky directions, with colour, clip matrix, atlas matrix and atlas tile (x, y, side)."""

    lamp_at: Array
    lamp_colour: Array
    sky_from: Array
    sky_colour: Array
    clip: list[Array]
    lookup: list[Array]
    tiles: list[tuple[int, int, int]]


def sample_lights(light: Light, receivers: Array) -> Samples:
    """Spread `NK` points over the lamps and `ND` over the sky; shadows are exact for the points `receivers`."""
    lamp_at, lamp_colour = _lamp_points(light.lamps)
    sky_from = _dome()
    sky_colour = _sky_colour(light, sky_from)
    middle = receivers.mean(axis=0)
    clip, lookup, tiles = [], [], []
    for i, at in enumerate(lamp_at):
        tiles.append((i % 4 * LAMP_TILE, i // 4 * LAMP_TILE, LAMP_TILE))
        clip.append(_light_clip(at, receivers))
    for i, way in enumerate(sky_from):
        tiles.append((i % 8 * SKY_TILE, 2 * LAMP_TILE + i // 8 * SKY_TILE, SKY_TILE))
        clip.append(_light_clip(middle + way * SKY_DISTANCE, receivers))
    for m, (x, y, side) in zip(clip, tiles, strict=True):
        fit = np.eye(4)
        fit[0, 0], fit[1, 1], fit[2, 2] = side / 2 / ATLAS[0], side / 2 / ATLAS[1], 0.5
        fit[:3, 3] = (x + side / 2) / ATLAS[0], (y + side / 2) / ATLAS[1], 0.5
        lookup.append(fit @ m)
    return Samples(lamp_at, lamp_colour, sky_from, sky_colour, clip, lookup, tiles)


def _lamp_points(lamps: tuple[Lamp, ...]) -> tuple[Array, Array]:
    """Points spread over each lamp's disc by the golden angle, and the light each gives."""
    share = [NK // max(len(lamps), 1)] * len(lamps)
    if lamps:
        share[0] += NK - sum(share)
    at, colour = [], []
    for lamp, count in zip(lamps, share, strict=True):
        centre = np.array(lamp.position)
        way = centre / np.linalg.norm(centre)
        side = np.cross(way, [0.36, 0.48, 0.8])
        side /= np.linalg.norm(side)
        other = np.cross(way, side)
        for i in range(count):
            r = lamp.radius * np.sqrt((i + 0.5) / count)
            a = i * 2.39996
            at.append(centre + r * (np.cos(a) * side + np.sin(a) * other))
            colour.append(np.array(lamp.power) / count)
    if not lamps:
        return np.tile([0.0, 0.0, 1500.0], (NK, 1)), np.zeros((NK, 3))
    return np.array(at), np.array(colour)


def _dome() -> Array:
    """Directions spread over the upper half, denser overhead as the cosine wants."""
    i = np.arange(ND)
    z = np.sqrt(1 - (i + 0.5) / ND * 0.96)
    turn = i * 2.39996
    r = np.sqrt(1 - z * z)
    return np.stack([r * np.cos(turn), r * np.sin(turn), z], axis=1)


def _sky_colour(light: Light, ways: Array) -> Array:
    """Light from each sky direction, so that an open level floor gets about the sky's mean."""
    z = ways[:, 2:]
    colour = np.array(light.zenith) * z + np.array(light.horizon) * (1 - z)
    azimuth = np.radians(light.side_azimuth_deg)
    toward = ways[:, :1] * np.cos(azimuth) + ways[:, 1:2] * np.sin(azimuth)
    colour = colour + np.array(light.side) * np.clip(toward, 0, 1) * 2
    return np.asarray(colour / (z.sum() * 0.9 + 0.1 * ND))


def _light_clip(at: Array, receivers: Array) -> Array:
    """Clip matrix of an off-axis perspective from a point that just holds the receivers."""
    forward = receivers.mean(axis=0) - at
    forward /= np.linalg.norm(forward)
    side = np.cross(forward, [0.29, 0.91, 0.29])
    side /= np.linalg.norm(side)
    down = np.cross(forward, side)
    rotation = np.stack([side, down, forward])
    q = (receivers - at) @ rotation.T
    depth = np.maximum(q[:, 2], 1.0)
    slope = q[:, :2] / depth[:, None]
    low, high = slope.min(axis=0), slope.max(axis=0)
    pad = 0.04 * (high - low) + 1e-4
    low, high = low - pad, high + pad
    near = max(5.0, float(depth.min()) - 450.0, float(depth.min()) * 0.15)
    far = float(depth.max()) * 1.02 + 20.0
    w, h = high - low
    p = np.array(
        [
            [2 / w, 0, -(high[0] + low[0]) / w, 0],
            [0, 2 / h, -(high[1] + low[1]) / h, 0],
            [0, 0, (far + near) / (far - near), -2 * far * near / (far - near)],
            [0, 0, 1, 0],
        ]
    )
    view = np.eye(4)
    view[:3, :3] = rotation
    view[:3, 3] = -rotation @ at
    return np.asarray(p @ view)
