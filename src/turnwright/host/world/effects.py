"""Everything that the host of a world asks for, as values; `net.world` carries them out in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from turnwright.games.world.view import PackedView
from turnwright.host.world.accounts import Account
from turnwright.host.world.own_minds import OwnMind
from turnwright.kernel.record import TurnEntry

__all__ = [
    "Body",
    "CheckMind",
    "CheckPassphrase",
    "Close",
    "Drain",
    "DropMind",
    "Effect",
    "ForgetMind",
    "Log",
    "MakeAccount",
    "Package",
    "Plan",
    "Prompt",
    "SaveAccount",
    "SaveMind",
    "SaveTurn",
    "Secret",
    "TeachMind",
    "Text",
    "Wake",
]

Key = tuple[str, int | str]


@dataclass(slots=True)
class Text:
    """Show text on a terminal; lines end in "\\n"."""

    conn: int
    text: str


@dataclass(slots=True)
class Prompt:
    """Show text after which the player types."""

    conn: int
    text: str


@dataclass(slots=True)
class Package:
    """Send a message to a client's program: GMCP, or an object with a "type". data: JSON values."""

    conn: int
    name: str
    data: Any


@dataclass(slots=True)
class Secret:
    """on: what is typed next is not shown."""

    conn: int
    on: bool


@dataclass(slots=True)
class Close:
    """End a connection, once what was sent has arrived."""

    conn: int
    reason: str


@dataclass(slots=True)
class Wake:
    """Ring at `at_ns` (then call `wake`); replaces the alarm before. None: no alarm."""

    at_ns: int | None


@dataclass(slots=True)
class Drain:
    """Read what the sockets hold, hand it over, then call `drained`: the loop has come late to something."""


class Body(NamedTuple):
    """A creature that shall plan: its id, who answers for its controller, and that controller's name."""

    id: int
    owner: str
    mind: str


@dataclass(slots=True)
class Plan:
    """Let these bodies plan for the open turn, until `deadline_ns`; answers go to `planned`.

    view(id): what a body knows now (JSON values); to be called at any time of this turn. budget_us: what the
    phase may take; 0: as it has always been. packed(id): the view as JSON, and what its mind remembers (JSON
    values), in one go; None: there is only `view`. far: bodies that nobody is near; they plan last.
    """

    turn: int
    deadline_ns: int
    bodies: list[Body]
    view: Callable[[int], Any]
    budget_us: int = 0
    packed: Callable[[int], tuple[PackedView, dict[str, Any]]] | None = None
    far: frozenset[int] = frozenset()


@dataclass(slots=True)
class SaveTurn:
    """Keep a turn: what has changed (packed, None = gone) and its entry, in one transaction; then `saved`.

    facts: what counts for the whole world, e.g. turn and now_us, as strings.
    """

    turn: int
    changed: Mapping[Key, bytes | None]
    facts: Mapping[str, str]
    entry: TurnEntry | None


@dataclass(slots=True)
class CheckPassphrase:
    """Compare a passphrase with an account's, which takes a while; then call `checked`."""

    conn: int
    account: Account
    passphrase: str


@dataclass(slots=True)
class MakeAccount:
    """Make a hash of a passphrase, which takes a while, keep the account, then call `account_made`."""

    conn: int
    name: str
    passphrase: str


@dataclass(slots=True)
class SaveAccount:
    """Keep an account, new or changed."""

    account: Account


@dataclass(slots=True)
class CheckMind:
    """Look whether a player's source can be a mind, where it can do no harm; then call `mind_checked`."""

    ticket: int
    owner: str
    source: str


@dataclass(slots=True)
class SaveMind:
    """Keep a player's mind, new or changed."""

    mind: OwnMind


@dataclass(slots=True)
class DropMind:
    """Keep a player's mind no longer."""

    owner: str
    body: int


@dataclass(slots=True)
class TeachMind:
    """Let the planner know a player's mind, and take back what the body's mind has done wrong."""

    name: str
    source: str
    body: int


@dataclass(slots=True)
class ForgetMind:
    """Nobody uses this source any more: the planner may forget it, and end the process that ran it."""

    name: str
    owner: str


@dataclass(slots=True)
class Log:
    """Write a line to the log."""

    level: Literal["info", "warning", "error"]
    text: str


Effect = (
    Text
    | Prompt
    | Package
    | Secret
    | Close
    | Wake
    | Drain
    | Plan
    | SaveTurn
    | SaveAccount
    | CheckPassphrase
    | MakeAccount
    | CheckMind
    | SaveMind
    | DropMind
    | TeachMind
    | ForgetMind
    | Log
)
