"""Make films of throws: `python -m models.throws clips | game | demo`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from models.render.draw import NoGraphics
from models.throws.clips import KINDS, film_clips
from models.throws.game import DEMO_SCRIPT, BadScript, film_game, read_script
from models.throws.search import NotFound

DEMO_FOLDER = Path(__file__).parents[2] / "device" / "demo"
EXAMPLES = """examples:
  python -m models.throws clips --count 20 --seed 0 --kind mixed --out work/clips
  python -m models.throws game --script models/throws/demo_game.json --out work/game
  python -m models.throws demo
"""


def main(argv: list[str] | None = None) -> int:
    """Run one command; 0 done, 2 nothing could be done."""
    parsed = _parser().parse_args(argv)
    try:
        return int(parsed.run(parsed))
    except (BadScript, NotFound, NoGraphics) as fault:
        print(f"models.throws: {fault}", file=sys.stderr)
        return 2


def _clips(told: argparse.Namespace) -> int:
    film_clips(told.out, told.kind, told.seed, told.count, _size(told.size), poses=told.poses, in_cafe=told.cafe)
    return 0


def _game(told: argparse.Namespace) -> int:
    film_game(read_script(told.script), told.out)
    return 0


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    return int(width), int(height)


def _parser() -> argparse.ArgumentParser:
    shape = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m models.throws", description="Make films of throws.", epilog=EXAMPLES, formatter_class=shape
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    clips = commands.add_parser(
        "clips",
        help="short clips and their throws.json",
        description="Film short clips, one a seed, and write throws.json beside them; what is there is kept.",
        epilog="example: python -m models.throws clips --count 20 --seed 0 --kind mixed --out work/clips",
        formatter_class=shape,
    )
    clips.add_argument("--count", type=int, default=10, help="how many clips (default 10)")
    clips.add_argument("--seed", type=int, default=0, help="the first clip's seed (default 0)")
    clips.add_argument("--kind", choices=KINDS, default="mixed", help="what happens in them (default mixed)")
    clips.add_argument("--size", default="1280x960", help="width x height in pixels (default 1280x960)")
    clips.add_argument("--cafe", action="store_true", help="on the demo's board instead of boards drawn at random")
    clips.add_argument("--poses", action="store_true", help="also write every frame's poses beside each clip")
    clips.add_argument("--out", type=Path, required=True, help="folder to write to")
    clips.set_defaults(run=_clips)
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
        one.set_defaults(run=_game)
    return parser


if __name__ == "__main__":
    sys.exit(main())
