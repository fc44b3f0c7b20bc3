"""WorldHost: handles input from connections and returns effects.

connect, line, message, wake, pending_read, planned, saved, checked … ──► take() ──► effects
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from turnwright.host.admission import party_of
from turnwright.kernel.battle import Battle
from turnwright.kernel.record import Footer
from turnwright_world.game import WorldGame
from turnwright_world.host import effects as fx
from turnwright_world.host import text as rendering
from turnwright_world.host.accounts import Account
from turnwright_world.host.arrivals import Arrivals
from turnwright_world.host.commands import PlayerCommands
from turnwright_world.host.host_context import HostContext, WorldConfig
from turnwright_world.host.intents import intent_of_plan, press, split
from turnwright_world.host.login import ASK_NAME, Login
from turnwright_world.host.minds.commands import mind_message, take_pasted
from turnwright_world.host.minds.player_mind import PlayerMind
from turnwright_world.host.minds.service import MindService
from turnwright_world.host.operator import OperatorCommands
from turnwright_world.host.pace import Duration, TurnPace
from turnwright_world.host.sessions import WIDTH_MAX, WIDTH_MIN, ClientKind, Session, Stage
from turnwright_world.host.spectators import Spectators
from turnwright_world.host.telling import TurnTeller
from turnwright_world.host.turns import TurnCallbacks, TurnLoop
from turnwright_world.rules.verbs import Rules
from turnwright_world.wire.clock import GameClock
from turnwright_world.wire.messages import (
    LineCommand,
    OperatorRequest,
    ProgramLogin,
    React,
    WatchRequest,
    WindowSize,
)

__all__ = ["AHEAD_MAX", "WorldConfig", "WorldHost", "meaningless"]

AHEAD_MAX = 8
"""The most lines that are stored for a session that is still logging in. Further lines are dropped."""
CONTENTS_MAX = 8
"""The most earlier contents in memory. All contents are also stored with the world's data."""
_NAME_CHARS_MAX = 40
_EXPECTED = {
    "hello": "{} was sent already",
    "combat.react": "{} works inside the world: send Hello first, and wait for Welcome",
}
_UNKNOWN = "there is no message {!r} from a program: there are Hello, Command, Combat.React and Time.Ping"


class WorldHost:
    """One world and all connections to it.

    Args:
        battle: a battle of `WorldGame` with a gate.
        accounts, minds: those that the store has.
        stopwatch: see `TurnLoop`.

    Raises:
        SetupError: the bounds of a duration are impossible.
    """

    def __init__(
        self,
        battle: Battle,
        config: WorldConfig,
        now_ns: int,
        accounts: Iterable[Account] = (),
        stopwatch: Callable[[], int] = lambda: 0,
        minds: Iterable[PlayerMind] = (),
    ) -> None:
        assert isinstance(battle.game, WorldGame)
        effects: list[fx.Effect] = []
        self.config = config
        self.clock = GameClock(now_ns, battle.state.world.now_us)
        callbacks = TurnCallbacks(
            gather=lambda: self.teller.gather(),
            tell_early=lambda told: self.teller.tell_early(told),
            tell_turn=lambda closed: self.teller.tell_turn(closed),
            tell_segment=lambda: self.teller.tell_segment(),
            graces_us=lambda: self.teller.graces_us(),
            is_wanted=lambda: self.teller.is_wanted(),
        )
        self.turns = TurnLoop(
            battle,
            callbacks,
            self.clock,
            effects.append,
            TurnPace(
                _duration("turn", config.pace_us, config.pace_us_min, config.pace_us_max),
                _duration("planning", config.plan_us, config.plan_us_min, config.plan_us_max),
            ),
            stopwatch,
        )
        context = self.context = HostContext(config, self.turns, effects, now_ns)
        self.sessions, self.output = context.sessions, context.output
        self.login = Login(context, accounts)
        self.minds = MindService(context, minds)
        self._commands = PlayerCommands(context, self.login, self.minds)
        self._operator = OperatorCommands(context)
        self._spectators = Spectators(self._commands)
        self._arrivals = Arrivals(context, self.login)
        self.teller = TurnTeller(context, self._arrivals, self._commands, self._spectators)
        self._lines: Mapping[Stage, Callable[[Session, str, int], None]] = {
            "name": self._name_line,
            "passphrase": self.login.passphrase_given,
            "new": self.login.new_passphrase,
            "again": self.login.new_passphrase,
            "watching": lambda session, text, _: self._spectators.line(session, text),
        }
        """The handlers of lines, by stage. `_command_line` handles lines in every other stage."""
        self._alarm_ns: int | None = None
        self.context.emit(fx.RecordOpen(fx.BATTLE, battle.header))
        self.minds.reconcile()
        self._arrivals.find_bodies()
        if config.lives:
            self.turns.begin(now_ns)

    # ---- input --------------------------------------------------------------------------------------------

    def connect(self, conn: int, client_kind: ClientKind, address: str, now_ns: int) -> None:
        """Handle a new connection.

        Args:
            address: decides which connections share limits, and which guest gets a body back.
        """
        self.context.now_ns = now_ns
        address = party_of(address)
        terminal = client_kind in ("gmcp", "packed", "terminal")
        packages = client_kind in ("gmcp", "packed", "program")
        session = Session(conn, client_kind, address, colours=terminal, packages=packages)
        self.sessions.add(session)
        self.context.limits.opened(session, now_ns)
        if session.reads_text:
            self.context.say(session, rendering.wrapped(self.config.banner, session.width))
            self.context.ask(session, ASK_NAME)

    def disconnect(self, conn: int, now_ns: int) -> None:
        """Handle the end of a connection. Its body stays in the world for a while."""
        self.context.now_ns = now_ns
        session = self.sessions.of(conn)
        if session is None:
            return
        self.context.join_events.lose_session(session)
        self.context.forget(session)

    def line(self, conn: int, text: str, now_ns: int) -> None:
        """Handle a typed line, unless the session types too fast."""
        self.context.now_ns = now_ns
        session = self.sessions.of(conn)
        if session is None or session.stage == "gone":
            return
        if session.paste is not None and session.paste.is_over(now_ns):
            session.paste = None
        free = session.paste is not None and session.paste.has_room
        if not free:
            self.output.unprompted(session)
        if not free and not self.context.limits.allow(session, now_ns):
            return
        text = rendering.clean(text.replace("\n", " "))
        self._lines.get(session.stage, self._command_line)(session, text, now_ns)

    def _name_line(self, session: Session, text: str, now_ns: int) -> None:
        """Handle the first line of a session: a player's name, or a spectator's request to watch."""
        if (what := self._spectators.wanted(text)) is not None:
            self._spectators.begin(session, what)
        else:
            self.login.name_given(session, text, now_ns)

    def _command_line(self, session: Session, text: str, now_ns: int) -> None:
        """Handle an operator's or player's command, or one line of a mind's source that is being pasted."""
        rules = self.context.rules
        if session.paste is None and self._operator.command(session, *split(text, rules), now_ns):
            return
        if session.stage in ("entering", "checking"):
            self._keep_ahead(session, text)
        elif session.paste is not None:
            take_pasted(self.minds, session, text)
        else:
            self._commands.line(session, text)

    def message(self, conn: int, package: str, data: Any, now_ns: int) -> None:
        """Handle a message of a client program.

        Args:
            data: as `wire.messages.convert` returns it.
        """
        self.context.now_ns = now_ns
        session = self.sessions.of(conn)
        if session is None or session.stage == "gone":
            return
        name = package.lower()
        if isinstance(data, LineCommand):
            self.line(conn, data.text, now_ns)
        elif not self.context.limits.allow(session, now_ns):
            return
        elif isinstance(data, WatchRequest) and session.stage == "name":
            self._spectators.begin(session, data.what)
        elif isinstance(data, OperatorRequest):
            self._operator.message(session, data, now_ns)
        elif isinstance(data, ProgramLogin) and session.stage == "name":
            session.changes = data.changes
            self.login.program_hello(session, data.name, data.token, now_ns)
        elif name == "combat.react" and session.playing and isinstance(data, React):
            press(self.turns, session, data, now_ns)
        elif name.startswith("mind.") and session.playing:
            mind_message(self.minds, session, data)
        elif name == "core.size" and isinstance(data, WindowSize):
            self.terminal(conn, width=data.columns)
        elif session.client_kind == "program" and not name.startswith("core."):
            self.context.say(session, f"[{meaningless(package)}]")

    def mistake(self, conn: int, text: str, now_ns: int) -> None:
        """Handle unreadable input. It counts as a line for the rate limits.

        Args:
            text: the mistake in the input.
        """
        self.context.now_ns = now_ns
        session = self.sessions.of(conn)
        if session is None or session.stage == "gone":
            return
        if self.context.limits.allow(session, now_ns):
            self.context.say(session, f"[{text}]")

    def terminal(
        self,
        conn: int,
        *,
        width: int | None = None,
        colours: bool | None = None,
        screen_reader: bool | None = None,
        packages: bool | None = None,
    ) -> None:
        """Change what is known about a client's terminal. None, and False for `packages`, change nothing."""
        session = self.sessions.of(conn)
        if session is None:
            return
        session.width = session.width if width is None else min(WIDTH_MAX, max(WIDTH_MIN, width))
        session.colours = session.colours if colours is None else colours
        session.screen_reader = session.screen_reader if screen_reader is None else screen_reader
        if packages and not session.packages:
            session.packages = True
            if session.playing:
                self._arrivals.introduce(session)
            if session.entered:
                self.output.greet_program(session)

    def checked(self, conn: int, good: bool, now_ns: int) -> None:
        """Handle the result of comparing a passphrase."""
        self.context.now_ns = now_ns
        self.login.checked(conn, good, now_ns)

    def account_made(self, conn: int, account: Account, now_ns: int) -> None:
        """Handle a new account whose passphrase has been hashed."""
        self.context.now_ns = now_ns
        session = self.sessions.of(conn)
        if session is not None:
            self.login.account_made(session, account)
            if session.account is not None:
                self.context.join_events.own(session)

    def mind_checked(self, ticket: int, owner: str, mistake: tuple[int, str] | None, now_ns: int) -> None:
        """Handle the result of checking a player's mind.

        Args:
            mistake: line and text of the first mistake, or None if the mind is valid.
        """
        self.context.now_ns = now_ns
        self.minds.checked(ticket, owner, mistake)

    def planned(
        self, turn: int, body: int, command: str, now_ns: int, memory: dict[str, Any] | None = None
    ) -> None:
        """Handle the plan of a mind, a command or "" for nothing.

        Args:
            memory: what the mind remembers now, or None if that is unchanged.
        """
        self.turns.planned(turn, body, intent_of_plan(self.turns, body, command, memory, now_ns), now_ns)

    def saved(self, turn: int, now_ns: int) -> None:
        """Note that the store has written a turn."""
        self.context.now_ns = now_ns
        self.turns.saved(turn, now_ns)

    def pending_read(self, now_ns: int) -> None:
        """Note that the sockets have been read, as `ReadPending` asked."""
        self.context.now_ns = now_ns
        self.turns.pending_read(now_ns)

    def wake(self, now_ns: int) -> None:
        """Play the turns, and apply the limits of connections, as far as they are due now."""
        self.context.now_ns = now_ns
        self._alarm_ns = None
        self.turns.wake(now_ns)
        self.context.limits.wake(now_ns)

    def reload(self, rules: Rules, now_ns: int) -> None:
        """Use other content from the next turn on, and forget the oldest contents beyond CONTENTS_MAX."""
        self.context.now_ns = now_ns
        library = self.turns.game.library
        library.pop(rules.content_hash, None)
        library[rules.content_hash] = rules
        now = self.turns.state.world.facts.content
        for content in [content for content in library if content != now][:-CONTENTS_MAX]:
            del library[content]
        self.context.join_events.reload(rules.content_hash)

    def builders(self, text: str) -> None:
        """Show a mistake in the content to its authors, the players on this machine."""
        self.output.builders(self.sessions.players(), text)

    def announce(self, text: str) -> None:
        """Show a line to all players and spectators."""
        self.context.announce(text)

    def stop_all(self, reason: str, now_ns: int) -> None:
        """End the open turn and the record, and close all connections.

        The bodies stay in the world as if the connections were lost.
        """
        self.context.now_ns = now_ns
        for session in self.sessions:
            self.context.drop(session, reason)
        try:
            self.turns.close_early(now_ns)
        finally:
            self.context.emit(fx.RecordClose(fx.BATTLE, Footer("aborted", self.turns.battle.turn)))

    def take(self) -> list[fx.Effect]:
        """Return the effects since the last call, in order."""
        self.output.flush()
        times = (self.turns.next_ns(), self.context.limits.next_ns())
        due_ns = min((at_ns for at_ns in times if at_ns is not None), default=None)
        if due_ns != self._alarm_ns:
            self._alarm_ns = due_ns
            self.context.emit(fx.SetAlarm(due_ns))
        effects = self.context.effects.copy()
        self.context.effects.clear()
        return effects

    # ---- helpers -------------------------------------------------------------------------------------------

    def _keep_ahead(self, session: Session, text: str) -> None:
        """Store a line of a session that has no body yet, or report that it is dropped (see AHEAD_MAX)."""
        if len(session.ahead) < AHEAD_MAX:
            session.ahead.append(text)
        else:
            self.context.say(session, f"You are not in the world yet; {text!r} was not taken.")


def meaningless(package: str) -> str:
    """Return one line that says why a message of this name is refused."""
    return _EXPECTED.get(package.lower(), _UNKNOWN).format(rendering.clean(package)[:_NAME_CHARS_MAX])


def _duration(name: str, start_us: int, least_us: int, most_us: int) -> Duration:
    return Duration(name, start_us, low_us=least_us or start_us, high_us=max(start_us, most_us))
