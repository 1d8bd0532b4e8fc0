"""The odds of the player to throw as a sentence, where a table wants to see them."""

from __future__ import annotations

from device.snapshot import Snapshot
from device.wording import Wording
from scorer.odds import odds

KEYS = ("stop", "throw_on", "lose_turn", "gain")


def chances(now: Snapshot, words: Wording) -> str:
    """What stopping and going on are worth now; '' where there is nothing to choose."""
    found = odds(now.session)
    if found is None or now.pending is not None or now.view.paused:
        return ""
    told = [words.say("odds", key, chance=_shown(key, found[key], words)) for key in KEYS if found.get(key) is not None]
    return " · ".join(told)


def _shown(key: str, value: object, words: Wording) -> str:
    """A chance in per cent, points to one decimal."""
    number = float(value) if isinstance(value, int | float) else 0.0
    if key == "gain":
        return f"{number:.1f}".replace(".", "." if words.language == "en" else ",")
    return f"{100 * number:.0f} %"
