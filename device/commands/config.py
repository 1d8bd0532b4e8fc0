"""`pietjesoog config`: prints the settings with what each means, ready to be kept and changed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from device.config import Config, load, printed


def add(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "example: pietjesoog config > pietjesoog.toml && pietjesoog run --config pietjesoog.toml"
    parser.add_argument("--config", type=Path, metavar="FILE", help="check this file and print it, explained")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    sys.stdout.write(printed(load(args.config) if args.config else Config()))
    return 0
