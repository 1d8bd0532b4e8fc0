"""`pietjesoog demo`: a recorded game, played as if it happened now, on the terminal and the page."""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from device.board_choice import AUTO, WHOLE, BoardChoice
from device.cameras.recording import RecordingCamera
from device.chosen import Chosen
from device.config import LANGUAGES, Config
from device.cutouts import Cutouts
from device.errors import BadInput
from device.eye import EyeThread
from device.journal import KeptJournal
from device.last_throws import LastThrows
from device.numbers import port_number
from device.service import Service, stopped_by_signals, wall
from device.table import Table
from device.terminal import Terminal, tally
from device.tongue import Tongue
from device.upkeep import Upkeep, reader_of
from device.watching import watching
from device.web.app import Web
from device.web.door import Door
from device.web.server import WebServer, addresses, bound, phone_address
from device.wording import Wording
from scorer.errors import IllegalEvent
from vision.errors import VisionError
from vision.recording import Notes, Recording

EXAMPLE = """example:
  pietjesoog demo
  pietjesoog demo --port 9000 --language en

The pictures are simulated; everything after the camera is what runs on a table."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--host", default="127.0.0.1", metavar="H", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=port_number, default=8080, metavar="N", help="port of the page (8080)")
    parser.add_argument("--language", choices=LANGUAGES, default="nl", help="language of terminal and page (nl)")
    parser.add_argument("--keep", action="store_true", help="keep the page up at the end, until Ctrl-C")
    parser.add_argument("--fast", action="store_true", help="as fast as this machine reads, not at the table's pace")
    parser.add_argument("--recording", type=Path, default=None, metavar="FOLDER", help="another recording of a game")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play to the end; raises `DeviceError` for a taken port or a recording that cannot be played."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    recording = _recording(args.recording)
    listening = bound(args.host, args.port)
    words = Tongue(args.language)
    with tempfile.TemporaryDirectory(prefix="pietjesoog-demo-") as folder:
        journal = KeptJournal(Path(folder) / "journal.db")
        table = Table(journal, wall=wall)
        if not _starts_itself(recording.notes):
            _start(table, recording.notes)
        camera = RecordingCamera("the recording", recording, speed=None if args.fast else 1.0)
        cutouts, last_throws = Cutouts(), LastThrows()
        upkeep = Upkeep(Chosen(None, Config().with_values(web__language=args.language)), words, refresh=table.refresh)
        upkeep.board = BoardChoice(_board(recording))
        upkeep.reader = reader_of()
        watch = watching(upkeep.board, table, reader=upkeep.reader)
        marks = recording.notes.marks
        eye = EyeThread(
            camera,
            watch,
            table,
            marks=marks,
            once=True,
            cutouts=cutouts,
            last_throws=last_throws,
            sight=upkeep.sight,
        )
        upkeep.eye = eye
        door = Door()
        web = Web(
            table,
            journal,
            door=door,
            note="simulated",
            phone=lambda: phone_address(args.host, server.port),
            cutouts=cutouts,
            health=lambda: upkeep.health(service.health()),
            last_throws=last_throws,
            upkeep=upkeep,
        )
        server = WebServer(web, listening)
        where = addresses(args.host, server.port)[0]
        terminal = Terminal(sys.stdout, words, lambda: f"{where}play?code={door.code}")
        service = Service(table, journal, eye=eye, terminal=terminal, server=server)
        print(words.say("demo", "begin", where=where, phone=f"{where}play?code={door.code}"), flush=True)
        with stopped_by_signals(service):
            service.run(until=_Ending(service, eye, words, keep=args.keep or sys.stdout.isatty()))
    return 0


class _Ending:
    """Tells the final strokes once when the recording has ended; true from then on, unless the page is kept up."""

    def __init__(self, service: Service, eye: EyeThread, words: Wording, *, keep: bool) -> None:
        self._service, self._eye, self._words, self._keep = service, eye, words, keep
        self._told = False

    def __call__(self) -> bool:
        if not self._eye.ended.is_set():
            return False
        if not self._told:
            self._told = True
            self._service.show()
            now = self._service.table.now
            strokes = " · ".join(f"{player.name} {player.number} {tally(player.marks)}" for player in now.view.players)
            print(self._words.say("demo", "end", strokes=strokes), flush=True)
            if self._keep:
                print(self._words.say("demo", "keep"), flush=True)
        return not self._keep


def _starts_itself(notes: Notes) -> bool:
    """Whether the first thing pressed in the recording is the start of the game."""
    return bool(notes.marks) and notes.marks[0].t <= 0 and notes.marks[0].event.get("do") == "start"


def _start(table: Table, notes: Notes) -> None:
    event = {
        "do": "start",
        "game": notes.game,
        "players": list(notes.players),
        "opener": notes.opener or notes.players[0],
        "preset": notes.preset,
        "options": dict(notes.options),
    }
    try:
        told = table.say(event)[0]
    except IllegalEvent as fault:
        raise BadInput(f"the recording's game cannot start: {fault.message}") from fault
    if told.error is not None:
        raise BadInput(f"the recording's game cannot start: {told.error.message}")


def _recording(told: Path | None) -> Recording:
    folder = told if told is not None else Path(str(files("device"))) / "demo"
    if told is None and not folder.is_dir():
        raise BadInput("the demo's recording is not installed; play another with --recording FOLDER")
    try:
        recording = Recording(folder)
    except VisionError as fault:
        raise BadInput(str(fault)) from fault
    if recording.notes.game is None or not recording.notes.players:
        raise BadInput(f"{folder} has no recording.json that names a game and its players")
    return recording


def _board(recording: Recording) -> str:
    """What `recording.json` says of the board; a file is one beside it."""
    word = recording.notes.board or AUTO
    return word if word in (AUTO, WHOLE) else str(recording.path / word)
