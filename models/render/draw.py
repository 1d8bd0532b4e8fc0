"""Draw a scene: `Renderer().draw(scene)` gives the picture and its labels.

OpenGL without a screen: shadow maps for every light sample, then ground, dice and solids with one lighting model.
"""

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from models.render import film as filming
from models.render import labels, shapes, symbols
from models.render.camera import Camera
from models.render.die_shader import DIE_FRAGMENT, DIE_VERTEX
from models.render.lights import Samples, sample_lights
from models.render.scene import Die, DieLook, Scene
from models.render.shaders import (
    ATLAS,
    FLOODED_FRAGMENT,
    GROUND_FRAGMENT,
    GROUND_VERTEX,
    ID_FRAGMENT,
    ID_VERTEX,
    SHADOW_FRAGMENT,
    SHADOW_VERTEX,
    SOLID_FRAGMENT,
    SOLID_VERTEX,
)
from models.render.solids import all_solids
from models.render.surface import STEEPEST, Surface, build_surface, cookie

Array = npt.NDArray[np.float64]
Plane = npt.NDArray[np.float32]
Picture = npt.NDArray[np.uint8]
Rect = tuple[int, int, int, int]

QUALITIES = {"fast": (1.0, 0), "normal": (1.0, 4), "high": (2.0, 4)}
"""Supersampling and samples a pixel on edges."""

FLOOD_LAYOUT = ("3f 3f 12x", ("at", "normal"))
GROUND_LAYOUT = ("3f 3f 2f 1f", ("at", "normal", "paint", "wall"))

NO_EGL = (
    "No OpenGL without a screen here: install the Debian packages libegl1 and libgl1-mesa-dri, "
    "and the Python package moderngl."
)


class NoGraphics(RuntimeError):
    """OpenGL cannot be had on this machine; the message says what to install."""


@dataclasses.dataclass
class _Body:
    """A die's geometry in the world."""

    die: Die
    local: Array
    world: Array
    tris: npt.NDArray[np.int32]
    face: Array


class Renderer:
    """Draws scenes; keep one and reuse it.

    >>> from models.render.scene import sample_scene
    >>> rng = np.random.default_rng(1)
    >>> picture, record = Renderer().draw(sample_scene(rng, "closeup"))  # doctest: +SKIP
    """

    def __init__(self, quality: str = "normal") -> None:
        try:
            import moderngl

            gl: Any = moderngl
            self.ctx: Any = gl.create_context(standalone=True, backend="egl", require=330)
        except Exception as error:
            raise NoGraphics(NO_EGL) from error
        self.ctx.gc_mode = "auto"
        self.gl: Any = gl
        self.scale, self.samples = QUALITIES[quality]
        self.samples = min(self.samples, int(self.ctx.max_samples))
        make = self.ctx.program
        self.shadow = make(vertex_shader=SHADOW_VERTEX, fragment_shader=SHADOW_FRAGMENT)
        self.ground = make(vertex_shader=GROUND_VERTEX, fragment_shader=GROUND_FRAGMENT)
        self.flood = make(vertex_shader=GROUND_VERTEX, fragment_shader=FLOODED_FRAGMENT)
        self.solid = make(vertex_shader=SOLID_VERTEX, fragment_shader=SOLID_FRAGMENT)
        self.die = make(vertex_shader=DIE_VERTEX, fragment_shader=DIE_FRAGMENT)
        clear = DIE_FRAGMENT.replace("#version 330", "#version 330\n#define CLEAR", 1)
        self.clear_die = make(vertex_shader=DIE_VERTEX, fragment_shader=clear)
        self.ids = make(vertex_shader=ID_VERTEX, fragment_shader=ID_FRAGMENT)
        self.atlas = self.ctx.depth_texture(ATLAS)
        self.atlas.compare_func = "<="
        self.atlas.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self.atlas_target = self.ctx.framebuffer(depth_attachment=self.atlas)
        emblems = symbols.atlas()
        self.emblems = self.ctx.texture((emblems.shape[1], emblems.shape[0]), 1, emblems.tobytes())
        self.targets: dict[tuple[int, int], tuple[Any, Any, Any]] = {}
        self.mask: Any = None
        self.mask_key: object = None
        self.surface_key: object = None
        self.surface: Surface | None = None
        self.surface_textures: list[Any] = []
        self.meshes: dict[tuple[float, float, int], tuple[Array, npt.NDArray[np.int32], Array]] = {}

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
        rect = rect or (0, 0, camera.width, camera.height)
        window = _undistorted_window(camera, rect)
        bodies = [self._body(die, scene.camera) for die in scene.dice]
        whole = _undistorted_window(camera, (0, 0, camera.width, camera.height))
        clip, _ = _view(scene, window)
        _, receivers = _view(scene, whole)  # of the whole, so that a rectangle is a crop of the picture
        surface = self._surface(scene, receivers)
        light = sample_lights(scene.light, receivers)
        self._shadows(scene, bodies, light)
        size = (round(window[2] * self.scale), round(window[3] * self.scale))
        target, plain, coarse = self._target(size)
        self._mask(scene)
        for program in (self.flood, self.ground, self.die, self.clear_die, self.solid):
            self._light_uniforms(program, scene, light, surface, clip)
        self.ctx.enable_only(self.gl.DEPTH_TEST)
        coarse.use()
        coarse.clear(depth=1.0)
        self._render(self.flood, _ground(scene), *FLOOD_LAYOUT)
        target.use()
        target.clear(0.0, 0.0, 0.0, 1.0, depth=1.0)
        self._draw_dice(bodies, scene, surface)
        coarse.color_attachments[0].use(5)
        _set(self.ground, "screen", np.array(size))
        self._render(self.ground, _ground(scene), *GROUND_LAYOUT)
        solid = _solids(scene)
        if len(solid):
            self._render(self.solid, solid, "3f 3f 3f 2f", ("at", "normal", "colour", "finish"))
        if target is not plain:
            self.ctx.copy_framebuffer(plain, target)
        raw = np.frombuffer(plain.read(components=4, dtype="f2"), np.float16)
        picture = np.ascontiguousarray(raw.reshape(size[1], size[0], 4)[..., :3], np.float32)
        picture = np.nan_to_num(picture, copy=False, nan=0.0, posinf=60.0, neginf=0.0)
        return filming.bend(picture, camera, (window[0], window[1]), self.scale, rect)

    def record(self, scene: Scene) -> dict[str, Any]:
        """The labels of the whole picture."""
        bodies = [self._body(die, scene.camera) for die in scene.dice]
        shares = self._visible(scene, bodies)
        dice = [labels.die_record(scene, b.die, b.world, s) for b, s in zip(bodies, shares, strict=True)]
        return labels.picture_record(scene, dice)

    def id_buffer(self, scene: Scene) -> npt.NDArray[np.int32]:
        """Undistorted picture of numbers: 0 ground, else 1 + 6 * index of the die + index of its side."""
        return self._id_buffer(scene, [self._body(die, scene.camera) for die in scene.dice])

    def _body(self, die: Die, camera: Camera) -> _Body:
        away = float(np.linalg.norm(np.array(die.position) - np.array(camera.position)))
        die_px = die.edge_mm * camera.focal / away * self.scale
        fine = min(int(die_px / 24), 3)
        key = (die.look.corner, die.look.sphere, fine)
        if key not in self.meshes:
            if len(self.meshes) > 64:
                self.meshes.clear()
            flat = 1 if die.look.sphere > 1.7 else 3 + 2 * fine
            self.meshes[key] = shapes.die_mesh(die.look, flat, 2 + (fine > 1))
        local, tris, face = self.meshes[key]
        return _Body(die, local, labels.to_world(die, local), tris, face)

    def _surface(self, scene: Scene, receivers: Array) -> Surface:
        key = (scene.ground, scene.board, scene.clutter, scene.camera)
        if key == self.surface_key and self.surface is not None:
            return self.surface
        low, high = receivers.min(axis=0), receivers.max(axis=0)
        mm = max(
            abs(scene.camera.position[2]) / scene.camera.focal / self.scale * 1.1,
            float((high - low).max()) / 1450,
        )
        surface = build_surface(scene, (float(low[0]), float(low[1])), (float(high[0]), float(high[1])), mm)
        for texture in self.surface_textures:
            texture.release()
        self.surface_textures = []
        for plane in (surface.colours, surface.slopes):
            texture = self.ctx.texture(plane.shape[1::-1], plane.shape[2], plane.tobytes(), alignment=1)
            texture.repeat_x = texture.repeat_y = False
            self.surface_textures.append(texture)
        self.surface_key, self.surface = key, surface
        return surface

    def _shadows(self, scene: Scene, bodies: list[_Body], light: Samples) -> None:
        """Fill the atlas: depth of everything as seen from every light sample."""
        solid = [shapes.shadow_mesh(b.die) for b in bodies]
        clear = [s for s, b in zip(solid, bodies, strict=True) if b.die.look.translucency > 0.3]
        dense = [s for s, b in zip(solid, bodies, strict=True) if b.die.look.translucency <= 0.3]
        dense.append(_occluders(scene))
        batches = [np.concatenate(part) if part else np.zeros((0, 3)) for part in (dense, clear)]
        self.atlas_target.use()
        self.ctx.enable_only(self.gl.DEPTH_TEST)
        self.atlas_target.viewport = (0, 0, *ATLAS)
        self.atlas_target.clear(depth=1.0)
        arrays = []
        for batch in batches:
            if len(batch):
                buffer = self.ctx.buffer(batch.astype("f4").tobytes())
                arrays.append((self.ctx.vertex_array(self.shadow, [(buffer, "3f", "at")]), buffer))
            else:
                arrays.append((None, None))
        for i, (clip, tile) in enumerate(zip(light.clip, light.tiles, strict=True)):
            self.atlas_target.viewport = (tile[0], tile[1], tile[2], tile[2])
            _set(self.shadow, "M", clip.T)
            for part, (array, _) in enumerate(arrays):
                if array is not None and (part == 0 or i % 2 == 0):
                    array.render()
        for array, buffer in arrays:
            if array is not None:
                array.release()
                buffer.release()

    def _light_uniforms(self, program: Any, scene: Scene, light: Samples, surface: Surface, clip: Array) -> None:
        k, s = len(light.lamp_at), scene.light
        _set(program, "M", clip.T)
        _set(program, "KM", np.array([m.T for m in light.lookup[:k]]))
        _set(program, "DM", np.array([m.T for m in light.lookup[k:]]))
        _set(program, "KP", light.lamp_at)
        _set(program, "KC", light.lamp_colour)
        _set(program, "DD", light.sky_from)
        _set(program, "DC", light.sky_colour)
        _set(program, "eye", np.array(scene.camera.position))
        total = light.lamp_colour.sum(axis=0) * 0.7 + np.array(s.zenith)
        _set(program, "bounce", np.array(surface.mean) * total)
        _set(program, "ambient", total)
        _set(program, "zenith", np.array(s.zenith))
        _set(program, "horizon", np.array(s.horizon))
        windows = np.zeros((4, 4))
        windows[:, 3] = 9.0
        colours = np.zeros((4, 3))
        for i, (x, y, z, cosine, power) in enumerate(s.mirrored[:4]):
            windows[i], colours[i] = (x, y, z, cosine), power
        _set(program, "windows", windows)
        _set(program, "window_colour", colours)
        _set(
            program,
            "cookie_at",
            np.array([-s.cookie_size / 2, -s.cookie_size / 2, 1 / s.cookie_size, s.cookie_dark]),
        )
        _set(program, "window", np.array([surface.x, surface.y, 1 / surface.width, 1 / surface.height]))
        _set(program, "steep", np.array([STEEPEST]))
        self.atlas.use(0)
        self.surface_textures[0].use(1)
        self.surface_textures[1].use(2)
        self.emblems.use(3)
        for name, unit in (("atlas", 0), ("colours", 1), ("slopes", 2), ("emblems", 3), ("cookie", 4), ("flooded", 5)):
            if name in program:
                program[name].value = unit

    def _mask(self, scene: Scene) -> None:
        """Bind what stands in the light as a texture."""
        key = (scene.light.cookie, scene.light.cookie_seed)
        if key != self.mask_key:
            if self.mask is not None:
                self.mask.release()
            plane = cookie(*key)
            self.mask = self.ctx.texture((plane.shape[1], plane.shape[0]), 1, plane.tobytes())
            self.mask.repeat_x = self.mask.repeat_y = False
            self.mask_key = key
        self.mask.use(4)

    def _draw_dice(self, bodies: list[_Body], scene: Scene, surface: Surface) -> None:
        self.ctx.enable_only(self.gl.DEPTH_TEST | self.gl.CULL_FACE)
        self.ctx.front_face = "cw"
        for body in bodies:
            program = self.clear_die if body.die.look.translucency > 0 else self.die
            _die_uniforms(program, body.die, scene.camera)
            self._render(program, body.local, "3f", ("local",), body.tris)
        self.ctx.enable_only(self.gl.DEPTH_TEST)

    def _render(
        self,
        program: Any,
        rows: Array,
        layout: str,
        names: Sequence[str],
        tris: npt.NDArray[np.int32] | None = None,
    ) -> None:
        buffer = self.ctx.buffer(np.ascontiguousarray(rows, "f4").tobytes())
        index = None if tris is None else self.ctx.buffer(np.ascontiguousarray(tris, "i4").tobytes())
        array = self.ctx.vertex_array(program, [(buffer, layout, *names)], index_buffer=index)
        array.render()
        array.release()
        buffer.release()
        if index is not None:
            index.release()

    def _target(self, size: tuple[int, int]) -> tuple[Any, Any, Any]:
        if size not in self.targets:
            if len(self.targets) > 6:
                for group in self.targets.values():
                    for one in set(group):
                        for part in (*one.color_attachments, one.depth_attachment, one):
                            part.release()
                self.targets.clear()
            plain = self.ctx.framebuffer(
                [self.ctx.renderbuffer(size, 4, dtype="f2")], self.ctx.depth_renderbuffer(size)
            )
            target = plain
            if self.samples:
                target = self.ctx.framebuffer(
                    [self.ctx.renderbuffer(size, 4, samples=self.samples, dtype="f2")],
                    self.ctx.depth_renderbuffer(size, samples=self.samples),
                )
            half = (max(size[0] // 2, 1), max(size[1] // 2, 1))
            light = self.ctx.texture(half, 4, dtype="f2")
            light.repeat_x = light.repeat_y = False
            coarse = self.ctx.framebuffer([light], self.ctx.depth_renderbuffer(half))
            self.targets[size] = (target, plain, coarse)
        return self.targets[size]

    def _id_buffer(self, scene: Scene, bodies: list[_Body]) -> npt.NDArray[np.int32]:
        camera = scene.camera
        window = _undistorted_window(camera, (0, 0, camera.width, camera.height))
        clip, _ = _view(scene, window)
        size = (round(window[2]), round(window[3]))
        frame = self.ctx.framebuffer([self.ctx.renderbuffer(size, 1, dtype="f4")], self.ctx.depth_renderbuffer(size))
        frame.use()
        self.ctx.enable_only(self.gl.DEPTH_TEST)
        frame.clear(depth=1.0)
        _set(self.ids, "M", clip.T)
        rows = []
        for i, b in enumerate(bodies):
            corner = b.tris.ravel()
            rows.append(np.column_stack([b.world[corner], 1 + 6 * i + b.face[corner]]))
        others = _occluders(scene)
        rows.append(np.column_stack([others, np.zeros(len(others))]))
        if rows:
            self._render(self.ids, np.concatenate(rows), "3f 1f", ("at", "id"))
        out = np.frombuffer(frame.read(components=1, dtype="f4"), np.float32).reshape(size[1], size[0])
        for attachment in (*frame.color_attachments, frame.depth_attachment):
            attachment.release()
        frame.release()
        return np.asarray(np.rint(out), np.int32)

    def _visible(self, scene: Scene, bodies: list[_Body]) -> list[float]:
        """Share of each die's top face that nothing hides and that lies in the picture."""
        if not bodies:
            return []
        seen = np.bincount(self._id_buffer(scene, bodies).ravel(), minlength=1 + 6 * len(bodies))
        shares = []
        for i, b in enumerate(bodies):
            side = labels.top_side(b.die)
            q = scene.camera.project_pinhole(b.world)
            t = q[b.tris[b.face[b.tris[:, 0]] == side]]
            area = _front_area(t)
            shares.append(float(np.clip(seen[1 + 6 * i + side] / max(area, 1.0), 0, 1)))
        return shares


def _front_area(triangles: Array) -> float:
    """Area in px² of those of a side's projected triangles (M, 3, 2) that face the camera."""
    d1, d2 = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    signed = (d1[:, 0] * d2[:, 1] - d1[:, 1] * d2[:, 0]) / 2
    facing = np.sign(signed.sum())
    return float(np.maximum(signed * facing, 0).sum())


def _ground(scene: Scene) -> Array:
    return shapes.ground_rows(scene.board, scene.clutter, scene.camera.position[0], scene.camera.position[1])


def _solids(scene: Scene) -> Array:
    return all_solids(scene.clutter, scene.hand)


def _occluders(scene: Scene) -> Array:
    """Triangle corners (N, 3) of everything but dice that hides or shades: board, clutter, hand."""
    parts = [_solids(scene)[:, :3]]
    if scene.board is not None or scene.clutter:
        parts.append(_ground(scene)[:, :3])
    return np.concatenate(parts)


def _undistorted_window(camera: Camera, rect: Rect) -> tuple[float, float, float, float]:
    """The upright undistorted rectangle that holds a rectangle of the picture, whole pixels."""
    x, y, w, h = rect
    if camera.k1 == 0:
        return float(x), float(y), float(w), float(h)
    t = np.linspace(0, 1, 17)
    border = np.concatenate([np.stack([t * w + x, np.full(17, v)], axis=1) for v in (y, y + h)])
    border = np.concatenate([border, *(np.stack([np.full(17, u), t * h + y], axis=1) for u in (x, x + w))])
    flat = camera.undistort(border)
    low, high = np.floor(flat.min(axis=0)) - 1, np.ceil(flat.max(axis=0)) + 1
    size = np.ceil((high - low) / 16) * 16
    return float(low[0]), float(low[1]), float(size[0]), float(size[1])


def _view(scene: Scene, window: tuple[float, float, float, float]) -> tuple[Array, Array]:
    """Clip matrix of the window and the world points that bound what it can see."""
    x, y, w, h = window
    corners = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
    lowest = -scene.board.base if scene.board else 0.0
    highest = max([scene.board.rim_height if scene.board else 0.0] + [d.position[2] + d.edge_mm for d in scene.dice])
    solid = _solids(scene)
    highest = max(highest, float(solid[:, 2].max()) if len(solid) else 0.0)
    highest = min(highest, scene.camera.position[2] * 0.6)
    points = np.concatenate([scene.camera.on_plane(corners, z) for z in (lowest, highest)])
    far = float(np.linalg.norm(points - np.array(scene.camera.position), axis=1).max())
    near = max(20.0, (scene.camera.position[2] - highest) * 0.25)
    return scene.camera.clip_matrix(x, y, w, h, near, far * 1.3), points


def _die_uniforms(program: Any, die: Die, camera: Camera) -> None:
    look: DieLook = die.look
    half = die.edge_mm / 2
    model = np.eye(4)
    model[:3, :3] = np.array(die.rotation) * half
    model[:3, 3] = die.position
    away = float(np.linalg.norm(np.array(die.position) - np.array(camera.position)))
    pixel = 0.75 * away / camera.focal / half
    wave = look.seed % 997 / 41.0
    _set(program, "pose", model.T)
    _set(program, "shape", np.array([look.corner, look.sphere, half, pixel]))
    for name, colour in (("base", look.base), ("second", look.second), ("speck", look.speck)):
        _set(program, name, _linear(colour))
    _set(program, "pattern_scale", np.array(look.pattern_scale))
    _set(program, "pattern", np.array([*look.pattern_range, look.pattern_mix, look.pattern_warp]))
    _set(program, "pattern2", np.array([look.speck_scale, look.speck_share, look.rings, wave]))
    _set(program, "finish", np.array([look.roughness, look.gloss, look.translucency, look.pip_wear]))
    _set(program, "pip_finish", np.array([look.pip_depth, look.pip_gloss, look.pip_metal, look.symbol_size]))
    _set(program, "disc", np.array([*_linear(look.disc_colour), look.disc]))
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
    _set(program, "pips", pips)
    _set(program, "marks", marks)
    _set(program, "pip_colour", colours)


def _linear(colour: tuple[float, float, float]) -> Array:
    return np.asarray(np.array(colour, np.float64) ** 2.2)


def _set(program: Any, name: str, value: npt.NDArray[Any]) -> None:
    """Write a uniform as far as the program uses it; matrices come transposed."""
    if name in program:
        member = program[name]
        used = member.array_length * member.dimension
        member.write(np.ascontiguousarray(value, "f4").ravel()[:used].tobytes())
