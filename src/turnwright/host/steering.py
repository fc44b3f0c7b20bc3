"""What operators do to a running battle: pause, step, speed, breakpoints, debugging."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.host import effects as fx
from turnwright.host.lobby import Client
from turnwright.kernel.lifecycle import Move, Phase
from turnwright.kernel.pace import check_tps
from turnwright.wire.royale import messages as m
from turnwright.wire.royale.codec import encode
from turnwright.wire.spectate.messages import BotPolicies

if TYPE_CHECKING:
    from turnwright.host.table import Table

__all__ = ["Steering"]


class Steering:
    """The operator's side of a table. waited_for: seats in a debugger; the turn waits for them."""

    def __init__(self, table: Table) -> None:
        self.waited_for: set[int] = set()
        self.pause_cause: m.PauseCause = "pause"
        self._table = table
        self._debug_next: set[int] = set()
        self._said = BotPolicies()

    def new_battle(self) -> None:
        """Forget the battle before."""
        self.waited_for = set()
        self._debug_next.clear()
        self._said = BotPolicies()

    def welcome(self, conn: int) -> None:
        """Tell a late spectator what is set for bots (in our stream only), and whether the game is paused."""
        voice = self._table.voice
        if self._said != BotPolicies() and conn in voice.framed():
            voice.do(fx.Send(conn, encode(self._said)))
        if self._table.phase is Phase.PAUSED:
            voice.do(fx.Send(conn, encode(m.GamePausedEventForObserver(self.pause_cause))))

    def say_policies(self) -> None:
        """Tell those who get our stream what is set for bots, if they were told otherwise."""
        voice = self._table.voice
        there = [(seat + 1, voice.clients[seat]) for seat in sorted(voice.present)]
        policies = BotPolicies(
            debugging=[number for number, client in there if client.debugging],
            breakpoints=[number for number, client in there if client.breakpoint],
            waited_for=[seat + 1 for seat in sorted(self.waited_for)],
        )
        if self._table.battle is None or policies == self._said:
            return
        self._said = policies
        conns = voice.framed()
        if conns:
            voice.do(fx.Publish(conns, encode(policies)))

    def turn_shown(self) -> None:
        """A turn has been shown: debugging that was turned on before it is seen from the next one on."""
        if self._table.battle is not None:
            self._table.battle.debugged.update(self._debug_next)
        self._debug_next.clear()

    def pause_for_debugging(self) -> None:
        """Hold the next turn, unless another step was asked for."""
        if self._table.phase is Phase.RUNNING:
            self._table.move(Move.PAUSE)
        if not self._table.pace.stepping:
            self._table.pace.pause()
        self.say_paused("debug_step")

    def wait_for(self, seats: list[int]) -> None:
        """Wait for these seats without a deadline: somebody is in a debugger."""
        assert self._table.battle is not None
        self.waited_for = set(seats)
        for seat in seats:
            self._table.battle.hold(seat)
        self.say_policies()
        if self._table.phase is Phase.RUNNING:
            self._table.move(Move.PAUSE)
        self.say_paused("breakpoint")

    def answered(self, seat: int) -> None:
        """A seat has answered, left or been released; if nobody else is waited for, the game goes on."""
        was_waited_for = seat in self.waited_for
        self.waited_for.discard(seat)
        self.say_policies()
        if not was_waited_for:
            return
        if not self.waited_for and self._table.phase is Phase.PAUSED and not self._table.pace.paused:
            self._table.move(Move.RESUME)
            self._table.voice.publish(m.GameResumedEventForObserver())
            self._table.soon()

    def set_policy(self, seat: int, debugging: bool | None, breakpoints: bool | None, now_ns: int) -> None:
        """Change how one seat is treated; None leaves it."""
        client = self._table.clients[seat]
        if debugging is not None:
            client.debugging = debugging
        if breakpoints is not None:
            client.breakpoint = breakpoints
        self.apply_policy(client)
        if not client.breakpoint and seat in self.waited_for and self._table.battle is not None:
            self._table.battle.release(seat, now_ns)
            self._table.voice.tell(
                seat, m.SkippedTurnEvent(turn_number=self._table.battle.state.turn_number + 1)
            )
            self.answered(seat)
            self._table.check(now_ns)
        else:
            self.say_policies()

    def apply_policy(self, client: Client) -> None:
        """Let a seat's debug graphics be seen or not: on from the turn after next, off at once.

        What an earlier game has left on is seen from the first turn on.
        """
        if self._table.battle is None or client.seat is None:
            return
        if client.debugging:
            battle = self._table.battle
            (self._debug_next if battle.turn else battle.debugged).add(client.seat)
        else:
            self._debug_next.discard(client.seat)
            self._table.battle.debugged.discard(client.seat)

    def pause(self) -> None:
        """Hold turns; spectators are told each time it is asked."""
        if not self._table.playing:
            return
        if self._table.phase is Phase.RUNNING:
            self._table.move(Move.PAUSE)
        self._table.pace.pause()
        self.say_paused("pause")

    def say_paused(self, cause: m.PauseCause) -> None:
        """Tell spectators that the game stands still, and why."""
        self.pause_cause = cause
        self._table.voice.publish(m.GamePausedEventForObserver(cause))

    def resume(self, now_ns: int) -> None:
        """Go on after a pause; ends debug mode."""
        if self._table.phase is not Phase.PAUSED:
            return
        self._table.debug_mode = False
        tps = self._table.pace.tps
        self._table.pace.resume()
        if self._table.pace.tps != tps:
            self._table.tps = self._table.pace.tps
            self._table.voice.publish(m.TpsChangedEvent(tps=self._table.tps))
        self._table.move(Move.RESUME)
        self._table.voice.publish(m.GameResumedEventForObserver())
        if self.waited_for:
            self.wait_for(sorted(self.waited_for))
        self._table.check(now_ns)

    def next_turn(self, now_ns: int) -> None:
        """Play one turn of a paused game."""
        if self._table.phase is not Phase.PAUSED:
            return
        if self.waited_for:
            self.say_paused("breakpoint")
            return
        self._table.pace.step()
        self._table.check(now_ns)

    def change_tps(self, tps: int, now_ns: int) -> None:
        """Change the speed: it stays for later games. Raises: SetupError for a speed that does not exist."""
        before = self._table.tps
        if check_tps(tps) == before:
            return
        self._table.pace.set_tps(tps)
        self._table.tps = tps
        self._table.voice.publish(m.TpsChangedEvent(tps=tps))
        if not self._table.playing:
            return
        if tps == 0:
            self.pause()
        elif before == 0 and self._table.phase is Phase.PAUSED and not self.waited_for:
            self._table.move(Move.RESUME)
            self._table.voice.publish(m.GameResumedEventForObserver())
        self._table.check(now_ns)
