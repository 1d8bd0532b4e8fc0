"""After a restart: dice that lie there are what was booked, or they are asked about; weeks of games stay short."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from device.coming_back import stood
from device.journal import MemoryJournal, Row
from device.journal.rows import BASIS
from device.seeing import UNSEEN, Seeing
from device.shortened import shortened
from device.snapshot import Eye
from device.table import Table
from scorer.session import Session
from scorer.wire import event_from_json
from tests.device.drawn_throws import EDGE, HEIGHT, WIDTH
from tests.weeks.world import Act, Felt, World, WorldReader
from vision.board import Board
from vision.frame import Frame
from vision.lay import Lain, Lay
from vision.watcher import ThrowWatcher

START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}
FIRST = Act(2.0, (1, 4, 5), ((90.0, 80.0), (160.0, 150.0), (230.0, 90.0)))
FELT = Felt()


class Now(World):
    """A world in memory."""

    def __init__(self, act: Act | None = None) -> None:
        self._lies = act

    def put(self, act: Act | None) -> None:
        self._lies = act

    @property
    def act(self) -> Act | None:
        return self._lies


def seeing(table: Table, world: World) -> Seeing:
    """The eye as the service makes it after a start."""
    board = Board.whole(WIDTH, HEIGHT, EDGE)
    return Seeing(ThrowWatcher(WorldReader(world), board, expected=table.expected, lay=table.lay), table)


def film(eye: Seeing, world: World, begin: float, seconds: float) -> None:
    for n in range(round(seconds * 15)):
        t = begin + n / 15
        eye.see(Frame(FELT.draw(world.shown(t), n), t, "drawn", n))


@pytest.fixture
def played() -> tuple[MemoryJournal, Now]:
    """One throw was filmed and booked, then everything was killed; its dice lie there."""
    journal, world = MemoryJournal(), Now(FIRST)
    table = Table(journal)
    table.say(START)
    film(seeing(table, world), world, 0.0, 5.0)
    assert table.now.view.throws == 1
    return journal, world


class TestDiceThatLieThere:
    def test_the_throw_that_was_booked_is_not_booked_again(self, played: tuple[MemoryJournal, Now]) -> None:
        journal, world = played
        table = Table(journal)
        assert table.lay is not None
        assert [die.face for die in table.lay.dice] == [1, 4, 5]
        film(seeing(table, world), world, 100.0, 4.0)
        assert table.now.view.throws == 1
        assert table.now.pending is None
        assert table.now.eye is Eye.READ

    @pytest.mark.parametrize("stays", [False, True], ids=["all elsewhere", "one where one lay, with its face"])
    def test_dice_thrown_meanwhile_are_asked_about(self, played: tuple[MemoryJournal, Now], stays: bool) -> None:
        journal, world = played
        places = (
            ((95.0, 84.0), (60.0, 190.0), (250.0, 200.0)) if stays else ((60.0, 60.0), (60.0, 190.0), (250.0, 200.0))
        )
        world.put(Act(50.0, (1, 2, 6), places))
        table = Table(journal)
        eye = seeing(table, world)
        film(eye, world, 100.0, 4.0)
        pending = table.now.pending
        assert pending is not None
        assert (pending.dice, pending.why) == ((1, 2, 6), (UNSEEN,))
        assert table.say({"do": "throw", "dice": [1, 2, 6]})[0].error is None
        film(eye, world, 104.0, 3.0)
        assert table.now.view.throws == 2
        assert table.now.pending is None

    def test_one_die_fewer_than_were_thrown_is_asked_about_too(self, played: tuple[MemoryJournal, Now]) -> None:
        journal, world = played
        world.put(Act(50.0, (2, 6), ((60.0, 190.0), (250.0, 200.0))))
        table = Table(journal)
        film(seeing(table, world), world, 100.0, 5.0)
        assert table.now.pending is not None
        assert (table.now.pending.missing, table.now.pending.why) == (1, ("die_missing",))

    def test_dice_that_were_taken_away_are_no_question(self, played: tuple[MemoryJournal, Now]) -> None:
        journal, world = played
        world.put(None)
        table = Table(journal)
        eye = seeing(table, world)
        film(eye, world, 100.0, 3.0)
        assert table.now.pending is None
        world.put(Act(105.0, (2, 2, 6), ((60.0, 60.0), (60.0, 190.0), (250.0, 200.0))))
        film(eye, world, 103.0, 4.0)
        assert table.now.view.throws == 2

    def test_dice_in_doubt_are_asked_about_once(self, played: tuple[MemoryJournal, Now]) -> None:
        journal, world = played
        world.put(Act(50.0, (1, 2, 6), ((60.0, 60.0), (60.0, 190.0), (250.0, 200.0))))
        table = Table(journal)
        film(seeing(table, world), world, 100.0, 4.0)
        again = Table(journal)  # killed before anybody answered
        film(seeing(again, world), world, 200.0, 4.0)
        assert again.now.pending is not None
        assert again.now.held == 0
        again.say({"do": "throw", "dice": [1, 2, 6]})
        assert again.now.pending is None
        film(seeing(again, world), world, 300.0, 4.0)
        assert (again.now.view.throws, again.now.pending) == (2, None)

    def test_thrown_before_the_first_throw_of_a_game_was_seen(self) -> None:
        journal = MemoryJournal()
        Table(journal).say(START)
        world = Now(FIRST)
        table = Table(journal)
        film(seeing(table, world), world, 100.0, 4.0)
        assert table.now.pending is not None

    def test_without_a_game_nothing_is_asked(self) -> None:
        world, table = Now(FIRST), Table(MemoryJournal())
        film(seeing(table, world), world, 100.0, 4.0)
        assert table.now.pending is None


class TestLay:
    def test_comes_back_as_it_was(self) -> None:
        lay = Lay((Lain(1, 0.1, -0.2), Lain(None, 0.0, 0.4999)))
        assert Lay.from_json(lay.to_json()) == lay
        assert lay.is_like(Lay((Lain(1, 0.102, -0.2), Lain(None, 0.0, 0.4999))))
        assert not lay.is_like(Lay((Lain(2, 0.1, -0.2), Lain(None, 0.0, 0.4999))))

    @pytest.mark.parametrize("told", [None, {}, [1], [[1, 2]], [[7, 0, 0, "inside"]], [[1, float("nan"), 0, "inside"]]])
    def test_anything_else_is_none(self, told: object) -> None:
        with pytest.raises(ValueError, match=r"list|face|valid"):
            Lay.from_json(told)

    def test_is_the_same_by_another_camera(self) -> None:
        small, large = Board.whole(320, 240), Board.whole(1280, 960)
        lay = Lay((Lain(3, 0.25, -0.25),))
        assert Lay.of(lay.on(small, 30.0), small).is_like(Lay.of(lay.on(large, 120.0), large))


def evening(games: int, seed: int = 1) -> tuple[MemoryJournal, Table]:
    """Games on end at random, corrections and undoes among them."""
    rng, journal = random.Random(seed), MemoryJournal()
    table = Table(journal)
    table.say({**START, "strokes": {"Ann": 3, "Bob": 3}, "ever_wiped": ["Ann", "Bob"]})
    over = 0
    while over < games:
        now = table.now
        if now.view.phase == "over":
            over += 1
            table.say({"do": "next_game"})
            if rng.random() < 0.3:
                table.say({"do": "undo"})
                table.say({"do": "next_game"})
        elif "stop" in now.session.legal and rng.random() < 0.6:
            table.say({"do": "stop"})
        elif rng.random() < 0.05 and now.view.throws:
            table.say({"do": "correct", "throw": now.view.throws, "void": True})
        else:
            table.say({"do": "throw", "dice": [rng.randint(1, 6) for _ in range(now.view.expected)]})
    return journal, table


class TestShortened:
    @pytest.mark.parametrize("game", ["pietjesbak", "azen", "pig", "sachsenkniffel", "bataclan"])
    def test_a_shortened_evening_comes_to_the_same(self, game: str) -> None:
        session, next_game = Session(), event_from_json({"do": "next_game"})
        start = {**START, "game": game, "players": ["Ann", "Bob", "Zoë"]}
        session = session.apply(event_from_json(start))
        for _ in range(3):
            session = session.apply(event_from_json({"do": "end"})).apply(next_game)
        short = shortened(session)
        assert short is not session
        assert len(short.events) < len(session.events)
        assert short.state == session.state
        assert short.game_state == session.game_state
        undo = event_from_json({"do": "undo"})
        assert short.apply(undo).state == session.apply(undo).state

    def test_weeks_of_games_stay_as_short_as_two(self) -> None:
        journal, table = evening(7)
        assert len(table.now.session.events) < 400
        assert sum(BASIS in row.body for row in journal.rows()) > 4

    def test_a_restart_reads_no_more_than_two_games(self) -> None:
        journal, table = evening(7)
        read = 0

        class Counting(MemoryJournal):
            def back(self) -> Iterator[Row]:
                nonlocal read
                for row in super().back():
                    read += 1
                    yield row

        found = stood(Counting(list(journal.rows())))
        assert found.trouble is None
        assert found.session.state == table.now.session.state
        assert found.begun == table.now.begun
        assert read < journal.last() / 1.5

    def test_the_last_game_can_still_be_taken_back(self) -> None:
        journal, table = evening(4)
        again = Table(MemoryJournal(list(journal.rows())))
        for one in (table, again):
            one.say({"do": "undo"})
        assert again.now.session.state == table.now.session.state
        assert again.now.view.phase == "over"

    def test_who_sits_where_outlives_it(self) -> None:
        journal, table = evening(3)
        table.say({"do": "seat", "player": "Ann", "degrees": 90})
        while table.now.view.phase != "over":
            table.say({"do": "end"})
        table.say({"do": "next_game"})
        assert {p.name: p.seat for p in Table(journal).now.view.players}["Ann"] == 90.0


class TestVoid:
    def test_play_after_a_bad_entry_is_not_lost_at_the_next_start(self) -> None:
        journal = MemoryJournal()
        table = Table(journal)
        table.say(START)
        table.say({"do": "throw", "dice": [1, 4, 5]})
        rows = list(journal.rows())
        broken = MemoryJournal([*rows, Row(rows[-1].seq + 1, 1, "event", {"do": "fly"}, "1")])
        second = Table(broken)
        assert second.trouble_on_start is not None
        second.say({"do": "stop"})
        third = Table(broken)
        assert third.trouble_on_start is None
        assert third.now.session.state["to_throw"] == "Bob"

    def test_what_comes_after_a_gap_is_not_guessed(self) -> None:
        journal = MemoryJournal()
        table = Table(journal)
        table.say(START)
        for dice in ([1, 4, 5], [2, 3, 4], [6, 6, 5]):
            table.say({"do": "throw", "dice": dice})
        holed = MemoryJournal([row for row in journal.rows() if row.body.get("dice") != [2, 3, 4]])
        again = Table(holed)
        assert again.trouble_on_start is not None
        assert "missing" in again.trouble_on_start
        assert again.now.view.throws == 1

    def test_rules_of_another_version_are_left_for_whoever_knows_them(self) -> None:
        newer = MemoryJournal([Row(1, 1, "event", {**START}, "99")])
        assert Table(newer).trouble_on_start is not None
        assert newer.last() == 1  # nothing was made void
