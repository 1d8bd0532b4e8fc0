"""The nets themselves: what they cost, how they are trained on, what is shipped."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
import torch

from models.train.export import export, tell
from models.train.fit import fit, load_average
from models.train.nets import BLOCKS, FaceReader, Finder, HandFinder
from models.train.shipped import begin_from
from vision.crops import CROP, WIDER
from vision.nets import FINDER, MODELS, READER, UPRIGHT, FaceNet
from vision.nets import Finder as ShippedFinder


def test_the_maps_of_the_finder_are_a_quarter_of_the_picture() -> None:
    maps, hand = Finder().eval()(torch.zeros(1, 3, 64, 96, dtype=torch.uint8))
    assert maps.shape == (1, 4, 16, 24)
    assert hand.shape == (1, 1, 8, 12)


def test_the_map_of_hands_is_an_eighth_of_the_picture() -> None:
    assert HandFinder().eval()(torch.zeros(1, 3, 64, 96, dtype=torch.uint8)).shape == (1, 1, 8, 12)


def test_the_face_reader_does_not_mind_how_bright_a_crop_is() -> None:
    net = FaceReader().eval()
    crop = torch.randint(0, 100, (1, 3, 64, 64), dtype=torch.uint8)
    dark, bright = net(crop)[0], net(crop * 2 + 20)[0]
    assert torch.allclose(dark, bright, atol=0.2 * float(dark.detach().abs().max()))


def _steps(seed: int) -> Iterator[torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    while True:
        yield torch.randn(8, 3, generator=generator)


def _loss(net: torch.nn.Module, x: torch.Tensor) -> tuple[torch.Tensor, dict[str, float]]:
    value = (net(x) - x.sum(dim=1, keepdim=True)).square().mean()
    return value, {"value": value.item()}


def _clock() -> Iterator[float]:
    """Each look at the clock is a second later."""
    yield from (float(i) for i in range(10**6))


def test_training_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    def trained(minutes: float, resume: bool) -> torch.Tensor:
        torch.manual_seed(0)
        ticks = _clock()
        net = torch.nn.Linear(3, 1, bias=False)
        fit(net, _steps(1), _loss, tmp_path / "net.pt", minutes=minutes, rate=0.3, resume=resume,
            clock=lambda: next(ticks))  # fmt: skip
        return net.weight.detach().clone()

    half = trained(2.0, resume=False)
    first = torch.load(tmp_path / "net.pt", weights_only=True)
    assert 118 <= first["spent"] <= 125
    whole = trained(4.0, resume=True)
    second = torch.load(tmp_path / "net.pt", weights_only=True)
    assert second["spent"] >= 239
    assert second["step"] > 1.5 * first["step"]
    ones = torch.ones(1, 3)
    assert (whole - ones).abs().max() < (half - ones).abs().max()
    again = load_average(torch.nn.Linear(3, 1, bias=False), tmp_path / "net.pt")
    assert torch.equal(again.weight, second["average"]["module.weight"])


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two untrained nets, exported."""
    folder = tmp_path_factory.mktemp("shipped")
    torch.manual_seed(0)
    for name, net in (("finder", Finder()), ("reader", FaceReader())):
        state = {f"module.{k}": v for k, v in net.state_dict().items()}
        torch.save({"average": state}, folder / f"{name}.pt")
    export(folder, folder)
    return folder


def test_the_exported_reader_says_what_the_trained_one_says(shipped: Path) -> None:
    crops = [np.random.default_rng(i).integers(0, 255, (64, 64, 3)).astype(np.uint8) for i in range(3)]
    given = torch.from_numpy(np.stack([c.transpose(2, 0, 1) for c in crops]))
    logits, shape, _, normal = load_average(FaceReader(), shipped / "reader.pt")(given)
    views = FaceNet(shipped).read(crops)
    assert views.logits == pytest.approx(logits.detach().numpy(), abs=1e-3)
    assert views.shape == pytest.approx(shape.detach().numpy(), abs=1e-3)
    assert views.normal == pytest.approx(normal.detach().numpy(), abs=1e-3)


def test_each_look_has_its_net_once_both_are_trained(tmp_path: Path, shipped: Path) -> None:
    crop = np.random.default_rng(0).integers(0, 255, (64, 64, 3)).astype(np.uint8)
    folder = tmp_path / "shipped"
    shutil.copytree(shipped, folder)

    def kept(name: str, seed: int) -> npt.NDArray[np.float32]:
        """Keeps another net as the only checkpoint; what it tells of the crop."""
        torch.manual_seed(seed)
        net = FaceReader(BLOCKS[name]).eval()
        for old in tmp_path.glob("*.pt"):
            old.unlink()
        torch.save({"average": {f"module.{k}": v for k, v in net.state_dict().items()}}, tmp_path / f"{name}.pt")
        return np.asarray(net(torch.from_numpy(crop.transpose(2, 0, 1)[None].copy()))[0].detach().numpy())

    def looks() -> list[npt.NDArray[np.float32]]:
        return [FaceNet(folder, name=name).read([crop]).logits for name in (READER, UPRIGHT)]

    first = kept("reader", 1)
    export(tmp_path, folder)
    assert looks() == [pytest.approx(first, abs=1e-3)] * 2, "none was trained for the second look yet"
    assert FaceNet(folder, name=UPRIGHT).wider == 1.0, "the first look's net sees as much as it was trained to"
    second = kept("upright", 2)
    export(tmp_path, folder)
    assert looks() == [pytest.approx(first, abs=1e-3), pytest.approx(second, abs=1e-3)]
    assert [FaceNet(folder, name=name).wider for name in (READER, UPRIGHT)] == [1.0, WIDER]
    first = kept("reader", 3)
    export(tmp_path, folder)
    assert looks() == [pytest.approx(first, abs=1e-3), pytest.approx(second, abs=1e-3)]


def test_without_a_checkpoint_nothing_is_exported(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no checkpoint"):
        export(tmp_path, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("holds", [(), (FINDER,)])
def test_a_folder_to_begin_from_that_has_no_such_net_is_told(tmp_path: Path, holds: tuple[str, ...]) -> None:
    for name in holds:
        shutil.copy(MODELS / name, tmp_path / READER)
    cv2.imwrite(str(tmp_path / "a.png"), np.full((90, 90, 3), 60, np.uint8))
    (tmp_path / "labels.json").write_text(json.dumps({"images": [{"image": "a.png", "dice": []}]}))
    ran = subprocess.run(
        [sys.executable, "-m", "models.train", "reader", "--data", tmp_path, "--start", tmp_path, "--out", tmp_path],
        capture_output=True,
        text=True,
        check=False,
        cwd=MODELS.parent,
    )
    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr
    assert ("holds another net" if holds else "to begin from") in ran.stderr


def test_a_larger_net_begins_with_what_a_smaller_one_knows(tmp_path: Path) -> None:
    def nets(width: int) -> torch.nn.Sequential:
        return torch.nn.Sequential(torch.nn.Linear(3, width), torch.nn.ReLU(), torch.nn.Linear(width, 2))

    torch.manual_seed(0)
    small, large = nets(4), nets(7)
    torch.save({"net": small.state_dict()}, tmp_path / "small.pt")
    fit(
        large, _steps(1), _loss, tmp_path / "large.pt", minutes=0.0, rate=0.1, resume=False, start=tmp_path / "small.pt"
    )
    x = torch.randn(5, 3)
    assert torch.allclose(large(x), small(x))


def test_the_exported_finder_takes_pictures_of_any_size(shipped: Path) -> None:
    finder = ShippedFinder(shipped)
    for height, width in ((97, 131), (480, 640)):
        spots, hand = finder.find(np.zeros((height, width, 3), np.uint8), 0.7, least=0.0001)
        assert all(0 <= s.center[0] <= width + 20 and 0 <= s.center[1] <= height + 20 for s in spots)
        assert 0 < hand < 1


def test_the_calibration_travels_in_the_file_and_is_replaced_not_doubled(shipped: Path) -> None:
    tell(shipped / READER, {"trust": [1, 2]})
    tell(shipped / READER, {"trust": [3, 4]})
    assert FaceNet(shipped).told["trust"] == [3, 4]


def test_training_begins_from_a_shipped_file_as_if_it_had_never_stopped() -> None:
    crops = np.random.default_rng(1).integers(0, 255, (48, 3, 64, 64), dtype=np.uint8)
    net = FaceReader()
    begin_from(net, MODELS / READER, torch.from_numpy(crops))
    kinds, shape, _, normal = (part.detach().numpy() for part in net.eval()(torch.from_numpy(crops)))
    read = FaceNet().read([crop.transpose(1, 2, 0) for crop in crops])
    for own, shipped in ((kinds, read.logits), (shape, read.shape), (normal, read.normal)):
        np.testing.assert_allclose(own, shipped, atol=2e-3)
    net.train()
    net.drop.eval()  # the norms now go by what they see, which is what they were told
    np.testing.assert_allclose(net(torch.from_numpy(crops))[0].detach().numpy(), kinds, atol=2e-2)


def test_a_shipped_file_of_another_net_is_none_to_begin_from() -> None:
    with pytest.raises(ValueError, match="another net"):
        begin_from(Finder(), MODELS / READER, torch.zeros(1, 3, 64, 64, dtype=torch.uint8))


def test_a_deeper_net_goes_on_where_a_shallower_one_stopped(tmp_path: Path) -> None:
    torch.manual_seed(0)
    shallow, deeper = FaceReader(BLOCKS["reader"]), FaceReader(BLOCKS["upright"])
    checkpoint = tmp_path / "reader.pt"
    torch.save({"net": shallow.state_dict()}, checkpoint)
    fit(deeper, _steps(1), _loss, tmp_path / "on.pt", minutes=0.0, rate=1e-3, resume=False, start=checkpoint)
    crops = torch.randint(0, 255, (4, 3, CROP, CROP), dtype=torch.uint8)
    told, known = deeper.eval()(crops)[0], shallow.eval()(crops)[0]
    assert not torch.equal(told, known)
    assert (told - known).abs().max() < 0.5 * known.abs().max(), "what is new counts for little yet"
