"""Puts what the scripts compute into GUIDE.md, between the comments that name each table.

python -m hardware.tables           # writes GUIDE.md anew where a number changed
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from hardware import field_of_view, power, shopping, sizes

GUIDE = Path(__file__).with_name("GUIDE.md")
TABLES: Mapping[str, Callable[[], str]] = {
    "cameras": field_of_view.camera_table,
    "lamps": field_of_view.lamp_table,
    "saw": sizes.saw_table,
    "rim": sizes.rim_table,
    "loads": power.load_table,
    "limits": power.limit_table,
    "current": lambda: "\n\n".join(power.sentences()),
    "cost": shopping.cost_table,
    "printed": shopping.printed_table,
}


def filled(guide: str) -> str:
    """The guide with every table as it is computed now; `KeyError` for a table that there is not."""
    return re.sub(
        r"(<!-- table (\w+) -->\n)(?:(?!<!--).)*(<!-- end -->)",
        lambda found: f"{found[1]}{TABLES[found[2]]()}\n{found[3]}",
        guide,
        flags=re.DOTALL,
    )


if __name__ == "__main__":
    GUIDE.write_text(filled(GUIDE.read_text("utf-8")), "utf-8")
    sys.exit(0)
