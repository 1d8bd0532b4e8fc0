"""What systemd wants to hear: ready, still alive, stopping. Says nothing where systemd does not listen."""

from __future__ import annotations

import os
import socket


def notify(state: str) -> None:
    """Send one line of sd_notify's protocol (``READY=1``, ``WATCHDOG=1``, ``STOPPING=1``)."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
            listening.connect(address)
            listening.send(state.encode())
    except OSError:
        return  # whoever started us is gone; play goes on
