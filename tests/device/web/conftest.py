"""A table, its door with a known code, and browsers that came in by it or did not."""

from __future__ import annotations

from pathlib import Path

import pytest
from an_owner import Device
from at_the_door import CODE, Clock, browser, came_in
from starlette.testclient import TestClient

from device.journal import MemoryJournal
from device.table import Table
from device.web.app import Web
from device.web.door import Door


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def journal() -> MemoryJournal:
    return MemoryJournal()


@pytest.fixture
def table(journal: MemoryJournal) -> Table:
    return Table(journal, wall=lambda: "noon")


@pytest.fixture
def door(clock: Clock) -> Door:
    codes = iter([int(CODE), 650027, 17, 999999])
    return Door(clock=clock, draw=lambda below: next(codes))


@pytest.fixture
def web(table: Table, journal: MemoryJournal, door: Door) -> Web:
    return Web(table, journal, door=door, note="simulated", health=lambda: {"ok": True})


@pytest.fixture
def device(tmp_path: Path, clock: Clock) -> Device:
    return Device(tmp_path, clock)


@pytest.fixture
def owner(device: Device) -> TestClient:
    return device.owner()


@pytest.fixture
def stranger(web: Web) -> TestClient:
    """A browser on the network that nobody told the code."""
    return browser(web)


@pytest.fixture
def client(web: Web) -> TestClient:
    """A phone that scanned the QR code."""
    return came_in(browser(web))
