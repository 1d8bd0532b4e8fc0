"""The parts lists can be bought from, and a line that cannot is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware import shopping
from hardware.printed import BUILDS, parts
from hardware.shopping import COLUMNS, BadList, lines

GOOD = "led,18,piece,LED 5 mm,red,0.1,yes\n"


@pytest.mark.parametrize("build", BUILDS)
def test_every_list_is_complete(build: str) -> None:
    listed = lines(build)
    names = [line.part for line in listed]
    assert len(listed) > 15
    assert len(set(names)) == len(names)
    for line in listed:
        assert len(line.look_for) > 5, line.part
        assert line.what != line.look_for
    for needed in ("pi", "supply", "camera", "camera_cable", "card", "mast", "plywood", "lamp", "filament", "screw_m4"):
        assert needed in names


def test_each_build_has_what_it_is_named_for() -> None:
    small, table, cafe = ({line.part: line.quantity for line in lines(build)} for build in BUILDS)
    assert (small["led"], small["button"]) == (18, 1)
    assert (table["pico"], table["pixels"], table["button"], table["oled"]) == (1, 96, 3, 1)
    assert (cafe["seat_button"], cafe["speaker"]) == (8, 1)
    assert table.keys() - cafe.keys() == set()
    assert "pico" not in small


def test_screws_are_enough_for_the_printed_parts() -> None:
    grips = {"foot": 1, "elbow": 2, "camera_head": 1}  # one M4 each
    for build in BUILDS:
        listed = {line.part: line.quantity for line in lines(build)}
        assert listed["screw_m4"] == sum(parts()[part].pieces[build] * screws for part, screws in grips.items())


def test_a_build_costs_more_the_more_there_is_to_it() -> None:
    cost = {build: sum(line.euro for line in lines(build)) for build in BUILDS}
    assert 100 < cost["small"] < cost["table"] < cost["cafe"] < 500


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (GOOD.replace("18", "0"), "at least one"),
        (GOOD.replace("18", "-2"), "at least one"),
        (GOOD.replace("18", "many"), "whole number"),
        (GOOD.replace("18", "1.5"), "whole number"),
        (GOOD.replace("0.1", "free"), "a number"),
        (GOOD.replace("0.1", "nan"), "a price"),
        (GOOD.replace("0.1", "0"), "a price"),
        (GOOD.replace("piece", "box"), "unit is one of"),
        (GOOD.replace(",yes", ",maybe"), "yes or no"),
        (GOOD.replace(",red,", ",,"), "every column"),
        (GOOD.replace(",red", ""), "every column"),
        (GOOD.replace(",yes", ",yes,really"), "every column"),
    ],
)
def test_a_line_that_cannot_be_bought_from_is_named(
    line: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "builds" / "small"
    folder.mkdir(parents=True)
    monkeypatch.setattr(shopping, "HERE", tmp_path)
    (folder / "parts.csv").write_text(",".join(COLUMNS) + "\n" + GOOD + line)
    with pytest.raises(BadList, match=f"small, line 3: .*{why}"):
        lines("small")


def test_other_columns_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "builds" / "small"
    folder.mkdir(parents=True)
    monkeypatch.setattr(shopping, "HERE", tmp_path)
    (folder / "parts.csv").write_text("part,quantity\nled,18\n")
    with pytest.raises(BadList, match="has not the columns"):
        lines("small")
