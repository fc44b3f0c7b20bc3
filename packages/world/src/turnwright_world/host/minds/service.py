"""Players' minds: takes, checks, stores, starts and stops them.

    hand_over ─► CheckMind ─► checked ─► SaveMind, LoadMind and, at the gate, the body's new mind

A mind acts for its owner's character while the player is away, or for another creature of the owner. The gate
refuses a mind for another player's body.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import msgspec

from turnwright.host.accounts import Attempts
from turnwright_world.host import effects as fx
from turnwright_world.host.host_context import HostContext
from turnwright_world.host.minds.player_mind import (
    HANDED_MAX,
    HANDED_WINDOW_NS,
    MINDS_KEPT_MAX,
    MINDS_MAX,
    MindHistory,
    PlayerMind,
    why_not_source,
)
from turnwright_world.host.sessions import Session
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.naming import the
from turnwright_world.wire.server_messages import (
    MindFault,
    MindLook,
    MindMistake,
    MindMistakes,
    MindRow,
    MindStatus,
)

_FAULTS = frozenset(("error", "slow", "broken", "disabled", "refused", "quota"))
"""Reasons for a missing plan that the owner can remove."""


class MindRefused(Exception):
    """A request about a mind was refused. The text says why."""


class MindService:
    """All players' minds of one world. `kept` has the minds from the store."""

    def __init__(self, context: HostContext, kept: Iterable[PlayerMind]) -> None:
        self.context = context
        self._minds: dict[str, dict[int, PlayerMind]] = {}
        self._standings: dict[int, MindHistory] = {}
        self._checking: dict[str, tuple[int, int, PlayerMind]] = {}
        """By owner, the ticket, the connection and the mind of a running check."""
        self._tickets = 0
        self._handed = Attempts(HANDED_MAX, HANDED_WINDOW_NS)
        for mind in kept:
            self._minds.setdefault(mind.owner, {})[mind.body] = mind
            context.emit(fx.LoadMind(mind.name, mind.source, mind.body))

    # ---- which creature ------------------------------------------------------------------------------------

    def target(self, session: Session, name: str) -> Creature:
        """Return the creature that a name means.

        "" and "me" mean the player's character. Other names mean the player's other creatures.

        Raises:
            MindRefused: the name fits no creature or several, or the character is not saved or not present.
        """
        own = self._own_bodies(session)
        wanted = name.strip().lower()
        if wanted in ("", "me", "myself", session.name.lower()):
            return own[0]
        if wanted.startswith("#"):
            found = [one for one in own if f"#{one.id}" == wanted]
        else:
            found = [one for one in own[1:] if _begins(one.name.lower(), wanted)]
        if len(found) > 1:
            numbers = ", ".join(f"#{one.id}" for one in found)
            raise MindRefused(f"You have more than one {wanted[:40]!r}: name it by its number, {numbers}.")
        if not found:
            raise MindRefused(f"No creature of yours is called {name.strip()[:40]!r}; type mind for a list.")
        return found[0]

    def _own_bodies(self, session: Session) -> list[Creature]:
        """Return the player's character and other creatures.

        Raises:
            MindRefused: the character is not saved, or it is not in the world.
        """
        if session.account is None:
            raise MindRefused(
                "Only a character that is saved can have a mind: type keep, choose a passphrase."
            )
        world = self.context.turns.state.world
        me = world.creatures.get(session.body or 0)
        if me is None:
            raise MindRefused("You are not in the world.")
        others = [world.creatures[number] for number in world.index.owned(session.owner)]
        return [me, *(one for one in others if one.id != me.id and not one.is_character)]

    def of(self, session: Session, body: int) -> PlayerMind:
        """Return the mind that a player has given a body.

        Raises:
            MindRefused: the player has given the body no mind.
        """
        mind = self._minds.get(session.owner, {}).get(body)
        if mind is None or session.account is None:
            raise MindRefused("There is no mind of yours for that; hand one over first (mind paste).")
        return mind

    # ---- handing over --------------------------------------------------------------------------------------

    def hand_over(self, session: Session, name: str, source: str, now_ns: int) -> None:
        """Accept the source of a mind and start its check.

        Raises:
            MindRefused: no such creature, not a mind, a limit is reached, or the last check still runs.
        """
        body = self.target(session, name)
        problem = why_not_source(source)
        if problem is not None:
            raise MindRefused(f"That is not a mind: {problem}.")
        self._prune(session)
        mine = self._minds.get(session.owner, {})
        if body.id not in mine and len(mine) >= MINDS_MAX:
            raise MindRefused(
                f"You have {MINDS_MAX} minds, the most that an account may have; drop one of them."
            )
        if body.id not in mine and sum(map(len, self._minds.values())) >= MINDS_KEPT_MAX:
            raise MindRefused(f"This world has {MINDS_KEPT_MAX} minds of players, the most it can store.")
        if session.owner in self._checking:
            raise MindRefused("Your last mind is still being checked; try again in a second.")
        self._count(session, now_ns)
        self._tickets += 1
        mind = PlayerMind(session.owner, body.id, source)
        self._checking[session.owner] = self._tickets, session.conn, mind
        self.context.emit(fx.CheckMind(self._tickets, session.owner, source))

    def _count(self, session: Session, now_ns: int) -> None:
        wait_s = self._handed.wait_s(session.owner, now_ns)
        if wait_s:
            raise MindRefused(f"You may hand over {HANDED_MAX} minds a minute; try again in {wait_s} s.")
        self._handed.made(session.owner, now_ns)

    def checked(self, ticket: int, owner: str, mistake: tuple[int, str] | None) -> None:
        """Handle the result of a check.

        Args:
            mistake: line (0 if there is none) and text of the first mistake, or None if the mind is valid.
        """
        known = self._checking.get(owner)
        if known is None or known[0] != ticket:
            return
        del self._checking[owner]
        _, conn, mind = known
        session = self.context.sessions.of(conn)
        if mistake is not None:
            self._tell_mistake(session, mind, mistake)
            return
        body = self.context.turns.state.world.creatures.get(mind.body)
        if body is None or not self._belongs(body, owner):
            self._answer(session, "The mind is not taken: that creature is not yours any more.")
            return
        before = self._minds.get(owner, {}).get(mind.body)
        self.adopt(mind)
        if before is not None:
            self._unteach(before)
        whom = "you while you are away" if body.is_character else the(body.name)
        self._answer(session, f"The mind is taken ({mind.hash}): it acts for {whom}.", refresh=True)

    def _tell_mistake(self, session: Session | None, mind: PlayerMind, mistake: tuple[int, str]) -> None:
        line, text = mistake
        where = f"Line {line}: " if line else ""
        self._answer(session, f"The mind is not taken. {where}{text}")
        if session is not None:
            self.context.package(session, MindMistakes(mind.body, [MindMistake(line, text)]))

    def _answer(self, session: Session | None, text: str, *, refresh: bool = False) -> None:
        if session is not None and session.playing:
            self.context.say(session, text)
            if refresh:
                self.send_status(session)

    # ---- starting, stopping, dropping ----------------------------------------------------------------------

    def stop(self, session: Session, name: str) -> str:
        """Stop a mind and return the answer for the player.

        Raises:
            MindRefused: the player has no such creature, or the creature has no mind.
        """
        mind = self.of(session, self.target(session, name).id)
        self._keep(replace(mind, on=False))
        self.context.join_events.mind(mind.body, mind.owner, "")
        return "The mind is stopped; it is kept, and mind start lets it act again."

    def start(self, session: Session, name: str, now_ns: int) -> str:
        """Let a mind act again, forget its faults, and return the answer for the player.

        Raises:
            MindRefused: the player has no such creature, the creature has no mind, or a limit is reached.
        """
        mind = self.of(session, self.target(session, name).id)
        self._count(session, now_ns)
        self.adopt(replace(mind, on=True))
        return "The mind acts again; what it did wrong is forgotten."

    def drop(self, session: Session, name: str) -> str:
        """Delete a mind and return the answer for the player. It raises MindRefused as `stop` does."""
        mind = self.of(session, self.target(session, name).id)
        self._forget(mind)
        self.context.join_events.mind(mind.body, mind.owner, "", back=True)
        return "The mind is forgotten."

    def _keep(self, mind: PlayerMind) -> None:
        self._minds.setdefault(mind.owner, {})[mind.body] = mind
        self.context.emit(fx.SaveMind(mind))

    def adopt(self, mind: PlayerMind) -> None:
        """Store a checked mind. Its creature uses it from the next turn on."""
        self._keep(mind)
        self._standings[mind.body] = MindHistory()
        self.context.emit(fx.LoadMind(mind.name, mind.source, mind.body))
        self.context.join_events.mind(mind.body, mind.owner, mind.name)

    def _forget(self, mind: PlayerMind) -> None:
        del self._minds[mind.owner][mind.body]
        if not self._minds[mind.owner]:
            del self._minds[mind.owner]
        self._standings.pop(mind.body, None)
        self.context.emit(fx.DeleteMind(mind.owner, mind.body))
        self._unteach(mind)

    def _unteach(self, mind: PlayerMind) -> None:
        """Unload a source from the planner if no mind uses it."""
        used = {one.name for mine in self._minds.values() for one in mine.values()}
        if mind.name not in used:
            self.context.emit(fx.UnloadMind(mind.name, mind.owner))

    def _prune(self, session: Session) -> None:
        """Delete the minds of creatures that no longer belong to the player."""
        creatures = self.context.turns.state.world.creatures
        for mind in list(self._minds.get(session.owner, {}).values()):
            body = creatures.get(mind.body)
            if body is None or not self._belongs(body, mind.owner):
                self._forget(mind)

    def _belongs(self, body: Creature, owner: str) -> bool:
        """Return whether a body belongs to `owner` now, or after a pending event of the gate."""
        session = self.context.sessions.of_body(body.id)
        return body.owner == owner or (session is not None and session.owner == owner)

    def acts(self, session: Session) -> bool:
        """Return whether a mind acts for a player's character while the player is away."""
        mind = self._minds.get(session.owner, {}).get(session.body or 0)
        return mind is not None and mind.on and session.account is not None

    def reconcile(self) -> None:
        """Give restored bodies their stored minds.

        The two can differ if the server was killed after it stored a mind and before it stored the body.
        """
        creatures = self.context.turns.state.world.creatures
        for mine in self._minds.values():
            for mind in mine.values():
                body, name = creatures.get(mind.body), mind.name if mind.on else ""
                if body is not None and body.owner == mind.owner and body.mind != name:
                    self.context.join_events.mind(mind.body, mind.owner, name, quiet=True)

    # ---- outcomes of plans ---------------------------------------------------------------------------------

    def planned(self, turn: int, body: int, owner: str, reason: str | None, text: str, printed: str) -> bool:
        """Note the outcome of a plan, report a new fault to the owner, and return whether there was one.

        Args:
            reason: why the plan is missing, or None. A character with a disabled mind moves outside.
            text: one line about a missing plan, for the owner.
            printed: what the mind printed.
        """
        mind = self._minds.get(owner, {}).get(body)
        creature = self.context.turns.state.world.creatures.get(body)
        if (
            reason == "disabled"
            and creature is not None
            and creature.is_character
            and creature.driver == "mind"
        ):
            self.context.join_events.retire(body)
        if mind is None:
            return False
        standing = self._standings.setdefault(body, MindHistory())
        standing.plans[reason or "planned"] += 1
        if printed:
            standing.note(turn, "printed", printed)
        told = text if reason == "error" else str(reason)
        if reason not in _FAULTS or told == standing.told:
            return False
        standing.told = told
        standing.note(turn, str(reason), text)
        self._tell_fault(creature, owner, text)
        return True

    def _tell_fault(self, creature: Creature | None, owner: str, text: str) -> None:
        """Tell the owner, if present, of a new fault."""
        for session in self.context.sessions.players():
            if session.owner == owner and creature is not None:
                self.context.say(session, f"[The mind of {the(creature.name)} does nothing: {text}]")
                self.context.package(session, MindFault(creature.id, text))

    def history(self, body: int) -> MindHistory:
        """Return the outcomes of a body's plans, or a new empty history before its first plan."""
        return self._standings.get(body, MindHistory())

    def rows(self, session: Session) -> list[MindRow]:
        """Return a player's creatures with their minds, the character first.

        Raises:
            MindRefused: the character is not saved, or it is not in the world.
        """
        rows = []
        bodies = self._own_bodies(session)
        self._prune(session)
        for body in bodies:
            mind = self._minds.get(session.owner, {}).get(body.id)
            row = MindRow(body.id, body.name, body is bodies[0])
            rows.append(row if mind is None else self._with_mind(row, mind))
        return rows

    def _with_mind(self, row: MindRow, mind: PlayerMind) -> MindRow:
        history = self.history(row.body)
        return msgspec.structs.replace(
            row,
            on=mind.on,
            hash=mind.hash,
            bytes=len(mind.source.encode()),
            plans=dict(history.plans),
            looks=[MindLook(*look) for look in history.looks],
        )

    def send_status(self, session: Session) -> None:
        """Send a player's program the status of the minds. It raises MindRefused as `rows` does."""
        self.context.package(session, MindStatus(self.rows(session), MINDS_MAX))


def _begins(name: str, wanted: str) -> bool:
    return name.startswith(wanted) or any(word.startswith(wanted) for word in name.split())
