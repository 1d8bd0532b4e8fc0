"""The service with a pretended camera, in a process of its own: ``python -m tests.weeks.real_service FOLDER``.

All but camera and reader is what `pietjesoog run` starts. `FOLDER` holds the journal and the world.
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path

from device.eye import EyeThread
from device.journal import KeptJournal
from device.service import Service, stopped_by_signals, wall
from device.table import Table
from device.web.app import Web
from device.web.door import Door
from device.web.server import WebServer, bound
from tests.device.drawn_throws import EDGE, HEIGHT, WIDTH
from tests.weeks.world import World, WorldCamera, WorldReader, now
from vision.board import Board
from vision.frame import Frame
from vision.watcher import ThrowWatcher


def main(folder: Path) -> None:
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    world = World(folder / "world.json")
    journal = KeptJournal(folder / "journal.db")
    table = Table(journal, wall=wall, clock=now)
    board = Board.whole(WIDTH, HEIGHT, EDGE)

    def watch(frame: Frame) -> ThrowWatcher:
        return ThrowWatcher(WorldReader(world), board, expected=table.expected, lay=table.lay)

    door = Door()
    web = Web(table, journal, door=door, health=lambda: service.health())
    server = WebServer(web, bound("127.0.0.1", 0))
    service = Service(table, journal, eye=EyeThread(WorldCamera(world), watch, table, restart_s=0.2), server=server)
    print(f"{server.port} {door.code}", flush=True)
    with stopped_by_signals(service):
        service.run()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
