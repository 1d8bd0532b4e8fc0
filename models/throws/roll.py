"""Dice let go above a tray, rolled by MuJoCo until they lie still.

Units: millimetres, grams, seconds. World frame as in `models.throws.tray`. Nothing here draws a random number: the
same release gives the same roll.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from models.throws.faces import Array
from models.throws.tray import SIDES_OF_THE_BOARD, Tray

FPS = 30
SAMPLES_PER_FRAME = 8
"""Poses kept for each frame: enough for the blur of a frame's exposure."""
STEPS_PER_SAMPLE = 16
SAMPLE_RATE = FPS * SAMPLES_PER_FRAME
GRAVITY = 9810.0
DENSITY = 1.2e-3
"""Grams a cubic millimetre: acrylic."""
RESONANCE = 2000.0
"""Stiffness of felt on wood as the contact's angular frequency, rad/s: a bounce takes about 1.6 ms."""
LONGEST_S = 6.0
STILL_MM, STILL_DEG = 0.15, 0.5
"""A die lies still from the moment it is never again this far from where it ends."""
STILL_FOR_S = 0.2
SETTLED_MM = 0.08
"""A simulation ends once no corner has moved further than this for `STILL_FOR_S`."""


@dataclass(frozen=True)
class Surface:
    """How dice meet what they hit: Coulomb friction and the damping ratio of a bounce (1: none, 0.25: lively)."""

    friction: float = 0.50
    damping: float = 0.17
    wall_friction: float = 0.50
    wall_damping: float = 0.18
    die_friction: float = 0.20
    die_damping: float = 0.15


@dataclass(frozen=True)
class Die:
    """A cube of `edge` mm whose edges and corners are rounded by `radius` mm."""

    edge: float = 16.0
    radius: float = 1.8


@dataclass(frozen=True, eq=False)
class Release:
    """Where each of n dice is let go: positions (n, 3) mm, quaternions (n, 4) w first, velocities mm/s, spins rad/s."""

    positions: Array
    quaternions: Array
    velocities: Array
    spins: Array


@dataclass(frozen=True, eq=False)
class Roll:
    """Poses of n dice at `SAMPLE_RATE` from the release on: positions (t, n, 3), rotations (t, n, 3, 3).

    `rest` is the first sample at which all lie still for good, None if that did not happen. `energy` (t,) is kinetic
    plus potential, in g·mm²/s².
    """

    positions: Array
    rotations: Array
    energy: Array
    rest: int | None

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def rest_s(self) -> float | None:
        """Seconds from release to rest."""
        return None if self.rest is None else self.rest / SAMPLE_RATE


def roll(tray: Tray, release: Release, die: Die | None = None, surface: Surface | None = None) -> Roll:
    """Roll until everything has lain still for a moment, or `LONGEST_S` have gone by."""
    die, surface = die or Die(), surface or Surface()
    count = len(release.positions)
    model = mujoco.MjModel.from_xml_string(_world(tray, die, surface, count))
    data = mujoco.MjData(model)
    for i in range(count):
        data.qpos[7 * i : 7 * i + 3] = release.positions[i]
        data.qpos[7 * i + 3 : 7 * i + 7] = release.quaternions[i]
        data.qvel[6 * i : 6 * i + 3] = release.velocities[i]
        data.qvel[6 * i + 3 : 6 * i + 6] = release.spins[i]
    bodies = [model.body(f"die{i}").id for i in range(count)]
    ground = _Ground(tray, model, bodies)
    mujoco.mj_forward(model, data)
    positions: list[Array] = []
    rotations: list[Array] = []
    energy: list[float] = []
    settled, lately = False, int(STILL_FOR_S * SAMPLE_RATE)
    for _ in range(int(LONGEST_S * SAMPLE_RATE)):
        positions.append(data.xpos[bodies].copy())
        rotations.append(data.xmat[bodies].reshape(count, 3, 3).copy())
        energy.append(float(data.energy.sum()))
        if len(positions) > lately:
            shift = np.linalg.norm(positions[-1] - positions[-1 - lately], axis=-1)
            turn = np.linalg.norm(rotations[-1] - rotations[-1 - lately], axis=(1, 2)) * die.edge / 2
            settled = bool((shift + turn).max() < SETTLED_MM)
            if settled:
                break
        ground.choose(data)
        mujoco.mj_step(model, data, nstep=STEPS_PER_SAMPLE)
    p, r = np.array(positions), np.array(rotations)
    return Roll(p, r, np.array(energy), _rest(p, r) if settled else None)


def _rest(positions: Array, rotations: Array) -> int:
    """The first sample after which no die differs from its last pose."""
    moved = np.linalg.norm(positions - positions[-1], axis=-1) > STILL_MM
    cosine = (np.einsum("tnij,nij->tn", rotations, rotations[-1]) - 1) / 2
    turned = cosine < np.cos(np.radians(STILL_DEG))
    busy = np.flatnonzero((moved | turned).any(axis=1))
    return int(busy[-1]) + 1 if len(busy) else 0


class _Ground:
    """Gives each die the felt or the table to fall on, by where it is: MuJoCo's planes have no end."""

    FELT, TABLE, WALL, DIE = 1, 2, 4, 8

    def __init__(self, tray: Tray, model: mujoco.MjModel, bodies: list[int]) -> None:
        self._tray, self._model = tray, model
        self._bodies, self._geoms = bodies, [int(model.body_geomadr[b]) for b in bodies]

    def choose(self, data: mujoco.MjData) -> None:
        reach = self._tray.reach(data.xpos[self._bodies, :2])
        inside = reach < self._tray.apothem + self._tray.rim_width / 2
        for geom, over_felt in zip(self._geoms, inside, strict=True):
            self._model.geom_conaffinity[geom] = self.WALL | self.DIE | (self.FELT if over_felt else self.TABLE)


def _world(tray: Tray, die: Die, surface: Surface, count: int) -> str:
    """The scene in MuJoCo's XML; a die is a smaller box whose contacts begin at its rounding's distance."""

    def touch(damping: float, friction: float) -> str:
        stiffness, drag = RESONANCE**2, 2 * damping * RESONANCE
        return (
            f'solref="-{stiffness:.1f} -{drag:.1f}" solimp="0.95 0.95 0.01" friction="{friction} 0.3 0.02" condim="4"'
        )

    ground, wall = touch(surface.damping, surface.friction), touch(surface.wall_damping, surface.wall_friction)
    apothem, width, height = tray.apothem, tray.rim_width, tray.rim_height
    length = (apothem + width) * np.tan(np.pi / SIDES_OF_THE_BOARD)
    walls = "".join(
        f'<body euler="0 0 {tray.angle_deg + 45 * i:.4f}">'
        f'<geom type="box" contype="4" conaffinity="0" priority="1" {wall} '
        f'pos="{apothem + width / 2:.4f} 0 {(height - tray.base) / 2:.4f}" '
        f'size="{width / 2:.4f} {length:.4f} {(height + tray.base) / 2:.4f}"/></body>'
        for i in range(SIDES_OF_THE_BOARD)
    )
    own = touch(surface.die_damping, surface.die_friction)
    inner = die.edge / 2 - die.radius
    mass = DENSITY * die.edge**3
    inertia = mass * die.edge**2 / 6
    dice = "".join(
        f'<body name="die{i}"><freejoint/><inertial pos="0 0 0" mass="{mass:.5f}" '
        f'diaginertia="{inertia:.4f} {inertia:.4f} {inertia:.4f}"/>'
        f'<geom type="box" contype="8" conaffinity="15" margin="{die.radius:.4f}" {own} '
        f'size="{inner:.4f} {inner:.4f} {inner:.4f}"/></body>'
        for i in range(count)
    )
    return f"""<mujoco><compiler angle="degree"/><default><geom density="0"/></default>
<option gravity="0 0 -{GRAVITY}" timestep="{1 / (SAMPLE_RATE * STEPS_PER_SAMPLE):.12f}" integrator="implicitfast"
 cone="elliptic" impratio="10" iterations="50" noslip_iterations="3"><flag energy="enable"/></option>
<worldbody>
<geom type="plane" size="0 0 1" contype="1" conaffinity="0" priority="1" {ground}/>
<geom type="plane" size="0 0 1" pos="0 0 -{tray.base}" contype="2" conaffinity="0" priority="1" {wall}/>
{walls}{dice}</worldbody></mujoco>"""
