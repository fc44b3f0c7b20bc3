"""The list of bots as spectators are told it: whole, encoded once for all, and only as often as is paid for.

The first change is told at once, what follows it together with all that has changed by then. Otherwise a
hundred bots that come one after the other would cost each of a thousand spectators a hundred lists, 1.5 GB in
all, and a bot that introduces itself again and again would cost as much.
"""

from __future__ import annotations

from turnwright.host import effects as fx
from turnwright.host.lobby import Lobby
from turnwright.wire.royale import messages as m
from turnwright.wire.royale.codec import encode

__all__ = ["LISTS_BYTES_PER_S", "LIST_GAP_NS", "Roster"]

LIST_GAP_NS = 20_000_000
"""From one list to the next one to the same spectators, at least."""
LISTS_BYTES_PER_S = 16 << 20
"""What lists to all observers together may have, and those to all controllers; so with a thousand observers
and a hundred bots two seconds go by from one list to the next."""
_ROLES: tuple[m.Role, ...] = ("controller", "observer")
"""Operators choose from the list: theirs does not wait until all observers' lists are paid for."""
_NS_PER_S = 1_000_000_000


class Roster:
    """Who has been told which bots are here. lobby: the bots and spectators."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._data: bytes | None = None
        self._due_ns: dict[m.Role, int] = {}
        """By role: from when on those of it are told of a change that they have not been told of."""
        self._paid_ns: dict[m.Role, int] = dict.fromkeys(_ROLES, 0)

    def data(self) -> bytes:
        """Return the list as a message."""
        if self._data is None:
            self._data = encode(self._lobby.bot_list())
        return self._data

    def changed(self, now_ns: int) -> None:
        """A bot has come, has gone, or says something else of itself."""
        self._data = None
        for role in _ROLES:
            self._due_ns.setdefault(role, max(now_ns, self._paid_ns[role]))

    @property
    def due_ns(self) -> int | None:
        """When somebody is to be told; None: all know."""
        return min(self._due_ns.values()) if self._due_ns else None

    def told(self, now_ns: int, *, early: bool = False) -> list[fx.Publish]:
        """Return what is to be said now. early: also what is not due yet."""
        said = []
        for role in [r for r, due_ns in self._due_ns.items() if early or due_ns <= now_ns]:
            del self._due_ns[role]
            conns = self._lobby.spectators(role)
            if conns:
                data = self.data()
                cost_ns = len(data) * len(conns) * _NS_PER_S // LISTS_BYTES_PER_S
                self._paid_ns[role] = now_ns + max(LIST_GAP_NS, cost_ns)
                said.append(fx.Publish(conns, data))
        return said
