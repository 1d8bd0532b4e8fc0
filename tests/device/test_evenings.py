"""Which games make an evening, how long they lasted, and that each is counted as a whole replay would."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from random import Random

import pytest
from an_evening import EIGHT_PM, AnEvening

from device.coming_back import VOID
from device.counts import counted
from device.evenings import PATIENCE_S, Evening, Past
from device.journal import JournalError, MemoryJournal, Row
from scorer.events import NextGame, Start
from scorer.line import Moment
from scorer.session import Session
from scorer.wire import event_from_json

NIGHT = 20 * 3600.0
LONG = 60.0  # a busy machine is slow, not broken


def evenings(at: AnEvening) -> list[Evening]:
    return list(Past(at.journal).each())[::-1]


def a_game(at: AnEvening, after_s: float = 5.0) -> None:
    at.say("start", after_s, game="pietjesbak", players=["Ann", "Bob"], opener="Ann", strokes={"Ann": 2, "Bob": 3})
    at.throw(6, 6, 6)
    at.say("stop")
    at.throw(2, 3, 4)


def restarted(at: AnEvening) -> AnEvening:
    """The same journal in a device that was started anew."""
    journal = MemoryJournal(list(at.journal.rows()))
    return AnEvening(journal, at.now)


class TestWhichEvening:
    def test_games_of_one_night_are_one_evening_and_those_of_the_next_another(self) -> None:
        at = AnEvening()
        a_game(at)
        a_game(at, 3600)
        a_game(at, NIGHT)
        found = evenings(at)
        assert [len(evening.games) for evening in found] == [2, 1]
        assert [evening.begun and evening.begun.day for evening in found] == [29, 30]

    def test_past_midnight_is_the_same_evening(self) -> None:
        at = AnEvening(now=EIGHT_PM.replace(hour=23, minute=40))
        a_game(at)
        a_game(at, 3600)
        (evening,) = evenings(at)
        assert evening.begun is not None
        assert evening.begun.day == 29

    def test_the_next_game_after_a_night_begins_an_evening_too(self) -> None:
        at = AnEvening()
        a_game(at)
        at.say("next_game", NIGHT)
        at.throw(3)
        assert [len(evening.games) for evening in evenings(at)] == [1, 1]

    def test_a_power_cut_ends_no_evening(self) -> None:
        at = AnEvening()
        a_game(at)
        at = restarted(at)
        a_game(at, 300)
        assert len(evenings(at)) == 1

    def test_a_clock_that_lost_the_time_while_the_device_was_off_begins_one(self) -> None:
        at = AnEvening()
        a_game(at)
        at = restarted(at)
        a_game(at, -1800)
        assert len(evenings(at)) == 2

    @pytest.mark.parametrize("jump", [-400 * 24 * 3600.0, 400 * 24 * 3600.0, -7200.0])
    def test_a_clock_that_is_put_right_during_an_evening_begins_none(self, jump: float) -> None:
        at = AnEvening()
        a_game(at)
        a_game(at, jump)
        (evening,) = evenings(at)
        assert evening.games[0].lasted_s == evening.games[1].lasted_s == 15.0
        assert evening.begun == EIGHT_PM + timedelta(seconds=20 + jump)

    def test_a_clock_that_was_never_set_tells_no_date_and_a_new_start_begins_an_evening(self) -> None:
        at = AnEvening(now=None)
        a_game(at)
        a_game(at)
        at = restarted(at)
        a_game(at)
        found = evenings(at)
        assert [len(evening.games) for evening in found] == [2, 1]
        assert [evening.begun for evening in found] == [None, None]

    def test_a_game_in_which_nobody_threw_is_none(self) -> None:
        at = AnEvening()
        at.start()
        at.start()
        at.throw(1, 2, 3)
        (evening,) = evenings(at)
        assert len(evening.games) == 1
        at = AnEvening()
        at.start()
        assert evenings(at) == []

    def test_its_name_is_where_it_began_and_stays(self) -> None:
        at = AnEvening()
        a_game(at)
        number = evenings(at)[0].number
        a_game(at, NIGHT)
        past = Past(at.journal)
        assert past.evening(number) is not None
        second = past.beside(number)[1]
        assert second is not None
        assert (past.beside(second), past.beside(number)) == ((number, None), (None, second))
        assert past.evening(number + 1) is None
        assert past.beside(10**9) == (None, None)


class TestHowLong:
    def test_rests_and_what_is_put_right_afterwards_lengthen_no_game(self) -> None:
        at = AnEvening()
        a_game(at)
        at.say("correct", 1200, throw=2, dice=[2, 3, 5])
        at.start(strokes={"Ann": 2, "Bob": 3, "Cas": 1})
        at.say("throw", 60, dice=[6, 6, 6])
        at.say("stop", 3 * 3600)
        at.say("pause", 10)
        at.say("resume", 1500)
        at.say("throw", 60, dice=[2, 3, 4])
        first, second = evenings(at)[0].games
        assert first.lasted_s == 15.0
        assert second.lasted_s == 60 + 10 + 60

    def test_longest_and_shortest_are_of_games_that_ended(self) -> None:
        at = AnEvening()
        a_game(at)
        assert evenings(at)[0].longest is None
        at.start(strokes={"Ann": 2, "Bob": 3, "Cas": 1})
        at.say("throw", 200, dice=[6, 6, 6])
        at.play(Random(2))
        at.start()
        at.say("throw", 1200, dice=[6, 6, 6])
        (evening,) = evenings(at)
        assert evening.shortest is evening.games[0]
        assert evening.longest is evening.games[1]


def replayed(at: AnEvening) -> list[object]:
    """Every game's counts by one replay of everything that was said, in one piece."""
    found: list[object] = []
    session = Session()

    def closed() -> None:
        games: list[list[Moment]] = []
        for moment in list(session.moments())[::-1]:
            if isinstance(moment.event, Start | NextGame):
                games.append([])
            games[-1].append(moment)
        found.extend(told for game in games if (told := counted(game)).whole.throws)

    for row in at.journal.rows():
        if row.kind == "event":
            event = event_from_json(row.body)
            if isinstance(event, Start):
                closed()
                session = Session()
            session = session.apply(event)
    closed()
    return found


class TestStretches:
    @pytest.mark.parametrize("seed", range(2))
    def test_many_games_in_a_row_are_counted_as_in_one_piece(self, seed: int) -> None:
        at, chance = AnEvening(), Random(seed)
        past = Past(at.journal)
        at.start(strokes={"Ann": 3, "Bob": 4, "Cas": 3})
        for game in range(7):
            at.play(chance)
            if game % 3 == 1:
                self.put_the_game_before_right(at, chance)
            if game == 4:
                at.start(strokes={"Ann": 3, "Bob": 4, "Cas": 3})
            else:
                at.say("next_game", NIGHT if game % 2 else 60)
            at.play(chance, throws=5)
            assert past.evenings(patience_s=LONG).complete
        assert any("basis" in row.body for row in at.journal.rows())
        whole = [game.counted for evening in evenings(at) for game in evening.games]
        assert whole == replayed(at)
        known = [
            game.counted for evening in reversed(past.evenings(patience_s=LONG).evenings) for game in evening.games
        ]
        assert known == whole

    def put_the_game_before_right(self, at: AnEvening, chance: Random) -> None:
        """Begin the next game, take that back, and put the first throw of the last game right."""
        at.say("next_game")
        at.say("undo")
        throws = [moment for moment in at.table.now.session.moments() if moment.number]
        told = at.table.say({"do": "correct", "throw": throws[0].number, "void": True})
        assert told[0].error is None or told[0].error.reason == "would_break"
        at.play(chance)

    def test_each_throw_with_who_threw_it_and_what_it_came_to(self) -> None:
        at, chance = AnEvening(), Random(3)
        at.start()
        for _ in range(4):
            at.play(chance)
            at.say("next_game")
        past = Past(at.journal)
        for game in (game for evening in past.each() for game in evening.games):
            lines = past.lines(game.number)
            assert len(lines) == game.counts.throws
            assert [line.number for line in lines] == list(range(1, len(lines) + 1))
            assert lines[-1].figures == game.figures
            assert sum(line.kind == "zand" for line in lines) == game.counts.zand
            assert {line.player for line in lines} <= set(game.players)
            assert all(line.time is not None for line in lines)

    def test_a_corrected_throw_is_told_as_it_stands_and_a_void_one_too(self) -> None:
        at = AnEvening()
        at.start()
        at.throw(6, 6, 6)
        at.throw(1, 4, 5)
        at.say("correct", throw=1, dice=[4, 5, 6])
        at.say("correct", throw=2, void=True)
        first, second = Past(at.journal).lines(1)
        assert (first.dice, first.kind, first.void, first.player) == ((4, 5, 6), "soixante_neuf", False, "Ann")
        assert (second.dice, second.kind, second.void, second.player) == ((1, 4, 5), "", True, "Ann")

    def test_entries_that_count_no_more_are_left_out(self) -> None:
        at = AnEvening()
        at.start()
        at.throw(2, 3, 4)
        at.throw(5, 5, 5)
        rows = list(at.journal.rows())
        bad = Row(rows[-1].seq + 1, 1, "event", {"do": "throw", "dice": [1, 1, 1], "by": "Bob"}, "1", rows[-1].wall)
        note = Row(bad.seq + 1, 1, "note", {VOID: [bad.seq, bad.seq]}, "1")
        past = Past(MemoryJournal([*rows, bad, note]))
        (evening,) = past.evenings().evenings
        assert (evening.counted.whole.throws, evening.games[0].whole) == (2, True)


class TestWhatIsKept:
    def test_a_throw_more_is_seen_at_once(self) -> None:
        at = AnEvening()
        at.start()
        past = Past(at.journal)
        for throws in range(1, 4):
            at.throw(2, 3, 4)
            assert past.evenings().evenings[0].counted.whole.throws == throws
            if "stop" in at.table.now.session.legal:
                at.say("stop")

    def test_a_device_that_never_played_has_none_and_the_first_is_seen_at_once(self) -> None:
        at = AnEvening()
        past = Past(at.journal)
        listed = past.evenings(None, 5, 5.0)
        assert (listed.evenings, listed.complete, listed.more) == ((), True, False)
        a_game(at)
        assert len(past.evenings(None, 5, LONG).evenings) == 1

    def test_the_list_comes_in_pieces_the_latest_first(self) -> None:
        at = AnEvening()
        for _ in range(5):
            a_game(at, NIGHT)
        past = Past(at.journal)
        first = past.evenings(most=2, patience_s=LONG)
        rest = past.evenings(first.evenings[-1].number, most=4, patience_s=LONG)
        numbers = [evening.number for evening in (*first.evenings, *rest.evenings)]
        assert numbers == sorted(numbers, reverse=True)
        assert (len(numbers), first.more, rest.more) == (5, True, False)

    def test_what_takes_too_long_is_counted_on_while_the_latest_is_shown(self) -> None:
        at = AnEvening()
        for _ in range(3):
            a_game(at, NIGHT)
        seconds = iter(range(0, 10_000, 10))
        past = Past(at.journal, clock=lambda: float(next(seconds)))
        listed = past.evenings(patience_s=PATIENCE_S)
        assert (len(listed.evenings), listed.complete) == (1, False)

    def test_a_journal_that_cannot_be_read_is_told(self) -> None:
        class Broken(MemoryJournal):
            def back(self) -> Iterator[Row]:
                raise JournalError("the card is gone")

        with pytest.raises(JournalError, match="gone"):
            Past(Broken()).evenings()

    def test_where_nothing_is_new_no_row_is_read(self) -> None:
        at = AnEvening()
        a_game(at)
        given: list[Row] = []

        class Counting(MemoryJournal):
            def rows(self, after: int = 0) -> Iterator[Row]:
                for row in super().rows(after):
                    given.append(row)
                    yield row

        past = Past(Counting(list(at.journal.rows())))
        assert len(past.evenings().evenings) == 1
        given.clear()
        assert len(past.evenings().evenings) == 1
        assert given == []

    def test_what_the_journal_let_go_is_there_no_more(self) -> None:
        at = AnEvening()
        a_game(at)
        a_game(at, NIGHT)
        rows = list(at.journal.rows())
        journal = MemoryJournal(rows)
        past = Past(journal)
        assert len(list(past.each())) == 2
        journal._rows = [row for row in rows if row.seq > 2]  # it ends in the midst of the first game
        (evening,) = past.each()
        assert evening.begun is not None
        assert evening.begun.day == 30

    def test_a_game_that_cannot_be_replayed_is_listed_as_far_as_it_goes(self) -> None:
        at = AnEvening()
        a_game(at)
        a_game(at, 60)
        rows = [row for row in at.journal.rows() if row.seq != 2]
        other = [Row(r.seq, r.boot, r.kind, r.body, "0" if r.seq < 5 else r.rules, r.wall) for r in rows]
        for journal in (MemoryJournal(rows), MemoryJournal(other)):
            (evening,) = Past(journal).evenings().evenings
            assert [game.whole for game in evening.games] == [False, True]
            assert evening.games[0].players == ("Ann", "Bob")
