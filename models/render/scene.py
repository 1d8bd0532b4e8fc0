"""What a picture shows, as plain values: dice, board, ground, light, camera, clutter, hand.

World frame: millimetres, z up, z = 0 on the floor that the dice lie on. Colours are sRGB in 0..1 unless a name
says linear. Everything is free to set; `sample_scene` draws a whole scene at random.
"""

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from models.render.camera import Camera, overhead
from models.render.layouts import RIGHT_HANDED, Layout

if TYPE_CHECKING:
    from collections.abc import Callable

    sample_scene: "Callable[..., Scene]"

Rgb = tuple[float, float, float]
Matrix = tuple[tuple[float, float, float], ...]

UNTURNED: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclasses.dataclass(frozen=True)
class DieLook:
    """A die's shape, stuff and markings; lengths in units of half an edge.

    `bevel` is how softly the ball that cuts the corners meets the sides; `lip` how steeply the plastic was tumbled
    down to each pip, over `lip_width` of its radius; `dome` how steeply a side falls off beyond `dome_from`, `dish`
    how steeply it falls inwards at the edge of its disc; `core` how dark a clear die's middle is.
    """

    layout: Layout
    material: str = "white"
    base: Rgb = (0.92, 0.92, 0.90)
    second: Rgb = (0.92, 0.92, 0.90)
    speck: Rgb = (0.1, 0.1, 0.1)
    pattern_scale: Rgb = (1.5, 1.5, 1.5)
    pattern_range: tuple[float, float] = (0.4, 0.6)
    pattern_mix: float = 0.0
    pattern_warp: float = 0.0
    speck_scale: float = 8.0
    speck_share: float = 0.0
    rings: float = 0.0
    pearl: float = 0.0
    pearl_scale: float = 2.0
    roughness: float = 0.3
    gloss: float = 1.0
    translucency: float = 0.0
    pip_style: str = "painted"
    pip_colours: tuple[Rgb, ...] = ((0.05, 0.05, 0.05),) * 6
    pip_gloss: float = 1.0
    pip_metal: float = 0.0
    pip_depth: float = 0.0
    pip_wear: float = 0.0
    corner: float = 0.15
    sphere: float = 2.0
    bevel: float = 0.05
    lip: float = 0.0
    lip_width: float = 0.6
    dome: float = 0.0
    dome_from: float = 0.6
    core: float = 0.0
    disc: float = 0.0
    disc_colour: Rgb = (0.5, 0.5, 0.5)
    dish: float = 0.0
    faces: tuple[int, ...] = RIGHT_HANDED
    symbols: tuple[int, ...] = (-1,) * 6
    symbol_size: float = 0.6
    seed: int = 0


@dataclasses.dataclass(frozen=True)
class Die:
    """A die somewhere: centre in mm, `rotation` (3x3) from the die's own axes to the world's."""

    look: DieLook
    position: tuple[float, float, float]
    rotation: Matrix = UNTURNED
    edge_mm: float = 16.0


@dataclasses.dataclass(frozen=True)
class Ground:
    """A level surface: which pattern, its leading colours, its own seed."""

    kind: str = "felt"
    colour: Rgb = (0.08, 0.35, 0.18)
    second: Rgb = (0.1, 0.1, 0.1)
    seed: int = 0
    scale: float = 1.0
    angle_deg: float = 0.0
    gloss: float = 0.0


@dataclasses.dataclass(frozen=True)
class Board:
    """An octagonal board; `across` and the others in mm, the floor at z = 0, the table at -`base`."""

    centre: tuple[float, float] = (0.0, 0.0)
    across: float = 380.0
    rim_width: float = 30.0
    rim_height: float = 30.0
    base: float = 8.0
    angle_deg: float = 0.0
    floor: Ground = Ground()
    rim: Ground = Ground("wood", (0.55, 0.35, 0.18))
    walls_felt: bool = False
    strokes: int = 0
    dust: float = 0.0
    logo: int = -1
    seed: int = 0

    def octagon(self, grow: float = 0.0, z: float = 0.0) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The floor's eight corners (8, 3), its sides moved outwards by `grow` mm, at height z."""
        radius = (self.across / 2 - self.rim_width + grow) / np.cos(np.pi / 8)
        turn = np.radians(self.angle_deg) + (np.arange(8) + 0.5) * np.pi / 4
        x = self.centre[0] + radius * np.cos(turn)
        y = self.centre[1] + radius * np.sin(turn)
        return np.stack([x, y, np.full(8, z)], axis=1)

    def depth_inside(self, x: float, y: float) -> float:
        """How far (mm) a point lies inside the floor's edge; negative beyond it."""
        turn = np.radians(self.angle_deg) + np.arange(8) * np.pi / 4
        out = (x - self.centre[0]) * np.cos(turn) + (y - self.centre[1]) * np.sin(turn)
        return float(self.across / 2 - self.rim_width - out.max())


@dataclasses.dataclass(frozen=True)
class Lamp:
    """A lamp at a position in mm; `radius` in mm makes its shadows soft; `power` is linear light at the floor."""

    position: tuple[float, float, float]
    power: Rgb
    radius: float = 30.0


@dataclasses.dataclass(frozen=True)
class Pane:
    """A bright window, tube or ring light that glossy dice mirror, as seen from the dice.

    `toward` is a unit vector, `turn_deg` its turn about it; `width` and `height` are tangents of half its angles;
    `inner` 0..1 is the share that a ring light leaves dark, 0 for a rectangle; `bars` dark bars each way.
    """

    toward: tuple[float, float, float]
    width: float
    height: float
    turn_deg: float = 0.0
    inner: float = 0.0
    bars: int = 0
    power: float = 8.0


@dataclasses.dataclass(frozen=True)
class Light:
    """Lamps, the sky or room around (linear), bright windows to mirror, and what stands in the light."""

    name: str
    lamps: tuple[Lamp, ...]
    zenith: Rgb = (0.4, 0.4, 0.4)
    horizon: Rgb = (0.3, 0.3, 0.3)
    side: Rgb = (0.0, 0.0, 0.0)
    side_azimuth_deg: float = 0.0
    mirrored: tuple[tuple[float, float, float, float, float], ...] = ()
    cookie: str = "none"
    cookie_seed: int = 0
    cookie_size: float = 200.0
    cookie_dark: float = 0.5
    panes: tuple[Pane, ...] = ()


@dataclasses.dataclass(frozen=True)
class Clutter:
    """A thing that is no die: `kind` as in `clutter.KINDS`, place and turn on the surface, size in mm."""

    kind: str
    x: float
    y: float
    z: float = 0.0
    angle_deg: float = 0.0
    size: float = 30.0
    seed: int = 0


@dataclasses.dataclass(frozen=True)
class Hand:
    """A hand: wrist in mm, heading of the fingers, `grip` 0 open to 1 closed as round dice."""

    wrist: tuple[float, float, float]
    heading_deg: float = 0.0
    pitch_deg: float = 0.0
    grip: float = 0.3
    palm_up: bool = False
    left: bool = False
    scale: float = 1.0
    skin: Rgb = (0.80, 0.58, 0.46)
    sleeve: Rgb = (0.15, 0.17, 0.25)
    sleeve_at: float = 60.0
    seed: int = 0


@dataclasses.dataclass(frozen=True)
class Film:
    """What the camera makes of the light: lengths in px, shares in 0..1; `gain` 0 meters the picture itself.

    `tube` is the radius, in diagonals, of the lit circle with black about it (0 for none), `tube_at` its middle from
    the picture's; `glare` a veil of light about `glare_at` (shares of the picture); `hold` how far the meter spares
    highlights.
    """

    exposure: float = 0.2
    gain: float = 0.0
    balance: Rgb = (1.0, 1.0, 1.0)
    saturation: float = 1.0
    contrast: float = 0.3
    gamma: float = 2.2
    vignette: float = 0.1
    defocus: float = 0.0
    motion: float = 0.0
    motion_deg: float = 0.0
    bloom: float = 0.02
    shot_noise: float = 0.01
    read_noise: float = 0.004
    noise_size: float = 0.0
    sharpen: float = 0.0
    flicker: float = 0.0
    flicker_period: float = 200.0
    flicker_phase: float = 0.0
    jpeg: int = 90
    tube: float = 0.0
    tube_at: tuple[float, float] = (0.0, 0.0)
    tube_soft: float = 0.017
    glare: float = 0.0
    glare_at: tuple[float, float] = (0.5, 0.5)
    glare_size: float = 0.3
    hold: float = 0.75


@dataclasses.dataclass(frozen=True)
class Scene:
    """Everything that a picture shows; the same scene gives the same picture."""

    dice: tuple[Die, ...]
    ground: Ground
    camera: Camera
    light: Light
    film: Film = Film()
    board: Board | None = None
    clutter: tuple[Clutter, ...] = ()
    hand: Hand | None = None
    seed: int = 0
    kind: str = "closeup"
    tilt_deg: float = 0.0


def __getattr__(name: str) -> Any:
    """`sample_scene` lives beside the samplers; it is offered here because it makes scenes."""
    if name == "sample_scene":
        from models.render.sampling import sample_scene as found

        return found
    raise AttributeError(name)


__all__ = [
    "Board",
    "Camera",
    "Clutter",
    "Die",
    "DieLook",
    "Film",
    "Ground",
    "Hand",
    "Lamp",
    "Layout",
    "Light",
    "Pane",
    "Scene",
    "overhead",
    "sample_scene",
]
