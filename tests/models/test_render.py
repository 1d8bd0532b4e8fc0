"""The renderer of training pictures: same seed same picture, labels that agree with what is drawn."""

import dataclasses
import importlib.util
import json
import pathlib
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from models.render.camera import Camera, overhead
from models.render.labels import hand_px
from models.render.layouts import FACE_AXES, LEFT_HANDED, RIGHT_HANDED, sample_layout
from models.render.materials import HUED, MATERIALS, sample_look
from models.render.pairs import READABLE, as_bright, is_dull, is_lost, lab, plain
from models.render.placing import as_matrix, flat_rotation, lay_dice, lean, lean_on_thing, stack
from models.render.scene import Die, DieLook, Film, Ground, Hand, Lamp, Light, Pane, Scene, sample_scene

needs_moderngl = pytest.mark.skipif(
    importlib.util.find_spec("moderngl") is None, reason="moderngl is not installed: pip install .[train]"
)
SEEDS = range(6)
PLAIN = Light("plain", (Lamp((200.0, 300.0, 900.0), (1.0, 1.0, 1.0), 60.0),))
CLEAN = Film(shot_noise=0.0, read_noise=0.0, bloom=0.0, vignette=0.0, jpeg=100, exposure=0.25)


@pytest.fixture(scope="module")
def renderer() -> Any:
    from models.render.draw import NoGraphics, Renderer

    try:
        return Renderer()
    except NoGraphics as error:
        pytest.skip(str(error))


def white_look(seed: int) -> DieLook:
    layout = sample_layout(np.random.default_rng(seed))
    straight = [tuple((u, v, r, 0.0) for u, v, r, _ in face) for face in layout.pips]
    return DieLook(dataclasses.replace(layout, pips=tuple(straight)), roughness=0.8, gloss=0.0, pip_gloss=0.0)


def plain_scene(dice: tuple[Die, ...], k1: float = 0.0, tilt: float = 0.0) -> Scene:
    camera = overhead((0.0, 0.0), 500.0, tilt, 30.0, 20.0, 1500.0, (320, 320), k1)
    return Scene(dice, Ground("paper", (0.2, 0.35, 0.2)), camera, PLAIN, CLEAN, seed=3)


def six_dice() -> tuple[Die, ...]:
    """Every face once, on a grid of 35 mm."""
    rng = np.random.default_rng(5)
    dice = []
    for side in range(6):
        x, y = 35.0 * (side % 3 - 1), 35.0 * (side // 3 - 0.5)
        rotation = as_matrix(flat_rotation(rng, side))
        dice.append(Die(white_look(side), (x, y, 8.0), rotation, 16.0))
    return tuple(dice)


@pytest.mark.parametrize("seed", SEEDS)
def test_pip_count_is_the_face_and_pips_keep_apart(seed: int) -> None:
    layout = sample_layout(np.random.default_rng(seed))
    for value, pips in enumerate(layout.pips, start=1):
        assert len(pips) == value
        for i, (u, v, r, _) in enumerate(pips):
            assert abs(u) + r < 1
            assert abs(v) + r < 1
            for u2, v2, r2, _ in pips[i + 1 :]:
                assert np.hypot(u - u2, v - v2) > 0.98 * (r + r2)


def test_sixes_come_narrow_and_wide() -> None:
    shares = []
    for seed in range(200):
        six = np.array(sample_layout(np.random.default_rng(seed)).pips[5])[:, :2]
        spread = np.sort(np.ptp(six, axis=0))
        shares.append(spread[0] / spread[1])
    assert min(shares) < 0.62
    assert max(shares) > 0.95


@pytest.mark.parametrize("faces", [RIGHT_HANDED, LEFT_HANDED])
def test_opposite_faces_sum_to_seven(faces: tuple[int, ...]) -> None:
    assert [faces[i] + faces[i + 1] for i in (0, 2, 4)] == [7, 7, 7]
    normals = FACE_AXES[:, 2]
    np.testing.assert_array_equal(normals[0::2], -normals[1::2])
    for u, v, n in FACE_AXES:
        np.testing.assert_array_equal(np.cross(u, v), n)


def test_both_handednesses_and_all_materials_occur() -> None:
    looks = [sample_look(np.random.default_rng(seed)) for seed in range(300)]
    assert {look.faces for look in looks} == {RIGHT_HANDED, LEFT_HANDED}
    assert {look.material for look in looks} == set(MATERIALS)
    assert any(max(look.symbols) >= 0 for look in looks)


def test_lens_goes_there_and_back() -> None:
    camera = Camera((0, 0, 500), ((1, 0, 0), (0, -1, 0), (0, 0, -1)), 900.0, 640, 480, k1=-0.2)
    pixels = np.random.default_rng(1).uniform(0, 480, (50, 2))
    np.testing.assert_allclose(camera.distort(camera.undistort(pixels)), pixels, atol=0.01)
    grid = camera.undistorted_grid((10, 20, 30, 40))
    wanted = camera.undistort(np.array([[10.5 + 7, 20.5 + 9]]))[0]
    np.testing.assert_allclose(grid[9, 7], wanted, atol=0.01)


def test_same_seed_same_scene() -> None:
    one, two, other = (sample_scene(np.random.default_rng(s), "closeup") for s in (9, 9, 10))
    assert one == two
    assert one != other


@needs_moderngl
def test_same_seed_same_picture(renderer: Any) -> None:
    scene = sample_scene(np.random.default_rng(4), "closeup", (256, 256), 4)
    first, record = renderer.draw(scene)
    renderer.draw(plain_scene(()))
    again, record_again = renderer.draw(scene)
    np.testing.assert_array_equal(first, again)
    assert record == record_again


@needs_moderngl
@pytest.mark.parametrize(("k1", "tilt"), [(0.0, 0.0), (0.4, 12.0), (-0.6, 25.0)])
def test_labels_agree_with_the_id_buffer(renderer: Any, k1: float, tilt: float) -> None:
    scene = plain_scene(six_dice(), k1, tilt)
    ids = renderer.id_buffer(scene)
    record = renderer.record(scene)
    assert sorted(d["face"] for d in record["dice"]) == [1, 2, 3, 4, 5, 6]
    for number, die in enumerate(record["dice"]):
        mine = (ids > 6 * number) & (ids <= 6 * number + 6)
        rows, columns = np.nonzero(mine)
        box = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
        np.testing.assert_allclose(die["box"], box, atol=1.6)
        centre = np.array(die["center_top"])
        corners = np.array(die["corners"])
        for corner in corners:
            x, y = (centre + 0.82 * (corner - centre)).astype(int)
            assert mine[y, x]
        a, b = corners[1] - corners[0], corners[2] - corners[1]
        assert a[0] * b[1] - a[1] * b[0] > 0, "clockwise as seen"
        assert die["visible"] > 0.97
        assert die["pose"] == "flat"
        assert len(die["pips"]) == die["face"]


@needs_moderngl
@pytest.mark.parametrize("k1", [0.0, -0.6])
def test_pips_lie_on_dark_pixels_of_a_white_die(renderer: Any, k1: float) -> None:
    picture, record = renderer.draw(plain_scene(six_dice(), k1, 10.0))
    grey = picture.astype(np.float64).mean(axis=2)
    for die in record["dice"]:
        (x, y), pips = die["center_top"], die["pips"]
        corner = np.array(die["corners"][0])
        body = np.array([x, y]) + 0.75 * ((corner + np.array(die["corners"][1])) / 2 - [x, y])
        paper = grey[int(body[1]), int(body[0])]
        for u, v in pips:
            assert grey[int(v), int(u)] < 0.55 * paper


@needs_moderngl
def test_a_hidden_die_is_not_visible(renderer: Any) -> None:
    rng = np.random.default_rng(2)
    below = Die(white_look(1), (0.0, 0.0, 8.0), as_matrix(flat_rotation(rng)), 16.0)
    above = stack(rng, below, below)
    record = renderer.record(plain_scene((below, above)))
    assert [d["pose"] for d in record["dice"]] == ["under", "stacked"]
    assert record["dice"][0]["visible"] < 0.75
    assert record["dice"][1]["visible"] > 0.97


@needs_moderngl
def test_a_leaning_die_is_cocked_and_touches_the_floor(renderer: Any) -> None:
    base = Die(white_look(1), (0.0, 0.0, 8.0), edge_mm=16.0)
    tipped = lean(np.random.default_rng(3), base, 0.7, 0.0, 25.0)
    die = renderer.record(plain_scene((tipped,)))["dice"][0]
    assert die["pose"] == "cocked"
    assert die["tilt_deg"] == pytest.approx(25.0, abs=0.2)
    corners = np.array(np.meshgrid([-8, 8], [-8, 8], [-8, 8])).reshape(3, -1).T @ np.array(tipped.rotation).T
    assert corners[:, 2].min() + tipped.position[2] == pytest.approx(0.0, abs=1e-6)


@needs_moderngl
def test_a_symbol_has_no_face(renderer: Any) -> None:
    look = dataclasses.replace(white_look(1), symbols=(6,) * 6)
    die = renderer.record(plain_scene((Die(look, (0.0, 0.0, 8.0)),)))["dice"][0]
    assert die["face"] is None
    assert die["symbol"] is True
    assert die["pips"] == []


@needs_moderngl
def test_a_rectangle_is_a_crop(renderer: Any) -> None:
    scene = plain_scene(six_dice(), 0.0, 8.0)
    whole = renderer.linear(scene)
    part = renderer.linear(scene, (64, 80, 128, 96))
    np.testing.assert_allclose(part, whole[80:176, 64:192], atol=0.03)


ABOVE = overhead((0.0, 0.0), 600.0, 0.0, 0.0, 0.0, 500.0, (480, 360))


def outlined(scene: Scene) -> npt.NDArray[np.uint8]:
    """The picture's pixels that are labelled as covered by a hand."""
    covered = np.zeros((scene.camera.height, scene.camera.width), np.uint8)
    for outline in hand_px(scene):
        cv2.fillPoly(covered, [np.array(outline, np.int32)], 1)
    return covered


@needs_moderngl
def test_a_hand_is_where_its_outline_says(renderer: Any) -> None:
    ground = Ground("plastic", (0.02, 0.02, 0.02), (0.02, 0.02, 0.02))
    scene = Scene((), ground, ABOVE, PLAIN, CLEAN, hand=Hand((-60.0, 0.0, 40.0), sleeve=(0.9, 0.9, 0.9), seed=3))
    picture, record = renderer.draw(scene)
    bare, none = renderer.draw(dataclasses.replace(scene, hand=None))
    seen, told = picture.max(axis=2) > bare.max(axis=2).astype(int) + 40, outlined(scene) == 1
    assert (seen & told).sum() > 0.95 * seen.sum() > 1000
    assert (seen & told).sum() > 0.8 * told.sum()
    assert record["hand"]
    assert (none["hand"], none["hand_px"]) == (False, [])


@pytest.mark.parametrize("wrist", [(900.0, 0.0, 40.0), (0.0, 0.0, 5000.0)])
def test_a_hand_out_of_sight_is_none(wrist: tuple[float, float, float]) -> None:
    scene = Scene((), Ground(), ABOVE, PLAIN, CLEAN, hand=Hand(wrist))
    assert hand_px(scene) == []


@needs_moderngl
def test_board_scene_labels_its_octagon(renderer: Any) -> None:
    scene = sample_scene(np.random.default_rng(11), "board", (320, 240), 11)
    record = renderer.record(scene)
    assert {len(ring) for ring in record["board_px"].values()} == {8}
    assert {d["where"] for d in record["dice"]} <= {"inside", "rim", "outside"}


@pytest.mark.parametrize(
    ("kind", "size", "low", "high"), [("dense", (512, 512), 4, 21), ("smallboard", (640, 480), 1, 8)]
)
def test_crowds_and_small_boards(kind: str, size: tuple[int, int], low: int, high: int) -> None:
    scenes = [sample_scene(np.random.default_rng(s), kind, None, s) for s in range(14)]
    assert {(s.camera.width, s.camera.height) for s in scenes} == {size}
    assert all(low <= len(s.dice) <= high for s in scenes)
    assert all((s.board is not None) == (kind == "smallboard") for s in scenes)
    level = [all(abs(np.array(d.rotation)[2]).max() > 0.999 for d in s.dice) for s in scenes]
    assert 0.1 < 1 - np.mean(level) < 0.7
    if kind == "dense":
        assert np.mean([len(s.dice) for s in scenes]) > 9


def test_in_a_heap_most_upset_dice_lie_on_another() -> None:
    scenes = [sample_scene(np.random.default_rng(s), "heaped", None, s) for s in range(10)]
    high = [sum(die.position[2] > 1.2 * die.edge_mm for die in scene.dice) for scene in scenes]
    assert np.mean(high) > 2


def test_sizes_of_dice_differ_in_some_pictures() -> None:
    spreads = []
    for seed in range(150):
        dice = lay_dice(np.random.default_rng(seed), [white_look(1)], 8, 15.0, 200.0)
        spreads.append(max(d.edge_mm for d in dice) / min(d.edge_mm for d in dice))
    assert max(spreads) > 2.0
    assert 0.05 < np.mean(np.array(spreads) > 1.01) < 0.25


def test_pips_as_bright_as_the_die_stay_readable() -> None:
    looks = [sample_look(np.random.default_rng(s)) for s in range(500)]
    hued = [look for look in looks if look.material in HUED]
    assert 0.25 < np.mean([is_dull(look) for look in hued]) < 0.5
    for look in hued:
        assert not is_dull(plain(look)) or look.pattern_mix + look.speck_share + look.disc > 0
        assert not is_lost(look) or is_lost(plain(look)), "a pattern so wide that no pips stand out from it"
    rng = np.random.default_rng(1)
    for _ in range(40):
        base = tuple(float(v) for v in rng.uniform(0.1, 0.9, 3))
        other = as_bright(rng, (base[0], base[1], base[2]))
        if other is not None:
            gap = lab(other) - lab((base[0], base[1], base[2]))
            assert abs(gap[0]) < 18
            assert np.linalg.norm(gap) > READABLE
    np.testing.assert_allclose(lab((1.0, 1.0, 1.0)), [100, 0, 0], atol=0.1)
    np.testing.assert_allclose(lab((1.0, 0.0, 0.0)), [53.2, 80.1, 67.2], atol=0.3)


@pytest.mark.parametrize("thick", [2.0, 5.0])
def test_a_die_on_a_coin_rests_on_its_edge(thick: float) -> None:
    flat = Die(white_look(1), (3.0, -4.0, 8.0), edge_mm=16.0)
    way = 0.6
    tipped, (x, y) = lean_on_thing(np.random.default_rng(2), flat, way, thick)
    turn, centre = np.array(tipped.rotation), np.array(tipped.position)
    down = turn[:, int(np.argmax(np.abs(turn[2])))]
    down = -down * np.sign(down[2])
    # the coin's upper near edge, straight over x, y, lies in the plane of the die's lower side
    assert (np.array([x, y, thick]) - centre) @ down == pytest.approx(8.0, abs=0.05)
    assert tipped.position[:2] == flat.position[:2]


@needs_moderngl
@pytest.mark.parametrize(("inwards", "share"), [(0.0, 0.5), (4.0, 0.75), (-4.0, 0.25), (20.0, 1.0)])
def test_a_die_across_the_edge_shows_its_share(renderer: Any, inwards: float, share: float) -> None:
    """A die of 16 mm whose middle lies `inwards` mm from the picture's edge, as its upper side is seen."""
    scene = dataclasses.replace(plain_scene(()), camera=overhead((0.0, 0.0), 516.0, 0.0, 0.0, 90.0, 1500.0, (320, 320)))
    edge = scene.camera.on_plane(np.array([[0.0, 160.0]]), 16.0)[0][:2]
    way = edge / np.linalg.norm(edge)
    place = edge - way * inwards
    rotation = as_matrix(flat_rotation(np.random.default_rng(1), 4, float(np.arctan2(way[1], way[0]))))
    look = dataclasses.replace(white_look(1), corner=0.02)
    die = Die(look, (float(place[0]), float(place[1]), 8.0), rotation, 16.0)
    record = renderer.record(dataclasses.replace(scene, dice=(die,)))["dice"][0]
    assert record["visible"] == pytest.approx(share, abs=0.03)
    # the side that looks to the picture's middle is seen too, so that more of the whole die is in it
    assert share - 0.01 < record["framed"] < share + 0.09


@needs_moderngl
def test_a_ring_light_draws_arcs_about_tumbled_pips(renderer: Any) -> None:
    look = dataclasses.replace(
        white_look(4), base=(0.05, 0.05, 0.06), roughness=0.12, gloss=1.3, lip=0.6, lip_width=0.8, sphere=1.4
    )
    five = as_matrix(flat_rotation(np.random.default_rng(1), RIGHT_HANDED.index(5)))
    scene = plain_scene((Die(look, (0.0, 0.0, 8.0), five, 32.0),))
    lit = dataclasses.replace(PLAIN, panes=(Pane((0.5, 0.0, 0.866), 0.3, 0.3, 0.0, 0.7, 0, 40.0),))
    dull = renderer.linear(scene)
    arcs = renderer.linear(dataclasses.replace(scene, light=lit)) - dull
    x, y, w, h = 130, 130, 60, 60
    bright = (arcs[y : y + h, x : x + w].max(axis=2) > 0.3).mean()
    assert 0.005 < bright < 0.5, "some of the face, never the whole"


@pytest.mark.parametrize(
    "arguments",
    [
        ["stills", "--count", "0", "--out", "x"],
        ["stills", "--count", "1", "--seed", "-1", "--out", "x"],
        ["stills", "--count", "1", "--size", "nine", "--out", "x"],
        ["stills", "--count", "1", "--size", "9x9", "--out", "x"],
        ["sheet", "--out", "sheet.txt"],
    ],
)
def test_bad_input_is_one_sentence_and_two(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    from models.render.__main__ import main

    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert len(said.strip().splitlines()) == 1


@needs_moderngl
def test_stills_can_be_taken_up_again(renderer: Any, tmp_path: pathlib.Path) -> None:
    from models.render.__main__ import main

    line = ["stills", "--size", "96x96", "--out", str(tmp_path), "--resume", "--quality", "fast", "--seed", "5"]
    assert main([*line, "--count", "1"]) == 0
    first = (tmp_path / "closeup_0000005.jpg").stat().st_mtime_ns
    assert main([*line, "--count", "2"]) == 0
    assert (tmp_path / "closeup_0000005.jpg").stat().st_mtime_ns == first
    images = json.loads((tmp_path / "labels.json").read_text())["images"]
    assert [i["seed"] for i in images] == [5, 6]


def test_labels_that_are_there_are_not_lost(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    from models.render.__main__ import main

    labels = tmp_path / "labels.json"
    labels.write_text("no json")
    line = ["stills", "--count", "1", "--out", str(tmp_path)]
    assert main(line) == 2
    assert main([*line, "--resume"]) == 2
    assert labels.read_text() == "no json"
    assert len(capsys.readouterr().err.strip().splitlines()) == 2
