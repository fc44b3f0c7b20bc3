"""How a server introduces itself on the Royale wire: its first message on each connection."""

from __future__ import annotations

import base64

from turnwright.host.config import GAME_TYPES
from turnwright.wire.royale import messages as m

__all__ = ["PROTOCOL_VERSION", "SERVER_NAME", "VARIANT", "greeting", "session_id"]

PROTOCOL_VERSION = "1.4.0"
"""The release of the protocol that this server follows (bots check the 1)."""
SERVER_NAME = "turnwright"
VARIANT = "Tank Royale"


def session_id(random16: bytes) -> str:
    """Return the id of a connection's session, made from 16 random bytes."""
    return base64.b64encode(random16).decode().rstrip("=")


def greeting(
    session: str,
    game_types: tuple[str, ...] = GAME_TYPES,
    game_setup: m.GameSetup | None = None,
    features: m.Features | None = None,
) -> m.ServerHandshake:
    """Return what the server says first. session: as `session_id` gives it; the rest: what it offers.

    Source: server-handshake schema.
    """
    return m.ServerHandshake(
        session_id=session,
        name=SERVER_NAME,
        variant=VARIANT,
        version=PROTOCOL_VERSION,
        behavior_version=1,
        game_types=game_types,
        game_setup=game_setup,
        features=features,
    )
