"""Settings: what is printed can be read back, and a wrong line is named with what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.cli import main
from device.config import SETTINGS, BadSetting, Config, load, printed
from device.errors import BadInput


def test_what_is_printed_reads_back_the_same(tmp_path: Path) -> None:
    chosen = Config().with_values(web__port=9000, lights__kind="gpio", camera__focus_m=0.5, web__names='a"b\\c')
    (tmp_path / "p.toml").write_text(printed(chosen))
    read = load(tmp_path / "p.toml")
    assert {f"{s}.{k}": read[f"{s}.{k}"] for s in SETTINGS for k in SETTINGS[s]} == {
        f"{s}.{k}": chosen[f"{s}.{k}"] for s in SETTINGS for k in SETTINGS[s]
    }
    assert read["web.port"] == 9000


def test_every_setting_has_a_sentence_and_its_default_is_allowed() -> None:
    for section, settings in SETTINGS.items():
        for key, setting in settings.items():
            assert setting.sentence.endswith("."), key
            assert setting.check(f"{section}.{key}", setting.default) == setting.default


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[web]\nport = 70000", "web.port must be a whole number from 0 to 65535, not 70000"),
        ('[web]\nport = "80"', 'web.port must be a whole number from 0 to 65535, not "80"'),
        ("[web]\nport = true", "web.port must be a whole number"),
        ('[web]\nlanguage = "es"', 'web.language must be one of "nl", "fr", "en", "de", not "es"'),
        ("[web]\nprot = 80", "there is no setting web.prot; \\[web\\] has: host, port"),
        ("[wbe]\nport = 80", "there is no section \\[wbe\\]"),
        ("port = 80", "there is no section \\[port\\]"),
        ("[lights]\npins = [[4, 4]]", "lights.pins must be rows of pin numbers"),
        ("[lights]\npins = [[true]]", "lights.pins must be rows of pin numbers"),
        ('[journal]\nfile = "a\\u0000b"', "journal.file must be a text without control characters"),
        ('[web]\nhost = "a\\nb"', "web.host must be a text without control characters"),
        ("web = 1", "web is a section"),
        ("[terminal]\nshow = 1", "terminal.show must be true or false, not 1"),
        ("[camera]\nfps = 0.5", "camera.fps must be a whole number from 2 to 60"),
    ],
)
def test_a_wrong_line_is_named_with_what_is_allowed(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(text)
    with pytest.raises(BadSetting, match=said):
        load(tmp_path / "p.toml")


@pytest.mark.parametrize("content", [b"[web", b"\xff\xfe", None])
def test_a_file_that_cannot_be_used_is_a_sentence(content: bytes | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "p.toml").write_bytes(content)
    with pytest.raises(BadInput, match=r"p\.toml"):
        load(tmp_path / "p.toml")


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["config"]) == 0
    assert "port = 8080" in capsys.readouterr().out
    assert main(["config", "--config", str(tmp_path / "none.toml")]) == 2
    assert "cannot be read" in capsys.readouterr().err
