"""The camera that the settings name."""

from __future__ import annotations

from pathlib import Path

from device.cameras import Camera
from device.cameras.pi import PiCamera
from device.cameras.recording import RecordingCamera
from device.cameras.usb import UsbCamera
from device.config import Config
from device.errors import BadInput
from vision.errors import VisionError
from vision.recording import Recording

AUTO = "auto"


def camera_of(config: Config) -> Camera | None:
    """That camera, not yet opened; None to enter everything by hand. Raises `BadInput` for what can be no camera."""
    kind, device = config.text("camera.kind"), config.text("camera.device")
    if "://" in device:
        raise BadInput(f"camera.device cannot be {device}: pictures come from a camera on this machine, not a network")
    width, height, fps = (config.whole(f"camera.{key}") for key in ("width", "height", "fps"))
    flicker = config.text("camera.mains_hz")
    flicker_hz = int(flicker) if flicker.isdigit() else 0
    if kind == "usb":
        return UsbCamera(
            device,
            width=width,
            height=height,
            fps=fps,
            focus_step=config.whole("camera.focus_step"),
            flicker_hz=flicker_hz,
        )
    if kind == "pi":
        if not (device == AUTO or (device.isascii() and device.isdigit())):
            raise BadInput(f'camera.device must be "auto" or a number for a Pi camera, not "{device}"')
        return PiCamera(
            0 if device == AUTO else int(device),
            width=width,
            height=height,
            fps=fps,
            focus_m=config.number("camera.focus_m"),
            flicker_hz=flicker_hz,
        )
    if kind == "recording":
        try:
            recording = Recording(Path(device).expanduser())
        except VisionError as fault:
            raise BadInput(f"camera.device: {fault}") from fault
        return RecordingCamera(Path(device).name or device, recording, live=True)
    return None
