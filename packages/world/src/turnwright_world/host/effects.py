"""Effects of the world's host: those of every host, and its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from msgspec import Struct

from turnwright.host.effects import (
    Close,
    Log,
    ReadPending,
    RecordClose,
    RecordOpen,
    RecordTurn,
    SetAlarm,
)
from turnwright.kernel.record import TurnEntry
from turnwright_world.host.accounts import Account
from turnwright_world.host.minds.player_mind import PlayerMind

__all__ = [
    "BATTLE",
    "CLOSE_NORMAL",
    "CheckMind",
    "CheckPassphrase",
    "Close",
    "DeleteMind",
    "Effect",
    "HideInput",
    "LoadMind",
    "Log",
    "MakeAccount",
    "Plan",
    "PlanningBody",
    "ReadPending",
    "RecordClose",
    "RecordOpen",
    "RecordTurn",
    "SaveAccount",
    "SaveMind",
    "SaveTurn",
    "SendPackage",
    "SetAlarm",
    "ShowPrompt",
    "ShowText",
    "UnloadMind",
]

CLOSE_NORMAL = 1000
"""The WebSocket code of a connection that ends as it should."""
BATTLE = 1
"""The number of a world's only battle, for its record."""
Key = tuple[str, int | str]


@dataclass(slots=True)
class ShowText:
    """Show text on a terminal; lines end in "\\n"."""

    conn: int
    text: str


@dataclass(slots=True)
class ShowPrompt:
    """Show text after which the player types."""

    conn: int
    text: str


@dataclass(slots=True)
class SendPackage:
    """Send a message of `wire.server_messages` to a client's program: GMCP, or an object with a "type"."""

    conn: int
    message: Struct


@dataclass(slots=True)
class HideInput:
    """on: what is typed next is not shown."""

    conn: int
    on: bool


class PlanningBody(NamedTuple):
    """A creature that shall plan.

    Its id, who answers for its controller, and that controller's name.
    """

    id: int
    owner: str
    mind: str


@dataclass(slots=True)
class Plan:
    """Let these bodies plan for the open turn, until `deadline_ns`. Their answers go to `planned`.

    Attributes:
        budget_us: the time that the phase may take. 0: the usual time.
        far: bodies without a player near them, which plan last.
    """

    turn: int
    deadline_ns: int
    bodies: list[PlanningBody]
    budget_us: int = 0
    far: frozenset[int] = frozenset()


@dataclass(slots=True)
class SaveTurn:
    """Write a turn to the store.

    What has changed (packed, None = gone) and its entry, in one transaction. Then `saved`.

    The record of the world, if one is written, gets the entry by `RecordTurn`.

    Attributes:
        facts: what counts for the whole world, e.g. turn and now_us, as strings.
    """

    turn: int
    changed: Mapping[Key, bytes | None]
    facts: Mapping[str, str]
    entry: TurnEntry


@dataclass(slots=True)
class CheckPassphrase:
    """Compare a passphrase with an account's, which takes a while.

    Then call `checked`.
    """

    conn: int
    account: Account
    passphrase: str


@dataclass(slots=True)
class MakeAccount:
    """Hash a passphrase and keep an account, then call `account_made`.

    The hash takes a while.
    """

    conn: int
    name: str
    passphrase: str


@dataclass(slots=True)
class SaveAccount:
    """Keep an account, new or changed."""

    account: Account


@dataclass(slots=True)
class CheckMind:
    """Check in a sandbox whether a player's source can be a mind.

    Then call `mind_checked`.
    """

    ticket: int
    owner: str
    source: str


@dataclass(slots=True)
class SaveMind:
    """Keep a player's mind, new or changed."""

    mind: PlayerMind


@dataclass(slots=True)
class DeleteMind:
    """Keep a player's mind no longer."""

    owner: str
    body: int


@dataclass(slots=True)
class LoadMind:
    """Load a player's mind into the planner.

    The faults of the body's mind are forgotten.
    """

    name: str
    source: str
    body: int


@dataclass(slots=True)
class UnloadMind:
    """Unload a source that is not used any more, and end the process that ran it."""

    name: str
    owner: str


Effect = (
    ShowText
    | ShowPrompt
    | SendPackage
    | HideInput
    | Close
    | SetAlarm
    | ReadPending
    | RecordOpen
    | RecordTurn
    | RecordClose
    | Plan
    | SaveTurn
    | SaveAccount
    | CheckPassphrase
    | MakeAccount
    | CheckMind
    | SaveMind
    | DeleteMind
    | LoadMind
    | UnloadMind
    | Log
)
