"""What all lamps show: strokes, turn, every game's figures, motions, dimming; all told apart without colour."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import pytest

from device.lights.lamp import Rows
from device.lights.motions import LASTING, ONCE
from device.lights.scene import IDLE, IDLE_S, OTHERS, TRACK, Scene, Shape
from device.lights.states import NAMES, State, every_state, game, played, throw
from scorer.game import PlayerView, Prompt, View

STRIPS, BARS, STATUS = Shape(4, 12, side_by_side=True), Shape(2, 9), Shape(4, 1)
NAMED = (  # those that a person must tell apart, beside whose turn it is
    "reading",
    "read",
    "unsure",
    "die_outside",
    "zand",
    "soixante_neuf",
    "three_aces",
    "seven",
    "out",
    "lost",
    "camera_trouble",
)
STATES = {state.title: state for state in every_state(4)}
Levels = tuple[tuple[float, ...], ...]


def levels(rows: Rows) -> Levels:
    """Brightness alone."""
    return tuple(tuple(round(lamp.level, 3) for lamp in row) for row in rows)


def pietjesbak(*strokes: int, **more: Any) -> View:
    names = NAMES[: len(strokes)]
    return played(game("pietjesbak", len(strokes), strokes=dict(zip(names, strokes, strict=True)), **more))[0]


def shown(view: View | None, pattern: str, shape: Shape, *, after: float, before: View | None = None) -> Levels:
    scene = Scene(shape)
    scene.show(before if before is not None else view, "turn", 590.0)
    scene.show(view, pattern, 600.0)
    return levels(scene.rows(600.0 + after))


def film(view: View | None, pattern: str, shape: Shape, seconds: float = 4.0) -> tuple[Levels, ...]:
    """Every tenth of a second."""
    scene = Scene(shape)
    scene.show(view, "turn", 590.0)
    scene.show(view, pattern, 600.0)
    return tuple(levels(scene.rows(600.0 + n / 10)) for n in range(int(seconds * 10)))


def lit(row: tuple[float, ...]) -> int:
    """Lamps brighter than the faint glow of a row whose turn it is."""
    return sum(level > TRACK for level in row)


class TestStrokes:
    @pytest.mark.parametrize("marks", range(1, 10))
    @pytest.mark.parametrize("shape", [STRIPS, BARS])
    def test_up_to_nine_as_many_steady_lamps(self, marks: int, shape: Shape) -> None:
        rows = {shown(pietjesbak(marks, 4), "turn", shape, after=60.0 + part / 7)[0] for part in range(14)}
        assert len(rows) == 1
        (row,) = rows
        assert lit(row) == marks
        assert all(level > TRACK for level in row[:marks])

    @pytest.mark.parametrize(("marks", "breathing"), [(10, [9]), (12, [9, 10, 11]), (13, [0]), (15, [0, 1, 2])])
    def test_more_than_nine_breathe_on_twelve_pixels(self, marks: int, breathing: list[int]) -> None:
        low, high = (shown(pietjesbak(marks, 4), "turn", STRIPS, after=60.0 + t)[0] for t in (0.0, 1.0))
        assert [n for n in range(12) if low[n] != high[n]] == breathing
        assert lit(high) == min(marks, 12)

    @pytest.mark.parametrize(("marks", "breathing"), [(10, 1), (12, 3), (18, 9), (40, 9)])
    def test_more_than_nine_breathe_on_nine_leds(self, marks: int, breathing: int) -> None:
        low, high = (shown(pietjesbak(marks, 4), "turn", BARS, after=60.0 + t)[0] for t in (0.0, 1.0))
        assert sum(a != b for a, b in zip(low, high, strict=True)) == breathing
        assert all(high)

    def test_more_than_nine_wink_on_a_status_led(self) -> None:
        for marks, moves in ((9, False), (10, True)):
            frames = film(pietjesbak(marks, 4, 4, 4), "turn", STATUS)
            assert (len({frame[0] for frame in frames}) > 1) is moves

    def test_threes_can_be_counted_on_a_strip(self) -> None:
        row = shown(pietjesbak(9, 4), "turn", STRIPS, after=60.0)[0]
        assert row[0] == row[1] == row[2] == row[6] > row[3] == row[4] == row[5]


class TestTurn:
    @pytest.mark.parametrize("shape", [STRIPS, BARS, STATUS])
    def test_is_seen_by_brightness(self, shape: Shape) -> None:
        first, second = shown(pietjesbak(4, 4), "turn", shape, after=60.0)[:2]
        assert max(second) <= OTHERS * max(first)

    def test_is_seen_without_a_single_stroke(self) -> None:
        view = played(game("azen", 2))[0]
        first, second = shown(view, "turn", STRIPS, after=60.0)[:2]
        assert min(first) >= TRACK > min(second)

    def test_a_row_whose_turn_begins_lights_up_and_settles(self) -> None:
        before, after = played(game("pietjesbak", 2), throw(1, 4, 5), {"do": "stop"})[1:]
        early, late = (shown(after, "turn", STRIPS, after=t, before=before)[1] for t in (0.1, 9.0))
        assert min(early) > min(late)

    @pytest.mark.parametrize("shape", [BARS, Shape(1, 9)])
    def test_more_players_than_rows_show_whose_turn_it_is_by_place(self, shape: Shape) -> None:
        for which in range(4):
            view = pietjesbak(9, 9, 9, 9)
            players = tuple(
                PlayerView(name, 9, 9, to_throw=n == which) for n, name in enumerate(p.name for p in view.players)
            )
            row = shown(View("pietjesbak", "turn", players, Prompt("throw")), "turn", shape, after=60.0)[0]
            assert row.index(max(row)) == which
            assert sum(level > 0 for level in row) == 4

    def test_more_players_than_status_leds_wink_the_number(self) -> None:
        def winks(which: int) -> int:
            players = tuple(PlayerView(name, 9, 9, to_throw=n == which) for n, name in enumerate(NAMES[:4]))
            view = View("pietjesbak", "turn", players, Prompt("throw"))
            every = 0.5 * (which + 1) + 1.5
            scene = Scene(Shape(1, 1))
            scene.show(view, "turn", 0.0)
            lights = [scene.rows(every * n / 200)[0][0].level > 0.5 for n in range(201)]
            return sum(not a and b for a, b in pairwise([False, *lights[:-1]]))

        assert [winks(which) for which in range(4)] == [1, 2, 3, 4]

    def test_rows_around_the_board_go_by_seats(self) -> None:
        view = pietjesbak(3, 5, seats={"Ann": 180, "Bob": 0})
        rows = shown(view, "turn", Shape(4, 12, ring_deg=0.0), after=60.0)
        assert [lit(row) for row in rows] == [5, 0, 3, 0]

    def test_rows_around_the_board_are_spread_where_seats_are_unknown(self) -> None:
        rows = shown(pietjesbak(3, 5), "turn", Shape(8, 12, ring_deg=0.0), after=60.0)
        assert [lit(row) for row in rows] == [3, 0, 0, 0, 5, 0, 0, 0]


class TestPatterns:
    @pytest.mark.parametrize("shape", [STRIPS, BARS, STATUS])
    def test_no_two_look_the_same_in_one_colour(self, shape: Shape) -> None:
        view = pietjesbak(5, 3)
        films = {name: film(view, name, shape) for name in ("turn", *NAMED)}
        assert [pair for pair in combinations(films, 2) if films[pair[0]] == films[pair[1]]] == []

    @pytest.mark.parametrize("shape", [STRIPS, BARS])
    @pytest.mark.parametrize("pattern", sorted(ONCE))
    def test_what_plays_once_gives_the_strokes_back(self, pattern: str, shape: Shape) -> None:
        view = pietjesbak(5, 3)
        steady = levels_of(view, shape)
        during = [shown(view, pattern, shape, after=ONCE[pattern].seconds * n / 10) for n in range(1, 10)]
        assert any(frame != steady for frame in during)
        assert shown(view, pattern, shape, after=ONCE[pattern].seconds + 0.01) == steady

    @pytest.mark.parametrize("pattern", sorted(LASTING))
    def test_what_lasts_lasts(self, pattern: str) -> None:
        view = None if pattern == "idle" else pietjesbak(5, 3)
        frames = {shown(view, pattern, STRIPS, after=70.0 + n / 10) for n in range(60)}
        assert len(frames) > 1

    def test_camera_trouble_and_reading_leave_the_strokes_of_the_others(self) -> None:
        view = pietjesbak(5, 3)
        for pattern, row in (("reading", 1), ("unsure", 1)):
            assert {frame[row] for frame in film(view, pattern, STRIPS)} == {levels_of(view, STRIPS)[row]}
        trouble = {frame[0][:11] for frame in film(view, "camera_trouble", STRIPS)}
        assert trouble == {levels_of(view, STRIPS)[0][:11]}

    @pytest.mark.parametrize("shape", [STRIPS, BARS, STATUS])
    def test_nothing_flashes_more_than_three_times_a_second(self, shape: Shape) -> None:
        view = pietjesbak(5, 3)
        for pattern in (*ONCE, *LASTING):
            scene = Scene(shape)
            scene.show(view, pattern, 0.0)
            light = [sum(lamp.level for row in scene.rows(n / 50) for lamp in row) for n in range(150)]
            swing = [light[0]]
            flashes = 0
            rising = True
            for now in light[1:]:
                if (now - swing[-1] > 2.0) if rising else (swing[-1] - now > 2.0):
                    flashes += rising
                    rising = not rising
                    swing.append(now)
                elif (now < swing[-1]) if rising else (now > swing[-1]):
                    swing[-1] = now
            assert flashes <= 9, pattern

    def test_a_die_on_the_rim_is_shown_in_every_game(self) -> None:
        before, rim = played(game("pietjesbak", 2), throw(1, 4, rim=1))
        row = shown(rim, rim.pattern, STRIPS, after=0.4, before=before)[0]
        assert [n for n in range(12) if row[n] > 0.0] == [0, 11]

    def test_it_plays_on_the_row_that_it_is_about(self) -> None:
        before, zand = played(game("pietjesbak", 3), throw(6, 6, 6))
        rows = shown(zand, "zand", STRIPS, after=0.5, before=before)
        steady = levels_of(zand, STRIPS)
        assert rows[0] != steady[0]
        assert rows[1:] == steady[1:]

    def test_the_thrower_is_remembered_when_the_turn_has_gone_on(self) -> None:
        views = played(game("pietjesbak", 3), throw(1, 4, 5), {"do": "stop"}, throw(6, 6, 6))
        assert views[-1].players[2].to_throw
        rows = shown(views[-1], "zand", STRIPS, after=0.5, before=views[-2])
        steady = shown(views[-1], "turn", STRIPS, after=0.5, before=views[-2])
        assert [rows[n] != steady[n] for n in range(3)] == [False, True, False]

    def test_a_seven_for_everybody_plays_for_everybody(self) -> None:
        before, seven = played(game("pietjesbak", 3, options={"seven_penalty": "everyone"}), throw(2, 2, 3))
        rows = shown(seven, "seven", STRIPS, after=0.9, before=before)
        assert rows[0] == rows[1] == rows[2]

    def test_out_and_lost_look_different_from_each_other_afterwards(self) -> None:
        out, lost = (
            tuple(shown(STATES[name].view, STATES[name].pattern, STRIPS, after=60.0 + n)[0] for n in range(8))
            for name in ("out", "lost")
        )
        assert len(set(out)) > 1
        assert len(set(lost)) == 1
        assert lost[0] != (0.0,) * 12

    def test_the_eye_does_not_make_a_motion_play_twice(self) -> None:
        scene = Scene(STRIPS)
        before, zand = played(game("pietjesbak", 2), throw(6, 6, 6))
        scene.show(before, "turn", 0.0)
        scene.show(zand, "zand", 10.0)
        scene.show(zand, "reading", 14.0)
        scene.show(zand, "zand", 15.0)
        assert levels(scene.rows(15.2)) == levels_of(zand, STRIPS)

    def test_every_level_is_a_brightness(self) -> None:
        for shape in (STRIPS, BARS, STATUS, Shape(1, 1), Shape(2, 3), Shape(8, 30)):
            for state in STATES.values():
                for t in (0.3, 1.1, 50.0):
                    rows = shown(state.view, state.pattern, shape, after=t)
                    assert [len(row) for row in rows] == [shape.lamps] * shape.rows
                    assert all(0.0 <= level <= 1.0 for row in rows for level in row)


class TestGames:
    """The figures of the other games, found in the view alone."""

    def frames(self, title: str, shape: Shape = STRIPS) -> tuple[Levels, ...]:
        state = STATES[title]
        return tuple(
            shown(state.view, state.pattern, shape, after=60.0 + n / 4, before=state.before) for n in range(12)
        )

    @pytest.mark.parametrize("shape", [STRIPS, BARS])
    def test_all_counts_of_aces_differ_and_show_their_marks(self, shape: Shape) -> None:
        rows = [
            shown(played(game("azen", 4 if shape is STRIPS else 2, count=count))[0], "turn", shape, after=60.0)[0]
            for count in range(9)
        ]
        assert len(set(rows)) == 9
        for mark in (3, 6, 9):
            before = rows[0][mark - 1]
            neighbour = rows[0][mark - 2]
            assert before > neighbour

    def test_who_ordered_and_who_tasted_are_seen_at_the_far_end_of_their_rows(self) -> None:
        rows = self.frames("azen: eight aces, both roles")
        moving = [[n for n in range(12) if len({frame[row][n] for frame in rows}) > 1 and n >= 9] for row in range(4)]
        assert moving == [[], [9], [10], []]

    def test_the_race_shows_who_runs_and_who_hunts(self) -> None:
        race, settling = self.frames("azen: the race"), self.frames("azen: glass empty, settling")
        state = STATES["azen: the race"]
        assert state.view is not None
        runner = next(n for n, player in enumerate(state.view.players) if "drinker" in player.roles)
        glass = [sum(level > 0.4 for level in frame[runner]) for frame in race]
        assert max(glass) >= 10
        assert min(glass) <= 2
        assert max(sum(level > 0.4 for level in frame[runner]) for frame in settling) <= 1

    def test_who_pays_marches(self) -> None:
        frames = self.frames("azen: who pays")
        state = STATES["azen: who pays"]
        assert state.view is not None
        payer = next(n for n, player in enumerate(state.view.players) if "payer" in player.roles)
        assert len({frame[payer] for frame in frames}) == 3
        assert all(frame[payer].count(1.0) == 4 for frame in frames)

    def test_points_fill_the_row_and_those_at_stake_breathe_behind_them(self) -> None:
        frames = self.frames("pig: 25 at stake")
        moving = [n for n in range(12) if len({frame[0][n] for frame in frames}) > 1]
        assert [round(40 * 12 / 100), 40 * 12 // 100] == [5, 4]
        assert moving[0] in (4, 5)
        assert len(moving) in (3, 4)
        assert all(frame[0][0] == 1.0 for frame in frames)

    def test_points_beyond_the_goal_have_a_form_of_their_own(self) -> None:
        full = played(game("pig", 2, scores={"Ann": 99}), throw(3, 4), {"do": "stop"})[-1]
        low, high = (shown(full, "turn", STRIPS, after=60.0 + t)[0] for t in (0.0, 1.0))
        assert [n for n in range(12) if low[n] != high[n]] == [9, 10, 11]

    def test_each_row_of_crosses_has_its_lamp(self) -> None:
        row = self.frames("sachsenkniffel: crosses")[0][0]
        assert row[2] == row[6] == 1.0  # 3 and 7 are complete
        assert row[0] < row[1] < row[3] < row[4]  # 1, 2, 4, 5 crosses
        assert row[5] == TRACK  # none at 6
        thrown = self.frames("sachsenkniffel: thrown for sixes")
        assert len({frame[0][5] for frame in thrown}) > 1

    def test_rows_of_crosses_that_do_not_fit_show_how_many_are_complete(self) -> None:
        state = next(state for state in every_state(2) if state.title == "sachsenkniffel: crosses")
        assert lit(shown(state.view, "turn", BARS, after=60.0)[0]) == 2

    def test_dice_left_are_strokes(self) -> None:
        state = STATES["bataclan: dice dealt"]
        assert state.view is not None
        assert lit(self.frames(state.title)[0][0]) == state.view.players[0].marks == 7

    @pytest.mark.parametrize("shape", [STRIPS, BARS])
    def test_no_state_of_a_game_looks_like_the_one_before_it(self, shape: Shape) -> None:
        states = every_state(4 if shape is STRIPS else 2)
        same = [
            (one.title, other.title)
            for one, other in pairwise(states)
            if _film_of(one, shape) == _film_of(other, shape)
        ]
        assert same == []


class TestIdle:
    def test_all_dims_after_two_minutes_and_wakes(self) -> None:
        view = pietjesbak(5, 3)
        scene = Scene(STRIPS)
        scene.show(view, "turn", 0.0)
        bright = levels(scene.rows(IDLE_S - 1.0))
        dim = levels(scene.rows(IDLE_S + 10.0))
        assert IDLE_S == 120.0
        assert bright == levels_of(view, STRIPS)
        assert dim == tuple(tuple(round(level * IDLE, 3) for level in row) for row in bright)
        scene.show(view, "reading", 500.0)
        assert max(max(row) for row in levels(scene.rows(500.1))) > 0.6

    def test_the_same_told_again_wakes_nothing(self) -> None:
        scene = Scene(STRIPS)
        scene.show(pietjesbak(5, 3), "turn", 0.0)
        dim = levels(scene.rows(300.0))
        scene.show(pietjesbak(5, 3), "turn", 301.0)
        assert levels(scene.rows(302.0)) == dim

    def test_a_paused_game_is_dim(self) -> None:
        running, paused = played(game("pietjesbak", 2), {"do": "pause"})
        assert max(shown(paused, "pause", STRIPS, after=9.0)[0]) < max(shown(running, "turn", STRIPS, after=9.0)[0])


def levels_of(view: View, shape: Shape) -> Levels:
    """Steady, long after all motions; the breath as at the beginning of one."""
    return shown(view, "turn", shape, after=60.0)


def _film_of(state: State, shape: Shape) -> tuple[Levels, ...]:
    scene = Scene(shape)
    scene.show(state.before, "turn", 590.0)
    scene.show(state.view, state.pattern, 600.0)
    return tuple(levels(scene.rows(600.0 + n / 4)) for n in range(16))
