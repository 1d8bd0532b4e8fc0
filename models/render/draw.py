"""Draw a scene: `Renderer().draw(scene)` gives the picture and its labels.

Shadow maps for every light sample first, then ground, dice and solids with one lighting model.
"""

import dataclasses
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.render import film as filming
from models.render import labels, shapes, view
from models.render.camera import Camera
from models.render.gpu import TEXTURE_UNITS, Gpu, NoGraphics, write
from models.render.lights import sample_lights
from models.render.scene import Die, Scene
from models.render.surface import Surface, build_surface, cookie
from models.render.uniforms import tell_die, tell_light
from models.render.view import Rect

Array = npt.NDArray[np.float64]
Plane = npt.NDArray[np.float32]
Picture = npt.NDArray[np.uint8]

QUALITIES = {"fast": (1.0, 0), "normal": (1.0, 4), "high": (2.0, 4)}
"""Supersampling and samples a pixel on edges."""

FLOOD_LAYOUT = ("3f 3f 12x", ("at", "normal"))
GROUND_LAYOUT = ("3f 3f 2f 1f", ("at", "normal", "paint", "wall"))
SOLID_LAYOUT = ("3f 3f 3f 2f", ("at", "normal", "colour", "finish"))

TEXELS_A_PIXEL = 0.8
"""How finely the level world is woven, seen from above its middle."""

LARGEST_SURFACE = 1450
"""Longest side of the woven level world, in texels."""

CLEAR_ABOVE = 0.3
"""Dice more translucent than this cast half a shadow."""


@dataclasses.dataclass
class _Body:
    """A die's geometry in the world."""

    die: Die
    local: Array
    world: Array
    tris: npt.NDArray[np.int32]
    face: Array


class Renderer:
    """Draws scenes; keep one and reuse it. Raises NoGraphics where OpenGL is missing.

    >>> from models.render.scene import sample_scene
    >>> rng = np.random.default_rng(1)
    >>> picture, record = Renderer().draw(sample_scene(rng, "closeup"))  # doctest: +SKIP
    """

    def __init__(self, quality: str = "normal") -> None:
        self.scale, samples = QUALITIES[quality]
        self.gpu = Gpu(samples)
        self._mask: tuple[object, Any] = (None, None)
        self._surface_key: object = None
        self._surface: Surface | None = None
        self._surface_textures: list[Any] = []
        self._meshes: dict[tuple[float, float, int], tuple[Array, npt.NDArray[np.int32], Array]] = {}

    def draw(self, scene: Scene, rect: Rect | None = None, frame: int = 0) -> tuple[Picture, dict[str, Any]]:
        """The picture (H, W, 3) BGR, or its rectangle x, y, w, h, and the record of the whole picture.

        `frame` varies the camera's noise only.
        """
        linear = self.linear(scene, rect)
        return self.develop(scene, linear, rect, frame), self.record(scene)

    def develop(self, scene: Scene, linear: Plane, rect: Rect | None = None, frame: int = 0) -> Picture:
        """The picture that the scene's camera makes of linear light; average several first for motion blur."""
        camera = scene.camera
        x, y, _, _ = rect or (0, 0, camera.width, camera.height)
        rng = np.random.default_rng([scene.seed, 11, frame])
        cx, cy = camera.principal
        diagonal = float(np.hypot(camera.width, camera.height))
        return filming.develop(linear, scene.film, rng, (cx - x, cy - y), diagonal, y)

    def linear(self, scene: Scene, rect: Rect | None = None) -> Plane:
        """Linear RGB light (H, W, 3) in the picture, lens included, before exposure and noise."""
        camera = scene.camera
        full = (0, 0, camera.width, camera.height)
        rect = rect or full
        window = view.undistorted_window(camera, rect)
        clip, _ = view.view(scene, window)
        # receivers of the whole picture, so that a rectangle is a crop of it
        _, receivers = view.view(scene, view.undistorted_window(camera, full))
        bodies = [self._body(die, camera) for die in scene.dice]
        size = (round(window[2] * self.scale), round(window[3] * self.scale))
        gpu = self.gpu
        smooth, plain, coarse = gpu.targets(size)
        surface = self._woven(scene, receivers)
        self._stand_in_light(scene)
        light = sample_lights(scene.light, receivers)
        gpu.depths(_casters(scene), light.clip, light.tiles)
        for program in gpu.lit_programs:
            tell_light(program, scene, light, surface, clip)
        gpu.ctx.enable_only(gpu.depth_only)
        ground, solid = view.ground(scene), view.solids(scene)
        coarse.use()
        coarse.clear(depth=1.0)
        gpu.triangles(gpu.flood, ground, *FLOOD_LAYOUT)
        smooth.use()
        smooth.clear(0.0, 0.0, 0.0, 1.0, depth=1.0)
        gpu.ctx.enable_only(gpu.depth_and_front)
        for body in bodies:
            program = gpu.clear_die if body.die.look.translucency > 0 else gpu.die
            tell_die(program, body.die, camera)
            gpu.triangles(program, body.local, "3f", ("local",), body.tris)
        gpu.ctx.enable_only(gpu.depth_only)
        coarse.color_attachments[0].use(TEXTURE_UNITS["flooded"])
        write(gpu.ground, "screen", np.array(size))
        gpu.triangles(gpu.ground, ground, *GROUND_LAYOUT)
        if len(solid):
            gpu.triangles(gpu.solid, solid, *SOLID_LAYOUT)
        if smooth is not plain:
            gpu.ctx.copy_framebuffer(plain, smooth)
        raw = np.frombuffer(plain.read(components=4, dtype="f2"), np.float16)
        light_seen = np.ascontiguousarray(raw.reshape(size[1], size[0], 4)[..., :3], np.float32)
        light_seen = np.nan_to_num(light_seen, copy=False, nan=0.0, posinf=60.0, neginf=0.0)
        return filming.bend(light_seen, camera, (window[0], window[1]), self.scale, rect)

    def record(self, scene: Scene) -> dict[str, Any]:
        """The labels of the whole picture."""
        bodies = [self._body(die, scene.camera) for die in scene.dice]
        shares = self._visible(scene, bodies)
        dice = [labels.die_record(scene, b.die, b.world, s) for b, s in zip(bodies, shares, strict=True)]
        return labels.picture_record(scene, dice)

    def id_buffer(self, scene: Scene) -> npt.NDArray[np.int32]:
        """The picture in numbers (H, W): 0 for no die, else 1 + 6 * index of the die + index of its side."""
        return self._ids(scene, [self._body(die, scene.camera) for die in scene.dice])

    def _body(self, die: Die, camera: Camera) -> _Body:
        """The die's mesh, the finer the larger it is seen."""
        away = float(np.linalg.norm(np.array(die.position) - np.array(camera.position)))
        die_px = die.edge_mm * camera.focal / away * self.scale
        fine = min(int(die_px / 24), 3)
        key = (die.look.corner, die.look.sphere, fine)
        if key not in self._meshes:
            if len(self._meshes) > 64:
                self._meshes.clear()
            flat = 1 if die.look.sphere > 1.7 else 3 + 2 * fine
            self._meshes[key] = shapes.die_mesh(die.look, flat, 2 + (fine > 1))
        local, tris, face = self._meshes[key]
        return _Body(die, local, labels.to_world(die, local), tris, face)

    def _woven(self, scene: Scene, receivers: Array) -> Surface:
        """The level world as seen from above, woven once for scenes that share it, bound as textures."""
        key = (scene.ground, scene.board, scene.clutter, scene.camera)
        if key != self._surface_key or self._surface is None:
            low, high = receivers.min(axis=0), receivers.max(axis=0)
            pixel = abs(scene.camera.position[2]) / scene.camera.focal / self.scale
            mm = max(pixel / TEXELS_A_PIXEL, float((high - low)[:2].max()) / LARGEST_SURFACE)
            corners = ((float(low[0]), float(low[1])), (float(high[0]), float(high[1])))
            self._surface = build_surface(scene, *corners, mm)
            for texture in self._surface_textures:
                texture.release()
            planes = (self._surface.colours, self._surface.slopes)
            self._surface_textures = [self.gpu.texture(plane) for plane in planes]
            self._surface_key = key
        for texture, name in zip(self._surface_textures, ("colours", "slopes"), strict=True):
            texture.use(TEXTURE_UNITS[name])
        return self._surface

    def _stand_in_light(self, scene: Scene) -> None:
        """Bind the mask of what stands between lamp and table."""
        key = (scene.light.cookie, scene.light.cookie_seed)
        if key != self._mask[0]:
            if self._mask[1] is not None:
                self._mask[1].release()
            self._mask = (key, self.gpu.texture(cookie(*key)))
        self._mask[1].use(TEXTURE_UNITS["cookie"])

    def _ids(self, scene: Scene, bodies: list[_Body]) -> npt.NDArray[np.int32]:
        camera = scene.camera
        full = (0, 0, camera.width, camera.height)
        window = view.undistorted_window(camera, full)
        clip, _ = view.view(scene, window)
        rows = [np.column_stack([c := view.occluders(scene), np.zeros(len(c))])]
        for i, b in enumerate(bodies):
            corner = b.tris.ravel()
            rows.append(np.column_stack([b.world[corner], 1 + 6 * i + b.face[corner]]))
        flat = self.gpu.read_ids((round(window[2]), round(window[3])), clip, np.concatenate(rows))
        if camera.k1 != 0:
            at = camera.undistorted_grid(full) - np.array([window[0] + 0.5, window[1] + 0.5], np.float32)
            flat = np.asarray(cv2.remap(flat, at[..., 0], at[..., 1], cv2.INTER_NEAREST), np.float32)
        return np.asarray(np.rint(flat), np.int32)

    def _visible(self, scene: Scene, bodies: list[_Body]) -> list[float]:
        """Share of each die's top face that nothing hides and that lies in the picture."""
        if not bodies:
            return []
        seen = np.bincount(self._ids(scene, bodies).ravel(), minlength=1 + 6 * len(bodies))
        shares = []
        for i, b in enumerate(bodies):
            side = labels.top_side(b.die)
            q = scene.camera.project(b.world)
            area = _front_area(q[b.tris[b.face[b.tris[:, 0]] == side]])
            shares.append(float(np.clip(seen[1 + 6 * i + side] / max(area, 1.0), 0, 1)))
        return shares


def _casters(scene: Scene) -> list[Array]:
    """Triangle corners (N, 3) of what casts a whole shadow, and of clear dice, which cast half of one."""
    dense: list[Array] = [view.occluders(scene)]
    clear: list[Array] = [np.zeros((0, 3))]
    for die in scene.dice:
        (clear if die.look.translucency > CLEAR_ABOVE else dense).append(shapes.shadow_mesh(die))
    return [np.concatenate(dense), np.concatenate(clear)]


def _front_area(triangles: Array) -> float:
    """Area in px² of those of a side's projected triangles (M, 3, 2) that face the camera."""
    d1, d2 = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    signed = (d1[:, 0] * d2[:, 1] - d1[:, 1] * d2[:, 0]) / 2
    facing = np.sign(signed.sum())
    return float(np.maximum(signed * facing, 0).sum())


__all__ = ["QUALITIES", "NoGraphics", "Picture", "Plane", "Rect", "Renderer"]
