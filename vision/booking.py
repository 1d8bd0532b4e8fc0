"""What dice at rest come to: a throw, a question, lifted, touched, or nothing new."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist

from vision.board import Board
from vision.happenings import DIE_MISSING, Happening, Lifted, ThrowSeen, Touched, Unsure, faces
from vision.judge import Attempt, Verdict, judge
from vision.lying import Compared, Lying
from vision.movement import Movement
from vision.reading import BoardReading, DieReading, Point, Pose, Problem, Where
from vision.scene import Scene
from vision.votes import READS, SAME_PLACE, VotedDie, Votes

UNSURE_S = 1.0  # from rest to giving up for now
BESIDE_STILL_S = 0.5  # a die that rolled beside the board so lately still rolls
BESIDE_S = 4.0  # so long a die may roll beside the board, or a hand bring another, before it is asked about

Conclusion = tuple[list[Happening], bool]  # what to tell, and whether all is concluded until something moves again


@dataclass(frozen=True)
class Rest:
    """All is still at `t` since `since`: what was read, and what moved before. `last`: the recording ends here.

    `stopped` is when the last die stopped: motion is seen a little longer than it lasts. `hand_lies`: what reached in
    has lain still for so long that it seems to belong there. `beside_at`: when what may be a die last rolled beside.
    """

    t: float
    since: float
    stopped: float
    votes: Votes
    movement: Movement
    scene: Scene
    expected: int
    die_px: float
    size: tuple[int, int]
    beside_at: float = -1e9
    hand_lies: bool = False
    last: bool = False

    @property
    def late(self) -> bool:
        return self.last or (self.t - self.since >= UNSURE_S and self.votes.reads >= READS)

    def waits(self, verdict: Verdict) -> bool:
        """Whether a die that rolled beside the board may be the missing one, or is told outside and was hardly read."""
        still = self.t - self.beside_at
        beside = (verdict.missing > 0 and still < BESIDE_STILL_S) or (verdict.outside > 0 and still < UNSURE_S)
        return beside and self.t - self.since < BESIDE_S and not self.last

    def looks_alike(self, die: DieReading) -> bool:
        """Whether a die's place looks as it did before anything moved."""
        return self.movement.any and not self.scene.is_new(die.box) and not self.scene.is_bare(die.box)

    def lies_unread(self, place: Point, lying: tuple[Point, ...]) -> bool:
        """Whether what rolled over the table stopped here, and the reader does not know it for a die."""
        half = self.die_px / 2
        box = (place[0] - half, place[1] - half, place[0] + half, place[1] + half)
        return self.scene.is_new(box) and all(dist(place, die) > 1.2 * self.die_px for die in lying)


@dataclass(frozen=True)
class _Came:
    """Dice on the board that were not seen to roll, and how many lie beside it; `fills`: the board was bare before."""

    dice: tuple[VotedDie, ...]
    beside: int
    missing: int
    fills: bool

    @property
    def shows(self) -> bool:
        """Whether one on the felt is a die beyond doubt: it has a face, or another lies under it."""
        return any(v.where is Where.INSIDE and (v.die.face or v.die.pose is Pose.STACKED) for v in self.dice)

    @property
    def heaped(self) -> bool:
        """Whether each of the missing may lie unseen under one that was read."""
        return 0 < self.missing <= sum(voted.die.pose is Pose.STACKED for voted in self.dice)


class Booking:
    """Remembers what lies on the board and whether the last throw was settled."""

    def __init__(self) -> None:
        self.lying = Lying()
        self.blind = False  # the eye was shut: a throw may have been missed
        self.doubtful = False  # what lies there was told as unsure
        self._attempt: Attempt | None = None
        self._known = False  # what lies there was read at least once
        self._resumed = False  # what lies there is known from before, and nothing was seen since
        self._refound = False  # the board was found anew, and nothing was made out on it since
        self._elsewhere = False  # it was found elsewhere, and what lies on it has not been read since
        self._knocked = False  # so it was, and something had moved before

    def resume(self, dice: tuple[DieReading, ...]) -> None:
        """These lay there when somebody last looked; what happened since nobody saw."""
        self.lying = Lying(dice, (0,) * len(dice))
        self.blind = self._known = self._resumed = True

    @property
    def pending(self) -> bool:
        """An unsure throw that may still settle by itself."""
        return self._attempt is not None and self._attempt.told

    @property
    def beside(self) -> int:
        """How many dice lie beside the board that do not belong to the throw that is being read."""
        before = self.lying if self._attempt is None else self._attempt.before
        return sum(die.where is Where.OUTSIDE for die in before.dice)

    def hand_came(self) -> None:
        if self._attempt is not None:
            self._attempt.hand_came()

    def follow(self, before: Board, now: Board) -> None:
        """The board was found anew, if only a little elsewhere: what lies on it is seen there."""
        self.lying = self.lying.seen_on(before, now)
        self._refound = True
        if self._attempt is not None:
            self._attempt.follow(before, now)

    def knock(self, *, stirred: bool) -> None:
        """The picture is another one since then; `stirred`: something had moved that is not concluded."""
        self._refound = self._elsewhere = True
        self._knocked = self._knocked or stirred
        if self._attempt is not None:
            self._attempt.knock()

    def conclude(self, rest: Rest) -> Conclusion:
        """What the readings since the dice came to rest come to so far."""
        told, done = self._concluded(rest)
        if done:
            self._knocked = self._elsewhere = self._refound = False
        return told, done

    def _concluded(self, rest: Rest) -> Conclusion:
        dice = rest.votes.dice()
        if self._refound:
            self.lying = self.lying.fitted(dice, rest.die_px)
            if self._attempt is not None:
                self._attempt.before = self._attempt.before.fitted(dice, rest.die_px)
        rolled = rest.movement.rolled(rest.die_px)
        if rolled and not self._known:  # nothing is known of what lay there: a camera that sways at the start
            rolled = rest.movement.followed(rest.die_px, tuple(voted.center for voted in dice))
        attempt, lost = self._attempt, list[Happening]()
        lifted = rolled and bool(self.lying.on_board) and self.lying.all_lifted
        if (
            attempt is not None
            and attempt.seen is not None
            and not attempt.told
            and (self._is_other(rest, dice, attempt) if attempt.knocked else lifted)
        ):
            lost = [_unsure(rest.t, attempt, attempt.seen), Lifted(t=rest.t)]
            self.lying = Lying()
        if attempt is not None and (attempt.hand or lost or (attempt.told and lifted)):
            attempt = None  # put otherwise by a hand, or thrown anew: it no longer settles by itself
        if attempt is None and rolled:
            side = rest.movement.came_from(rest.scene.center, rest.die_px)
            attempt = Attempt(before=self.lying, from_deg=side, settled_at=rest.stopped, knocked=self._knocked)
        self._attempt = attempt
        if attempt is not None and (verdict := self._judged(rest, dice, attempt)) is not None:
            told, done = self._thrown(rest, dice, attempt, verdict)
            if not done and not attempt.told and rest.votes.reads >= 2:
                attempt.seen, self.lying = verdict, Lying.of(dice)
            return lost + told, done
        if attempt is not None and attempt.seen is not None and not attempt.told:
            lost, self._known = [_unsure(rest.t, attempt, attempt.seen)], True  # taken up before it could be read
        self._attempt = None
        told, done = self._unthrown(rest, dice)
        return lost + told, done

    def _is_other(self, rest: Rest, dice: tuple[VotedDie, ...], attempt: Attempt) -> bool:
        """Whether these dice were thrown after a hand took up those of a knocked throw: none lies as they lay.

        Bare places tell nothing there: any place seems bare once the camera looks elsewhere.
        """
        if attempt.reached is None or rest.votes.reads < 2 or not rest.movement.rolled(rest.die_px):
            return False
        return bool(dice) and not self.lying.compared(dice, rest.die_px).stayed

    def _judged(self, rest: Rest, dice: tuple[VotedDie, ...], attempt: Attempt) -> Verdict | None:
        if not attempt.told:
            attempt.beside = rest.movement.rolled_beyond(rest.die_px)
            lying = tuple(voted.center for voted in dice)
            attempt.left = rest.movement.left(rest.die_px, rest.scene.center, rest.size, lying)
            attempt.left += sum(rest.lies_unread(place, lying) for place in attempt.beside)

        def is_new(voted: VotedDie) -> bool:
            if attempt.told:
                return all(dist(voted.center, other) > SAME_PLACE * rest.die_px for other in attempt.others)
            if attempt.knocked:
                return True  # what moved, and what was calm, was seen in another picture
            if not rest.movement.was_at(voted.center, rest.die_px):
                return False
            was_bare = attempt.before.was_bare(voted.center, rest.die_px)
            return was_bare or rest.scene.is_new(voted.die.box, voted.die.corners)

        verdict = judge(dice, rest.votes, attempt, rest.expected, rest.die_px, is_new)
        if verdict is not None and not attempt.told:
            attempt.settled_at = rest.stopped
        return verdict

    def _thrown(self, rest: Rest, dice: tuple[VotedDie, ...], attempt: Attempt, verdict: Verdict) -> Conclusion:
        """Dice rolled: a throw once it is sure, unsure when it has not become so in time."""
        enough = rest.votes.reads >= READS
        if not enough and not rest.last:
            return [], False
        if rest.expected == 0:
            return self._settled(rest, dice)
        if verdict.touched:
            return self._settled(rest, dice, Touched(t=rest.t, dice=_faces(dice), reading=_reading(dice)))
        sure = verdict.sure and enough
        if not sure and (attempt.told or rest.waits(verdict) or not rest.late):
            return [], False
        lifted: list[Happening] = []
        if attempt.before.on_board and attempt.before.all_lifted and not attempt.told:
            lifted.append(Lifted(t=rest.t))
        if sure:
            return self._settled(rest, dice, *lifted, _throw(rest.t, attempt, verdict))
        attempt.told = self.doubtful = self._known = True
        self.blind = self._resumed = False
        self.lying = Lying.of(dice)
        return [*lifted, _unsure(rest.t, attempt, verdict)], True

    def _unthrown(self, rest: Rest, dice: tuple[VotedDie, ...]) -> Conclusion:
        """Nothing rolled: the same dice as before, lifted, touched, or the first look at what lies there."""
        votes = rest.votes
        if votes.reads < 2 or (votes.problems and not rest.late):
            return [], False
        if not (self._shut or self._refound):
            dice = self.lying.recognised(dice, rest.die_px, rest.looks_alike)
        compared = self.lying.compared(dice, rest.die_px)
        # whether as many as are due came while nobody looked
        unseen = self._shut and 0 < rest.expected == len(compared.new)
        if self._known and not compared.changed and not unseen:
            return self._settled(rest, dice)
        if self._known and compared.only_ghosts:
            return self._settled(rest, compared.stayed)
        if self._known and rest.hand_lies and self._hides(rest, compared):
            return [], rest.late
        if self._known and self._elsewhere and not self._knocked:
            return [], rest.late  # nothing had moved: not made out, or the board is not found well
        amiss = bool(votes.problems) or not all(voted.steady for voted in dice)
        came = self._came(rest, dice, compared, unseen=unseen)
        hid = self._known and came.fills and (not came.missing or came.shows) and rest.movement.hand_since(0.0)
        if votes.reads < READS or (amiss and not (hid and rest.late)):
            return [], rest.late
        if hid and came.missing > 0 and rest.expected and rest.t - rest.since < BESIDE_S and not rest.last:
            return [], False  # another die may be about to come
        if (
            self._known
            and not compared.new
            and compared.stayed
            and not (rest.movement.hand_since(0.0) or rest.movement.rolled(rest.die_px))
        ):
            return [], rest.late  # nobody was there: a die is not made out just now, as when the lamp goes out
        was, here = self.lying.on_board, [voted for voted in dice if voted.where is not Where.OUTSIDE]
        first, doubtful, resumed = not self._known, self.doubtful, self._resumed
        settled = self._settled(rest, dice)
        if first or not rest.expected:
            return settled
        if was and not here and not unseen:
            return [Lifted(t=rest.t)], True
        if (unseen or came.fills) and (hid or not came.missing or came.heaped or (resumed and came.missing > 0)):
            self.doubtful = True  # nobody saw them roll: put down by a hand, or thrown while the eye was shut
            return [_unseen(rest, dice, came)], True
        self.doubtful = doubtful
        return ([Touched(t=rest.t, dice=_faces(dice), reading=_reading(dice))] if was else []), True

    @property
    def _shut(self) -> bool:
        """Whether nobody could see what moved since the last reading."""
        return self.blind or self._knocked

    def _came(self, rest: Rest, dice: tuple[VotedDie, ...], compared: Compared, *, unseen: bool) -> _Came:
        """Which of the dice came there unseen; those that lie there still count as well where none is known to."""
        was, here = self.lying.on_board, tuple(voted for voted in dice if voted.where is not Where.OUTSIDE)
        fresh = tuple(voted for voted in compared.new if voted.where is not Where.OUTSIDE)
        bare = not was or self.lying.all_lifted
        new = bare or (self._shut and not compared.stayed) or (self._resumed and bool(fresh))
        now = here if new or not unseen else fresh  # those lie beside others that lie there still
        beside = len(compared.new) - len(fresh)
        return _Came(now, beside, missing=rest.expected - len(now) - beside, fills=new and bool(now))

    def _hides(self, rest: Rest, compared: Compared) -> bool:
        """Whether what lies there may hide dice, or holds some: not all that are gone have left felt behind."""
        return bool(compared.new) or not all(rest.scene.is_bare(die.box) for die in compared.gone)

    def _settled(self, rest: Rest, dice: tuple[VotedDie, ...], *told: Happening) -> Conclusion:
        """What lies there is known: the next motion is compared with it."""
        changed = not self._known or self._attempt is not None or self.lying.compared(dice, rest.die_px).changed
        self.lying = self.lying.updated(dice, rest.die_px)
        self._attempt = None
        self._known = True
        self.blind = self._resumed = False
        self.doubtful = self.doubtful and not changed
        return list(told), True


def _throw(t: float, attempt: Attempt, verdict: Verdict) -> ThrowSeen:
    return ThrowSeen(
        t=t,
        dice=tuple(face for face in _faces(verdict.thrown) if face is not None),
        outside=verdict.outside,
        rim=verdict.rim,
        settled_at=attempt.settled_at,
        from_deg=attempt.from_deg,
        reading=_reading(verdict.thrown),
    )


def _unsure(t: float, attempt: Attempt, verdict: Verdict) -> Unsure:
    return Unsure(
        t=t,
        why=verdict.why or (Problem.UNSURE.value,),
        dice=_faces(verdict.thrown),
        missing=verdict.missing,
        outside=verdict.outside,
        rim=verdict.rim,
        settled_at=attempt.settled_at,
        from_deg=attempt.from_deg,
        reading=_reading(verdict.thrown),
    )


def _unseen(rest: Rest, dice: tuple[VotedDie, ...], came: _Came) -> Unsure:
    if came.heaped or came.missing > 0:
        why: tuple[str, ...] = (Problem.STACKED.value if came.heaped else DIE_MISSING,)
    else:
        other = Problem.COUNT if came.missing < 0 else Problem.UNSURE
        why = tuple(problem.value for problem in rest.votes.problems) or (other.value,)
    return Unsure(
        t=rest.t,
        why=why,
        dice=_faces(came.dice),
        missing=max(0, came.missing),
        outside=came.beside,
        rim=sum(voted.where is Where.RIM for voted in came.dice),
        settled_at=rest.stopped,
        unseen=True,
        reading=_reading(dice),
    )


def _faces(dice: tuple[VotedDie, ...]) -> tuple[int | None, ...]:
    return faces(tuple(voted.die for voted in dice if voted.where is Where.INSIDE))


def _reading(dice: tuple[VotedDie, ...]) -> BoardReading:
    readings: tuple[DieReading, ...] = tuple(voted.die for voted in dice)
    return BoardReading(readings)
