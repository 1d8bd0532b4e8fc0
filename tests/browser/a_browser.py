"""What the tests in a browser share: sizes of screens, and waiting for a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from a_table import Shown

from tests.waiting import PATIENCE_S, waited

PATIENCE_MS = round(3000 * PATIENCE_S)  # a browser is many programs, and a busy machine is slow, not broken
HERE = Path(__file__).parent
DESKTOP, PHONE = (1280, 720), (390, 844)
Open = Callable[..., Any]
Shoot = Callable[[Any, str], None]


def until(page: Any, told: str) -> None:
    """Wait until an expression of the page's script is true; asked from outside, since the page lets nobody eval."""
    for _ in range(PATIENCE_MS // 20):
        try:
            if page.evaluate(f"Boolean({told})"):
                return
        except Exception as fault:
            if "Execution context was destroyed" not in str(fault):  # the page is on its way to another
                raise
        page.wait_for_timeout(20)
    raise AssertionError(f"never came true: {told}")


def soon(page: Any, true: Callable[[], bool]) -> bool:
    """Whether it comes true on this side of the page, which goes on meanwhile."""

    def looked() -> bool:
        page.wait_for_timeout(20)
        return true()

    return waited(looked)


def settled(page: Any, at: Shown) -> None:
    """Wait until the page shows what stands on the table."""
    until(page, f"seq === {at.table.now.seq} && !fetching && !wanted")
