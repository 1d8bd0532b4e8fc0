"""Pietjesbak once more, written from the rules alone and sharing no code with `scorer`: slow, plain, and changed in
place. What the two do not agree on is a mistake in one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

DIE = {1: 100, 2: 2, 3: 3, 4: 4, 5: 5, 6: 60}
Dice = tuple[int, ...]


@dataclass
class Table:
    """One game; `options` holds every option."""

    names: Sequence[str]
    options: Mapping[str, Any]
    strokes: dict[str, int]
    wiped: set[str]
    out: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    phase: str = "roll_off"
    round: int = 1
    opener: str | None = None
    round_winner: str | None = None
    pays: str | None = None
    waiting: list[str] = field(default_factory=list)
    dice: dict[str, int] = field(default_factory=dict)
    turn: list[tuple[bool, Dice | None]] = field(default_factory=list)
    done: list[tuple[str, Dice | None]] = field(default_factory=list)
    allowed: int | None = None
    stoef: bool = False

    def begin(self, opener: str | None) -> None:
        if opener is None:
            self.waiting = self.in_play()
        else:
            self.new_round(opener)

    def in_play(self) -> list[str]:
        return [name for name in self.names if name not in self.out and name not in self.lost]

    def clockwise(self, first: str) -> list[str]:
        at = self.names.index(first)
        return [name for name in (*self.names[at:], *self.names[:at]) if name in self.in_play()]

    def new_round(self, opener: str) -> None:
        self.phase, self.waiting = "turn", self.clockwise(opener)
        self.opener = self.waiting[0]
        self.allowed, self.turn, self.done, self.stoef = None, [], [], False

    def to_throw(self) -> str | None:
        if self.phase == "over":
            return None
        return next(name for name in self.waiting if self.phase == "turn" or name not in self.dice)

    def used(self) -> int:
        return sum(counted for counted, _ in self.turn)

    def may_stop(self) -> bool:
        forced = self.options["followers"] == "exactly" and self.allowed is not None
        return self.phase == "turn" and self.used() > 0 and not forced

    def worth(self, dice: Dice) -> tuple[int, int]:
        """The higher the better."""
        low, middle, high = sorted(dice)
        if (low, middle, high) == (1, 1, 1):
            return 4, 0
        if (low, middle, high) == (4, 5, 6):
            return 3, 0
        if low == high:
            return 2, 0 if self.options["zand_order"] == "all_equal" else low
        return (0, 0) if (low, middle, high) == (2, 2, 3) else (1, sum(DIE[die] for die in dice))

    def add(self, name: str, more: int) -> None:
        cap = self.options["stroke_cap"]
        most = max(self.strokes[name], cap) if cap is not None else 10**6
        self.strokes[name] = min(most, self.strokes[name] + more)

    def throw(self, dice: Dice, outside: int, rim: int) -> None:
        self.round_winner = self.pays = None
        thrower = self.to_throw()
        assert thrower is not None
        left_board = outside > 0 or (rim > 0 and self.options["die_on_rim"] == "outside")
        where = {"turn_only": ("turn",), "turn_and_barrage": ("turn", "barrage")}
        if left_board and self.phase in where.get(self.options["die_outside_in"], ("turn", "barrage", "roll_off")):
            self.add(thrower, self.options["die_outside_strokes"])
            self.pays = thrower if self.options["die_outside_pays"] else None
        if self.phase != "turn":
            if not outside and not rim:
                self.one_die(thrower, dice[0])
        elif outside or rim:
            self.turn.append((left_board and self.options["die_outside"] == "throw_lost", None))
        elif self.is_early(thrower, dice) and self.options["three_aces_early_when"] == "any_throw":
            self.turn.append((True, dice))
            self.too_early(thrower)
            return
        else:
            self.turn.append((True, dice))
            if self.options["seven_when"] == "every_throw":
                self.seven(thrower, dice)
        if self.phase == "turn" and self.used() >= (self.allowed or 3):
            self.stop()

    def one_die(self, thrower: str, die: int) -> None:
        self.dice[thrower] = die
        if len(self.dice) < len(self.waiting):
            return
        top = [name for name in self.waiting if self.dice[name] == max(self.dice.values())]
        fewer = {"roll_off": "start_tie", "barrage": "barrage_again"}[self.phase]
        self.dice = {}
        if len(top) > 1:
            self.waiting = top if self.options[fewer] == "tied_only" else self.waiting
        elif self.phase == "roll_off":
            self.new_round(top[0])
        else:
            self.won(top[0], dict(self.done)[top[0]], barrage=True)

    def is_early(self, name: str, dice: Dice | None) -> bool:
        if dice is None or set(dice) != {1}:
            return False
        if self.options["three_aces_needs"] == "ever_wiped":
            return name not in self.wiped
        return self.strokes[name] >= int(self.options["strokes"])

    def too_early(self, name: str) -> None:
        used, self.turn = self.used(), []
        self.waiting.remove(name)
        self.pays = name if self.options["early_aces_pay"] else None
        if self.options["three_aces_early"] != "sits_out_round":
            self.lost.append(name)
        if self.options["three_aces_early"] == "ends_game" or len(self.in_play()) < 2:
            self.phase = "over"
            return
        if self.allowed is None and self.options["opener_lost"] == "count_stands":
            self.allowed = used
        elif self.allowed is None and self.waiting:
            self.opener = self.waiting[0]
        if not self.waiting:
            self.compare()

    def seven(self, thrower: str, dice: Dice | None) -> None:
        if dice is not None and sorted(dice) == [2, 2, 3]:
            for name in {"thrower": [thrower], "everyone": self.in_play(), "none": []}[self.options["seven_penalty"]]:
                self.add(name, 1)

    def stop(self) -> None:
        self.round_winner = None
        thrower, thrown = self.waiting[0], [dice for counted, dice in self.turn if counted]
        counts = thrown[-1]
        if self.options["counting"] == "best":
            counts = max((dice for dice in thrown if dice is not None), key=self.worth, default=None)
        if self.is_early(thrower, counts) and self.options["three_aces_early_when"] == "counting_throw":
            self.too_early(thrower)
            return
        if self.options["seven_when"] == "counting_throw":
            self.seven(thrower, counts)
        if self.allowed is None:
            self.allowed, self.stoef = len(thrown), self.options["stoef"] != "off" and len(thrown) == 1
        self.done.append((self.waiting.pop(0), counts))
        self.turn = []
        if not self.waiting:
            self.compare()

    def compare(self) -> None:
        best = max((self.worth(dice) for _, dice in self.done if dice is not None), default=None)
        top = [name for name, dice in self.done if dice is not None and self.worth(dice) == best]
        if not top:
            self.next_round(None)
        elif len(top) == 1:
            self.won(top[0], dict(self.done)[top[0]], barrage=False)
        elif self.options["tie"] == "replay_round":
            assert self.opener is not None
            self.new_round(self.opener)
        else:
            self.phase, self.waiting, self.dice = "barrage", top, {}

    def won(self, name: str, dice: Dice | None, *, barrage: bool) -> None:
        assert dice is not None
        kind = self.worth(dice)[0]
        wipes = {4: self.strokes[name], 3: 3, 2: 2, 1: 1, 0: 1}[kind]
        if barrage:
            wipes = 1 if self.options["barrage_wipes"] == 1 else wipes
        elif self.stoef and name == self.opener and kind != 4:
            wipes = max(2, wipes) if self.options["stoef"] == "two_strokes" else 2 * wipes
        self.strokes[name] = max(0, self.strokes[name] - wipes)
        self.wiped.add(name)
        self.round_winner = name
        if not self.strokes[name]:
            self.out.append(name)
        self.next_round(name)

    def next_round(self, winner: str | None) -> None:
        assert self.opener is not None
        if self.stoef and winner != self.opener and self.opener in self.in_play():
            self.add(self.opener, self.options["stoef_lost"])
        if len(self.in_play()) < 2 or (self.out and self.options["finish"] == "first_out_wins"):
            self.phase = "over"
            return
        self.round += 1
        opener, behind = self.opener, [(n, d) for n, d in self.done if n != winner and n in self.in_play()]
        if winner is not None:
            opener = winner
            if self.options["next_opener"] == "clockwise":
                opener = next(name for name in (*self.clockwise(self.opener), *self.in_play()) if name != self.opener)
            elif self.options["next_opener"] == "round_loser" and behind:
                opener = min(behind, key=lambda one: (-1, 0) if one[1] is None else self.worth(one[1]))[0]
        self.new_round(opener)

    def told(self) -> dict[str, Any]:
        """What the two must agree on, in the words of the contract."""
        here, places = self.in_play(), {name: place for place, name in enumerate(self.out, 1)}
        places |= {name: len(self.names) - earlier for earlier, name in enumerate(self.lost)}
        if len(here) == 1:
            places[here[0]] = len(self.out) + 1
        over = self.phase == "over"
        return {
            "phase": self.phase,
            "round": self.round,
            "opener": self.opener,
            "to_throw": self.to_throw(),
            "strokes": self.strokes,
            "ever_wiped": [name for name in self.names if name in self.wiped],
            "out": [name for name in self.names if name in self.out],
            "lost": [name for name in self.names if name in self.lost],
            "places": places,
            "round_winner": self.round_winner,
            "pays_round": self.pays,
            "winner": self.out[0] if self.out else here[0] if over and len(here) == 1 else None,
            "loser": next((name for name in places if over and places[name] == len(self.names)), None),
            "legal": [] if over else ["throw", "stop"] if self.may_stop() else ["throw"],
        }
