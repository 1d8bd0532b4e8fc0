"""What the page's template shows: a snapshot put into words, nothing decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from device.snapshot import Eye, Snapshot
from device.throws import Thrown, latest
from device.web.tally import Tally, tally
from device.wording import Wording
from scorer.errors import IllegalEvent
from scorer.events import Face
from scorer.game import PlayerView
from scorer.games import game_named

SHAPES = ("circle", "square", "triangle", "diamond", "hexagon", "star", "cross", "drop")
PIPS: Mapping[Face, tuple[tuple[int, int], ...]] = {
    1: ((50, 50),),
    2: ((29, 29), (71, 71)),
    3: ((27, 27), (50, 50), (73, 73)),
    4: ((29, 29), (71, 29), (29, 71), (71, 71)),
    5: ((27, 27), (73, 27), (50, 50), (27, 73), (73, 73)),
    6: ((31, 25), (69, 25), (31, 50), (69, 50), (31, 75), (69, 75)),
}
ORDINARY: tuple[Face, ...] = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True)
class Die:
    """One die to draw; `place`: felt, outside, rim or unknown."""

    face: Face | None
    place: str = "felt"

    @property
    def pips(self) -> tuple[tuple[int, int], ...]:
        return PIPS.get(self.face, ()) if self.face is not None else ()


@dataclass(frozen=True)
class Player:
    """One player's piece of the rim."""

    name: str
    number: int
    marks: int
    tally: Tally
    kind: int
    shape: str
    to_throw: bool
    badge: str
    change: str
    gone: bool
    rolling: bool


@dataclass(frozen=True)
class Page:
    """Everything the template needs, in the reader's language."""

    seq: int
    wording: Wording
    game: str
    phase: str
    players: tuple[Player, ...]
    dice: tuple[Die, ...]
    dice_told: str
    worth: str
    headline: str
    detail: str
    changes: tuple[str, ...]
    figures: tuple[str, ...]
    eye: str
    eye_kind: str
    notice: str
    notice_kind: str
    pattern: str
    idle: bool
    legal: tuple[str, ...]
    pending: Mapping[str, object] | None
    throws: tuple[Thrown, ...]
    expected: int
    faces: tuple[Face, ...]
    cutouts: tuple[str, ...]
    figure: str
    note: str

    def t(self, key: str, **args: object) -> str:
        return self.wording.say("page", key, **args)

    def r(self, key: str, **args: object) -> str:
        return self.wording.say("remote", key, **args)

    def figure_word(self, number: int) -> str:
        return self.wording.say("figure", self.figure, number=number)

    @property
    def names(self) -> list[str]:
        return [player.name for player in self.players]

    @property
    def fit(self) -> str:
        """How close the words on the felt have to stand, by how many there are."""
        words = 1.6 * len(self.headline) + len(self.detail) + 8 * max(0, len(self.dice) - 3)
        words += sum(len(line) + 8 for line in (*self.changes, *self.figures))
        return "" if words < 95 else "tight" if words < 130 else "tighter"

    @property
    def players_class(self) -> str:
        return "two" if len(self.players) <= 2 else "four" if len(self.players) <= 4 else "many"


def page(now: Snapshot, wording: Wording, *, note: str = "", cutouts: tuple[str, ...] = ()) -> Page:
    """The page for one moment."""
    view = now.view
    notice, notice_kind = _notice(now, wording)
    changed: dict[str, int] = {}
    for change in view.changes:
        if change.what == "strokes":
            changed[change.player] = changed.get(change.player, 0) + change.amount
    dice = _dice(now)
    args = dict(view.prompt.args)
    if isinstance(kind := args.get("class"), str):
        args["class"] = wording.say("class", kind) if wording.has("class", kind) else args.get("points")
    if isinstance(role := args.get("role"), str):
        args["role"] = wording.say("role", role)
    return Page(
        seq=now.seq,
        wording=wording,
        game=wording.say("game", view.game) if view.game else "",
        phase=view.phase,
        players=tuple(
            _player(n, player, changed.get(player.name, 0), wording, view.phase)
            for n, player in enumerate(view.players)
        ),
        dice=dice,
        dice_told=wording.say("page", "dice_seen", dice=", ".join(str(die.face or "?") for die in dice))
        if dice
        else "",
        worth=_worth(now, wording),
        headline=wording.say("prompt", view.prompt.key, **args),
        detail=wording.say("detail", view.prompt.key, **args) if wording.has("detail", view.prompt.key) else "",
        changes=tuple(
            wording.say("why", change.why, player=change.player, amount=f"{change.amount:+d}".replace("-", "−"))
            for change in view.changes
        ),
        figures=tuple(
            wording.say("cell", cell.key, value=cell.value, player=cell.player, of=cell.of)
            for cell in view.board
            if wording.has("cell", cell.key) and cell.value is not None and cell.value is not False
        ),
        eye=wording.say("eye", now.eye.value),
        eye_kind=now.eye.value,
        notice=notice,
        notice_kind=notice_kind,
        pattern=now.pattern,
        idle=view.phase == "idle",
        legal=tuple(action.do for action in view.actions),
        pending=None if now.pending is None else now.pending.to_json(),
        throws=latest(now.session),
        expected=view.expected,
        faces=faces_of(view.game),
        cutouts=cutouts if dice and len(cutouts) == len(dice) else (),
        figure=game_named(view.game).figure if view.game else "strokes",
        note=note,
    )


def faces_of(game: str) -> tuple[Face, ...]:
    """What a die of this game can show."""
    return tuple(getattr(game_named(game), "faces", ORDINARY)) if game else ORDINARY


def refusal(error: IllegalEvent, wording: Wording) -> str:
    """Why something was refused, for people."""
    key = error.reason if wording.has("refused", error.reason) else "other"
    return wording.say("refused", key, message=error.message)


def _player(n: int, player: PlayerView, change: int, wording: Wording, phase: str) -> Player:
    roles = [wording.say("role", role) for role in player.roles if role != "to_throw"]
    if player.out and player.place:
        roles.insert(0, wording.say("page", "place", place=player.place))
    elif player.out or player.lost:
        roles.insert(0, wording.say("page", "out" if player.out else "lost"))
    return Player(
        name=player.name,
        number=player.number,
        marks=player.marks,
        tally=tally(player.marks, change),
        kind=n % len(SHAPES),
        shape=SHAPES[n % len(SHAPES)],
        to_throw=player.to_throw,
        badge=" · ".join(roles),
        change=f"{change:+d}".replace("-", "−") if change else "",
        gone=player.out or player.lost,
        rolling=phase == "roll_off",
    )


def _dice(now: Snapshot) -> tuple[Die, ...]:
    seen = now.pending
    if seen is not None:
        return drawn(seen.dice, missing=seen.missing, rim=seen.rim, outside=seen.outside)
    return drawn(now.view.dice, rim=now.view.rim, outside=now.view.outside)


def drawn(dice: Sequence[Face | None], *, missing: int = 0, rim: int = 0, outside: int = 0) -> tuple[Die, ...]:
    """The dice in the order that the page draws and the remote counts them: felt, missing, rim, outside."""
    return (
        *(Die(face, "felt" if face is not None else "unknown") for face in dice),
        *[Die(None, "unknown")] * missing,
        *[Die(None, "rim")] * rim,
        *[Die(None, "outside")] * outside,
    )


def _worth(now: Snapshot, wording: Wording) -> str:
    """What the last throw is worth, where the game values its throws."""
    last = now.session.state.get("last")
    if now.pending is not None or not isinstance(last, Mapping):
        return ""
    kind, points = last.get("class"), last.get("points")
    if isinstance(kind, str) and wording.has("class", kind):
        return wording.say("class", kind)
    return "" if points is None else str(points)


def _notice(now: Snapshot, wording: Wording) -> tuple[str, str]:
    """The one thing that a person should know or do now, the most urgent first."""
    if now.eye in (Eye.LOST, Eye.BOARD_MOVED):
        trouble = now.trouble or ""
        trouble = wording.say("trouble", trouble) if wording.has("trouble", trouble) else trouble
        return ". ".join(filter(None, [wording.say("eye", now.eye.value).capitalize(), trouble])), "trouble"
    if now.pending is not None:
        to_throw = next((player.name for player in now.view.players if player.to_throw), "")
        asked = wording.say("doubt", now.pending.kind, to_throw=to_throw, player=now.pending.player)
        why = [wording.say("doubt", word) for word in now.pending.why if word != now.pending.kind]
        held = [wording.say("doubt", "held", held=now.held)] if now.held else []
        tap = [] if now.pending.kind == "whose" else [wording.say("doubt", "tap")]
        told = " · ".join([asked, *why, *held])
        return " ".join([told + ("" if told.endswith("?") else "."), *tap]), "doubt"
    if now.refused is not None:
        return refusal(now.refused, wording), "refused"
    if now.fault is not None:
        return wording.say("page", "storage"), "trouble"
    return "", ""
