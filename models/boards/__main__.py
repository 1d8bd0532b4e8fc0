"""Train and export the nets that find a board: `python -m models.boards train | export`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

EXAMPLE = """example:
  python -m models.render stills --kind board --size 384x288 --count 1000 --seed 200000 --out work/boards
  python -m models.boards train --data work/boards --bare work/closeups --out work/boards.pt --minutes 40
  python -m models.boards export --checkpoint work/boards.pt
  python -m models.render stills --kind board --size 512x384 --count 1500 --seed 600000 --out work/boards-large
  python -m models.boards train --net edges --data work/boards-large --out work/edges.pt --minutes 30
  python -m models.boards export --net edges --checkpoint work/edges.pt
"""
MODELS = Path(__file__).resolve().parent.parent
FILES = {"board": MODELS / "board.onnx", "edges": MODELS / "edges.onnx"}
"""The net that tells about where a board lies, and the one that tells where exactly its edges are."""


def main(argv: list[str] | None = None) -> int:
    """0 done, 2 nothing could be done."""
    told = _parser().parse_args(argv)
    try:
        import torch

        from models.train.fit import fit
    except ImportError as fault:
        print(f"models.boards: {fault.name} is missing; install the extra: pip install '.[train]'", file=sys.stderr)
        return 2
    torch.set_num_threads(1)
    try:
        if told.command == "export":
            _export(told.net, told.checkpoint, told.to or FILES[told.net])
            return 0
        torch.manual_seed(told.seed)
        net, data, loss = _edges(told) if told.net == "edges" else _board(told)
    except (OSError, ValueError) as fault:
        print(f"models.boards: {fault}", file=sys.stderr)
        return 2

    def tensors() -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        for pictures, wanted in data:
            yield torch.from_numpy(pictures), torch.from_numpy(wanted)

    fit(net, tensors(), loss, told.out, minutes=told.minutes, rate=told.rate, resume=told.resume, start=told.start)
    return 0


def _board(told: argparse.Namespace) -> tuple[Any, Iterator[Any], Any]:
    """The board net, what it is shown for ever, and its loss."""
    from models.boards import net, rings
    from models.boards.looks import batches

    boards = [one for folder in told.data for one in rings.load(folder) if one.rings is not None]
    bare = [one for folder in told.bare for one in rings.load(folder, every=told.every) if one.rings is None]
    if not boards:
        raise rings.BadLabels("None of the folders holds a board.")
    print(f"{len(boards)} boards, {len(bare)} pictures without one", file=sys.stderr, flush=True)
    return net.BoardNet(), batches(boards, bare, told.batch, told.seed), net.loss


def _edges(told: argparse.Namespace) -> tuple[Any, Iterator[Any], Any]:
    """The edge net, what it is shown for ever, and its loss."""
    from models.boards import edge_net
    from models.boards.strip_looks import batches
    from models.boards.strips import load

    strips, edges = load(told.data, told.seed)
    print(f"strips about {len(strips)} octagons", file=sys.stderr, flush=True)
    return edge_net.EdgeNet(), batches(strips, edges, told.batch, told.seed), edge_net.loss


def _export(kind: str, checkpoint: Path, to: Path) -> None:
    import torch

    from models.boards.edge_net import EdgeNet
    from models.boards.net import BoardNet
    from models.train.fit import load_average
    from vision.board_strips import PLANES, RAYS, SAMPLES

    net: torch.nn.Module = EdgeNet() if kind == "edges" else BoardNet()
    size = torch.zeros(1, PLANES, RAYS, SAMPLES) if kind == "edges" else torch.zeros(1, 3, 64, 64, dtype=torch.uint8)
    names = ("strips", "places") if kind == "edges" else ("picture", "maps")
    torch.onnx.export(
        load_average(net, checkpoint),
        (size,),
        str(to),
        input_names=names[:1],
        output_names=names[1:],
        dynamic_axes={"picture": {2: "height", 3: "width"}, "maps": {2: "h", 3: "w"}} if kind == "board" else None,
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
    train.add_argument("--net", choices=FILES, default="board", help="which net (default board)")
    train.add_argument("--data", type=Path, nargs="+", required=True, help="folders of rendered whole boards")
    train.add_argument("--bare", type=Path, nargs="*", default=[], help="folders of pictures, some without a board")
    train.add_argument("--every", type=int, default=1, help="of the bare pictures only every so manieth")
    train.add_argument("--out", type=Path, required=True, help="the checkpoint, as work/boards.pt")
    train.add_argument("--minutes", type=float, default=40.0, help="of training (default 40)")
    train.add_argument("--rate", type=float, default=3e-3, help="at which it learns at first (default 0.003)")
    train.add_argument("--batch", type=int, default=16)
    train.add_argument("--seed", type=int, default=0)
    train.add_argument("--resume", action="store_true", help="go on from the checkpoint")
    train.add_argument("--start", type=Path, help="a checkpoint to begin from")
    ship = commands.add_parser("export", help="checkpoint to onnx")
    ship.add_argument("--net", choices=FILES, default="board", help="which net (default board)")
    ship.add_argument("--checkpoint", type=Path, required=True)
    ship.add_argument("--to", type=Path, help="the file (default the shipped one)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
