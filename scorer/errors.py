"""Why a rule or a table says no."""

from __future__ import annotations


class ScorerError(ValueError):
    """Base of everything that `scorer` raises."""


class IllegalEvent(ScorerError):
    """An event that the rules, or the state of the game, do not allow; nothing has changed.

    `reason` is a stable key that programs and texts rely on (``not_your_turn``), `message` a plain English
    sentence, `throw` the number of the throw that a correction would break, where that is the reason.
    """

    def __init__(self, reason: str, message: str, *, throw: int | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.throw = throw

    def to_json(self) -> dict[str, object]:
        """The value of the ``"error"`` key on the command line and over HTTP."""
        told: dict[str, object] = {"reason": self.reason, "message": self.message}
        if self.throw is not None:
            told["throw"] = self.throw
        return told
