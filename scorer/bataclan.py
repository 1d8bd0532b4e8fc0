"""Bataclan: get rid of your dice by stacking them on the common pile, G, 2, 3, 4, 5, 6 and again from the G."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scorer.bataclan_dice import ALL_DICE, ORDER, Sizes, face_at, faces
from scorer.bataclan_play import MOST_PLAYERS, BataclanState, dealt, opening, play
from scorer.circle import Circle, chalk, chalk_number, chalk_numbers, changes_to_json, table_actions, throw_to_json
from scorer.errors import IllegalEvent
from scorer.events import Event, Face, Start
from scorer.game import Action, Cell, PlayerView, Prompt, View
from scorer.options import Option, Scalar
from scorer.presets import options_for

SMALL_DIE = Sizes(0, 0, 1)


class Bataclan:
    """The rules BC-01 to BC-11 with E1 to E7; the pile is entered by hand (E6)."""

    name = "bataclan"
    players = range(2, MOST_PLAYERS + 1)
    figure = "dice"
    marked = None
    faces = ORDER
    options = (
        Option(name="places", default="count_dice", values=("count_dice", "play_on"), rule="BC-11", source="rulebook"),
    )

    def start(self, event: Start) -> BataclanState:
        """`joined` may hold `dice_left` by player, `top`, `pile` (its height), and `sizes` (large or medium)."""
        circle = Circle.of(event, self.players)
        options = options_for(event, self.options)
        told = chalk(event, ("dice_left", "top", "pile", "sizes"))
        state = dealt(BataclanState(options, circle, _chosen(circle, told.get("sizes", {}))))
        pile = (SMALL_DIE,) * _height(told)
        left = chalk_numbers("dice", told.get("dice_left", {}), circle, range(1, ALL_DICE + 1))
        dice = {name: _resized(sizes, left.get(name, sum(sizes))) for name, sizes in state.dice.items()}
        if left and sum(map(sum, dice.values())) + len(pile) > ALL_DICE:
            raise IllegalEvent("bad_join", f"there are only {ALL_DICE} dice")
        return opening(replace(state, dice=dice, pile=pile), event.opener)

    def apply(self, state: BataclanState, event: Event) -> BataclanState:
        return play(state, event)

    def legal(self, state: BataclanState) -> tuple[str, ...]:
        if state.over:
            return ()
        own = "throw" if not state.thrown else "place" if state.may_place else "stop"
        return (own, "fallen") if state.pile else (own,)

    def view(self, state: BataclanState) -> View:
        last = state.last
        by = (state.to_throw,) if state.to_throw else ()
        hand = state.hands.get(state.to_throw or "", ())
        actions = {
            "throw": Action("throw", by, {"kept": hand} if state.round > 1 and hand else {}),
            "place": Action("place", by, {"dice": state.may_place}),
            "stop": Action("stop", by),
            "fallen": Action("fallen", (), {"dice": tuple(range(1, len(state.pile) + 1)), "player": state.circle.here}),
        }
        return View(
            game=self.name,
            phase=state.phase,
            players=tuple(_player(state, name) for name in state.circle.names),
            prompt=_prompt(state),
            actions=(
                *(actions[word] for word in self.legal(state)),
                *table_actions(state.circle, over=state.over, join=state.is_untouched),
            ),
            expected=_expected(state),
            dice=last.dice if last else (),
            outside=last.outside if last else 0,
            rim=last.rim if last else 0,
            throws=state.throws,
            throws_used=int(state.thrown),
            throws_left=None if state.over else int(not state.thrown),
            changes=state.changes,
            board=_board(state),
            pattern=state.pattern,
        )

    def to_json(self, state: BataclanState) -> dict[str, object]:
        names = state.circle.names
        return {
            "game": self.name,
            "phase": state.phase,
            "round": state.round,
            "opener": state.opener,
            "to_throw": state.to_throw,
            "players": [
                {
                    "name": name,
                    "dice": state.dice_left(name),
                    "out": name in state.out,
                    "lost": False,
                    "place": state.places.get(name),
                    "left": name in state.circle.left,
                }
                for name in names
            ],
            "top": face_at(len(state.pile)),
            "next": state.next,
            "pile": len(state.pile),
            "hand": {name: list(state.hands.get(name, ())) for name in names},
            "dice_left": {name: state.dice_left(name) for name in names},
            "sizes": {name: state.dice.get(name, Sizes(0, 0, 0))._asdict() for name in names},
            "may_place": list(state.may_place),
            "last": throw_to_json(state.last),
            "legal": list(self.legal(state)),
            "changes": changes_to_json(state.changes),
            "winner": state.at_place(1),
            "loser": state.at_place(max(state.places.values())) if state.over and len(state.places) > 1 else None,
            "throws": state.throws,
        }


def _expected(state: BataclanState) -> int:
    if state.over or state.thrown:
        return 0
    return 1 if state.roll_off else state.dice_left(state.to_throw or "")


def _chosen(circle: Circle, told: object) -> dict[str, str]:
    """Who of five or six takes a large and who a medium die; raises `IllegalEvent`."""
    if not isinstance(told, Mapping):
        raise IllegalEvent("bad_join", "sizes are given by player")
    for name, size in told.items():
        circle.check(name)
        if size not in ("large", "medium"):
            raise IllegalEvent("bad_join", f"{name} takes a large or a medium die")
    return dict(told)


def _height(told: Mapping[str, object]) -> int:
    """The height of the pile that a game begins with, from `pile` or else `top`; raises `IllegalEvent`."""
    top, pile = _face(told.get("top")), told.get("pile")
    if isinstance(pile, list | tuple):
        height = len(pile)
        if [_face(face) for face in pile] != [face_at(h) for h in range(1, height + 1)]:
            raise IllegalEvent("bad_join", "a pile is G, 2, 3, 4, 5, 6, G and so on, the base first")
    elif pile is not None:
        height = chalk_number("pile", pile, range(ALL_DICE + 1))
    else:
        height = 0 if top is None else 1 + ORDER.index(top)
    if top is not None and face_at(height) != top:
        raise IllegalEvent("bad_join", f"a pile of {height} dice does not end with {top}")
    return height


def _face(told: object) -> Face | None:
    """A face of the pile, None where none is told; raises `IllegalEvent`."""
    if told is None:
        return None
    if isinstance(told, bool) or not isinstance(told, int | str) or faces((told,))[0] not in ORDER:
        raise IllegalEvent("bad_join", "on the pile lie G and 2 to 6")
    return faces((told,))[0]


def _resized(sizes: Sizes, dice: int) -> Sizes:
    """These dice when only so many are left, or some more have been taken from the pile (small ones)."""
    more = dice - sum(sizes)
    return sizes.plus(Sizes(0, 0, more)) if more > 0 else sizes.split(-more)[1]


def _player(state: BataclanState, name: str) -> PlayerView:
    place = state.places.get(name)
    is_so = {"opener": name == state.opener, "left": name in state.circle.left, "winner": place == 1}
    return PlayerView(
        name=name,
        marks=state.dice_left(name),
        number=state.dice_left(name),
        roles=tuple(role for role, so in is_so.items() if so),
        to_throw=name == state.to_throw,
        out=name in state.out,
        place=place,
        seat=state.circle.seats.get(name),
    )


def _prompt(state: BataclanState) -> Prompt:
    if state.over:
        winner = state.at_place(1)
        return Prompt("won", {"player": winner}) if winner else Prompt("game_over")
    args: dict[str, Scalar] = {"player": state.to_throw, "dice": _expected(state)}
    if state.roll_off:
        return Prompt("bataclan_roll_off", args)
    args["next"] = state.next
    if state.thrown:
        return Prompt("bataclan_place" if state.may_place else "bataclan_nothing_fits", args)
    if not state.pile:
        return Prompt("bataclan_base", args)
    return Prompt("bataclan_throw_all" if state.round == 1 else "bataclan_throw", args)


def _board(state: BataclanState) -> tuple[Cell, ...]:
    top: Face | None = face_at(len(state.pile))
    cells = [Cell("top", top), Cell("next", state.next), Cell("pile", len(state.pile), of=ALL_DICE)]
    for name in state.playing:
        cells.append(Cell("dice_left", state.dice_left(name), player=name))
        cells += [Cell(f"{size}_dice", number, player=name) for size, number in state.dice[name]._asdict().items()]
    return tuple(cells)


GAME = Bataclan()
