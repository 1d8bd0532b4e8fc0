"""The edge net: strips across a board's sides, how they are shown to it, and what its file tells of a drawn board."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch

from models.boards import strip_looks, strips
from models.boards.__main__ import main
from models.boards.edge_net import EdgeNet, loss
from models.boards.rings import RINGS, BadLabels
from vision.board_edges import told_edges
from vision.board_strips import PLANES, RAYS, SAMPLES, strips_of
from vision.octagon import regular_octagon
from vision.side_profiles import FARTHEST, NEAREST, look_across, met

SIZE = (640, 480)
RIM, WALL, FELT, TABLE = (230, 40, 20), (110, 110, 110), (20, 160, 30), (60, 90, 140)
MIDDLE = np.array([318.0, 241.0])
OUTER, INNER, FLOOR = (regular_octagon(across) + MIDDLE for across in (420.0, 330.0, 306.0))
RATIOS = np.linspace(NEAREST, FARTHEST, SAMPLES)


def painted() -> np.ndarray:
    """A board in plain colours: blue rim, grey wall, green floor."""
    picture = np.full((SIZE[1], SIZE[0], 3), TABLE, np.uint8)
    for ring, colour in ((OUTER, RIM), (INNER, WALL), (FLOOR, FELT)):
        cv2.fillPoly(picture, [np.round(ring * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    return picture


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cv2.imwrite(str(tmp_path / "a.png"), painted())
    rings = {name: (ring + 0.5).tolist() for name, ring in zip(RINGS, (OUTER, INNER[::-1], FLOOR), strict=True)}
    told = [{"image": "a.png", "board_px": rings}, {"image": "b.png", "board_px": None}]
    (tmp_path / "labels.json").write_text(json.dumps({"images": told}), "utf-8")
    return tmp_path


def colours_at(strip: np.ndarray, edges: np.ndarray, ray: int, layer: int, off: float) -> np.ndarray:
    at = int(np.argmin(np.abs(RATIOS - edges[layer, ray] - off)))
    return np.asarray(strip[:3, ray, at])


def test_edges_lie_where_the_colours_change_however_the_octagon_is_disturbed(folder: Path) -> None:
    shown, edges = strips.load([folder], seed=5)
    assert shown.shape == (strips.VARIANTS, PLANES, RAYS, SAMPLES)
    assert np.ptp(edges[:, 1]) > 0.05
    for strip, told in zip(shown, edges, strict=True):
        for ray in range(1, RAYS, 3):  # the middle of each side
            assert colours_at(strip, told, ray, 0, 0.03) == pytest.approx(TABLE, abs=12)
            assert colours_at(strip, told, ray, 0, -0.05) == pytest.approx(RIM, abs=12)
            assert colours_at(strip, told, ray, 1, 0.05) == pytest.approx(RIM, abs=12)
            assert colours_at(strip, told, ray, 2, -0.04) == pytest.approx(FELT, abs=12)


def test_edges_are_met_by_the_rays_of_profiles() -> None:
    corners = strips.disturbed(INNER, np.random.default_rng(1))
    rays = look_across(painted(), corners)
    wanted = np.array([met(ring[None], rays)[0] for ring in (OUTER, INNER, FLOOR)])
    assert np.asarray(strips.edges_on([OUTER, INNER, FLOOR], corners))[:, 1::3] == pytest.approx(wanted[:, 1::3], 0.01)


def test_what_is_not_in_the_picture_is_told() -> None:
    strip = strips_of(painted()[60:], INNER - [0, 60])
    assert strip[4].min() == 0
    assert strip[4, :, : SAMPLES // 5].min() == 1


def test_large_pictures_show_the_same() -> None:
    large = cv2.resize(painted(), None, fx=2.0, fy=2.0, interpolation=cv2.INTER_CUBIC)
    apart = strips_of(np.asarray(large, np.uint8), (INNER + 0.5) * 2 - 0.5) - strips_of(painted(), INNER)
    assert np.abs(apart[:3]).mean() < 3


def test_labels_without_an_inner_edge_are_told(folder: Path) -> None:
    told = json.loads((folder / "labels.json").read_text("utf-8"))
    del told["images"][0]["board_px"]["rim_inner"]
    (folder / "labels.json").write_text(json.dumps(told), "utf-8")
    with pytest.raises(BadLabels, match="rim_inner"):
        strips.load([folder], seed=0)


def test_edges_go_with_the_strips_however_they_are_turned(folder: Path) -> None:
    shown, edges = strips.load([folder], seed=2)
    for seed in range(8):
        rng = np.random.default_rng(seed)
        strip, told = strip_looks.shown_as(rng, shown[seed].astype(np.float32), edges[seed], shown[0] * 0)
        inside = np.array([colours_at(strip, told, ray, 2, -0.05) for ray in range(1, RAYS, 3)])
        beyond = np.array([colours_at(strip, told, ray, 1, 0.06) for ray in range(1, RAYS, 3)])
        apart = np.abs(inside - beyond).max(axis=1)
        assert np.median(apart) > 8


def test_some_boards_are_shown_in_the_dark_and_some_under_a_sleeve() -> None:
    rng = np.random.default_rng(0)
    dark, covered = [], []
    for _ in range(300):
        strip = np.full((PLANES, RAYS, SAMPLES), 150, np.float32)
        strip_looks.tinted(rng, strip)
        dark.append(strip[:3].mean() < 40)
        strip = np.zeros((PLANES, RAYS, SAMPLES), np.float32)
        strip_looks.covered(rng, strip, np.ones_like(strip, np.float16))
        covered.append(strip[:4].any(axis=(0, 2)).sum())
    assert 0.03 < np.mean(dark) < 0.2
    assert max(covered) > RAYS / 2
    assert np.median(covered) < RAYS / 3


def test_the_last_ray_is_the_first_ones_neighbour() -> None:
    torch.manual_seed(0)
    net = EdgeNet().eval()
    strip = torch.rand(1, PLANES, RAYS, SAMPLES) * 200
    with torch.no_grad():
        turned = net(torch.roll(strip, 5, dims=2))
        assert turned.shape == (1, 3, RAYS, SAMPLES)
        assert torch.allclose(turned, torch.roll(net(strip), 5, dims=2), atol=1e-4)


def test_the_net_learns_where_edges_are(folder: Path) -> None:
    torch.manual_seed(0)
    net = EdgeNet()
    shown, edges = strips.load([folder], seed=0)
    optimizer = torch.optim.Adam(net.parameters(), 5e-3)
    values = []
    for strip, places in islice(strip_looks.batches(shown, edges, 6, 1), 14):
        value, parts = loss(net, (torch.from_numpy(strip), torch.from_numpy(places)))
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
        values.append(float(value.detach()))
        assert set(parts) == {"cross", "outer", "inner", "floor"}
    assert np.mean(values[-3:]) < 0.85 * np.mean(values[:3])


def test_trained_and_exported_it_is_one_small_file(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    checkpoint, model = tmp_path / "net.pt", tmp_path / "edges.onnx"
    args = ["--net", "edges", "--data", str(folder), "--out", str(checkpoint), "--minutes", "0.02"]
    assert main(["train", *args]) == 0
    assert main(["export", "--net", "edges", "--checkpoint", str(checkpoint), "--to", str(model)]) == 0
    assert 50_000 < model.stat().st_size < 900_000
    assert main(["train", "--net", "edges", "--data", str(tmp_path / "nowhere"), "--out", str(checkpoint)]) == 2
    assert "nowhere" in capsys.readouterr().err


def test_the_shipped_net_tells_the_edges_of_a_drawn_board() -> None:
    corners = strips.disturbed(INNER, np.random.default_rng(3))
    told = told_edges(painted(), corners)
    wanted = strips.edges_on([OUTER, INNER, FLOOR], corners)
    assert told.ratios.shape == told.trust.shape == (3, RAYS)
    assert np.median(np.abs(told.ratios - wanted), axis=1).max() < 0.02
    assert told.trust.mean() > 0.4
