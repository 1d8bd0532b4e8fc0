"""Exact chances, worked out on demand: nothing here belongs to the rules, and no view waits for it.

In pietjesbak the players still to throw go on while they are behind the best and stop otherwise; a tie among k counts
as 1/k; a die outside is not counted on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

from scorer.dice import ALL_THROWS, ThrowClass, value_of
from scorer.pietjesbak_round import is_early
from scorer.pietjesbak_rules import Rules
from scorer.pietjesbak_state import MOST_THROWS, Phase, State
from scorer.session import Session

ONE, HALF, NOTHING = Fraction(1), Fraction(1, 2), Fraction(0)
BEHIND = 99  # stands for "no value": worse than any rank


@dataclass(frozen=True)
class RoundOdds:
    """The chance of the player to throw to win the round, by what he does now; None where he may not."""

    player: str
    stop: Fraction | None
    throw_on: Fraction | None


@dataclass(frozen=True)
class OpenerOptimum:
    """Two players, both at their best: how often the opener wins the round, and from which rank up he stops."""

    wins: Fraction
    stop_after: Mapping[int, int]


@dataclass(frozen=True)
class PigOdds:
    """One more throw of pig, and those that a double forces: the chance to lose the turn, the points gained on average.

    `gain` counts what stands in the turn now as lost with it, and the banked points where 1-1 takes them too.
    """

    lose_turn: Fraction
    gain: Fraction


def odds(session: Session) -> dict[str, object] | None:
    """The odds of the running game in plain numbers; None where there is nothing to choose."""
    state = session.game_state
    if isinstance(state, State):
        found = round_odds(state)
        if found is None:
            return None
        return {"player": found.player, "stop": _plain(found.stop), "throw_on": _plain(found.throw_on)}
    told = session.state
    if told.get("game") == "pig" and "throw" in session.legal and told.get("phase") == "turn":
        turn = told["turn"]
        banked = next(player.number for player in session.view.players if player.to_throw)
        pig = pig_odds(turn if isinstance(turn, int) else 0, session.options, banked)
        return {"player": told["to_throw"], "lose_turn": float(pig.lose_turn), "gain": float(pig.gain)}
    return None


def round_odds(state: State) -> RoundOdds | None:
    """The odds of the player to throw; None while nobody has a turn.

    >>> from scorer.events import Start, Throw
    >>> from scorer.pietjesbak import GAME
    >>> begun = GAME.start(Start(game="pietjesbak", players=("A", "B"), opener="A", joined={"ever_wiped": ("A", "B")}))
    >>> float(round_odds(GAME.apply(begun, Throw(dice=(1, 1, 6)))).stop)
    0.9375
    """
    if state.phase is not Phase.TURN:
        return None
    turns, rules, player = state.turns, state.rules, state.turns.waiting[0]
    leading = state.leading
    table = _Table(
        rules,
        best=rules.standing(leading[0][1]) if leading else BEHIND,
        tied=len(leading),
        others=tuple(is_early(state, name) for name in turns.waiting[1:]),
        allowed=turns.allowed,
        early=is_early(state, player),
    )
    held = BEHIND
    for thrown in turns.throws:
        if thrown.counted:
            held = table.after(held, BEHIND if thrown.value is None else rules.standing(thrown.value))
    may_stop = turns.used > 0 and not (rules.followers == "exactly" and turns.allowed is not None)
    return RoundOdds(
        player,
        table.stop(held, turns.used) if may_stop else None,
        table.throw_on(held, turns.used, turns.limit) if turns.used < turns.limit else None,
    )


@dataclass(frozen=True)
class _Table:
    """A round as its player to throw sees it: what there is to beat, who comes after him, whose aces come too early."""

    rules: Rules
    best: int
    tied: int
    others: tuple[bool, ...]
    allowed: int | None
    early: bool

    def after(self, held: int, thrown: int) -> int:
        """The standing that counts after one more throw (A1)."""
        return min(held, thrown) if self.rules.counting == "best" else thrown

    def stop(self, held: int, used: int) -> Fraction:
        """The chance to win the round with this standing, once the others have thrown."""
        if held > self.best or held == BEHIND:
            return NOTHING
        tied = 1 + (self.tied if held == self.best else 0)
        chances = {tied: ONE}  # how many share the best, the player among them
        for early in self.others:
            beaten, level = _reply(self.rules, held, self.allowed or used, early)
            chances = _spread(chances, level, 1 - beaten - level)
        return sum((chance / count for count, chance in chances.items()), NOTHING)

    def throw_on(self, held: int, used: int, limit: int) -> Fraction:
        """The chance to win the round with one more throw, and the better choice after each that may follow."""
        total = NOTHING
        for thrown, ways in _fall(self.rules, self.early).items():
            if thrown is None:
                continue  # three aces too early: the round is lost
            now = self.after(held, thrown)
            total += ways * self._best_choice(now, used + 1, limit)
        return total / len(ALL_THROWS)

    def _best_choice(self, held: int, used: int, limit: int) -> Fraction:
        known = _choices(self)
        if (held, used) not in known:
            choices = []
            if used == limit or self.rules.followers != "exactly" or self.allowed is None:
                choices.append(self.stop(held, used))
            if used < limit:
                choices.append(self.throw_on(held, used, limit))
            known[held, used] = max(choices)
        return known[held, used]


@lru_cache(64)  # a table that stands for weeks must not keep every round
def _choices(table: _Table) -> dict[tuple[int, int], Fraction]:
    return {}


@lru_cache(64)
def _fall(rules: Rules, early: bool) -> dict[int | None, int]:
    """Of 216 throws, how many have each standing; None: three aces that come too early and end the turn."""
    fall: dict[int | None, int] = {}
    for dice in ALL_THROWS:
        value = value_of(dice)
        standing: int | None = rules.standing(value)
        if early and value.kind is ThrowClass.THREE_ACES:
            last_would_save = rules.three_aces_early_when == "counting_throw" and rules.counting == "last"
            standing = BEHIND if last_would_save else None
        fall[standing] = fall.get(standing, 0) + 1
    return fall


@lru_cache(4096)
def _reply(rules: Rules, best: int, throws: int, early: bool) -> tuple[Fraction, Fraction]:
    """How often a player still to throw beats that standing, and how often he ties it, with so many throws."""
    fall = _fall(rules, early)
    better = Fraction(sum(n for standing, n in fall.items() if standing is not None and standing < best), 216)
    level = Fraction(fall.get(best, 0), 216)
    worse = Fraction(sum(n for standing, n in fall.items() if standing is not None and standing > best), 216)
    gone = Fraction(fall.get(None, 0), 216)
    if rules.followers == "exactly" and rules.counting == "last":
        here = (1 - gone) ** (throws - 1)
        return here * better, here * level
    if rules.followers == "exactly":  # the best of all throws counts, unless three aces came too early
        behind = worse**throws
        not_better = (worse + level) ** throws
        return (1 - gone) ** throws - not_better, not_better - behind
    tries = sum((worse**n for n in range(throws)), NOTHING)  # goes on only while behind
    return better * tries, level * tries


def _spread(chances: Mapping[int, Fraction], level: Fraction, behind: Fraction) -> dict[int, Fraction]:
    spread: dict[int, Fraction] = {}
    for count, chance in chances.items():
        spread[count] = spread.get(count, NOTHING) + chance * behind
        spread[count + 1] = spread.get(count + 1, NOTHING) + chance * level
    return spread


@lru_cache(16)
def two_player_optimum(rules: Rules) -> OpenerOptimum:
    """A round of two who may both still throw three aces; the follower too does what is best for him."""
    fall = {standing: Fraction(n, 216) for standing, n in _fall(rules, False).items() if standing is not None}
    best_counts = rules.counting == "best"

    @cache
    def follower(best: int, held: int, left: int) -> Fraction:
        """The follower's chance with this standing against the best."""
        stop = ONE if held < best else HALF if held == best else NOTHING
        if not left or stop == ONE:
            return stop
        on = sum((p * follower(best, min(held, s) if best_counts else s, left - 1) for s, p in fall.items()), NOTHING)
        return max(stop, on)

    @cache
    def opener(held: int, used: int) -> tuple[Fraction, Fraction]:
        """The opener's chance if he stops, and if he throws on."""
        on = NOTHING
        if used < MOST_THROWS:
            on = sum((p * max(opener(min(held, s) if best_counts else s, used + 1)) for s, p in fall.items()), NOTHING)
        return (1 - follower(held, BEHIND, used) if used else NOTHING), on

    stops: dict[int, int] = {}
    for used in range(1, MOST_THROWS):
        good = [standing for standing in fall if opener(standing, used)[0] >= opener(standing, used)[1]]
        stops[used] = max(good)
    return OpenerOptimum(opener(BEHIND, 0)[1], stops)


def pig_odds(turn: int, options: Mapping[str, object], banked: int = 0) -> PigOdds:
    """With so many points in the turn, so many banked; doubles are thrown again (PG-06, PG-07, C1).

    >>> pig_odds(0, {}).gain, pig_odds(20, {}).lose_turn
    (Fraction(94, 15), Fraction(1, 3))
    """
    one_one = {"lose_turn": None, "lose_all": None, "twenty_five": 25}.get(str(options.get("double_one")), 2)
    doubles = [one_one if face == 1 else 2 * face for face in range(1, 7)]
    forced = [points for points in doubles if points is not None]
    free = [a + b for a in range(2, 7) for b in range(2, 7) if a != b]
    again = 1 - Fraction(len(forced), 36)
    lose = Fraction(36 - len(forced) - len(free), 36) / again
    gained = Fraction(sum(free) + sum(forced) * Fraction(len(free), 36) / again, 36) / again
    all_lost = Fraction(banked if options.get("double_one") == "lose_all" else 0, 36) / again
    return PigOdds(lose, gained - lose * turn - all_lost)


def _plain(chance: Fraction | None) -> float | None:
    return None if chance is None else float(chance)
