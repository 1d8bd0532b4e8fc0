"""Python, the packages, the system's camera library, the trained model."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, distribution, requires, version

from device.doctor import Case, Finding, fault, ok, warning

LEAST_PYTHON = (3, 11)
LOADED = ("numpy", "cv2", "onnxruntime")  # linked to libraries of the system, which may be missing
ALIKE = {"opencv-python": ("opencv-python-headless", "opencv-contrib-python", "opencv-contrib-python-headless")}
LOAD_S = 60.0
SLOW_READ_MS = 400.0
_REINSTALL = "set it up again with `make test`, or pip install --force-reinstall pietjesoog"
_VENV = (
    "python3 -m venv --system-site-packages .venv, then install Pietjesoog into it: its numpy (below 2.3) and OpenCV "
    "(below 4.12) fit the system's picamera2"
)
Run = Callable[[str], tuple[int, str]]


def python(case: Case) -> Iterator[Finding]:
    """Its version, and that it can address more than 4 GiB: there are no packages for smaller ones."""
    told = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < LEAST_PYTHON:
        yield fault("python", f"this is Python {told}", "install Python 3.11 or newer")
    elif sys.maxsize < 2**32:
        yield fault("python", f"Python {told} is a 32-bit one", "install a 64-bit Raspberry Pi OS")
    else:
        yield ok("python", f"{told}, 64 bits")


def run_python(code: str) -> tuple[int, str]:
    """Status of ``python -c code`` and the last line it said; a library that crashes takes nobody with it."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=LOAD_S, check=False, errors="replace"
        )
    except subprocess.TimeoutExpired:
        return 1, f"it took more than {LOAD_S:g} seconds"
    lines = (done.stderr if done.returncode else done.stdout).strip().splitlines()
    if done.returncode < 0:
        return done.returncode, f"it crashed (signal {-done.returncode})"
    return done.returncode, lines[-1] if lines else ""


def packages(case: Case, needs: list[str] | None = None, run: Run = run_python) -> Iterator[Finding]:
    """Each package that Pietjesoog names: there, of a version that fits, and loadable where that may fail."""
    good = []
    for need in _needs() if needs is None else needs:
        name = re.split(r"[^A-Za-z0-9._-]", need, maxsplit=1)[0]
        found = next(filter(None, map(_version, (name, *ALIKE.get(name, ())))), None)
        if found is None:
            yield fault("packages", f"{name} is missing", _REINSTALL)
            continue
        if not fits(found, need):
            yield fault("packages", f"{name} is {found}, but {need} is needed", f"pip install '{need}'")
        else:
            good.append(f"{name} {found}")
    for name in LOADED:
        status, said = run(f"import {name}")
        if status:
            package = {"cv2": "OpenCV"}.get(name, name)
            yield fault("packages", f"{package} cannot be loaded: {said}", _advice(said))
    yield ok("packages", ", ".join(good))


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _needs() -> list[str]:
    """What the installed Pietjesoog says it needs, extras left out."""
    try:
        return [need for need in requires("pietjesoog") or () if "extra ==" not in need]
    except PackageNotFoundError:
        return []


def fits(found: str, need: str) -> bool:
    """Whether a version is one of those that are needed.

    >>> fits("2.2.4", "numpy>=1.24,<2.3"), fits("2.3.0", "numpy>=1.24,<2.3"), fits("4.11.0.86", "opencv-python<4.12")
    (True, False, True)
    """
    for sign, wanted in re.findall(r"(>=|<=|==|!=|<|>|~=)\s*([0-9][0-9A-Za-z.*]*)", need):
        have, want = _numbers(found), _numbers(wanted)
        size = max(len(have), len(want))
        have, want = ([*part, *[0] * (size - len(part))] for part in (have, want))
        if wanted.endswith("*"):
            count = len(_numbers(wanted))
            have, want = have[:count], want[:count]
        holds = {
            ">=": have >= want,
            "<=": have <= want,
            "==": have == want,
            "!=": have != want,
            "<": have < want,
            ">": have > want,
            "~=": have >= want and have[: len(_numbers(wanted)) - 1] == want[: len(_numbers(wanted)) - 1],
        }
        if not holds[sign]:
            return False
    return True


def _numbers(text: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", text.split("+")[0])]


def picamera2(case: Case, run: Run = run_python) -> Iterator[Finding]:
    """The system's library for the Pi camera: there, from apt, and built for the numpy that is here."""
    wanted = case.config.text("camera.kind") == "pi"
    status, said = run("import importlib.util as u; print(u.find_spec('picamera2') is not None)")
    if status or said.strip() != "True":
        if wanted:
            yield fault("picamera2", "is not installed", f"sudo apt install python3-picamera2; {_VENV}")
        else:
            yield ok("picamera2", "is not installed; only a Pi camera needs it")
        return
    status, said = run("import picamera2, importlib.metadata as m; print(m.version('picamera2'))")
    tell = fault if wanted else warning
    if not status:
        yield ok("picamera2", f"{said}, and it fits numpy {version('numpy')}")
        if _installer() == "pip":
            yield warning(
                "picamera2",
                "comes from pip, and will not fit the system's libcamera after an update",
                "pip uninstall picamera2, then sudo apt install python3-picamera2",
            )
    elif re.search(r"size changed|binary incompat|C header|_ARRAY_API|compiled using NumPy", said):
        yield tell("picamera2", f"was built for another numpy than the {version('numpy')} here ({said})", _VENV)
    elif "libcamera" in said:
        yield tell("picamera2", f"does not find libcamera ({said})", _VENV)
    else:
        yield tell(
            "picamera2", f"cannot be loaded ({said})", f"sudo apt install --reinstall python3-picamera2; {_VENV}"
        )


def _installer() -> str:
    try:
        return (distribution("picamera2").read_text("INSTALLER") or "").strip()
    except PackageNotFoundError:
        return ""


def _advice(said: str) -> str:
    if "libGL" in said:
        return "sudo apt install libgl1"
    if "libglib" in said or "libgthread" in said:
        return "sudo apt install libglib2.0-0 (libglib2.0-0t64 on Debian 13)"
    if "numpy" in said.lower():
        return "pip install 'numpy<2.3' 'opencv-python<4.12'"
    return _REINSTALL


def model(case: Case) -> Iterator[Finding]:
    """The trained model reads a picture, and how long that takes."""
    import numpy as np

    from vision.board import Board
    from vision.errors import VisionError
    from vision.frame import Frame
    from vision.reader import Reader

    try:
        reader = Reader()
        picture = np.full((720, 1280, 3), 90, np.uint8)
        board = Board.whole(1280, 720, 40.0)
        reader.read(Frame(picture, 0.0), board)
        begun = time.perf_counter()
        reader.read(Frame(picture, 0.0), board)
    except VisionError as told:
        yield fault("model", str(told), _REINSTALL)
        return
    ms = (time.perf_counter() - begun) * 1000
    if ms > SLOW_READ_MS:
        yield warning(
            "model", f"reads a picture in {ms:.0f} ms, which is slow", "stop other programs; a Pi 4 or 5 is faster"
        )
    else:
        yield ok("model", f"reads a picture in {ms:.0f} ms")
