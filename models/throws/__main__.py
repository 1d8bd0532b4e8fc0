"""Make films of throws, and measure on them: `python -m models.throws clips | game | demo | measure | noise`."""

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
  python -m models.throws measure --count 400 --seed 100000 --out work/measured.jsonl
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
        if told.command == "measure":
            from models.throws.measure import figures, measure

            rows = measure(told.out, told.seed, told.count, told.size, told.true_board)
            print("\n".join(figures(rows)))
        elif told.command == "noise":
            from models.throws.noise import measure_noise, noise_figures

            rows = measure_noise(told.out, told.seed, told.count, 60 * told.minutes, told.size)
            print("\n".join(noise_figures(rows)))
        elif told.command == "clips":
            film_clips(told.out, told.kind, told.seed, told.count, told.size, poses=told.poses, in_cafe=told.cafe)
        else:
            film_game(read_script(told.script), told.out)
    except (BadScript, BadTruth, NotFound, NoGraphics, ValueError) as fault:
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
    figures = commands.add_parser(
        "measure",
        help="throws by seed through the watcher, and how they were told",
        description="Film clips, one scene a seed, watch them, keep a row each and print the figures; can be resumed.",
        epilog="example: python -m models.throws measure --count 400 --seed 100000 --out work/measured.jsonl",
        formatter_class=shape,
    )
    figures.add_argument("--count", type=_count, default=40, help="how many seeds (default 40)")
    figures.add_argument("--seed", type=_seed, default=100_000, help="the first seed (default 100000)")
    figures.add_argument("--size", type=_size, default=(1280, 960), metavar="WxH", help="width x height in pixels")
    figures.add_argument("--true-board", action="store_true", help="tell the watcher the board, to measure it alone")
    figures.add_argument("--out", type=Path, required=True, help="file of rows, added to")
    quiet = commands.add_parser(
        "noise",
        help="minutes in which nobody throws, and what was told all the same",
        description="Watch hands, glasses, chalk, lamps and nudges, one scene a seed; can be resumed.",
        epilog="example: python -m models.throws noise --count 20 --minutes 6 --seed 100000 --out work/noise.jsonl",
        formatter_class=shape,
    )
    quiet.add_argument("--count", type=_count, default=20, help="how many scenes (default 20)")
    quiet.add_argument("--minutes", type=float, default=6.0, help="of each scene (default 6)")
    quiet.add_argument("--seed", type=_seed, default=100_000, help="the first scene's seed (default 100000)")
    quiet.add_argument("--size", type=_size, default=(1280, 960), metavar="WxH", help="width x height in pixels")
    quiet.add_argument("--out", type=Path, required=True, help="file of rows, added to")
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
