"""The board net: what it is shown, what it learns from that, and what its file tells of a picture."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch

from models.boards import looks
from models.boards.__main__ import main
from models.boards.net import BoardNet, loss
from models.boards.rings import RINGS, WIDTH, BadLabels, load
from vision.board_net import board_maps
from vision.octagon import regular_octagon, signed_area

SIZE = (320, 240)
OUTER, INNER, FLOOR = (regular_octagon(across) + np.array([160, 120]) for across in (190.0, 150.0, 146.0))


def painted() -> np.ndarray:
    """A board in plain colours: blue rim, grey wall, green floor."""
    picture = np.full((SIZE[1], SIZE[0], 3), (60, 90, 140), np.uint8)
    for ring, colour in ((OUTER, (230, 40, 20)), (INNER, (110, 110, 110)), (FLOOR, (20, 160, 30))):
        cv2.fillPoly(picture, [np.round(ring * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    return picture


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cv2.imwrite(str(tmp_path / "a.png"), painted())
    cv2.imwrite(str(tmp_path / "b.png"), np.full((240, 320, 3), 90, np.uint8))
    rings = {name: (ring + 0.5).tolist() for name, ring in zip(RINGS, (OUTER, INNER, FLOOR[::-1]), strict=True)}
    told = [{"image": "a.png", "board_px": rings}, {"image": "b.png", "board_px": None}]
    (tmp_path / "labels.json").write_text(json.dumps({"images": told}), "utf-8")
    return tmp_path


def test_labels_come_small_and_clockwise(folder: Path) -> None:
    board, bare = load(folder)
    assert board.picture.shape == (126, WIDTH, 3)
    assert board.rings is not None
    assert [signed_area(ring) > 0 for ring in board.rings] == [True] * 3
    assert np.ptp(board.rings[0], axis=0) == pytest.approx(np.ptp(OUTER, axis=0) * WIDTH / 320, abs=0.1)
    assert bare.rings is None
    assert len(load(folder, every=2)) == 1


def test_labels_without_an_inner_edge_are_told(folder: Path) -> None:
    told = json.loads((folder / "labels.json").read_text("utf-8"))
    del told["images"][0]["board_px"]["rim_inner"]
    (folder / "labels.json").write_text(json.dumps(told), "utf-8")
    with pytest.raises(BadLabels, match="rim_inner"):
        load(folder)


@pytest.mark.parametrize("seed", range(4))
def test_rings_go_with_the_picture_however_it_is_warped(folder: Path, seed: int) -> None:
    board = load(folder)[0]
    picture, rings = looks.warped(np.random.default_rng(seed), board, 128, 96)
    assert rings is not None
    wanted = looks.target(rings, 128, 96)
    shown = cv2.resize(picture, (64, 48), interpolation=cv2.INTER_AREA).astype(int)
    floor, rim = wanted[2] > 0.99, (wanted[0] > 0.9) & (wanted[1] < 0.1)
    assert floor.sum() > 60
    assert np.abs(shown[floor] - (20, 160, 30)).max() < 60
    assert (shown[rim][:, 0] > shown[rim][:, 2]).mean() > 0.95  # bluer than red
    assert (wanted[0] >= wanted[1] - 1e-4).all()


def test_what_is_shown_has_the_nets_sizes_and_no_board_means_none(folder: Path) -> None:
    board, bare = load(folder)
    for pictures, wanted in islice(looks.batches([board], [bare], 8, 3), 4):
        n, _, height, width = pictures.shape
        assert (width, height) in looks.SIZES
        assert wanted.shape == (n, 3, height // 2, width // 2)
        assert pictures.dtype == np.uint8
        assert 0 <= wanted.min() <= wanted.max() <= 1
    assert looks.target(None, 128, 96).max() == 0


def test_the_net_learns_what_a_board_is(folder: Path) -> None:
    torch.manual_seed(0)
    net, board = BoardNet(), load(folder)[0]
    optimizer = torch.optim.Adam(net.parameters(), 3e-3)
    values = []
    for pictures, wanted in islice(looks.batches([board], [], 6, 1), 14):
        value, parts = loss(net, (torch.from_numpy(pictures), torch.from_numpy(wanted)))
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
        values.append(float(value.detach()))
        assert set(parts) == {"cross", "overlap"}
    assert np.mean(values[-3:]) < 0.8 * np.mean(values[:3])


def test_trained_and_exported_it_is_one_small_file(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    checkpoint, model = tmp_path / "net.pt", tmp_path / "board.onnx"
    args = ["train", "--data", str(folder), "--bare", str(folder), "--out", str(checkpoint), "--minutes", "0.02"]
    assert main(args) == 0
    assert main(["export", "--checkpoint", str(checkpoint), "--to", str(model)]) == 0
    assert 100_000 < model.stat().st_size < 900_000
    assert main(["train", "--data", str(tmp_path / "nowhere"), "--out", str(checkpoint)]) == 2
    assert "nowhere" in capsys.readouterr().err


def test_the_shipped_net_sees_a_drawn_board_and_none_on_a_table() -> None:
    large = cv2.resize(painted(), (1280, 960), interpolation=cv2.INTER_CUBIC)
    maps = board_maps(np.asarray(large, np.uint8))
    middle = maps.logits.shape[1] // 2, maps.logits.shape[2] // 2
    assert (maps.logits[:, middle[0], middle[1]] > 2).all()
    assert (maps.logits[:, 2, 2] < -2).all()
    assert maps.scale[0] == pytest.approx(20)
    covered = (maps.logits[0] > 0).mean()
    assert covered == pytest.approx(signed_area(OUTER) / (320 * 240), rel=0.2)
    table = np.random.default_rng(0).normal(120, 8, (960, 1280, 3)).clip(0, 255).astype(np.uint8)
    assert (board_maps(table).logits[1] > 0).mean() < 0.05
