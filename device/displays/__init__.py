"""Small screens at the board: what any of them does, one protocol, and the fake beside it."""

from __future__ import annotations

from typing import Protocol

from PIL import Image

from device.displays.ink import Format


class Panel(Protocol):
    """One screen, opened by its constructor; used by one thread only; a contract suite runs on every class.

    Constructor and methods raise `device.kept.PartLost`, which says what is wrong; then it is closed and opened anew.
    """

    form: Format

    def show(self, picture: Image.Image) -> None:
        """The picture, of the size and kind that `form` says, until the next."""

    def bright(self, level: float) -> None:
        """How bright, from 0 (as dark as it goes) to 1."""

    def close(self) -> None:
        """Dark, pins and bus given back; any number of times."""


class FakePanel:
    """Keeps what was shown; `lost`, once set, is raised by whatever comes next, as an unplugged screen would."""

    def __init__(self, form: Format) -> None:
        self.form = form
        self.shown: list[Image.Image] = []
        self.level = 1.0
        self.closed = False
        self.lost: Exception | None = None

    def show(self, picture: Image.Image) -> None:
        self._check(picture)
        self.shown.append(picture.copy())

    def bright(self, level: float) -> None:
        self._check(None)
        self.level = level

    def close(self) -> None:
        self.closed = True

    def _check(self, picture: Image.Image | None) -> None:
        if self.lost is not None:
            raise self.lost
        if picture is not None and (picture.size != (self.form.width, self.form.height) or self.closed):
            raise ValueError("a picture of another size, or a closed screen")
