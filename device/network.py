"""Opens the device's own Wi-Fi where no known network is in reach, and closes it when one is.

    python -m device.network --config FILE [--told FILE] [--once]

Run as root by its own unit, since NetworkManager obeys nobody else; the service that serves the page only reads what
this tells (`device.access_point`). The settings are those of the service, read anew when they change.
"""

from __future__ import annotations

import argparse
import logging
import secrets
import signal
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from device.access_point import TOLD, AccessPoint
from device.chosen import Chosen
from device.config import Config, load
from device.errors import BadInput
from device.place import journal_file
from device.radio import ADDRESS, NAME, Link, NetworkManager, Radio, RadioFault
from device.write_whole import write_whole

LOG = logging.getLogger("pietjesoog")
LOST_S = 45.0  # a known network comes back by itself in less, after a start too
LOOK_ANEW_S = 600.0  # how often, while nobody is in our own, a known one is looked for
TICK_S = 5.0
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that looks like another
LONGEST_SSID = 32  # bytes, by the standard
LENGTH = 10  # 31^10: nobody tries them all


class Keeper:
    """Decides when our own network is open: settings `network.access_point`, time in seconds of one monotonic clock.

    `never`: never. `always`: always, also beside a cable. `auto`: when neither a known Wi-Fi nor a cable has been
    there for `LOST_S`; while no phone is in it, it makes way every `LOOK_ANEW_S` for a known one that came back.
    """

    def __init__(self, radio: Radio, told: Path = TOLD) -> None:
        self._radio, self._told = radio, told
        self._alone_since: float | None = None
        self._opened: float | None = None
        self._open_as: tuple[str, str, str] | None = None

    def tick(self, now: float, mode: str, ssid: str, password: str) -> None:
        """Look once, and do what is due; raises `RadioFault`, after which the next tick tries again."""
        links = self._radio.links()
        own = next((one for one in links if one.connection == NAME), None)
        reached = any(one.connection and one is not own for one in links)
        wifi = own or next((one for one in links if one.kind == "wifi"), None)
        if own is None and self._opened is not None:  # somebody else took it down
            self._forget()
        if own is not None and self._opened is None:  # from before we were started anew
            self._radio.close()
            return
        if reached or own is not None:
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = now
        if own is None:
            if wifi is not None and self._is_due(now, mode, reached):
                self._open(now, wifi.device, ssid, password)
        elif self._must_go(now, mode, reached, own, (own.device, ssid, password)):
            self._close(now)

    def end(self) -> None:
        """Leaves no network of ours behind."""
        if self._opened is not None:
            self._close(0.0)

    def _is_due(self, now: float, mode: str, reached: bool) -> bool:
        if mode == "always":
            return True
        alone_for = 0.0 if self._alone_since is None else now - self._alone_since
        return mode == "auto" and not reached and alone_for >= LOST_S

    def _must_go(self, now: float, mode: str, reached: bool, own: Link, wanted: tuple[str, str, str]) -> bool:
        if mode == "never" or wanted != self._open_as:
            return True
        if mode == "always":
            return False
        assert self._opened is not None
        if self._radio.guests(own.device):
            return False
        return reached or now - self._opened >= LOOK_ANEW_S

    def _open(self, now: float, device: str, ssid: str, password: str) -> None:
        self._radio.open(device, ssid, password)
        self._opened, self._open_as = now, (device, ssid, password)
        AccessPoint(ssid, password, ADDRESS).tell(self._told)
        LOG.info("own Wi-Fi opened: %s", ssid)

    def _close(self, now: float) -> None:
        self._radio.close()
        self._forget()
        self._alone_since = now
        LOG.info("own Wi-Fi closed")

    def _forget(self) -> None:
        self._opened = self._open_as = None
        self._told.unlink(missing_ok=True)


def kept_password(file: Path) -> str:
    """The device's own password, drawn once; another at each start where it cannot be kept."""
    try:
        if told := file.read_text("ascii").strip():
            return told
    except (OSError, UnicodeDecodeError):
        pass
    drawn = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    try:
        write_whole(file, drawn + "\n", 0o600)
    except OSError as fault:
        LOG.warning("the Wi-Fi's password will be another at the next start: %s", fault.strerror)
    return drawn


def settings(file: Path) -> Chosen:
    """As the service has them: the file, and what was chosen on the page over it. What cannot be is told and left out.

    Without a place of their own the scores, and what was chosen, lie beside the file.
    """
    try:
        config = load(file)
    except BadInput as fault:
        LOG.warning("%s", fault)
        config = Config()
    chosen = Chosen.beside(journal_file(config, file.parent), config)
    if chosen.trouble is not None:
        LOG.warning("%s", chosen.trouble)
    return chosen


def wanted(config: Config, own: str) -> tuple[str, str, str]:
    """Mode, name and password; `own` is the one where none is set. What cannot be is told, and the default taken."""
    ssid, password = config.text("network.ssid"), config.text("network.password") or own
    if not 1 <= len(ssid.encode()) <= LONGEST_SSID:
        LOG.warning("network.ssid has 1 to %d bytes", LONGEST_SSID)
        ssid = Config().text("network.ssid")
    if not (password.isascii() and 8 <= len(password) <= 63):
        LOG.warning("network.password has 8 to 63 letters, digits and signs without accents")
        password = own
    return config.text("network.access_point"), ssid, password


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="device.network", description="Open the device's own Wi-Fi where no known network is in reach."
    )
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help="the settings of the service")
    parser.add_argument("--told", type=Path, default=TOLD, metavar="FILE", help="where to tell the service about it")
    parser.add_argument("--once", action="store_true", help="look once, tell the links, change nothing")
    asked = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    radio = NetworkManager()
    if asked.once:
        try:
            for link in radio.links():
                print(f"{link.device} {link.kind} {link.connection or '-'}")
        except RadioFault as fault:
            print(f"device.network: {fault}", file=sys.stderr)
            return 2
        return 0
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    watch(Keeper(radio, asked.told), asked.config, stop)
    return 0


def watch(keeper: Keeper, file: Path, stop: threading.Event, state: Path | None = None) -> None:
    """Tick until told to stop; a fault is told once, until it is another or gone."""
    own = kept_password((state or Path("/var/lib/pietjesoog-network")) / "password")
    trouble, files, read = "", list[Path | None]([file]), tuple[float, ...]()
    while not stop.is_set():
        try:
            if (written := _written(files)) != read:
                chosen = settings(file)  # after their times: what is written meanwhile is another at the next look
                files, read = [file, chosen.file], written
                mode, ssid, password = wanted(chosen.config, own)
            keeper.tick(time.monotonic(), mode, ssid, password)
            trouble = ""
        except (RadioFault, OSError) as fault:
            if str(fault) != trouble:
                trouble = str(fault)
                LOG.warning("%s", trouble)
        stop.wait(TICK_S)
    try:
        keeper.end()
    except RadioFault as fault:
        LOG.warning("%s", fault)


def _written(files: Iterable[Path | None]) -> tuple[float, ...]:
    """When each was written last; 0 where it is not there, or may not be looked at."""
    return tuple(0.0 if file is None else _time_of(file) for file in files)


def _time_of(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


if __name__ == "__main__":
    sys.exit(main())
