"""Train and export the board net: `python -m models.boards train | export`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

EXAMPLE = """example:
  python -m models.render stills --kind board --size 384x288 --count 1000 --seed 200000 --out work/boards
  python -m models.boards train --data work/boards --bare work/closeups --out work/boards.pt --minutes 40
  python -m models.boards export --checkpoint work/boards.pt
"""


def main(argv: list[str] | None = None) -> int:
    """0 done, 2 nothing could be done."""
    told = _parser().parse_args(argv)
    try:
        import torch

        from models.boards import net, rings
    except ImportError as fault:
        print(f"models.boards: {fault.name} is missing; install the extra: pip install '.[train]'", file=sys.stderr)
        return 2
    torch.set_num_threads(1)
    try:
        if told.command == "export":
            _export(told.checkpoint, told.to)
            return 0
        boards = [one for folder in told.data for one in rings.load(folder) if one.rings is not None]
        bare = [one for folder in told.bare for one in rings.load(folder, every=told.every) if one.rings is None]
        if not boards:
            raise rings.BadLabels("None of the folders holds a board.")
    except (OSError, ValueError) as fault:
        print(f"models.boards: {fault}", file=sys.stderr)
        return 2
    print(f"{len(boards)} boards, {len(bare)} pictures without one", file=sys.stderr, flush=True)
    torch.manual_seed(told.seed)
    from models.boards.looks import batches
    from models.train.fit import fit

    def tensors() -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        for pictures, wanted in batches(boards, bare, told.batch, told.seed):
            yield torch.from_numpy(pictures), torch.from_numpy(wanted)

    fit(
        net.BoardNet(),
        tensors(),
        net.loss,
        told.out,
        minutes=told.minutes,
        rate=3e-3,
        resume=told.resume,
        start=told.start,
    )
    return 0


def _export(checkpoint: Path, to: Path) -> None:
    import torch

    from models.boards.net import BoardNet
    from models.train.fit import load_average

    net = load_average(BoardNet(), checkpoint)
    axes = {"picture": {2: "height", 3: "width"}, "maps": {2: "h", 3: "w"}}
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, 64, 64, dtype=torch.uint8),),
        str(to),
        input_names=["picture"],
        output_names=["maps"],
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
    print(f"{to}: {to.stat().st_size / 1024:.0f} KiB", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    shape = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m models.boards", description=__doc__, epilog=EXAMPLE, formatter_class=shape
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    train = commands.add_parser("train", help="train on rendered boards")
    train.add_argument("--data", type=Path, nargs="+", required=True, help="folders of rendered whole boards")
    train.add_argument("--bare", type=Path, nargs="*", default=[], help="folders of pictures, some without a board")
    train.add_argument("--every", type=int, default=1, help="of the bare pictures only every so manieth")
    train.add_argument("--out", type=Path, required=True, help="the checkpoint, as work/boards.pt")
    train.add_argument("--minutes", type=float, default=40.0, help="of training (default 40)")
    train.add_argument("--batch", type=int, default=16)
    train.add_argument("--seed", type=int, default=0)
    train.add_argument("--resume", action="store_true", help="go on from the checkpoint")
    train.add_argument("--start", type=Path, help="a checkpoint to begin from")
    ship = commands.add_parser("export", help="checkpoint to onnx")
    ship.add_argument("--checkpoint", type=Path, required=True)
    ship.add_argument("--to", type=Path, default=Path(__file__).resolve().parent.parent / "board.onnx")
    return parser


if __name__ == "__main__":
    sys.exit(main())
