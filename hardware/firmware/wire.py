"""The cable as a stream: standard input and output, which on a Pico is its USB port. Never waits."""

import select
import sys

MOST_READ = 256  # bytes a turn, so that the buttons are looked at in between


class Wire:
    """`ended` is true once the other side is gone for good, which only happens on a desk."""

    def __init__(self) -> None:
        self._in = getattr(sys.stdin, "buffer", sys.stdin)
        self._out = getattr(sys.stdout, "buffer", sys.stdout)  # sys.stdout itself would add carriage returns
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)
        self.ended = False

    def read(self) -> bytes:
        """What is there, maybe nothing. Byte by byte: a Pico's stdin waits until all that was asked for is there."""
        got = []
        while len(got) < MOST_READ and self._poll.poll(0):
            byte = self._in.read(1)
            if not byte:
                self.ended = True
                break
            got.append(byte)
        return b"".join(got)

    def write(self, data: bytes) -> None:
        try:  # noqa: SIM105  MicroPython has no contextlib
            self._out.write(data)
        except OSError:  # nobody listens; the next line may be luckier
            pass
