"""The web application on a port, in a thread of its own."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import logging
import socket
import sys
import termios
import threading
import time
from urllib.parse import urlsplit

import uvicorn

from device.access_point import AccessPoint
from device.errors import BadInput
from device.web.app import Web
from device.web.connections import Connection
from device.web.guard import is_loopback
from device.web.load import Load

STOP_S = 1.0
HTTP = 80  # the port that no address needs to name
GONE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4, "TCP_USER_TIMEOUT": 120_000}  # s, s, tries, ms


class PortTaken(BadInput):
    """Nobody can listen there; the text says what to do."""


def bound(host: str, port: int) -> socket.socket:
    """A socket listening on host and port; raises `PortTaken`."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        made = socket.socket(family, socket.SOCK_STREAM)
    except (OSError, ValueError) as fault:  # ValueError: a name that no machine can have
        raise PortTaken(f'there is no address "{host}" to listen on; choose another with --host') from fault
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    _notice_the_gone(made)
    try:
        made.bind((host, port))
        made.listen(64)
    except OSError as fault:
        made.close()
        if fault.errno == errno.EADDRINUSE:
            raise PortTaken(f"port {port} is in use by another program; choose another with --port") from fault
        if fault.errno == errno.EACCES:
            raise PortTaken(f"port {port} may not be used by this user; choose one above 1023 with --port") from fault
        raise PortTaken(f"{host} cannot be listened on ({fault.strerror}); choose another with --host") from fault
    return made


def _notice_the_gone(made: socket.socket) -> None:
    """Phones leave without a word: what is accepted from here on is closed once nobody answers."""
    made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in GONE.items():
        if (option := getattr(socket, name, None)) is not None:  # not every system has all
            made.setsockopt(socket.IPPROTO_TCP, option, value)


def port_of(listening: socket.socket) -> int:
    """The port really used, also where a free one was asked for."""
    return int(listening.getsockname()[1])


class WebServer:
    """Serves `web` from `start` to `stop`; `port` is the one really used."""

    def __init__(self, web: Web, listening: socket.socket) -> None:
        self._web, self._socket = web, listening
        self.port = port_of(listening)
        self._server = self._made()
        self._thread = self._run_by(self._server)

    def start(self) -> None:
        self._thread.start()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    @property
    def is_wanted(self) -> bool:
        """Whether it was begun and not asked to end."""
        return self._thread.ident is not None and not self._server.should_exit

    @property
    def progress(self) -> float:
        """When its loop last turned, ten times a second, on the monotonic clock."""
        return self._server.turned

    def again(self) -> None:
        """Another loop on the same port takes over from one that died or stands still."""
        self._server.force_exit = True
        self._server = self._made()
        self._thread = self._run_by(self._server)
        self._thread.start()

    def stop(self) -> None:
        """Within about a second, open streams included."""
        self._web.close()
        self._server.should_exit = True
        self._thread.join(STOP_S)
        if self._thread.is_alive():
            self._server.force_exit = True
        self._socket.close()

    def health(self) -> dict[str, object]:
        """Who is connected, and whether somebody asks more than is answered or takes nothing of what is sent."""
        return self._web.load.health(len(self._server.server_state.connections))

    def _made(self) -> _Server:
        return _Server(
            self._web.load,
            uvicorn.Config(
                self._web.app,
                log_level=logging.ERROR,  # else whoever sends rubbish fills the log
                access_log=False,
                http=Connection,
                timeout_graceful_shutdown=1,
                timeout_keep_alive=5,
                limit_concurrency=256,
                server_header=False,
            ),
        )

    def _run_by(self, server: _Server) -> threading.Thread:
        listening = self._socket.dup()  # each closes its own at its end
        return threading.Thread(target=lambda: server.run(sockets=[listening]), name="web", daemon=True)


class _Server(uvicorn.Server):
    """Tells when its loop last turned, and once a second who takes nothing of what is sent."""

    def __init__(self, load: Load, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._load = load
        self.turned = time.monotonic()

    async def on_tick(self, counter: int) -> bool:
        self.turned = time.monotonic()
        if counter % 10 == 0:
            self._load.unsent([(one, _unsent(one)) for one in self.server_state.connections])
        return await super().on_tick(counter)


def _unsent(connection: object) -> int:
    """Bytes written to a connection that its other side has not confirmed."""
    transport = getattr(connection, "transport", None)
    if transport is None or transport.is_closing():
        return 0
    told = bytearray(4)
    with contextlib.suppress(OSError, ValueError, AttributeError):
        fcntl.ioctl(transport.get_extra_info("socket").fileno(), termios.TIOCOUTQ, told)
    return int.from_bytes(told, sys.byteorder) + int(transport.get_write_buffer_size())


def addresses(host: str, port: int) -> list[str]:
    """Where the page is, as people type it; for all interfaces the address that the local network sees first."""
    at = "" if port == HTTP else f":{port}"
    if host not in ("0.0.0.0", "::"):
        name = f"[{host}]" if ":" in host else host
        return [f"http://{name}{at}/"]
    found = ["127.0.0.1"]
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation; nothing is sent
            found.insert(0, probe.getsockname()[0])
    except OSError:
        pass  # no network yet: the page is there all the same
    return [f"http://{name}{at}/" for name in dict.fromkeys(found)]


def phone_address(host: str, port: int, wifi: AccessPoint | None = None) -> str:
    """The remote's address as phones reach it, '' where none can: no network yet, or only this machine listens.

    While the device's own `wifi` is open it is the address in that.
    """
    here = addresses(wifi.address if wifi is not None and not is_loopback(host) else host, port)[0]
    return "" if is_loopback(urlsplit(here).hostname or "") else f"{here}play"
