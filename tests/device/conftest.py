"""What the tests of the device share: a disk and a count of what was played that may take their time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from device import evenings
from device.journal import kept
from tests.waiting import PATIENCE_S


@pytest.fixture(autouse=True)
def _evenings_are_counted_in_time() -> Iterator[None]:
    """A page of them is answered once they are counted, not with what a laden machine has counted by then."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evenings, "PATIENCE_S", PATIENCE_S)
        yield


@pytest.fixture(autouse=True)
def _slow_disks_are_no_fault() -> Iterator[None]:
    """An event waits for the disk as long as that takes: the disk of a laden machine is slow.

    A test that is about slow disks says itself what is slow.
    """
    with pytest.MonkeyPatch.context() as patch:  # its own: a test may undo what it changed
        for limit in ("PATIENCE_S", "OPENING_S", "GOODBYE_S"):
            patch.setattr(kept, limit, PATIENCE_S)
        yield
