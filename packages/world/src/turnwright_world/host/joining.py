"""Collects joins, leaves and lost connections as events for the gate.

When a player's connection is lost, the player's body waits in the world. The number of waiting bodies is
limited for each address and for each place. When an address exceeds its limit, its oldest waiting bodies
leave. When a place exceeds its limit, the oldest bodies of the address with the most bodies there leave. So
no address can fill a place or displace the bodies of an address that has few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from turnwright_world.host.sessions import Session, Sessions
from turnwright_world.intent import GateEvent
from turnwright_world.rules.entities import OUTSIDE, Creature
from turnwright_world.rules.joining import LEAD_GAME_US_MAX
from turnwright_world.wire.clock import RATE_ONE

GUEST_TURNS = 80
"""The longest stay of a body whose player has no account, in turns. With turns of 250 ms this is 20 s."""


ADDRESS_ABSENT_MAX = 12
"""The most bodies of one address that wait."""
PLACE_ABSENT_MAX = 50
"""The most bodies that wait in one place."""


class AbsentBody(NamedTuple):
    """A body whose player's connection is lost.

    Attributes:
        address: the address of the lost connection.
        keep: whether the body waits outside the world after it leaves. Otherwise it is removed.
    """

    body: int
    address: str
    keep: bool


class AbsentBodies:
    """The bodies that wait for their players, in the order in which the players' connections were lost."""

    def __init__(self) -> None:
        self._waiting: dict[int, AbsentBody] = {}
        self._grown = False

    def __len__(self) -> int:
        return len(self._waiting)

    def note(self, body: int, address: str, *, keep: bool) -> None:
        """Note that the connection of a body is lost.

        Args:
            address: the connection's address, or "" if it is not known, as after a restart. Without an
                address the body is not counted.
        """
        if address:
            self._waiting.setdefault(body, AbsentBody(body, address, keep))
            self._grown = True

    def back(self, body: int) -> None:
        """Remove a body whose player is back."""
        self._waiting.pop(body, None)

    def surplus(self, creatures: Mapping[int, Creature]) -> list[AbsentBody]:
        """Return the bodies over a limit, which must leave now. Each is returned once."""
        if not self._grown:
            return []
        self._grown = False
        for body in [b for b in self._waiting if b not in creatures or creatures[b].place == OUTSIDE]:
            del self._waiting[body]
        gone = [one for one in self._of_addresses() if self._waiting.pop(one.body, None)]
        gone += [one for one in self._in_places(creatures) if self._waiting.pop(one.body, None)]
        return gone

    def _of_addresses(self) -> list[AbsentBody]:
        """Return the bodies over the limit of their address, the oldest first."""
        many = Counter(one.address for one in self._waiting.values())
        gone: list[AbsentBody] = []
        for one in self._waiting.values():
            if many[one.address] > ADDRESS_ABSENT_MAX:
                many[one.address] -= 1
                gone.append(one)
        return gone

    def _in_places(self, creatures: Mapping[int, Creature]) -> list[AbsentBody]:
        """Return the bodies over the limit of their place."""
        there: dict[str, dict[str, list[AbsentBody]]] = {}
        for one in self._waiting.values():
            there.setdefault(creatures[one.body].place, {}).setdefault(one.address, []).append(one)
        gone: list[AbsentBody] = []
        for by_address in there.values():
            for _ in range(sum(map(len, by_address.values())) - PLACE_ABSENT_MAX):
                gone.append(max(by_address.values(), key=len).pop(0))
        return gone


class JoinEvents:
    """Collects joins, leaves and lost connections until the next turn.

    Args:
        begin: starts the turns if none is open.
        linkdead_turns: how many turns a body stays after its connection is lost.
        rate: returns the speed of game time in ppm of real time. 0 means that game time is paused.

    Attributes:
        on_guest_gone: called with the id of a guest's body that leaves early because of a limit.
    """

    def __init__(
        self,
        sessions: Sessions,
        begin: Callable[[], None],
        linkdead_turns: int,
        rate: Callable[[], int] = lambda: RATE_ONE,
    ) -> None:
        self._sessions = sessions
        self._begin = begin
        self._linkdead_turns = linkdead_turns
        self._rate = rate
        self.on_guest_gone: Callable[[int], None] = lambda body: None
        self._absent = AbsentBodies()
        self._coming: dict[str, str] = {}
        """Addresses of the players who enter with the next turn, by token."""
        self._events: list[GateEvent] = []

    def __len__(self) -> int:
        return len(self._events)

    def take(self, creatures: Mapping[int, Creature]) -> tuple[GateEvent, ...]:
        """Return the events since the last turn, with changed leads and leaves due to a limit, each once."""
        events, self._events = (*self.leads(creatures), *self._events, *self._surplus(creatures)), []
        return events

    def _surplus(self, creatures: Mapping[int, Creature]) -> Iterator[GateEvent]:
        """Yield an event for each waiting body that leaves because of a limit."""
        for one in self._absent.surplus(creatures):
            if not one.keep:
                self.on_guest_gone(one.body)
            yield GateEvent("leave", one.body, "", {"keep": one.keep})

    def leads(self, creatures: Mapping[int, Creature]) -> Iterator[GateEvent]:
        """Yield an event for each body whose client's lead has changed.

        See `rules.threats.LEADS_MIN`. A lead is measured in real time. The event gives it in game time at the
        current speed.
        """
        rate = self._rate()
        for session in self._sessions.players() if rate else ():
            body = creatures.get(session.body or 0)
            lead_us = -(-session.latency.lead_us * rate // RATE_ONE)
            if body is not None and body.lead_us != min(LEAD_GAME_US_MAX, lead_us):
                yield GateEvent("line", body.id, session.name, {"lead_us": lead_us})

    def join(self, session: Session, creature: Creature | None) -> None:
        """Let a session enter with the next turn. It gets `creature` if that has its name, or a new one."""
        number = creature.id if creature is not None and creature.name == session.name else None
        if number is not None:
            self._absent.back(number)
        driver = "program" if session.client_kind == "program" else "player"
        token = str(session.conn)
        self._coming[token] = session.address
        data = {"driver": driver, "owner": session.owner, "token": token}
        if number is not None and creature is not None and creature.owner == session.owner and creature.mind:
            data["mind"] = creature.mind
        self._put(GateEvent("join", number, session.name, data))

    def arrived(self, token: str) -> str:
        """Return the address of an admitted player once, and "" afterwards."""
        return self._coming.pop(token, "")

    def own(self, session: Session) -> None:
        """Assign a session's body to the account that the session has just received."""
        driver = "program" if session.client_kind == "program" else "player"
        self._put(GateEvent("drive", session.body, session.name, {"driver": driver, "owner": session.owner}))

    def lose(self, body: int, *, keep: bool, address: str = "") -> int:
        """Note that the connection of a body is lost, and return for how many turns the body stays.

        After these turns the body leaves, or waits outside. See `AbsentBodies`.
        """
        turns = self._linkdead_turns if keep else min(GUEST_TURNS, self._linkdead_turns)
        self._absent.note(body, address, keep=keep)
        self._put(GateEvent("linkdead", body, "", {"turns": turns, "keep": keep}))
        return turns

    def lose_session(self, session: Session) -> int:
        """Note that a session's connection is lost. Return for how many turns its body stays, 0 for none."""
        if session.body is None:
            return 0
        return self.lose(session.body, keep=session.account is not None, address=session.address)

    def mind(self, body: int, owner: str, name: str, *, back: bool = False, quiet: bool = False) -> None:
        """Give a body one of its owner's minds, or take its mind away with "".

        Args:
            back: with "", give the body the mind with which it was tamed, if any.
            quiet: do not start a turn for this event. The event then waits for the next turn.
        """
        data: dict[str, Any] = {"mind": name, "owner": owner, **({"back": True} if back else {})}
        self._put(GateEvent("mind", body, "", data), begin=not quiet)

    def retire(self, body: int) -> None:
        """Move the body of an absent player outside, because its mind no longer plans."""
        self._put(GateEvent("leave", body, "", {"keep": True}), begin=False)

    def reload(self, content: str) -> None:
        """Switch to other content with the next turn.

        Args:
            content: the hash of the content.
        """
        self._put(GateEvent("reload", None, "", {"hash": content}))

    def _put(self, event: GateEvent, *, begin: bool = True) -> None:
        self._events.append(event)
        if begin:
            self._begin()
