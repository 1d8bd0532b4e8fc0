"""Dates, times of day and lengths of time in the reader's language."""

from __future__ import annotations

from datetime import datetime

from device.wording import Wording


def day(words: Wording, time: datetime | None) -> str:
    """The day in full.

    >>> from device.wording import wording
    >>> day(wording("fr"), datetime(2025, 11, 1)), day(wording("de"), datetime(2025, 11, 1))
    ('samedi 1er novembre 2025', 'Samstag, 1. November 2025')
    """
    if time is None:
        return words.say("date", "unknown")
    return words.say(
        "date",
        "full",
        weekday=words.say("date", f"weekday_{time.weekday()}"),
        day=words.say("date", "first") if time.day == 1 else time.day,
        month=words.say("date", f"month_{time.month}"),
        year=time.year,
    )


def from_to(begun: datetime | None, ended: datetime | None) -> str:
    """Times of day, '' where they are not known or the clock was put right in between.

    >>> from_to(datetime(2025, 11, 1, 19, 2), datetime(2025, 11, 2, 0, 40))
    '19:02–00:40'
    """
    if begun is None or ended is None or not 0 <= (ended - begun).total_seconds() < 24 * 3600:
        return ""
    return f"{begun:%H:%M}–{ended:%H:%M}"


def length(words: Wording, seconds: float) -> str:
    """How long something lasted, '' for no time at all.

    >>> from device.wording import wording
    >>> length(wording("en"), 4330.0), length(wording("en"), 44.0)
    ('1 h 12 min', '44 s')
    """
    if round(seconds) < 1:
        return ""
    if round(seconds) < 60:
        return words.say("date", "seconds", seconds=round(seconds))
    hours, minutes = divmod(round(seconds / 60), 60)
    return words.say("date", "hours" if hours else "minutes", hours=hours, minutes=minutes)
