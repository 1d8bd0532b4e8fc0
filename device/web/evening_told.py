"""Evenings and games put into words and tables for their pages, nothing decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from device.counts import KINDS, Counted, Counts
from device.evenings import Evening
from device.fairness import LEAST_DICE, Fairness, fairness
from device.played import Line, Played
from device.web import charts
from device.web.dates import day, from_to, length
from device.web.page import SHAPES
from device.wording import Wording
from scorer.games import GAMES

MOST_LINES = 200  # throws on the page of one game; the file has them all


@dataclass(frozen=True)
class GameTold:
    """One game in a list: what it was, how it ended, how long it took."""

    href: str
    title: str
    players: tuple[str, ...]
    result: str
    length: str
    throws: str


@dataclass(frozen=True)
class EveningTold:
    """One evening in the list."""

    href: str
    day: str
    times: str
    players: tuple[str, ...]
    games: tuple[GameTold, ...]


@dataclass(frozen=True)
class Tile:
    """One figure with what it counts; `href` leads to the game that it is about."""

    label: str
    value: str
    detail: str = ""
    href: str = ""


@dataclass(frozen=True)
class Person:
    """One row of the table of players, with the shape that stands for the name on the scoreboard."""

    name: str
    kind: int
    shape: str
    cells: tuple[int, ...]


@dataclass(frozen=True)
class Dice:
    """What the faces say: sentences, the chart, and the same as text."""

    sentences: tuple[str, ...]
    chart: charts.FaceChart | None
    told: str
    expected: str


def evening_told(words: Wording, evening: Evening, running: int | None) -> EveningTold:
    """`running` is the number of the game that goes on, None for none."""
    return EveningTold(
        f"/evenings/{evening.number}",
        day(words, evening.begun),
        from_to(evening.begun, evening.ended),
        evening.players,
        tuple(game_told(words, evening.number, game, running) for game in evening.games),
    )


def game_told(words: Wording, evening: int, game: Played, running: int | None) -> GameTold:
    return GameTold(
        f"/evenings/{evening}/{game.number}",
        name_of(words, game),
        game.players,
        result(words, game, is_running=game.number == running),
        length(words, game.lasted_s),
        words.say("evenings", "throws", throws=game.counts.throws),
    )


def name_of(words: Wording, game: Played) -> str:
    return words.say("game", game.game) if words.has("game", game.game) else game.game


def unit(words: Wording, game: Played) -> str:
    """What stands beside each name, in a word."""
    return words.say("unit" if words.has("unit", game.figure) else "chalk", game.figure)


def result(words: Wording, game: Played, *, is_running: bool) -> str:
    """Who won and who lost, who paid orders; that it was not played to the end."""
    told = []
    if game.winner is not None:
        told.append(words.say("evenings", "won", player=game.winner))
    if game.loser is not None:
        told.append(words.say("evenings", "lost", player=game.loser))
    told += [words.say("evenings", "ordered", player=name, orders=paid) for name, paid in game.orders.items()]
    if not game.whole:
        told.append(words.say("evenings", "broken"))
    elif is_running and not game.over:
        told.append(words.say("evenings", "running"))
    elif not told:
        told.append(words.say("evenings", "stopped"))
    return ", ".join(told)


def has_strokes(games: Sequence[Played]) -> bool:
    """Whether there is a game among them that is played for strokes, and values its throws."""
    return any(game.game in GAMES and GAMES[game.game].figure == "strokes" for game in games)


def tiles(words: Wording, counts: Counts, games: Sequence[Played], lasted_s: float) -> list[Tile]:
    """The figures of a game or an evening that say something."""
    found = [Tile(words.say("counts", "throws"), str(counts.throws))]
    if counts.games > 1:
        found.insert(0, Tile(words.say("counts", "games"), str(counts.games)))
    if spent := length(words, lasted_s):
        found.append(Tile(words.say("evenings", "at_play"), spent))
    for key in _keys(counts, games):
        found.append(Tile(label(words, key), str(getattr(counts, key))))
    return found


def record(words: Wording, key: str, evening: int, game: Played | None) -> list[Tile]:
    """The longest or the shortest game, where there is one."""
    if game is None:
        return []
    told = game_told(words, evening, game, None)
    value, detail = (told.length, told.throws) if told.length else (told.throws, "")
    return [Tile(words.say("evenings", key), value, " · ".join(filter(None, [told.title, detail])), told.href)]


def label(words: Wording, key: str, *, of_person: bool = False) -> str:
    """What a count is called."""
    if key in KINDS:
        return words.say("class", key)
    return words.say("counts", f"{key}_won" if of_person and key in ("rounds", "barrages") else key)


def people(words: Wording, counted: Counted, games: Sequence[Played]) -> tuple[tuple[str, ...], list[Person]]:
    """The heads of the table's columns, and a row for each player."""
    keys = ["throws", *(["games"] if counted.whole.games > 1 else []), "won", "lost", *_keys(counted.whole, games)]
    keys = [key for key in keys if key not in ("won", "lost") or any(getattr(c, key) for c in counted.people.values())]
    rows = [
        Person(name, n % len(SHAPES), SHAPES[n % len(SHAPES)], tuple(getattr(counts, key) for key in keys))
        for n, (name, counts) in enumerate(counted.people.items())
    ]
    return tuple(label(words, key, of_person=True) for key in keys), rows


def dice(words: Wording, counts: Counts, games: Sequence[Played]) -> Dice:
    """What is to be said of the dice."""
    told = fairness(counts.faces)
    is_g = all(getattr(GAMES.get(game.game), "faces", (1,))[0] == "G" for game in games)
    chart = charts.faces(counts.faces, told, is_g=is_g) if told.dice else None
    columns = () if chart is None else chart.columns
    each = ", ".join(words.say("evenings", "face_times", face=one.face, count=one.count) for one in columns)
    expected = f"{told.expected:.0f}"
    return Dice(
        tuple(_sentences(words, told, counts)),
        chart,
        words.say("evenings", "faces_told", faces=each, expected=expected),
        words.say("evenings", "expected", expected=expected),
    )


def lengths(words: Wording, evening: Evening) -> tuple[charts.Bar, ...]:
    """How long each game took, by the clock or else by its throws."""
    told = [game_told(words, evening.number, game, None) for game in evening.games]
    by_clock = all(game.lasted_s >= 1 for game in evening.games)
    return charts.bars(
        [
            (
                words.say("evenings", "game_n", n=n, game=one.title),
                " · ".join(filter(None, [one.length, one.throws])),
                game.lasted_s if by_clock else game.counts.throws,
                one.href,
            )
            for n, (one, game) in enumerate(zip(told, evening.games, strict=True), 1)
        ]
    )


def looks(line: Line) -> tuple[str, ...]:
    """What each die of a throw shows, to be drawn: its face, `o` outside, `r` on the rim."""
    return (*sorted(map(str, line.dice), key=lambda face: (face != "G", face)), *"o" * line.outside, *"r" * line.rim)


def worth(words: Wording, line: Line) -> str:
    """What a throw was, in a word: its class, what it was thrown in, that dice lay outside, or that it was none."""
    told = [words.say("remote", "void")] if line.void else []
    if line.kind and words.has("class", line.kind):
        told.append(words.say("class", line.kind))
    if line.phase in ("roll_off", "barrage"):
        told.append(words.say("evenings", line.phase))
    told += [words.say("page", "die_outside")] if line.outside else []
    told += [words.say("page", "die_rim")] if line.rim else []
    return ", ".join(told)


def _keys(counts: Counts, games: Sequence[Played]) -> list[str]:
    strokes = ["rounds", *reversed(KINDS[:-1]), "seven", "barrages", "wiped", "added", "outside"]
    some = ["outside", "rim", "pays_round", "orders"]
    first = strokes if has_strokes(games) else []
    return [*first, *(key for key in some if key not in first and getattr(counts, key))]


def _sentences(words: Wording, told: Fairness, counts: Counts) -> list[str]:
    args: dict[str, object] = {"dice": told.dice, "often": _often(words, told.chance), "least": LEAST_DICE}
    found = [words.say("fair", told.verdict, **args)]
    if told.verdict not in ("too_few", "nothing_odd"):
        face = told.face
        found.append(
            words.say("fair", "furthest", face=face, count=counts.faces[face - 1], expected=f"{told.expected:.0f}")
        )
        found.append(words.say("fair", "cause"))
    elif told.verdict == "nothing_odd":
        found.append(words.say("fair", "together"))
    return found


def _often(words: Wording, chance: float) -> str:
    """A chance as people count it.

    >>> from device.wording import wording
    >>> [_often(wording("en"), chance) for chance in (0.97, 0.31, 0.012, 0.0001)]
    ['nearly always', '3 times out of 10', 'one time in 83', 'less than one time in 1000']
    """
    if chance >= 0.95:
        return words.say("fair", "always")
    if chance >= 0.15:
        return words.say("fair", "in_ten", n=round(chance * 10))
    if chance >= 0.001:
        return words.say("fair", "one_in", n=round(1 / chance))
    return words.say("fair", "rarer", n=1000)
