"""A menu that one button can walk through: immutable; and what a small screen shows of it, or of a press."""

from __future__ import annotations

from dataclasses import dataclass, replace

from device.buttons.meaning import Item, Said
from device.wording import Wording

OPEN_S = 20.0  # an open menu that nobody touches closes


@dataclass(frozen=True)
class Shown:
    """What lies over the score for a moment: lines of which one may be chosen, and what the buttons do."""

    title: str
    lines: tuple[str, ...] = ()
    chosen: int = 0
    hint: str = ""


@dataclass(frozen=True)
class Menu:
    """Open from `touched` on for `OPEN_S`; `seq` is the entry of the journal at which it was opened."""

    items: tuple[Item, ...]
    seq: int
    touched: float
    at: int = 0

    def walked(self, t: float) -> Menu:
        """The next item, after the last the first."""
        return replace(self, at=(self.at + 1) % len(self.items), touched=t)

    @property
    def said(self) -> Said | None:
        """What taking the chosen item says."""
        return self.items[self.at].said

    def stale(self, seq: int, t: float) -> bool:
        """Whether it has to close: the game went on, or nobody touched it."""
        return seq != self.seq or t - self.touched >= OPEN_S

    def shown(self, words: Wording, *, one_button: bool) -> Shown:
        lines = tuple(words.say("menu", item.key, **_worded(item, words)) for item in self.items)
        return Shown(words.say("menu", "title"), lines, self.at, words.say("menu", "one" if one_button else "three"))


def _worded(item: Item, words: Wording) -> dict[str, object]:
    game = item.args.get("game")
    return dict(item.args) | ({"game": words.say("game", game)} if isinstance(game, str) else {})
