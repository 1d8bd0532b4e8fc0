"""The sheet of labels: a code that phones read, a notice in four languages, nothing over the edge."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from device.config import LANGUAGES
from device.texts import sentences
from hardware.labels import ADDRESS, PAGE, SHEET, BadAddress, main, sheet

SVG = "{http://www.w3.org/2000/svg}"


def photographed(drawing: str, tilt: float = 0.0) -> str:
    """What a code reader reads from the sheet's code, drawn at eight pixels a module on white paper."""
    path = re.search(r'class="qr"[^>]* d="([^"]+)"', drawing)
    assert path is not None
    dark = [(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", path[1])]
    side = max(max(pair) for pair in dark) + 5
    paper = np.full((side, side), 255, np.uint8)
    for x, y in dark:
        paper[y, x] = 0
    large = cv2.resize(paper, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    middle = (large.shape[1] / 2, large.shape[0] / 2)
    across = (large.shape[1], large.shape[0])
    turned = cv2.warpAffine(large, cv2.getRotationMatrix2D(middle, tilt, 0.8), across, borderValue=(255,))
    told, *_ = cv2.QRCodeDetector().detectAndDecode(turned)
    return str(told)


@pytest.mark.parametrize("tilt", [0.0, 20.0])
def test_the_code_leads_to_the_page(tilt: float) -> None:
    assert photographed(sheet(), tilt) == ADDRESS == "http://pietjesoog.local/play"


def test_another_address_is_in_code_and_words() -> None:
    told = "http://192.168.4.1:8080/play"
    assert photographed(sheet(told)) == told
    assert told in sheet(told)
    assert ADDRESS not in sheet(told)


def test_the_code_keeps_its_quiet_zone() -> None:
    drawing = sheet()
    path = re.search(r'class="qr"[^>]* d="([^"]+)"', drawing)
    assert path is not None
    places = [int(n) for pair in re.findall(r"M(\d+) (\d+)h", path[1]) for n in pair]
    assert min(places) >= 2  # with 4 mm of paper around it more than the four modules that a reader wants


@pytest.mark.parametrize("language", LANGUAGES)
def test_notice_and_warnings_are_there_word_for_word(language: str) -> None:
    words = re.findall(r"[^\s]+", " ".join(re.findall(r">([^<>]+)</text>", unescape(sheet()))))
    printed = " ".join(words)
    told = sentences(language)
    for key in ("camera", "sees", "keeps", "scores", "owner", "scan", "stop", "undo", "supply"):
        assert " ".join(told[f"label.{key}"].split()) in printed, key
    for key in ("age", "small_parts", "adult", "alcohol"):
        assert " ".join(told[f"rules.warnings.{key}"].split()) in printed, key


def test_nothing_leaves_the_page_or_runs_into_the_next_line() -> None:
    tree = ElementTree.fromstring(sheet())
    assert (tree.get("width"), tree.get("height")) == ("210mm", "297mm")
    boxes = []
    for word in tree.iter(f"{SVG}text"):
        size = float(word.get("font-size", "0"))
        x, y, wide = float(word.get("x", "0")), float(word.get("y", "0")), len(word.text or "") * size * 0.5
        left = x - wide / 2 if word.get("text-anchor") == "middle" else x
        boxes.append((left, y - 0.72 * size, left + wide, y + 0.05 * size, word.text))
    for left, top, right, bottom, told in boxes:
        assert 10 <= left < right <= PAGE[0] - 9, told
        assert 8 <= top < bottom <= PAGE[1] - 9, told
    for n, one in enumerate(boxes):
        for other in boxes[n + 1 :]:
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart, (one[4], other[4])


def test_the_sheet_in_the_folder_is_the_one_that_is_made() -> None:
    assert SHEET.read_text("utf-8") == sheet(), "make hardware HARDWARE=labels"


@pytest.mark.parametrize(
    "address",
    [
        "",
        "pietjesoog.local/play",
        "ftp://pietjesoog.local",
        "http://",
        "http://a b/",
        "http://é.local/",
        "http://x/" + "y" * 100,
    ],
)
def test_an_address_that_is_none_is_one_sentence(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadAddress):
        sheet(address)
    out = tmp_path / "mine.svg"
    assert main(["--address", address, "--out", str(out)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not out.exists()


def test_an_address_cannot_bring_markup_along() -> None:
    drawing = sheet("http://x/<b>&'\"")
    assert "<b>" not in drawing
    ElementTree.fromstring(drawing)


def test_a_folder_that_there_is_not_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--out", str(tmp_path / "no" / "sheet.svg")]) == 2
    assert "cannot be written" in capsys.readouterr().err
