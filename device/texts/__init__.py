"""Texts that people read: one file a language, the same keys in each; Dutch fills what another lacks."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from device.config import LANGUAGES

FIRST = "nl"


def text(key: str, language: str, **args: object) -> str:
    """The sentence under a dotted key, with its arguments; a key that nobody wrote is told by its own words.

    >>> text("rules.words.players", "en", least=2, most=8)
    '2 to 8 players'
    """
    for told in (sentences(language), sentences(FIRST)):
        if key in told:
            return told[key].format_map(args) if args else told[key]
    return key.rpartition(".")[2].replace("_", " ")


def language_of(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the environment asks for, Dutch where it asks for none of ours.

    >>> language_of({"LANG": "fr_BE.UTF-8"}), language_of({"LANG": "C.UTF-8"})
    ('fr', 'nl')
    """
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        asked = environment.get(name, "")
        if asked:
            return asked[:2].lower() if asked[:2].lower() in LANGUAGES else FIRST
    return FIRST


@cache
def sentences(language: str) -> Mapping[str, str]:
    """All texts of one language by dotted key (``rules.pig.PG-01``)."""
    path = files(__name__) / f"{language}.toml"
    return dict(_flat("", tomllib.loads(path.read_text(encoding="utf-8")))) if path.is_file() else {}


def _flat(prefix: str, told: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for name, value in told.items():
        if isinstance(value, Mapping):
            yield from _flat(f"{prefix}{name}.", value)
        else:
            yield f"{prefix}{name}", str(value)
