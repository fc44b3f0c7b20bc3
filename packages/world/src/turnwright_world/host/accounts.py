"""Accounts of a world, and the names that are reserved in it."""

from __future__ import annotations

from dataclasses import dataclass

RESERVED_NAMES = frozenset(
    (
        *("admin", "all", "anybody", "anyone", "chat", "commands", "connect", "create", "everybody"),
        *("everyone", "exit", "exits", "gate", "god", "guest", "help", "inventory", "login", "logout"),
        *("new", "no", "play", "register", "save", "say", "score", "start", "tell", "who", "yes"),
        *("here", "it", "look", "me", "moderator", "nobody", "none", "nothing", "operator", "queue"),
        *("quit", "root", "self", "server", "somebody", "someone", "staff", "stop", "system", "watch", "you"),
    )
)


@dataclass(frozen=True, slots=True)
class Account:
    """A player's account: a name that is reserved for its owner.

    Attributes:
        hashed: the hash of its passphrase.
        body: the id of its creature, or None before it has a creature.
        origin: a keyed hash of the address of its owner's last login, or "" if it is not known.
        brief: whether descriptions of places are shown only after the command `look`.
    """

    name: str
    hashed: str
    body: int | None = None
    origin: str = ""
    brief: bool = False
