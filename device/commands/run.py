"""`pietjesoog run`: watch the board and keep the score, for weeks."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from device import access_point
from device.board_choice import AUTO, BoardChoice
from device.cameras import Camera
from device.cameras.choice import camera_of
from device.chosen import Chosen
from device.config import Config, load
from device.cutouts import Cutouts
from device.errors import BadInput
from device.eye import EyeThread
from device.faults import FaultWatch
from device.journal import KeptJournal
from device.last_resort import begin_anew
from device.last_throws import LastThrows
from device.lights.choice import lights_of, link_of
from device.log_ring import LogRing
from device.numbers import port_number
from device.parts import parts_of
from device.pins import clashes
from device.place import journal_file
from device.service import Service, stopped_by_signals, wall
from device.sound.sounding import Sound
from device.table import Table
from device.terminal import Terminal
from device.tongue import Tongue
from device.upkeep import Upkeep, reader_of
from device.watching import watching
from device.web.app import Web
from device.web.door import Door
from device.web.pin import Pin
from device.web.server import WebServer, addresses, bound, phone_address, port_of
from device.write_whole import write_whole

T = TypeVar("T")

TURN_S = 8.0  # a small screen has room for one QR code at a time
EXAMPLE = """example:
  pietjesoog config > pietjesoog.toml
  pietjesoog run --config pietjesoog.toml

Stops on Ctrl-C; started again, it goes on with the same scores."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings, as `pietjesoog config` prints them")
    parser.add_argument("--host", metavar="H", help="address to listen on (0.0.0.0: the whole local network)")
    parser.add_argument("--port", type=port_number, metavar="N", help="port of the page (8080)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until stopped; raises `DeviceError` for wrong settings or a taken port."""
    log = LogRing()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    logging.getLogger().addHandler(log)
    told = (load(args.config) if args.config else Config()).with_values(web__host=args.host, web__port=args.port)
    scores = journal_file(told)
    folder, chosen = scores.parent, Chosen.beside(scores, told)
    config = chosen.config
    host = config.text("web.host")
    listening = bound(host, config.whole("web.port"))
    where = addresses(host, port_of(listening))
    words = Tongue(config.text("web.language"))
    journal = KeptJournal(scores)
    decide = bool(config["table.seats_decide"])
    table = Table(journal, wall=wall, clock=time.monotonic, seats_decide=decide)
    upkeep = Upkeep(chosen, words, folder, log=log, refresh=table.refresh)
    cutouts, last_throws = Cutouts(), LastThrows()
    service: list[Service] = []

    def open_eye(camera: Camera, board: BoardChoice) -> None:
        upkeep.board, upkeep.reader = board, reader_of()
        upkeep.eye = EyeThread(
            camera,
            watching(board, table, reader=upkeep.reader),
            table,
            restart_s=config.number("camera.restart_s"),
            cutouts=cutouts,
            last_throws=last_throws,
            sight=upkeep.sight,
        )
        if service:  # it runs already: the camera was chosen on the page
            service[0].see_with(upkeep.eye)

    if (camera := _usable(camera_of, chosen, told)) is not None:
        open_eye(camera, _usable(lambda config: BoardChoice(config.text("board.file") or AUTO), chosen, told))
    upkeep.open_eye = open_eye

    def health() -> Mapping[str, object]:
        return upkeep.health(service[0].health() if service else {})

    upkeep.faults = FaultWatch(health)
    door = Door(Pin(folder / "pin.json"))

    def tell_code(code: str) -> None:
        """In the terminal where somebody reads it, never in the log of a service."""
        if config["terminal.show"]:
            print(f"Pietjesoog: table code {code}, new at each start and after six idle hours", flush=True)
        if runtime := os.environ.get("RUNTIME_DIRECTORY"):
            keep_code(Path(runtime.partition(":")[0]), code)

    web = Web(
        table,
        journal,
        door=door,
        names=tuple(config.text("web.names").split()),
        phone=lambda: phone_address(host, port_of(listening), access_point.told()),
        cutouts=cutouts,
        health=health,
        odds=bool(config["web.odds"]),
        last_throws=last_throws,
        upkeep=upkeep,
        wifi=access_point.told,
        tell_code=tell_code,
    )

    def for_phones() -> str:
        """The remote's address with the code; by turns with how to join the device's own Wi-Fi while that is open."""
        own = access_point.told()
        if own is not None and time.monotonic() % (2 * TURN_S) < TURN_S:
            return own.wifi
        address = phone_address(host, port_of(listening), own)
        return f"{address}?code={door.code}" if address else ""

    server = WebServer(web, listening)
    link = link_of(config) if config.text("lights.kind") == "board" else None
    upkeep.lights = lights = lights_of(config, link)
    parts = parts_of(config, table, words, link=link, phone=for_phones, switched=True)
    upkeep.sound = sound if isinstance(sound := parts.get("sound"), Sound) else None
    parts["faults"] = upkeep.faults
    terminal = (
        Terminal(sys.stdout, words, lambda: f"{where[0]}play?code={door.code}") if config["terminal.show"] else None
    )
    service.append(
        Service(
            table,
            journal,
            eye=upkeep.eye,
            lights=lights,
            terminal=terminal,
            server=server,
            parts=parts,
            begin_anew=begin_anew,
        )
    )
    phones = f" (phones: {where[0]}play?code={door.code})" if config["terminal.show"] else ""
    print(f"Pietjesoog: {' or '.join(where)}{phones}", flush=True)
    tell_code(door.code)
    troubles = [journal.fault, _set_aside(journal), table.trouble_on_start, chosen.trouble, *clashes(config)]
    troubles.append(lights.fault if lights else None)
    if chosen.names:
        print(f"Pietjesoog: set on the page: {', '.join(chosen.names)} ({chosen.file})", flush=True)
    for sentence in filter(None, troubles):
        print(f"Pietjesoog: {sentence}", file=sys.stderr, flush=True)
    with stopped_by_signals(service[0]):
        service[0].run()
    return 0


def _usable(make: Callable[[Config], T], chosen: Chosen, told: Config) -> T:
    """What the settings come to; what was set on the page and cannot be had any more stops no start."""
    try:
        return make(chosen.config)
    except BadInput as fault:
        if not chosen.names:
            raise
        logging.getLogger("pietjesoog").warning("%s; it was set on the page and is left out", fault)
        return make(told)


def keep_code(folder: Path, code: str) -> None:
    """For whoever is root on a device without a screen; a service goes on without."""
    try:
        write_whole(folder / "table-code", f"{code}\n", 0o600)
    except OSError as fault:
        logging.getLogger("pietjesoog").warning("the code is not in %s: %s", folder, fault.strerror)


def _set_aside(journal: KeptJournal) -> str | None:
    if journal.set_aside is None:
        return None
    return f"the journal {journal.path} was damaged; it is kept as {journal.set_aside.name}, and a new one begun"
