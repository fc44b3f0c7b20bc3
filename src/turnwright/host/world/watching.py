"""Spectators of a world: whoever watches a place, or what a player sees, and changes nothing.

A spectator has no body. It is told of a place what is seen and heard there, of a player what the player is
told at the end of each turn; what players say outside of the world (tell, chat) it does not hear.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from turnwright.games.world.rules import Rules
from turnwright.host.world.accounts import fold
from turnwright.host.world.commands import IMMEDIATE, Room
from turnwright.host.world.entrance import ASK_NAME
from turnwright.host.world.sessions import Session
from turnwright.host.world.table import WorldTable
from turnwright.host.world.voice import Voice
from turnwright.wire.world.clock import GameClock

__all__ = ["WATCHERS_MAX", "Watching"]

WATCHERS_MAX = 200
"""Spectators at once."""
_WORD = "watch"
_ALLOWED = ("look", "l", "exits", "who", "time")
_USAGE = f"You only watch here: {_WORD} NAME or PLACE, look, exits, who, time, quit."
_LEAVING = ("quit", "exit", "logout")


class House(Room, Protocol):
    """What watching needs of the host."""

    table: WorldTable
    voice: Voice
    clock: GameClock

    def ask(self, session: Session, question: str) -> None:
        """Show a question and wait for a line."""

    def end(self, session: Session, why: str) -> None:
        """Close a connection with a last word."""


class Watching:
    """Who watches what."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._watchers: dict[int, Session] = {}

    def watchers(self) -> list[Session]:
        """Return who watches, in order of coming."""
        return list(self._watchers.values())

    def wanted(self, text: str) -> str | None:
        """Return what somebody who gives this instead of a name wants to watch; None: it is a name."""
        word, _, rest = text.strip().partition(" ")
        return rest.strip() if fold(word) == _WORD else None

    def begin(self, session: Session, what: str) -> bool:
        """Let a session watch; return whether it does."""
        found = self._find(what)
        problem = None if found else f"There is nobody and no place called {what[:40]}."
        if len(self._watchers) >= WATCHERS_MAX:
            problem = f"{WATCHERS_MAX} watch already; come back later."
        if found is None or problem is not None:
            self._refuse(session, problem or "")
            return False
        session.stage = "watching"
        self._watchers[session.conn] = session
        about = {"body": None, "name": "", "watching": self._name(found)}
        self._house.package(session, "Welcome", about)
        self._house.package(session, "World.Rules", {"verbs": [], "reactions": [], "react_us": 0})
        self._house.voice.segment(session, self._house.clock.segment)
        self._watch(session, found)
        return True

    def line(self, session: Session, text: str) -> None:
        """Take a line of a spectator."""
        word, _, rest = text.strip().partition(" ")
        if (what := self.wanted(text)) is not None:
            found = self._find(what)
            if found is None:
                self._house.say(session, f"There is nobody and no place called {what[:40]}.")
            else:
                self._watch(session, found)
        elif word.lower() in _ALLOWED and session.view:
            IMMEDIATE[word.lower()](self._house, session, rest)
        elif word.lower() in _LEAVING:
            self._house.end(session, "Farewell.")
        elif word:
            self._house.say(session, _USAGE)

    def forget(self, session: Session) -> None:
        """A connection has ended."""
        if self._watchers.pop(session.conn, None) is not None:
            self._mark()

    def tell(self, session: Session) -> None:
        """Tell a spectator what a turn has brought."""
        view = self._view(session)
        if view is None:
            self._house.say(session, f"{session.watches[2]} is gone.")
            self._watch(session, ("place", session.place or self._start(), ""))
            return
        self._house.voice.turn(session, view, view["heard"])
        session.entered = True

    # ---- whom and what -------------------------------------------------------------------------------------

    def _refuse(self, session: Session, problem: str) -> None:
        if not session.reads_text:
            self._house.end(session, problem)
            return
        self._house.say(session, problem)
        self._house.ask(session, ASK_NAME)

    def _watch(self, session: Session, found: tuple[str, int | str, str]) -> None:
        session.watches = (found[0], found[1], self._name(found))
        session.place, session.entered = None, False
        session.sent.clear()
        self._mark()
        self._house.say(session, f"You watch {session.watches[2]}. {_USAGE}")
        if not self._house.table.resolving:
            self.tell(session)

    def _mark(self) -> None:
        """Note which places are watched."""
        places = {str(one.watches[1]) for one in self._watchers.values() if one.watches[0] == "place"}
        self._house.table.state.world.watched = frozenset(places)

    def _find(self, what: str) -> tuple[str, int | str, str] | None:
        """Return what a word means: a player, a place; without one, where most players are."""
        world = self._house.table.state.world
        if not what:
            return "place", self._liveliest(), ""
        player = self._house.sessions.find(what)
        if player is not None and player.body is not None:
            return "body", player.body, player.name
        wanted = fold(what)
        begins = [place.id for place in world.places.values() if fold(place.name).startswith(wanted)]
        place = what if what in world.places else next(iter(begins), None)
        return None if place is None else ("place", place, "")

    def _liveliest(self) -> str:
        """Return the place in which most players are; the first place of all where none is."""
        many: dict[str, int] = {}
        for player in self._house.sessions.players():
            if player.place:
                many[player.place] = many.get(player.place, 0) + 1
        return max(many, key=lambda place: many[place]) if many else self._start()

    def _start(self) -> str:
        rules: Rules = self._house.rules
        return rules.start

    def _name(self, found: tuple[str, int | str, str]) -> str:
        place = self._house.table.state.world.places.get(str(found[1])) if found[0] == "place" else None
        return found[2] if place is None else place.name

    def _view(self, session: Session) -> dict[str, Any] | None:
        """Return what a spectator sees; None: whom it watched is not there any more."""
        kind, target, _ = session.watches
        table = self._house.table
        if kind == "place":
            return table.game.look_at(table.state, str(target))
        body = table.state.world.creatures.get(int(target))
        if body is None or not body.place:
            return None
        view: Mapping[str, Any] = table.look(body.id)
        return {**view, "memory": {}, "quests": {}}
