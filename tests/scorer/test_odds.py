"""Chances against numbers worked out another way: by an exact table, by hand, and by counting every way it can go."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from playing import WIPED, begin, play

from scorer.dice import ALL_THROWS, value_of
from scorer.events import Start, Stop, Throw
from scorer.odds import odds, pig_odds, round_odds, two_player_optimum
from scorer.options import check_options
from scorer.pietjesbak_rules import OPTIONS, Rules
from scorer.pietjesbak_state import State
from scorer.session import Session

# exact, from an independent enumeration: the opener's chance, and the rank up to which he stops after 1 and 2 throws
OPTIMUM = {
    "last": (Fraction(2214327862699, 3761479876608), {1: 30, 2: 27}),
    "best": (Fraction(369902651699, 626913312768), {1: 30, 2: 25}),
}

# the opener stands on this rank, m others use all of t throws, their best counts: he wins outright, he is beaten
STANDS = [
    (1, 1, "111", 0.9953703703703703, 0.0),
    (1, 1, "456", 0.9675925925925926, 0.004629629629629629),
    (1, 2, "456", 0.9362354252400549, 0.009237825788751715),
    (2, 2, "111", 0.9816096858478, 0.0),
    (3, 1, "456", 0.9058944623850531, None),
]


def rules(**options: Any) -> Rules:
    return Rules.chosen(check_options(OPTIONS, options))


def state(session: Session) -> State:
    found = session.game_state
    assert isinstance(found, State)
    return found


@pytest.mark.parametrize("counting", ["last", "best"])
def test_the_optimum_of_two_players_is_exact(counting: str) -> None:
    optimum = two_player_optimum(rules(counting=counting))
    assert (optimum.wins, dict(optimum.stop_after)) == OPTIMUM[counting]


@pytest.mark.parametrize(("others", "throws", "dice", "wins", "beaten"), STANDS)
def test_standing_against_others_who_use_all_their_throws(
    others: int, throws: int, dice: str, wins: float, beaten: float | None
) -> None:
    """A tie is worth less than 1 and no less than nothing, so the chance lies between the two figures."""
    names = "ABCDEFGH"[: others + 1]
    lowest = "224"
    script = " ".join([dice] if throws == 1 else [*([lowest] * (throws - 1)), dice])
    session = play(script, begin(names, wiped=WIPED, counting="best", followers="exactly"))
    found = round_odds(state(session))
    assert found is not None
    assert found.stop is not None
    assert wins < found.stop
    if beaten is not None:
        assert found.stop < 1 - beaten
        if others == 1:
            tied = 1 - wins - beaten
            assert float(found.stop) == pytest.approx(wins + tied / 2, abs=1e-15)


def brute(best: str, throws: int, early: bool) -> tuple[Fraction, Fraction]:
    """How often one who goes on while behind ends above and level with `best`, by playing every way out."""
    rank = value_of([int(face) for face in best]).rank

    def ends(left: int) -> tuple[Fraction, Fraction]:
        above = level = Fraction(0)
        for dice in ALL_THROWS:
            mine = value_of(dice).rank
            if early and dice == (1, 1, 1):
                continue
            if mine < rank:
                above += Fraction(1, 216)
            elif mine == rank:
                level += Fraction(1, 216)
            elif left > 1:
                further = rest[left - 1]
                above += further[0] / 216
                level += further[1] / 216
        return above, level

    rest: dict[int, tuple[Fraction, Fraction]] = {}
    for left in range(1, throws + 1):
        rest[left] = ends(left)
    return rest[throws]


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("script", ["145", "666", "223 224", "125 356"])
@pytest.mark.parametrize("names", ["AB", "ABC"])
def test_stopping_counts_every_way_the_others_can_answer(script: str, names: str, early: bool) -> None:
    session = play(script, begin(names, wiped="A" if early else WIPED))
    found = round_odds(state(session))
    assert found is not None
    above, level = brute(script.split()[-1], len(script.split()), early)
    behind = 1 - above - level
    wanted = behind + level / 2
    if names == "ABC":
        wanted = behind**2 + 2 * behind * level / 2 + level**2 / 3
    assert found.stop == wanted


@pytest.mark.parametrize("counting", ["last", "best"])
def test_the_last_throw_of_the_last_player_is_a_plain_count(counting: str) -> None:
    session = play("124 123 . 122", begin(wiped=WIPED, counting=counting))  # behind, one throw left
    best = value_of((1, 2, 3)).rank if counting == "last" else value_of((1, 2, 4)).rank
    wins = sum(value_of(dice).rank < best for dice in ALL_THROWS)
    ties = sum(value_of(dice).rank == best for dice in ALL_THROWS)
    found = round_odds(state(session))
    assert found is not None
    assert (found.player, found.stop, found.throw_on) == ("B", Fraction(0), Fraction(2 * wins + ties, 432))


def test_a_tie_already_there_is_shared() -> None:
    session = play("125 126 . 134 126 126", begin("ABC", wiped=WIPED))
    found = round_odds(state(session))
    assert found is not None
    assert found.stop == Fraction(1, 3)


def test_three_aces_too_early_lose_the_round() -> None:
    late = round_odds(state(play("124", begin(wiped=WIPED))))
    early = round_odds(state(play("124", begin(wiped="B"))))
    assert late is not None
    assert early is not None
    assert late.throw_on is not None
    assert early.throw_on is not None
    assert early.stop == late.stop
    assert early.throw_on < late.throw_on
    sits = round_odds(state(play("124", begin(wiped="B", three_aces_early_when="counting_throw"))))
    assert sits is not None
    assert sits.throw_on is not None
    assert early.throw_on < sits.throw_on < late.throw_on


def test_what_may_not_be_done_has_no_chance_told() -> None:
    opening = round_odds(state(begin()))
    assert opening is not None
    assert opening.stop is None
    forced = round_odds(state(play("124 123 . 145", begin(followers="exactly", wiped=WIPED))))
    assert forced is not None
    assert (forced.stop, forced.throw_on is not None) == (None, True)
    lost = round_odds(state(play("145 x23", begin(die_outside="throw_lost", wiped=WIPED))))
    assert lost is not None
    assert lost.stop == 0
    assert round_odds(state(begin(opener=None))) is None
    assert round_odds(state(play("125 . 134"))) is None
    assert round_odds(state(play("111"))) is None


def test_the_opener_of_two_does_as_well_against_a_simple_player_as_against_the_best_or_better() -> None:
    found = round_odds(state(begin(wiped=WIPED)))
    assert found is not None
    assert found.throw_on is not None
    assert OPTIMUM["last"][0] <= found.throw_on < OPTIMUM["last"][0] + Fraction(1, 50)


def brute_pig(turn: int, worth_of_one_one: int | None, depth: int = 12) -> tuple[float, float]:
    """The chance to lose the turn and the mean gain, by playing doubles out as deep as they matter."""
    if depth == 0:
        return 0.0, 0.0
    lose = gain = 0.0
    for a, b in product(range(1, 7), repeat=2):
        if (1 in (a, b) and a != b) or (a == b == 1 and worth_of_one_one is None):
            lose += 1 / 36
            gain -= turn / 36
        elif a == b:
            points = worth_of_one_one if a == 1 else a + b
            assert points is not None
            further = brute_pig_forced(turn + points, worth_of_one_one, depth - 1)
            lose += further[0] / 36
            gain += (further[1] + points) / 36
        else:
            gain += (a + b) / 36
    return lose, gain


MEMO: dict[tuple[int, int | None, int], tuple[float, float]] = {}


def brute_pig_forced(turn: int, worth: int | None, depth: int) -> tuple[float, float]:
    key = (turn, worth, depth)
    if key not in MEMO:
        MEMO[key] = brute_pig(turn, worth, depth)
    return MEMO[key]


@pytest.mark.parametrize(("double_one", "worth"), [("adds_two", 2), ("lose_turn", None), ("twenty_five", 25)])
@pytest.mark.parametrize("turn", [0, 19, 60])
def test_one_more_throw_of_pig(turn: int, double_one: str, worth: int | None) -> None:
    found = pig_odds(turn, {"double_one": double_one})
    lose, gain = brute_pig(turn, worth)
    assert float(found.lose_turn) == pytest.approx(lose, abs=1e-6)
    assert float(found.gain) == pytest.approx(gain, abs=1e-4)


def test_pig_figures_that_are_known() -> None:
    assert (pig_odds(0, {}).lose_turn, pig_odds(0, {}).gain) == (Fraction(1, 3), Fraction(94, 15))
    assert pig_odds(18, {}).gain > 0 > pig_odds(19, {}).gain
    all_lost = pig_odds(0, {"double_one": "lose_all"}, banked=36)
    assert pig_odds(0, {"double_one": "lose_turn"}).gain - all_lost.gain == Fraction(36, 31)


def test_odds_of_a_session_are_plain_numbers() -> None:
    told = odds(play("116", begin(wiped=WIPED)))
    assert told is not None
    assert told["player"] == "A"
    assert told["stop"] == 0.9375
    pig = Session().apply(Start(game="pig", players=("A", "B"), opener="A")).apply(Throw(dice=(4, 6)))
    assert odds(pig) == {"player": "A", "lose_turn": pytest.approx(1 / 3), "gain": pytest.approx(94 / 15 - 10 / 3)}
    assert odds(Session()) is None
    assert odds(Session().apply(Start(game="azen", players=("A", "B"), opener="A"))) is None
    assert odds(pig.apply(Stop())) is not None
