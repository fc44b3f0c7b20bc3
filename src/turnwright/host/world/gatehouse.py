"""What happens outside the world, as events for its gate: they come to it with the open turn, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from turnwright.games.world.entities import Creature
from turnwright.games.world.gate import LEAD_GAME_US_MAX
from turnwright.games.world.intent import GateEvent
from turnwright.host.world.absent import Absent
from turnwright.host.world.sessions import Session, Sessions
from turnwright.wire.world.clock import RATE_ONE

__all__ = ["GUEST_TURNS", "Gatehouse"]

GUEST_TURNS = 80
"""How long a body stays at most whose player has no account: 20 s."""


class Gatehouse:
    """Gathers events. begin: lets the world go on, if it stands. linkdead_turns: how long a body stays.

    rate: how fast game time runs now, ppm of real time; 0: it stands.
    forget: told whose body, of those that are not kept, goes before its time.
    """

    def __init__(
        self,
        sessions: Sessions,
        begin: Callable[[], None],
        linkdead_turns: int,
        rate: Callable[[], int] = lambda: RATE_ONE,
        forget: Callable[[int], None] = lambda body: None,
    ) -> None:
        self._sessions = sessions
        self._begin = begin
        self._linkdead_turns = linkdead_turns
        self._rate = rate
        self._forget = forget
        self._absent = Absent()
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
                self._forget(one.body)
            yield GateEvent("leave", one.body, "", {"keep": one.keep})

    def leads(self, creatures: Mapping[int, Creature]) -> Iterator[GateEvent]:
        """Yield what bodies must know of their clients' leads; see `games.world.threats.LEADS_MIN`.

        A lead is real time, windows are game time: a lead is told in the game time that passes in it.
        """
        rate = self._rate()
        for session in self._sessions.players() if rate else ():
            body = creatures.get(session.body or 0)
            lead_us = -(-session.line.lead_us * rate // RATE_ONE)
            if body is not None and body.lead_us != min(LEAD_GAME_US_MAX, lead_us):
                yield GateEvent("line", body.id, session.name, {"lead_us": lead_us})

    def join(self, session: Session, creature: Creature | None) -> None:
        """Let a session drive a creature that is kept, or a new one."""
        number = creature.id if creature is not None and creature.name == session.name else None
        if number is not None:
            self._absent.back(number)
        driver = "program" if session.carrier == "program" else "player"
        token = str(session.conn)
        self._coming[token] = session.address
        data = {"driver": driver, "owner": session.owner, "token": token}
        if number is not None and creature is not None and creature.owner == session.owner and creature.mind:
            data["mind"] = creature.mind
        self._put(GateEvent("join", number, session.name, data))

    def arrived(self, token: str) -> str:
        """Return, once, the address of somebody who was let in, "" = not known."""
        return self._coming.pop(token, "")

    def own(self, session: Session) -> None:
        """Let the body of a session be its account's, which it has just got."""
        driver = "program" if session.carrier == "program" else "player"
        self._put(GateEvent("drive", session.body, session.name, {"driver": driver, "owner": session.owner}))

    def leave(self, session: Session) -> None:
        """Let the body of a session go, or wait outside where there is an account."""
        self._put(GateEvent("leave", session.body, session.name, {"keep": session.account is not None}))

    def lose(self, body: int, *, keep: bool, address: str = "") -> None:
        """The line of a body is lost: it stays for a while, then it goes, or waits outside; see `absent`."""
        turns = self._linkdead_turns if keep else min(GUEST_TURNS, self._linkdead_turns)
        self._absent.note(body, address, keep=keep)
        self._put(GateEvent("linkdead", body, "", {"turns": turns, "keep": keep}))

    def lose_session(self, session: Session) -> None:
        """The line of a session is lost."""
        if session.body is not None:
            self.lose(session.body, keep=session.account is not None, address=session.address)

    def mind(self, body: int, owner: str, name: str, *, back: bool = False, quiet: bool = False) -> None:
        """Give a body a mind of its owner's, "" = none. back: it gets the one that it had before, if any.

        quiet: with the next turn, whenever there is one.
        """
        data: dict[str, Any] = {"mind": name, "owner": owner, **({"back": True} if back else {})}
        self._put(GateEvent("mind", body, "", data), begin=not quiet)

    def retire(self, body: int) -> None:
        """The mind of a body whose player is away plans no more: it waits outside."""
        self._put(GateEvent("leave", body, "", {"keep": True}), begin=False)

    def reload(self, content: str) -> None:
        """Let content count. content: its hash."""
        self._put(GateEvent("reload", None, "", {"hash": content}))

    def _put(self, event: GateEvent, *, begin: bool = True) -> None:
        self._events.append(event)
        if begin:
            self._begin()
