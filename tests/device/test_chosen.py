"""What was set on the page: kept, laid over the file, and never a reason not to start."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from device.chosen import NAMES, Chosen, NotKept
from device.config import SETTINGS, BadSetting, Config
from device.errors import BadInput


def test_what_was_set_is_there_after_a_restart_and_goes_before_the_file(tmp_path: Path) -> None:
    told = Config().with_values(sound__volume=80, web__language="fr", web__port=9000)
    chosen = Chosen(tmp_path / "chosen.toml", told)
    chosen.set(sound__volume=30, board__file='a "quoted" é.toml')
    again = Chosen(tmp_path / "chosen.toml", told)
    assert again.config.whole("sound.volume") == 30
    assert again.config.text("board.file") == 'a "quoted" é.toml'
    assert (again.config.text("web.language"), again.config.whole("web.port")) == ("fr", 9000)
    assert again.names == ("board.file", "sound.volume")
    assert (tmp_path / "chosen.toml").stat().st_mode & 0o077 == 0


def test_only_what_the_page_may_set(tmp_path: Path) -> None:
    chosen = Chosen(tmp_path / "chosen.toml", Config())
    with pytest.raises(BadInput, match=r"journal\.file"):
        chosen.set(journal__file="/etc/passwd")
    with pytest.raises(BadSetting):
        chosen.set(sound__volume=101)
    with pytest.raises(BadSetting):
        chosen.set(web__language="xx")
    assert chosen.config == Config()
    assert not (tmp_path / "chosen.toml").exists()
    (tmp_path / "chosen.toml").write_text('[web]\nport = 1\nlanguage = "de"\n')
    read = Chosen(tmp_path / "chosen.toml", Config()).config
    assert (read.whole("web.port"), read.text("web.language")) == (8080, "de")


@pytest.mark.parametrize("text", ["no toml at all", "[sound]\nvolume = 900\n", "[nowhere]\na = 1\n", "\x00"])
def test_a_damaged_file_is_told_and_left_out(tmp_path: Path, text: str) -> None:
    (tmp_path / "chosen.toml").write_text(text)
    chosen = Chosen(tmp_path / "chosen.toml", Config())
    assert chosen.config == Config()
    assert chosen.trouble is not None
    chosen.set(sound__volume=5)
    assert Chosen(tmp_path / "chosen.toml", Config()).config.whole("sound.volume") == 5


def test_where_nothing_can_be_written_it_holds_until_the_end(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file where a folder should be")
    chosen = Chosen(tmp_path / "taken" / "chosen.toml", Config())
    with pytest.raises(NotKept):
        chosen.set(sound__volume=5)
    assert chosen.config.whole("sound.volume") == 5


def test_every_name_is_a_setting_that_toml_can_hold(tmp_path: Path) -> None:
    chosen = Chosen(tmp_path / "chosen.toml", Config())
    for name in NAMES:
        section, _, key = name.partition(".")
        default = SETTINGS[section][key].default
        assert isinstance(default, str | int | float)
        chosen.set(**{name.replace(".", "__"): default})
    told = tomllib.loads((tmp_path / "chosen.toml").read_text())
    assert {f"{section}.{key}" for section, lines in told.items() for key in lines} == NAMES
