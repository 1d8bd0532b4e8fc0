"""`pietjesoog replay`: plays a recording and tells what was thrown, with a game also what became of the score."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from device.board_choice import BoardChoice
from device.commands.score import told_in_words
from device.errors import BadInput
from device.film import Film
from device.journal import MemoryJournal
from device.numbers import dice_count, length_px
from device.one_line import one_line
from device.seeing import Seeing, Seen
from device.skipped import to_json
from device.snapshot import Told
from device.table import Table
from scorer.errors import IllegalEvent
from vision.errors import VisionError
from vision.frame import Frame
from vision.reader import Reader
from vision.recording import Mark, Notes, Recording
from vision.watcher import ThrowWatcher

EXAMPLE = """example:
  pietjesoog replay --board whole --dice 3 --json throw.mp4
  pietjesoog replay --game pietjesbak --players Ann,Bob --annotate drawn.mp4 evening/

RECORDING is a video, or a folder of pictures with an optional recording.json (fps, board, dice, game, players,
opener, preset, options, marks: [{"t": 3.2, "do": "stop"}]); the command line beats recording.json."""

DICE = 3
LOOK_EVERY_S = 0.5  # while no board was found yet

Line = dict[str, object]


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = EXAMPLE
    parser.add_argument("recording", metavar="RECORDING", help="a video, or a folder of pictures")
    parser.add_argument("--board", metavar="auto|whole|FILE", help="find it (default), all is felt, or as calibrated")
    parser.add_argument("--die-px", type=length_px, metavar="N", help="about how long a die's edge is in the picture")
    parser.add_argument("--dice", type=dice_count, metavar="N", help="dice of a throw, where no game says it (3)")
    parser.add_argument("--game", metavar="G", help="keep the score of this game")
    parser.add_argument("--players", metavar="A,B,…", help="who plays, in turn")
    parser.add_argument("--opener", metavar="NAME|roll-off", help="who begins; the first player unless named")
    parser.add_argument("--preset", metavar="P", help="house rules by name")
    parser.add_argument("--option", action="append", default=[], metavar="k=v", help="one house rule; JSON or a word")
    parser.add_argument("--annotate", metavar="OUT.mp4", help="write the recording with all that was read drawn in")
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of a sentence")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play the recording; returns 1 if some of its pictures could not be used, 2 if none could."""
    say: Callable[[Line], None] = _say_json if args.json else _say_words
    try:
        recording = Recording(Path(args.recording), lambda skipped: say(to_json(skipped)))
        reader = Reader()
    except VisionError as fault:
        raise BadInput(str(fault)) from fault
    notes = recording.notes
    choice = BoardChoice(args.board or _beside(recording.path, notes.board) or "auto", args.die_px)
    table = _table(_start(args, notes))
    play = _Play(choice, reader, args.dice or notes.dice or DICE, args.die_px, table, say)
    if table is not None:
        say({"t": 0.0, "event": "state", "state": table.now.session.state})
    elif notes.marks:
        print("recording.json has marks, but without a game they mean nothing.", file=sys.stderr)
    film = None if args.annotate is None else _film(Path(args.annotate), recording)
    try:
        used = play.all(recording, notes.marks if table is not None else (), film)
    except VisionError as fault:
        raise BadInput(str(fault)) from fault
    finally:
        if film is not None:
            film.close()
    if film is not None:
        film.check()
    if not used:
        raise BadInput(f"No picture of {recording.path} could be used.")
    if play.watches and not play.happened:
        print(f"Nothing happened in this recording ({used} pictures): no throw, no hand.", file=sys.stderr)
    return int(bool(recording.skipped) or not play.watches)


class _Play:
    """One run through a recording."""

    def __init__(
        self,
        choice: BoardChoice,
        reader: Reader,
        dice: int,
        die_px: float | None,
        table: Table | None,
        say: Callable[[Line], None],
    ) -> None:
        self._choice, self._reader, self._dice, self._die_px = choice, reader, dice, die_px
        self._table, self._say = table, say
        self._watcher: ThrowWatcher | None = None
        self._seeing: Seeing | None = None
        self._looked = -LOOK_EVERY_S
        self.happened = 0
        """What was seen to happen, so far."""

    @property
    def watches(self) -> bool:
        return self._watcher is not None

    def all(self, recording: Recording, marks: tuple[Mark, ...], film: Film | None) -> int:
        """Play every frame; returns how many could be used."""
        used, waiting, t = 0, list(marks), 0.0
        for frame in recording:
            used, t = used + 1, frame.t
            while waiting and waiting[0].t <= t:
                self._press(waiting.pop(0))
            if self._watcher is None:
                self._look_for_board(frame)
            if self._watcher is not None:
                self._tell(t, self._see(frame))
            if film is not None:
                film.add(frame, self._watcher, self._table)
        if self._seeing is not None:
            self._tell(t, self._seeing.finish())
        elif self._watcher is not None:
            self._tell(t, [Seen(happening, ()) for happening in self._watcher.finish()])
        for mark in waiting:
            self._press(mark)
        if used and self._watcher is None:
            message = "No board was found in this recording; calibrate, or use --board whole."
            self._say({"recording": str(recording.path), "error": {"reason": "no_board", "message": message}})
        return used

    def _look_for_board(self, frame: Frame) -> None:
        if frame.t - self._looked < LOOK_EVERY_S:
            return
        self._looked = frame.t
        board = self._choice.board_for(frame.picture)
        if board is None:
            return
        find = None if board.is_whole else self._choice.found_anew
        self._watcher = ThrowWatcher(self._reader, board, expected=self._dice, die_px=self._die_px, find_board=find)
        if self._table is not None:
            self._seeing = Seeing(self._watcher, self._table)

    def _see(self, frame: Frame) -> list[Seen]:
        if self._seeing is not None:
            return self._seeing.see(frame)
        assert self._watcher is not None
        return [Seen(happening, ()) for happening in self._watcher.see(frame)]

    def _tell(self, t: float, seen: list[Seen]) -> None:
        for one in seen:
            if one.happening is not None:
                self.happened += 1
                self._say(one.happening.to_json())
            for told in one.told:
                self._say(_became(t, told))

    def _press(self, mark: Mark) -> None:
        """A button or a tap while it was recorded."""
        assert self._table is not None
        try:
            for told in self._table.say(mark.event, at=mark.t):
                if not told.held:
                    self._say(_became(mark.t, told))
        except IllegalEvent as fault:
            self._say({"t": round(mark.t, 3), "event": "error", "error": fault.to_json()})


def _became(t: float, told: Told) -> Line:
    if told.error is not None:
        return {"t": round(t, 3), "event": "error", "error": told.error.to_json()}
    return {"t": round(t, 3), "event": "state", "state": told.snapshot.session.state}


def _start(args: argparse.Namespace, notes: Notes) -> dict[str, object] | None:
    """The event that begins the game, of the command line and the notes together; None without a game."""
    game = args.game or notes.game
    if game is None:
        if args.players or args.opener or args.preset or args.option:
            raise BadInput("--players, --opener, --preset and --option need --game.")
        return None
    players = [name.strip() for name in args.players.split(",")] if args.players else list(notes.players)
    if not players:
        raise BadInput("A game needs --players A,B,…")
    opener = args.opener or notes.opener or players[0]
    event: dict[str, object] = {"do": "start", "game": game, "players": players}
    event["options"] = {**notes.options, **dict(_option(text) for text in args.option)}
    if (preset := args.preset or notes.preset) is not None:
        event["preset"] = preset
    if opener != "roll-off" or opener in players:
        event["opener"] = opener
    return event


def _option(text: str) -> tuple[str, object]:
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise BadInput(f"--option wants name=value, not {text}")
    try:
        return key, json.loads(value)
    except (ValueError, RecursionError):
        return key, value


def _film(path: Path, recording: Recording) -> Film:
    if path.exists() and path.samefile(recording.video or recording.path):
        raise BadInput(f"{path} is the recording itself: write the film to another file.")
    return Film(path, recording.fps)


def _table(start: Mapping[str, object] | None) -> Table | None:
    if start is None:
        return None
    table = Table(MemoryJournal())
    try:
        for told in table.say(start):
            if told.error is not None:
                raise told.error
    except IllegalEvent as fault:
        raise BadInput(f"The game cannot begin: {fault.message}.") from fault
    return table


def _beside(recording: Path, board: str | None) -> str | None:
    """A board file that `recording.json` names lies in its folder."""
    if board is None or board in ("auto", "whole"):
        return board
    return str(recording / board)


def _say_json(line: Line) -> None:
    print(json.dumps(line), flush=True)


def _say_words(line: Line) -> None:
    print(one_line(in_words(line)), flush=True)


def in_words(line: Mapping[str, Any]) -> str:
    """One readable line for a happening.

    >>> in_words({"t": 1.83, "event": "throw", "dice": [1, 5], "outside": 1, "rim": 0, "settled_at": 1.4})
    '    1.83  throw 1 5, 1 outside'
    """
    if "event" not in line:
        return str(line["error"]["message"])
    event, words = line["event"], [str(line["event"]).replace("_", " ")]
    if event == "state":
        words = [told_in_words(line["state"])]
    elif event == "error":
        words = [f"refused: {line['error']['message']} ({line['error']['reason']})"]
    else:
        words += ["?" if face is None else str(face) for face in line.get("dice", ())]
        words += [f"from {line['from_deg']}°"] if event == "hand" and line.get("from_deg") is not None else []
        words += [str(line["what"]).replace("_", " ")] if "what" in line else []
    text = " ".join(words)
    for key in ("outside", "rim", "missing"):
        if line.get(key):
            text += f", {line[key]} {'on the rim' if key == 'rim' else key}"
    if line.get("why"):
        text += f" ({' '.join(word.replace('_', ' ') for word in line['why'])})"
    return f"{line['t']:8.2f}  {text}"
