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
    """A name that is kept.

    Attributes:
        hashed: its passphrase's.
        body: its creature's id, None before it has one.
        origin: a keyed hash of the address from which its owner came in last, "" = not known.
        brief: whether it reads descriptions of places only where it looks.
    """

    name: str
    hashed: str
    body: int | None = None
    origin: str = ""
    brief: bool = False
