"""Printed parts are closed and of their stated size; a part that is not is caught."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from hardware.printed import NotPrintable, Part, export, faults, main, parts
from hardware.sizes import LENS_DROP, SCAD, boom, mast, side, sizes
from hardware.stl import NoSolid, Points, Solid, load

NEEDS_OPENSCAD = pytest.mark.skipif(
    shutil.which("openscad") is None, reason="openscad is not installed: sudo apt-get install openscad"
)
QUICK = ("case_base", "case_lid", "camera_head", "camera_head_hq", "elbow", "seat_pod")  # the rest: hardware.printed
CUBE = np.array(
    [
        [[0, 0, 0], [0, 1, 0], [1, 1, 0]], [[0, 0, 0], [1, 1, 0], [1, 0, 0]],
        [[0, 0, 1], [1, 0, 1], [1, 1, 1]], [[0, 0, 1], [1, 1, 1], [0, 1, 1]],
        [[0, 0, 0], [1, 0, 0], [1, 0, 1]], [[0, 0, 0], [1, 0, 1], [0, 0, 1]],
        [[0, 1, 0], [0, 1, 1], [1, 1, 1]], [[0, 1, 0], [1, 1, 1], [1, 1, 0]],
        [[0, 0, 0], [0, 0, 1], [0, 1, 1]], [[0, 0, 0], [0, 1, 1], [0, 1, 0]],
        [[1, 0, 0], [1, 1, 0], [1, 1, 1]], [[1, 0, 0], [1, 1, 1], [1, 0, 1]],
    ],
    dtype=float,
) * [20, 30, 10]  # fmt: skip
BOX = Part("box", "box", {}, (20, 30, 10), {"small": 1, "table": 0, "cafe": 0}, "as it lies")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Solid]:
    """Exports a part once for all tests."""
    folder = tmp_path_factory.mktemp("stl")
    return cache(lambda name: export(parts()[name], folder))


def text_stl(triangles: Points) -> str:
    corner = "vertex {} {} {}\n"
    return "solid box\n" + "".join(
        "facet normal 0 0 0\nouter loop\n" + "".join(corner.format(*point) for point in face) + "endloop\nendfacet\n"
        for face in triangles
    )


def test_a_closed_box_of_its_size_is_good() -> None:
    box = Solid(CUBE)
    assert faults(BOX, box) == []
    assert box.volume == pytest.approx(6000)
    assert box.layers(5, 12) == pytest.approx(10)
    assert box.layers(25, 12) == 0
    assert box.layers(10, 15) == pytest.approx(10), "on the edge between two triangles"


def test_a_missing_face_is_caught() -> None:
    assert faults(BOX, Solid(CUBE[1:])) == ["box is not watertight: 3 open edges"]


def test_a_turned_face_is_caught() -> None:
    turned = CUBE.copy()
    turned[3] = turned[3][::-1]
    assert any("not watertight" in fault for fault in faults(BOX, Solid(turned)))


def test_a_part_inside_out_is_caught() -> None:
    assert faults(BOX, Solid(CUBE[:, ::-1])) == ["box is inside out"]


@pytest.mark.parametrize("stretched", [[1.01, 1, 1], [1, 0.99, 1], [1, 1, 1.01]])
def test_a_part_of_another_size_is_caught(stretched: list[float]) -> None:
    assert any("stated are 20 × 30 × 10 mm" in fault for fault in faults(BOX, Solid(CUBE * stretched)))


def test_both_kinds_of_file_hold_the_same_solid(tmp_path: Path) -> None:
    one, other = tmp_path / "text.stl", tmp_path / "binary.stl"
    one.write_text(text_stl(CUBE))
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *face.ravel(), 0) for face in CUBE)
    other.write_bytes(bytes(80) + struct.pack("<I", len(CUBE)) + body)
    assert np.allclose(load(one).triangles, load(other).triangles)


@pytest.mark.parametrize(
    "told", [b"", b"solid\nendsolid\n", b"solid\nvertex 1 2\n", b"\xff" * 90, b"vertex a b c\n" * 3]
)
def test_what_is_no_solid_is_told(told: bytes, tmp_path: Path) -> None:
    path = tmp_path / "broken.stl"
    path.write_bytes(told)
    with pytest.raises(NoSolid, match=r"broken\.stl"):
        load(path)
    with pytest.raises(NoSolid, match="cannot be read"):
        load(tmp_path / "none.stl")


def test_every_part_has_its_file_and_pieces() -> None:
    files = {path.stem for path in SCAD.glob("*.scad")}
    shared = {"sizes", "grip", "pi_board", "rim_body", "scene"}
    assert {part.file for part in parts().values()} == files - shared
    for part in parts().values():
        assert len(part.size) == 3
        assert 0 < max(part.size) <= 180, "no larger than a usual printer"


def test_a_part_that_there_is_not_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wing"]) == 2
    assert capsys.readouterr().err.startswith("there is no part wing; there are: ")


def test_without_openscad_one_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert main(["foot", "--out", str(tmp_path)]) == 2
    assert "apt-get install openscad" in capsys.readouterr().err


@NEEDS_OPENSCAD
@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_a_part_is_closed_and_of_its_stated_size(name: str, exported: Callable[[str], Solid]) -> None:
    assert faults(parts()[name], exported(name)) == []


@NEEDS_OPENSCAD
@pytest.mark.slow
def test_screws_of_the_case_pass_where_a_pi_has_its_holes(exported: Callable[[str], Solid]) -> None:
    base = exported("case_base")
    for x in (3.5, 61.5):
        for y in (3.5, 52.5):
            assert base.layers(x, y) == 0
            assert base.layers(x + 2.2, y) > 4  # the stand around it, above the screw's head
    assert base.layers(33, 50) == pytest.approx(2.4, abs=0.01)  # the floor
    lid = exported("case_lid")
    assert lid.layers(48.5, -12) == 0, "the slot of the camera's cable"
    assert lid.layers(3.5 + 2, -3.5) == pytest.approx(22, abs=0.01), "a post"


@NEEDS_OPENSCAD
@pytest.mark.slow
@pytest.mark.parametrize(("name", "apart"), [("camera_head", (12.5, 21.0)), ("camera_head_hq", (30.0, 30.0))])
def test_the_camera_is_screwed_where_it_has_its_holes(
    name: str, apart: tuple[float, float], exported: Callable[[str], Solid]
) -> None:
    head = exported(name)
    x = -12.0 if name == "camera_head" else -apart[0] / 2
    for hole in ((x, -apart[1] / 2), (x + apart[0], -apart[1] / 2), (x, apart[1] / 2), (x + apart[0], apart[1] / 2)):
        assert head.layers(*hole) == 0
        assert head.layers(hole[0], hole[1] + (2.5 if hole[1] > 0 else -2.5)) == pytest.approx(5, abs=0.01)


@NEEDS_OPENSCAD
@pytest.mark.slow
def test_another_board_changes_the_part_or_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotPrintable, match="longer than a side"):
        export(parts()["led_bar"], tmp_path, ["board=240"])
    wider = export(parts()["elbow"], tmp_path, ["tube=20"])
    assert wider.size[2] == pytest.approx(parts()["elbow"].size[2] + 5, abs=0.01)
    assert not wider.open_edges


@NEEDS_OPENSCAD
@pytest.mark.slow
@pytest.mark.parametrize("stand", ["foot", "clamp"])
@pytest.mark.parametrize("camera", LENS_DROP)
def test_sawn_tubes_bring_the_lens_where_it_was_wanted(camera: str, stand: str, tmp_path: Path) -> None:
    out = tmp_path / "told.echo"
    given = (f'camera="{camera}"', f'stand="{stand}"', "board=350", "height=512", 'view="none"')
    command = ["openscad", "-o", str(out), *(part for name in given for part in ("-D", name)), str(SCAD / "scene.scad")]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    told = dict(re.findall(r"(\w+) = ([\d.]+)", out.read_text()))
    assert float(told["lens_above_felt"]) == pytest.approx(512)
    assert float(told["mast"]) == pytest.approx(mast(camera, 512, stand), abs=0.01)
    assert float(told["boom"]) == pytest.approx(boom(350, stand), abs=0.01)
    assert float(told["side"]) == pytest.approx(side(350), abs=0.01)


def test_the_sizes_are_read_from_the_drawing_itself() -> None:
    assert {"board", "tube", "felt", "rim_high", "head_plate", "web", "tail"} <= sizes().keys()
