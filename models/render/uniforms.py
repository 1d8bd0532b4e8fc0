"""What the programs are told: the light of a scene, and a die's looks."""

from typing import Any

import numpy as np
import numpy.typing as npt

from models.render.camera import Camera
from models.render.gpu import TEXTURE_UNITS, write
from models.render.lights import Samples
from models.render.scene import Die, Light, Rgb, Scene
from models.render.surface import STEEPEST, Surface

Array = npt.NDArray[np.float64]
WINDOWS = 4
"""How many bright things the shaders mirror."""


def tell_light(program: Any, scene: Scene, light: Samples, surface: Surface, clip: Array) -> None:
    """Lamps, sky, room, what stands in the light, and the level world's textures."""
    k, s = len(light.lamp_at), scene.light
    write(program, "M", clip.T)
    write(program, "KM", np.array([m.T for m in light.lookup[:k]]))
    write(program, "DM", np.array([m.T for m in light.lookup[k:]]))
    write(program, "KP", light.lamp_at)
    write(program, "KC", light.lamp_colour)
    write(program, "DD", light.sky_from)
    write(program, "DC", light.sky_colour)
    write(program, "eye", np.array(scene.camera.position))
    total = light.lamp_colour.sum(axis=0) * 0.7 + np.array(s.zenith)
    write(program, "bounce", np.array(surface.mean) * total)
    write(program, "ambient", total)
    write(program, "zenith", np.array(s.zenith))
    write(program, "horizon", np.array(s.horizon))
    _tell_windows(program, s)
    write(
        program,
        "cookie_at",
        np.array([-s.cookie_size / 2, -s.cookie_size / 2, 1 / s.cookie_size, s.cookie_dark]),
    )
    write(program, "window", np.array([surface.x, surface.y, 1 / surface.width, 1 / surface.height]))
    write(program, "steep", np.array([STEEPEST]))
    for name, unit in TEXTURE_UNITS.items():
        if name in program:
            program[name].value = unit


def _tell_windows(program: Any, light: Light) -> None:
    """The bright things in the room: panes first, then round patches, four in all."""
    windows, colours = np.zeros((WINDOWS, 4)), np.zeros((WINDOWS, 3))
    windows[:, 3] = 9.0
    sides, forms = np.zeros((WINDOWS, 4)), np.ones((WINDOWS, 3))
    for i, pane in enumerate(light.panes[:WINDOWS]):
        way = np.array(pane.toward)
        right = np.cross(way, [0.36, 0.48, 0.8])
        right /= np.linalg.norm(right)
        a = np.radians(pane.turn_deg)
        right = np.cos(a) * right + np.sin(a) * np.cross(way, right)
        windows[i, :3], colours[i] = way, pane.power
        sides[i] = (*right, pane.width)
        forms[i] = pane.height / pane.width, pane.inner, pane.bars
    left = max(WINDOWS - len(light.panes), 0)
    for i, (x, y, z, cosine, power) in enumerate(light.mirrored[:left], start=len(light.panes)):
        windows[i], colours[i] = (x, y, z, cosine), power
    write(program, "window_count", np.array([min(len(light.panes[:WINDOWS]) + len(light.mirrored[:left]), WINDOWS)]))
    write(program, "windows", windows)
    write(program, "window_colour", colours)
    write(program, "window_side", sides)
    write(program, "window_form", forms)


def tell_die(program: Any, die: Die, camera: Camera) -> None:
    """A die's pose, shape, stuff and markings."""
    look = die.look
    half = die.edge_mm / 2
    model = np.eye(4)
    model[:3, :3] = np.array(die.rotation) * half
    model[:3, 3] = die.position
    away = float(np.linalg.norm(np.array(die.position) - np.array(camera.position)))
    pixel = 0.75 * away / camera.focal / half
    wave = look.seed % 997 / 41.0
    write(program, "pose", model.T)
    write(program, "shape", np.array([look.corner, look.sphere, half, pixel]))
    for name, colour in (("base", look.base), ("second", look.second), ("speck", look.speck)):
        write(program, name, _linear(colour))
    write(program, "pattern_scale", np.array(look.pattern_scale))
    write(program, "pattern", np.array([*look.pattern_range, look.pattern_mix, look.pattern_warp]))
    write(program, "pattern2", np.array([look.speck_scale, look.speck_share, look.rings, wave]))
    write(program, "finish", np.array([look.roughness, look.gloss, look.translucency, look.pip_wear]))
    write(program, "pip_finish", np.array([look.pip_depth, look.pip_gloss, look.pip_metal, look.symbol_size]))
    write(program, "disc", np.array([*_linear(look.disc_colour), look.disc]))
    write(program, "flakes", np.array([look.pearl, look.pearl_scale]))
    write(program, "tumbled", np.array([look.lip, look.lip_width, look.dome, look.dome_from]))
    write(program, "moulded", np.array([look.bevel, look.dish, look.core]))
    pips = np.zeros((36, 4))
    marks = np.zeros((6, 2))
    colours = np.zeros((6, 3))
    for side, value in enumerate(look.faces):
        symbol = look.symbols[value - 1]
        own = look.layout.pips[value - 1] if symbol < 0 else ()
        marks[side] = (len(own), symbol)
        colours[side] = _linear(look.pip_colours[value - 1])
        if own:
            pips[side * 6 : side * 6 + len(own)] = own
    write(program, "pips", pips)
    write(program, "marks", marks)
    write(program, "pip_colour", colours)


def _linear(colour: Rgb) -> Array:
    return np.asarray(np.array(colour, np.float64) ** 2.2)
