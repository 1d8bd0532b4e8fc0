"""Sentences for page, remote and terminal: texts filled in, with the right noun for a number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from string import Formatter

from device.config import LANGUAGES
from device.texts import FIRST, sentences


class Wording:
    """The texts of one language; Dutch fills what it lacks."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._sentences = {**sentences(FIRST), **sentences(language)}

    def has(self, section: str, key: str) -> bool:
        return f"{section}.{key}" in self._sentences

    def say(self, section: str, key: str, **args: object) -> str:
        """The sentence `section.key` with its arguments; a missing sentence is told by its key.

        ``{throws:worp|worpen}`` gives the number with its noun; what stands in ``[[ ]]`` is left out where one of
        its arguments is unknown.

        >>> wording("en").say("eye", "lost")
        'camera: no picture'
        """
        text = self._sentences.get(f"{section}.{key}")
        if text is None:
            return key.replace("_", " ")
        known = {name: value for name, value in args.items() if value is not None}
        text = _OPTIONAL.sub(lambda part: part[1] if _fields(part[1]) <= known.keys() else "", text)
        return _FILL.vformat(text, (), known)

    def section(self, name: str) -> Mapping[str, str]:
        """All sentences of one section by key."""
        start = f"{name}."
        return {key.removeprefix(start): text for key, text in self._sentences.items() if key.startswith(start)}


@cache
def wording(language: str) -> Wording:
    """The texts of `language`; an unknown one gives Dutch."""
    return Wording(language if language in LANGUAGES else FIRST)


class _Fill(Formatter):
    def get_value(self, key: int | str, args: object, kwargs: Mapping[str, object]) -> object:
        return kwargs.get(str(key), "")

    def format_field(self, value: object, spec: str) -> str:
        one, bar, many = spec.partition("|")
        return f"{value} {one if str(value).lstrip('+−') == '1' else many}" if bar else str(value)


_FILL = _Fill()
_OPTIONAL = re.compile(r"\[\[(.*?)\]\]")


def _fields(text: str) -> set[str]:
    return {name for _, name, _, _ in _FILL.parse(text) if name}
