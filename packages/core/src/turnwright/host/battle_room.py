"""Plays the battles of a server, one at a time, from the choice of the bots to the results. `running_battle`
plays the turns.

Every method takes the time and appends effects. No method waits. `host` checks whether a client may command
the room.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from turnwright.errors import SetupError, VoidBattleError
from turnwright.host import effects as fx
from turnwright.host.battle_start import ReadyRoom, progress_of
from turnwright.host.config import HostConfig
from turnwright.host.latency import SeatTiming, TurnTiming
from turnwright.host.lifecycle import Move
from turnwright.host.lobby import Client, Lobby
from turnwright.host.operator import OperatorControls
from turnwright.host.protocol import BattleSetup, StartMessage
from turnwright.host.recording import BattleRecording, Over
from turnwright.host.room_state import NOT_BEGUN, BattleRoomState
from turnwright.host.running_battle import End, RunningBattle
from turnwright.host.summary import footer, without_battle
from turnwright.kernel.failure import FailureReason
from turnwright.kernel.game import Seat
from turnwright.kernel.printed import PrintedLine, Prints
from turnwright.kernel.record import TurnEntry
from turnwright.wire.faults import FaultCode

_WHY_CHARS_MAX = 500
"""The number of characters of the reason for a void battle that clients get. The log has the whole reason."""


class BattleRoom(BattleRoomState):
    """Runs one battle at a time.

    `effects` is the host's list of effects. `ready_room`, `run` and `over` are None if there is no such
    battle.

    Attributes:
        number: the number of battles that were started, even if they never began.
        ready_room: the bots that were chosen for a battle that has not begun.
        run: the battle that is running or paused.
        over: the newest battle, if it is over.
        void_text: why the newest battle is void. "" means that it is not void.
        battles_over: the number of battles by ending.
        timing, seat_timing: the times that were measured in the newest battle: for turns, and for each seat.
        recording: the recording of the newest battle.
        prints: the output of bots in the running battle, or before the next one.
    """

    def __init__(self, config: HostConfig, effects: list[fx.Effect], lobby: Lobby) -> None:
        super().__init__(config, effects, lobby)
        self.number = 0
        self.ready_room: ReadyRoom | None = None
        self.run: RunningBattle | None = None
        self.over: Over | None = None
        self.recording: BattleRecording | None = None
        self.timing = TurnTiming()
        self.seat_timing: list[SeatTiming] = []
        self.void_text = ""
        self.battles_over: dict[str, int] = {"over": 0, "aborted": 0, "void": 0}
        self.prints = Prints(config.prints_max)
        self.operator = OperatorControls(self, self.check)

    @property
    def printed(self) -> list[PrintedLine]:
        """The lines that bots printed in the newest battle, in order."""
        return [] if self.recording is None else self.recording.lines

    @property
    def is_sending(self) -> bool:
        """Whether a turn's observations are being sent. When all are sent, `turn_sent` is called."""
        return self.run is not None and self.run.in_flight is not None

    # ---- before a battle -----------------------------------------------------------------------------------

    def start(self, setup: BattleSetup, clients: list[Client], debug_mode: bool, now_ns: int) -> None:
        """Start a battle by notifying every chosen bot. Each bot has until the ready timeout to answer that
        it is ready. The turn timeout in `setup` is cut to the server's limit.
        """
        self.close_record()
        self.move(Move.START)
        self.number += 1
        self.void_text = ""
        cap = self.config.turn_timeout_cap_us
        if cap is not None and setup.turn_timeout_us > cap:
            setup.turn_timeout_us = cap
        self.debug_mode = debug_mode
        self.ready_room = ReadyRoom(setup, clients, now_ns)
        self._seat(self.ready_room)

    def _seat(self, ready_room: ReadyRoom, *, is_news: bool = True) -> None:
        """Number the seats of the chosen bots.

        Args:
            is_news: whether the bots are notified.
        """
        self.output.seat(ready_room.clients, ready_room.recorded)
        for seat, client in enumerate(ready_room.clients):
            client.seat = seat
        if is_news:
            self.output.tell_each(self.protocol.chosen(ready_room.setup, ready_room.hellos()))

    def ready(self, client: Client, now_ns: int) -> None:
        """Record that a chosen bot is ready. When all are ready, begin the battle."""
        if self.ready_room is not None and client.seat is not None:
            self.ready_room.ready.add(client.seat)
            self._begin_if_ready(self.ready_room, now_ns)

    def _begin_if_ready(self, ready_room: ReadyRoom, now_ns: int) -> None:
        present = self.output.present
        if present and ready_room.ready >= present:
            self._begin(ready_room, now_ns)

    def _ready_timed_out(self, ready_room: ReadyRoom, now_ns: int) -> None:
        missing = ready_room.missing(self.output.present)
        self.output.log("warning", missing)
        if ready_room.is_enough():
            self._begin(ready_room, now_ns)
            return
        self.move(Move.READY_TIMEOUT)
        self._announce_abort()
        self._over(End("aborted", missing))

    def _begin(self, ready_room: ReadyRoom, now_ns: int) -> None:
        """Begin the battle with the participants that are ready."""
        dropped = ready_room.drop_others()
        if dropped and ready_room.recorded:
            self._cannot_begin("a bot has left before the battle began")
            return
        self._seat(ready_room, is_news=dropped)
        for client in ready_room.clients:
            if client.hello is not None and client.hello.debugged and self.config.breakpoint_mode:
                client.breakpoint = True
        pacing = self.next_pacing
        try:
            battle = ready_room.begin(self.config, self.number)
            messages = self.protocol.battle(battle, ready_room.setup, ready_room.hellos())
            progress = progress_of(battle)
        except SetupError as error:
            self._cannot_begin(str(error))
            return
        except Exception as error:
            self._cannot_begin(f"the rules failed: {error!r}")
            return
        self.battle, self._messages, self.progress = battle, messages, progress
        self.ready_room = self.over = None
        recording = BattleRecording(self.config, self.output, messages, self.number, self.prints)
        run = RunningBattle(self, self.operator, battle, messages, recording, ready_room.setup)
        self.run, self.recording = run, recording
        self.timing, self.seat_timing = run.timing, run.collector.seat_timing
        self.pace_as(pacing)
        self.operator.new_battle()
        self.move(Move.ALL_READY)
        recording.begin(battle.header)
        self.output.begin(messages.started, self.tps)
        for client in self.clients:
            self.operator.apply_policy(client)
        self.operator.say_policies()
        if self.pace.paused:
            self.move(Move.PAUSE)
            self.operator.say_paused("pause")
        if (end := run.begin(now_ns)) is not None:
            self._end(end)

    def _cannot_begin(self, why: str) -> None:
        self.output.log("error", f"the game cannot begin: {why}")
        name = self.protocol.name_of(StartMessage)
        self.output.tell_ours(self.protocol.error(FaultCode.BAD_SETUP, why, name))
        self.move(Move.STOP)
        self._announce_abort()
        self._over(End("aborted", why))

    # ---- while it runs -------------------------------------------------------------------------------------

    def welcome(self, conn: int) -> None:
        """Show a late spectator the running battle. If it is over, show the last turn and the results."""
        if self.recording is not None and self.recording.welcome(conn):
            self.operator.welcome(conn)
        elif self.run is not None:
            if (end := self.run.welcome(conn)) is not None:
                self._end(end)
        elif self.over is not None:
            self.over.welcome(conn, self.output)

    def leave(
        self,
        client: Client,
        now_ns: int,
        reason: FailureReason = FailureReason.LEFT,
        error: str = "",
        printed: Sequence[str] = (),
    ) -> None:
        """Record that a participant's connection ended, and why. If it was the last one, stop the battle."""
        seat = client.seat
        if seat is None or seat >= len(self.clients) or self.clients[seat] is not client:
            return
        self.output.present.discard(seat)
        if self.ready_room is not None:
            self.ready_room.ready.discard(seat)
            if not self.output.present:
                self.stop("every chosen bot has left")
            else:
                self._begin_if_ready(self.ready_room, now_ns)
        elif self.run is not None:
            self.run.leave(seat, reason, error, printed)
            if not self.output.present:
                self.stop("every participant has left")
                return
            self.operator.answered(seat)
            if self.operator.first_awaited:
                self.run.collector.tell_first_awaited()
            self.check(now_ns)

    def fail(self, seat: Seat, reason: FailureReason, error: str = "", printed: Sequence[str] = ()) -> None:
        """Record and report why a seat stopped playing (see `BattleNotices.fail`)."""
        if self.run is not None:
            self.run.collector.notices.fail(seat, reason, error, printed)

    def give(self, client: Client, intent: Any, now_ns: int) -> None:
        """Take an intent of a seat in this process, in the form that the rules use.

        The intent answers the newest observation.
        """
        if self.run is not None and client.seat is not None:
            self.run.collector.submit(client.seat, intent, None, now_ns)

    def turn_sent(self, stamps_ns: Sequence[int]) -> None:
        """Record the times at which the observations of the newest SendTurn were sent."""
        if self.run is not None and stamps_ns and (end := self.run.turn_sent(stamps_ns)) is not None:
            self._end(end)

    def pending_read(self, now_ns: int) -> None:
        """Continue after the sockets were read at a deadline. Seats without an answer are now late."""
        if self.run is not None and self.run.collector.drain.end():
            self.check(now_ns)

    def check(self, now_ns: int) -> None:
        """End collecting and resolve the turn, if it is time."""
        if self.run is not None and (end := self.run.check(now_ns)) is not None:
            self._end(end)

    def tick(self, now_ns: int) -> None:
        """Carry out everything that is due at `now_ns`, for example after the alarm rang."""
        if self.ready_room is not None and now_ns >= self.ready_room.deadline_ns:
            self._ready_timed_out(self.ready_room, now_ns)
        if self.run is not None and 0 < self.run.collector.turn.first_told_ns <= now_ns:
            self.run.collector.tell_first_awaited()
        self.output.paced.show_due(now_ns)
        self.check(now_ns)

    def next_alarm_ns(self, now_ns: int) -> int | None:
        """Return the time at which the room must act even without a message, or None."""
        if self.ready_room is not None:
            due: int | None = self.ready_room.deadline_ns
        else:
            due = None if self.run is None else self.run.collector.alarm_ns(now_ns)
        shown = self.output.paced.due_ns()
        return shown if due is None else due if shown is None else min(due, shown)

    # ---- its end -------------------------------------------------------------------------------------------

    def _end(self, end: End) -> None:
        """End the battle as `end` says. A step of the battle returned `end`."""
        if end.error is not None:
            self.void(end.error)
        elif end.ending == "over":
            self.move(Move.OVER)
            self._over(end)
        else:
            self.stop(end.why)

    def stop(self, why: str) -> None:
        """Abort the battle.

        Spectators get the message even if no battle is running, as on the official server.
        """
        was_taken = self.is_taken
        if was_taken:
            self.move(Move.STOP)
        self._announce_abort()
        if was_taken:
            self._over(End("aborted", why))

    def void(self, error: VoidBattleError) -> None:
        """End the battle as void, because its rules failed."""
        why = f"battle {self.number} is void: {error}"
        self.void_text = why[:_WHY_CHARS_MAX]
        self.output.log("error", why)
        self.output.tell_ours(self.protocol.error(FaultCode.VOID, self.void_text))
        self.move(Move.STOP)
        self._announce_abort()
        if isinstance(error.entry, TurnEntry) and self.recording is not None:
            self.recording.add(error.entry, is_void=True)
        self._over(End("void", str(error), error))

    def _announce_abort(self) -> None:
        """Announce that the battle ended without results, or that none is running."""
        self.output.tell_all(self.protocol.aborted_for_seats())
        self.output.paced.skip_frames()
        self.output.publish(self.protocol.aborted())

    def _over(self, end: End) -> None:
        run, ready_room, self.run, self.ready_room, self.battle = self.run, self.ready_room, None, None, None
        self.battles_over[end.ending] += 1
        self.debug_mode = False
        if run is None:
            summary = without_battle("" if ready_room is None else ready_room.setup.game_type, end.why)
        else:
            summary = run.summary(end)
            kept = footer(summary) if run.recording.is_kept else None
            self.over = Over(run.recording, run.messages if end.ending == "over" else None, kept, self.place)
            if not self.config.footer_later:
                self.close_record()
        for client in self.clients:
            client.seat = None
        self.output.seat([])
        self._messages = None
        self.progress = NOT_BEGUN
        self.operator.new_battle()
        self._out.append(fx.BattleOver(self.number, summary))

    def close_record(self) -> None:
        """Close the record of the battle that is over. Add the lines that bots printed after the end of the
        battle.

        A second call has no effect.
        """
        if self.over is not None and self.over.close_record():
            self.prints = Prints(self.config.prints_max)
