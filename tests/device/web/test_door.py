"""Who may do what: the code's life, the visitors, the owner."""

from __future__ import annotations

import pytest
from at_the_door import CODE, Clock

from device.web.door import (
    CODE_TRIES,
    DIGITS,
    HERE_S,
    IDLE_S,
    MOST_VISITORS,
    OWNER_S,
    PIN_TRIES,
    Door,
    TooManyTries,
    Visitor,
)

ADDRESS = "192.168.1.7"


def entered(door: Door, name: str = "") -> Visitor:
    visitor = door.enter(door.code, ADDRESS)
    assert visitor is not None
    return door.call(visitor.token, name) or visitor


def test_every_start_draws_another_code() -> None:
    codes = {Door().code for _ in range(20)}
    assert len(codes) > 15
    assert all(len(code) == 6 and code.isdecimal() for code in codes)


@pytest.mark.parametrize("told", [CODE, "482 913", " 482913\n"])
def test_the_right_code_lets_in(door: Door, told: str) -> None:
    visitor = door.enter(told, ADDRESS)
    assert door.may_play(visitor)
    assert not door.may_set(visitor)


def test_a_leading_nought_is_part_of_a_code(door: Door) -> None:
    door.renew()
    door.renew()
    assert door.code == "000017"
    assert door.enter("17", ADDRESS) is None


def test_the_code_changes_after_six_idle_hours(door: Door, clock: Clock) -> None:
    visitor = entered(door)
    clock.now += IDLE_S - 1
    assert door.code == CODE
    assert door.may_play(visitor)
    clock.now += 1
    assert door.code != CODE
    assert not door.may_play(visitor)
    assert door.enter(CODE, ADDRESS) is None


def test_play_keeps_it(door: Door, clock: Clock) -> None:
    for _ in range(3):
        clock.now += IDLE_S - 1
        door.stir()
    assert door.code == CODE


def test_play_after_the_idle_hours_does_not_bring_the_old_one_back(door: Door, clock: Clock) -> None:
    clock.now += IDLE_S + 1
    door.stir()
    assert door.code != CODE


def test_a_new_code_is_never_the_old_one(clock: Clock) -> None:
    codes = iter([5, 5, 5, 6])
    door = Door(clock=clock, draw=lambda below: next(codes))
    door.renew()
    assert door.code == "000006"


def test_whoever_guesses_waits_and_a_right_one_costs_nothing(door: Door, clock: Clock) -> None:
    for _ in range(50):
        assert door.enter(CODE, ADDRESS) is not None
    for _ in range(10):
        assert door.enter("000000", ADDRESS) is None
    with pytest.raises(TooManyTries) as slow:
        door.enter(CODE, ADDRESS)
    assert 0 < slow.value.wait_s <= 6
    assert door.enter(CODE, "192.168.1.8") is not None
    clock.now += 7
    assert door.enter(CODE, ADDRESS) is not None


def test_guessing_from_many_addresses_is_slowed_down_too(door: Door) -> None:
    for n in range(60):
        assert door.enter("000000", f"10.0.0.{n}") is None
    with pytest.raises(TooManyTries):
        door.enter("000000", "10.0.1.1")


def test_all_codes_take_days_at_the_allowed_pace() -> None:
    assert 10**DIGITS * CODE_TRIES[1].every_s > 10 * 24 * 3600
    assert 10**4 * PIN_TRIES[1].every_s > 36 * 3600


class TestOwner:
    def test_the_pin_lets_in_for_a_while(self, door: Door, clock: Clock) -> None:
        door.pin.set("2741")
        owner = door.enter_pin("2741", ADDRESS)
        assert door.may_set(owner)
        assert door.may_play(owner)
        clock.now += OWNER_S
        assert not door.may_set(owner)
        assert not door.may_play(owner)

    def test_five_wrong_ones_and_a_wait(self, door: Door, clock: Clock) -> None:
        door.pin.set("2741")
        assert [door.enter_pin("0000", ADDRESS) for _ in range(5)] == [None] * 5
        with pytest.raises(TooManyTries):
            door.enter_pin("2741", ADDRESS)
        clock.now += 61
        assert door.enter_pin("2741", ADDRESS) is not None

    def test_what_was_known_before_entering_opens_nothing_afterwards(self, door: Door) -> None:
        visitor = entered(door, "Ann")
        door.pin.set("2741")
        owner = door.enter_pin("2741", ADDRESS, visitor.token)
        assert owner is not None
        assert owner.token != visitor.token
        assert owner.name == "Ann"
        assert door.visitor(visitor.token) is None


class TestVisitors:
    def test_a_token_that_nobody_gave_is_nobody(self, door: Door) -> None:
        assert door.visitor("made-up") is None
        assert door.call("made-up", "Ann") is None
        assert not door.may_play(None)

    def test_who_is_here_in_the_order_they_came(self, door: Door) -> None:
        for name in ("Ann", "", "Bob"):
            entered(door, name)
        assert list(door.here) == ["Ann", "Bob"]

    def test_who_was_not_heard_of_went_home(self, door: Door, clock: Clock) -> None:
        ann = entered(door, "Ann")
        entered(door, "Bob")
        clock.now += HERE_S - 1
        door.visitor(ann.token)
        clock.now += 2
        assert list(door.here) == ["Ann"]

    def test_who_left_is_forgotten(self, door: Door) -> None:
        ann = entered(door, "Ann")
        door.leave(ann.token)
        assert list(door.here) == []
        assert door.visitor(ann.token) is None

    def test_memory_is_bounded_and_the_newest_stay(self, door: Door, clock: Clock) -> None:
        first = entered(door, "first")
        for _ in range(MOST_VISITORS):
            clock.now += 0.001
            last = entered(door)
        assert door.visitor(first.token) is None
        assert door.visitor(last.token) is not None

    def test_tokens_cannot_be_guessed(self, door: Door) -> None:
        assert len({entered(door).token for _ in range(5)}) == 5
        assert all(len(entered(door).token) >= 32 for _ in range(2))
