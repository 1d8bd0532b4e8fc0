"""The figures in SECURITY.md are those of the program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from device.network import LENGTH
from device.web import asked, connections, door, stream
from device.web.pin import LONGEST, SHORTEST

ROOT = Path(__file__).parents[3]
TOLD = " ".join((ROOT / "SECURITY.md").read_text("utf-8").split())
WORDS = {5: "five", 6: "six", 10: "ten"}


@pytest.mark.parametrize(
    "sentence",
    [
        f"{WORDS[door.DIGITS]} digits, another at each start and after {WORDS[int(door.IDLE_S / 3600)]} idle hours",
        f"{SHORTEST} to {LONGEST} digits",
        f"{WORDS[door.CODE_TRIES[0].burst]} tries, then one every {WORDS[int(door.CODE_TRIES[0].every_s)]} seconds",
        f"for the PIN {WORDS[door.PIN_TRIES[0].burst]}, then one a minute",
        f"have to arrive within {WORDS[int(asked.FORM_S)]} seconds",
        f"does not ask within {WORDS[int(connections.REQUEST_S)]} seconds is closed",
        f"beyond {connections.MOST} of them, or {connections.MOST_OF_ONE} of one address",
        f"limited to {stream.MOST_OF_ONE} of one address and {stream.MOST_LISTENERS} together",
    ],
)
def test_the_figures_stand_in_it(sentence: str) -> None:
    assert sentence in TOLD


def test_a_minute_is_a_minute_and_the_wifi_has_no_short_password() -> None:
    assert door.PIN_TRIES[0].every_s == 60.0
    assert LENGTH >= 10


def test_whatever_file_it_names_is_there() -> None:
    named = re.findall(r"`((?:tests|hardware|device)/[\w./]+\.\w+)`", TOLD)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_no_page_loads_anything_from_outside_or_runs_words_of_its_own() -> None:
    folder = ROOT / "device/web"
    for path in [*folder.glob("templates/*.html"), *folder.glob("static/*")]:
        text = path.read_text("utf-8")
        assert not re.search(r"""(?:src|href|action)=["'](?:https?:)?//""", text), path
        assert not re.search(r"<script(?![^>]*\bsrc=)", text), path
        assert not re.search(r"\son[a-z]+=[\"']", text), path
