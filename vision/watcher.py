"""Frames in, happenings out: dice that moved, came to rest and were read alike several times are one throw."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

from vision.board import Board
from vision.board_moved import board_moved
from vision.frame import Frame, Picture
from vision.gate import Gate, Motion
from vision.happenings import HandSeen, Happening, Lifted, ThrowSeen, Touched, Trouble, TroubleOver, Unsure, faces
from vision.health import CameraHealth, Ill
from vision.judge import Attempt, judge
from vision.lying import Lying
from vision.movement import Movement
from vision.reading import BoardReading, DieReading, Problem, Where
from vision.scene import Scene, Thing, Zone
from vision.votes import READS, VotedDie, Votes

REST_S = 0.1  # still for so long, the look back of the gate included, before the first reading
READ_EVERY_S = 0.13  # the model takes up to 0.1 s on a Pi
UNSURE_S = 1.0  # from rest to giving up for now
OUTSIDE_S = 4.0  # so long a die may roll beside the board before one is called missing
GAP_S = 1.0  # pictures that far apart hide a throw
HAND_S = 8.0  # a hand that lies still so long is a sleeve, a bag, a glass: it belongs there
_HAND_GONE_S = 0.15
_SLOW_READ_S = 1.0  # while a throw stays unsure
_GUESSED_DIE = 1 / 16  # of the shorter side of the picture, until a die was read


class Reads(Protocol):
    """What the watcher needs of a reader."""

    def read(
        self, frame: Frame, board: Board | None = None, *, die_px: float | None = None, expected: int | None = None
    ) -> BoardReading: ...


class State(StrEnum):
    EMPTY = "empty"
    HAND = "hand"
    ROLLING = "rolling"
    READING = "reading"
    READ = "read"
    UNSURE = "unsure"
    CAMERA_TROUBLE = "camera_trouble"


class ThrowWatcher:
    """Watches one board through one camera; time comes with the frames.

    `expected` is how many dice the next throw has (0: none is due); change it with `expect`. `find_board` looks for a
    board that was moved; without it, or where it finds none, the watcher stays in trouble until `board` is set.
    """

    def __init__(
        self,
        reader: Reads,
        board: Board,
        *,
        expected: int = 3,
        die_px: float | None = None,
        find_board: Callable[[Picture], Board | None] | None = None,
    ) -> None:
        self._reader, self._find_board, self._told_die_px = reader, find_board, die_px
        self._last_t: float | None = None
        self._board = board
        self.reading: BoardReading | None = None  # the last one, for those who show it
        self.expect(expected)
        self._begin()

    def expect(self, dice: int) -> None:
        """So many dice the next throw has: 1 to 6, or 0 while none is due."""
        if not 0 <= dice <= 6:
            raise ValueError(f"a throw has 1 to 6 dice, not {dice}")
        self._expected = dice

    @property
    def board(self) -> Board:
        return self._board

    @board.setter
    def board(self, board: Board) -> None:
        """The board was found anew: what lies on it is read afresh and is no throw."""
        self._board = board
        self._begin()

    @property
    def die_px(self) -> float:
        """Edge of a die in pixels of the picture: as told, as the board has it, as last read, or a guess."""
        told = self._told_die_px or self._board.expected_die_px() or self._read_die_px
        return told or _GUESSED_DIE * min(self._board.width, self._board.height)

    @property
    def state(self) -> State:
        if self._ill is not None:
            return State.CAMERA_TROUBLE
        if self._hand_at is not None:
            return State.HAND
        if self._rest_at is None and self._dirty:
            return State.ROLLING
        if self._dirty and not self._pending:
            return State.READING
        if self._pending or self._doubtful:
            return State.UNSURE
        return State.READ if self._lying.on_board else State.EMPTY

    @property
    def shows_reading(self) -> bool:
        """Whether `reading` is of what lies there now: nothing has moved since."""
        return self.reading is not None and self._rest_at is not None and self._read_at >= self._rest_at

    def see(self, frame: Frame) -> list[Happening]:
        """What is known with this frame; frames come in order, at any rate that the model keeps up with."""
        if self._last_t is not None and (frame.t <= self._last_t or frame.t - self._last_t > GAP_S):
            self._look_again(frame.t)
        self._last_t = frame.t
        motion = self._gate.see(frame.picture, frame.t)
        out = self._camera(motion)
        if self._ill in (Ill.BLACK, Ill.FROZEN):
            return out
        if self._scene is None or self._scene_size != frame.picture.shape:
            self._set_up(frame)
        out += self._watch(motion)
        if self._is_due(motion):
            out += self._read(frame)
        return out

    def finish(self) -> list[Happening]:
        """The recording has ended: a throw that was not settled is told as unsure."""
        if self._last_t is None or self._pending or not self._dirty or self._rest_at is None:
            return []
        return self._conclude(self._last_t, last=True) if self._votes.reads >= 2 else []

    # -- seeing

    def _begin(self) -> None:
        self._gate = Gate()
        self._health = CameraHealth()
        self._movement = Movement()
        self._votes = Votes()
        self._scene: Scene | None = None
        self._scene_size: tuple[int, ...] = ()
        self._lying = Lying()
        self._attempt: Attempt | None = None
        self._ill: Ill | None = None
        self._read_die_px: float | None = None
        self._last_t = None
        self._rest_at: float | None = None
        self._moved_at = self._read_at = self._sway_at = self._outside_at = -1e9
        self._hand_at: float | None = None  # when a hand was last seen, while one is over the board
        self._hand_moved_at = -1e9
        self._known = False  # what lies there was read at least once
        self._dirty = True  # something happened that has not been concluded
        self._blind = self._doubtful = False

    @property
    def _pending(self) -> bool:
        return self._attempt is not None and self._attempt.told

    def _set_up(self, frame: Frame) -> None:
        self._scene = Scene(self._board, self._gate)
        self._scene_size = frame.picture.shape

    def _camera(self, motion: Motion) -> list[Happening]:
        ill = self._health.see(motion)
        if ill is None and self._ill is Ill.BOARD_MOVED:
            return []
        if ill is self._ill:
            return []
        if ill is not None:
            self._ill = ill
            return [Trouble(t=motion.t, what=ill.value)]
        if self._ill is not Ill.EXPOSURE:
            self._look_again(motion.t)
        self._ill = None
        return [TroubleOver(t=motion.t)]

    def _look_again(self, t: float) -> None:
        """The eye was shut for a while: a throw may have been missed."""
        self._blind = self._dirty = True
        self._rest_at, self._moved_at = None, t
        self._movement.clear()
        self._votes.clear()

    def _watch(self, motion: Motion) -> list[Happening]:
        """Follow what moves; tell a hand when it comes."""
        scene, t, die = self._scene, motion.t, self.die_px
        assert scene is not None
        if motion.swayed:
            self._sway_at = t
        near = tuple(box for box in motion.moving if self._is_near(box))
        if not motion.moving and self._hand_at is None:
            self._rest(t)
            return []
        things = scene.things(die, swayed=t - self._sway_at < 5.0)
        if motion.moving:
            self._movement.add(t, motion.moving, things)
            if any(thing.zone is Zone.BEYOND and thing.moving and thing.is_die_like(die) for thing in things):
                self._outside_at = t
        if near:
            self._moved_at, self._rest_at, self._dirty = t, None, True
            self._votes.clear()
            self._lying = self._lying.looked_at(scene, things)
        else:
            self._rest(t)
        return self._hand(t, [thing for thing in things if thing.hand])

    def _rest(self, t: float) -> None:
        if self._rest_at is None:
            self._rest_at = max(self._moved_at, 0.0) if self._moved_at > -1e8 else t

    def _hand(self, t: float, hands: list[Thing]) -> list[Happening]:
        if not hands:
            if self._hand_at is not None and t - self._hand_at >= _HAND_GONE_S:
                self._hand_at = None
            return []
        first = self._hand_at is None
        self._hand_at = t
        if first or any(hand.moving for hand in hands):
            self._hand_moved_at = t
        if t - self._hand_moved_at > HAND_S and self._scene is not None:
            self._scene.keep()
            self._hand_at = None
        if self._attempt is not None and self._attempt.told:
            self._attempt.hand = True
        self._dirty = True
        return [HandSeen(t=t, from_deg=hands[0].from_deg)] if first else []

    def _is_near(self, box: tuple[float, float, float, float]) -> bool:
        """Whether a box touches the board or its rim, or comes within one die of it."""
        if self._board.is_whole:
            return True
        xs, ys = zip(*self._board.rim, strict=True)
        if box[2] < min(xs) or box[0] > max(xs) or box[3] < min(ys) or box[1] > max(ys):
            return False
        corners = self._board.rim
        for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
            # clockwise as seen: inside lies to the right of each side; off if all of the box lies to its left
            points = ((box[0], box[1]), (box[2], box[1]), (box[2], box[3]), (box[0], box[3]))
            if all((bx - ax) * (y - ay) - (by - ay) * (x - ax) < 0 for x, y in points):
                return False
        return True

    # -- reading

    def _is_due(self, motion: Motion) -> bool:
        if not self._dirty and not self._pending:
            return False
        if self._rest_at is None or self._hand_at is not None or not self._health.steady:
            return False
        slow = (self._pending and self._votes.reads >= READS) or self._ill is Ill.BOARD_MOVED
        every = _SLOW_READ_S if slow else READ_EVERY_S
        return motion.t - self._rest_at >= REST_S - 1e-6 and motion.t - self._read_at >= every - 1e-6

    def _read(self, frame: Frame) -> list[Happening]:
        if self._ill is Ill.EXPOSURE:
            return []
        self._read_at = frame.t
        out: list[Happening] = []
        if not self._votes.reads and (out := self._check_board(frame)) and self._ill is not None:
            return out
        if self._ill is Ill.BOARD_MOVED:
            return out
        beside = sum(die.where is Where.OUTSIDE for die in self._lying.dice)
        told = self._told_die_px or (self._read_die_px if self._board.is_whole else None)
        expected = self._expected + beside if self._expected else None
        self.reading = self._reader.read(frame, self._board, die_px=told, expected=expected)
        self._votes.add(self.reading)
        self._read_die_px = self._votes.die_px or self._read_die_px
        return out + self._conclude(frame.t, last=False)

    def _check_board(self, frame: Frame) -> list[Happening]:
        """At each new rest: does the board lie where it lay? If not, find it again, or say so and read nothing."""
        if not board_moved(self._board, frame.picture).moved:
            if self._ill is not Ill.BOARD_MOVED:
                return []
            self._ill = None
            return [TroubleOver(t=frame.t)]
        found = self._find_board(frame.picture) if self._find_board is not None else None
        if found is None:
            if self._ill is Ill.BOARD_MOVED:
                return []
            self._ill = Ill.BOARD_MOVED
            return [Trouble(t=frame.t, what=Ill.BOARD_MOVED.value)]
        was_ill, self._ill, self._board = self._ill is Ill.BOARD_MOVED, None, found
        self._set_up(frame)
        return [TroubleOver(t=frame.t)] if was_ill else []

    # -- concluding

    def _conclude(self, t: float, *, last: bool) -> list[Happening]:
        dice = self._votes.dice()
        rolled = self._movement.rolled(self.die_px)
        attempt = self._attempt
        if attempt is not None and (attempt.hand or (rolled and attempt.told and self._lying.all_lifted)):
            attempt = None  # a hand put it otherwise: no longer a throw that settles by itself
        if attempt is None and rolled:
            attempt = self._new_attempt(t)
        self._attempt = attempt
        if attempt is not None and (told := self._thrown(t, dice, attempt, last)) is not None:
            return told
        self._attempt = None
        return self._unthrown(t, dice, last)

    def _new_attempt(self, t: float) -> Attempt:
        assert self._scene is not None
        side = self._movement.came_from(self._scene.center, self.die_px)
        return Attempt(before=self._lying, from_deg=side, settled_at=t)

    def _thrown(self, t: float, dice: tuple[VotedDie, ...], attempt: Attempt, last: bool) -> list[Happening] | None:
        """Dice rolled: a throw once it is sure, unsure when it has not become so in time; None if none lies there."""
        assert self._scene is not None
        assert self._rest_at is not None
        if not attempt.told:
            attempt.settled_at = self._rest_at
        size = (self._board.width, self._board.height)
        left = self._movement.left(self.die_px, self._scene.center, size, tuple(voted.center for voted in dice))
        attempt.left = max(attempt.left, left)
        if not attempt.told:
            attempt.beside = self._movement.rolled_beyond(self.die_px)
        verdict = judge(dice, self._votes, attempt, self._expected, self.die_px, self._has_moved)
        if verdict is None:
            return None
        if self._votes.reads < READS and not last:
            return []
        if self._expected == 0:
            return self._settle(dice)
        if verdict.touched:
            return [*self._settle(dice), Touched(t=t, dice=faces(_inside(dice)), reading=_reading(dice))]
        if not verdict.sure and (attempt.told or not (last or self._late(t, missing=verdict.missing > 0))):
            return []
        out: list[Happening] = []
        if attempt.before.on_board and attempt.before.all_lifted and not attempt.told:
            out.append(Lifted(t=t))
        side, seen = attempt.from_deg, _reading(verdict.thrown)
        inside = faces(_inside(verdict.thrown))
        if verdict.sure and self._votes.reads >= READS:
            self._settle(dice)
            sure = tuple(face for face in inside if face is not None)
            rest = attempt.settled_at
            throw = ThrowSeen(
                t=t,
                dice=sure,
                outside=verdict.outside,
                rim=verdict.rim,
                settled_at=rest,
                from_deg=side,
                reading=seen,
            )
            return [*out, throw]
        attempt.told = self._doubtful = True
        self._lying = Lying.of(dice)
        self._keep()
        unsure = Unsure(
            t=t,
            why=verdict.why or (Problem.UNSURE.value,),
            dice=inside,
            missing=verdict.missing,
            outside=verdict.outside,
            rim=verdict.rim,
            settled_at=attempt.settled_at,
            from_deg=side,
            reading=seen,
        )
        return [*out, unsure]

    def _has_moved(self, voted: VotedDie) -> bool:
        told = self._attempt is not None and self._attempt.told
        return told or self._movement.was_at(voted.center, self.die_px)

    def _late(self, t: float, *, missing: bool = False) -> bool:
        assert self._rest_at is not None
        rest = t - self._rest_at
        if missing and t - self._outside_at < 0.5 and rest < OUTSIDE_S:
            return False
        return rest >= UNSURE_S and self._votes.reads >= READS

    def _unthrown(self, t: float, dice: tuple[VotedDie, ...], last: bool) -> list[Happening]:
        """Nothing rolled: the same dice as before, lifted, touched, or the first look at what lies there."""
        if self._votes.reads < 2 or (self._votes.problems and not self._late(t)):
            return []
        compared = self._lying.compared(dice, self.die_px)
        if self._known and not compared.changed:
            return self._settle(dice)
        if self._votes.problems or self._votes.reads < READS or not all(voted.steady for voted in dice):
            return self._leave() if self._late(t) else []
        was, now = self._lying.on_board, [voted for voted in dice if voted.where is not Where.OUTSIDE]
        first, blind, doubtful = not self._known, self._blind, self._doubtful
        self._settle(dice)
        if first or not self._expected:
            return []
        if was and not now:
            return [Lifted(t=t)]
        if (not was or (blind and not compared.stayed)) and len(now) == self._expected:
            self._doubtful = True
            return [self._unseen(t, dice)]
        self._doubtful = doubtful
        return [Touched(t=t, dice=faces(_inside(dice)), reading=_reading(dice))] if was else []

    def _unseen(self, t: float, dice: tuple[VotedDie, ...]) -> Unsure:
        """Dice lie there that nobody saw roll: put down by a hand, or thrown while the camera was away."""
        rest = self._rest_at if self._rest_at is not None else t
        return Unsure(t=t, why=("unsure",), dice=faces(_inside(dice)), settled_at=rest, reading=_reading(dice))

    def _settle(self, dice: tuple[VotedDie, ...]) -> list[Happening]:
        """What lies there is known: the next motion is compared with it."""
        changed = not self._known or self._attempt is not None or self._lying.compared(dice, self.die_px).changed
        self._lying = self._lying.updated(dice, self.die_px)
        self._attempt = None
        self._known = True
        self._doubtful = self._doubtful and not changed
        return self._leave()

    def _leave(self) -> list[Happening]:
        """Nothing to conclude until something moves again."""
        self._votes.clear()
        self._keep()
        return []

    def _keep(self) -> None:
        self._dirty = self._blind = False
        self._movement.clear()
        if self._scene is not None:
            self._scene.keep()


def _inside(dice: tuple[VotedDie, ...]) -> tuple[DieReading, ...]:
    return tuple(voted.die for voted in dice if voted.where is Where.INSIDE)


def _reading(dice: tuple[VotedDie, ...]) -> BoardReading:
    return BoardReading(tuple(voted.die for voted in dice))
