"""What can go wrong at the edges, told in one sentence."""

from __future__ import annotations


class DeviceError(RuntimeError):
    """Base of everything that `device` raises; its text is a sentence for the person at the table."""


class BadInput(DeviceError, ValueError):
    """A file, picture, option or setting that cannot be used."""
