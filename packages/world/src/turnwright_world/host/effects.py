"""Effects of the world's host, in addition to the effects that every host has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from msgspec import Struct

from turnwright.host.effects import Close as Close
from turnwright.host.effects import Log as Log
from turnwright.host.effects import ReadPending as ReadPending
from turnwright.host.effects import RecordClose as RecordClose
from turnwright.host.effects import RecordOpen as RecordOpen
from turnwright.host.effects import RecordTurn as RecordTurn
from turnwright.host.effects import SetAlarm as SetAlarm
from turnwright.kernel.record import TurnEntry
from turnwright_world.host.accounts import Account
from turnwright_world.host.minds.player_mind import PlayerMind

CLOSE_NORMAL = 1000
"""The WebSocket close code for a normal end."""
BATTLE = 1
"""The number of a world's only battle in its record."""
Key = tuple[str, int | str]


@dataclass(slots=True)
class ShowText:
    """Show text on a terminal. Its lines end in "\\n"."""

    conn: int
    text: str


@dataclass(slots=True)
class ShowPrompt:
    """Show text after which the player types."""

    conn: int
    text: str


@dataclass(slots=True)
class SendPackage:
    """Send a message of `wire.server_messages` to a client: as GMCP, or as an object with a "type"."""

    conn: int
    message: Struct


@dataclass(slots=True)
class HideInput:
    """Hide what the player types next (`on`), or show it again."""

    conn: int
    on: bool


class PlanningBody(NamedTuple):
    """A creature that is asked for a plan: its id, the owner of its mind, and the mind's name."""

    id: int
    owner: str
    mind: str


@dataclass(slots=True)
class Plan:
    """Ask the minds of `bodies` for plans until `deadline_ns`. The answers go to `WorldHost.planned`.

    Attributes:
        budget_us: the time that the phase may take, or 0 for the usual time.
        far: bodies without a player nearby, which plan last.
    """

    turn: int
    deadline_ns: int
    bodies: list[PlanningBody]
    budget_us: int = 0
    far: frozenset[int] = frozenset()


@dataclass(slots=True)
class SaveTurn:
    """Write a turn to the store.

    One transaction stores the turn's entry and the changed entities. An entity is packed, or None if it was
    removed. After the transaction, `WorldHost.saved` is called. If the world is recorded, `RecordTurn` writes
    the entry to the record.

    Attributes:
        facts: values of the whole world, e.g. turn and now_us, as strings.
    """

    turn: int
    changed: Mapping[Key, bytes | None]
    facts: Mapping[str, str]
    entry: TurnEntry


@dataclass(slots=True)
class CheckPassphrase:
    """Compare a passphrase with an account's, then call `checked`.

    The comparison takes a while.
    """

    conn: int
    account: Account
    passphrase: str


@dataclass(slots=True)
class MakeAccount:
    """Hash the passphrase of a new account, then call `account_made`.

    The hash takes a while.
    """

    conn: int
    name: str
    passphrase: str


@dataclass(slots=True)
class SaveAccount:
    """Store a new or changed account."""

    account: Account


@dataclass(slots=True)
class CheckMind:
    """Check in a sandbox whether a player's source is a valid mind, then call `mind_checked`."""

    ticket: int
    owner: str
    source: str


@dataclass(slots=True)
class SaveMind:
    """Store a player's new or changed mind."""

    mind: PlayerMind


@dataclass(slots=True)
class DeleteMind:
    """Delete a player's mind from the store."""

    owner: str
    body: int


@dataclass(slots=True)
class LoadMind:
    """Load a player's mind into the planner.

    The faults of the body's earlier mind are forgotten.
    """

    name: str
    source: str
    body: int


@dataclass(slots=True)
class UnloadMind:
    """Unload a source that no mind uses any more, and end its owner's process if no plan runs in it."""

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
