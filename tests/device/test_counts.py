"""What is counted: small games by hand with known figures, then games by chance against a second counting."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from an_evening import AnEvening
from hypothesis import given, settings
from hypothesis import strategies as st

from device.counts import Counted, Counts
from device.evenings import Past
from scorer.dice import ThrowClass, value_of


def counted(at: AnEvening) -> Counted:
    """The latest game's counts."""
    evening = Past(at.journal).evenings().evenings[0]
    return evening.games[-1].counted


def by_hand() -> AnEvening:
    """Two rounds: Ann's zand wins two strokes; then a barrage, won by Bob, after a seven and a die outside."""
    at = AnEvening()
    at.start(players=("Ann", "Bob"))
    at.throw(4, 4, 4)
    at.say("stop")
    at.throw(2, 3, 6)
    at.throw(2, 2, 3)
    at.throw(1, 4, outside=1)
    at.throw(1, 4, 5)
    at.say("stop")
    at.throw(4, 5, 6, by="Bob")
    return at


class TestByHand:
    def test_a_round_and_the_turn_after_it(self) -> None:
        whole, people = counted(by_hand())
        assert whole.throws == 6
        assert (whole.zand, whole.seven, whole.soixante_neuf, whole.three_aces) == (1, 1, 1, 0)
        assert whole.faces == (2, 3, 2, 6, 2, 2)
        assert (whole.outside, whole.rim, whole.dice) == (1, 0, 17)
        assert people["Ann"].throws == 4
        assert people["Ann"].wiped == 2
        assert people["Ann"].added == 2  # the seven and the die outside
        assert people["Ann"].rounds == 1
        assert people["Bob"].soixante_neuf == 1

    def test_a_barrage_is_counted_once_and_won_once(self) -> None:
        at = AnEvening()
        at.start(players=("Ann", "Bob"))
        for dice in ((1, 4, 5), (1, 4, 5)):
            at.throw(*dice)
            if dice and at.table.now.view.phase == "turn" and "stop" in at.table.now.session.legal:
                at.say("stop")
        assert at.table.now.view.phase == "barrage"
        at.throw(3)
        at.throw(3)
        at.throw(2)
        at.throw(5)
        whole, people = counted(at)
        assert whole.barrages == 1
        assert (people["Ann"].barrages, people["Bob"].barrages) == (0, 1)
        assert (whole.rounds, people["Bob"].rounds, people["Bob"].wiped) == (1, 1, 1)
        assert whole.throws == 6

    def test_three_aces_that_end_a_game(self) -> None:
        at = AnEvening()
        at.start(players=("Ann", "Bob"), strokes={"Ann": 3, "Bob": 9})
        at.throw(1, 1, 1)
        at.say("stop")
        at.throw(6, 6, 6)
        whole, people = counted(at)
        assert (whole.three_aces, whole.zand, whole.games) == (1, 1, 1)
        assert (people["Ann"].won, people["Ann"].wiped, people["Bob"].lost, people["Bob"].won) == (1, 3, 1, 0)

    def test_the_roll_off_counts_as_throws_and_faces_only(self) -> None:
        at = AnEvening()
        at.say("start", game="pietjesbak", players=["Ann", "Bob"])
        at.throw(6)
        at.throw(2)
        whole, people = counted(at)
        assert (whole.throws, whole.dice, whole.zand, whole.rounds) == (2, 2, 0, 0)
        assert people["Bob"].faces == (0, 1, 0, 0, 0, 0)

    def test_a_round_of_drinks_is_the_throwers(self) -> None:
        at = AnEvening()
        at.start(players=("Ann", "Bob"), options={"die_outside_pays": True})
        at.throw(1, 2, outside=1)
        at.throw(1, outside=2)
        at.throw(2, 3, 4)
        at.say("stop")
        whole, people = counted(at)
        assert (people["Ann"].pays_round, people["Bob"].pays_round, whole.pays_round) == (2, 0, 2)
        assert whole.outside == 3

    def test_azen_knows_who_paid_and_no_zand(self) -> None:
        at = AnEvening()
        at.start("azen", ("Ann", "Bob"), count=8, orderer="Bob")
        at.throw(1, 4, 4)
        at.say("glass_empty")
        at.throw(4, 4, 4)
        whole, people = counted(at)
        assert (whole.orders, people["Bob"].orders, people["Ann"].orders) == (1, 1, 0)
        assert (whole.zand, whole.wiped, whole.throws) == (0, 0, 2)

    def test_a_g_counts_as_the_first_face(self) -> None:
        at = AnEvening()
        at.start("bataclan", ("Ann", "Bob"))
        dice = at.table.now.view.expected
        at.throw("G", *[2] * (dice - 1))
        assert counted(at).whole.faces == (1, dice - 1, 0, 0, 0, 0)

    def test_strokes_put_right_by_hand_are_nobodys_doing(self) -> None:
        at = by_hand()
        before = counted(at)
        at.say("adjust", player="Ann", strokes=1)
        after = counted(at)
        assert after.people["Ann"] == before.people["Ann"]

    def test_a_pause_counts_nothing_twice(self) -> None:
        at = by_hand()
        before = counted(at)
        at.say("pause")
        at.say("resume")
        assert counted(at) == before


class TestPutRight:
    def test_a_corrected_throw_counts_as_it_was(self) -> None:
        at = by_hand()
        at.say("correct", throw=1, dice=[4, 5, 6])
        whole, people = counted(at)
        assert (whole.zand, whole.soixante_neuf, people["Ann"].wiped) == (0, 2, 3)
        assert whole.faces == (2, 3, 2, 4, 3, 3)

    def test_what_was_undone_was_not(self) -> None:
        at = by_hand()
        before = counted(at)
        at.throw(6, 6, 6) if "throw" in at.table.now.session.legal else None
        at.say("undo")
        assert counted(at) == before

    def test_a_void_throw_is_none(self) -> None:
        at = AnEvening()
        at.start(players=("Ann", "Bob"))
        at.throw(6, 6, 6)
        at.throw(2, 2, 3)
        at.say("correct", throw=2, void=True)
        whole, people = counted(at)
        assert (whole.throws, whole.zand, whole.seven, people["Ann"].added) == (1, 1, 0, 0)

    def test_a_missed_throw_counts(self) -> None:
        at = AnEvening()
        at.start(players=("Ann", "Bob"))
        at.throw(2, 3, 4)
        at.say("insert", after=0, dice=[5, 5, 5])
        assert counted(at).whole.zand == 1

    def test_a_throw_given_to_another_is_the_others(self) -> None:
        at = AnEvening()
        at.start(players=("Ann", "Bob"))
        at.throw(2, 3, 4)
        at.throw(5, 5, 5)
        at.say("correct", throw=2, player="Bob")
        people = counted(at).people
        assert (people["Ann"].zand, people["Bob"].zand) == (0, 1)
        assert people["Bob"].wiped == 2


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(["pietjesbak", "azen", "pig"]))
def test_counts_agree_with_a_second_counting(chance: Random, game: str) -> None:
    at = AnEvening()
    at.start(game, ("Ann", "Bob", "Cas"))
    at.play(chance, throws=40)
    faces: Counter[int] = Counter()
    kinds: Counter[str] = Counter()
    strokes: Counter[str] = Counter()
    throws = outside = 0
    for row in at.journal.rows():
        if row.body.get("do") == "throw":
            dice = list(row.body["dice"])  # type: ignore[call-overload]
            faces.update(dice)
            throws += 1
            outside += int(row.body.get("outside", 0))  # type: ignore[call-overload]
            if game == "pietjesbak" and len(dice) == 3:
                kinds[value_of(dice).kind] += 1
    whole, people = counted(at)
    assert whole.faces == tuple(faces[face] for face in range(1, 7))
    assert (whole.throws, whole.outside, whole.dice) == (throws, outside, sum(faces.values()))
    assert [getattr(whole, kind) for kind in ThrowClass if kind != "plain"] == [
        kinds[kind] for kind in ThrowClass if kind != "plain"
    ]
    for field in Counts._fields:
        if field not in ("faces", "games", "barrages", "won", "lost"):
            assert getattr(whole, field) == sum(getattr(person, field) for person in people.values()), field
    assert whole.faces == tuple(map(sum, zip(*(person.faces for person in people.values()), strict=True)))
    if game == "pietjesbak":
        strokes.update({player.name: player.number for player in at.table.now.view.players})
        for name, person in people.items():
            assert 9 - person.wiped + person.added == strokes[name]


@pytest.mark.parametrize("other", [Counts(), Counts(faces=(1, 2, 3, 4, 5, 6), throws=7, zand=2)])
def test_counts_add_up(other: Counts) -> None:
    one = Counts(faces=(6, 5, 4, 3, 2, 1), throws=7, seven=1)
    assert one.plus(other).dice == one.dice + other.dice
    assert one.plus(other).throws == one.throws + other.throws
    assert Counted(one, {"Ann": one}).plus(Counted(other, {"Bob": other})).people == {"Ann": one, "Bob": other}
