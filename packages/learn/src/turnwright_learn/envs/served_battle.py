"""A battle with programs, stepped by its caller: at a server, on another thread.

    caller's thread   play_turn(intents) ─▶ waits ─────────────────────────────▶ the turn is over
    BattleThread            └▶ SteppedRoom.step ─▶ programs answer ─▶ resolved ─┘

Between two calls the battle stands still, so its caller may read its state.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, Literal

import msgspec

from turnwright.app.live.kept_server import KeptServer
from turnwright.app.live.stepped_room import SteppedRoom
from turnwright.app.prepared_battle import PreparedBattle
from turnwright.errors import ParticipantStartError, SetupError, TurnwrightError, VoidBattleError
from turnwright.host.protocol import HelloMessage
from turnwright.host.summary import BattleSummary
from turnwright.kernel.battle import Battle
from turnwright.kernel.failure import FailureReason
from turnwright.kernel.game import Seat
from turnwright.net.rules_watchdog import watchdog_of
from turnwright_learn.envs.battle_thread import BattleThread

_END_S = 20.0
"""The longest wait for the end of a battle, in seconds. Its programs get a few seconds to end by themselves.
"""
_LOOK_S = 1.0
"""The time between two checks whether the thread lives, in seconds."""
_LEFT = frozenset({FailureReason.CRASHED, FailureReason.EXITED, FailureReason.LEFT})
_Report = tuple[Literal["begun", "turn", "over", "failed"], Any]


class ServedBattle:
    """A battle that a server in another thread plays, because some of its bots are programs.

    Environments use it like `app.battle_in_process.InProcessBattle`: both have `begin`, `play_turn`,
    `check_bots` and `end`.

    Args:
        given: by seat, the handshakes of the seats whose intents `play_turn` gets.
        answer_s: the seconds after which a missing answer of a program is an error.

    Attributes:
        battle: the battle, once `begin` has returned.
    """

    battle: Battle

    def __init__(
        self,
        thread: BattleThread,
        prepared: PreparedBattle,
        given: Mapping[Seat, HelloMessage],
        answer_s: float,
    ) -> None:
        self.prepared = prepared
        self._thread, self._answer_s = thread, answer_s
        self._reports: SimpleQueue[_Report] = SimpleQueue()
        self._given = given
        self._steps: SteppedRoom | None = None
        self._task: asyncio.Task[None] | None = None
        self._summary: BattleSummary | None = None
        self._is_over = False

    def begin(self) -> None:
        """Connect the programs, and wait until the battle has begun.

        Raises:
            SetupError, ParticipantStartError: a program does not start, connect or get ready.
        """
        self._thread.play(self._played)
        try:
            while (report := self._next(_LOOK_S)) is None:
                if not self._thread.is_alive:
                    raise SetupError("the battle did not begin: its thread has ended")
        except BaseException:  # e.g. Ctrl-C
            self._cancel()
            raise
        kind, value = report
        if kind != "begun":
            self._is_over = True
            raise value if kind == "failed" else SetupError("the battle ended before it began")
        self.battle = value

    def play_turn(self, given: Mapping[Seat, Any]) -> None:
        """Play one turn, and wait until it is over.

        Args:
            given: by seat, the intents of those asked seats for which the caller acts.

        Raises:
            ParticipantStartError: a program ended, or has not answered in time. The battle is over then.
            VoidBattleError: the rules failed. The battle is over then.
            SetupError: the battle had ended before, was stopped, or failed.
        """
        if self._is_over or self._steps is None:
            raise SetupError("the episode has ended: call reset before the next step")
        try:
            self._play_turn(self._steps, given)
        except BaseException:
            if not self._is_over:  # e.g. Ctrl-C
                self._stop("interrupted", 0.0)
            raise

    def _play_turn(self, steps: SteppedRoom, given: Mapping[Seat, Any]) -> None:
        self._thread.call(self._step, steps, given)
        report = self._next(self._answer_s)
        if report is None:
            raise self._hung()
        if report[0] != "turn":
            raise self._ended_early(*report)

    def check_bots(self) -> None:
        """If a program no longer plays, end the battle and raise ParticipantStartError."""
        if failed := self._failed():
            raise self._blamed(failed)

    def end(
        self, ending: Literal["over", "void"], why: str = "", error: VoidBattleError | None = None
    ) -> BattleSummary | None:
        """End the battle, wait up to 20 s for its end, and return its summary.

        Return None if the battle never began, failed, or could not be ended.
        """
        if not self._is_over and self._steps is not None:
            if ending == "over":
                self._wait_for_end()
            else:
                self._stop(why)
        return self._summary

    # ---- errors --------------------------------------------------------------------------------------------

    def _programs(self) -> Sequence[Seat]:
        return [seat for seat in range(len(self.prepared.places)) if seat not in self._given]

    def _failed(self) -> list[Seat]:
        """Return the seats of the programs that stopped playing.

        In battles with a deadline, programs that are only too slow or silent do not count.
        """
        found = self.battle.referee.failures
        any_reason = not self.prepared.options.turn_timeout_us
        return [s for s in self._programs() if s in found and (any_reason or found[s].reason in _LEFT)]

    def _name(self, seat: Seat) -> str:
        return self.battle.header.seats[seat].name

    def _hung(self) -> ParticipantStartError:
        missing = [seat for seat in self._programs() if seat in self.battle.collecting.inbox.missing]
        names = ", ".join(map(self._name, missing)) or "the server"
        turn = self.battle.turn + 1
        self._stop(f"{names} did not answer", 0.0)
        error = ParticipantStartError(
            f"{names} did not answer turn {turn} within {self._answer_s:g} s: correct it, give it more time"
            " (answer_timeout), or a deadline for each turn (turn_timeout)"
        )
        error.seats = tuple(missing)
        return error

    def _blamed(self, failed: Sequence[Seat]) -> ParticipantStartError:
        """Stop the battle, and return the error for programs that ended, with their last printed lines."""
        names = ", ".join(map(self._name, failed))
        failures = {seat: self.battle.referee.failures[seat] for seat in failed}
        self._stop(f"{names} plays no more", 0.0)
        told, printed = [], []
        for seat in failed:
            one = None if self._summary is None else self._summary.seats[seat]
            failure = failures[seat] if one is None or one.failure is None else one.failure
            failures[seat] = failure
            told.append(f"{self._name(seat)} {failure.full_text}")
            printed += [f"\n  {line}" for line in (one.last_lines if one is not None else failure.printed)]
        lines = f"\nlast lines of {names}:{''.join(printed)}" if printed else ""
        error = ParticipantStartError(f"{'; '.join(told)}{lines}")
        error.seats, error.failures = tuple(failed), failures
        return error

    def _ended_early(self, kind: str, value: Any) -> TurnwrightError:
        self._is_over = True
        if kind == "failed":
            assert isinstance(value, TurnwrightError)
            return value
        self._summary = value
        if value.ending == "void":
            return VoidBattleError(value.why, entry=value.void_entry)
        return SetupError(f"the battle ended before its end: {value.why}")

    # ---- the caller's end of the thread --------------------------------------------------------------------

    def _next(self, wait_s: float) -> _Report | None:
        """Return the next report, or None if there was none in time."""
        try:
            return self._reports.get(timeout=wait_s)
        except Empty:
            return None

    def _stop(self, why: str, wait_s: float | None = None) -> None:
        """End the battle without results, and wait for its end.

        Args:
            wait_s: the time to wait for outstanding answers. None means the default of `SteppedRoom.stop`.
        """
        assert self._steps is not None
        more = () if wait_s is None else (wait_s,)
        self._thread.start(self._steps.stop, why, *more)
        self._wait_for_end()

    def _wait_for_end(self) -> None:
        self._is_over = True
        until_s = monotonic() + _END_S
        while (left_s := until_s - monotonic()) > 0:
            report = self._next(left_s)
            if report is None:
                break
            if report[0] in ("over", "failed"):
                self._summary = report[1] if report[0] == "over" else None
                return
        self._cancel()

    def _cancel(self) -> None:
        self._is_over = True
        self._thread.call(lambda: self._task is not None and self._task.cancel())

    # ---- on the thread -------------------------------------------------------------------------------------

    async def _played(self, server: KeptServer) -> None:
        """Play the battle at the server, to its end."""
        self._task = asyncio.current_task()
        put = self._reports.put
        try:
            with watchdog_of(self.prepared.game):
                put(("over", await self._play(server)))
        except asyncio.CancelledError:
            put(("failed", SetupError("the battle was stopped")))
            raise
        except TurnwrightError as error:
            put(("failed", error))
        except Exception as error:
            put(("failed", self._wrapped(error)))

    async def _play(self, server: KeptServer) -> BattleSummary:
        """Play the battle. If reused programs do not get ready, play it with new ones."""
        try:
            return await server.play_here(self.prepared, _ignore, self._new_steps())
        except TurnwrightError as error:
            failed = set(error.seats) & server.reused
            if self._begun or not failed:
                raise
            await server.end_players(failed)
        return await server.play_here(self.prepared, _ignore, self._new_steps())

    def _step(self, steps: SteppedRoom, given: Mapping[Seat, Any]) -> None:
        try:
            steps.step(given)
        except Exception as error:
            self._reports.put(("failed", self._wrapped(error)))

    def _wrapped(self, error: Exception) -> SetupError:
        wrapped = SetupError(f"the battle could not be played: {error!r}")
        wrapped.__cause__ = error
        return wrapped

    def _new_steps(self) -> SteppedRoom:
        self._begun = False
        given = {seat: msgspec.structs.replace(hello) for seat, hello in self._given.items()}
        steps = SteppedRoom(given, self._note_begun, self._note_turn)
        self._steps = steps
        return steps

    def _note_begun(self, battle: Battle) -> None:
        self._begun = True
        self._reports.put(("begun", battle))

    def _note_turn(self) -> None:
        self._reports.put(("turn", None))


def _ignore(progress: object) -> None:
    """Ignore the progress of a battle."""
