"""What a phone may do now, as buttons: only what the rules allow, or a reason why not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from device.snapshot import Snapshot
from device.throws import given_on
from device.undoing import undo_told
from device.web.page import Page, refusal
from device.wording import Wording
from scorer.errors import IllegalEvent
from scorer.events import Face
from scorer.game import Action, PlayerView
from scorer.wire import event_from_json, event_to_json

Said = Mapping[str, object]
PLACES = (0, 45, 90, 135, 180, 225, 270, 315)
"""The eight sides of the board in degrees, as seats are told."""
STOPS_NOTHING = ("not_in_this_game", "no_stop", "not_now", "game_over")  # there is no such key now


@dataclass(frozen=True)
class Me:
    """Whose phone it is ('' for the whole table's), whether that was `asked` yet, and who has a phone here."""

    name: str = ""
    asked: bool = False
    seat: float | None = None
    here: Mapping[str, float | None] = field(default_factory=dict)

    def stands_for(self, player: str | None) -> bool:
        """Whether this phone may act for `player`: it is theirs, it is the table's, or they have none here."""
        return player is None or self.name in ("", player) or player not in self.here


@dataclass(frozen=True)
class Key:
    """One button: what it says and sends; `why` says why it cannot be pressed, `anyway` is what could be sent still.

    `sure`: the question before it is sent. `kind`: main, plain or quiet.
    """

    label: str
    event: Said
    kind: str = "plain"
    why: str = ""
    sure: str = ""
    anyway: str = ""


@dataclass(frozen=True)
class Seated:
    """One player in the list of the table."""

    name: str
    kind: int
    shape: str
    number: int
    degrees: float | None
    gone: bool
    is_me: bool
    has_phone: bool
    less: Key | None
    more: Key | None
    leave: Key | None


@dataclass(frozen=True)
class Remote:
    """Everything the remote's template needs beside the `Page`."""

    me: Me
    playing: bool
    keys: tuple[Key, ...]
    side_keys: tuple[Key, ...]
    answers: tuple[Key, ...]
    hand: tuple[Face, ...]
    keeps: tuple[Face, ...]
    places: tuple[Face, ...]
    fallen: int
    table: tuple[Seated, ...]
    join: Key | None
    end: Key | None


def remote(now: Snapshot, told: Page, me: Me) -> Remote:
    """The remote for one phone at one moment; `told` is the same moment in the reader's language."""
    words, view = told.wording, now.view
    names = [player.name for player in view.players]
    actions = {action.do: action for action in view.actions}
    idle, over = view.phase == "idle", view.phase == "over"
    keys: list[Key] = []
    if not idle and not over and not view.paused:
        keys += _game_keys(now, words, me)
    if view.paused:
        keys.append(Key(words.say("remote", "resume"), {"do": "resume"}, "main"))
    if over:
        keys.append(
            Key(words.say("remote", "next_game"), {"do": "next_game"}, "main", _why(now, {"do": "next_game"}, words))
        )
    side: list[Key] = []
    if not idle:
        side.append(Key(undo_told(now.session, words), {"do": "undo"}, why=_why(now, {"do": "undo"}, words)))
    if "pause" in actions:
        side.append(Key(words.say("remote", "pause"), {"do": "pause"}, "quiet"))
    won = next((player.name for player in view.players if "winner" in player.roles), None)
    end = None
    if "end" in actions:
        end = Key(
            words.say("remote", "end"), {"do": "end"}, "plain" if won else "quiet", sure=words.say("remote", "sure_end")
        )
    place = actions.get("place")
    return Remote(
        me=me,
        playing=me.name in names,
        keys=tuple(keys),
        side_keys=tuple(side),
        answers=_answers(now, words),
        hand=_hand(now),
        keeps=tuple(actions["throw"].inputs.get("kept", ())) if "throw" in actions else (),
        places=tuple(place.inputs.get("dice", ())) if place is not None and not view.paused else (),
        fallen=max((n for n in actions["fallen"].inputs["dice"] if isinstance(n, int)), default=0)
        if "fallen" in actions
        else 0,
        table=tuple(_seated(now, told, me, actions, n) for n in range(len(names))),
        join=_join(now, words, me) if not idle and me.name and me.name not in names else None,
        end=end,
    )


def _game_keys(now: Snapshot, words: Wording, me: Me) -> list[Key]:
    """Stop first, then what only this game knows."""
    keys: list[Key] = []
    thrower = next((player.name for player in now.view.players if player.to_throw), None)
    stop: Said = {"do": "stop"}
    reason = _refused(now, stop)
    if reason is None or reason.reason not in STOPS_NOTHING:
        why = "" if reason is None else refusal(reason, words)
        keys.append(_for(thrower, Key(words.say("remote", "stop_next"), stop, "main", why), words, me))
    given = given_on(now.session)
    if given is not None and now.pending is None and _refused(now, event_to_json(given)) is None:
        keys.append(Key(words.say("remote", "give_on", player=given.player), {"do": "give_on"}, "quiet"))
    for action in now.view.actions:
        if action.do == "glass_empty":
            drinker = action.by[0] if action.by else None
            keys.append(
                _for(drinker, Key(words.say("remote", "glass_empty"), {"do": "glass_empty"}, "main"), words, me)
            )
        elif action.do == "choose":
            for number in action.inputs.get("number", ()):
                label = words.say("remote", "choose", choice=number)
                keys.append(_for(thrower, Key(label, {"do": "choose", "number": number}), words, me))
    return keys


def _for(player: str | None, key: Key, words: Wording, me: Me) -> Key:
    """The key as this phone may press it: by its own name, for the table, or not, with a way round."""
    if key.why:
        return key
    if me.name and me.name == player:
        return Key(key.label, {**key.event, "by": player}, key.kind)
    if me.stands_for(player):
        return key
    why = words.say("remote", "own_phone", player=player)
    return Key(key.label, key.event, key.kind, why, anyway=words.say("remote", "anyway", player=player))


def _refused(now: Snapshot, event: Said) -> IllegalEvent | None:
    """Why the table would refuse this now, None where it would not."""
    pending = now.pending
    if pending is not None and pending.kind == "unsure" and event["do"] in ("stop", "choose", "place"):
        return IllegalEvent("pending_throw", "first say what the last throw was")
    try:
        now.session.apply(event_from_json(event))
    except IllegalEvent as error:
        return error
    return None


def _why(now: Snapshot, event: Said, words: Wording) -> str:
    reason = _refused(now, event)
    return "" if reason is None else refusal(reason, words)


def _answers(now: Snapshot, words: Wording) -> tuple[Key, ...]:
    """What may be said to a throw that waits, beside what the dice were."""
    pending = now.pending
    if pending is None:
        return ()
    keys: list[Key] = []
    if pending.kind == "whose":
        thrower = next((player.name for player in now.view.players if player.to_throw), "")
        keys.append(
            Key(words.say("remote", "again_by", player=thrower), {"do": "thrown_by", "player": thrower}, "main")
        )
        if pending.player and pending.player != thrower:
            said = {"do": "thrown_by", "player": pending.player}
            keys.append(Key(words.say("remote", "was_by", player=pending.player), said, "main"))
    keys.append(Key(words.say("remote", "no_throw" if pending.kind == "whose" else "again"), {"do": "no_throw"}))
    return tuple(keys)


def _hand(now: Snapshot) -> tuple[Face, ...]:
    """Bataclan: the dice that the player to throw holds as they lie."""
    hands, thrower = now.session.state.get("hand"), now.session.state.get("to_throw")
    mine = hands.get(thrower, ()) if isinstance(hands, Mapping) else ()
    return tuple(mine)


def _join(now: Snapshot, words: Wording, me: Me) -> Key:
    said = {"do": "join", "player": me.name}
    return Key(words.say("remote", "join_game", player=me.name), said, "main", _why(now, said, words))


def _seated(now: Snapshot, told: Page, me: Me, actions: Mapping[str, Action], n: int) -> Seated:
    words, player, shown = told.wording, now.view.players[n], told.players[n]
    gone = player.out or player.lost or "left" in player.roles
    less = more = leave = None
    if "adjust" in actions and player.name in actions["adjust"].inputs.get("player", ()):
        less, more = (_adjust(now, player, by, words) for by in (-1, 1))
    if "leave" in actions and player.name in actions["leave"].inputs.get("player", ()):
        said = {"do": "leave", "player": player.name}
        ask = words.say("remote", "sure_leave", player=player.name)
        leave = Key(words.say("remote", "leave", player=player.name), said, "quiet", _why(now, said, words), ask)
    return Seated(
        name=player.name,
        kind=shown.kind,
        shape=shown.shape,
        number=player.number,
        degrees=player.seat,
        gone=gone,
        is_me=player.name == me.name,
        has_phone=player.name in me.here,
        less=less,
        more=more,
        leave=leave,
    )


def _adjust(now: Snapshot, player: PlayerView, by: int, words: Wording) -> Key:
    said = {"do": "adjust", "player": player.name, "strokes": max(0, player.number + by)}
    label = words.say("remote", "more" if by > 0 else "less")
    return Key(label, said, why="" if player.number + by >= 0 and not _why(now, said, words) else " ")
