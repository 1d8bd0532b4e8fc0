"""OpenGL without a screen: the context, the programs, the pictures drawn into, and how to hand data over."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from models.render import symbols
from models.render.die_shader import DIE_FRAGMENT, DIE_VERTEX
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

Array = npt.NDArray[np.float64]

TEXTURE_UNITS = {"atlas": 0, "colours": 1, "slopes": 2, "emblems": 3, "cookie": 4, "flooded": 5}
"""Which texture each sampler of the programs reads."""

KEPT_TARGETS = 2
"""Picture sizes whose buffers stay allocated."""

NO_EGL = (
    "No OpenGL without a screen here: install the Debian packages libegl1 and libgl1-mesa-dri, "
    "and the Python package moderngl."
)


class NoGraphics(RuntimeError):
    """OpenGL cannot be had on this machine; the message says what to install."""


class Gpu:
    """A context with all programs compiled; `samples` smooths edges (0 for none)."""

    def __init__(self, samples: int) -> None:
        try:
            import moderngl

            gl: Any = moderngl
            self.ctx: Any = gl.create_context(standalone=True, backend="egl", require=330)
        except Exception as error:
            raise NoGraphics(NO_EGL) from error
        self.ctx.gc_mode = "auto"
        self.samples = min(samples, int(self.ctx.max_samples))
        self.depth_only, self.depth_and_front = gl.DEPTH_TEST, gl.DEPTH_TEST | gl.CULL_FACE
        self.ctx.front_face = "cw"
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
        self.atlas.filter = (gl.LINEAR, gl.LINEAR)
        self.atlas_target = self.ctx.framebuffer(depth_attachment=self.atlas)
        emblems = symbols.atlas()
        self.emblems = self.ctx.texture((emblems.shape[1], emblems.shape[0]), 1, emblems.tobytes())
        self.atlas.use(TEXTURE_UNITS["atlas"])
        self.emblems.use(TEXTURE_UNITS["emblems"])
        self._targets: dict[tuple[int, int], tuple[Any, Any, Any]] = {}

    @property
    def lit_programs(self) -> tuple[Any, ...]:
        """The programs that need to know the light."""
        return self.flood, self.ground, self.die, self.clear_die, self.solid

    def texture(self, plane: npt.NDArray[np.uint8]) -> Any:
        """A texture (H, W) or (H, W, C) that does not repeat."""
        parts = plane.shape[2] if plane.ndim == 3 else 1
        made = self.ctx.texture((plane.shape[1], plane.shape[0]), parts, plane.tobytes(), alignment=1)
        made.repeat_x = made.repeat_y = False
        return made

    def triangles(
        self,
        program: Any,
        rows: Array,
        layout: str,
        names: Sequence[str],
        tris: npt.NDArray[np.int32] | None = None,
    ) -> None:
        """Draw rows of vertices as triangles, in order or as `tris` (M, 3) says."""
        buffer = self.ctx.buffer(np.ascontiguousarray(rows, "f4").tobytes())
        index = None if tris is None else self.ctx.buffer(np.ascontiguousarray(tris, "i4").tobytes())
        array = self.ctx.vertex_array(program, [(buffer, layout, *names)], index_buffer=index)
        array.render()
        array.release()
        buffer.release()
        if index is not None:
            index.release()

    def depths(self, batches: Sequence[Array], clips: Sequence[Array], tiles: Sequence[tuple[int, int, int]]) -> None:
        """Fill the atlas: every tile (x, y, side) sees the first batch of triangle corners (N, 3),
        every second tile the other batches too, which therefore cast half a shadow."""
        self.atlas_target.use()
        self.ctx.enable_only(self.depth_only)
        self.atlas_target.viewport = (0, 0, *ATLAS)
        self.atlas_target.clear(depth=1.0)
        arrays = []
        for number, batch in enumerate(batches):
            if len(batch):
                buffer = self.ctx.buffer(batch.astype("f4").tobytes())
                arrays.append((number, self.ctx.vertex_array(self.shadow, [(buffer, "3f", "at")]), buffer))
        for i, (clip, (x, y, side)) in enumerate(zip(clips, tiles, strict=True)):
            self.atlas_target.viewport = (x, y, side, side)
            write(self.shadow, "M", clip.T)
            for number, array, _ in arrays:
                if number == 0 or i % 2 == 0:
                    array.render()
        for _, array, buffer in arrays:
            array.release()
            buffer.release()

    def targets(self, size: tuple[int, int]) -> tuple[Any, Any, Any]:
        """What to draw into (width, height): smoothed, plain, and coarse of half the size."""
        if size not in self._targets:
            if len(self._targets) > KEPT_TARGETS:
                for group in self._targets.values():
                    for one in set(group):
                        _release(one)
                self._targets.clear()
            make, ctx = self.ctx.framebuffer, self.ctx
            plain = make([ctx.renderbuffer(size, 4, dtype="f2")], ctx.depth_renderbuffer(size))
            smooth, n = plain, self.samples
            if n:
                smooth = make(
                    [ctx.renderbuffer(size, 4, samples=n, dtype="f2")], ctx.depth_renderbuffer(size, samples=n)
                )
            half = (max(size[0] // 2, 1), max(size[1] // 2, 1))
            light = ctx.texture(half, 4, dtype="f2")
            light.repeat_x = light.repeat_y = False
            self._targets[size] = (smooth, plain, make([light], ctx.depth_renderbuffer(half)))
        return self._targets[size]

    def read_ids(self, size: tuple[int, int], clip: Array, rows: Array) -> npt.NDArray[np.float32]:
        """A picture (H, W) of the numbers in the fourth column of triangle corners (N, 4); 0 where nothing is."""
        ctx = self.ctx
        frame = ctx.framebuffer([ctx.renderbuffer(size, 1, dtype="f4")], ctx.depth_renderbuffer(size))
        frame.use()
        ctx.enable_only(self.depth_only)
        frame.clear(depth=1.0)
        write(self.ids, "M", clip.T)
        if len(rows):
            self.triangles(self.ids, rows, "3f 1f", ("at", "id"))
        out = np.frombuffer(frame.read(components=1, dtype="f4"), np.float32).reshape(size[1], size[0])
        _release(frame)
        return out


def _release(frame: Any) -> None:
    for part in (*frame.color_attachments, frame.depth_attachment, frame):
        part.release()


def write(program: Any, name: str, value: npt.NDArray[Any]) -> None:
    """Write a uniform as far as the program uses it; matrices come transposed."""
    if name in program:
        member = program[name]
        used = member.array_length * member.dimension
        member.write(np.ascontiguousarray(value, "f4").ravel()[:used].tobytes())
