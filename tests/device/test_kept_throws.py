"""Throws that somebody asked to keep: whole recordings, bounded, named so that nothing else can be reached."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from pathlib import Path

import pytest
from test_last_throws import one_throw

from device import kept_throws as module
from device.chosen import NotKept
from device.kept_throws import Full, KeptThrows
from device.last_throws import LastThrows
from vision.recording import Recording


@pytest.fixture
def last() -> LastThrows:
    last = LastThrows()
    one_throw(last, 20.0)
    return last


@pytest.fixture
def kept(tmp_path: Path) -> KeptThrows:
    return KeptThrows(tmp_path / "throws", wall=lambda: datetime(2031, 5, 4, 21, 7, 9))


def test_kept_listed_taken_along_and_thrown_away(kept: KeptThrows, last: LastThrows, tmp_path: Path) -> None:
    assert kept.all() == []
    assert not (tmp_path / "throws").exists(), "nothing is stored before somebody asks"
    name = kept.keep(last, 1)
    assert name == "20310504-210709-145"
    (one,) = kept.all()
    assert (one.name, one.at, one.dice) == (name, "2031-05-04 21:07", (1, 4, 5))
    assert one.size > 1000
    packed = kept.zipped(name)
    assert packed is not None
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.testzip() is None
        archive.extractall(tmp_path / "out")
    assert len(list(Recording(tmp_path / "out" / name))) > 5
    assert kept.drop(name)
    assert (kept.all(), kept.drop(name), kept.zipped(name)) == ([], False, None)


def test_two_of_one_second_stand_side_by_side(kept: KeptThrows, last: LastThrows) -> None:
    assert [kept.keep(last, 1), kept.keep(last, 1)] == ["20310504-210709-145", "20310504-210709-145-2"]


def test_one_that_is_gone_is_not_kept(kept: KeptThrows, last: LastThrows, tmp_path: Path) -> None:
    assert kept.keep(last, 99) is None
    assert not list(tmp_path.rglob("*.jpg"))


@pytest.mark.parametrize("name", ["..", "../secret", "", ".", "20310504-210709-145/../..", "20310504-210709-145\n"])
def test_no_name_reaches_anything_else(kept: KeptThrows, last: LastThrows, tmp_path: Path, name: str) -> None:
    kept.keep(last, 1)
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "pin.json").write_text("{}")
    assert (kept.zipped(name), kept.drop(name)) == (None, False)
    assert (tmp_path / "secret" / "pin.json").exists()


def test_no_more_than_so_many_and_so_much(kept: KeptThrows, last: LastThrows, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 2)
    kept.keep(last, 1)
    kept.keep(last, 1)
    with pytest.raises(Full):
        kept.keep(last, 1)
    monkeypatch.setattr(module, "MOST", 10)
    monkeypatch.setattr(module, "MOST_BYTES", kept.all()[0].size + last.all()[0].size - 1)
    with pytest.raises(Full):
        kept.keep(last, 1)
    monkeypatch.undo()
    monkeypatch.setattr(module, "LEAST_MB", 1e12)  # as on a card that is nearly full
    with pytest.raises(Full):
        kept.keep(last, 1)
    assert len(kept.all()) == 2


def test_a_storage_that_refuses_leaves_nothing_half(last: LastThrows, tmp_path: Path) -> None:
    (tmp_path / "throws").write_text("a file where a folder should be")
    with pytest.raises(NotKept):
        KeptThrows(tmp_path / "throws").keep(last, 1)


def test_half_a_recording_of_a_power_cut_is_not_listed(kept: KeptThrows, last: LastThrows, tmp_path: Path) -> None:
    half = tmp_path / "throws" / ".20310504-210709-145.new"
    half.mkdir(parents=True)
    (half / "000000.jpg").write_bytes(b"x")
    assert kept.all() == []
    assert kept.keep(last, 1) == "20310504-210709-145"
    assert [one.name for one in (tmp_path / "throws").iterdir()] == ["20310504-210709-145"]
