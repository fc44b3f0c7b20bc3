"""Spectators, who watch a place or a player and change nothing.

A spectator has no body. A spectator of a place receives what can be seen and heard there. A spectator of a
player receives the player's messages at the end of each turn. Spectators do not receive what players say
outside of the world (tell, chat). They can watch only places where players begin, are or have been. In the
dark they see as little as players do.
"""

from __future__ import annotations

from turnwright.host.accounts import fold
from turnwright_world.host.commands import IMMEDIATE, PlayerCommands
from turnwright_world.host.login import ASK_NAME
from turnwright_world.host.sessions import Session
from turnwright_world.rules.seen_map import seen_places
from turnwright_world.rules.verbs import Rules
from turnwright_world.rules.view import ViewData
from turnwright_world.wire.server_messages import Offers, WelcomeMessage

WATCHERS_MAX = 200
"""The most spectators at the same time."""
_WORD = "watch"
_ALLOWED = ("look", "l", "exits", "who", "time")
_USAGE = f"You can only watch here. Your commands: {_WORD} NAME or PLACE, look, exits, who, time, quit."
_LEAVING = ("quit", "exit", "logout")


class Spectators:
    """All spectators of a world, and what each of them watches."""

    def __init__(self, commands: PlayerCommands) -> None:
        self._commands = commands
        self._context = commands.context

    def wanted(self, text: str) -> str | None:
        """Return what a client wants to watch ("" for anything), or None if `text` is not such a request."""
        word, _, rest = text.strip().partition(" ")
        return rest.strip() if fold(word) == _WORD else None

    def begin(self, session: Session, what: str) -> bool:
        """Let a session watch, and return whether it may. A refused program is disconnected."""
        found = self._find(what)
        problem = None if found else f"There is nobody and no place called {what[:40]}."
        if len(self._context.sessions.watchers()) >= WATCHERS_MAX:
            problem = f"{WATCHERS_MAX} watch already; come back later."
        if found is None or problem is not None:
            self._refuse(session, problem or "")
            return False
        session.stage = "watching"
        self._context.limits.came_in(session)
        self._context.package(session, WelcomeMessage(None, "", self._name(found)))
        self._context.package(session, Offers([], [], 0))
        self._context.output.segment(session, self._context.turns.clock.segment)
        self._watch(session, found)
        return True

    def line(self, session: Session, text: str) -> None:
        """Handle a line of a spectator."""
        word, _, rest = text.strip().partition(" ")
        if (what := self.wanted(text)) is not None:
            found = self._find(what)
            if found is None:
                self._context.say(session, f"There is nobody and no place called {what[:40]}.")
            else:
                self._watch(session, found)
        elif word.lower() in _ALLOWED and session.view:
            IMMEDIATE[word.lower()](self._commands, session, rest)
        elif word.lower() in _LEAVING:
            self._context.end(session, "Farewell.")
        elif word:
            self._context.say(session, _USAGE)

    def tell(self, session: Session) -> None:
        """Send a spectator the outcome of a turn. If the watched player is gone, show the place instead."""
        view = self._view(session)
        if view is None:
            self._context.say(session, f"{session.watches[2]} is gone.")
            self._watch(session, ("place", session.place or self._start(), ""))
            return
        self._context.output.turn(session, view, view["heard"])
        session.entered = True

    # ---- what is watched -----------------------------------------------------------------------------------

    def _refuse(self, session: Session, problem: str) -> None:
        if not session.reads_text:
            self._context.end(session, problem)
            return
        self._context.say(session, problem)
        self._context.ask(session, ASK_NAME)

    def _watch(self, session: Session, found: tuple[str, int | str, str]) -> None:
        session.watches = (found[0], found[1], self._name(found))
        session.place, session.entered = None, False
        session.sent.clear()
        self._context.mark_watched()
        self._context.say(session, f"You watch {session.watches[2]}. {_USAGE}")
        if not self._context.turns.resolving:
            self.tell(session)

    def _find(self, what: str) -> tuple[str, int | str, str] | None:
        """Return the player or place that a word names, as in `Session.watches`, or None.

        Without a word, return the place with the most players.
        """
        world = self._context.turns.state.world
        if not what:
            return "place", self._liveliest(), ""
        player = self._context.sessions.find(what)
        if player is not None and player.body is not None:
            return "body", player.body, player.name
        wanted, known = fold(what), self._known()
        begins = [name for name in known if fold(world.places[name].name).startswith(wanted)]
        place = what if what in known else next(iter(begins), None)
        return None if place is None else ("place", place, "")

    def _known(self) -> list[str]:
        """Return the places that present players have seen, and the places where players begin."""
        world = self._context.turns.state.world
        bodies = [world.creatures.get(player.body or 0) for player in self._context.sessions.players()]
        seen = {name for body in bodies if body is not None for name in seen_places(world, body)}
        return [name for name in world.places if name in seen or name == self._start()]

    def _liveliest(self) -> str:
        """Return the place with the most players, or without players the place where they begin."""
        many: dict[str, int] = {}
        for player in self._context.sessions.players():
            if player.place:
                many[player.place] = many.get(player.place, 0) + 1
        return max(many, key=lambda place: many[place]) if many else self._start()

    def _start(self) -> str:
        rules: Rules = self._context.rules
        return rules.start

    def _name(self, found: tuple[str, int | str, str]) -> str:
        place = self._context.turns.state.world.places.get(str(found[1])) if found[0] == "place" else None
        return found[2] if place is None else place.name

    def _view(self, session: Session) -> ViewData | None:
        """Return what a spectator sees, or None if the watched player is gone."""
        kind, target, _ = session.watches
        turns = self._context.turns
        if kind == "place":
            return turns.game.look_at(turns.state, str(target))
        body = turns.state.world.creatures.get(int(target))
        if body is None or not body.place:
            return None
        return {**turns.look(body.id), "memory": {}, "quests": {}}
