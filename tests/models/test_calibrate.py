"""How what the nets say becomes a probability: what counts how much, and what a fit makes of it."""

from __future__ import annotations

import numpy as np
import pytest

from models.train.calibrate import Gathered, Reads, Row, fitted, left_out, reads, told, weighed
from vision.trust import DIE_SIGNS, FACE_SIGNS, LEVEL_SIGNS, Trust


def rows(names: tuple[str, ...], many: int = 400, seed: int = 1, wrong: float = 0.3) -> list[Row]:
    """Reads from two sources, of which the second sign speaks for what is right, as far as its name lets it."""
    rng = np.random.default_rng(seed)
    found: list[Row] = []
    for i in range(many):
        right = bool(rng.random() > wrong)
        sign = float(rng.normal(1.5 if right else -1.5)) * (-1 if names is LEVEL_SIGNS else 1)
        found.append(([1.0, sign, *[0.0] * (len(names) - 2)], right, "one" if i % 3 else "two", 1.0))
    return found


def test_what_is_wrong_counts_as_often_as_on_a_table() -> None:
    some = reads(rows(LEVEL_SIGNS))
    each = weighed(some, 0.03)
    assert each.mean() == pytest.approx(1.0)
    assert each[~some.right].sum() / each.sum() == pytest.approx(0.03)
    assert weighed(some)[~some.right].sum() / len(each) == pytest.approx(0.3, abs=0.06)


def test_a_source_counts_by_the_root_of_its_reads() -> None:
    some = Reads(np.ones((500, 1)), np.ones(500, bool), np.array(["one"] * 400 + ["two"] * 100), np.ones(500))
    each = weighed(some)
    assert each[:400].sum() / each[400:].sum() == pytest.approx(2.0)


def test_reads_of_each_probability_are_right_so_often() -> None:
    some = reads(rows(FACE_SIGNS, many=4000))
    p = left_out(some, (0, 1, 1))
    for low, high in ((0.2, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 1.0)):
        there = (p >= low) & (p < high)
        assert there.sum() > 50
        assert some.right[there].mean() == pytest.approx(p[there].mean(), abs=0.08)


def test_a_sign_that_would_speak_the_wrong_way_is_left_out() -> None:
    some = reads(rows(FACE_SIGNS))
    assert fitted(some, (0, 1, 1))[1] > 0.5
    assert fitted(some, (0, -1, 1))[1] == 0.0


def test_all_three_travel_in_the_form_that_the_reader_takes() -> None:
    found = Gathered(dice=rows(DIE_SIGNS), levels=rows(LEVEL_SIGNS), faces=rows(FACE_SIGNS))
    trust = Trust.told(told(found)["trust"])
    assert trust.level[1] < 0 < trust.face[1]
    seldom = trust.level[0]
    often = fitted(reads(found.levels), (0, -1, -1, -1, -1), 0.5)[0]
    assert often < seldom


@pytest.mark.parametrize("right", [True, False])
def test_where_all_are_alike_nothing_breaks(right: bool) -> None:
    alike = [(signs, right, source, weight) for signs, _, source, weight in rows(LEVEL_SIGNS)]
    assert np.isfinite(fitted(reads(alike), (0, -1, -1, -1, -1), 0.03)).all()


def test_where_nothing_was_read_that_is_said() -> None:
    with pytest.raises(ValueError, match="nothing was read"):
        told(Gathered([], [], []))
