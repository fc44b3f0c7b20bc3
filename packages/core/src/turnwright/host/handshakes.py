"""The handshakes of a server. A handshake gives a connection its role. A wrong handshake gets an error with
the reason.
"""

from __future__ import annotations

from turnwright.host import effects as fx
from turnwright.host.battle_room import BattleRoom
from turnwright.host.config import HANDSHAKE_TIMEOUT_NS
from turnwright.host.lobby import BotList, Client, Lobby, RefusedBot
from turnwright.host.mistakes import Mistakes
from turnwright.host.protocol import HelloMessage
from turnwright.wire.faults import CLOSE_POLICY, Fault, FaultCode

_SHOWN_CHARS = 30


class Handshakes:
    """Admits connections to the lobby.

    Attributes:
        bot_list: the list that spectators get when a bot connects or leaves.
    """

    def __init__(self, lobby: Lobby, room: BattleRoom, mistakes: Mistakes) -> None:
        self._lobby, self._room, self._mistakes = lobby, room, mistakes
        self._config, self._protocol, self._output = room.config, room.protocol, room.output
        self.bot_list = BotList(lobby, room.protocol)

    def take(self, client: Client, message: HelloMessage, now_ns: int) -> None:
        """Give a connection its role, and send it the first messages for this role.

        A refused handshake counts as a mistake of the client, and may end the connection.
        """
        fault = self._misplaced(client, message)
        if fault is not None:
            self._mistakes.note(client, fault)
            return
        role, again = message.role, client.role is not None
        reason, token = self._lobby.refusal(client, message, now_ns), None
        if reason is None and message.code is not None and role == "operator":
            token = self._lobby.credentials.redeem(message.code, self._config.random_bytes, now_ns)
            reason = None if token else "Invalid code"
        if reason is not None:
            if role == "bot":
                self._lobby.refused_bots.append(RefusedBot(message.name, client.origin.listener, reason))
            code = FaultCode.WRONG_SESSION if "session" in reason else FaultCode.WRONG_SECRET
            self._mistakes.note(client, Fault(code, reason, closes=CLOSE_POLICY))
            return
        full = self._no_room(client, message) if role == "bot" else self._no_seat(client, message)
        if full is not None:
            self._mistakes.note(client, Fault(FaultCode.TOO_MANY, full, closes=CLOSE_POLICY))
            return
        self._lobby.admit(client, message)
        self._output.log("info", f"{client.name} joined")
        if role == "bot":
            self.bots_changed(now_ns)
            return
        if token is not None:
            self._output.send(client.conn, self._protocol.operator_token(token))
        if again:  # it already has everything else, and gets all later changes
            self._output.do(fx.Publish((client.conn,), self.bot_list.data()))
            return
        self._output.do(fx.Send(client.conn, self.bot_list.data()))
        if client.ours:
            self._output.send(client.conn, self._protocol.speed(self._room.tps, self._room.pacing))
        self._room.welcome(client.conn)

    def _misplaced(self, client: Client, message: HelloMessage) -> Fault | None:
        """Return the fault of a handshake that is not allowed at this time, or None."""
        if client.role not in (None, message.role):
            now, wanted = (self._protocol.role_name(one) for one in (client.role, message.role))
            advice = f"this connection has the role {now}; open another one for the role {wanted}"
            return Fault(FaultCode.NOT_YOUR_ROLE, advice)
        if client.seat is not None:
            advice = f"{self._protocol.name_of(message)} during a game; send a new handshake after it"
            return Fault(FaultCode.NOT_NOW, advice)
        return None

    def _no_room(self, client: Client, message: HelloMessage) -> str | None:
        """Return why this bot cannot join in addition to the connected bots, or None."""
        others = [bot for bot in self._lobby.bots() if bot is not client]
        most = self._config.bots_max
        if client.role is None and most is not None and len(others) >= most:
            return f"this server has room for {most} bots: try again when one has left"
        if self._config.one_bot_a_name:
            for bot in others:
                if bot.hello is None or bot.hello.name != message.name:
                    continue
                if not self._may_share_name(bot, client, message):
                    name = message.name[:_SHOWN_CHARS]
                    return (
                        f"a bot named {name} is here already: stop it, take another name, or wait 90 s if it"
                        " lost its network"
                    )
        return None

    def _no_seat(self, client: Client, message: HelloMessage) -> str | None:
        """Return why this spectator cannot be admitted, or None."""
        if client.role is not None or message.role != "spectator":
            return None
        config, watchers = self._config, self._lobby.watchers
        most = config.spectators_per_address_max
        if most is not None and watchers[client.origin.party] >= most:
            return f"{most} spectators of your address are here already: close some of their pages"
        most = config.spectators_max
        if most is not None and watchers.total() >= most:
            return f"this server has room for {most} spectators: try again when one has left"
        return None

    def _may_share_name(self, bot: Client, client: Client, message: HelloMessage) -> bool:
        """Return whether the two bots may have the same name. If not, a user probably started the same bot
        twice.
        """
        assert bot.hello is not None
        if {bot.secret, message.secret} <= self._config.own_bot_secrets:
            return True
        is_team = message.team is not None and message.team == bot.hello.team
        return is_team and client.origin.host == bot.origin.host

    def bots_changed(self, now_ns: int) -> None:
        """Handle the event that a bot connected, left or sent a new handshake."""
        self.bot_list.changed(now_ns)
        self.tell_bots(now_ns)
        self._output.do(fx.BotsChanged())

    def tell_bots(self, now_ns: int, *, early: bool = False) -> None:
        """Send the lists of bots that are due.

        Args:
            early: also send lists that are not due yet.
        """
        for publish in self.bot_list.told(now_ns, early=early):
            self._output.do(publish)

    @property
    def due_ns(self) -> int | None:
        """The next time at which a list of bots is sent or the wait for a handshake ends, or None."""
        due = self.bot_list.due_ns
        if not self._lobby.silent:
            return due
        impatient = next(iter(self._lobby.silent.values())) + HANDSHAKE_TIMEOUT_NS  # the oldest is first
        return impatient if due is None else min(due, impatient)

    def tick(self, now_ns: int) -> None:
        """Carry out everything that is due at `now_ns`."""
        for conn, since_ns in list(self._lobby.silent.items()):
            if now_ns - since_ns >= HANDSHAKE_TIMEOUT_NS:
                self._lobby.clients[conn].closing = True
                self._output.do(fx.Close(conn, CLOSE_POLICY, "no handshake within 5 s"))
                self._lobby.silent.pop(conn)
        self.tell_bots(now_ns)
