"""What is counted of the throws that stand: of a game, an evening or a person, in the scorer's own words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from operator import add
from typing import Any, NamedTuple

from scorer.dice import ThrowClass
from scorer.events import Face, Pause, Resume, Throw
from scorer.line import Moment

KINDS = tuple(kind.value for kind in ThrowClass if kind is not ThrowClass.PLAIN)
"""The classes of throw that people count, the highest first."""
NOT_PLAYED = ("adjusted", "left", "joined")  # what changes figures without a throw
_NO_FACES = (0, 0, 0, 0, 0, 0)


class Counts(NamedTuple):
    """Counts that add up. `faces`: dice on the felt that showed 1 (or G) to 6.

    `outside`, `rim`: dice that lay there. `wiped`, `added`: strokes, those put right by hand left out. `rounds`: won by
    somebody, or by this person. `barrages`: how many there were; of a person, those won. `pays_round`: rounds of
    drinks to pay; `orders`: orders paid in azen jagen. `games`: played; `won` and `lost` those of them that ended so.
    """

    faces: tuple[int, ...] = _NO_FACES
    throws: int = 0
    three_aces: int = 0
    soixante_neuf: int = 0
    zand: int = 0
    seven: int = 0
    outside: int = 0
    rim: int = 0
    rounds: int = 0
    barrages: int = 0
    wiped: int = 0
    added: int = 0
    pays_round: int = 0
    orders: int = 0
    games: int = 0
    won: int = 0
    lost: int = 0

    @property
    def dice(self) -> int:
        """How many dice showed a face."""
        return sum(self.faces)

    def plus(self, other: Counts) -> Counts:
        """Both together.

        >>> Counts(throws=2, zand=1).plus(Counts(throws=3)).throws
        5
        """
        return Counts(tuple(map(add, self.faces, other.faces)), *map(add, self[1:], other[1:]))

    def to_json(self) -> dict[str, object]:
        told = self._asdict()
        told["faces"] = {str(face): count for face, count in enumerate(self.faces, 1)}
        return {"dice": self.dice, **told}


class Counted(NamedTuple):
    """The counts of all, and those of each person in the order of the table."""

    whole: Counts = Counts()
    people: Mapping[str, Counts] = {}

    def plus(self, other: Counted) -> Counted:
        people = dict(self.people)
        for name, counts in other.people.items():
            people[name] = people[name].plus(counts) if name in people else counts
        return Counted(self.whole.plus(other.whole), people)


def counted(moments: Sequence[Moment]) -> Counted:
    """What one game came to: its moments as they stand, from its begin on."""
    whole: Counter[str] = Counter()
    people: defaultdict[str, Counter[str]] = defaultdict(Counter)
    told: Mapping[str, Any] = {}
    for moment in moments:
        if moment.void or isinstance(moment.event, Pause | Resume):
            continue  # the state is that of the moment before
        before, told = told, moment.game.to_json(moment.state)
        for name, key, number in _of_moment(moment, before, told):
            people[name][key] += number
            if key != "barrages":  # each is won once, but counts from its begin
                whole[key] += number
        if told["phase"] == "barrage" != before.get("phase"):
            whole["barrages"] += 1
    over = told.get("phase") == "over"
    for player in told["players"]:
        name, orders = player["name"], player.get("orders", 0)
        whole["orders"] += orders
        ends = Counter(games=1, orders=orders, won=int(over and name == told["winner"]))
        people[name].update(ends, lost=int(over and name == told["loser"]))
    whole["games"] = 1
    return Counted(_counts(whole), {player["name"]: _counts(people[player["name"]]) for player in told["players"]})


def _of_moment(moment: Moment, before: Mapping[str, Any], told: Mapping[str, Any]) -> Iterable[tuple[str, str, int]]:
    """Who did what how often by this one event."""
    event, last = moment.event, told.get("last")
    if isinstance(event, Throw) and last is not None:
        name = last["player"]
        yield name, "throws", 1
        for face in event.dice:
            yield name, f"face_{place(face)}", 1
        if last.get("class") in KINDS:
            yield name, last["class"], 1
        if event.outside:
            yield name, "outside", event.outside
        if event.rim:
            yield name, "rim", event.rim
    for change in told["changes"]:
        strokes = change.get("strokes", 0)
        if strokes and change["why"] not in NOT_PLAYED:
            yield change["player"], "wiped" if strokes < 0 else "added", abs(strokes)
        if change["why"] == "won_barrage":
            yield change["player"], "barrages", 1
    if told.get("round_winner") is not None:
        yield told["round_winner"], "rounds", 1
    pays = told.get("pays_round")
    if pays is not None and (isinstance(event, Throw) or pays != before.get("pays_round")):
        yield pays, "pays_round", 1


def place(face: Face) -> int:
    """1 to 6; Bataclan's dice show a G where others have an ace."""
    return face if isinstance(face, int) else 1


def _counts(counts: Counter[str]) -> Counts:
    faces = tuple(counts[f"face_{face}"] for face in range(1, 7))
    return Counts(faces, *(counts[field] for field in Counts._fields[1:]))
