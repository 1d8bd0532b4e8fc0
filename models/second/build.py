"""The shot as a scene of Mitsuba 3: meshes, materials, lights and camera."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from models.second import grounds
from models.second.die_mesh import SIDES, die_mesh, split_pips
from models.second.lights import Lamp, Light
from models.second.noise import Field
from models.second.paint import Coat, coat, plain_coat
from models.second.rest import Die
from models.second.shot import Shot
from models.second.solid import Mesh, joined
from models.second.styles import Colour

TEXTURE_PX, SMALL_PX = 1024, 256
"""Side of the textures of felt, rim and table, and that for pictures less than `SMALL_BELOW` wide."""
SMALL_BELOW = 400
TABLE_MM = 700.0
"""The table's texture covers this square; it repeats mirrored."""
FINE, COARSE = 44, 12
"""Cells along a die's side: where it is seen from above, and where it is not."""
DEPTH, CLEAR_DEPTH = 4, 9
"""Bounces of light."""
ROWS = 16
"""Textures of many things hold a multiple of so many: Mitsuba compiles a kernel for each height."""
_FOUR = np.ones((2, 2, 1), np.float32)


class Builder:
    """Builds scenes with a Mitsuba whose variant is set."""

    def __init__(self, mitsuba: Any) -> None:
        self.mi = mitsuba

    def scene(self, shot: Shot, wide: int, high: int) -> Any:
        """The loaded scene; its pinhole picture is `wide` x `high` about the middle of the shot's."""
        return self.mi.load_dict(self._scene(shot, wide, high))

    def _scene(self, shot: Shot, wide: int, high: int) -> dict[str, Any]:
        transform = self.mi.ScalarTransform4f
        eye = shot.eye
        place, (_, down, forward) = np.array(eye.place), np.array(eye.axes)
        made: dict[str, Any] = {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": CLEAR_DEPTH if has_clear(shot) else DEPTH, "rr_depth": 4},
            "sensor": {
                "type": "perspective",
                "fov": float(np.degrees(2 * np.arctan(wide / 2 / eye.focal))),
                "fov_axis": "x",
                "near_clip": 10.0,
                "far_clip": 1e5,
                "to_world": transform().look_at(
                    origin=place.tolist(), target=(place + forward).tolist(), up=(-down).tolist()
                ),
                "film": {
                    "type": "hdrfilm",
                    "width": wide,
                    "height": high,
                    "pixel_format": "rgb",
                    "rfilter": {"type": "box"},
                },
                "sampler": {"type": "multijitter"},
            },
        }
        made.update(self._lights(shot.light))
        made.update(self._ground(shot))
        made.update(self._lot(shot))
        return made

    def _lights(self, light: Light) -> dict[str, Any]:
        transform = self.mi.ScalarTransform4f
        weight = 0.08 if light.by_room else 0.3  # of each lamp among what is asked for light
        made: dict[str, Any] = {
            "room": {
                "type": "envmap",
                "bitmap": self.mi.Bitmap(light.room()),
                "to_world": transform().rotate([1, 0, 0], 90),
                "sampling_weight": 1 - 2 * weight,
            }
        }
        # of Mitsuba's own rectangles the place would be compiled into the kernel
        for i, lamp in enumerate(light.lamps):
            radiance = {"type": "rgb", "value": list(lamp.radiance)}
            glow = {"type": "area", "radiance": radiance, "sampling_weight": weight}
            for k, half in enumerate(_halves(lamp) if len(light.lamps) == 1 else (_square(lamp),)):
                made[f"lamp{i}{k}"] = self._mesh(half, {"type": "diffuse"}, glow)
        return made

    def _ground(self, shot: Shot) -> dict[str, Any]:
        tray, table = shot.tray, shot.table
        size = SMALL_PX if shot.eye.width < SMALL_BELOW else TEXTURE_PX
        rng = np.random.default_rng(tray.seed)
        felt = grounds.felt(rng, tray.felt_colour, size, tray.wear)
        if tray.print_on:
            felt = grounds.printed(rng, felt)
        wooden = tray.timber != "painted"
        rim = grounds.rim(
            rng, tray.rim_colour, size, tray.angle_deg, wooden, tray.strokes, tray.rim_width * 2 / tray.across
        )
        top = grounds.TABLES[table.kind](np.random.default_rng(table.seed), table.colour, size)
        a = np.radians(table.turn_deg)
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float) * 2500
        uv = square @ np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) / TABLE_MM + 0.5
        plane = Mesh(
            np.column_stack([square, np.full(4, -tray.base)]),
            np.tile([0.0, 0.0, 1.0], (4, 1)),
            uv,
            np.array([[0, 1, 2], [0, 2, 3]]),
        )
        return {
            "felt": self._mesh(tray.felt_mesh(), self._opaque(felt, 0.95 * _FOUR, 0 * _FOUR)),
            "rim": self._mesh(tray.rim_mesh(), self._opaque(rim, tray.rim_roughness * _FOUR, 0 * _FOUR)),
            "table": self._mesh(plane, self._opaque(top, table.roughness * _FOUR, 0 * _FOUR)),
        }

    def _lot(self, shot: Shot) -> dict[str, Any]:
        """All dice and things as two meshes, an opaque and a clear one, each with one tall texture.

        Mitsuba compiles a kernel for each number of materials; so there are but a few kernels.
        """
        opaque: list[tuple[Mesh, Coat]] = []
        clear: list[tuple[Mesh, Colour, float]] = []
        for die in shot.dice:
            style, mesh, pips = die.style, *_die_parts(die)
            opaque.append((mesh if pips is None else pips, coat(style)))
            if pips is not None:
                clear.append((_in_one_colour(mesh), style.colour, style.haze))
        for thing in shot.things:
            if thing.clear:
                clear.append((_in_one_colour(thing.mesh), thing.colour, 0.04))
            else:
                paint = plain_coat(thing.colour, thing.roughness, thing.metal)
                opaque.append((_in_one_colour(thing.mesh), paint))
        made = {}
        if opaque:
            coats = [paint for _, paint in opaque]
            layers = [_tall([getattr(c, name) for c in coats]) for name in ("colour", "roughness", "metal")]
            made["opaque"] = self._mesh(_stacked([mesh for mesh, _ in opaque]), self._opaque(*layers))
        if clear:
            colours = _tall([np.full((2, 2, 3), colour) for _, colour, _ in clear])
            hazes = _tall([np.full((2, 2, 1), haze) for _, _, haze in clear])
            made["clear"] = self._mesh(_stacked([mesh for mesh, _, _ in clear]), self._clear(colours, hazes))
        return made

    def _opaque(self, colour: Field, roughness: Field, metal: Field) -> dict[str, Any]:
        """One material for all that is not clear, so that Mitsuba compiles its kernel once."""
        return {
            "type": "twosided",
            "inside": {
                "type": "principled",
                "base_color": self._texture(colour),
                "roughness": self._texture(roughness),
                "metallic": self._texture(metal),
                "specular": 0.5,
            },
        }

    def _clear(self, colours: Field, hazes: Field) -> dict[str, Any]:
        """Tinted glass or resin, a part of it milky."""
        return {
            "type": "blendbsdf",
            "weight": self._texture(hazes),
            "clear": {
                "type": "roughdielectric",
                "alpha": 0.08,
                "int_ior": 1.49,
                "ext_ior": 1.0,
                "specular_transmittance": self._texture(np.sqrt(np.clip(colours * 1.6, 0.02, 0.97))),
            },
            "milk": {"type": "twosided", "inside": {"type": "diffuse", "reflectance": self._texture(colours)}},
        }

    def _texture(self, values: Field) -> dict[str, Any]:
        picture = np.ascontiguousarray(values, np.float32)
        return {"type": "bitmap", "bitmap": self.mi.Bitmap(picture), "raw": True, "wrap_mode": "mirror"}

    def _mesh(self, mesh: Mesh, material: dict[str, Any], glow: dict[str, Any] | None = None) -> Any:
        properties = self.mi.Properties()
        properties["mesh_bsdf"] = self.mi.load_dict(material)
        if glow:
            properties["mesh_emitter"] = self.mi.load_dict(glow)
        made = self.mi.Mesh("mesh", len(mesh.points), len(mesh.triangles), properties, True, True)
        values = self.mi.traverse(made)
        values["vertex_positions"] = mesh.points.astype(np.float32).ravel()
        values["vertex_normals"] = mesh.normals.astype(np.float32).ravel()
        values["vertex_texcoords"] = mesh.uv.astype(np.float32).ravel()
        values["faces"] = mesh.triangles.astype(np.uint32).ravel()
        values.update()
        return made


def has_clear(shot: Shot) -> bool:
    """Whether light goes through anything in the shot."""
    return any(die.style.kind == "clear" for die in shot.dice) or any(thing.clear for thing in shot.things)


def _square(lamp: Lamp, left: float = -1.0, right: float = 1.0) -> Mesh:
    """The lamp as a rectangle that looks at the middle of the board; a part of its width if wanted."""
    ahead = -np.array(lamp.place) / np.linalg.norm(lamp.place)
    side = np.cross(ahead, [0.1, 1.0, 0.2])
    side /= np.linalg.norm(side)
    up = np.cross(ahead, side)
    spots = [(left, -1), (right, -1), (right, 1), (left, 1)]
    points = np.array([np.array(lamp.place) + lamp.half * (x * side + y * up) for x, y in spots])
    return Mesh(points, np.tile(ahead, (4, 1)), np.zeros((4, 2)), np.array([[0, 1, 2], [0, 2, 3]]))


def _halves(lamp: Lamp) -> tuple[Mesh, Mesh]:
    """One lamp as two, so that every scene has as many."""
    return _square(lamp, -1, 0), _square(lamp, 0, 1)


def _die_parts(die: Die) -> tuple[Mesh, Mesh | None]:
    """The die's mesh, and its pips as one of their own where the body is clear."""
    style = die.style
    up = [(die.rotation @ axes[2])[2] for axes in SIDES]
    clear = style.kind == "clear"
    cells = [FINE if clear or u > 0.35 else COARSE for u in up]
    own = die_mesh(style.shape, style.spots, style.values, cells)
    mesh = own.moved(die.rotation, die.middle.tolist(), die.edge / 2)
    if not clear:
        return mesh, None
    body, pips = split_pips(own, style.spots, style.values)
    return replace(mesh, triangles=body), replace(mesh, triangles=pips)


def _in_one_colour(mesh: Mesh) -> Mesh:
    """All of it in the middle of its texture, where no neighbour's colour reaches."""
    return replace(mesh, uv=np.full_like(mesh.uv, 0.5))


def _rows(count: int) -> int:
    return -(-count // ROWS) * ROWS


def _tall(pictures: list[Field]) -> Field:
    """Textures of one size one after the other, and black ones to the next multiple of `ROWS`."""
    high = len(pictures[0])
    made = np.zeros((_rows(len(pictures)) * high, *pictures[0].shape[1:]), np.float32)
    for i, picture in enumerate(pictures):
        made[i * high : (i + 1) * high] = picture
    return made


def _stacked(meshes: list[Mesh]) -> Mesh:
    """One mesh; the texture of each is its part of one tall texture."""
    high = _rows(len(meshes))
    return joined([replace(m, uv=(m.uv + np.array([0, i])) / (1, high)) for i, m in enumerate(meshes)])
