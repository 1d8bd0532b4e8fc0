"""`pietjesoog bench`: how fast this machine is, beside what was promised."""

from __future__ import annotations

import argparse
import json

from device.bench import Figure, all_benches
from device.errors import BadInput


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = "example: pietjesoog bench --short rules_event"
    parser.add_argument("names", nargs="*", metavar="NAME", help="which measurements; all without one (see --list)")
    parser.add_argument("--list", action="store_true", help="the names of the measurements, and nothing more")
    parser.add_argument("--short", action="store_true", help="a few seconds in all, less exact")
    parser.add_argument("--json", action="store_true", help="one JSON object a figure")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure; returns 0 however slow the machine is, raises `BadInput` for a name that is none."""
    benches = all_benches()
    for name in args.names:
        if name not in benches:
            raise BadInput(f"there is no measurement {name}; there are: {', '.join(benches)}")
    for name in args.names or benches:
        if args.list:
            print(json.dumps({"bench": name}) if args.json else name)
            continue
        for figure in benches[name](args.short):
            print(json.dumps(figure.to_json()) if args.json else in_words(figure), flush=True)
    return 0


def in_words(figure: Figure) -> str:
    """One line for a person.

    >>> in_words(Figure("rules_event_median", 16.2, "us", 50.0))
    'rules_event_median                    16.2 us      under 50 us: kept'
    """
    promised = ""
    if figure.limit is not None:
        promised = f"      under {figure.limit:g} {figure.unit}: {'kept' if figure.kept else 'NOT KEPT'}"
    return f"{figure.name:<32} {figure.value:>9g} {figure.unit}{promised}"
