"""Make films of throws: `python -m models.throws clips | game | demo`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

DEMO_FOLDER = Path(__file__).parents[2] / "device" / "demo"
DEMO_SCRIPT = Path(__file__).with_name("demo_game.json")
KINDS = ("throw", "outside", "rim", "cocked", "stacked", "none", "mixed")
BLOCK_PX = 16
"""Films have sides of whole blocks."""
EXAMPLES = """examples:
  python -m models.throws clips --count 20 --seed 0 --kind mixed --out work/clips
  python -m models.throws game --script models/throws/demo_game.json --out work/game
  python -m models.throws demo
"""


def main(argv: list[str] | None = None) -> int:
    """Run one command; 0 done, 2 nothing could be done."""
    told = _parser().parse_args(argv)
    try:
        from models.render.draw import NoGraphics
        from models.throws.clips import BadTruth, film_clips
        from models.throws.game import BadScript, film_game, read_script
        from models.throws.search import NotFound
    except ImportError as fault:
        print(f"models.throws: {fault.name} is missing; install the extra: pip install '.[train]'", file=sys.stderr)
        return 2
    try:
        if told.command == "clips":
            film_clips(told.out, told.kind, told.seed, told.count, told.size, poses=told.poses, in_cafe=told.cafe)
        else:
            film_game(read_script(told.script), told.out)
    except (BadScript, BadTruth, NotFound, NoGraphics) as fault:
        print(f"models.throws: {fault}", file=sys.stderr)
        return 2
    except OSError as fault:
        print(f"models.throws: {told.out} cannot be written: {fault.strerror or fault}", file=sys.stderr)
        return 2
    return 0


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit()):
        raise argparse.ArgumentTypeError(f"a size is like 1280x960, not {text}")
    size = int(width), int(height)
    if min(size) < 10 * BLOCK_PX or max(size) > 4096 or any(side % BLOCK_PX for side in size):
        raise argparse.ArgumentTypeError(f"each side is a multiple of {BLOCK_PX} from 160 to 4096, not {text}")
    return size


def _count(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"a number of clips is 1 or more, not {text}")
    return int(text)


def _seed(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"a seed is a whole number from 0, not {text}")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    shape = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m models.throws", description="Make films of throws.", epilog=EXAMPLES, formatter_class=shape
    )
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND", required=True)
    clips = commands.add_parser(
        "clips",
        help="short clips and their throws.json",
        description="Film short clips, one a seed, and write throws.json beside them; what is there is kept.",
        epilog="example: python -m models.throws clips --count 20 --seed 0 --kind mixed --out work/clips",
        formatter_class=shape,
    )
    clips.add_argument("--count", type=_count, default=10, help="how many clips (default 10)")
    clips.add_argument("--seed", type=_seed, default=0, help="the first clip's seed (default 0)")
    clips.add_argument("--kind", choices=KINDS, default="mixed", help="what happens in them (default mixed)")
    clips.add_argument(
        "--size", type=_size, default=(1280, 960), metavar="WxH", help="width x height in pixels (default 1280x960)"
    )
    clips.add_argument("--cafe", action="store_true", help="on the demo's board instead of boards drawn at random")
    clips.add_argument("--poses", action="store_true", help="also write every frame's poses beside each clip")
    clips.add_argument("--out", type=Path, required=True, help="folder to write to")
    for name, folder, script in (("game", None, None), ("demo", DEMO_FOLDER, DEMO_SCRIPT)):
        what = "a game from a script" if name == "game" else "the recording that `pietjesoog demo` plays"
        one = commands.add_parser(
            name,
            help=what,
            description=f"Film {what}: game.mp4, recording.json and board.toml.",
            epilog=f"example: python -m models.throws {name}"
            + (" --script models/throws/demo_game.json --out work/game" if name == "game" else ""),
            formatter_class=shape,
        )
        one.add_argument("--script", type=Path, default=script, required=script is None, help="what is thrown, JSON")
        one.add_argument("--out", type=Path, default=folder, required=folder is None, help="folder to write to")
    return parser


if __name__ == "__main__":
    sys.exit(main())
