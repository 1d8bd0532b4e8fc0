"""What every game offers to its session, and the one `View` that every output shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from scorer.events import Event, Face, Start
from scorer.options import Option, Scalar

S = TypeVar("S")


@dataclass(frozen=True)
class Change:
    """One number that one event changed: `why` is a text key, `rule` the id in the rule card (``PJ-14``)."""

    player: str
    amount: int
    why: str
    rule: str
    what: str = "strokes"


@dataclass(frozen=True)
class PlayerView:
    """One player as every output shows him.

    `marks`: chalk strokes to draw (any number, also above nine); `number`: the figure beside the name;
    `roles`: text keys such as ``opener``, ``orderer``, ``drinker``; `seat`: degrees clockwise as seen, 0 is right.
    """

    name: str
    marks: int
    number: int
    roles: tuple[str, ...] = ()
    to_throw: bool = False
    out: bool = False
    lost: bool = False
    place: int | None = None
    seat: float | None = None


@dataclass(frozen=True)
class Prompt:
    """What the table asks for now: a text key and its arguments (``to_beat`` with points and throws left)."""

    key: str
    args: Mapping[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True)
class Action:
    """One thing that may be done now: the event's word, who may do it (empty: anybody) and what it needs."""

    do: str
    by: tuple[str, ...] = ()
    inputs: Mapping[str, tuple[Face, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Cell:
    """One labelled figure of a game's own board (ace count, turn total, a row of crosses)."""

    key: str
    value: Scalar
    player: str | None = None
    of: int | None = None


@dataclass(frozen=True)
class View:
    """Everything an output needs; nobody outside `scorer` looks into a game's state.

    `expected`: how many dice the next throw has (0: none is due). `dice`, `outside`, `rim`: the last throw.
    `pattern`: the key of the light to show for what just happened (``zand``, ``seven``, ``die_outside``, ``turn``).
    """

    game: str
    phase: str
    players: tuple[PlayerView, ...]
    prompt: Prompt
    actions: tuple[Action, ...] = ()
    expected: int = 0
    dice: tuple[Face, ...] = ()
    outside: int = 0
    rim: int = 0
    throws: int = 0
    throws_used: int = 0
    throws_left: int | None = None
    changes: tuple[Change, ...] = ()
    board: tuple[Cell, ...] = ()
    pattern: str = "turn"
    paused: bool = False


class Game(Protocol[S]):
    """One game: pure functions on an immutable state; its module offers it as `GAME`.

    `figure` says what the number beside a name counts (``strokes``, ``points``) and is the `what` of its changes;
    `marked` what the marks count where that is something else of which changes are told (``orders``).
    The session keeps start, undo, correct, insert, pause, resume and the throw numbers to itself; every other
    event comes to `apply`, leave, join, adjust, end and next_game too.
    """

    @property
    def name(self) -> str: ...

    @property
    def players(self) -> range: ...

    @property
    def figure(self) -> str: ...

    @property
    def marked(self) -> str | None: ...

    @property
    def options(self) -> tuple[Option, ...]: ...

    def start(self, event: Start) -> S:
        """The state before the first throw; raises `IllegalEvent` for what the game does not allow."""

    def apply(self, state: S, event: Event) -> S:
        """The state after `event`; raises `IllegalEvent` and leaves `state` as it is."""

    def legal(self, state: S) -> tuple[str, ...]:
        """The words of the game's own events that may come now (``throw``, ``stop``)."""

    def view(self, state: S) -> View: ...

    def to_json(self, state: S) -> dict[str, object]:
        """The state in the words of the command line's contract."""
