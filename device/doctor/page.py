"""The page's port, and the Pietjesoog that may be running behind it."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from device.config import Config
from device.doctor import Case, Finding, fault, ok

ASK_S = 2.0
Ask = Callable[[str], bytes]


def running(config: Config, ask: Ask | None = None) -> Mapping[str, Any]:
    """What a Pietjesoog of these settings that runs now tells of its health; empty where none does."""
    host, port = config.text("web.host"), config.whole("web.port")
    if not port:
        return {}
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}.get(host, host)
    try:
        told = json.loads((ask or _asked)(f"http://{host}:{port}/api/v1/health"))
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, Mapping) and {"rules", "camera", "uptime_s"} <= told.keys() else {}


def _asked(url: str) -> bytes:
    straight = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with straight.open(url, timeout=ASK_S) as answer:
        return bytes(answer.read(100_000))


def port(case: Case) -> Iterator[Finding]:
    """Free, or ours already."""
    number = case.config.whole("web.port")
    if case.running:
        minutes = float(case.running.get("uptime_s") or 0) / 60
        yield ok("port", f"Pietjesoog is running on port {number}, for {minutes:.0f} minutes; it was asked")
        return
    from device.web.server import PortTaken, bound

    try:
        bound(case.config.text("web.host"), number).close()
    except PortTaken as told:
        yield fault("port", str(told).partition(";")[0], "set web.host and web.port to others, or stop that program")
    else:
        yield ok("port", f"port {number} is free" if number else "a free port will be taken")
