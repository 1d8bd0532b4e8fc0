"""What happens on and about a board: thrown dice, clutter on the table, hands."""

import numpy as np
import numpy.typing as npt

from models.render.hands import lowest_point
from models.render.placing import (
    as_matrix,
    clear_of,
    flat_rotation,
    lean,
    lean_on_die,
    lean_on_wall,
    stack,
)
from models.render.scene import Board, Clutter, Die, DieLook, Hand, Rgb
from models.render.sprites import SIZES

Array = npt.NDArray[np.float64]

CLUTTER_SHARES: dict[str, float] = {
    "coin": 0.13,
    "button": 0.07,
    "domino": 0.07,
    "card": 0.07,
    "coaster": 0.10,
    "printed": 0.09,
    "screw": 0.06,
    "knot": 0.04,
    "phone": 0.04,
    "stick": 0.09,
    "pack": 0.04,
    "chip": 0.06,
    "block": 0.06,
    "stain": 0.03,
    "confetti": 0.06,
    "glass": 0.07,
    "cup": 0.02,
    "bottle": 0.02,
    "peanut": 0.08,
    "bead": 0.05,
}
"""Share of each kind among the clutter."""

SMALL = (
    "coin",
    "button",
    "screw",
    "stick",
    "chip",
    "block",
    "peanut",
    "bead",
    "confetti",
    "domino",
    "printed",
)
"""What may also lie on a board's floor or rim."""

SKINS: tuple[Rgb, ...] = (
    (0.87, 0.68, 0.58),
    (0.80, 0.58, 0.46),
    (0.72, 0.50, 0.38),
    (0.52, 0.34, 0.24),
    (0.33, 0.21, 0.15),
)


def throw_on_board(
    rng: np.random.Generator,
    looks: list[DieLook],
    count: int,
    edge: float,
    board: Board,
    reach: float | None,
    odd: bool | None = None,
) -> tuple[Die, ...]:
    """Dice inside, on the rim, just outside or far outside the board; with `reach` only where x, y is in view.

    With `odd` they may lie anywhere, lean or be stacked; without, all lie flat inside; None draws it.
    """
    dice: list[Die] = []
    odd = rng.random() < 0.4 if odd is None else odd
    for _ in range(count):
        look = looks[int(rng.integers(len(looks)))]
        for _ in range(30):
            die = _thrown(rng, look, edge, board, dice, odd)
            seen = reach is None or max(abs(die.position[0]), abs(die.position[1])) < reach * 0.55
            if seen and _fits(die, dice, board):
                dice.append(die)
                break
    return tuple(dice)


def _thrown(rng: np.random.Generator, look: DieLook, edge: float, board: Board, dice: list[Die], odd: bool) -> Die:
    """One die in a place: mostly flat on the floor; with `odd` any of the rarer places."""
    flat = Die(look, (0.0, 0.0, edge / 2), as_matrix(flat_rotation(rng)), edge)
    inner = board.across / 2 - board.rim_width
    place = rng.random() if odd else 0.0
    if place > 0.86 and dice:
        return stack(rng, flat, dice[-1]) if rng.random() < 0.45 else lean_on_die(rng, flat, dice[-1])
    if place > 0.72:
        return lean_on_wall(rng, flat, board)
    way = np.radians(board.angle_deg) + int(rng.integers(8)) * np.pi / 4
    out = np.array([np.cos(way), np.sin(way)])
    along = np.array([-out[1], out[0]]) * rng.uniform(-1, 1) * inner * np.tan(np.pi / 8)
    if place > 0.58:
        away, height = inner + board.rim_width * rng.uniform(0.25, 0.75), board.rim_height
    elif place > 0.42:
        near = rng.uniform(0.6, 3) * edge if rng.random() < 0.6 else rng.uniform(0.1, 0.6) * board.across
        away, height = inner + board.rim_width + near, -board.base
    else:
        if rng.random() < 0.15:
            return (
                lean(
                    rng,
                    _at(rng, flat, board, inner, edge),
                    float(rng.uniform(0, 2 * np.pi)),
                    0.0,
                    float(rng.uniform(5, 18)),
                )
                if odd
                else _at(rng, flat, board, inner, edge)
            )
        return _at(rng, flat, board, inner, edge)
    x, y = out * away + along + np.array(board.centre)
    return Die(look, (float(x), float(y), height + edge / 2), flat.rotation, edge)


def _at(rng: np.random.Generator, die: Die, board: Board, inner: float, edge: float) -> Die:
    """The die on the floor, anywhere its corners clear the wall."""
    r = (inner - 0.72 * edge) * np.sqrt(rng.random())
    a = rng.uniform(0, 2 * np.pi)
    x, y = board.centre[0] + r * np.cos(a), board.centre[1] + r * np.sin(a)
    return Die(die.look, (float(x), float(y), die.position[2]), die.rotation, edge)


def _fits(die: Die, dice: list[Die], board: Board) -> bool:
    """Whether a die collides with no other, or only touches the last as it leans or lies on it."""
    others = dice
    if (dice and abs(np.array(die.rotation)[2]).max() < 0.999) or any(
        die.position[2] > d.position[2] + 0.9 * d.edge_mm for d in dice
    ):
        others = dice[:-1]
    return clear_of(die, others) and board is not None


def sample_clutter(
    rng: np.random.Generator, board: Board | None, dice: tuple[Die, ...], reach: float, edge: float
) -> tuple[Clutter, ...]:
    """Things on the table (and small ones on the board) that keep clear of the dice."""
    names = list(CLUTTER_SHARES)
    shares = np.array(list(CLUTTER_SHARES.values()))
    out: list[Clutter] = []
    spots: list[tuple[float, float, float]] = [(d.position[0], d.position[1], d.edge_mm * 0.8) for d in dice]
    for _ in range(int(rng.integers(1, 9))):
        kind = names[int(rng.choice(len(names), p=shares / shares.sum()))]
        size = float(rng.uniform(*SIZES[kind]))
        for _ in range(12):
            x, y = rng.uniform(-0.6, 0.6, 2) * reach
            wide = size * {
                "domino": 1.1,
                "card": 0.9,
                "phone": 1.15,
                "glass": 1.0,
                "cup": 1.8,
                "bottle": 1.0,
            }.get(kind, 0.7)
            level = _level(board, float(x), float(y), wide, kind)
            if level is not None and all(np.hypot(x - sx, y - sy) > wide + r for sx, sy, r in spots):
                break
        else:
            continue
        spots.append((float(x), float(y), wide))
        out.append(
            Clutter(kind, float(x), float(y), level, float(rng.uniform(0, 360)), size, int(rng.integers(1 << 30)))
        )
    return tuple(out)


def _level(board: Board | None, x: float, y: float, wide: float, kind: str) -> float | None:
    """Height of the surface under a thing, None where it cannot lie."""
    if board is None:
        return 0.0
    depth = board.depth_inside(x, y)
    if depth > wide and kind in SMALL:
        return 0.0
    if depth < -board.rim_width - wide:
        return -board.base
    if -board.rim_width + wide < depth < -wide and kind in SMALL:
        return board.rim_height
    return None


def sample_hand(rng: np.random.Generator, board: Board | None, dice: tuple[Die, ...], reach: float) -> Hand:
    """A hand that comes in from any side, resting on what is below or held above it."""
    a = float(rng.uniform(0, 2 * np.pi))
    if dice and rng.random() < 0.35:
        d = dice[int(rng.integers(len(dice)))]
        aim = np.array(d.position[:2])
    else:
        aim = rng.uniform(-0.5, 0.5, 2) * reach
    scale = float(rng.uniform(0.85, 1.12))
    wrist = aim - float(rng.uniform(60, 200)) * scale * np.array([np.cos(a), np.sin(a)])
    skin = np.array(SKINS[int(rng.choice(5, p=[0.3, 0.3, 0.2, 0.12, 0.08]))]) * rng.uniform(0.92, 1.06)
    cloth = rng.uniform(0.03, 0.9, 3) if rng.random() < 0.4 else np.full(3, rng.uniform(0.02, 0.5))
    base = Hand(
        (float(wrist[0]), float(wrist[1]), 0.0),
        float(np.degrees(a) + rng.normal(0, 14)),
        float(rng.uniform(-12, 12)),
        float(rng.choice([rng.uniform(0, 0.3), rng.uniform(0.3, 1.0)])),
        bool(rng.random() < 0.15),
        bool(rng.random() < 0.45),
        scale,
        (float(skin[0]), float(skin[1]), float(skin[2])),
        (float(cloth[0]), float(cloth[1]), float(cloth[2])),
        float(rng.uniform(15, 110)) if rng.random() < 0.7 else 400.0,
        int(rng.integers(1 << 30)),
    )
    top = board.rim_height if board is not None else 0.0
    rest = max([top * (rng.random() < 0.6)] + [d.position[2] + d.edge_mm * 0.6 for d in dice])
    lift = rest - lowest_point(base) + float(rng.choice([1.0, rng.uniform(0, 90)]))
    return Hand(**{**base.__dict__, "wrist": (base.wrist[0], base.wrist[1], lift)})
