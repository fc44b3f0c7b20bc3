"""Collects joins, leaves and lost connections as events for the gate.

The bodies of players whose connections are lost wait in the world. Beyond a limit for each address and for
each place the oldest ones go at once. For an address these are its own. In a place they are those of the
address that has most of them there. So no address can fill a place, and no body goes because of another
address's hundreds.
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
"""The longest stay of a body whose player has no account: 20 s."""


ADDRESS_ABSENT_MAX = 12
"""Bodies of one address that wait."""
PLACE_ABSENT_MAX = 50
"""Bodies that wait in one place."""


class AbsentBody(NamedTuple):
    """A body that waits.

    Attributes:
        address: where its line came from.
        keep: when it goes, it waits outside.
    """

    body: int
    address: str
    keep: bool


class AbsentBodies:
    """The bodies that wait for their players, the oldest first."""

    def __init__(self) -> None:
        self._waiting: dict[int, AbsentBody] = {}
        self._grown = False

    def __len__(self) -> int:
        return len(self._waiting)

    def note(self, body: int, address: str, *, keep: bool) -> None:
        """The line of a body is lost.

        Args:
            address: "" = not known, as after a restart; such are not counted.
        """
        if address:
            self._waiting.setdefault(body, AbsentBody(body, address, keep))
            self._grown = True

    def back(self, body: int) -> None:
        """Remove a body whose player is back."""
        self._waiting.pop(body, None)

    def surplus(self, creatures: Mapping[int, Creature]) -> list[AbsentBody]:
        """Return, once, who must go now, the oldest first."""
        if not self._grown:
            return []
        self._grown = False
        for body in [b for b in self._waiting if b not in creatures or creatures[b].place == OUTSIDE]:
            del self._waiting[body]
        gone = [one for one in self._of_addresses() if self._waiting.pop(one.body, None)]
        gone += [one for one in self._in_places(creatures) if self._waiting.pop(one.body, None)]
        return gone

    def _of_addresses(self) -> list[AbsentBody]:
        """Return who is too many of an address."""
        many = Counter(one.address for one in self._waiting.values())
        gone: list[AbsentBody] = []
        for one in self._waiting.values():
            if many[one.address] > ADDRESS_ABSENT_MAX:
                many[one.address] -= 1
                gone.append(one)
        return gone

    def _in_places(self, creatures: Mapping[int, Creature]) -> list[AbsentBody]:
        """Return who is too many in a place."""
        there: dict[str, dict[str, list[AbsentBody]]] = {}
        for one in self._waiting.values():
            there.setdefault(creatures[one.body].place, {}).setdefault(one.address, []).append(one)
        gone: list[AbsentBody] = []
        for by_address in there.values():
            for _ in range(sum(map(len, by_address.values())) - PLACE_ABSENT_MAX):
                gone.append(max(by_address.values(), key=len).pop(0))
        return gone


class JoinEvents:
    """Collects events.

    Args:
        begin: starts turns, if none is open.
        linkdead_turns: how long a body stays.
        rate: speed of game time now, ppm of real time; 0: it stands still.

    Attributes:
        on_guest_gone: called with a guest's body that goes before its time.
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
        """Addresses of those who are let in with the next turn, by token."""
        self._events: list[GateEvent] = []

    def __len__(self) -> int:
        return len(self._events)

    def take(self, creatures: Mapping[int, Creature]) -> tuple[GateEvent, ...]:
        """Return, once, what has happened since the last turn."""
        events, self._events = (*self.leads(creatures), *self._events, *self._surplus(creatures)), []
        return events

    def _surplus(self, creatures: Mapping[int, Creature]) -> Iterator[GateEvent]:
        """Yield that bodies go that are too many of those that wait."""
        for one in self._absent.surplus(creatures):
            if not one.keep:
                self.on_guest_gone(one.body)
            yield GateEvent("leave", one.body, "", {"keep": one.keep})

    def leads(self, creatures: Mapping[int, Creature]) -> Iterator[GateEvent]:
        """Yield what bodies must know of their clients' leads.

        See `rules.threats.LEADS_MIN`.

        A lead is real time, windows are game time. A lead is reported in the game time that passes in it.
        """
        rate = self._rate()
        for session in self._sessions.players() if rate else ():
            body = creatures.get(session.body or 0)
            lead_us = -(-session.latency.lead_us * rate // RATE_ONE)
            if body is not None and body.lead_us != min(LEAD_GAME_US_MAX, lead_us):
                yield GateEvent("line", body.id, session.name, {"lead_us": lead_us})

    def join(self, session: Session, creature: Creature | None) -> None:
        """Let a session drive a creature that is kept, or a new one."""
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
        """Return, once, the address of an admitted player, "" = not known."""
        return self._coming.pop(token, "")

    def own(self, session: Session) -> None:
        """Let the body of a session be its account's, which it has just got."""
        driver = "program" if session.client_kind == "program" else "player"
        self._put(GateEvent("drive", session.body, session.name, {"driver": driver, "owner": session.owner}))

    def lose(self, body: int, *, keep: bool, address: str = "") -> int:
        """Note that the line of a body is lost, and return for how many turns it stays.

        Then it goes, or waits outside. See `absent`.
        """
        turns = self._linkdead_turns if keep else min(GUEST_TURNS, self._linkdead_turns)
        self._absent.note(body, address, keep=keep)
        self._put(GateEvent("linkdead", body, "", {"turns": turns, "keep": keep}))
        return turns

    def lose_session(self, session: Session) -> int:
        """Note that the line of a session is lost, and return for how many turns its body stays."""
        if session.body is None:
            return 0
        return self.lose(session.body, keep=session.account is not None, address=session.address)

    def mind(self, body: int, owner: str, name: str, *, back: bool = False, quiet: bool = False) -> None:
        """Give a body a mind of its owner's, "" = none.

        Args:
            back: it gets the one that it had before, if any.
            quiet: with the next turn, whenever there is one.
        """
        data: dict[str, Any] = {"mind": name, "owner": owner, **({"back": True} if back else {})}
        self._put(GateEvent("mind", body, "", data), begin=not quiet)

    def retire(self, body: int) -> None:
        """The mind of a body whose player is away plans no more: it waits outside."""
        self._put(GateEvent("leave", body, "", {"keep": True}), begin=False)

    def reload(self, content: str) -> None:
        """Let content count.

        Args:
            content: its hash.
        """
        self._put(GateEvent("reload", None, "", {"hash": content}))

    def _put(self, event: GateEvent, *, begin: bool = True) -> None:
        self._events.append(event)
        if begin:
            self._begin()
