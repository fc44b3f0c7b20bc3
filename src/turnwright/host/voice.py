"""What a table says: to spectators, to participants, in the official server's order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, Protocol

from turnwright.host import announce
from turnwright.host import effects as fx
from turnwright.host.lobby import Client
from turnwright.kernel.record import TurnEntry
from turnwright.wire.royale import messages as m
from turnwright.wire.royale.codec import encode
from turnwright.wire.royale.results import results_for_bots, results_for_observers

__all__ = ["Audience", "Voice"]


class Audience(Protocol):
    """Who watches now: all, or only the observers or controllers."""

    def __call__(self, role: m.Role | None = None) -> tuple[int, ...]: ...


class Voice:
    """Appends messages to the host's effects. clients: by seat; present: the seats that still listen."""

    def __init__(self, effects: list[fx.Effect], spectators: Audience) -> None:
        self.clients: list[Client] = []
        self.present: set[int] = set()
        self.ours: Callable[[], tuple[int, ...]] = tuple
        """Set by the host: which spectators understand ErrorReply."""
        self.has_foreign_controllers: Callable[[], bool] = bool
        """Set by the host: which of them are controllers."""
        self.plain: Audience = spectators
        """Set by the host: who gets official ticks."""
        self.framed: Callable[[], tuple[int, ...]] = tuple
        """Set by the host: who gets our stream."""
        self._out = effects
        self.spectators = spectators

    def log(self, level: Literal["info", "warning", "error"], text: str) -> None:
        """Write a line to the log."""
        self._out.append(fx.Log(level, text))

    def publish(self, message: object) -> None:
        """Say something to all spectators that none of them may miss."""
        self.publish_bytes(encode(message))

    def publish_bytes(self, data: bytes) -> None:
        """Say something that is encoded already."""
        conns = self.spectators()
        if conns:
            self._out.append(fx.Publish(conns, data))

    def begin(self, data: bytes) -> None:
        """Tell spectators that a game has begun. data: GameStartedEventForObserver, encoded."""
        self._out.append(fx.ForgetFrames())
        self.publish_bytes(data)

    def show(self, frame: bytes, role: m.Role) -> None:
        """Show a frame to observers or controllers; one that cannot follow may miss it."""
        conns = self.plain(role)
        if conns:
            self._out.append(fx.Publish(conns, frame, droppable=True))

    def do(self, effect: fx.Effect) -> None:
        """Have something done that others have put into words."""
        self._out.append(effect)

    def tell(self, seat: int, message: object) -> None:
        """Say something to one participant, if it is still there."""
        if seat in self.present:
            self._out.append(fx.Send(self.clients[seat].conn, encode(message)))

    def tell_ours(self, data: bytes) -> None:
        """Say something to the spectators that are programs of ours."""
        ours = self.ours()
        if ours:
            self._out.append(fx.Publish(ours, data))

    def skipped(self, seats: Iterable[int], turn: int) -> None:
        """Tell these seats that they left a turn unanswered."""
        for seat in seats:
            self.tell(seat, m.SkippedTurnEvent(turn))

    def say_slow(self, seat: int, text: str) -> None:
        """Warn of a slow bot: the log, the bot if it is one of ours, and spectators that are."""
        reply = m.ErrorReply(code="slow", message=text)
        self.log("warning", text)
        if self.clients[seat].ours:
            self.tell(seat, reply)
        self.tell_ours(encode(reply))

    def log_troubles(self, entry: TurnEntry) -> None:
        """Log which stages failed in a turn, and whom it disqualified."""
        for stage, text in entry.faults:
            self.log("error", f"stage {stage} failed in turn {entry.turn} and was skipped: {text}")
        for seat in entry.disqualified:
            self.log("warning", f"{self.clients[seat].name} is disqualified: too many skipped turns in a row")

    def chosen(self, setup: m.GameSetup) -> None:
        """Tell each chosen bot that a game begins."""
        for seat, message in enumerate(announce.game_started(self.clients, setup)):
            self.tell(seat, message)

    def started(self, setup: m.GameSetup) -> m.GameStartedEventForObserver:
        """Return how spectators are told that the game has begun."""
        return m.GameStartedEventForObserver(
            game_setup=setup, participants=announce.participants(self.clients)
        )

    def round_started(self, number: int) -> None:
        """Spectators hear it first, as by the official server."""
        data = encode(m.RoundStartedEvent(round_number=number))
        self.publish_bytes(data)
        for seat in sorted(self.present):
            self._out.append(fx.Send(self.clients[seat].conn, data))

    def round_ended(self, state: Any) -> None:
        """Participants hear it first."""
        number, turn, results = state.round_number, state.turn_number, state.results
        for seat, result in enumerate(results_for_bots(results)):
            self.tell(seat, m.RoundEndedEventForBot(number, turn, result))
        self.publish(self.round_over(state))

    @staticmethod
    def round_over(state: Any) -> m.RoundEndedEventForObserver:
        """Return how spectators are told that a round is over."""
        results = results_for_observers(state.results)
        return m.RoundEndedEventForObserver(state.round_number, state.turn_number, results)

    def game_ended(self, state: Any) -> None:
        """Participants hear it first."""
        rounds, results = state.round_number, state.results
        for seat, result in enumerate(results_for_bots(results)):
            self.tell(seat, m.GameEndedEventForBot(rounds, result))
        self.publish(m.GameEndedEventForObserver(rounds, results_for_observers(results)))
