"""The pictures of the guide, taken of the models one after the other.

    python -m hardware.views            # all
    python -m hardware.views case rim   # some

Needs openscad, and xvfb-run where there is no screen.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
LIMIT_S = 300
WIDTH = 900


@dataclass(frozen=True)
class Picture:
    """Where the camera of OpenSCAD stands: what it looks at, three turns, how far off; `high` in pixels."""

    view: str
    camera: tuple[float, float, float, float, float, float, float]
    high: int = 640
    settings: tuple[str, ...] = ()
    level: bool = False  # without perspective


PICTURES = {
    "small": Picture("small", (30, 0, 210, 62, 0, 28, 1750)),
    "table": Picture("table", (30, 0, 210, 62, 0, 28, 1750)),
    "cafe": Picture("cafe", (10, 0, 210, 62, 0, 28, 1800)),
    "arm": Picture("arm", (60, 0, 290, 68, 0, 25, 1900)),
    "clamp": Picture("clamp", (205, 0, 70, 62, 0, 40, 430), settings=('stand="clamp"',)),
    "case": Picture("case", (45, 25, 40, 62, 0, 30, 360)),
    "rim": Picture("rim", (190, 60, 20, 55, 0, 75, 380)),
    "leds": Picture("leds", (190, 60, 20, 55, 0, 75, 380)),
    "panel": Picture("panel", (0, 30, 20, 52, 0, 20, 460)),
    "lamp": Picture("lamp", (50, 0, 285, 90, 0, 0, 1500), level=True),
}


class NotTaken(RuntimeError):
    """Why a picture could not be taken, for people."""


def take(name: str, to: Path) -> Path:
    """Takes one picture into the folder `to`; raises `NotTaken`."""
    picture = PICTURES[name]
    openscad = shutil.which("openscad")
    if not openscad:
        raise NotTaken("openscad is not installed: sudo apt-get install openscad xvfb")
    command = [openscad, "-q", "--imgsize", f"{2 * WIDTH},{2 * picture.high}", "--colorscheme=Tomorrow"]
    if not os.environ.get("DISPLAY"):
        screen = shutil.which("xvfb-run")
        if not screen:
            raise NotTaken("there is no screen: sudo apt-get install xvfb")
        command = [screen, "-a", *command]
    command += [
        "--camera",
        ",".join(f"{part:g}" for part in picture.camera),
        "--projection",
        "o" if picture.level else "p",
    ]
    for setting in (f'view="{picture.view}"', *picture.settings):
        command += ["-D", setting]
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "large.png"
        try:
            done = subprocess.run(
                [*command, "-o", str(large), str(HERE / "scad" / "scene.scad")],
                capture_output=True, text=True, timeout=LIMIT_S, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise NotTaken(f"{name}: openscad took more than {LIMIT_S} s") from None
        if done.returncode or not large.is_file():
            raise NotTaken(f"{name}: openscad says: {(done.stderr or done.stdout).strip()[-300:]}")
        return _small(large, to / f"{name}.png", picture.high)


def _small(large: Path, to: Path, high: int) -> Path:
    from PIL import Image

    with Image.open(large) as taken:
        taken.convert("RGB").resize((WIDTH, high), Image.Resampling.LANCZOS).save(to, optimize=True)
    return to


def main(names: Sequence[str]) -> int:
    """Takes the pictures that are named, all without names: 0 taken, 2 not."""
    unknown = sorted(set(names) - PICTURES.keys())
    if unknown:
        print(f"there is no picture {', '.join(unknown)}; there are: {', '.join(PICTURES)}", file=sys.stderr)
        return 2
    to = HERE / "pictures"
    to.mkdir(exist_ok=True)
    for name in names or PICTURES:
        try:
            taken = take(name, to)
        except NotTaken as fault:
            print(fault, file=sys.stderr)
            return 2
        print(f"{taken.relative_to(HERE)} {taken.stat().st_size // 1024} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
