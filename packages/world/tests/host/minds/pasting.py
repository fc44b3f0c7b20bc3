"""Players with accounts who paste minds."""

from __future__ import annotations

from typing import Any

from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright.host.accounts import SALT_BYTES, hash_passphrase
from turnwright_world.host.accounts import Account
from turnwright_world.rules.entities import Creature

MIND = "def plan(view, random):\n    return 'go in'\n"
HASHED = hash_passphrase("a long passphrase", bytes(SALT_BYTES))


def kept(*names: str, **besides: Any) -> VirtualWorld:
    """Return a world with characters that have accounts, as connections 1, 2 …, all in it."""
    world = VirtualWorld.of(accounts=[Account(name, HASHED) for name in names], **besides)
    for conn, name in enumerate(names, 1):
        come_in(world, conn, name)
    return world


def come_in(world: VirtualWorld, conn: int, name: str) -> int:
    world.connect(conn)
    world.type(conn, name, "a long passphrase")
    world.run_ms(600)
    world.text(conn)
    body = world.host.sessions.of(conn).body  # type: ignore[union-attr]
    assert body is not None
    return body


def paste(world: VirtualWorld, conn: int, source: str = MIND, name: str = "") -> str:
    """Paste a mind, let it be checked and stored, and return the texts."""
    world.text(conn)
    world.type(conn, f"mind paste {name}".strip(), *source.rstrip("\n").split("\n"), ".")
    world.run_ms(300)
    return world.text(conn)


def own(world: VirtualWorld, conn: int, kind: str = "person") -> Creature:
    """Return a new creature that is the player's own."""
    state = world.host.turns.state
    creature = state.rules.new_creature(state.world, kind, "yard", name="wolf")
    creature.owner, creature.driver = world.host.sessions.of(conn).owner, "none"  # type: ignore[union-attr]
    state.world.settle()
    return creature
