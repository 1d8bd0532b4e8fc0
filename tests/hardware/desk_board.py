"""The real firmware on a desk: MicroPython's unix port behind two bridged terminals, a cable that can be pulled."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import subprocess
import threading
import time
import tty
from functools import cache
from io import FileIO
from pathlib import Path

ROOT = Path(__file__).parents[2]
FIRMWARE = ROOT / "hardware" / "firmware"
MISSING = "MicroPython's unix port is missing: run sh hardware/firmware/micropython.sh"
PATIENT = "\nLOST_MS = 60000\n"  # the board waits for a host that this machine holds up


@cache
def micropython() -> str | None:
    """The command that runs MicroPython here, None where it was not installed."""
    found = subprocess.run(["sh", FIRMWARE / "micropython.sh", "--find"], capture_output=True, text=True, check=False)
    return found.stdout.strip() or None


def opened(port: Path) -> FileIO:
    """The host's end of the cable, bare. Were it to become our terminal, pulling it would end us."""
    return FileIO(os.open(port, os.O_RDWR | os.O_NOCTTY), "r+b")


class DeskBoard:
    """Firmware, bridge and cable in `folder`; `dev` is what a host sees instead of ``/dev``.

    `settings` are lines put behind ``pins.py``. `plug` gives the cable a name; `hold` makes the board take nothing.
    """

    def __init__(self, folder: Path, *, settings: str = "") -> None:
        self.dev = folder / "dev"
        self.dev.mkdir(parents=True)
        self.shown_file, self.contacts_file = folder / "shown", folder / "contacts"
        self.shown_file.touch()
        self.contacts_file.write_text("0")
        shutil.copy(FIRMWARE / "main.py", folder)  # MicroPython looks beside it first: for our pins.py
        if settings:
            shutil.copy(FIRMWARE / "pins.py", folder / "pins.py")
            with (folder / "pins.py").open("a") as pins:
                pins.write(settings)
        self._folder = folder
        self._cable: int | None = None
        self._link: Path | None = None
        self._held = threading.Event()
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self.sent = bytearray()  # all that came from the host
        self.power_on()
        self._bridge = threading.Thread(target=self._carry, daemon=True)
        self._bridge.start()

    def power_on(self) -> None:
        """The firmware begins as on a Pico that gets power."""
        command = micropython()
        assert command is not None
        self._chip, chip = os.openpty()
        tty.setraw(chip)
        path = f"{FIRMWARE / 'desk'}:{FIRMWARE}:.frozen"
        self._firmware = subprocess.Popen(
            [command, str(self._folder / "main.py")],
            stdin=chip,
            stdout=chip,
            env={"MICROPYPATH": path, "SHOWN": str(self.shown_file), "CONTACTS": str(self.contacts_file)},
        )
        os.close(chip)

    def power_off(self) -> None:
        self._firmware.kill()
        self._firmware.wait()
        with self._lock:
            os.close(self._chip)
            self._chip = -1

    def plug(self, name: str = "ttyACM0", by_id: str | None = None) -> Path:
        """The cable is in, under this name; `by_id` is the name that udev adds."""
        ours, theirs = os.openpty()
        tty.setraw(theirs)
        self._link = self.dev / name
        self._link.symlink_to(os.ttyname(theirs))
        os.close(theirs)
        if by_id is not None:
            folder = self.dev / "serial" / "by-id"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / by_id).symlink_to(self._link)
        with self._lock:
            self._cable = ours
        return self._link

    def unplug(self) -> None:
        """The cable is out, its names are gone."""
        with self._lock:
            cable, self._cable = self._cable, None
        if cable is not None:
            os.close(cable)
        for path in (*self.dev.glob("serial/by-id/*"), *self.dev.glob("ttyACM*")):
            path.unlink()

    def hold(self, held: bool) -> None:
        """While held the board takes nothing from the cable, as one that hangs."""
        self._held.set() if held else self._held.clear()

    def noise(self, data: bytes) -> None:
        """Bytes that the host did not send reach the board."""
        with self._lock:
            os.write(self._chip, data)

    def press(self, *pins: int) -> None:
        """These pins, and no others, are pulled to ground."""
        told = self.contacts_file.with_suffix(".new")
        told.write_text(str(sum(1 << pin for pin in pins)))
        told.replace(self.contacts_file)  # at once: the firmware looks while this is written

    @property
    def shown(self) -> list[str]:
        """All that pixels and lamps did; of a line that is being written nothing yet."""
        return self.shown_file.read_text().rpartition("\n")[0].splitlines()

    @property
    def pixels(self) -> bytes:
        """Red, green, blue of every pixel now."""
        frames = [told for told in self.shown if not told.startswith(("lamp", "reset"))]
        return bytes.fromhex(frames[-1]) if frames else b""

    @property
    def lamps(self) -> list[int]:
        """The pins of the seat lamps that are lit."""
        told = [line for line in self.shown if line.startswith("lamp")]
        return [int(pin) for pin in told[-1].split()[1:]] if told else []

    def close(self) -> None:
        self._ended.set()
        self._bridge.join()
        self.unplug()
        if self._chip >= 0:
            self.power_off()

    def _carry(self) -> None:
        while not self._ended.is_set():
            with self._lock:
                cable, chip = self._cable, self._chip
            ready = [fd for fd in (chip, None if self._held.is_set() else cable) if fd is not None and fd >= 0]
            with contextlib.suppress(OSError, ValueError):
                readable, _, _ = select.select(ready, [], [], 0.005)
                for fd in readable:
                    self._pass(fd, cable, chip)

    def _pass(self, fd: int, cable: int | None, chip: int) -> None:
        with self._lock:
            if (cable, chip) != (self._cable, self._chip):
                return
            try:
                data = os.read(fd, 4096)
            except OSError:  # nobody has opened the other side yet
                time.sleep(0.002)
                return
            if fd == chip and cable is not None:
                os.write(cable, data)
            elif fd == cable:
                self.sent += data
                os.write(chip, data)
