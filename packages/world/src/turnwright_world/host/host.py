"""WorldHost: takes what comes from connections and returns effects.

connect, line, message, wake, pending_read, planned, saved, checked … ──► take() ──► effects
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from turnwright.host.admission import party_of
from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.record import Footer
from turnwright_world.game import WorldGame
from turnwright_world.host import effects as fx
from turnwright_world.host import text as rendering
from turnwright_world.host.accounts import Account
from turnwright_world.host.commands import PlayerCommands, rules_of
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
from turnwright_world.host.turns import TurnCallbacks, TurnLoop
from turnwright_world.intent import GATE, WorldIntent
from turnwright_world.rules.entities import Creature
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
from turnwright_world.wire.server_messages import WelcomeMessage

__all__ = ["AHEAD_MAX", "NAME_WAIT_NS", "WorldConfig", "WorldHost", "meaningless"]

AHEAD_MAX = 8
"""Lines stored for a session that is still logging in."""
CONTENTS_MAX = 8
"""Contents that are held beside the one that counts; all of them lie with the world's data."""
NAME_WAIT_NS = 300_000_000_000
"""The time that a connection may take to come in."""
_NAME_CHARS_MAX = 40
_EXPECTED = {
    "hello": "{} was sent already",
    "combat.react": "{} works inside the world: send Hello first, and wait for Welcome",
}
_UNKNOWN = "there is no message {!r} from a program: there are Hello, Command, Combat.React and Time.Ping"


class WorldHost:
    """One world and all who are connected to it. battle: of a `WorldGame` with a gate."""

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
            gather=self._gather,
            tell_early=self._tell_early,
            tell_turn=self._tell_turn,
            tell_segment=self._tell_segment,
            graces_us=self.graces_us,
            is_wanted=self._is_wanted,
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
        self.join_events = context.join_events
        self.login = Login(context, accounts)
        self.minds = MindService(context, minds)
        self._commands = PlayerCommands(context, self.login, self.minds)
        self._operator = OperatorCommands(context)
        self._spectators = Spectators(self._commands)
        self._lines: Mapping[Stage, Callable[[Session, str, int], None]] = {
            "name": self._name_line,
            "passphrase": self.login.passphrase_given,
            "new": self.login.new_passphrase,
            "again": self.login.new_passphrase,
            "watching": lambda session, text, _: self._spectators.line(session, text),
        }
        """The handlers of lines, by stage; `_command_line` is that of every other stage."""
        self._alarm_ns: int | None = None
        self._told_rules: Rules | None = None
        """The ruleset that clients were told of."""
        self.context.emit(fx.RecordOpen(fx.BATTLE, battle.header))
        self._find_bodies()
        if config.lives:
            self.turns.begin(now_ns)

    def _find_bodies(self) -> None:
        """Mark the characters of a restored world as disconnected."""
        self.minds.reconcile()
        world = self.turns.state.world
        self.login.remember(world.creatures.values())
        for number in world.index.driven():
            if world.creatures[number].linkdead_since is None:
                self._lose_creature(world.creatures[number])

    def _lose_creature(self, creature: Creature, address: str = "") -> None:
        """Disconnect a driven body: it goes, or waits outside if it belongs to an account."""
        self.context.join_events.lose(creature.id, keep=self.login.keeps(creature), address=address)

    # ---- what comes in -------------------------------------------------------------------------------------

    def connect(self, conn: int, client_kind: ClientKind, address: str, now_ns: int) -> None:
        """A connection is open.

        address: limits and guests' bodies go by the party that it belongs to.
        """
        self.context.now_ns = now_ns
        address = party_of(address)
        terminal = client_kind in ("gmcp", "packed", "terminal")
        packages = client_kind in ("gmcp", "packed", "program")
        session = Session(conn, client_kind, address, colours=terminal, packages=packages)
        self.sessions.add(session)
        self.context.addresses.enter(address)
        self.context.login_until_ns[conn] = now_ns + NAME_WAIT_NS
        if session.reads_text:
            self.context.say(session, rendering.wrapped(self.config.banner, session.width))
            self.context.ask(session, ASK_NAME)

    def disconnect(self, conn: int, now_ns: int) -> None:
        """A connection is gone: its body stays for a while."""
        self.context.now_ns = now_ns
        session = self.sessions.of(conn)
        if session is None:
            return
        self.context.join_events.lose_session(session)
        self.context.forget(session)

    def line(self, conn: int, text: str, now_ns: int) -> None:
        """A line was typed."""
        self.context.now_ns = now_ns
        session = self.sessions.of(conn)
        if session is None or session.stage == "gone":
            return
        if session.paste is not None and session.paste.is_over(now_ns):
            session.paste = None
        free = session.paste is not None and session.paste.has_room
        if not free:
            self.output.unprompted(session)
        if not free and not session.guard.allow(now_ns, self.context.addresses.lines(session.address)):
            self._too_fast(session, now_ns)
            return
        text = rendering.clean(text.replace("\n", " "))
        self._lines.get(session.stage, self._command_line)(session, text, now_ns)

    def _name_line(self, session: Session, text: str, now_ns: int) -> None:
        """Take a name, or what somebody without a name wants to watch."""
        if (what := self._spectators.wanted(text)) is not None:
            self._spectators.begin(session, what)
        else:
            self.login.name_given(session, text, now_ns)

    def _command_line(self, session: Session, text: str, now_ns: int) -> None:
        """Take a command of an operator or a player, or a line of a program that is pasted."""
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

        data: as `wire.messages.convert` returns it.
        """
        self.context.now_ns = now_ns
        session = self.sessions.of(conn)
        if session is None or session.stage == "gone":
            return
        name = package.lower()
        if isinstance(data, LineCommand):
            self.line(conn, data.text, now_ns)
        elif not session.guard.allow(now_ns, self.context.addresses.lines(session.address)):
            self._too_fast(session, now_ns)
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
        """Something came that cannot be read: it counts like a line.

        text: what was wrong with it.
        """
        self.context.now_ns = now_ns
        session = self.sessions.of(conn)
        if session is None or session.stage == "gone":
            return
        if session.guard.allow(now_ns, self.context.addresses.lines(session.address)):
            self.context.say(session, f"[{text}]")
        else:
            self._too_fast(session, now_ns)

    def terminal(
        self,
        conn: int,
        *,
        width: int | None = None,
        colours: bool | None = None,
        screen_reader: bool | None = None,
        packages: bool | None = None,
    ) -> None:
        """More is known of a terminal."""
        session = self.sessions.of(conn)
        if session is None:
            return
        session.width = session.width if width is None else min(WIDTH_MAX, max(WIDTH_MIN, width))
        session.colours = session.colours if colours is None else colours
        session.screen_reader = session.screen_reader if screen_reader is None else screen_reader
        if packages and not session.packages:
            session.packages = True
            if session.playing:
                self._introduce(session)
            if session.entered:
                self.output.greet_program(session)

    def checked(self, conn: int, good: bool, now_ns: int) -> None:
        """A passphrase was compared."""
        self.context.now_ns = now_ns
        self.login.checked(conn, good, now_ns)

    def account_made(self, conn: int, account: Account, now_ns: int) -> None:
        """A new account has its hash."""
        self.context.now_ns = now_ns
        session = self.sessions.of(conn)
        if session is not None:
            self.login.account_made(session, account)
            if session.account is not None:
                self.context.join_events.own(session)

    def mind_checked(self, ticket: int, owner: str, mistake: tuple[int, str] | None, now_ns: int) -> None:
        """A player's mind was looked at. mistake: line and text, None: it can be a mind."""
        self.context.now_ns = now_ns
        self.minds.checked(ticket, owner, mistake)

    def planned(
        self, turn: int, body: int, command: str, now_ns: int, memory: dict[str, Any] | None = None
    ) -> None:
        """A mind has decided on a command, "" = nothing.

        memory: what it remembers, None: what it did.
        """
        self.turns.planned(turn, body, intent_of_plan(self.turns, body, command, memory, now_ns), now_ns)

    def saved(self, turn: int, now_ns: int) -> None:
        """The store has a turn."""
        self.context.now_ns = now_ns
        self.turns.saved(turn, now_ns)

    def pending_read(self, now_ns: int) -> None:
        """Answer to ReadPending: the input that lay in the sockets is handed over."""
        self.context.now_ns = now_ns
        self.turns.pending_read(now_ns)

    def wake(self, now_ns: int) -> None:
        """Something is due, perhaps."""
        self.context.now_ns = now_ns
        self._alarm_ns = None
        self.turns.wake(now_ns)
        for session in list(self.context.throttled.values()):
            self._too_fast(session, now_ns)
        for conn in [conn for conn, until_ns in self.context.login_until_ns.items() if until_ns <= now_ns]:
            del self.context.login_until_ns[conn]
            waiting = self.sessions.of(conn)
            if waiting is not None and not waiting.playing:
                self.context.end(waiting, f"Nobody came in for {NAME_WAIT_NS // 60_000_000_000} minutes.")

    def reload(self, rules: Rules, now_ns: int) -> None:
        """Let other content count from the next turn on."""
        self.context.now_ns = now_ns
        library = self.turns.game.library
        library.pop(rules.content_hash, None)
        library[rules.content_hash] = rules
        now = self.turns.state.world.facts.content
        for content in [content for content in library if content != now][:-CONTENTS_MAX]:
            del library[content]
        self.context.join_events.reload(rules.content_hash)

    def builders(self, text: str) -> None:
        """Tell those who can change the content what is wrong with it."""
        self.output.builders(self.sessions.players(), text)

    def announce(self, text: str) -> None:
        """Show a line to all players and spectators."""
        self.context.announce(text)

    def stop_all(self, reason: str, now_ns: int) -> None:
        """End the open turn and the record, and close all connections.

        As if the connections were lost.
        """
        self.context.now_ns = now_ns
        for session in self.sessions:
            self.context.join_events.lose_session(session)
            self.context.end(session, reason)
        try:
            self.turns.close_early(now_ns)
        finally:
            self.context.emit(fx.RecordClose(fx.BATTLE, Footer("aborted", self.turns.battle.turn)))

    def take(self) -> list[fx.Effect]:
        """Return, once, what is to be done, in order."""
        self.output.flush()
        due_ns = self._next_ns()
        if due_ns != self._alarm_ns:
            self._alarm_ns = due_ns
            self.context.emit(fx.SetAlarm(due_ns))
        effects = self.context.effects.copy()
        self.context.effects.clear()
        return effects

    # ---- turns ------------------------------------------------------------------------------------------

    def _gather(self) -> Iterable[tuple[int, WorldIntent]]:
        """Return what each body does in this turn; the gate's events under its number."""
        gate = self.context.join_events.take(self.turns.state.world.creatures)
        if gate:
            yield GATE, WorldIntent(gate=gate)
        creatures = self.turns.state.world.creatures
        for session in self.sessions.players():
            body = creatures.get(session.body or 0)
            if body is None or body.died_us is not None:
                continue
            stop, session.stop = session.stop, False
            line = session.queue.take() if stop or body.action is None else None
            session.acts = stop or line is not None or body.action is not None
            if stop or line is not None:
                verb, text = split(line or "", self.turns.state.rules)
                yield body.id, WorldIntent(verb, text, stop)

    def _tell_early(self, told: list[tuple[int, dict[str, Any]]]) -> None:
        """Tell what has happened inside the open turn."""
        by_body: dict[int, list[dict[str, Any]]] = {}
        for body, message in told:
            by_body.setdefault(body, []).append(message)
        for body, messages in by_body.items():
            session = self.sessions.of_body(body)
            if session is not None:
                session.told += len(messages)
                self.context.view(session)
                self.output.early(session, messages, self.turns.state.world.reached_us)

    def _tell_turn(self, closed: Closed) -> Iterator[bool]:
        """Tell what a turn has brought, one session after the other, first those who acted; yield whether
        the next one has."""
        state = self.turns.state
        for trouble in state.troubles:
            text = f"{trouble.what} failed and was undone: {trouble.text} ({trouble.where})"
            self.context.emit(fx.Log("error", text))
            self.output.builders(self.sessions.players(), text)
        self._tell_rules(state.rules)
        for message in state.heard.get(GATE, ()):
            self._gate_message(message)
        for session in sorted(self.sessions.players(), key=_only_looks_on):
            yield not _only_looks_on(session)
            if not session.playing:
                continue
            try:
                self._tell_session(session)
            except Exception as error:
                self.context.emit(fx.Log("error", f"{session.name} could not be told of a turn: {error!r}"))
                self.context.join_events.lose_session(session)
                self.context.end(session, "Something went wrong here; it was logged.")

        for session in self.sessions.watchers():
            yield False
            self._spectators.tell(session)

    def _tell_rules(self, rules: Rules) -> None:
        """Tell clients what they can offer now, when the content has changed."""
        if rules is self._told_rules:
            return
        self._told_rules = rules
        self.output.meets(rules.threats.reactions.values())
        for session in self.sessions.players():
            self.output.package(session, rules_of(rules))
            self.output.forget_map(session)

    def _tell_session(self, session: Session) -> None:
        if session.body is None or session.body not in self.turns.state.world.creatures:
            self.context.end(session, "Your body is gone.")
            return
        view = self.turns.look(session.body)
        told, session.told = session.told, 0
        before = session.place
        self.output.turn(session, view, view["heard"][told:])
        if session.place != before:
            self.sessions.moved(session)
        if not session.entered:
            session.entered = True
            self.output.warn(session)
            self._came_in(session)

    def _tell_segment(self) -> None:
        """Tell that game time now runs otherwise."""
        for session in (*self.sessions.players(), *self.sessions.watchers()):
            self.output.segment(session, self.turns.clock.segment)

    def graces_us(self) -> Mapping[int, int]:
        """Return by game time how long landings wait for players without a clock, µs.

        Others do not.
        """
        creatures, graces = self.turns.state.world.creatures, dict[int, int]()
        for session in self.sessions.players():
            grace_us = session.latency.grace_us
            body = creatures.get(session.body or 0) if grace_us else None
            for threat in body.threats if body is not None else ():
                graces[threat.lands_us] = max(grace_us, graces.get(threat.lands_us, 0))
        return graces

    def _is_wanted(self) -> bool:
        """Return whether there is a player who needs another turn."""
        return (
            self.config.lives
            or len(self.context.join_events) > 0
            or bool(self.turns.state.world.index.driven())
        )

    # ---- small things --------------------------------------------------------------------------------------

    def _keep_ahead(self, session: Session, text: str) -> None:
        """Keep a line that came before its body did."""
        if len(session.ahead) < AHEAD_MAX:
            session.ahead.append(text)
        else:
            self.context.say(session, f"You are not in the world yet; {text!r} was not taken.")

    def _came_in(self, session: Session) -> None:
        """A session has been shown where it is: do what was typed before."""
        ahead, session.ahead = session.ahead, []
        for text in ahead:
            if session.playing:
                self._commands.line(session, text)

    def _gate_message(self, message: Mapping[str, Any]) -> None:
        """Take what came of an event at the gate."""
        token = message.get("token")
        session, address = self.sessions.of(int(token or 0)), self.context.join_events.arrived(token or "")
        if message["kind"] == "joined":
            if session is None or session.stage != "entering":
                body = self.turns.state.world.creatures.get(message["body"])
                if body is not None:
                    self.login.note_lost(body)
                    self._lose_creature(body, address)
                return
            self.sessions.embody(session, message["body"])
            self.context.login_until_ns.pop(session.conn, None)
            self.login.note_body(session)
            self._introduce(session)
        elif message["kind"] == "left":
            self.login.forget_body(message["body"])
        elif session is not None and session.stage == "entering":
            self.context.end(session, "Something went wrong when you came in; it was logged.")

    def _introduce(self, session: Session) -> None:
        """Tell its program who it is, what it can offer and how game time runs."""
        self.context.package(session, WelcomeMessage(session.body, session.name))
        self.context.package(session, rules_of(self.context.rules))
        self.output.segment(session, self.clock.segment)

    def _too_fast(self, session: Session, now_ns: int) -> None:
        """Tell what was not read, at most once a second; send away who never stops."""
        if session.guard.flooding:
            self.context.join_events.lose_session(session)
            self.context.end(session, "That was too much; the connection is closed.")
            return
        notice = session.guard.notice(now_ns)
        if notice is not None:
            self.context.say(session, notice)
        if session.guard.notice_due_ns is None:
            self.context.throttled.pop(session.conn, None)
        else:
            self.context.throttled[session.conn] = session

    def _next_ns(self) -> int | None:
        """Return when something is due."""
        times = [self.turns.next_ns()]
        times += [session.guard.notice_due_ns for session in self.context.throttled.values()]
        times += [next(iter(self.context.login_until_ns.values()), None)]
        return min((at_ns for at_ns in times if at_ns is not None), default=None)


def _only_looks_on(session: Session) -> bool:
    """Return whether a player was there before and has not acted: these get the turn last."""
    return session.entered and not session.acts


def meaningless(package: str) -> str:
    """Return what to say of a message of this name: what was expected, on one line."""
    return _EXPECTED.get(package.lower(), _UNKNOWN).format(rendering.clean(package)[:_NAME_CHARS_MAX])


def _duration(name: str, start_us: int, least_us: int, most_us: int) -> Duration:
    return Duration(name, start_us, low_us=least_us or start_us, high_us=max(start_us, most_us))
