"""`pietjesoog bench`: figures with their promises, and the promise of the rules kept."""

from __future__ import annotations

import json
import random

import pytest

from device.bench import Figure, all_benches
from device.bench.moving import gate_time
from device.bench.rules import event_time, random_game
from device.cli import main
from tests.waiting import waited


def test_every_measurement_has_a_name_of_its_room(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--list"]) == 0
    names = capsys.readouterr().out.split()
    assert {"rules_event", "rules_games"} <= set(names) == set(all_benches())


def test_figures_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--short", "--json", "rules_event"]) == 0
    figures = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [figure["bench"] for figure in figures][:2] == ["rules_event_median", "rules_state_median"]
    for figure in figures:
        assert figure["value"] > 0
        assert (figure["unit"], isinstance(figure["kept"], bool)) == ("us", True)


def test_an_unknown_measurement_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "nothing"]) == 2
    assert "rules_event" in capsys.readouterr().err


def test_a_promise_is_kept_up_to_its_limit() -> None:
    assert Figure("a", 50.0, "us", 50.0).kept
    assert not Figure("a", 50.1, "us", 50.0).kept
    assert Figure("a", 1e9, "us").kept


def test_a_random_game_is_played_to_its_end_and_the_same_seed_is_the_same_game() -> None:
    game = random_game(random.Random(5))
    assert game.phase == "over"
    assert game.events == random_game(random.Random(5)).events


def test_one_event_takes_less_than_50_us() -> None:
    """One median of many is enough: a machine that others share is slow now and then, code that is slow always."""
    assert waited(lambda: event_time(True)[0].value < 50)


def test_a_look_of_the_gate_takes_at_most_five_times_one_difference_and_one_blur() -> None:
    """Of the same pictures in the same run; one of many is enough, as above."""

    def kept() -> bool:
        told = {figure.name: figure for figure in gate_time(True)}
        times, taken = told["gate_times_difference_and_blur"], told["gate_look_still"].value
        assert times.value == pytest.approx(taken / told["difference_and_blur"].value, rel=0.05)
        assert times.limit == 5
        return times.kept

    assert waited(kept)
