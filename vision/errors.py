"""What can be wrong with a picture, a board or a recording, told in one sentence."""

from __future__ import annotations


class VisionError(ValueError):
    """Base of everything that `vision` raises; its text is a sentence for the person at the table."""
