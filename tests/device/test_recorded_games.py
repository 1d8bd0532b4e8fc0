"""Whole games as recordings: every state on the way is the one that the same events come to, written down by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from drawn_game import Act, DrawnGame, Knowing

from device.cli import main
from device.commands import replay as command
from scorer.session import Session
from scorer.wire import event_from_json

Line = dict[str, Any]
Replayed = Callable[[DrawnGame], list[Line]]
ACES, ONE, NONE = (1, 1, 1), (1, 3, 4), (2, 3, 5)


@pytest.fixture
def replayed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Replayed:
    """What `replay` tells of a drawn game."""

    def lines(game: DrawnGame) -> list[Line]:
        monkeypatch.setattr(command, "Recording", game)
        monkeypatch.setattr(command, "Reader", Knowing(game))
        assert main(["replay", "--json", "drawn"]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return lines


def states(lines: Sequence[Line]) -> list[Line]:
    assert [line for line in lines if line["event"] == "error"] == []
    return [line["state"] for line in lines if line["event"] == "state"]


def by_hand(game: str, players: Sequence[str], *events: Line) -> list[Line]:
    """The states after the start and after each of these events."""
    session, after = Session(), []
    for event in ({"do": "start", "game": game, "players": [*players], "opener": players[0]}, *events):
        session = session.apply(event_from_json(event))
        after.append(json.loads(json.dumps(session.state)))
    return after


def throw(dice: Sequence[int], at: float | None = None) -> Line:
    return {"do": "throw", "dice": [*dice], "at": at}


def glass(at: float) -> Line:
    return {"do": "glass_empty", "at": at}


def settled(at: float) -> Line:
    return {"do": "settled", "at": at}


STOP: Line = {"do": "stop"}


def counted(start: float) -> list[Act]:
    """Nine aces in three throws, two seconds apart: the third player orders… and the last of them drinks."""
    return [Act(start + 2.0 * n, ACES) for n in range(3)]


class TestAzen:
    """Ann throws the third ace and orders, Bob the sixth, Cas the ninth: she drinks, Ann and Bob throw on."""

    PLAYERS = ("Ann", "Bob", "Cas")

    def told(self, acts: Sequence[Act], marks: Sequence[Line]) -> DrawnGame:
        return DrawnGame(acts, "azen", self.PLAYERS, marks)

    def expected(self, *events: Line) -> list[Line]:
        nine = [throw(ACES, 2.0 + 2.0 * n) for n in range(3)]
        return by_hand("azen", self.PLAYERS, *nine, *events)

    def test_an_ace_before_the_glass_told_before_it(self, replayed: Replayed) -> None:
        """The ace is booked long before the glass is empty."""
        acts = [*counted(2.0), Act(8.0, NONE), Act(10.0, ONE)]
        lines = replayed(self.told(acts, [{"t": 11.0, "do": "glass_empty"}]))
        last = [line for line in lines if line["event"] in ("state", "error")][-1]
        assert last["error"]["reason"]  # the race is over: Cas was too late
        told = states([line for line in lines if line is not last])
        assert told == self.expected(throw(NONE, 8.0), throw(ONE, 10.0))
        assert (told[-1]["payer"], told[-1]["race"]) == ("Cas", "none")

    def test_an_ace_before_the_glass_told_after_it(self, replayed: Replayed) -> None:
        """The ace lies at 8.0, the glass is empty at 8.2, and only then the ace is read: Cas was too late."""
        acts = [*counted(2.0), Act(8.0, ONE)]
        told = states(replayed(self.told(acts, [{"t": 8.2, "do": "glass_empty"}])))
        assert told == self.expected(glass(8.2), throw(ONE, 8.0))
        assert (told[-2]["race"], told[-1]["payer"]) == ("settling", "Cas")

    def test_an_ace_after_the_glass_told_after_it(self, replayed: Replayed) -> None:
        """The glass is empty while the dice still roll: Ann pays for what she ordered."""
        acts = [*counted(2.0), Act(8.0, ONE)]
        told = states(replayed(self.told(acts, [{"t": 7.7, "do": "glass_empty"}])))
        assert told == self.expected(glass(7.7), throw(ONE, 8.0))
        assert (told[-2]["race"], told[-1]["payer"]) == ("settling", "Ann")

    def test_an_ace_after_the_glass_told_before_it(self, replayed: Replayed) -> None:
        """The word of the glass comes late, from a phone, with the time at which it was pressed."""
        acts = [*counted(2.0), Act(8.0, ONE)]
        told = states(replayed(self.told(acts, [{"t": 9.0, "do": "glass_empty", "at": 7.7}])))
        assert told == self.expected(throw(ONE, 8.0), glass(7.7))
        assert [state["payer"] for state in told[-2:]] == ["Cas", "Ann"]

    def test_a_glass_with_nothing_left_to_read_settles_by_itself(self, replayed: Replayed) -> None:
        lines = replayed(self.told([*counted(2.0), Act(9.0, NONE)], [{"t": 7.9, "do": "glass_empty"}]))
        told = states(lines)
        at = next(line["t"] for line in lines if line["event"] == "state" and line["state"]["payer"])
        assert at == pytest.approx(7.9, abs=0.11)
        assert told == self.expected(glass(7.9), settled(at), throw(NONE, 9.0))
        assert [state["payer"] for state in told[-2:]] == ["Ann", None]  # it stands until the next throw


class TestPietjesbak:
    PLAYERS = ("Ann", "Bob")

    def test_a_missed_stop_is_put_right_with_one_tap(self, replayed: Replayed) -> None:
        """Ann is content with 165 and says nothing; Bob throws; somebody taps "that was Bob's"."""
        acts = [Act(2.0, (1, 5, 6)), Act(4.0, (2, 2, 4)), Act(7.0, (1, 3, 5))]
        game = DrawnGame(acts, "pietjesbak", self.PLAYERS, [{"t": 5.5, "do": "give_on"}])
        told = states(replayed(game))
        first, second = throw((1, 5, 6)), throw((2, 2, 4))
        given = {"do": "correct", "throw": 2, "player": "Bob"}
        assert told == by_hand("pietjesbak", self.PLAYERS, first, second, given, throw((1, 3, 5)))
        assert [state["to_throw"] for state in told[:4]] == [
            "Ann",
            "Ann",
            "Ann",
            "Ann",
        ]  # Bob's one throw ends the round

    def test_an_unsure_throw_that_settles_late_has_its_place(self, replayed: Replayed) -> None:
        """Bob's dice lie in doubt for two seconds; he presses stop meanwhile: it waits, and counts for them."""
        acts = [Act(2.0, (1, 5, 6)), Act(5.0, (1, 4, 5), lies=12.0, doubt=2.0), Act(18.5, (2, 3, 4))]
        marks = [{"t": 3.5, "do": "stop"}, {"t": 6.6, "do": "stop"}]
        lines = replayed(DrawnGame(acts, "pietjesbak", self.PLAYERS, marks))
        told = states(lines)
        first = [throw((1, 5, 6)), STOP]
        assert told == by_hand("pietjesbak", self.PLAYERS, *first, throw((1, 4, 5)), throw((2, 3, 4)))
        kinds = [line["event"] for line in lines if line["event"] in ("throw", "unsure")]
        assert kinds == ["throw", "unsure", "throw", "throw"]
        late = [line for line in lines if line["event"] == "throw"][1]
        assert late["settled_at"] == pytest.approx(5.0, abs=0.15)
        assert late["t"] > 7.0

    def test_an_unsure_throw_that_never_settles_is_answered_before_the_next_counts(self, replayed: Replayed) -> None:
        acts = [Act(2.0, (1, 5, 6), lies=3.0, doubt=9.0), Act(7.0, (2, 3, 4))]
        marks = [{"t": 9.0, "do": "throw", "dice": [1, 5, 6]}]
        lines = replayed(DrawnGame(acts, "pietjesbak", self.PLAYERS, marks))
        held = [line["error"]["reason"] for line in lines if line["event"] == "error"]
        assert held == ["pending_throw"]
        told = states([line for line in lines if line["event"] != "error"])
        assert told == by_hand("pietjesbak", self.PLAYERS, throw((1, 5, 6)), throw((2, 3, 4)))
