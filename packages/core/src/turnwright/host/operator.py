"""An operator's commands: pause, step, speed, breakpoints, debugging."""

from __future__ import annotations

from collections.abc import Callable, Set

from turnwright.host.lifecycle import Move, Phase
from turnwright.host.lobby import Client
from turnwright.host.protocol import PauseCause
from turnwright.host.room_state import BattleRoomState
from turnwright.kernel.deadline import SkipReason
from turnwright.kernel.game import Seat
from turnwright.kernel.pace import check_tps

Policies = tuple[tuple[Seat, ...], tuple[Seat, ...], tuple[Seat, ...]]
"""Three groups of seats: seats that are debugged, seats in breakpoint mode, and the seats in breakpoint mode
for which the turn waits.
"""
_NO_POLICIES: Policies = ((), (), ())


class OperatorControls:
    """The operators' commands for a room, and the settings that they change.

    With pacing `apart`, `pause`, `resume`, `next_turn` and `change_tps` act on the frames that spectators get
    at the room's speed.

    Args:
        check: the function `BattleRoom.check`.

    Attributes:
        waited_for: seats in a debugger, for which the turn waits.
        first_awaited: the seats whose first answer is missing for so long that spectators were notified.
    """

    def __init__(self, room: BattleRoomState, check: Callable[[int], None]) -> None:
        self.waited_for: set[int] = set()
        self.first_awaited: Set[int] = frozenset()
        self.pause_cause: PauseCause = "pause"
        self._room = room
        self._check = check
        self._debug_next: set[int] = set()
        self._said = _NO_POLICIES

    def new_battle(self) -> None:
        """Forget which seats the previous battle waited for or debugged."""
        self.waited_for, self.first_awaited = set(), frozenset()
        self._debug_next.clear()
        self._said = _NO_POLICIES

    def welcome(self, conn: int) -> None:
        """Tell a late spectator whether the battle is paused. A spectator that reads our messages also gets
        the settings of bots.
        """
        output = self._room.output
        if self._said != _NO_POLICIES and conn in output.our_spectators():
            output.send(conn, self._room.messages.policies(*self._said))
        if self._room.phase is Phase.PAUSED:
            output.send(conn, self._room.protocol.paused(self.pause_cause))

    def say_policies(self) -> None:
        """Send the changed settings of bots to spectators that read our messages."""
        output = self._room.output
        there = [(seat, output.clients[seat]) for seat in sorted(output.present)]
        policies = (
            tuple(seat for seat, client in there if client.debugging),
            tuple(seat for seat, client in there if client.breakpoint),
            tuple(sorted(self.waited_for | self.first_awaited)),
        )
        if self._room.battle is None or policies == self._said:
            return
        self._said = policies
        output.tell_ours(self._room.messages.policies(*policies))

    def turn_shown(self) -> None:
        """Record that spectators were shown a turn.

        If an operator turned on the debugging of a seat before this turn, spectators see its graphics from
        the next turn on.
        """
        if not self._debug_next:
            return
        if self._room.battle is not None:
            self._room.battle.debugged.update(self._debug_next)
        self._debug_next.clear()

    def pause_for_debugging(self) -> None:
        """Pause before the next turn, unless an operator requested another step."""
        if self._room.phase is Phase.RUNNING:
            self._room.move(Move.PAUSE)
        if not self._room.pace.stepping:
            self._room.pace.pause()
        self.say_paused("debug_step")

    def wait_for(self, seats: list[int]) -> None:
        """Wait for these seats without a deadline, because a debugger has stopped their programs. Pause the
        battle, and report it to spectators.
        """
        assert self._room.battle is not None
        self.waited_for = set(seats)
        for seat in seats:
            self._room.battle.collecting.inbox.wait_without_deadline(seat)
        self.say_policies()
        if self._room.phase is Phase.RUNNING:
            self._room.move(Move.PAUSE)
        self.say_paused("breakpoint")

    def tell_first_awaited(self, seats: Set[int]) -> None:
        """Tell spectators which seats have not given their first answer."""
        self.first_awaited = seats
        self.say_policies()

    def answered(self, seat: int) -> None:
        """Record that the wait for a seat is over, because the seat has answered, has left, or was released.

        The battle continues if the turn waits for no other seat.
        """
        was_waited_for = seat in self.waited_for
        self.waited_for.discard(seat)
        self.say_policies()
        if not was_waited_for:
            return
        if not self.waited_for and self._room.phase is Phase.PAUSED and not self._room.pace.paused:
            self._room.move(Move.RESUME)
            self._room.output.publish(self._room.protocol.resumed())
            self._room.soon()

    def set_policy(self, seat: int, debugging: bool | None, breakpoints: bool | None, now_ns: int) -> None:
        """Change the settings of one seat. None means unchanged.

        If breakpoints are turned off while the turn waits for the seat, the seat misses the turn.
        """
        client = self._room.clients[seat]
        if debugging is not None:
            client.debugging = debugging
        if breakpoints is not None:
            client.breakpoint = breakpoints
        self.apply_policy(client)
        if not client.breakpoint and seat in self.waited_for and self._room.battle is not None:
            self._room.battle.collecting.inbox.release(seat, now_ns)
            turn = self._room.progress.turn + 1
            self._room.output.tell_skipped(seat, self._room.messages, turn, SkipReason.RELEASED)
            self.answered(seat)
            self._check(now_ns)
        else:
            self.say_policies()

    def apply_policy(self, client: Client) -> None:
        """Show or hide the debug graphics of a seat.

        Graphics appear from the turn after next, and disappear immediately. Settings from an earlier battle
        apply from the first turn on.
        """
        if self._room.battle is None or client.seat is None:
            return
        if client.debugging:
            battle = self._room.battle
            (self._debug_next if battle.turn else battle.debugged).add(client.seat)
        else:
            self._debug_next.discard(client.seat)
            self._room.battle.debugged.discard(client.seat)

    def pause(self) -> None:
        """Pause the battle, if there is one. Spectators get a message even if it is already paused."""
        if self._room.apart:
            self._room.output.paced.pace.pause()
            self._room.output.publish_paced(self._room.protocol.paused("pause"))
            return
        if not self._room.playing:
            return
        if self._room.phase is Phase.RUNNING:
            self._room.move(Move.PAUSE)
        self._room.pace.pause()
        self.say_paused("pause")

    def say_paused(self, cause: PauseCause) -> None:
        """Tell spectators that the battle is paused, and why."""
        self.pause_cause = cause
        self._room.output.publish(self._room.protocol.paused(cause))

    def resume(self, now_ns: int) -> None:
        """Resume the battle after a pause, and end debug mode."""
        if self._room.apart and self._room.output.paced.pace.paused:
            self._room.output.paced.pace.resume()
            self._room.output.publish_paced(self._room.protocol.resumed())
        if self._room.phase is not Phase.PAUSED:
            return
        self._room.debug_mode = False
        tps = self._room.pace.tps
        self._room.pace.resume()
        if self._room.pace.tps != tps:
            self._room.tps = self._room.pace.tps
            self._room.output.publish(self._room.protocol.speed(self._room.tps, self._room.pacing))
        self._room.move(Move.RESUME)
        self._room.output.publish(self._room.protocol.resumed())
        if self.waited_for:
            self.wait_for(sorted(self.waited_for))
        self._check(now_ns)

    def next_turn(self, now_ns: int) -> None:
        """Play one turn of a paused battle. A battle that waits at a breakpoint stays paused.

        If bots do not wait for spectators, the spectators see one more turn.
        """
        if self._room.apart:
            self._room.output.paced.pace.step()
        if self._room.phase is not Phase.PAUSED:
            return
        if self.waited_for:
            self.say_paused("breakpoint")
            return
        self._room.pace.step()
        self._check(now_ns)

    def change_tps(self, tps: int, now_ns: int) -> None:
        """Change the speed (see `check_tps`), also for later battles. 0 pauses the battle, and any other
        speed then resumes it.

        Raises:
            SetupError: the speed is invalid.
        """
        before, tps = self._room.tps, check_tps(tps)
        if tps == before:
            return
        self._room.tps = tps
        self._room.output.publish(self._room.protocol.speed(tps, self._room.pacing))
        if self._room.apart:
            self._room.output.paced.pace.set_tps(tps)
            return
        self._room.pace.set_tps(tps)
        if not self._room.playing:
            return
        if tps == 0:
            self.pause()
        elif before == 0 and self._room.phase is Phase.PAUSED and not self.waited_for:
            self._room.move(Move.RESUME)
            self._room.output.publish(self._room.protocol.resumed())
        self._check(now_ns)
