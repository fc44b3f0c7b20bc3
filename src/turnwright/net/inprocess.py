"""A battle in which all bots are of this process: no sockets, no waiting, so nobody is ever too late."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from itertools import count
from time import monotonic_ns, sleep
from typing import Any

import msgspec

from turnwright._version import __version__
from turnwright.bots.info import GameInfo
from turnwright.bots.player import as_player
from turnwright.errors import ParticipantStartError, VoidBattleError
from turnwright.host.latency import SeatTiming
from turnwright.host.summarize import footer, summarize
from turnwright.host.summary import BattleSummary
from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.pace import Pace
from turnwright.kernel.record import TurnEntry, TurnRules
from turnwright.local import play
from turnwright.net.calm import Calm
from turnwright.net.contestants import Place
from turnwright.net.live_battle import LiveBattle
from turnwright.net.local_bots import identity_of
from turnwright.net.progress import Follower
from turnwright.net.warmup import new_game
from turnwright.options import game_setup
from turnwright.results import Progress
from turnwright.wire.record.shown import announced, opening_of, turn_messages
from turnwright.wire.royale.codec import encode
from turnwright.wire.royale.messages import GameAbortedEvent
from turnwright.wire.royale.parts import GameSetup, Participant
from turnwright.wire.royale.results import results_for_bots, results_for_observers
from turnwright.wire.royale.setup import tank_setup

__all__ = ["play_in_process"]

_LOOK_NS = 100_000_000
_NS_PER_US = 1000
_NS_PER_S = 1e9
_BATTLE = 1

_log = logging.getLogger("turnwright")


def play_in_process(wanted: LiveBattle, report: Callable[[Progress], None]) -> BattleSummary:
    """Play a battle to its end and return how it went; `report` is told how far it has come.

    Raises: SetupError for settings that cannot be played; ParticipantStartError when every bot has failed.
    """
    options, setup = wanted.options, game_setup(wanted.options)
    tolerant = options.on_rules_error == "continue"
    seats = [_seat_info(place, seat) for seat, place in enumerate(wanted.places)]
    battle = Battle(
        new_game(tolerant),
        tank_setup(setup),
        seats,
        wanted.seed,
        TurnRules(
            timeout_ns=setup.turn_timeout * _NS_PER_US,
            on_late=options.on_late,
            on_skip=options.on_skip,
            max_skipped=options.max_skipped,
            on_disconnect=options.on_disconnect,
        ),
        keep_checks=options.record is not None,
        tolerant=tolerant,
        made_by=f"turnwright {__version__}",
        announced=announced(setup, tuple(map(_participant, wanted.places, count(1))), seats),
    )
    calm = Calm()
    calm.begin()  # a full collection would be billed to whoever is just answering
    try:
        return _Play(battle, wanted, report, setup).run()
    finally:
        calm.end()


def _seat_info(place: Place, seat: int) -> SeatInfo:
    identity = identity_of(place)
    options = {"droid": identity.is_droid, "session_id": f"local {seat + 1}"}
    return SeatInfo(
        identity.name,
        identity.version,
        None,
        options,
        authors=identity.authors,
        platform=identity.platform,
        programming_lang=identity.programming_lang,
    )


def _participant(place: Place, bot_id: int) -> Participant:
    identity = identity_of(place)
    return Participant(
        id=bot_id,
        session_id=f"local {bot_id}",
        name=identity.name,
        version=identity.version,
        authors=identity.authors,
        country_codes=identity.country_codes,
        game_types=identity.game_types,
        description=identity.description,
        homepage=identity.homepage,
        platform=identity.platform,
        programming_lang=identity.programming_lang,
        is_droid=identity.is_droid or None,
    )


class _Play:
    """One battle while it is played."""

    def __init__(
        self, battle: Battle, wanted: LiveBattle, report: Callable[[Progress], None], setup: GameSetup
    ) -> None:
        self.battle = battle
        self.setup = setup
        self.recorder = wanted.spool.recorder
        self._shown = wanted.spool.shown
        self.players = [as_player(place.given, seed=wanted.seed) for place in wanted.places]
        self.present = set(range(len(self.players)))
        self.timing = [SeatTiming() for _ in self.players]
        self.pace = Pace(wanted.options.pace)
        self._report = report
        self._follower = Follower()
        self._looked_ns = monotonic_ns()

    def run(self) -> BattleSummary:
        """Play it."""
        self.recorder.open(_BATTLE, self.battle.header)
        self._show(opening_of(self.battle.header))
        for seat in range(len(self.players)):
            self._tell(seat, "game_started", self._info(seat))
        answerers = {seat: self._answerer(seat) for seat in range(len(self.players))}
        try:
            play(self.battle, answerers, self._closed, self._publish)
        except VoidBattleError as error:
            return self._void(error)
        self._tell_all("on_game_ended", self._results())
        return self._summary("over", "", None)

    # ---- the turn ----------------------------------------------------------------------------------------

    def _answerer(self, seat: int) -> Callable[[Any], Any]:
        player, answers = self.players[seat], self.timing[seat].answers

        def answer(observation: Any) -> Any:
            if seat not in self.present:
                return None
            started = monotonic_ns()
            intent = self._guarded(seat, player.step, observation)
            took_ns = monotonic_ns() - started
            if intent is not None:
                answers.add(took_ns)
                self.battle.took(seat, took_ns)
            return intent

        return answer

    def _closed(self, closed: Closed) -> None:
        self.recorder.turn(_BATTLE, closed.entry)
        for seat in closed.entry.skipped:
            if seat in self.present and seat in self.battle.state.alive:
                self._tell(seat, "on_skipped_turn", self.battle.state.turn_number - 1)

    def _publish(self, battle: Battle) -> None:
        """Tell what belongs to the turn besides the observations that are asked for next."""
        state = battle.state
        if self._shown is not None:
            self._show(*turn_messages(state))
        if state.opened_round:
            self._tell_all("round_started", [state.round_number] * len(self.players))
        next_asked = set(battle.game.asked(state))
        for seat in state.started:
            if seat not in next_asked:
                self._tell(seat, "step", battle.observe(seat))
        if state.round_over:
            self._tell_all("on_round_ended", self._results())
        now = monotonic_ns()
        if now - self._looked_ns >= _LOOK_NS or battle.outcome is not None:
            self._looked_ns = now
            self._report(self._follower.look(battle))
        self._wait(now)

    def _wait(self, now_ns: int) -> None:
        """Sleep until the next turn is due."""
        self.pace.resolved(now_ns, now_ns)
        due = self.pace.due_ns()
        if due is not None and due > now_ns:
            sleep((due - now_ns) / _NS_PER_S)

    def _show(self, *messages: object) -> None:
        """Write down what spectators see, if anybody wants it."""
        if self._shown is not None:
            for message in messages:
                self._shown.take(encode(message))

    # ---- bots ----------------------------------------------------------------------------------------------

    def _tell_all(self, method: str, values: Sequence[Any]) -> None:
        for seat, value in enumerate(values):
            self._tell(seat, method, value)

    def _tell(self, seat: int, method: str, value: Any) -> None:
        if seat in self.present:
            self._guarded(seat, getattr(self.players[seat], method), value)

    def _guarded(self, seat: int, call: Callable[[Any], Any], value: Any) -> Any:
        """Call a bot; one that raises has left the battle, as if its process had ended."""
        try:
            return call(value)
        except Exception:
            name = self.battle.header.seats[seat].name
            _log.exception("%s failed in turn %d and has left the battle", name, self.battle.turn)
            self.present.discard(seat)
            self.battle.leave(seat)
            if not self.present:
                raise ParticipantStartError("every bot has failed; what each one raised is above") from None
            return None

    def _info(self, seat: int) -> GameInfo:
        me = self.battle.header.seats[seat]
        return GameInfo.of_setup(self.setup, seat + 1, bot_names={seat + 1: f"{me.name} {me.version}"})

    def _results(self) -> list[Any]:
        return [msgspec.structs.asdict(row) for row in results_for_bots(self.battle.state.results)]

    # ---- the end -------------------------------------------------------------------------------------------

    def _void(self, error: VoidBattleError) -> BattleSummary:
        if isinstance(error.entry, TurnEntry):
            self.recorder.turn(_BATTLE, error.entry)
        self._show(GameAbortedEvent())
        return self._summary("void", str(error), error)

    def _summary(self, ending: Any, why: str, error: VoidBattleError | None) -> BattleSummary:
        rows = results_for_observers(self.battle.state.results) if ending == "over" else ()
        summary = summarize(
            self.battle,
            ending,
            rows,
            self.timing,
            game_type=self.setup.game_type,
            server_late_turns=0,
            why=why,
            error=error,
        )
        self.recorder.close(_BATTLE, footer(summary))
        return summary
