"""What several readings of the same dice come to."""

from __future__ import annotations

import pytest

from vision.reader import SURE_AT
from vision.reading import BoardReading, DieReading, Pose
from vision.votes import VotedDie, Votes


def read(
    face: int | None, confidence: float = 0.99, second: int | None = 6, *, at: float = 50.0, edge: float = 20.0
) -> DieReading:
    x1, x2, y1, y2 = at - edge / 2, at + edge / 2, 50 - edge / 2, 50 + edge / 2
    return DieReading(face, confidence, second, (x1, y1, x2, y2), ((x1, y1), (x2, y1), (x2, y2), (x1, y2)))


def voted(*looks: DieReading) -> VotedDie:
    votes = Votes()
    for die in looks:
        votes.add(BoardReading((die,)))
    [one] = votes.dice()
    return one


def test_looks_that_are_no_surer_than_that_do_not_become_sure_together() -> None:
    one = voted(read(5, 0.94, 4), read(5, 0.94, 6), read(5, 0.94, 3))
    assert one.die.confidence == pytest.approx(0.94)
    assert not one.is_sure


def test_a_look_that_refuses_a_face_weighs_as_much_as_it_doubts_it() -> None:
    one = voted(*[read(5, 0.98, 4)] * 3, read(None, 0.84, 4))
    assert one.die.face == 5
    assert SURE_AT < one.die.confidence < 0.98, "it was no vote for the face that comes second"


def test_a_look_that_takes_the_face_for_second_speaks_against_it() -> None:
    one = voted(*[read(5, 0.98, 4)] * 3, read(None, 0.84, 5))
    assert not one.is_sure
    assert one.die.confidence < SURE_AT


@pytest.mark.parametrize("pose", [Pose.COCKED, Pose.STACKED])
def test_a_die_that_leans_in_one_look_of_three_is_not_sure(pose: Pose) -> None:
    leans = DieReading(None, 0.0, 4, read(5).box, read(5).corners, pose=pose)
    assert not voted(read(5), leans, read(5)).is_sure
    assert not voted(*[read(5)] * 6, leans, leans).is_sure, "two of eight"
