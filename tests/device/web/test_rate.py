"""How often is too often, by a clock that is given."""

from __future__ import annotations

import pytest
from at_the_door import Clock

from device.web.rate import MOST_KEYS, Limit, Rate, key_of


def test_a_burst_then_one_at_a_time(clock: Clock) -> None:
    limit = Limit(Rate(3, 10.0), clock=clock)
    assert [limit.spend("a") for _ in range(4)] == [0, 0, 0, 10.0]
    clock.now += 4
    assert limit.spend("a") == pytest.approx(6.0)
    clock.now += 6
    assert [limit.spend("a"), limit.spend("a")] == [0, 10.0]


def test_everybody_together_is_counted_too(clock: Clock) -> None:
    limit = Limit(Rate(3, 10.0), Rate(4, 1.0), clock=clock)
    assert [limit.spend(str(n)) for n in range(5)] == [0, 0, 0, 0, 1.0]
    assert limit.spend("9") == 1.0


def test_what_was_refused_costs_nothing(clock: Clock) -> None:
    limit = Limit(Rate(1, 10.0), clock=clock)
    limit.spend("a")
    for _ in range(50):
        limit.spend("a")
    clock.now += 10
    assert limit.spend("a") == 0


def test_given_back_is_as_if_never_spent(clock: Clock) -> None:
    limit = Limit(Rate(2, 10.0), Rate(2, 10.0), clock=clock)
    for _ in range(20):
        assert limit.spend("a") == 0
        limit.give_back("a")
    assert [limit.spend("a") for _ in range(3)] == [0, 0, 10.0]


def test_rest_saves_up_no_more_than_the_burst(clock: Clock) -> None:
    limit = Limit(Rate(2, 1.0), Rate(2, 1.0), clock=clock)
    clock.now += 1e6
    assert [bool(limit.spend("a")) for _ in range(3)] == [False, False, True]


def test_memory_is_bounded(clock: Clock) -> None:
    limit = Limit(Rate(1, 1e9), clock=clock)
    for n in range(MOST_KEYS + 5):
        limit.spend(str(n))
    assert limit.spend("0") == 0  # long forgotten
    assert limit.spend(str(MOST_KEYS + 4)) > 0


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.168.1.7", "192.168.1.8", False),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db9::1", False),
        ("::ffff:192.168.1.7", "192.168.1.7", True),
        ("fe80::1%wlan0", "fe80::2%wlan0", True),
        ("testclient", "", False),
    ],
)
def test_who_stands_behind_an_address(one: str, other: str, same: bool) -> None:
    assert (key_of(one) == key_of(other)) is same
