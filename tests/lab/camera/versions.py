"""What runs in the camera lab, in one line."""

from __future__ import annotations

import sys
from importlib.metadata import version


def main() -> None:
    """Print it; needs the lab's libcamera."""
    import libcamera

    library = libcamera.CameraManager.singleton().version
    told = {name: version(name) for name in ("picamera2", "numpy", "opencv-python-headless")}
    told = {"Python": sys.version.split()[0], "libcamera": library, **told}
    print("camera lab: " + ", ".join(f"{name} {number}" for name, number in told.items()), flush=True)


if __name__ == "__main__":
    main()
