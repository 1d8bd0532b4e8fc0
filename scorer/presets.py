"""Named sets of options; each line can be checked against the source it names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scorer.errors import IllegalEvent
from scorer.events import Start
from scorer.options import Option, Scalar, check_options

PRESETS: Mapping[str, Mapping[str, Mapping[str, Scalar]]] = {
    "pietjesbak": {
        # the English rulebook sheet; zand by face is borrowed from the Flemish text, since the sheet is silent
        "rulebook": {},
        # the Dutch description: "de beste worp telt", "nog alle streepjes heeft staan", "moet men een rondje betalen"
        "vlaams": {"counting": "best", "three_aces_needs": "below_start", "early_aces_pay": True},
        # nl.wikipedia: zand is zand
        "nl-wikipedia": {"zand_order": "all_equal"},
        # buffalo.nl: best throw, everyone adds for 2-2-3, stoef wins two or costs two, the first out wins
        "buffalo": {
            "counting": "best",
            "seven_penalty": "everyone",
            "stoef": "two_strokes",
            "stoef_lost": 2,
            "finish": "first_out_wins",
        },
        # the Mort Subite beer mat: a die outside costs a round of drinks instead of a stroke
        "mort-subite": {
            "counting": "best",
            "stoef": "two_strokes",
            "die_outside_strokes": 0,
            "die_outside_pays": True,
        },
        # lepastis.be, rules of a café tournament
        "lepastis": {"strokes": 12, "start_tie": "tied_only", "next_game": "loser"},
    },
    "azen": {"rulebook": {}},
    "pig": {"rulebook": {}},
    "sachsenkniffel": {"rulebook": {}},
    "bataclan": {"rulebook": {}},
}


def options_for(event: Start, declared: Iterable[Option]) -> dict[str, Any]:
    """The options a game starts with: its defaults, then the preset, then the single options.

    Raises `IllegalEvent`: ``unknown_preset``, ``unknown_option`` or ``bad_option``.

    >>> from scorer.pietjesbak import GAME
    >>> chosen = options_for(Start(game="pietjesbak", players=("A", "B"), preset="lepastis"), GAME.options)
    >>> chosen["strokes"], chosen["counting"]
    (12, 'last')
    """
    presets = PRESETS.get(event.game, {})
    if event.preset is not None and event.preset not in presets:
        known = ", ".join(presets)
        raise IllegalEvent("unknown_preset", f'there is no preset "{event.preset[:40]}"; there are: {known}')
    return check_options(declared, {**(presets[event.preset] if event.preset else {}), **event.options})
