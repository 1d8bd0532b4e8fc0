"""Pictures handed from one process to another through shared memory, the newest always at hand."""

from __future__ import annotations

import mmap
import os
import struct

import numpy as np

from device.cameras.driver import Shot
from vision.frame import Picture

SLOTS = 4  # one is read while the next ones are written
_HEAD = struct.Struct("=QdIIII")  # number, time, height and width of the picture, height and width of the small one
_PAGE = 64


class Slots:
    """A few places for pictures in the memory behind `fd`; one process writes, another reads.

    A picture is copied out and only then its number is looked at again: one that was overwritten meanwhile is none.

    >>> slots = Slots(os.memfd_create("doctest"))
    >>> number = slots.write(Shot(np.full((2, 2, 3), 7, np.uint8), 1.5))
    >>> slots.read(number).picture[0, 0].tolist()
    [7, 7, 7]
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._size = 0
        self._map: mmap.mmap | None = None
        self._written = 0

    def write(self, shot: Shot) -> int:
        """Put the next picture down; returns its number, from 1."""
        small = shot.small
        size = _PAGE + shot.picture.nbytes + (0 if small is None else small.nbytes)
        if size > self._size:
            self._grow(size)
        self._written += 1
        number, at = self._written, self._place(self._written)
        assert self._map is not None
        _HEAD.pack_into(self._map, at, 0, 0.0, 0, 0, 0, 0)
        self._put(at + _PAGE, shot.picture)
        if small is not None:
            self._put(at + _PAGE + shot.picture.nbytes, small)
        height, width = shot.picture.shape[:2]
        _HEAD.pack_into(self._map, at, number, shot.t, height, width, *((0, 0) if small is None else small.shape[:2]))
        return number

    def read(self, number: int) -> Shot | None:
        """A copy of that picture, None where a later one has taken its place."""
        if not self._look():
            return None
        assert self._map is not None
        at = self._place(number)
        found, t, height, width, small_height, small_width = _HEAD.unpack_from(self._map, at)
        nbytes, small_nbytes = height * width * 3, small_height * small_width * 3
        if found != number or _PAGE + nbytes + small_nbytes > self._size:
            return None
        picture = self._copied(at + _PAGE, height, width)
        small = self._copied(at + _PAGE + nbytes, small_height, small_width) if small_nbytes else None
        if _HEAD.unpack_from(self._map, at)[0] != number:
            return None
        return Shot(picture, t, small)

    def close(self) -> None:
        if self._map is not None:
            self._map.close()
            self._map = None

    def _grow(self, size: int) -> None:
        """Larger pictures than before; the old ones are given up. The file is never made smaller."""
        self._size = -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
        self.close()
        os.ftruncate(self._fd, SLOTS * self._size)
        self._map = mmap.mmap(self._fd, SLOTS * self._size)
        self._map[:] = bytes(SLOTS * self._size)

    def _look(self) -> bool:
        """The reader's view of the memory, made anew after the writer grew it."""
        size = os.fstat(self._fd).st_size // SLOTS
        if size != self._size:
            self.close()
            self._size = size
            self._map = mmap.mmap(self._fd, SLOTS * size) if size else None
        return self._map is not None

    def _place(self, number: int) -> int:
        return number % SLOTS * self._size

    def _put(self, at: int, picture: Picture) -> None:
        assert self._map is not None
        into = np.frombuffer(self._map, np.uint8, picture.nbytes, at).reshape(picture.shape)
        np.copyto(into, picture)
        del into  # a mapping with views cannot be closed

    def _copied(self, at: int, height: int, width: int) -> Picture:
        assert self._map is not None
        return np.frombuffer(self._map, np.uint8, height * width * 3, at).reshape(height, width, 3).copy()
