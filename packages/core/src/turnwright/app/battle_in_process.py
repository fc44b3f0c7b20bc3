"""A battle whose bots are all in this process, without sockets or deadlines."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from time import monotonic_ns, sleep
from typing import Any, Literal

import msgspec

from turnwright._version import __version__
from turnwright.app.prepared_battle import PreparedBattle, Report
from turnwright.client import seeded
from turnwright.errors import GameError, ParticipantStartError, VoidBattleError, trace_lines
from turnwright.host.generic_protocol import refused_intent, result_rows
from turnwright.host.latency import SeatTiming, TurnTiming
from turnwright.host.mistakes import LOG_FAULTS_MAX
from turnwright.host.summary import BattleSummary, every_failure, footer, summarize
from turnwright.kernel.battle import Battle
from turnwright.kernel.failure import reason_of
from turnwright.kernel.game import Seat, SeatInfo, unique_names
from turnwright.kernel.pace import TPS_UNLIMITED, Pace
from turnwright.kernel.play import play_turn
from turnwright.kernel.record import TurnEntry
from turnwright.kernel.units import NS_PER_S, NS_PER_US
from turnwright.net.gc_pause import GcPause
from turnwright.net.participants.seating import seat_sources

LOOK_NS = 100_000_000
"""The shortest time between two progress reports, in ns."""
_BATTLE = 1

_log = logging.getLogger("turnwright")


class InProcessBattle:
    """A battle whose bots are functions: each takes an observation and returns an intent.

    A game whose bots get further messages derives a class from this one.

    Args:
        report: called with the progress of the battle.

    Attributes:
        present: the seats whose bots have not left.
        timing: the answer times, by seat.
    """

    def __init__(self, prepared: PreparedBattle, report: Report) -> None:
        options, setup = prepared.options, prepared.setup
        tolerant = prepared.tolerant
        known = zip(self.seat_infos(prepared), seat_sources(prepared.places), strict=True)
        seats = [replace(info, source_hash=source) for info, source in known]
        self.prepared = prepared
        self.battle = Battle(
            prepared.new_game(tolerant),
            setup.settings,
            seats,
            prepared.seed,
            replace(options.turn_rules, timeout_ns=setup.turn_timeout_us * NS_PER_US),
            keep_checks=options.record is not None,
            tolerant=tolerant,
            made_by=f"turnwright {__version__}",
            announced=self.announced(prepared, seats),
        )
        self.battle.header = replace(self.battle.header, sandbox=prepared.recorded_sandbox)
        self.recorder = prepared.record_files.recorder
        self.present = set(range(len(seats)))
        self.timing = [SeatTiming() for _ in seats]
        self._pace = Pace(options.pace)
        self._report = report
        self._follower = prepared.follower()
        self._looked_ns = monotonic_ns()

    def play(self) -> BattleSummary:
        """Play the battle to its end and return its outcome. If the rules fail, the ending is "void".

        Raises:
            ParticipantStartError: every bot has failed.
        """
        with GcPause():  # a full collection would delay the answer of one bot
            self.begin()
            try:
                while self.battle.outcome is None:
                    self.play_turn({})
            except VoidBattleError as error:
                return self.end("void", str(error), error)
            return self.end("over")

    def begin(self) -> None:
        """Open the record, and notify the bots that the battle begins."""
        self.recorder.open(_BATTLE, self.battle.header)
        self.begun()
        self._answerers = {seat: self._answerer(seat) for seat in range(self.battle.seats)}

    def play_turn(self, given: Mapping[Seat, Any]) -> None:
        """Play one turn. Ask the bots, resolve the turn, record it and publish it. Then wait until the next
        turn is due.

        Args:
            given: the intents of some seats. Only the bots of the other seats are asked.

        Raises:
            VoidBattleError: the rules failed.
            ParticipantStartError: every bot has failed.
        """
        closed = play_turn(self.battle, self._answerers, given)
        self.recorder.turn(_BATTLE, closed.entry)
        self.closed(closed.entry)
        self._published(self.battle)

    def check_bots(self) -> None:
        """Raise ParticipantStartError if a bot has failed.

        If this method is not called, the other bots continue to play.
        """
        failures = self.battle.referee.failures
        if failures:
            told = [f"{self.battle.header.seats[s].name} {one.full_text}" for s, one in failures.items()]
            error = ParticipantStartError("; ".join(told))
            error.seats, error.failures = tuple(failures), dict(failures)
            raise error

    def end(
        self, ending: Literal["over", "void"], why: str = "", error: VoidBattleError | None = None
    ) -> BattleSummary:
        """End the battle for its bots and its record, and return the outcome.

        Args:
            why: why the battle is void.
            error: the error of the rules. The turn in which they failed is recorded, too.
        """
        if error is not None and isinstance(error.entry, TurnEntry):
            self.recorder.turn(_BATTLE, error.entry)
        self.ended(ending)
        return self._summary(ending, why, error)

    # ---- for games whose bots get further messages -------------------------------------------------------

    def seat_infos(self, prepared: PreparedBattle) -> list[SeatInfo]:
        """Return the seats for the rules. Bots of the same name get numbers."""
        names = unique_names(place.name for place in prepared.places)
        return [SeatInfo(name, place.version) for name, place in zip(names, prepared.places, strict=True)]

    def announced(self, prepared: PreparedBattle, seats: Sequence[SeatInfo]) -> Mapping[str, Any]:
        """Return the game's additions to a record's header, as JSON values."""
        return {}

    def begun(self) -> None:
        """Called when the battle begins. A derived class can send messages to its bots here."""

    def player(self, seat: Seat) -> Callable[[Any], Any]:
        """Return the function that answers the observations of `seat`.

        If the function returns None, the seat misses the turn. If the function raises an exception, the seat
        leaves the battle.
        """
        bot, game = seeded(self.prepared.places[seat].given, self.prepared.seed, seat), self.battle.game

        def answer(observation: Any) -> Any:
            said = bot(msgspec.json.decode(msgspec.json.encode(observation)))
            if said is None:
                return None
            name, turn = self.battle.header.seats[seat].name, self.battle.turn + 1
            try:
                return game.read_intent(msgspec.to_builtins(said))
            except GameError as error:
                if self.battle.collecting.note_unread(seat, error):
                    _log.error("%s, over an intent of %s, which misses turn %d", error, name, turn)
            except ValueError as error:
                self._refuse(seat, refused_intent(game.name, said, error))
            return None

        return answer

    def closed(self, entry: TurnEntry) -> None:
        """Called after a turn was resolved and recorded."""

    def published(self) -> None:
        """Called after `closed`. A derived class can send the turn's outcome to bots and spectators here."""

    def ended(self, ending: Literal["over", "void"]) -> None:
        """Called when the battle has ended."""

    def rows(self) -> Sequence[Any]:
        """Return the results of the battle, which must be over, as `BattleMessages.result_rows` does."""
        assert self.battle.outcome is not None
        return result_rows([info.name for info in self.battle.header.seats], self.battle.outcome)

    # ---- the turn ----------------------------------------------------------------------------------------

    def _refuse(self, seat: Seat, why: str) -> None:
        """Record that an answer of `seat` is invalid. The seat then misses its turn."""
        self.battle.collecting.spoilt(seat, why)
        timing = self.timing[seat]
        timing.malformed += 1
        if timing.malformed <= LOG_FAULTS_MAX:
            name = self.battle.header.seats[seat].name
            _log.warning("%s misses turn %d: %s", name, self.battle.turn + 1, why)

    def _answerer(self, seat: Seat) -> Callable[[Any], Any]:
        add, note, ask = (
            self.timing[seat].answers.add,
            self.battle.recorder.note_answer_time,
            self.player(seat),
        )

        def answer(observation: Any) -> Any:
            if seat not in self.present:
                return None
            started = monotonic_ns()
            try:
                intent = ask(observation)
            except (Exception, SystemExit) as error:
                self._fail(seat, error)
                return None
            took_ns = monotonic_ns() - started
            if intent is not None:
                add(took_ns)
                note(seat, took_ns)
            return intent

        return answer

    def _published(self, battle: Battle) -> None:
        self.published()
        now = monotonic_ns()
        if now - self._looked_ns >= LOOK_NS or battle.outcome is not None:
            self._looked_ns = now
            self._report(self._follower.look(battle))
        if self._pace.tps != TPS_UNLIMITED:
            self._wait(now)

    def _wait(self, now_ns: int) -> None:
        """Sleep until the next turn is due."""
        self._pace.resolved(now_ns, now_ns)
        due = self._pace.due_ns()
        if due is not None and due > now_ns:
            sleep((due - now_ns) / NS_PER_S)

    def guarded(self, seat: Seat, call: Callable[[Any], Any], value: Any) -> Any:
        """Return `call(value)`, where `call` is a method of the bot of `seat`. If it raises an exception, the
        bot leaves the battle, as if its process had ended, and the result is None.

        Raises:
            ParticipantStartError: all bots have failed.
        """
        try:
            return call(value)
        except (Exception, SystemExit) as error:
            self._fail(seat, error)
            return None

    def _fail(self, seat: Seat, error: BaseException) -> None:
        """Record that the bot of `seat` has crashed.

        Raises:
            ParticipantStartError: all bots have failed.
        """
        self._note_crash(seat, error)
        if not self.present:
            names = [info.name for info in self.battle.header.seats]
            nobody = ParticipantStartError(every_failure(names, self.battle.referee.failures))
            nobody.failures = dict(self.battle.referee.failures)
            nobody.seats = tuple(nobody.failures)
            raise nobody from None

    def _note_crash(self, seat: Seat, error: BaseException) -> None:
        name = self.battle.header.seats[seat].name
        self.present.discard(seat)
        self.battle.leave(seat)
        failure = self.battle.fail(seat, *reason_of(error), trace_lines(error))
        _log.error("%s %s", name, "crashed" if failure is None else failure.full_text)

    def _summary(
        self, ending: Literal["over", "void"], why: str, error: VoidBattleError | None
    ) -> BattleSummary:
        progress = self.battle.game.round_progress(self.battle.state)
        summary = summarize(
            self.battle,
            ending,
            self.rows() if ending == "over" else (),
            self.timing,
            game_type=self.prepared.setup.game_type,
            rounds=1 if progress is None else progress.round,
            turn_timing=TurnTiming(),
            why=why,
            error=error,
        )
        self.recorder.close(_BATTLE, footer(summary))
        return summary
