"""Frames in, happenings out: dice that moved, came to rest and were read alike several times are one throw."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

from vision.board import Board
from vision.board_watch import BoardWatch, Lies
from vision.booking import Booking, Rest
from vision.die_size import DieSize
from vision.frame import Frame, Picture
from vision.gate import LOOK_BACK_S, Gate, Motion
from vision.hand import Hand
from vision.happenings import Happening, ThrowSeen, Trouble, TroubleOver
from vision.health import CameraHealth, Ill
from vision.lay import Lay
from vision.lying import is_elsewhere
from vision.movement import Movement
from vision.reading import BoardReading, DieReading, Problem
from vision.scene import Scene, Thing, Zone, is_near
from vision.votes import READS, Votes, size_of

REST_S = 0.05  # still for so long, beyond the gate's look back, before the first reading
READ_EVERY_S = 0.13  # the model takes up to 0.1 s on a Pi
GAP_S = 1.0  # pictures that far apart hide a throw
_LOOK_UNDER_S = 0.5  # what stands over the board is so often taken for the board itself, in another place
_KEEP_EVERY_S = 2.0
_SWAYS_ON_S = 5.0  # a picture that swayed is laid over the calm one for so long
_SLOW_READ_S = 1.0  # while a throw stays unsure
_SWAYED_S = 0.15  # all still for so long before the board is looked at
_WHERE_S = 10.0  # it is looked at so often though nothing was seen to move
_ALIKE, _LEARN = 0.5, 0.05  # more of the calm pictures are the one before: drawn, not filmed; each counts so much
_LOST_LOOK_S, _LOST_SLOW_S, _LOST_LONG_S = 0.5, 3.0, 20.0  # a lost board is looked for so often, and after so long


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
    `lay`: what lay there when it was last watched; dice that lie otherwise are unsure, since nobody saw them roll.
    """

    _last_t: float | None
    _read_at: float
    _looked_at: float

    def __init__(
        self,
        reader: Reads,
        board: Board,
        *,
        expected: int = 3,
        die_px: float | None = None,
        find_board: Callable[[Picture], Board | None] | None = None,
        lay: Lay | None = None,
    ) -> None:
        self._reader, self._told_die_px = reader, die_px
        self._standing = BoardWatch(board, find_board)
        self.reading: BoardReading | None = None  # the last one, for those who show it
        self.expect(expected)
        self._begin()
        if lay is not None:
            self._booking.resume(lay.on(board, self.die_px))

    def expect(self, dice: int) -> None:
        """So many dice the next throw has: 1 to 6, or 0 while none is due."""
        if not 0 <= dice <= 6:
            raise ValueError(f"a throw has 1 to 6 dice, not {dice}")
        self._expected = dice

    @property
    def board(self) -> Board:
        return self._standing.board

    @board.setter
    def board(self, board: Board) -> None:
        """The board was found anew: what lies on it is read afresh and is no throw."""
        self._standing.board = board
        self._begin()

    @property
    def lay(self) -> Lay:
        """The dice that lie there, as they were last made out."""
        return Lay.of(self._booking.lying.dice, self.board)

    @property
    def die_px(self) -> float:
        """Edge of a die in pixels of the picture: as known, or a guess."""
        return self._size.px(self.board)

    @property
    def state(self) -> State:
        if self._ill is not None:
            return State.CAMERA_TROUBLE
        if self._hand.is_over:
            return State.HAND
        if self._rest_at is None and self._dirty:
            return State.ROLLING
        if self._dirty and not self._booking.pending:
            return State.READING
        if self._booking.doubtful:
            return State.UNSURE
        return State.READ if self._booking.lying.on_board else State.EMPTY

    @property
    def shows_reading(self) -> bool:
        """Whether `reading` is of what lies there now: nothing has moved since."""
        return self.reading is not None and self._rest_at is not None and self._read_at >= self._rest_at

    def see(self, frame: Frame) -> list[Happening]:
        """What is known with this frame; frames come in order, at any rate that the model keeps up with."""
        if self._last_t is not None and (frame.t <= self._last_t or frame.t - self._last_t > GAP_S):
            self._look_again(frame.t)
        self._last_t = frame.t
        motion = self._gate.see(frame.picture, frame.t, frame.small)
        out = self._camera(motion)
        if self._ill in (Ill.BLACK, Ill.FROZEN):
            return out
        if self._scene is None or self._scene_size != frame.picture.shape:
            self._set_up(frame)
        out += self._watch(motion)
        if self._is_due(motion):
            out += self._read(frame)
        elif self._stands(frame.t):
            self._read_at = frame.t
            self._board_is_there(frame, out)
        elif self._board_due(motion):
            self._board_is_there(frame, out)
        return out

    def finish(self) -> list[Happening]:
        """The recording has ended: a throw that was not settled is told as unsure."""
        if self._last_t is None or self._booking.pending or not self._dirty or self._rest_at is None:
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
        self._booking = Booking()
        self._bared: tuple[DieReading, ...] = ()  # the dice whose empty places were kept as calm
        self._ill: Ill | None = None
        self._size = DieSize(self._told_die_px)
        self._last_t = None
        self._rest_at: float | None = None
        self._moved_at = self._fresh_at = self._sway_at = self._outside_at = self._kept_at = -1e9
        self._read_at = self._looked_at = -1e9
        self._where_at: float | None = None  # when the board was last seen where it lies
        self._unsure_where = False  # something moved since
        self._hand = Hand()
        self._seems_hand = False  # the reader takes for a hand what was there before anything moved
        self._all_seen = False  # the dice that lie there were made out when last looked for
        self._alike = 1.0  # part of the calm pictures that were bit for bit the one before: none, of a live camera
        self._dirty = True  # something happened that has not been concluded

    def _set_up(self, frame: Frame) -> None:
        self._scene = Scene(self.board, self._gate)
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
        self._booking.blind = self._dirty = True
        self._rest_at, self._moved_at = None, t
        self._movement.clear()
        self._votes.clear()

    def _watch(self, motion: Motion) -> list[Happening]:
        """Follow what moves; tell a hand when it comes."""
        scene, t, die = self._scene, motion.t, self.die_px
        assert scene is not None
        if motion.swayed:
            self._sway_at, self._unsure_where = t, True
        near = any(is_near(self.board, box) for box in motion.moving)
        if not motion.moving and not self._hand.is_over:
            self._rest(t)
            if not self._dirty:
                self._alike += _LEARN * (motion.identical - self._alike)
            if not self._dirty and t - self._kept_at >= _KEEP_EVERY_S:
                self._kept_at = t
                scene.keep(over=self._hand.lies)  # light and camera creep
                if self._all_seen:
                    scene.remember()
            return []
        things = self._things(t)
        if motion.moving:
            self._movement.add(t, motion.moving, things)
            if any(thing.zone is Zone.BEYOND and thing.moving and thing.is_die_like(die) for thing in things):
                self._outside_at = t
        if near and motion.fresh:
            self._fresh_at = t
        if near:
            self._moved_at, self._rest_at, self._dirty, self._unsure_where = t, None, True, True
            self._votes.clear()
            self._hand.lies = False
            if t - self._sway_at >= _SWAYED_S:
                self._look_for_bare(scene, things)
        else:
            self._rest(t)
        return self._hands(t, [thing for thing in things if thing.hand])

    def _look_for_bare(self, scene: Scene, things: tuple[Thing, ...]) -> None:
        """Which dice have left their places; a picture that sways shows other places there."""
        before = self._booking.lying
        self._booking.lying = lying = before.looked_at(scene, things)
        if self._bared is not lying.dice and lying.left_bare(before, things, self.die_px):
            self._bared = lying.dice
            scene.keep()  # the bare board between two throws

    def _things(self, t: float) -> tuple[Thing, ...]:
        assert self._scene is not None
        swayed, largest = t - self._sway_at < _SWAYS_ON_S, self._size.largest(self.board)
        return self._scene.things(self.die_px, swayed=swayed, largest_px=largest)

    def _rest(self, t: float) -> None:
        if self._rest_at is None:
            self._rest_at = max(self._moved_at, 0.0) if self._moved_at > -1e8 else t

    def _hands(self, t: float, hands: list[Thing]) -> list[Happening]:
        assert self._scene is not None
        if hands:
            self._booking.hand_came()
            self._dirty = True
        told = self._hand.see(t, hands)
        if hands and self._hand.lies:
            self._scene.keep(over=True)
        return list(told)

    def _stands(self, t: float) -> bool:
        """Whether what stands over the board may be the board itself, seen in another place."""
        return self._rest_at is not None and self._hand.stands(t) and t - self._read_at >= _LOOK_UNDER_S

    # -- reading

    def _board_due(self, motion: Motion) -> bool:
        """Whether to look if the board lies where it lay: something moved or swayed since, and all is still now."""
        if motion.moving or self._hand.is_over or self.board.is_whole:
            return False
        calm = motion.t - max(self._sway_at, self._moved_at)
        lost = self._ill is Ill.BOARD_MOVED
        wait = (_LOST_LOOK_S if calm < _LOST_LONG_S else _LOST_SLOW_S) if lost else READ_EVERY_S
        if self._where_at is None:
            self._where_at = motion.t
        if not (lost or self._unsure_where or motion.t - self._where_at >= _WHERE_S):
            return False
        return calm >= _SWAYED_S and motion.t - self._looked_at >= wait

    def _is_due(self, motion: Motion) -> bool:
        if not self._dirty and not self._booking.pending:
            return False
        if self._rest_at is None or self._hand.is_over or not self._health.steady:
            return False
        if motion.identical and self._alike < _ALIKE:
            return False  # the picture before once more: whether the dice rest is not known
        slow = (self._booking.pending and self._votes.reads >= READS) or self._ill is Ill.BOARD_MOVED
        every = _SLOW_READ_S if slow else READ_EVERY_S
        return motion.t - self._rest_at >= REST_S - 1e-6 and motion.t - self._read_at >= every - 1e-6

    def _read(self, frame: Frame) -> list[Happening]:
        if self._ill is Ill.EXPOSURE:
            return []
        self._read_at = frame.t
        things = self._things(frame.t) if self._movement.any else ()
        out: list[Happening] = []
        if (not self._votes.reads or self._unsure_where) and not self._board_is_there(frame, out):
            return out
        expected = self._expected + self._booking.beside if self._expected else None
        die_px = self._size.searched(self.board, self._votes, things, self._expected)
        self.reading = self._reader.read(frame, self.board, die_px=die_px, expected=expected)
        self._votes.add(self.reading.without(Problem.HAND) if self._seems_hand else self.reading)
        return out + self._conclude(frame.t)

    def _board_is_there(self, frame: Frame, out: list[Happening]) -> bool:
        """At each new rest: does the board lie where it lay, or was it found where it lies now? Tells what is new."""
        before, self._looked_at = self.board, frame.t
        lies = self._standing.look(frame.picture, frame.t)
        was_lost = self._ill is Ill.BOARD_MOVED
        if lies is not Lies.SWAYING:
            self._unsure_where, self._where_at = False, frame.t
        if lies is Lies.LOST and not was_lost:
            self._ill = Ill.BOARD_MOVED
            out.append(Trouble(t=frame.t, what=Ill.BOARD_MOVED.value))
        if lies in (Lies.THERE, Lies.FOUND) and was_lost:
            self._ill = None
            out.append(TroubleOver(t=frame.t))
            self._booking.blind = self._booking.blind or self._dirty  # nothing was read meanwhile
        moved = lies is Lies.FOUND and is_elsewhere(before, self.board, self.die_px)
        if lies is Lies.FOUND:
            self._follow(frame, afresh=moved)
            self._booking.follow(before, self.board)
        if moved or (was_lost and self._ill is None):  # what was read before lies elsewhere in the picture
            self._booking.knock(stirred=self._dirty and self._movement.any)
            self._votes.clear()
            self._dirty = True
        return lies in (Lies.THERE, Lies.FOUND)

    def _follow(self, frame: Frame, *, afresh: bool) -> None:
        """The board was found elsewhere: what was calm moves along, and a hand that lies there goes on to."""
        known = self._scene
        self._set_up(frame)
        assert self._scene is not None
        if known is not None:
            self._scene.follow(known)
        self._things(frame.t)
        covered = self._hand.is_over and self._scene.is_covered(self.die_px)
        if not covered and (afresh or self._hand.is_over):
            self._hand.is_over = False
            self._scene.keep()

    def _takes_for_hand(self, *, blind: bool) -> bool:
        """Whether the reader sees a hand where nothing moved since what lay there was known: a picture on the felt, or
        the cloth beside the board. It would see it at every throw.
        """
        if self.reading is None or Problem.HAND not in self.reading.problems:
            return False
        return self._seems_hand or not (blind or self._movement.any or self._hand.lies)

    def _conclude(self, t: float, *, last: bool = False) -> list[Happening]:
        assert self._scene is not None
        assert self._rest_at is not None
        rest = Rest(
            t=t,
            since=self._rest_at,
            stopped=max(self._fresh_at, self._rest_at - LOOK_BACK_S, 0.0),
            votes=self._votes,
            movement=self._movement,
            scene=self._scene,
            expected=self._expected,
            die_px=self._size.known(self.board) or self._votes.die_px or self.die_px,
            size=(self.board.width, self.board.height),
            beside_at=self._outside_at,
            hand_lies=self._hand.lies,
            last=last,
        )
        lying, blind = self._booking.lying, self._booking.blind
        happened, done = self._booking.conclude(rest)
        for throw in happened:
            if isinstance(throw, ThrowSeen):
                self._size.read = size_of(throw.reading.dice) or self._size.read
        self._all_seen = self._booking.lying is not lying
        if self._all_seen:
            self._scene.remember()
        if done:
            self._seems_hand = self._takes_for_hand(blind=blind)
            self._dirty, self._kept_at = False, t
            self._movement.clear()
            self._scene.keep(over=self._hand.lies)
            if not self._booking.pending:
                self._votes.clear()
        return happened
