"""What can already stand in chalk when a game begins here, as fields of the form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Field:
    """One word of the start event. `by`: one for all, for each ``player``, or for each ``number`` of each player.

    `most` bounds a number; `choices` are words instead, ``player`` stands for any player's name. The label is the
    text ``chalk.<key>``.
    """

    key: str
    by: str = ""
    most: int = 99
    choices: tuple[str, ...] = ()


CHALK: Mapping[str, tuple[Field, ...]] = {
    "pietjesbak": (Field("strokes", "player"),),
    "azen": (Field("count", most=8), Field("orderer", choices=("player",)), Field("taster", choices=("player",))),
    "pig": (Field("scores", "player", most=999),),
    "sachsenkniffel": (Field("crosses", "number", most=6),),
    "bataclan": (
        Field("dice_left", "player", most=28),
        Field("pile", most=28),
        Field("sizes", "player", choices=("large", "medium")),
    ),
}
NUMBERS = 12  # Sachsenkniffel's rows
