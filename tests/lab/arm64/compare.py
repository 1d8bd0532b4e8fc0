"""Whether two machines read the same: `python compare.py ONE.jsonl OTHER.jsonl`, as `read` and `replay` print them.

What decides (faces, places, whether it is sure, every event) must be equal; figures may differ by what rounding does.
Exit status: 0 the same; 1 not; each difference is a line.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

FIGURES = {"confidence": 0.02, "ms": float("inf"), "px_per_mm": 0.02}
PIXELS = 1.0
SECONDS = 0.0


def differences(one: object, other: object, where: str = "", key: str = "") -> Iterator[str]:
    """Each place where they differ by more than rounding."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted(one.keys() | other.keys()):
            if FIGURES.get(name) != float("inf"):
                yield from differences(one.get(name), other.get(name), f"{where}.{name}", name)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (mine, its) in enumerate(zip(one, other, strict=True)):
            yield from differences(mine, its, f"{where}[{number}]", key)
    elif isinstance(one, float) and isinstance(other, int | float):
        allowed = FIGURES.get(key, SECONDS if key in ("t", "settled_at") else PIXELS)
        if abs(one - other) > allowed:
            yield f"{where}: {one} and {other}"
    elif one != other:
        yield f"{where}: {one} and {other}"


def main() -> int:
    one, other = ([json.loads(line) for line in Path(name).read_text("utf-8").splitlines()] for name in sys.argv[1:3])
    found = list(differences(one, other)) if len(one) == len(other) else [f"{len(one)} and {len(other)} lines"]
    for line in found:
        print(line)
    dice = sum(len(line.get("dice") or ()) for line in one)
    print(f"{len(one)} lines, {dice} dice: {f'{len(found)} differences' if found else 'the same on both'}")
    return 1 if found or not dice else 0


if __name__ == "__main__":
    sys.exit(main())
