"""The shipped nets on pictures of our own making: nothing wrong and sure, most of it right, small and cheap."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Sequence
from math import dist, hypot
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.board import Board
from vision.crops import Kind
from vision.detector import MOST_SEARCHED, NOT_SEARCHED, SMALLEST_PX, Corners, DiceDetector, Found, not_too_near
from vision.evaluation import Verdict, compare, load_labels
from vision.faces import Face, Net, Sizes, look
from vision.frame import Frame, Picture
from vision.hand_net import HAND
from vision.model_file import ModelMissing
from vision.nets import FINDER, MODELS, READER, SEARCH_EDGE, UPRIGHT, Finder, Spot
from vision.reader import SURE_AT, Reader
from vision.reading import Pose, Problem

DATA = Path(__file__).parent.parent / "data" / "stills"
TOLD = json.loads((DATA / "labels.json").read_text())["images"]


@pytest.fixture(scope="module")
def detector() -> DiceDetector:
    return DiceDetector()


def picture(name: str) -> Picture:
    found = cv2.imread(str(DATA / name))
    assert found is not None
    return np.asarray(found, dtype=np.uint8)


def nearest(found: tuple[Found, ...], x: float, y: float) -> Found:
    return min(found, key=lambda f: hypot(f.center[0] - x, f.center[1] - y))


@pytest.mark.parametrize("record", TOLD, ids=[r["image"] for r in TOLD])
def test_each_die_is_found_where_it_lies_and_as_large_as_it_is(detector: DiceDetector, record: dict) -> None:
    found = detector.detect(picture(record["image"]), record["dice"][0]["die_px"]).found
    for die in record["dice"]:
        x, y = die["center_top"]
        best = nearest(found, x, y)
        assert hypot(best.center[0] - x, best.center[1] - y) < 0.25 * die["die_px"]
        assert best.edge == pytest.approx(die["die_px"], rel=0.25)


@pytest.mark.parametrize("guess", [1.0, 1.4, 1 / 1.4, 2.0, 0.5])
def test_dice_are_found_though_their_size_was_guessed_wrong(detector: DiceDetector, guess: float) -> None:
    """A guess is off by what dice and boards differ in size; then they are searched for anew. What is told is kept."""
    found = 0
    for record in TOLD:
        finds = detector.detect(picture(record["image"]), guess * record["dice"][0]["die_px"], guessed=True).found
        likely = [f.center for f in finds if f.is_die > 0.5]
        near = [any(dist(die["center_top"], c) < 0.3 * die["die_px"] for c in likely) for die in record["dice"]]
        found += sum(near)
    assert found >= 0.95 * sum(len(record["dice"]) for record in TOLD)


@pytest.mark.parametrize(("told", "guessed", "seems"), [(2.0, False, 30.0), (30.0, True, 3.0), (None, False, 3.0)])
def test_a_picture_is_not_grown_to_look_for_specks(
    detector: DiceDetector, monkeypatch: pytest.MonkeyPatch, told: float | None, guessed: bool, seems: float
) -> None:
    """A size told far too small, or a speck that was taken for a die, would make it a search of minutes."""
    pixels, grown = picture(TOLD[0]["image"]), []

    def noted(finder: Finder, searched: Picture, scale: float) -> tuple[list[Spot], float]:
        grown.append(scale)
        return find(finder, searched, scale)

    find = Finder.find
    monkeypatch.setattr(Finder, "find", noted)
    monkeypatch.setattr("vision.detector.die_px_of", lambda faces: seems)
    detector.detect(pixels, told, guessed=guessed)
    assert grown
    height, width = pixels.shape[:2]
    assert max(grown) ** 2 * height * width <= 1.01 * MOST_SEARCHED
    assert told == 2.0 or max(grown) <= SEARCH_EDGE / min(SMALLEST_PX, (told or 99.0) / NOT_SEARCHED) + 0.01


def test_faint_spots_get_no_look_where_as_many_dice_as_expected_are_well_met(
    detector: DiceDetector, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []

    def counted(net: Net, sizes: Sizes, spots: Sequence[Spot]) -> list[Face]:
        looks.append(len(spots))
        return look(net, sizes, spots)

    monkeypatch.setattr("vision.detector.look", counted)
    spared = 0
    for record in TOLD:
        pixels, size, dice = picture(record["image"]), record["dice"][0]["die_px"], len(record["dice"])
        told = []
        for expected in (None, dice, dice + 9):
            looks.clear()
            found = detector.detect(pixels, size, expected=expected).found
            told.append((sum(looks), Counter(f.face for f in found if f.is_die > 0.5)))
        whole, counted_right, counted_wrong = told
        assert counted_wrong == whole
        assert counted_right[0] <= whole[0]
        assert counted_right[1] == whole[1]
        spared += whole[0] - counted_right[0]
    assert spared > 0


@pytest.mark.parametrize("sized", [True, False])
def test_no_face_is_wrong_and_most_are_right(sized: bool) -> None:
    reader, labels = Reader(), load_labels(DATA)
    verdicts = []
    for labelled, record in zip(labels.pictures, TOLD, strict=True):
        pixels = picture(record["image"])
        size = record["dice"][0]["die_px"] if sized else None
        outcome = compare(labelled, reader.read(Frame(pixels, 0.0), Board.whole(*pixels.shape[1::-1], size)))
        assert not outcome.silent
        verdicts += [die.verdict for die in outcome.dice]
    assert Verdict.WRONG not in verdicts
    assert verdicts.count(Verdict.RIGHT) >= (0.85 if sized else 0.75) * sum(v is not Verdict.EXTRA for v in verdicts)


def test_a_picture_turned_or_mirrored_gives_no_other_faces(detector: DiceDetector) -> None:
    for record in TOLD:
        pixels, truth = picture(record["image"]), Counter(die["face"] for die in record["dice"])
        for changed in (np.rot90(pixels).copy(), pixels[::-1].copy(), pixels[:, ::-1].copy()):
            found = detector.detect(changed, record["dice"][0]["die_px"]).found
            read = Counter(f.face for f in found if f.is_die > 0.5 and f.confidence > 0.85)
            assert not read - truth
            assert read.total() >= 0.6 * truth.total()


def flat(x: float, y: float, edge: float = 30.0, is_die: float = 0.99) -> Found:
    h = edge / 2
    corners: Corners = ((x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h))
    return Found(4, 0.98, 2, is_die, edge, corners)


def test_two_dice_nearer_than_an_edge_do_not_both_lie_flat() -> None:
    touching = [flat(100, 100), flat(130, 100)]
    assert not_too_near(touching) == touching
    small_beside_large = [flat(100, 100, 30), flat(122, 100, 20)]
    assert not_too_near(small_beside_large) == small_beside_large
    no_die = [flat(100, 100), flat(118, 108, is_die=0.2)]
    assert not_too_near(no_die) == no_die
    apart, *stacked = not_too_near([flat(300, 100), flat(100, 100), flat(118, 108)])
    assert apart.face == 4
    assert apart.why == ()
    for one in stacked:
        assert (one.pose, one.why, one.confidence) == (Pose.STACKED, (Problem.STACKED,), 0.0)


@pytest.mark.parametrize("looks", [Kind.COCKED, Kind.STACKED])
@pytest.mark.parametrize(("leans", "read"), [((0.0, 0.0), True), ((0.5, 0.0), False)])
def test_a_die_that_seems_to_lean_but_lies_as_the_board_tells_is_read_and_left_unsure(
    detector: DiceDetector, monkeypatch: pytest.MonkeyPatch, looks: Kind, leans: tuple[float, float], read: bool
) -> None:
    """Under a tilted camera a crop alone cannot tell."""
    shares = np.full(10, 0.002, np.float32)
    shares[4], shares[looks] = 0.38, 0.6 if looks is Kind.COCKED else 0.45
    shares /= shares.sum()
    square = np.array([[85.0, 85.0], [115.0, 85.0], [115.0, 115.0], [85.0, 115.0]])
    spot, board = Spot((100.0, 100.0), 30.0, 0.99), Straight()
    face = Face(spot, shares, shares[None], (5, 5), square, square[None], np.array([leans]))
    monkeypatch.setattr(DiceDetector, "faces", lambda *_: ([face], 0.0))
    [found] = detector.detect(np.full((200, 200, 3), 90, np.uint8), 30.0, board).found
    assert (found.pose is Pose.FLAT) is read
    assert (0.5 < found.confidence < SURE_AT) if read else found.confidence == 0


class Straight:
    """A board seen from straight above, its wall far away."""

    def level(self, point: tuple[float, float]) -> tuple[float, float]:
        return 0.0, 0.0

    def from_wall(self, top: tuple[float, float], die_px: float) -> float:
        return 9.0


def test_plain_ground_has_no_dice(detector: DiceDetector) -> None:
    ground = np.random.default_rng(0).normal((60, 110, 70), 6, (480, 640, 3)).clip(0, 255).astype(np.uint8)
    for guessed in (False, True):
        assert not [f for f in detector.detect(ground, 28.0, guessed=guessed).found if f.is_die > 0.5]


def test_the_models_are_small() -> None:
    assert sum((MODELS / name).stat().st_size for name in (FINDER, READER, UPRIGHT, HAND)) < 4 * 2**20


def test_a_reading_stays_within_its_budget() -> None:
    pytest.importorskip("onnx")
    from models.train.cost import reading_macs

    assert reading_macs(1280, 960, 28.0, dice=3)["together"] <= 250_000_000


def test_a_missing_model_is_told_in_one_sentence(tmp_path: Path) -> None:
    for name in (FINDER, READER, UPRIGHT, HAND):
        with pytest.raises(ModelMissing, match=rf"{name.split('.')[0]}\.onnx cannot be loaded"):
            DiceDetector(tmp_path)
        shutil.copy(MODELS / name, tmp_path / name)
    DiceDetector(tmp_path)


@pytest.mark.parametrize(
    ("beside", "leans", "other_face", "is_alone"),
    [(60.0, 0.0, 0.004, True), (40.0, 0.0, 0.004, False), (60.0, 0.2, 0.004, False), (60.0, 0.0, 0.3, False)],
)
def test_a_die_with_none_beside_it_lies_on_one_only_if_that_is_hidden(
    detector: DiceDetector,
    monkeypatch: pytest.MonkeyPatch,
    beside: float,
    leans: float,
    other_face: float,
    is_alone: bool,
) -> None:
    """What leans may lean on a thing, and what shows no clear face may be covered: these are never known to be bare."""
    shares = np.full(10, 0.001, np.float32)
    shares[4], shares[2], shares[Kind.STACKED] = 0.5 - other_face, other_face, 0.5
    faces = []
    for x in (100.0, 100.0 + beside):
        square = np.array([[x - 15, 85.0], [x + 15, 85.0], [x + 15, 115.0], [x - 15, 115.0]])
        spot = Spot((x, 100.0), 30.0, 0.99)
        faces.append(Face(spot, shares, shares[None], (5, 5), square, square[None], np.array([[leans, 0.0]])))
    monkeypatch.setattr(DiceDetector, "faces", lambda *_: (faces, 0.0))
    found = detector.detect(np.full((200, 200, 3), 90, np.uint8), 30.0, Straight()).found
    for one in found:
        assert (one.alone is not None) is is_alone
        if one.alone is not None:
            assert (one.alone.face, one.alone.pose, one.alone.why) == (5, Pose.FLAT, ())
            assert one.confidence < SURE_AT < one.alone.confidence


def test_a_lone_die_without_a_board_is_not_known_to_lie_level(
    detector: DiceDetector, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares = np.full(10, 0.001, np.float32)
    shares[4], shares[Kind.STACKED] = 0.496, 0.496
    square = np.array([[85.0, 85.0], [115.0, 85.0], [115.0, 115.0], [85.0, 115.0]])
    face = Face(Spot((100.0, 100.0), 30.0, 0.99), shares, shares[None], (5, 5), square, square[None], np.zeros((1, 2)))
    monkeypatch.setattr(DiceDetector, "faces", lambda *_: ([face], 0.0))
    picture = np.full((200, 200, 3), 90, np.uint8)
    assert detector.detect(picture, 30.0).found[0].alone is None
    assert detector.detect(picture, 30.0, Straight()).found[0].alone is not None
