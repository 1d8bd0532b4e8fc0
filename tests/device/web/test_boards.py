"""Where each player is drawn, and what each game's own board holds."""

from __future__ import annotations

from typing import Any

import pytest
from at_the_door import START
from starlette.testclient import TestClient

from device.journal import MemoryJournal
from device.table import Table
from device.web.app import Web
from device.web.boards import Mark, Own, felt, own
from device.web.chances import chances
from device.web.page import page
from device.web.pages import layout
from device.web.sides import BY_COUNT, sides
from device.wording import wording
from scorer.game import PlayerView, View

NL = wording("nl")


def players(*seats: float | None) -> list[PlayerView]:
    return [PlayerView(f"P{n}", 9, 9, seat=seat) for n, seat in enumerate(seats)]


def playing(game: str, *throws: list[Any], **more: Any) -> Table:
    table = Table(MemoryJournal())
    told = table.say({**START, "game": game, **more})
    assert told[0].error is None, told[0].error
    for dice in throws:
        assert table.say({"do": "throw", "dice": dice})[0].error is None
    return table


class TestSides:
    @pytest.mark.parametrize("count", range(2, 9))
    def test_without_seats_everybody_has_one_clockwise(self, count: int) -> None:
        found = sides(players(*[None] * count))
        assert len(set(found)) == count
        turns = [(after - before) % 360 for before, after in zip(found, [*found[1:], found[0]], strict=True)]
        assert sum(turns) == 360, "the turn goes round the board once"

    @pytest.mark.parametrize(
        ("seats", "expected"),
        [
            ((88.0, 271.0), [90, 270]),
            ((350.0, 10.0), [0, 45]),
            ((10.0, 0.0), [45, 0]),
            ((180.0, None), [180, 225]),
            ((None, 180.0), [135, 180]),
            ((0.0, None, 180.0), [0, 45, 180]),
            ((0.0, 0.0, 0.0), [0, 45, 315]),
        ],
    )
    def test_who_sits_nearest_has_it(self, seats: tuple[float | None, ...], expected: list[int]) -> None:
        assert sides(players(*seats)) == expected

    def test_all_eight_at_one_corner_have_one_each(self) -> None:
        assert sorted(sides(players(*[45.0] * 8))) == list(range(0, 360, 45))

    def test_the_columns_read_from_top_to_bottom(self) -> None:
        table = playing("pietjesbak", players=[f"P{n}" for n in range(8)], opener="P0")
        drawn = layout(page(table.now, NL), table.now.view)
        at = {side: f"P{n}" for n, side in enumerate(BY_COUNT[8])}
        assert [player.name for player, _ in drawn.left] == [at[225], at[180], at[135]]
        assert [player.name for player, _ in drawn.right] == [at[315], at[0], at[45]]
        assert [player.name for player, _ in (*drawn.above, *drawn.below)] == [at[270], at[90]]
        assert drawn.above[0][0].tally.width > drawn.left[0][0].tally.width


class TestGames:
    def test_nine_aces_and_who_has_which_role(self) -> None:
        table = playing("azen", [1, 1, 1], [1, 2, 3])
        board = felt(table.now.view, NL)
        assert [mark.filled for mark in board.aces] == [True] * 4 + [False] * 5
        assert board.aces[2] == Mark(True, "bestelt", "Ann")
        assert [mark.role for mark in board.aces if mark.role] == ["bestelt", "proeft", "drinkt"]
        assert board.race == "none"

    def test_the_race_is_told(self) -> None:
        table = playing("azen", [1, 2, 3], count=8, orderer="Bob", taster="Bob")
        assert felt(table.now.view, NL).race == "open"
        assert felt(table.now.view, NL).aces[8].who == "Ann"

    def test_the_pile_and_what_comes_next(self) -> None:
        table = playing("bataclan", ["G", 2, 3, 4, 5, 6, *[2] * 8])
        table.say({"do": "place", "dice": ["G", 2]})
        board = felt(table.now.view, NL).pile
        assert board is not None
        assert (board.next, board.height, board.told) == (3, 2, "stapel: 2 van 28")
        assert dict(own(table.now.view)["Bob"].dice).keys() == {"large", "medium", "small"}

    def test_the_way_to_the_target_with_what_is_not_banked(self) -> None:
        table = playing("pig", [5, 6], scores={"Ann": 62})
        assert own(table.now.view) == {"Ann": Own(bar=(62, 73)), "Bob": Own(bar=(0, 0))}

    def test_crosses_by_number(self) -> None:
        table = playing("sachsenkniffel", crosses={"Ann": {"1": 3, "12": 6}})
        assert own(table.now.view)["Ann"].crosses == (3, *[0] * 10, 6)

    def test_chalk_needs_nothing_else(self) -> None:
        table = playing("pietjesbak", [1, 4, 5])
        assert own(table.now.view) == {}
        board = felt(table.now.view, NL)
        assert (board.aces, board.pile) == ((), None)

    def test_a_game_that_nobody_knows_here_is_shown_by_its_cells(self) -> None:
        view = playing("pietjesbak").now.view
        assert isinstance(view, View)
        assert felt(view, NL).aces == ()


class TestOdds:
    def test_stopping_and_going_on(self) -> None:
        told = chances(playing("pietjesbak", [1, 1, 6]).now, NL)
        assert told.startswith("stoppen wint 9")
        assert " · gooien wint " in told

    def test_pig(self) -> None:
        now = playing("pig", [5, 6]).now
        assert chances(now, NL) == "33 % kans dat de beurt weg is · gemiddeld 2,6 punten erbij"
        assert "2.6 points" in chances(now, wording("en"))

    def test_nothing_where_there_is_nothing_to_choose(self) -> None:
        assert chances(Table(MemoryJournal()).now, NL) == ""
        assert chances(playing("azen").now, NL) == ""

    def test_only_where_it_is_switched_on(self, table: Table, journal: MemoryJournal) -> None:
        table.say(START)
        table.saw_throw((1, 4, 5))
        for odds in (False, True):
            html = TestClient(Web(table, journal, odds=odds).app, base_url="http://127.0.0.1").get("/").text
            assert ("gooien wint" in html) is odds
