"""The PIN on the disk: hashed, private, whole or not at all."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from device.web.pin import BadPin, Pin


def test_is_kept_over_a_restart_and_never_in_plain(tmp_path: Path) -> None:
    file = tmp_path / "state" / "pin.json"
    Pin(file).set("274193")
    assert "274193" not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = Pin(file)
    assert again.is_set
    assert again.fits("274193")
    assert not again.fits("274194")


def test_two_devices_with_one_pin_keep_different_hashes(tmp_path: Path) -> None:
    for name in "ab":
        Pin(tmp_path / name).set("2741")
    assert (tmp_path / "a").read_text() != (tmp_path / "b").read_text()


@pytest.mark.parametrize("pin", ["", "123", "1234567890123", "12a4", "１２３４", "12 34", "-123"])
def test_what_is_no_pin_is_refused(pin: str) -> None:
    kept = Pin(None)
    with pytest.raises(BadPin, match="digits") as refused:
        kept.set(pin)
    assert refused.value.key == "pin_digits"
    assert not kept.is_set


def test_before_one_is_set_nothing_fits() -> None:
    assert not Pin(None).fits("")


def test_a_new_one_replaces_the_old(tmp_path: Path) -> None:
    pin = Pin(tmp_path / "pin.json")
    pin.set("1111")
    pin.set("2222")
    assert not Pin(tmp_path / "pin.json").fits("1111")
    assert [path.name for path in tmp_path.iterdir()] == ["pin.json"]


def test_what_cannot_be_kept_is_a_sentence_and_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file where the folder should be")
    pin = Pin(tmp_path / "taken" / "pin.json")
    with pytest.raises(BadPin, match="cannot be kept"):
        pin.set("1111")
    assert not pin.fits("1111")


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"salt": "zz", "scrypt": ""}', '{"salt": 1, "scrypt": 2}', "\x00"])
def test_a_damaged_file_opens_no_door(tmp_path: Path, text: str) -> None:
    file = tmp_path / "pin.json"
    file.write_text(text)
    pin = Pin(file)
    assert pin.damaged
    assert pin.is_set, "else anybody could set a new one"
    assert not pin.fits("")
    assert not pin.fits("1111")
