"""All games by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer import azen, bataclan, pietjesbak, pig, sachsenkniffel
from scorer.errors import IllegalEvent
from scorer.game import Game

_ALL: tuple[Game[Any], ...] = (pietjesbak.GAME, azen.GAME, pig.GAME, sachsenkniffel.GAME, bataclan.GAME)
GAMES: Mapping[str, Game[Any]] = {game.name: game for game in _ALL}
NAMES = tuple(GAMES)


def game_named(name: str) -> Game[Any]:
    """The game of that name; raises `IllegalEvent` (``unknown_game``).

    >>> game_named("pietjesbak").players
    range(2, 9)
    """
    if name not in GAMES:
        raise IllegalEvent("unknown_game", f'there is no game "{name[:40]}"; there are: {", ".join(NAMES)}')
    return GAMES[name]
