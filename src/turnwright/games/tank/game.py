"""The tank game: fills the contract of `kernel.game` with rounds, intents, observations and results."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from turnwright.errors import SetupError
from turnwright.games.tank import look
from turnwright.games.tank.intent import TankIntent, merge
from turnwright.games.tank.interpreted import InterpretedTables
from turnwright.games.tank.orders import store_intent
from turnwright.games.tank.placement import place_tanks
from turnwright.games.tank.results import SCORE_FIELDS, Standings, round_scores, score_values
from turnwright.games.tank.rules_hash import RULES_HASH
from turnwright.games.tank.saved import restore_state, save_state
from turnwright.games.tank.settings import DEFAULTS, TankSettings, check_seats, read_settings
from turnwright.games.tank.state import Tables, TankState
from turnwright.games.tank.step import STAGES, Stages
from turnwright.games.tank.texts import deliver
from turnwright.games.tank.view import Event, Frame, Observation
from turnwright.games.tank.world import TANK, Arena
from turnwright.kernel.game import OnSkip, Outcome, Seat, SeatInfo, Table
from turnwright.kernel.streams import Streams

__all__ = ["REPEAT", "WATCHED", "TankGame"]

REPEAT = TankIntent(turn_number=-1)
"""The intent that means: what this seat has stored is executed once more."""

GRID_FROM = {"python": 24, "numba": 40}
"""Where the grid begins to pay, measured."""
WATCHED = ("energy", "x", "y", "direction", "gun_direction", "radar_direction", "gun_heat")
"""The fields of a tank that a record has a check of in every turn: another battle shows in them first."""
_WATCHED = tuple(map(TANK.names.index, WATCHED))
_SCORES = struct.Struct(f"<{len(SCORE_FIELDS)}d")


class TankGame:
    """The rules. A seat's bot id is seat + 1.

    backend: "python", "numba" (the extra [fast]), or "auto": numba where it is installed.
    on_error: "raise", or "continue": a stage that raises is skipped for that turn and noted (interpreted).
    stages: for tests; other ones are interpreted. progress: is told when rules are compiled.
    grid_from: from how many tanks or bullets on the grid is used (0: always); outcomes are the same.
    faster: of a battle that begins interpreted: asked when a round begins whether the compiled rules are at
    hand; from then on they run, to the same end.
    """

    name = "tank"
    behaviour_version = 1
    rules_hash = RULES_HASH
    open_ended = False
    keyframe_turns: int | None = None
    defaults: Mapping[str, Any] = DEFAULTS

    def __init__(
        self,
        backend: Literal["auto", "python", "numba"] = "auto",
        *,
        on_error: Literal["raise", "continue"] = "raise",
        stages: Stages = STAGES,
        grid_from: int | None = None,
        progress: Callable[[str], None] | None = None,
        faster: Callable[[], bool] | None = None,
    ) -> None:
        interpret = on_error == "continue" or stages is not STAGES
        self.speed = _choose(backend, interpret=interpret)
        self.faster = None if interpret or self.speed == "numba" else faster
        self.on_error = on_error
        self.progress = progress
        self.stages = stages
        self._grid_from = grid_from

    def setup(self, setup: Mapping[str, Any], seats: Sequence[SeatInfo], streams: Streams) -> TankState:
        """Return the state before the first turn. Raises: SetupError for settings that cannot be played."""
        settings = read_settings(setup)
        check_seats(settings, seats)
        ids = [-seat - 1 if info.team is None else info.team for seat, info in enumerate(seats)]
        state = TankState(
            settings,
            tuple(seats),
            tuple(ids.index(team) for team in ids),
            len(set(ids)) < len(ids),
            any(_wishes_odd_direction(info) for info in seats),
            tuple(bool(info.options.get("droid")) for info in seats),
            tuple(str(info.options.get("session_id", "")) for info in seats),
            self._tables(settings, len(seats)),
            Standings([(s.name, s.version) for s in seats], [_team_of(s) for s in seats]),
            retired=[False] * len(seats),
        )
        state.score_bytes = _score_bytes(state)
        return state

    def _tables(self, settings: TankSettings, tanks: int) -> Tables:
        arena = Arena(
            width=float(settings.arena_width),
            height=float(settings.arena_height),
            cooling_rate=settings.gun_cooling_rate,
            max_inactivity_turns=settings.max_inactivity_turns,
            tanks=tanks,
            grid_from=GRID_FROM[self.speed] if self._grid_from is None else self._grid_from,
        )
        if self.speed == "numba":
            from turnwright.games.tank import arrays, compiled

            return arrays.CompiledTables(arena, compiled.load(self.progress))
        return InterpretedTables(arena, self.stages, tolerant=self.on_error == "continue")

    def asked(self, state: TankState) -> Sequence[Seat]:
        """Return the living seats; nobody before the first round and after the battle.

        After a round's last turn its survivors: they are waited for as in any turn, so that what they answer
        is not taken for an answer to the next round's first turn; `resolve` throws it away.
        """
        return () if state.game_over else state.alive

    def awaited(self, state: TankState) -> Sequence[Seat]:
        """Return the same as `asked`."""
        return () if state.game_over else state.alive

    def opening(self, state: TankState) -> bool:
        """Return whether the last resolve was the first turn of a round."""
        return state.opened_round

    def merge(self, first: TankIntent, second: TankIntent) -> TankIntent:
        """Return `first` with every field that `second` says."""
        return merge(first, second)

    def intent_when_missed(self, state: TankState, seat: Seat, on_skip: OnSkip) -> TankIntent:
        """Return REPEAT, or with "idle" an intent that says nothing."""
        return REPEAT if on_skip == "repeat" else TankIntent()

    def retire(self, state: TankState, seat: Seat) -> None:
        """Let a seat's tank die in the next turn, and in turn 1 of later rounds, to nobody's credit."""
        if not state.retired[seat]:
            state.retired[seat] = True
            state.tables.retire(seat)

    def resolve(
        self, state: TankState, intents: Mapping[Seat, TankIntent], streams: Streams
    ) -> Sequence[Event]:
        """Advance by one turn. At a round's start that is its first turn, and the intents are ignored."""
        state.opened_round = state.round_number == 0 or state.round_over
        if state.opened_round:
            self._begin_round(state, streams)
        else:
            for seat, intent in intents.items():
                if intent is not REPEAT:
                    store_intent(state, seat, intent)
        state.turn_number += 1
        state.sight = None
        state.started = state.alive
        state.round_over, died = state.tables.step()
        if died:
            state.alive = state.tables.alive()
        deliver(state)
        state.winners = ()
        if state.round_over:
            rows = round_scores(*state.tables.score_rows())
            state.winners = tuple(row.id - 1 for row in rows if row.rank == 1)
            state.standings.add_round(rows)
            state.score_bytes = _score_bytes(state)
            state.game_over = state.round_number >= state.settings.number_of_rounds
        return look.PublicEvents(state)

    def _begin_round(self, state: TankState, streams: Streams) -> None:
        count = len(state.seats)
        if self.faster is not None and self.faster():  # a round's first turn fills all tables anew
            self.speed, self.faster = "numba", None
            state.tables = self._tables(state.settings, count)
        state.round_number += 1
        state.turn_number = 0
        state.alive = tuple(range(count))
        state.texts = [None] * count
        state.texting = False
        state.said_colors = [None] * count
        state.seen_colors = [((-1,) * 7, (None,) * 7)] * count
        tanks = place_tanks(
            state.settings, state.seats, state.teams, state.retired, streams, state.round_number
        )
        state.tables.begin_round(state.round_number, tanks)

    def observe(self, state: TankState, seat: Seat) -> Observation:
        """Return what `seat` sees of the last turn, also in the turn it dies in."""
        return look.observe(state, seat)

    def frame(self, state: TankState) -> Frame:
        """Return what spectators see of the last turn, the tanks that died in it included."""
        return look.frame(state)

    def faults(self, state: TankState) -> Sequence[tuple[str, str]]:
        """Return the stages that raised and were skipped in the last turn: (stage, what it raised)."""
        return tuple(state.tables.faults)

    def outcome(self, state: TankState) -> Outcome | None:
        """Return total scores by seat and the results, once the last round is over."""
        if not state.game_over:
            return None
        return Outcome(tuple(row.total for row in state.standings.seats), state.results)

    def snapshot(self, state: TankState) -> bytes:
        """Return the canonical state. Texts are not in it: they decide nothing."""
        return state.tables.snapshot() + state.score_bytes

    def tables(self, state: TankState) -> Iterator[Table]:
        """Yield the snapshot in tables with names: arena, tanks, bullets, duels, scores."""
        for name, kind, data in state.tables.packed():
            columns = kind.names[: kind.state_count]
            yield Table(name, columns, data, kind is TANK, _WATCHED if kind is TANK else (), apart=True)
        yield Table("scores", SCORE_FIELDS, state.score_bytes, by_seat=True, apart=True)

    def save(self, state: TankState) -> bytes:
        """Return the state as JSON."""
        return save_state(state)

    def restore(self, state: TankState, data: bytes) -> None:
        """Put a saved state into a fresh one. Raises: ValueError for what is none of this battle."""
        restore_state(state, data)
        state.score_bytes = _score_bytes(state)

    def intent_to_data(self, intent: TankIntent) -> Any:
        """Return an intent as JSON values, without what it does not say."""
        data = msgspec.to_builtins(intent)
        if intent.team_messages is not None:
            data["teamMessages"] = list(data["teamMessages"])
        return data

    def intent_from_data(self, data: Any) -> TankIntent:
        """Return the intent that `intent_to_data` wrote. Raises: ValueError for anything else."""
        try:
            return msgspec.convert(data, TankIntent)
        except msgspec.ValidationError as error:
            raise ValueError(f"not a tank intent: {error}") from error


def _choose(backend: str, *, interpret: bool) -> Literal["python", "numba"]:
    """Return the speed to use. Raises: SetupError when what was asked for cannot be had."""
    from turnwright.games.tank import compiled

    if backend not in ("auto", "python", "numba"):
        raise SetupError(f"the backend is {backend!r}; give auto, python or numba")
    if backend == "python" or (backend == "auto" and (interpret or not compiled.available())):
        return "python"
    if interpret:
        raise SetupError("the compiled rules cannot go on after an error; give backend auto or python")
    if not compiled.available():
        raise SetupError("backend numba is not installed; install turnwright[fast], or give auto or python")
    return "numba"


def _wishes_odd_direction(info: SeatInfo) -> bool:
    direction = (info.options.get("initial_position") or {}).get("direction")
    return direction is not None and not 0.0 <= direction < 360.0


def _team_of(info: SeatInfo) -> tuple[int, str, str] | None:
    if info.team is None:
        return None
    return info.team, str(info.options.get("team_name", "")), str(info.options.get("team_version", ""))


def _score_bytes(state: TankState) -> bytes:
    return b"".join([_SCORES.pack(*score_values(row)) for row in state.standings.seats])
