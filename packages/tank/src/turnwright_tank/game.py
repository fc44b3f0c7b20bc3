"""The tank game as a `Game`: rounds, intents, observations and results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from turnwright.errors import SetupError
from turnwright.kernel.game import Game, OnSkip, Outcome, RoundProgress, Seat, SeatInfo, StateTable
from turnwright.kernel.rng import Stream, Streams
from turnwright_tank import observe
from turnwright_tank.backends import Speed, extension
from turnwright_tank.backends.compiled import CompiledRows
from turnwright_tank.backends.python import InterpretedRows
from turnwright_tank.bot_output import RoundOutput
from turnwright_tank.intent_rows import store_intent
from turnwright_tank.results import SCORE_FIELDS, Standings, round_scores
from turnwright_tank.rules.placement import place_tanks
from turnwright_tank.rules.rows import TANK
from turnwright_tank.rules.rules_hash import RULES_HASH
from turnwright_tank.rules.stages import STAGES, Stages
from turnwright_tank.seats import line_up
from turnwright_tank.settings import DEFAULTS, TankSettings, arena_row, read_settings
from turnwright_tank.state import TankBattleState, TankRows, restore_state, save_state
from turnwright_tank.structs import (
    Event,
    Frame,
    Observation,
    TankIntent,
    TeamMessageEvent,
    merge,
    struct_of,
)

REPEAT = TankIntent(turn_number=-1)
"""The intent that makes a seat execute its stored intent again."""

GRID_FROM = {"interpreted": 24, "compiled": 40}
"""The smallest number of tanks or bullets for which the grid is faster, by measurement."""


class TankGame(Game[TankBattleState, TankIntent]):
    """The rules of the tank game. A seat's bot id is seat + 1. The grid changes no outcome.

    Args:
        speed: how the rules run.
        on_error: with "continue", a stage that raises an exception is skipped for that turn and noted. Only
            interpreted rules can do this. Otherwise "raise".
        stages: the stages of the rules. Only tests give other stages, and these are interpreted.
        grid_from: the number of tanks or bullets from which the grid is used (0: always). None means the
            measured number in `GRID_FROM`.

    Raises:
        SetupError: the requested speed is not available.
    """

    name = "tank"
    rules_hash = RULES_HASH
    defaults = DEFAULTS

    def __init__(
        self,
        speed: Speed = "auto",
        *,
        on_error: Literal["raise", "continue"] = "raise",
        stages: Stages = STAGES,
        grid_from: int | None = None,
    ) -> None:
        interpret = on_error == "continue" or stages is not STAGES
        self.speed = _choose(speed, interpret=interpret)
        self.on_error = on_error
        self.stages = stages
        self._grid_from = grid_from

    def setup(self, setup: Mapping[str, Any], seats: Sequence[SeatInfo], streams: Streams) -> TankBattleState:
        """Return the state before the first turn.

        Raises:
            SetupError: the settings cannot be played.
        """
        settings = read_settings(setup)
        return TankBattleState(
            line_up(settings, seats),
            self._tables(settings, len(seats)),
            Standings([(s.name, s.version) for s in seats], [_team_of(s) for s in seats]),
            RoundOutput(len(seats)),
            [False] * len(seats),
        )

    def _tables(self, settings: TankSettings, tanks: int) -> TankRows:
        grid_from = GRID_FROM[self.speed] if self._grid_from is None else self._grid_from
        arena = arena_row(settings, tanks, grid_from)
        if self.speed == "compiled":
            return CompiledRows(arena)
        return InterpretedRows(arena, self.stages, tolerant=self.on_error == "continue")

    def asked(self, state: TankBattleState) -> Sequence[Seat]:
        """Return the living seats, and none before the first round and after the battle.

        After the last turn of a round these are its survivors. The server waits for their answers as in any
        turn. Otherwise the answers would count for the first turn of the next round. `resolve` ignores these
        answers.
        """
        return () if state.game_over else state.alive

    def awaited(self, state: TankBattleState) -> Sequence[Seat]:
        """Return the same as `asked`."""
        return () if state.game_over else state.alive

    def round_progress(self, state: TankBattleState) -> RoundProgress:
        """Return the round, the turn, and the seats with living tanks."""
        return RoundProgress(
            state.round_number,
            state.turn_number,
            state.opened_round,
            state.round_over,
            state.game_over,
            state.alive,
        )

    def opening(self, state: TankBattleState) -> bool:
        """Return whether the last turn was the first of a round."""
        return state.opened_round

    def merge(self, first: TankIntent, second: TankIntent) -> TankIntent:
        """Return `first` with every field that `second` sets."""
        return merge(first, second)

    def default_intent(self, state: TankBattleState, seat: Seat, on_skip: OnSkip) -> TankIntent:
        """Return REPEAT, or an empty intent for "idle"."""
        return REPEAT if on_skip == "repeat" else TankIntent()

    def retire(self, state: TankBattleState, seat: Seat) -> None:
        """Let a seat's tank die in the next turn, and in turn 1 of later rounds until `reinstate`.

        No seat scores for this death.
        """
        if not state.retired[seat]:
            state.retired[seat] = True
            state.tables.retire(seat)

    def resolve(
        self, state: TankBattleState, intents: Mapping[Seat, TankIntent], streams: Streams
    ) -> Sequence[Event]:
        """Advance by one turn, and return the events that spectators see. They are valid until the next turn.

        In the first turn of a round, the intents are ignored.
        """
        state.opened_round = state.round_number == 0 or state.round_over
        if state.opened_round:
            self._begin_round(state, streams)
        else:
            others = intents if state.output.any_texts else state.tables.store_read(intents)
            for seat in others:
                if (intent := intents[seat]) is not REPEAT:
                    store_intent(state, seat, intent)
        state.turn_number += 1
        state.view = None
        state.started = state.alive
        state.round_over, died = state.tables.step()
        if died:
            state.alive = state.tables.alive()
        state.output.messages = _messages(state) if state.output.any_texts else []
        state.winners = ()
        if state.round_over:
            rows = round_scores(*state.tables.score_rows())
            state.winners = tuple(row.id - 1 for row in rows if row.rank == 1)
            state.standings.add_round(rows)
            state.game_over = state.round_number >= state.lineup.settings.number_of_rounds
        return observe.PublicEvents(state)

    def _begin_round(self, state: TankBattleState, streams: Streams) -> None:
        lineup = state.lineup
        count = len(lineup.seats)
        state.round_number += 1
        state.turn_number = 0
        state.alive = tuple(range(count))
        state.output = RoundOutput(count)
        tanks = place_tanks(
            lineup.settings, lineup.seats, lineup.teams, state.retired, streams, state.round_number
        )
        state.tables.begin_round(state.round_number, tanks)

    def observe(self, state: TankBattleState, seat: Seat) -> Observation:
        """Return the observation of `seat` for the last turn, also for the turn of its death."""
        return observe.observe(state, seat)

    def frame(self, state: TankBattleState) -> Frame:
        """Return the spectators' frame of the last turn, including the tanks that died in it."""
        return observe.frame(state)

    def faults(self, state: TankBattleState) -> Sequence[tuple[str, str]]:
        """Return (stage, error) for each stage that raised an exception and was skipped in the last turn."""
        return tuple(state.tables.faults)

    def outcome(self, state: TankBattleState) -> Outcome | None:
        """Return the total scores by seat and the results, or None before the end of the last round."""
        if not state.game_over:
            return None
        return Outcome(tuple(row.total for row in state.standings.seats), state.results)

    def round_scores(self, state: TankBattleState) -> Sequence[float] | None:
        """Return each seat's unrounded total of the round, or None if the last turn ended no round."""
        if not state.round_over:
            return None
        totals = [0.0] * len(state.lineup.seats)
        for row in round_scores(*state.tables.score_rows()):
            totals[row.id - 1] = row.total
        return totals

    def snapshot(self, state: TankBattleState) -> bytes:
        """Return the canonical state. It has no texts, because they have no effect on the battle."""
        return state.tables.snapshot() + state.standings.packed

    def tables(self, state: TankBattleState) -> Iterator[StateTable]:
        """Yield the tables of the snapshot: arena, tanks, bullets, duels and scores."""
        for name, kind, data in state.tables.packed():
            columns = kind.names[: kind.state_count]
            yield StateTable(name, columns, data, by_seat=kind is TANK, every_column=True)
        yield StateTable("scores", SCORE_FIELDS, state.standings.packed, by_seat=True, every_column=True)

    def random_intent(self, state: TankBattleState, seat: Seat, rng: Stream) -> TankIntent:
        """Return a random intent within the limits."""
        return TankIntent(
            turn_rate=20 * rng.uniform() - 10,
            gun_turn_rate=40 * rng.uniform() - 20,
            radar_turn_rate=90 * rng.uniform() - 45,
            target_speed=16 * rng.uniform() - 8,
            firepower=float(rng.below(2)),
        )

    def save(self, state: TankBattleState) -> bytes:
        """Return the state as JSON."""
        return save_state(state)

    def restore(self, state: TankBattleState, data: bytes) -> None:
        """Restore a saved state into `state`, a new state of the same setup.

        Raises:
            ValueError: the data is invalid, or belongs to another battle.
        """
        restore_state(state, data)

    def write_intent(self, intent: TankIntent) -> Any:
        """Return an intent as JSON values, without unset fields."""
        data = msgspec.to_builtins(struct_of(intent))
        if intent.team_messages is not None:
            data["teamMessages"] = list(data["teamMessages"])
        return data

    def read_intent(self, data: Any) -> TankIntent:
        """Return the intent that `write_intent` wrote.

        Raises:
            ValueError: the data is not a tank intent.
        """
        try:
            return msgspec.convert(data, TankIntent)
        except msgspec.ValidationError as error:
            raise ValueError(f"not a tank intent: {error}") from error


def new_game(*, tolerant: bool, speed: Speed = "auto") -> TankGame:
    """Return the rules of a battle.

    Args:
        tolerant: whether a stage that fails is skipped. The rules are then interpreted.

    Raises:
        SetupError: the requested speed is not available.
    """
    return TankGame(on_error="continue") if tolerant else TankGame(speed)


def _choose(speed: str, *, interpret: bool) -> Literal["interpreted", "compiled"]:
    """Return the speed to use.

    Args:
        interpret: whether only interpreted rules can play the battle.

    Raises:
        SetupError: the requested speed is not available.
    """
    if speed not in ("auto", "interpreted", "compiled"):
        raise SetupError(f"the speed is {speed!r}: give auto, interpreted or compiled")
    if speed == "interpreted" or (speed == "auto" and (interpret or not extension.available())):
        return "interpreted"
    if interpret:
        raise SetupError("the compiled rules cannot continue after an error; give speed auto or interpreted")
    extension.load()
    return "compiled"


def _team_of(info: SeatInfo) -> tuple[int, str, str] | None:
    if info.team is None:
        return None
    return info.team, str(info.options.get("team_name", "")), str(info.options.get("team_version", ""))


def _messages(state: TankBattleState) -> list[tuple[Seat, Event]]:
    """Return this turn's messages to teammates (receiver and event), in the order of sending.

    Messages of tanks that executed their intents are delivered. Receivers are teammates that were in the
    round when the turn began.
    """
    found, teams = list[tuple[Seat, Event]](), state.lineup.teams
    for seat, texts in enumerate(state.output.texts):
        if texts is None or seat not in state.started or not state.tables.executed(seat):
            continue
        for message in texts.execute():
            event = TeamMessageEvent(state.turn_number, message.message, message.message_type, seat + 1)
            for other in state.started:
                if other != seat and teams[other] == teams[seat] and message.receiver_id in (None, other + 1):
                    found.append((other, event))
    return found
