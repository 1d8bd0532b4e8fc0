"""Where the camera hangs and the lamp stands: hand-computed cases, and what the settings of the builds give."""

from __future__ import annotations

from math import atan, degrees, hypot, tan

import pytest

from device.config import SETTINGS, load
from hardware.field_of_view import (
    BOARDS,
    CAMERAS,
    DICE,
    HAND,
    MIN_PX,
    MOST_SLANT,
    hidden,
    highest,
    judged,
    lamp_away,
    lowest,
    main,
    px_per_mm,
    slant,
)
from hardware.printed import BUILDS
from hardware.shopping import HERE

STANDARD, WIDE, HQ = CAMERAS["standard"], CAMERAS["wide"], CAMERAS["hq"]


def test_fields_of_view_are_those_of_the_makers_and_of_the_sensors() -> None:
    assert (STANDARD.h_deg, STANDARD.v_deg) == (66, 41)
    assert (WIDE.h_deg, WIDE.v_deg) == (102, 67)
    assert HQ.h_deg == pytest.approx(55.3, abs=0.1)  # 2 · atan(6.287 / 12)
    assert HQ.v_deg == pytest.approx(42.9, abs=0.1)
    for key, ratio in (("usb", 4 / 3), ("usb-hd", 16 / 9)):
        camera = CAMERAS[key]
        wide, high = (tan(angle * 3.141592653589793 / 360) for angle in (camera.h_deg, camera.v_deg))
        assert wide / high == pytest.approx(ratio)
        assert 2 * degrees(atan(hypot(wide, high))) == pytest.approx(78)


def test_the_lowest_height_shows_the_board_and_a_hand_on_both_sides() -> None:
    # 2 × 285 mm seen at 67°: 285 / tan 33.5° = 430.6
    assert lowest(WIDE, 400) == pytest.approx(430.6, abs=0.1)
    assert lowest(STANDARD, 400) == pytest.approx(762.3, abs=0.1)


def test_pixels_of_a_dies_edge() -> None:
    # 1296 rows over 2 · 440 · tan 33.5° = 582.5 mm are 2.225 a mm; along the width 2304 over 1086.7 are 2.120
    assert px_per_mm(WIDE, (2304, 1296), 440) * 16 == pytest.approx(33.9, abs=0.1)
    assert px_per_mm(WIDE, (2304, 1296), highest(WIDE, (2304, 1296), 16)) * 16 == pytest.approx(MIN_PX)


def test_every_camera_but_the_smallest_usb_reads_dice_of_16_mm_on_every_board() -> None:
    too_coarse = {
        (key, board)
        for key, camera in CAMERAS.items()
        for board in BOARDS
        if all(highest(camera, picture, 16) < lowest(camera, board) for picture in camera.pictures)
    }
    assert too_coarse == {("usb", 450)}


def test_small_dice_are_read_by_every_pi_camera_in_its_larger_pictures() -> None:
    for key in ("standard", "wide", "hq"):
        camera = CAMERAS[key]
        for board in BOARDS:
            assert highest(camera, camera.pictures[-1], min(DICE)) >= lowest(camera, board), (key, board)


def test_no_camera_looks_more_slanted_than_the_reader_takes() -> None:
    steepest = max(slant(board, lowest(camera, board)) for camera in CAMERAS.values() for board in BOARDS)
    assert 25 < steepest < MOST_SLANT


def test_the_strip_behind_the_rim_is_where_a_ray_over_its_edge_meets_the_table() -> None:
    # from 430 above the felt over an edge 30 high, 200 from the middle: as 200 to 400, so 30 to 15
    assert hidden(400, 430) == pytest.approx(15.0)
    assert hidden(400, 430) < min(DICE) + 5  # so most of a die shows


@pytest.mark.parametrize("lamp", [250.0, 400.0, 600.0])
@pytest.mark.parametrize("board", BOARDS)
def test_a_lamp_from_there_on_is_mirrored_by_no_die_on_the_board(board: float, lamp: float) -> None:
    height = lowest(WIDE, board)
    away = lamp_away(board, height, lamp)
    # a level mirror at the rim: the angle in equals the angle out
    assert (away - board / 2) / lamp == pytest.approx((board / 2) / height)
    nearer = 0.9 * away
    mirrored_at = next(x for x in range(1000) if (nearer - x) / lamp <= x / height)
    assert mirrored_at < board / 2  # nearer than that, some die on the board would


def test_pictures_are_sizes_that_the_settings_allow() -> None:
    for camera in CAMERAS.values():
        for width, height in camera.pictures:
            assert SETTINGS["camera"]["width"].check("camera.width", width) == width
            assert SETTINGS["camera"]["height"].check("camera.height", height) == height


@pytest.mark.parametrize("build", BUILDS)
def test_each_builds_settings_see_a_board_of_40_cm_and_dice_of_16_mm(build: str) -> None:
    config = load(HERE / "builds" / build / "settings.toml")
    picture = (config.whole("camera.width"), config.whole("camera.height"))
    says = judged(WIDE, picture, 400, 1000 * config.number("camera.focus_m"), 16)
    assert not [sentence for sentence in says if sentence.startswith("Not")]


def test_the_pictures_that_the_settings_take_by_themselves_are_told_to_be_too_coarse() -> None:
    picture = (int(str(SETTINGS["camera"]["width"].default)), int(str(SETTINGS["camera"]["height"].default)))
    if px_per_mm(WIDE, picture, lowest(WIDE, 400)) * 16 < MIN_PX:
        assert "too coarse for most boards" in (HERE / "GUIDE.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ("--camera standard --height 45", "Not enough table"),
        ("--camera usb --die 12", "Not enough pixels"),
        ("--camera wide --board 450 --height 38", "Not steep enough"),
    ],
)
def test_a_bad_place_is_told_with_what_mends_it(told: str, wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(told.split()) == 1
    assert wrong in capsys.readouterr().out


def test_a_good_place_is_good(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--camera", "wide", "--board", "400", "--height", "45"]) == 0
    assert "Not" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "told",
    ["--board 4", "--die 0", "--height nan", "--picture x", "--picture 0x0", "--picture 12960x-1", "--board inf"],
)
def test_sizes_that_there_are_not_are_one_sentence(told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--camera", "wide", *told.split()]) == 2
    said = capsys.readouterr()
    assert not said.out
    assert said.err.count("\n") == 1


def test_a_hand_is_a_hands_breadth() -> None:
    assert 75 <= HAND <= 100
