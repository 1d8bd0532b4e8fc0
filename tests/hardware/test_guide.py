"""The guide says what the scripts compute, its links lead somewhere, its pictures are there and small."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import cv2
import pytest

from hardware.printed import BUILDS, parts
from hardware.sizes import boom, camera_cable, coarsest_strip, holder, mast, sizes
from hardware.tables import GUIDE, TABLES, filled
from hardware.views import PICTURES
from hardware.views import main as take_pictures

HERE = GUIDE.parent
PAGES = [GUIDE, HERE / "README.md"]
LIMIT_BYTES = 4_000_000  # of the whole folder


def anchors(page: Path) -> set[str]:
    """The anchors that a heading makes: lower case, no punctuation, hyphens for spaces."""
    heads = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head).strip().lower().replace(" ", "-") for head in heads}


def test_every_table_of_the_guide_is_what_the_scripts_compute() -> None:
    told = GUIDE.read_text("utf-8")
    assert set(re.findall(r"<!-- table (\w+) -->", told)) == TABLES.keys()
    assert filled(told) == told, "make hardware HARDWARE=tables"


def test_a_number_changed_by_hand_is_put_right() -> None:
    told = GUIDE.read_text("utf-8")
    wrong = told.replace("| small | supply | 1575 |", "| small | supply | 9999 |")
    assert wrong != told
    assert filled(wrong) == told


def test_a_table_keeps_to_its_own_place() -> None:
    told = filled("<!-- table cost -->\n<!-- end -->\n\nkept\n\n<!-- table rim -->\nstale\n<!-- end -->\n")
    assert "kept" in told
    assert "stale" not in told
    assert told.count("<!-- end -->") == 2


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)]+)\)", page.read_text("utf-8"))
    assert len(links) > 10
    for link in links:
        path, _, anchor = unquote(link).partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


def test_every_picture_is_in_the_guide_and_none_lies_about() -> None:
    shown = set(re.findall(r"\(pictures/(\w+)\.png\)", GUIDE.read_text("utf-8")))
    assert shown == PICTURES.keys() == {path.stem for path in (HERE / "pictures").iterdir()}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_shows_something(name: str) -> None:
    picture = cv2.imread(str(HERE / "pictures" / f"{name}.png"))
    assert picture is not None
    assert picture.shape == (PICTURES[name].high, 900, 3)
    background = (abs(picture.astype(int) - picture[0, 0].astype(int)).sum(axis=2) < 12).mean()
    assert 0.1 < 1 - background < 0.98


def test_the_folder_is_small() -> None:
    files = [path for path in HERE.rglob("*") if path.is_file() and "stl" not in path.parts]
    assert sum(path.stat().st_size for path in files if "__pycache__" not in path.parts) < LIMIT_BYTES


def test_the_warnings_are_there() -> None:
    told = GUIDE.read_text("utf-8").split("## Stay safe")[1].split("\n## ")[0]
    for word in (
        "under three",
        "swallowed",
        "with an adult",
        "without alcohol",
        "presses nobody",
        "Mains",
        "Heat",
        "Trips",
    ):
        assert word in told


def test_mast_and_boom_of_a_board_of_40_cm() -> None:
    # lens 440 over the felt + 10 lens + 5 plate + 4 web + 7.5 to the boom's middle; less 7.5 and 4 under the boom,
    # 4 under the mast; the felt lies 12 above the foot
    assert mast("wide", 440, "foot") == pytest.approx(440 + 26.5 - 15.5 + 12)
    # on a rim 40 high the clamp's bridge of 8 comes instead
    assert mast("wide", 440, "clamp") == pytest.approx(440 + 26.5 - 15.5 + 12 - 48)
    assert boom(400, "clamp") == pytest.approx(200 + 10 - 22 + 25)
    assert boom(400, "foot") == pytest.approx(216.5 + 50 - 22 + 25, abs=0.1)
    assert camera_cable(450, "foot") < 500  # the longest official one


def test_holders_fit_the_sides_that_the_table_names() -> None:
    assert [coarsest_strip(board) for board in (300, 350, 400, 450)] == [144, 100, 100, 100]
    assert coarsest_strip(200) is None
    assert holder(144) == pytest.approx(parts()["strip_holder"].size[0], abs=0.01)
    assert holder(100) == pytest.approx(parts()["strip_holder_100"].size[0], abs=0.01)
    assert sizes()["pixels"] == 12


def test_every_build_prints_an_arm_and_a_case() -> None:
    for build in BUILDS:
        pieces = {name for name, part in parts().items() if part.pieces[build]}
        assert pieces >= {"foot", "elbow", "camera_head", "case_base", "case_lid"}
    assert parts()["strip_holder"].pieces == {"small": 0, "table": 8, "cafe": 8}


def test_a_picture_that_there_is_not_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert take_pictures(["sunset"]) == 2
    assert capsys.readouterr().err.startswith("there is no picture sunset; there are: ")
