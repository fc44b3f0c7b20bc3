"""The output of a room: messages and turns. Each message is encoded once for all recipients.

Spectators get frames, or read the battle piece by piece if their handshake asks for this.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Literal

from turnwright.host import effects as fx
from turnwright.host.config import HostConfig
from turnwright.host.latency import TurnTiming
from turnwright.host.lobby import Client, Lobby
from turnwright.host.protocol import BattleMessages, Role, Takes
from turnwright.host.watching.paced_frames import PacedFrames
from turnwright.kernel.deadline import SkipReason
from turnwright.kernel.game import Seat
from turnwright.kernel.pace import TPS_DEFAULT
from turnwright.kernel.record import TurnEntry

_PACED: tuple[Takes, ...] = ("paced frames",)
_AT_ONCE: tuple[Takes, ...] = ("frames",)
_FRAMES: tuple[Takes, ...] = ("frames", "paced frames")


class TurnOutput:
    """Appends messages to the host's effects.

    Args:
        tps: the speed for spectators without their own clock.

    Attributes:
        clients: the clients by seat.
        present: the seats whose participants are still connected.
        watching: the connections of spectators and operators (see `Lobby`).
        apart: whether turns do not wait for spectators.
    """

    def __init__(self, effects: list[fx.Effect], lobby: Lobby, *, tps: int = TPS_DEFAULT) -> None:
        self.clients: list[Client] = []
        self.present: set[Seat] = set()
        self.has_foreign_operators = lobby.has_foreign_operators
        self._spectators = lobby.spectators
        self.readers = lobby.readers
        self.apart = False
        self.paced = PacedFrames(tps, self._show_paced)
        """The frames for spectators without their own clock, if turns do not wait for spectators."""
        self.our_spectators = lobby.our_spectators
        self.watching = lobby.watching
        self._out = effects

    def seat(self, clients: list[Client], recorded: Set[Seat] = frozenset()) -> None:
        """Set the clients of a battle, by seat.

        Args:
            recorded: the seats whose intents come from a record. These seats get no messages.
        """
        self.clients = clients
        self.present = set(range(len(clients))) - recorded

    def log(self, level: Literal["info", "warning", "error"], text: str) -> None:
        """Write a line to the log."""
        self._out.append(fx.Log(level, text))

    def do(self, effect: fx.Effect) -> None:
        """Append an effect that the server carries out."""
        self._out.append(effect)

    def publish(self, data: bytes) -> None:
        """Send a message to all spectators. No spectator may miss it."""
        conns = self._spectators()
        if conns and data:
            self._out.append(fx.Publish(conns, data))

    def has_clockless(self) -> bool:
        """Return whether a spectator or operator without its own clock is connected."""
        return bool(self._spectators(None, _PACED))

    def publish_reached(self, data: bytes, now_ns: int) -> None:
        """Send a message to the spectators that get frames. Each gets the message after the frame of the
        newest turn. Spectators that read the history find the message in the history.
        """
        now = self.frame_followers(None)
        if now and data:
            self._out.append(fx.Publish(now, data))
        if self.paced_spectators():
            self.paced.add(data, now_ns, is_frame=False)

    def paced_spectators(self) -> tuple[int, ...]:
        """Return the connections that get frames at the room's speed. If turns wait, there are none."""
        return self._spectators(None, _PACED) if self.apart else ()

    def publish_paced(self, data: bytes) -> None:
        """Send a message immediately to the spectators that get frames at the room's speed."""
        conns = self.paced_spectators()
        if conns:
            self._out.append(fx.Publish(conns, data))

    def _show_paced(self, data: bytes, is_frame: bool) -> None:
        conns = self.paced_spectators()
        if conns:
            self._out.append(fx.Publish(conns, data, droppable=is_frame))

    def frame_followers(self, role: Role | None) -> tuple[int, ...]:
        """Return the connections that get frames when they are made. For `role`, see `Lobby.spectators`."""
        return self._spectators(role, _AT_ONCE if self.apart else _FRAMES)

    def begin(self, data: bytes, tps: int) -> None:
        """Send spectators the beginning of a battle. They no longer read the history of the battle before.

        Args:
            tps: the turns per second for spectators without their own clock.
        """
        self._out.append(fx.ForgetHistory())
        self.paced.begin(tps)
        self.publish(data)

    def show(self, frame: bytes, role: Role) -> None:
        """Send a frame to the spectators in a role (spectators or operators). A slow spectator may miss the
        frame.
        """
        conns = self.frame_followers(role)
        if conns:
            self._out.append(fx.Publish(conns, frame, droppable=True))

    def send(self, conn: int, data: bytes) -> None:
        """Send a message to one connection. Empty data is not sent."""
        if data:
            self._out.append(fx.Send(conn, data))

    def tell(self, seat: Seat, data: bytes) -> None:
        """Send a message to one participant, if it is still connected."""
        if seat in self.present and data:
            self._out.append(fx.Send(self.clients[seat].conn, data))

    def tell_skipped(self, seat: Seat, messages: BattleMessages, turn: int, reason: SkipReason) -> None:
        """Tell a seat that it skipped a turn. If its program is ours, also tell it why."""
        self.tell(seat, messages.skipped(turn, reason if self.clients[seat].ours else None))

    def tell_all(self, data: bytes) -> None:
        """Send a message to all participants that are still connected."""
        if data:
            self._out += [fx.Send(self.clients[seat].conn, data) for seat in sorted(self.present)]

    def tell_each(self, datas: Iterable[bytes]) -> None:
        """Send each participant its own message.

        Args:
            datas: one message for each seat.
        """
        for seat, data in enumerate(datas):
            self.tell(seat, data)

    def tell_ours(self, data: bytes) -> None:
        """Send a message to the spectators that understand our own messages, such as errors."""
        ours = self.our_spectators()
        if ours and data:
            self._out.append(fx.Publish(ours, data))

    def warn_slow(self, seat: Seat, text: str, warning: bytes, *, is_news: bool) -> None:
        """Warn about a slow bot. The bot gets the warning if it reads errors.

        Args:
            is_news: whether the log and the spectators that read errors get the warning, too.
        """
        if self.clients[seat].ours:
            self.tell(seat, warning)
        if is_news:
            self.log("warning", text)
            self.tell_ours(warning)

    def log_troubles(self, entry: TurnEntry) -> None:
        """Log the stages that failed in a turn."""
        for stage, text in entry.faults:
            self.log("error", f"stage {stage} failed in turn {entry.turn} and was skipped: {text}")


class TurnEncoder:
    """Encodes a turn once for all recipients and measures the time.

    Args:
        timing: the battle's times.
    """

    def __init__(
        self,
        config: HostConfig,
        output: TurnOutput,
        messages: BattleMessages,
        timing: TurnTiming,
    ) -> None:
        self._watch = config.stopwatch
        self._output = output
        self._messages = messages
        self._timing = timing

    def observations(self, seats: Sequence[Seat], listening: Set[Seat]) -> tuple[list[Seat], list[bytes]]:
        """Return seats and their messages, as `BattleMessages.observations` does."""
        started = self._watch()
        told = self._messages.observations(seats, listening)
        self._timing.phases["events"].add(self._watch() - started)
        return told

    def welcome(self, conn: int) -> None:
        """Send a late spectator the newest turn."""
        self._output.send(conn, self._messages.frame())

    def show_start(self) -> None:
        """Send the state before the first turn to all spectators."""
        self.show("operator")
        self.show("spectator")

    def show_rest(self, now_ns: int) -> None:
        """Send the newest turn to spectators, after the bots have got it."""
        self.show("spectator")
        if self._output.paced_spectators():
            self._output.paced.add(self._messages.frame(), now_ns, is_frame=True)

    def show(self, role: Role) -> None:
        """Send the newest turn to the spectators, or to the operators, that get frames as they are made."""
        if self._output.frame_followers(role):
            started = self._watch()
            self._output.show(self._messages.frame(), role)
            self._timing.phases["observers"].add(self._watch() - started)
