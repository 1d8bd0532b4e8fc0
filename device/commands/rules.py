"""`pietjesoog rules`: the rule card of a game, with everything a table can settle and where it comes from."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from device.config import LANGUAGES
from device.errors import BadInput
from device.texts import language_of, sentences, text
from scorer.game import Game
from scorer.games import NAMES, game_named
from scorer.options import Option, Scalar, check_options
from scorer.presets import PRESETS

EXAMPLE = """example:
  pietjesoog rules pietjesbak --preset vlaams --language nl"""

WARNINGS = ("age", "small_parts", "adult")  # the rule sheet's own
FEW = 4  # so many numbers of a range are told one by one
MORE_WARNINGS = {"azen": ("alcohol",)}  # AZ-06, B10


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.epilog = EXAMPLE
    parser.add_argument("game", nargs="?", metavar="GAME", help=f"one of {', '.join(NAMES)}; without it: an overview")
    parser.add_argument("--preset", metavar="P", help="house rules by name: the card with what they choose")
    parser.add_argument("--language", choices=LANGUAGES, help="default: the system's language, else nl")
    parser.add_argument("--json", action="store_true", help="one JSON object a game")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the card; raises `BadInput` for a game or a preset that there is not."""
    language = args.language or language_of()
    if not args.json:
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # a terminal without our letters
    if args.game is None:
        if args.preset is not None:
            raise BadInput(text("rules.words.preset_needs_game", language, game=NAMES[0], preset=args.preset[:40]))
        cards = [card(name, None, language) for name in NAMES]
    else:
        cards = [card(args.game, args.preset, language)]
    if args.json:
        for told in cards:
            print(json.dumps(told, ensure_ascii=False), flush=True)
    else:
        lines = overview(cards, language) if args.game is None else printed(cards[0], language)
        print("\n".join(lines))
    return 0


def card(name: str, preset: str | None, language: str, options: Mapping[str, Scalar] | None = None) -> dict[str, Any]:
    """The rule card of a game as data, with what `options` choose where these are given; raises `BadInput`.

    >>> card("pig", None, "en")["options"][0]["question"]
    'How many points are the goal?'
    """
    if name not in NAMES:
        raise BadInput(text("rules.words.unknown_game", language, game=name[:40], known=", ".join(NAMES)))
    game, presets = game_named(name), PRESETS.get(name, {})
    if preset is not None and preset not in presets:
        known = ", ".join(presets)
        raise BadInput(text("rules.words.unknown_preset", language, game=name, preset=preset[:40], known=known))
    chosen = check_options(game.options, presets.get(preset or "", {}) if options is None else options)
    declared = {option.name: option for option in game.options}
    return {
        "game": name,
        "language": language,
        "title": text(f"rules.{name}.title", language),
        "summary": text(f"rules.{name}.summary", language),
        "players": [game.players[0], game.players[-1]],
        "preset": preset,
        "rules": [{"id": rule, "text": told} for rule, told in _rules(name, language)],
        "options": [_option(game, option, chosen[option.name], language) for option in game.options],
        "presets": [
            {
                "name": key,
                "title": text(f"rules.presets.{key}.title", language),
                "source": text(f"rules.presets.{key}.source", language),
                "options": dict(differs),
                "texts": {
                    option: f"{text(f'{_key(name, declared[option])}.question', language)} "
                    f"{_value(name, declared[option], value, language)}"
                    for option, value in differs.items()
                },
            }
            for key, differs in presets.items()
        ],
        "warnings": [text(f"rules.warnings.{key}", language) for key in (*WARNINGS, *MORE_WARNINGS.get(name, ()))],
    }


def overview(cards: list[dict[str, Any]], language: str) -> Iterator[str]:
    """All games, a few lines each."""
    yield from _head(text("rules.words.games", language), "=")
    for told in cards:
        least, most = told["players"]
        yield f"{told['game']:<16}{told['title']}, {text('rules.words.players', language, least=least, most=most)}"
        yield f"{'':<16}{told['summary']}"
    yield ""
    yield text("rules.words.more", language, game=NAMES[0])
    yield from _warned(cards[0]["warnings"], language)


def printed(told: Mapping[str, Any], language: str) -> Iterator[str]:
    """The card as lines of text."""
    named = {preset["name"]: preset for preset in told["presets"]}
    house = f" – {named[told['preset']]['title']}" if told["preset"] else ""
    yield from _head(told["title"] + house, "=")
    least, most = told["players"]
    yield told["summary"]
    yield text("rules.words.players", language, least=least, most=most)
    yield ""
    yield from _head(text("rules.words.rules", language), "-")
    for rule in told["rules"]:
        yield f"{rule['id']:<7}{rule['text']}"
        for option in told["options"]:
            if option["rule"] == rule["id"] and not _same(option["chosen"], option["default"]):
                answer = next(value["text"] for value in option["alternatives"] if value["chosen"])
                yield f"{'':<7}→ {option['question']} {answer}"
    yield ""
    yield from _head(text("rules.words.options", language), "-")
    for option in told["options"]:
        yield f"{option['rule']:<7}{option['question']}   ({option['name']})"
        for value in option["alternatives"]:
            mark = "default" if value["default"] else "chosen" if value["chosen"] else None
            shown = f" [{text(f'rules.words.{mark}', language)}]" if mark else ""
            yield f"{'':<7}{'*' if value['chosen'] else '-'} {value['text']}{shown}"
        yield f"{'':<7}  {text('rules.words.source', language)}: {option['from']}"
    if not told["options"]:
        yield text("rules.words.no_options", language)
    if len(named) > 1:
        yield ""
        yield from _head(text("rules.words.presets", language), "-")
        for name, preset in named.items():
            yield f"{name} – {preset['title']} ({preset['source']})"
            for line in preset["texts"].values() or [text("rules.words.as_is", language)]:
                yield f"{'':<7}{line}"
    yield from _warned(told["warnings"], language)


def _option(game: Game[Any], option: Option, chosen: Scalar, language: str) -> dict[str, Any]:
    """One open point with its alternatives, the default and the chosen one marked."""
    values = [*option.values]
    least, most = option.least, option.most
    if least is not None and most is not None:
        few = range(least, most + 1) if most - least < FEW else ()
        values = [option.default, *(value for value in (*values, *few, chosen) if not _same(value, option.default))]
        values = [value for n, value in enumerate(values) if not any(_same(value, other) for other in values[:n])]
    alternatives: list[dict[str, Any]] = [
        {
            "value": value,
            "text": _value(game.name, option, value, language),
            "default": _same(value, option.default),
            "chosen": _same(value, chosen),
        }
        for value in values
    ]
    if least is not None and most is not None and most - least >= FEW:
        told = text("rules.words.range", language, least=least, most=most)
        alternatives.append({"range": [least, most], "text": told, "default": False, "chosen": False})
    return {
        "name": option.name,
        "question": text(f"{_key(game.name, option)}.question", language),
        "default": option.default,
        "chosen": chosen,
        "values": list(option.values),
        "least": option.least,
        "most": option.most,
        "alternatives": alternatives,
        "rule": option.rule,
        "from": text(f"{_key(game.name, option)}.source", language),
        "source": option.source,
    }


def _key(game: str, option: Option) -> str:
    return f"rules.{game}.options.{option.name}"


def _same(one: Scalar, other: Scalar) -> bool:
    return type(one) is type(other) and one == other


def _value(game: str, option: Option, value: Scalar, language: str) -> str:
    """What a choice means in words; a number of a range is itself."""
    if option.least is not None and type(value) is int:
        return str(value)
    return text(f"{_key(game, option)}.{value_key(value)}", language)


def value_key(value: Scalar) -> str:
    """The key of a choice in the texts: as in JSON, a word without its quotes."""
    return value if isinstance(value, str) else json.dumps(value)


def _rules(game: str, language: str) -> Iterator[tuple[str, str]]:
    """The rules by id, in the order of the texts."""
    start = f"rules.{game}."
    for key in sentences("nl"):
        name = key.removeprefix(start)
        if key.startswith(start) and "." not in name and name[:2].isupper():
            yield name, text(key, language)


def _head(title: str, line: str) -> Iterator[str]:
    yield title
    yield line * len(title)


def _warned(warnings: list[str], language: str) -> Iterator[str]:
    yield ""
    yield from _head(text("rules.words.warnings", language), "-")
    yield from warnings
