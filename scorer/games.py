"""All games by name."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

from scorer.errors import IllegalEvent
from scorer.game import Game

NAMES = ("pietjesbak", "azen", "pig", "sachsenkniffel", "bataclan")
"""Each is a module of `scorer` that offers its `GAME`."""


@cache
def game_named(name: str) -> Game[Any]:
    """The game of that name; raises `IllegalEvent` (``unknown_game``).

    >>> game_named("pietjesbak").players
    range(2, 9)
    """
    if name not in NAMES:
        raise IllegalEvent("unknown_game", f'there is no game "{name[:40]}"; there are: {", ".join(NAMES)}')
    try:
        game: Game[Any] = importlib.import_module(f"scorer.{name}").GAME
    except (ImportError, AttributeError) as fault:
        raise IllegalEvent("unknown_game", f"{name} is not installed here") from fault
    return game
