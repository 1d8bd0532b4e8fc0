"""`pietjesoog score`: events in, the state after each out."""

from __future__ import annotations

import argparse
import codecs
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO

from device.errors import BadInput
from scorer.errors import IllegalEvent
from scorer.session import Session
from scorer.wire import event_from_line

EXAMPLE = """example:
  printf '%s\\n' '{"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}' \\
      '{"do": "throw", "dice": [1, 4, 5]}' '{"do": "stop"}' | pietjesoog score --json

An event that cannot be used gets a line with "error" and changes nothing; the exit status is then 1."""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = EXAMPLE
    parser.add_argument("events", nargs="?", metavar="EVENTS.jsonl", help="one event a line; standard input without it")
    parser.add_argument("--json", action="store_true", help="one JSON state a line instead of a sentence")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play every line; returns 1 where one could not be used, raises `BadInput` where there is no such file."""
    session, unusable = Session(), False
    if not args.json:
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    with _opened(args.events) as lines:
        for line in _lines(lines):
            try:
                session = session.apply(event_from_line(line))
                told: Mapping[str, object] = session.state
            except IllegalEvent as error:
                told, unusable = {"error": error.to_json()}, True
            print(json.dumps(told) if args.json else told_in_words(told), flush=True)
    return int(unusable)


def told_in_words(told: Mapping[str, Any]) -> str:
    """One readable line for a state or an error.

    >>> told_in_words({"error": {"reason": "not_your_turn", "message": "B is to throw"}})
    'refused: B is to throw (not_your_turn)'
    """
    if "error" in told:
        return f"refused: {told['error']['message']} ({told['error']['reason']})"
    parts = [f"{told['game']}, round {told.get('round', 1)}, {str(told['phase']).replace('_', ' ')}"]
    parts.append(" · ".join(_player(told, player) for player in told["players"]))
    last = told.get("last")
    if last:
        parts.append("last throw " + " ".join(str(face) for face in last["dice"]) + _where(last))
    if told.get("to_beat"):
        best = told["to_beat"]
        parts.append(f"to beat {'-'.join(map(str, best['dice']))} ({best['class']}, {best['points']})")
    parts += [f"{key} {told[key]}" for key in _COUNTED if isinstance(told.get(key), int)]
    for change in told.get("changes", ()):
        amounts = [f"{value:+d} {key}" for key, value in change.items() if isinstance(value, int) and value]
        parts.append(f"{change.get('player')} {' '.join([*amounts, str(change.get('why')).replace('_', ' ')])}")
    parts += [f"{key.replace('_', ' ')} {told[key]}" for key in _NAMED if told.get(key)]
    return " | ".join(parts)


_NAMED = ("round_winner", "pays_round", "payer", "winner", "loser", "to_throw")
_COUNTED = ("count", "turn", "number", "pile")
_FIGURES = ("strokes", "points", "score", "crosses", "dice_left")


def _player(told: Mapping[str, Any], player: Mapping[str, Any] | str) -> str:
    if isinstance(player, str):
        player = {"name": player}
    name = str(player["name"])
    figure = next((player[key] for key in _FIGURES if isinstance(player.get(key), int)), None)
    if figure is None:
        booked: Mapping[str, Any] = next(
            (told[key] for key in ("scores", "dice_left") if isinstance(told.get(key), Mapping)), {}
        )
        figure = booked.get(name)
    place = f" (place {player['place']})" if player.get("place") else " (left)" if player.get("left") else ""
    return (name if figure is None else f"{name} {figure}") + place


def _where(last: Mapping[str, Any]) -> str:
    return "".join(f", {last[key]} {words}" for key, words in _BESIDE.items() if last.get(key))


_BESIDE = {"outside": "outside", "rim": "on the rim"}


def _lines(stream: BinaryIO) -> Iterator[str]:
    """Each line that is not empty; what is no UTF-8 keeps a mark, so that it is refused and not the rest."""
    for number, raw in enumerate(stream):
        if not number:
            raw = raw.removeprefix(codecs.BOM_UTF8)  # as some editors begin a file
        line = raw.decode("utf-8", errors="surrogateescape").strip()
        if line:
            yield line


@contextmanager
def _opened(path: str | None) -> Iterator[BinaryIO]:
    if path is None or path == "-":
        yield sys.stdin.buffer
        return
    try:
        stream = open(path, "rb")  # noqa: SIM115
    except OSError as fault:
        raise BadInput(f"cannot read {path}: {fault.strerror or fault}") from fault
    with stream:
        yield stream
