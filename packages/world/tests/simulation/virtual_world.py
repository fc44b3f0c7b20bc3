"""The host of a world on a virtual clock: effects run as in `turnwright_world/net/server.py`, no sockets.

world = VirtualWorld.of(rules)
world.connect(1); world.type(1, "Anna"); world.run_ms(500); world.text(1)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from turnwright.host.accounts import SALT_BYTES, hash_passphrase, matches
from turnwright.kernel.battle import Battle
from turnwright.kernel.record import TurnRules
from turnwright_world.content.mind_source import check_mind
from turnwright_world.game import WorldGame
from turnwright_world.host import effects as fx
from turnwright_world.host.accounts import Account
from turnwright_world.host.host import WorldConfig, WorldHost
from turnwright_world.host.minds.player_mind import PlayerMind
from turnwright_world.host.sessions import ClientKind
from turnwright_world.rules.verbs import Rules
from turnwright_world.wire.messages import convert
from turnwright_world.wire.server_messages import name_of

Mind = Callable[[Any], str | None]
"""Chooses a command from the view of a body; None: it never answers."""
START_NS = 5_000_000_000


def _as_received(message: msgspec.Struct) -> Any:
    """Return a message as a program reads it."""
    return msgspec.json.decode(msgspec.json.encode(message))


class VirtualWorld:
    """A world on a virtual clock.

    Args:
        minds: the minds by name.
        save_ns, plan_ns: how long the store and plans take. save_ns None is for ever.
        piece_ns: how long a piece of the end of a turn takes by the stopwatch. 0: no slices.
    """

    def __init__(
        self,
        battle: Battle,
        config: WorldConfig,
        minds: Mapping[str, Mind] | None = None,
        accounts: list[Account] | None = None,
        own_minds: list[PlayerMind] | None = None,
    ) -> None:
        self.now_ns = START_NS
        self.minds = dict(minds or {})
        self.accounts = {account.name: account for account in accounts or []}
        self.save_ns: int | None = 1_000_000
        self.plan_ns = 1_000_000
        self.piece_ns = self._watched_ns = 0
        self.shown: dict[int, list[str]] = {}
        self.packages: dict[int, list[tuple[str, Any]]] = {}
        self.closed: dict[int, str] = {}
        self.secrets: dict[int, bool] = {}
        self.logs: list[fx.Log] = []
        kept = own_minds or []
        self.own_minds: dict[tuple[str, int], PlayerMind] = {(mind.owner, mind.body): mind for mind in kept}
        self.taught: dict[str, str] = {}
        """Sources of players' minds, by name."""
        self.check_ns: int | None = 1_000_000
        """The time in which one is checked; None: the check never ends."""
        self.turns: list[fx.SaveTurn] = []
        self.alarm_ns: int | None = None
        self.rings = 0
        self._unread: list[Callable[[], None]] = []
        self._later: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0
        minds_kept = list(self.own_minds.values())
        self.host = WorldHost(battle, config, self.now_ns, self.accounts.values(), self._watch, minds_kept)
        self.work()

    @classmethod
    def of(cls, rules: Rules | None = None, seed: int = 1, **besides: Any) -> VirtualWorld:
        """Return a new open world.

        Args:
            besides: fields of `WorldConfig`, and what is kept.
        """
        minds, accounts = besides.pop("minds", None), besides.pop("accounts", None)
        own_minds = besides.pop("own_minds", None)
        config = WorldConfig(**besides)
        turn_rules = TurnRules(timeout_ns=config.plan_us * 1000, on_skip="idle", max_skipped=0)
        battle = Battle(WorldGame(rules), {"open": True}, (), seed, turn_rules, keep_checks=True)
        return cls(battle, config, minds, accounts, own_minds)

    # ---- what people do ------------------------------------------------------------------------------------

    def connect(self, conn: int, client_kind: ClientKind = "telnet", address: str = "127.0.0.1") -> None:
        """Open a connection."""
        self.host.connect(conn, client_kind, address, self.now_ns)
        self.work()

    def type(self, conn: int, *lines: str) -> None:
        """Type lines, all at the same instant."""
        for line in lines:
            self.host.line(conn, line, self.now_ns)
        self.work()

    def send(self, conn: int, package: str, data: Any) -> None:
        """Send a message of a program."""
        try:
            message = convert(package, data) if isinstance(data, dict) else data
            self.host.message(conn, package, message, self.now_ns)
        except ValueError as error:
            self.host.mistake(conn, f"{package}: {error}", self.now_ns)
        self.work()

    def unread(self, what: Callable[[], None]) -> None:
        """Let input, e.g. a call of `type`, wait in a socket until the host drains its sockets."""
        self._unread.append(what)

    def drop(self, conn: int) -> None:
        """Break a connection."""
        self.host.disconnect(conn, self.now_ns)
        self.work()

    def enter(self, conn: int, name: str, **how: Any) -> int:
        """Log in with a name, and return the body."""
        self.connect(conn, **how)
        self.type(conn, name)
        self.run_ms(self.host.config.pace_us // 1000 + 5)
        session = self.host.sessions.of(conn)
        assert session is not None
        assert session.body is not None, self.text(conn)
        return session.body

    # ---- time ----------------------------------------------------------------------------------------------

    def run_ms(self, duration_ms: float) -> None:
        """Let time pass."""
        until_ns = self.now_ns + int(duration_ms * 1_000_000)
        while True:
            times = [at_ns for at_ns, *_ in self._later] + (
                [self.alarm_ns] if self.alarm_ns is not None else []
            )
            if not times or min(times) > until_ns:
                break
            self.now_ns = max(self.now_ns, min(times))
            self._ring()
        self.now_ns = max(self.now_ns, until_ns)

    def spend_ms(self, duration_ms: float) -> None:
        """Let time pass inside a piece of work, by the stopwatch, too."""
        self.stall_ms(duration_ms)
        self._watched_ns += int(duration_ms * 1_000_000)

    def stall_ms(self, duration_ms: float) -> None:
        """Let time pass in which the host does nothing. Its alarm rings late."""
        self.now_ns += int(duration_ms * 1_000_000)

    def text(self, conn: int) -> str:
        """Return the text of a terminal since the last call, and forget it."""
        return "".join(self.shown.pop(conn, []))

    def got(self, conn: int, package: str) -> list[Any]:
        """Return the data of all messages of a package that a program got."""
        return [data for name, data in self.packages.get(conn, []) if name == package]

    def ring(self) -> None:
        """Do all that is due now. The clock does not change."""
        self._ring()

    def _watch(self) -> int:
        self._watched_ns += self.piece_ns
        return self._watched_ns

    def _ring(self) -> None:
        due = sorted(entry for entry in self._later if entry[0] <= self.now_ns)
        self._later = [entry for entry in self._later if entry[0] > self.now_ns]
        for *_, action in due:
            action()
        if self.alarm_ns is not None and self.alarm_ns <= self.now_ns:
            self.alarm_ns = None
            self.rings += 1
            self.host.wake(self.now_ns)
        self.work()

    def _in(self, delay_ns: int, action: Callable[[], None]) -> None:
        self._count += 1
        self._later.append((self.now_ns + delay_ns, self._count, action))

    # ---- what the host asks for ----------------------------------------------------------------------------

    def work(self) -> None:
        for effect in self.host.take():
            self._do(effect)

    def _do(self, effect: fx.Effect) -> None:
        match effect:
            case fx.ShowText(conn, text) | fx.ShowPrompt(conn, text):
                self.shown.setdefault(conn, []).append(text)
            case fx.SendPackage(conn, message):
                self.packages.setdefault(conn, []).append((name_of(message), _as_received(message)))
            case fx.HideInput(conn, on):
                self.secrets[conn] = on
            case fx.Close(conn, _, reason):
                self.closed[conn] = reason
            case fx.SetAlarm(at_ns):
                self.alarm_ns = at_ns
            case fx.ReadPending():
                self._in(0, self._drain)
            case fx.Log():
                self.logs.append(effect)
            case fx.SaveAccount(account):
                self.accounts[account.name] = account
            case fx.SaveTurn():
                self._save(effect)
            case fx.Plan():
                self._in(0, lambda: self._plan(effect))
            case fx.CheckPassphrase(conn, account, passphrase):
                good = matches(passphrase, account.hashed)
                self._in(0, lambda: self.host.checked(conn, good, self.now_ns))
            case fx.CheckMind():
                if self.check_ns is not None:
                    self._in(self.check_ns, lambda: self._check_mind(effect))
            case fx.SaveMind(mind):
                self.own_minds[mind.owner, mind.body] = mind
            case fx.DeleteMind(owner, body):
                self.own_minds.pop((owner, body), None)
            case fx.LoadMind(name, source):
                self.taught[name] = source
            case fx.UnloadMind(name):
                self.taught.pop(name, None)
            case fx.MakeAccount(conn, name, passphrase):
                made = Account(name, hash_passphrase(passphrase, bytes(SALT_BYTES)))
                self._in(0, lambda: self.host.account_made(conn, made, self.now_ns))

    def _check_mind(self, asked: fx.CheckMind) -> None:
        found: list[tuple[int, str]] = []
        check_mind("mind.py", asked.source, lambda line, text: found.append((line, text)))
        self.host.mind_checked(asked.ticket, asked.owner, found[0] if found else None, self.now_ns)

    def _drain(self) -> None:
        unread, self._unread = self._unread, []
        for what in unread:
            what()
        self.host.pending_read(self.now_ns)

    def _save(self, turn: fx.SaveTurn) -> None:
        self.turns.append(turn)
        if self.save_ns is not None:
            self._in(self.save_ns, lambda: self.host.saved(turn.turn, self.now_ns))

    def _plan(self, plan: fx.Plan) -> None:
        turns = self.host.turns
        for body in plan.bodies:
            mind = self.minds.get(body.mind)
            command = mind(turns.game.observe(turns.state, body.id)) if mind is not None else ""
            if command is not None:
                self._answer(plan.turn, body.id, command)

    def _answer(self, turn: int, body: int, command: str) -> None:
        self._in(self.plan_ns, lambda: self.host.planned(turn, body, command, self.now_ns))
