"""Setting up the board from the page: measured, looked at, kept or dropped; by itself and by eight taps."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from an_owner import Device, a_board, octagon
from at_the_door import Clock
from starlette.testclient import TestClient

from device.calibration import NotCalibrated
from device.chosen import Chosen
from device.config import LANGUAGES, Config
from device.upkeep import BOARD_FILE
from device.web import calibrating as module
from device.wording import wording
from vision.board import Board
from vision.frame import Picture
from vision.recording import Recording

DATA = Path(__file__).parents[2] / "data"
CORNERS = " ".join(f"{x:.0f},{y:.0f}" for x, y in octagon(500))
REDIRECT = "/device/board/proposal"


@pytest.fixture(scope="module")
def table_picture() -> Picture:
    """A rendered table with three dice at rest."""
    return [frame.picture for frame in Recording(DATA / "throw_00001.mp4")][-1]


def still(owner: TestClient) -> str:
    found = re.search(r'name="still" value="([^"]+)"', owner.get("/device/board/hand").text)
    assert found is not None
    return found[1]


def by_hand(owner: TestClient, **more: str) -> str:
    """Where it leads to."""
    answer = owner.post("/device/board/look", data={"still": still(owner), "corners": CORNERS, **more})
    assert answer.status_code == 303
    return str(answer.headers["location"])


def name_of(text: str) -> str:
    found = re.search(r'name="name" value="([^"]+)"', text)
    assert found is not None
    return found[1]


def test_found_by_itself_looked_at_and_kept(
    device: Device, owner: TestClient, table_picture: Picture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device.upkeep.sight, "pictures", lambda count, apart_s: [table_picture])
    answer = owner.post("/device/board/look", data={"die_mm": "16", "felt_mm": ""})
    assert answer.headers["location"] == REDIRECT
    page = owner.get(REDIRECT).text
    assert sorted(re.findall(r"<dd>(\d), (\d), (\d)</dd>", page)[0]) == ["2", "4", "6"]
    assert "geschat" not in page, "dice and their size tell the millimetres"
    name = name_of(page)
    preview = owner.get(f"/device/board/proposal-{name}.jpg")
    shown = cv2.imdecode(np.frombuffer(preview.content, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown.shape == table_picture.shape
    assert not (tmp_path / BOARD_FILE).exists(), "nothing is kept before somebody says yes"
    answer = owner.post("/device/board/keep", data={"name": name})
    assert answer.headers["location"] == "/device?told=board_kept#camera"
    board = Board.load(tmp_path / BOARD_FILE)
    assert board.scale.value == "told"
    assert device.eye.anew == 1
    assert device.upkeep.board is not None
    there = device.upkeep.board.board_for(table_picture)
    assert there is not None
    assert there.felt == board.felt, "it holds at once"
    assert Chosen(tmp_path / "chosen.toml", Config()).config.text("board.file") == str(tmp_path / BOARD_FILE)
    assert owner.get(f"/device/board/proposal-{name}.jpg").status_code == 404, "no picture stays behind"


def test_by_eight_taps_in_any_order(device: Device, owner: TestClient, tmp_path: Path) -> None:
    device.sees()
    shuffled = " ".join(sorted(CORNERS.split()))
    assert by_hand(owner, corners=shuffled, felt_mm="350") == REDIRECT
    page = owner.get(REDIRECT).text
    assert "350 mm" in page
    owner.post("/device/board/keep", data={"name": name_of(page)})
    felt = np.array(Board.load(tmp_path / BOARD_FILE).felt)
    away = [float(np.hypot(*(felt - corner).T).min()) for corner in octagon(500)]
    assert max(away) < 12


def test_not_this_one(device: Device, owner: TestClient, tmp_path: Path) -> None:
    device.sees()
    by_hand(owner)
    answer = owner.post("/device/board/drop", data={"x": ""})
    assert answer.headers["location"].startswith("/device/board/hand?still="), "the taps can be made anew"
    assert owner.get(REDIRECT).headers["location"] == "/device/board"
    assert owner.post("/device/board/keep", data={"name": "gone"}).headers["location"].endswith("why=gone")
    assert not (tmp_path / BOARD_FILE).exists()
    assert device.eye.anew == 0


def test_an_old_proposal_is_not_taken_for_the_new_one(device: Device, owner: TestClient, tmp_path: Path) -> None:
    device.sees()
    by_hand(owner)
    first = name_of(owner.get(REDIRECT).text)
    by_hand(owner)
    assert owner.post("/device/board/keep", data={"name": first}).headers["location"].endswith("why=gone")
    assert not (tmp_path / BOARD_FILE).exists()


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"corners": "1,1 2,2"}, "clicks"),
        ({"corners": ""}, "clicks"),
        ({"corners": CORNERS.replace(",", ";")}, "clicks"),
        ({"corners": " ".join(["5,5"] * 8)}, "clicks"),
        ({"corners": " ".join(f"{90 * n},{n}" for n in range(8))}, "clicks"),
        ({"corners": "9" * 1500}, "clicks"),
        ({"corners": CORNERS, "die_mm": "3"}, "die_mm"),
        ({"corners": CORNERS, "die_mm": "sixteen"}, "die_mm"),
        ({"corners": CORNERS, "felt_mm": "nan"}, "felt_mm"),
        ({"corners": CORNERS, "felt_mm": "9999"}, "felt_mm"),
        ({"still": "another"}, "no_picture"),
    ],
)
def test_what_is_wrong_is_said_where_it_can_be_put_right(
    device: Device, owner: TestClient, fields: dict[str, str], why: str
) -> None:
    device.sees()
    where = by_hand(owner, **fields)
    assert f"why={why}" in where
    page = owner.get(where)
    while page.status_code == 303:
        page = owner.get(page.headers["location"])
    assert wording("nl").say("board", f"why_{why}").split("{")[0].split(" tot ")[0][:20] in page.text
    assert 'role="alert"' in page.text


def test_what_was_tapped_stands_there_again(device: Device, owner: TestClient) -> None:
    device.sees()
    where = by_hand(owner, die_mm="3", felt_mm="350")
    page = owner.get(where).text
    assert f'value="{CORNERS}"' in page
    assert 'value="350"' in page


def test_nothing_found_is_a_sentence(device: Device, owner: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    black = np.zeros((120, 160, 3), np.uint8)
    monkeypatch.setattr("device.calibration.find_board", lambda picture: None)  # it looks long in the dark
    for pictures, why in (([black], "not_found"), ([], "no_picture"), ([black[:80, :80]], "too_small")):
        monkeypatch.setattr(device.upkeep.sight, "pictures", lambda count, apart_s, taken=pictures: taken)
        answer = owner.post("/device/board/look", data={"die_mm": ""})
        assert f"why={why}" in answer.headers["location"]
        assert 'role="alert"' in owner.get(answer.headers["location"]).text


def test_without_a_picture_nothing_can_be_tapped(owner: TestClient) -> None:
    assert owner.get("/device/board/hand").headers["location"] == "/device/board?why=no_picture"


def test_one_measures_at_a_time(device: Device, owner: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    inner: list[str] = []

    def measured(*args: object, **more: object) -> None:
        inner.append(by_hand(owner))
        raise NotCalibrated("enough", "not_found")

    device.sees()
    monkeypatch.setattr(module, "calibrated", measured)
    outer = by_hand(owner)
    assert "why=busy" in inner[0]
    assert "why=not_found" in outer


def test_back_to_finding_it_in_the_picture(device: Device, owner: TestClient) -> None:
    device.sees()
    by_hand(owner)
    owner.post("/device/board/keep", data={"name": name_of(owner.get(REDIRECT).text)})
    assert 'action="/device/board/find"' in owner.get("/device/board").text
    assert owner.post("/device/board/find", data={"x": ""}).headers["location"] == "/device?told=kept#camera"
    assert device.upkeep.config.text("board.file") == ""
    assert device.eye.anew == 2


def test_a_storage_that_refuses_is_told(clock: Clock, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    device = Device(tmp_path / "taken", clock)
    device.sees()
    owner = device.owner()
    by_hand(owner)
    answer = owner.post("/device/board/keep", data={"name": name_of(owner.get(REDIRECT).text)})
    assert "told=not_kept" in answer.headers["location"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_remark_has_its_words(language: str) -> None:
    keys = ["moved", "hand", "no_edges", "assumed", "focus_soft", "focus_too_soft"]
    keys += [f"light_{word}" for word in ("dim", "uneven", "glare", "too_dark", "too_bright")]
    assert [key for key in keys if not wording(language).has("board", key)] == []


def test_a_dim_picture_without_edges_is_remarked_on(device: Device, owner: TestClient) -> None:
    device.sees((a_board() // 6).astype(np.uint8) * 0 + 14)
    by_hand(owner)
    page = owner.get(REDIRECT).text
    assert wording("nl").say("board", "no_edges") in page
    assert wording("nl").say("board", "assumed") in page


def test_the_points_that_are_told_are_numbers() -> None:
    assert module._points("1,2 3.5,4", 8) == [(1.0, 2.0), (3.5, 4.0)]
    for wrong in ("1,2,3", "a,b", "nan,1", "inf,1", "-1,4", "1e9,1", "1,2 " * 9):
        assert module._points(wrong, 8) is None
