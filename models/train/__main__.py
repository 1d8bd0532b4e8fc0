"""Train, export, calibrate and measure the reader: `python -m models.train --help`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import cv2
import numpy as np
import torch
from torch import nn

from models.train import canvases, chips, hands
from models.train.fit import fit
from models.train.losses import finder_loss, hand_loss, reader_loss
from models.train.nets import BLOCKS, FaceReader, Finder, HandFinder
from models.train.shipped import begin_from
from vision.hand_net import HAND
from vision.nets import FINDER, MODELS, READER, UPRIGHT

NAMES = {"localiser": "finder", "reader": "reader", "upright": "upright", "hands": "hand"}
FIRST = ("localiser", "reader")
"""Both of these; the net of the second look begins where that of the first ended."""
RATES = {"localiser": 3e-3, "reader": 2e-3, "upright": 1e-3, "hands": 3e-3}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m models.train", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in (*NAMES, "both", "all"):
        train = commands.add_parser(name, help=f"train {name}" if name != "all" else "train both, export, calibrate")
        train.add_argument("--data", type=Path, nargs="+", required=True, help="folders with pictures and labels.json")
        train.add_argument("--out", type=Path, required=True, help="where checkpoints go, as work/train/NAME")
        train.add_argument("--minutes", type=float, default=40.0, help="of training for each net (default 40)")
        train.add_argument("--seed", type=int, default=0)
        train.add_argument("--resume", action="store_true", help="go on from the checkpoint")
        train.add_argument("--start", type=Path, help="folder of an earlier training or of shipped files to begin from")
        train.add_argument("--rate", type=float, help=f"of learning, at first ({RATES}); half for a net that is good")
        if name == "all":
            _add_measured(train)
    _add_later_steps(commands)
    args = parser.parse_args()
    if args.command in NAMES:
        _train(args)
        return 0
    if args.command in ("both", "all"):
        status = _both(args)
        if status or args.command == "both":
            return status
    if args.command == "photos":
        from models.train.photos import photos

        for folder in args.folders:
            print(f"{folder.name}: {photos(folder, args.out / folder.name, args.to)} dice")
        return 0
    if args.command == "ground":
        from models.train.hard_ground import hard_ground

        for folder in args.folders:
            out = args.out / f"{folder.name}-ground"
            print(f"{folder.name}: {hard_ground(folder, out, args.to, args.every)} places")
        return 0
    if args.command == "quantise":
        from models.train.quantise import quantise

        quantise(args.data, args.cache, args.shipped, args.to)
        return 0
    from models.train import calibrate, export, measure

    if args.command in ("all", "export"):
        try:
            export.export(args.out, args.to)
        except FileNotFoundError as missing:
            raise SystemExit(str(missing)) from missing
    if args.command in ("all", "calibrate"):
        found = calibrate.gather_all(args.photos, args.renders, args.unseen, args.to, args.most)
        try:
            export.tell(args.to / READER, calibrate.told(found))
        except ValueError as nothing:
            raise SystemExit(str(nothing)) from nothing
    if args.command in ("all", "evaluate"):
        print(measure.measure(args.photos, args.renders, args.second, args.to, args.card))
    return 0


def _add_later_steps(commands: Any) -> None:
    """export, calibrate, evaluate, quantise."""
    ship = commands.add_parser("export", help="checkpoints to onnx")
    ship.add_argument("--out", type=Path, required=True, help="the folder given to training")
    _add_measured(commands.add_parser("calibrate", help="fit how far reads can be trusted"))
    _add_measured(commands.add_parser("evaluate", help="measure, and write the card's tables"))
    real = commands.add_parser("photos", help="labelled photographs as a set to train on")
    real.add_argument("folders", type=Path, nargs="+", help="folders with photographs and labels.json")
    real.add_argument("--out", type=Path, required=True, help="where a folder for each goes")
    hard = commands.add_parser("ground", help="what a reader takes for dice in renders, to train the next on")
    hard.add_argument("folders", type=Path, nargs="+", help="folders of renders")
    hard.add_argument("--out", type=Path, required=True, help="where a folder for each goes")
    hard.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth picture (1)")
    eight = commands.add_parser("quantise", help="the shipped nets in 8-bit integers, to be measured beside them")
    eight.add_argument("--data", type=Path, nargs="+", required=True, help="folders of renders that show the ranges")
    eight.add_argument("--cache", type=Path, default=Path("work/train/cache"), help="where training keeps its arrays")
    eight.add_argument("--shipped", type=Path, default=MODELS, help="folder of the onnx files")
    for command in commands.choices.values():
        command.add_argument("--to", type=Path, default=MODELS, help="folder of the onnx files")


def _add_measured(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--photos", type=Path, nargs="*", default=[], help="folders of labelled photographs")
    parser.add_argument("--renders", type=Path, nargs="*", default=[], help="folders of renders; every 20th is used")
    parser.add_argument("--unseen", type=Path, nargs="*", default=[], help="calibrate: renders no net was trained on")
    parser.add_argument("--second", type=Path, nargs="*", default=[], help="evaluate: folders of the second renderer")
    parser.add_argument("--most", type=int, default=0, help="calibrate: about so many pictures of a folder (0: all)")
    parser.add_argument("--card", type=Path, help="evaluate, all: the card whose tables are written anew")


def _train(args: argparse.Namespace) -> None:
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    cache, checkpoint = args.out.parent / "cache", args.out / f"{NAMES[args.command]}.pt"
    start = args.start / checkpoint.name if args.start else None
    if start is not None and args.command == "upright" and not start.exists():
        earlier = args.start / f"{NAMES['reader']}.pt"  # where no second look was trained yet, the first begins it
        start = earlier if earlier.exists() else start
    net: nn.Module
    data: Iterator[Any]
    loss: Callable[[nn.Module, Any], tuple[torch.Tensor, dict[str, float]]]
    if args.command == "hands":
        net, loss, shipped = HandFinder(), hand_loss, HAND
        shown = {folder: hands.gather(folder) for folder in dict.fromkeys(args.data)}
        data = hands.batches([each for folder in args.data for each in shown[folder]], 48, rng)
        try:
            seen = iter([next(data).pictures])
        except ValueError as nothing:
            raise SystemExit(str(nothing)) from nothing
    elif args.command != "localiser":
        upright = args.command == "upright"
        net, loss, shipped = FaceReader(BLOCKS[args.command]), reader_loss, UPRIGHT if upright else READER
        first, *others = [chips.gather(folder, cache) for folder in args.data]
        data = chips.batches(first.joined(others) if others else first, 64, rng, upright)
        seen = (next(data).crops for _ in range(8))
    else:
        net, loss, shipped = Finder(), finder_loss, FINDER
        data = canvases.batches([canvases.gather(folder, cache) for folder in args.data], 10, rng)
        seen = (next(data).canvas for _ in range(1))
    if start is not None and not start.exists():
        if not (shipped := args.start / shipped).exists():
            raise SystemExit(f"{args.start} has neither {start.name} nor {shipped.name} to begin from")
        try:
            begin_from(net, shipped, torch.from_numpy(np.concatenate(list(seen))))
        except ValueError as other:
            raise SystemExit(str(other)) from other
        start = None
    rate = args.rate or RATES[args.command]
    fit(net, data, loss, checkpoint, minutes=args.minutes, rate=rate, resume=args.resume, start=start)


def _both(args: argparse.Namespace) -> int:
    """One process for each net: two threads in one process are slower than two processes."""
    options = ["--data", *map(str, args.data), "--out", str(args.out), "--minutes", str(args.minutes)]
    options += ["--seed", str(args.seed), *(["--resume"] if args.resume else [])]
    options += ["--start", str(args.start)] if args.start else []
    options += ["--rate", str(args.rate)] if args.rate else []
    started = [subprocess.Popen([sys.executable, "-m", "models.train", name, *options]) for name in FIRST]
    return max(process.wait() for process in started)


if __name__ == "__main__":
    sys.exit(main())
