"""The host of a world: what comes in from connections, what goes out to them, and the table in between.

connect, line, message, disconnect, wake, drained, planned, saved, checked … ──► take() ──► effects, in order
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from turnwright.games.world.entities import Creature
from turnwright.games.world.game import WorldGame
from turnwright.games.world.intent import COMMAND_CHARS_MAX
from turnwright.games.world.rules import Rules
from turnwright.host.gate import party_of
from turnwright.host.world import effects as fx
from turnwright.host.world import gmcp_out, rendering
from turnwright.host.world.accounts import Account
from turnwright.host.world.commands import split
from turnwright.host.world.config import WorldConfig
from turnwright.host.world.entrance import ASK_NAME, Entrance
from turnwright.host.world.gatehouse import Gatehouse
from turnwright.host.world.hall import WorldHall
from turnwright.host.world.helping import dropped_words
from turnwright.host.world.limits import Addresses
from turnwright.host.world.mind_commands import mind_message, take_pasted
from turnwright.host.world.minding import Minding
from turnwright.host.world.mistakes import meaningless
from turnwright.host.world.operating import Operating
from turnwright.host.world.own_minds import OwnMind
from turnwright.host.world.plans import intent_of_plan
from turnwright.host.world.presses import press
from turnwright.host.world.sessions import WIDTH_MAX, WIDTH_MIN, Carrier, Session, Sessions
from turnwright.host.world.steering import STANDS
from turnwright.host.world.table import WorldTable
from turnwright.host.world.typed import do_line
from turnwright.host.world.voice import Voice
from turnwright.host.world.watching import Watching
from turnwright.kernel.battle import Battle
from turnwright.kernel.durations import Duration
from turnwright.wire.telnet.packages import WindowSize
from turnwright.wire.world.clock import GameClock
from turnwright.wire.world.combat import React

__all__ = ["AHEAD_MAX", "NAME_WAIT_NS", "WorldConfig", "WorldHost"]

AHEAD_MAX = 8
"""Lines that are kept of somebody who is still coming in."""
CONTENTS_MAX = 8
"""Contents that are held beside the one that counts; all of them lie with the world's data."""
NAME_WAIT_NS = 300_000_000_000
"""How long a connection may take to come in."""


class WorldHost:
    """One world and all who are connected to it. battle: of a `WorldGame` with a gate."""

    def __init__(
        self,
        battle: Battle,
        config: WorldConfig,
        now_ns: int,
        accounts: Iterable[Account] = (),
        stopwatch: Callable[[], int] = lambda: 0,
        minds: Iterable[OwnMind] = (),
    ) -> None:
        assert isinstance(battle.game, WorldGame)
        self.config = config
        self._effects: list[fx.Effect] = []
        self._busy_conns: dict[int, Session] = {}
        self._nameless: dict[int, int] = {}
        """Until when somebody has to be in, by connection, in order."""
        self._alarm_ns: int | None = None
        self._now_ns = now_ns
        self.sessions = Sessions()
        self.addresses = Addresses()
        self.clock = GameClock(now_ns, battle.state.world.now_us)
        self.table = WorldTable(
            battle,
            WorldHall(self, lives=config.lives),
            self.clock,
            self.emit,
            pace=_duration("turn", config.pace_us, config.pace_us_min, config.pace_us_max),
            plan=_duration("planning", config.plan_us, config.plan_us_min, config.plan_us_max),
            stopwatch=stopwatch,
        )
        begin = lambda: self.table.begin(self._now_ns)  # noqa: E731 - it is one line
        rate = lambda: self.clock.segment.rate  # noqa: E731 - it is one line
        self.entrance = Entrance(self.sessions, accounts, config.salt, self)
        self.entrance.reserved = config.operators
        forget = self.entrance.forget_body
        self.gatehouse = Gatehouse(self.sessions, begin, config.linkdead_turns, rate, forget)
        self.operating = Operating(self)
        self.watching = Watching(self)
        self.voice = Voice(self.emit)
        self.say, self.ask = self.voice.say, self.voice.ask
        self.look, self.package = self.voice.look, self.voice.package
        self.minding = Minding(self, minds)
        self._find_bodies()
        if config.lives:
            self.table.begin(now_ns)

    def _find_bodies(self) -> None:
        """Bodies of a world that was kept have lost their lines."""
        self.minding.reconcile()
        world = self.table.state.world
        self.entrance.remember(world.creatures.values())
        for number in world.index.driven():
            if world.creatures[number].linkdead_since is None:
                self._lose_creature(world.creatures[number])

    def _lose_creature(self, creature: Creature, address: str = "") -> None:
        """Nobody is there for a body that is driven: it goes, or waits outside if an account is its own."""
        self.gatehouse.lose(creature.id, keep=self.entrance.keeps(creature), address=address)

    # ---- what comes in -------------------------------------------------------------------------------------

    def connect(self, conn: int, carrier: Carrier, address: str, now_ns: int) -> None:
        """A connection is open. address: limits and guests' bodies go by the party that it belongs to."""
        self._now_ns = now_ns
        address = party_of(address)
        terminal = carrier in ("gmcp", "packed", "terminal")
        packages = carrier in ("gmcp", "packed", "program")
        session = Session(conn, carrier, address, colours=terminal, packages=packages)
        self.sessions.add(session)
        self.addresses.enter(address)
        self._nameless[conn] = now_ns + NAME_WAIT_NS
        if session.reads_text:
            self.say(session, rendering.wrapped(self.config.banner, session.width))
            self.ask(session, ASK_NAME)

    def disconnect(self, conn: int, now_ns: int) -> None:
        """A connection is gone: its body stays for a while."""
        self._now_ns = now_ns
        session = self.sessions.of(conn)
        if session is None:
            return
        self.gatehouse.lose_session(session)
        self._forget(session)

    def line(self, conn: int, text: str, now_ns: int) -> None:
        """A line was typed."""
        self._now_ns = now_ns
        session = self.sessions.of(conn)
        if session is None or session.stage == "gone":
            return
        free = session.paste is not None and session.paste.has_room
        if not free:
            self.voice.unprompted(session)
        if not free and not session.guard.allow(now_ns, self.addresses.lines(session.address)):
            self._too_fast(session, now_ns)
            return
        text = rendering.clean(text.replace("\n", " "))
        if session.stage == "name" and (what := self.watching.wanted(text)) is not None:
            self._watch(session, what)
        elif session.stage == "watching":
            self.watching.line(session, text)
        elif session.stage == "name":
            self.entrance.name_given(session, text, now_ns)
        elif session.stage == "passphrase":
            self.entrance.passphrase_given(session, text, now_ns)
        elif session.stage in ("new", "again"):
            self.entrance.new_passphrase(session, text, now_ns)
        elif session.paste is None and self.operating.command(session, *split(text, self.rules), now_ns):
            pass
        elif session.stage in ("entering", "checking"):
            self._keep_ahead(session, text)
        elif session.paste is not None:
            take_pasted(self, session, text)
        else:
            do_line(self, session, text)

    def message(self, conn: int, package: str, data: Any, now_ns: int) -> None:
        """A message of a client's program came. data: as `wire.telnet.packages.convert` returns it."""
        self._now_ns = now_ns
        session = self.sessions.of(conn)
        if session is None or session.stage == "gone":
            return
        name = package.lower()
        if name == "command" and isinstance(data, dict) and isinstance(data.get("text"), str):
            self.line(conn, _field(data, "text"), now_ns)
        elif not session.guard.allow(now_ns, self.addresses.lines(session.address)):
            self._too_fast(session, now_ns)
        elif name == "watch" and session.stage == "name":
            self._watch(session, _field(data, "what"))
        elif name == "operate":
            self.operating.message(session, data, now_ns)
        elif name == "hello" and session.stage == "name":
            session.changes = isinstance(data, dict) and data.get("changes") is True
            self.entrance.program_hello(session, _field(data, "name"), _field(data, "token"), now_ns)
        elif name == "combat.react" and session.playing and isinstance(data, React):
            press(self.table, session, data, now_ns)
        elif name.startswith("mind.") and session.playing:
            mind_message(self, session, data)
        elif name == "core.size" and isinstance(data, WindowSize):
            self.terminal(conn, width=data.columns)
        elif session.carrier == "program" and not name.startswith("core."):
            self.say(session, f"[{meaningless(package)}]")

    def mistake(self, conn: int, text: str, now_ns: int) -> None:
        """Something came that cannot be read: it counts like a line. text: what was wrong with it."""
        self._now_ns = now_ns
        session = self.sessions.of(conn)
        if session is None or session.stage == "gone":
            return
        if session.guard.allow(now_ns, self.addresses.lines(session.address)):
            self.say(session, f"[{text}]")
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
                self.voice.greet_program(session)

    def checked(self, conn: int, good: bool, now_ns: int) -> None:
        """A passphrase was compared."""
        self._now_ns = now_ns
        self.entrance.checked(conn, good, now_ns)

    def account_made(self, conn: int, account: Account, now_ns: int) -> None:
        """A new account has its hash."""
        self._now_ns = now_ns
        session = self.sessions.of(conn)
        if session is not None:
            self.entrance.account_made(session, account)
            if session.account is not None:
                self.gatehouse.own(session)

    def mind_checked(self, ticket: int, owner: str, mistake: tuple[int, str] | None, now_ns: int) -> None:
        """A player's mind was looked at. mistake: line and text, None: it can be a mind."""
        self._now_ns = now_ns
        self.minding.checked(ticket, owner, mistake)

    def planned(
        self, turn: int, body: int, command: str, now_ns: int, memory: dict[str, Any] | None = None
    ) -> None:
        """A mind has decided on a command, "" = nothing. memory: what it remembers, None: what it did."""
        self.table.planned(turn, body, intent_of_plan(self.table, body, command, memory, now_ns), now_ns)

    def saved(self, turn: int, now_ns: int) -> None:
        """The store has a turn."""
        self._now_ns = now_ns
        self.table.saved(turn, now_ns)

    def drained(self, now_ns: int) -> None:
        """Answer to Drain: what the sockets held is handed over."""
        self._now_ns = now_ns
        self.table.drained(now_ns)

    def wake(self, now_ns: int) -> None:
        """Something is due, perhaps."""
        self._now_ns = now_ns
        self._alarm_ns = None
        self.table.wake(now_ns)
        for session in list(self._busy_conns.values()):
            self._too_fast(session, now_ns)
        for conn in [conn for conn, until_ns in self._nameless.items() if until_ns <= now_ns]:
            del self._nameless[conn]
            waiting = self.sessions.of(conn)
            if waiting is not None and not waiting.playing:
                self.end(waiting, f"Nobody came in for {NAME_WAIT_NS // 60_000_000_000} minutes.")

    def reload(self, rules: Rules, now_ns: int) -> None:
        """Let other content count from the next turn on."""
        self._now_ns = now_ns
        library = self.table.game.library
        library.pop(rules.content_hash, None)
        library[rules.content_hash] = rules
        now = self.table.state.world.rest.content
        for content in [content for content in library if content != now][:-CONTENTS_MAX]:
            del library[content]
        self.gatehouse.reload(rules.content_hash)

    def builders(self, text: str) -> None:
        """Tell those who can change the content what is wrong with it."""
        self.voice.builders(self.sessions.players(), text)

    def announce(self, text: str) -> None:
        """Tell all who play or watch."""
        for session in (*self.sessions.players(), *self.watching.watchers()):
            self.say(session, text)

    def stop_all(self, reason: str, now_ns: int) -> None:
        """End the open turn and send everybody away, as if all lines were lost."""
        self._now_ns = now_ns
        for session in self.sessions:
            self.gatehouse.lose_session(session)
            self.end(session, reason)
        self.table.close_early(now_ns)

    def take(self) -> list[fx.Effect]:
        """Return, once, what is to be done, in order."""
        self.voice.flush()
        due_ns = self._next_ns()
        if due_ns != self._alarm_ns:
            self._alarm_ns = due_ns
            self._effects.append(fx.Wake(due_ns))
        effects, self._effects = self._effects, []
        return effects

    # ---- what the entrance asks ----------------------------------------------------------------------------

    def emit(self, effect: fx.Effect) -> None:
        """Ask for something."""
        self._effects.append(effect)

    def enter(self, session: Session, body: int | None) -> None:
        """Let a session into the world, into a body that is kept or a new one, with the next turn."""
        session.stage, session.secret = "entering", ""
        if self.table.steering.stands:
            self.say(session, f"{STANDS} You come in when it goes on.")
        creatures = self.table.state.world.creatures
        self.gatehouse.join(session, creatures.get(body) if body is not None else None)

    def expel(self, session: Session, why: str) -> None:
        """End a session; its body stays for whoever comes next."""
        self.end(session, why)

    # ---- what commands ask ---------------------------------------------------------------------------------

    @property
    def now_ns(self) -> int:
        """The time of what is being done."""
        return self._now_ns

    @property
    def rules(self) -> Rules:
        """The rules that count now."""
        return self.table.state.rules

    def view(self, session: Session) -> Mapping[str, Any]:
        """Return what its body knows now."""
        if session.body in self.table.state.world.creatures and not (self.table.resolving and session.view):
            session.view = self.table.look(session.body)
        return session.view

    def stop(self, session: Session) -> None:
        """Empty its queue and interrupt what its body does: said now, and again when it has happened."""
        dropped = len(session.buffer.purge())
        session.stop = True
        waited = dropped_words(dropped) if dropped else "Nothing waited"
        self.say(session, f"{waited}; you stop with the next turn.")

    def leave(self, session: Session) -> None:
        """Let it leave the world, but not out of a fight; whose line breaks there stays, too."""
        assert session.body is not None
        body = self.table.state.world.creatures.get(session.body)
        if body is not None and body.threats:
            self.say(session, "Not while something is coming at you: meet it, or run.")
            return
        if self.minding.acts(session):
            self.gatehouse.lose_session(session)
            self.end(session, "Farewell. Your mind acts for you until you are back.")
            return
        self.gatehouse.leave(session)
        if session.account is None:
            self.entrance.forget_body(session.body)
        self.end(session, "Farewell.")

    def keep(self, session: Session) -> None:
        """Begin the dialogue for an account."""
        self.entrance.begin_account(session, self._now_ns)

    def clock_line(self) -> str:
        """Return the turn and its length in words."""
        world = self.table.state.world
        pace_s = self.table.pace_us / 1e6
        text = f"Turn {world.turn}, game time {world.now_us / 1e6:.1f} s; a turn takes {pace_s:g} s."
        return f"{text} {STANDS}" if self.table.steering.stands else text

    # ---- small things --------------------------------------------------------------------------------------

    def _watch(self, session: Session, what: str) -> None:
        """Let a session watch instead of play."""
        if self.watching.begin(session, what):
            self._nameless.pop(session.conn, None)

    def _keep_ahead(self, session: Session, text: str) -> None:
        """Keep a line that came before its body did."""
        if len(session.ahead) < AHEAD_MAX:
            session.ahead.append(text)
        else:
            self.say(session, f"You are not in the world yet; {text!r} was not taken.")

    def came_in(self, session: Session) -> None:
        """A session has been shown where it is: do what was typed before."""
        ahead, session.ahead = session.ahead, []
        for text in ahead:
            if session.playing:
                do_line(self, session, text)

    def heard_at_gate(self, message: Mapping[str, Any]) -> None:
        """Take what came of an event at the gate."""
        token = message.get("token")
        session, address = self.sessions.of(int(token or 0)), self.gatehouse.arrived(token or "")
        if message["kind"] == "joined":
            if session is None or session.stage != "entering":
                body = self.table.state.world.creatures.get(message["body"])
                if body is not None:
                    self.entrance.note_lost(body)
                    self._lose_creature(body, address)
                return
            self.sessions.embody(session, message["body"])
            self._nameless.pop(session.conn, None)
            self.entrance.note_body(session)
            self._introduce(session)
        elif message["kind"] == "left":
            self.entrance.forget_body(message["body"])
        elif session is not None and session.stage == "entering":
            self.end(session, "Something went wrong when you came in; it was logged.")

    def _introduce(self, session: Session) -> None:
        """Tell its program who it is, what it can offer and how game time runs."""
        self.package(session, "Welcome", {"body": session.body, "name": session.name})
        self.package(session, "World.Rules", gmcp_out.rules_of(self.rules))
        self.voice.segment(session, self.clock.segment)

    def _too_fast(self, session: Session, now_ns: int) -> None:
        """Tell what was not read, at most once a second; send away who never stops."""
        if session.guard.flooding:
            self.gatehouse.lose_session(session)
            self.end(session, "That was too much; the connection is closed.")
            return
        notice = session.guard.notice(now_ns)
        if notice is not None:
            self.say(session, notice)
        if session.guard.notice_due_ns is None:
            self._busy_conns.pop(session.conn, None)
        else:
            self._busy_conns[session.conn] = session

    def end(self, session: Session, why: str) -> None:
        """Close a connection with a last word."""
        self.voice.last_words(session)
        self.emit(fx.Close(session.conn, why))
        self._forget(session)

    def _forget(self, session: Session) -> None:
        self.watching.forget(session)
        self.sessions.remove(session)
        self._busy_conns.pop(session.conn, None)
        self._nameless.pop(session.conn, None)
        self.addresses.leave(session.address)

    def _next_ns(self) -> int | None:
        """Return when something is due."""
        times = [self.table.next_ns()]
        times += [session.guard.notice_due_ns for session in self._busy_conns.values()]
        times += [next(iter(self._nameless.values()), None)]
        return min((at_ns for at_ns in times if at_ns is not None), default=None)


def _duration(name: str, start_us: int, least_us: int, most_us: int) -> Duration:
    return Duration(name, start_us, low_us=least_us or start_us, high_us=max(start_us, most_us))


def _field(data: Any, name: str) -> str:
    """Return a text of a message, "" where there is none."""
    value = data.get(name) if isinstance(data, dict) else None
    return value[:COMMAND_CHARS_MAX] if isinstance(value, str) else ""
