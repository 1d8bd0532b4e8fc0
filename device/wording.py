"""Every word that people read, in four languages: one TOML file each, Dutch fills what another lacks."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Formatter

from device.config import LANGUAGES

FIRST = "nl"


class Wording:
    """The texts of one language: `say` fills a sentence in, a missing key is told by its own words."""

    def __init__(self, language: str, sections: Mapping[str, Mapping[str, str]]) -> None:
        self.language = language
        self._sections = sections

    def has(self, section: str, key: str) -> bool:
        return key in self._sections.get(section, {})

    def say(self, section: str, key: str, **args: object) -> str:
        """The sentence `section.key` with its arguments; a missing sentence is told by its key.

        ``{throws:worp|worpen}`` gives the number with its noun; what stands in ``[[ ]]`` is left out where one of
        its arguments is unknown.

        >>> wording("en").say("eye", "lost")
        'camera lost'
        """
        text = self._sections.get(section, {}).get(key)
        if text is None:
            return key.replace("_", " ")
        known = {name: value for name, value in args.items() if value is not None}
        text = _OPTIONAL.sub(lambda part: part[1] if _fields(part[1]) <= known.keys() else "", text)
        return _FILL.vformat(text, (), known)

    def section(self, name: str) -> Mapping[str, str]:
        return self._sections.get(name, {})


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


@cache
def wording(language: str) -> Wording:
    """The texts of `language`; an unknown one gives Dutch."""
    chosen = language if language in LANGUAGES else FIRST
    merged = {section: dict(lines) for section, lines in _read(FIRST).items()}
    for section, lines in _read(chosen).items():
        merged.setdefault(section, {}).update(lines)
    return Wording(chosen, merged)


@cache
def _read(language: str) -> Mapping[str, Mapping[str, str]]:
    sections: dict[str, Mapping[str, str]] = {}
    for path in files("device.texts").iterdir():
        if path.name in (f"{language}.toml", f"page.{language}.toml"):
            told = tomllib.loads(path.read_text(encoding="utf-8"))
            sections |= {name: lines for name, lines in told.items() if isinstance(lines, dict)}
    return sections
