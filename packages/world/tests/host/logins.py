"""An account, and the connection that plays a name."""

from __future__ import annotations

from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright.host.accounts import hash_passphrase
from turnwright_world.host.accounts import Account

PHRASE = "three green apples"


def kept(body: int | None = None) -> Account:
    return Account("Anna", hash_passphrase(PHRASE, bytes(16)), body)


def plays(world: VirtualWorld, conn: int, name: str) -> bool:
    """Return whether a connection is there, and is the one that plays a name."""
    session = world.host.sessions.of(conn)
    return session is not None and session is world.host.sessions.named(name)
