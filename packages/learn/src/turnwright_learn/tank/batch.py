"""Many battles of one round that step together. They are compiled or interpreted, with the same results.

All numbers are in the arrays of `Results`, which each step overwrites. An array has one row for each battle,
and in it one entry for each seat. After its end, a battle begins again with its next seed.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Protocol

import numpy as np

from turnwright.errors import SetupError
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.rng import Streams
from turnwright_tank.backends import extension
from turnwright_tank.bots.house import DUELLISTS, HOUSE, IN_BATCHES
from turnwright_tank.bots.house.dodger import DODGED
from turnwright_tank.bots.identity import GameInfo
from turnwright_tank.bots.player import Player, as_player
from turnwright_tank.envs.actions import ACTIONS
from turnwright_tank.envs.features import features_of
from turnwright_tank.envs.spaces import REWARDS, TankSpaces
from turnwright_tank.game import TankGame
from turnwright_tank.rules.constants import ENERGY_TANK, GUN_HEAT_START, PLACEMENT_CELL
from turnwright_tank.rules.grid import lay_out
from turnwright_tank.rules.rows import ARENA, TANK, Tank
from turnwright_tank.seats import check_seats
from turnwright_tank.settings import arena_row, read_settings

NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""When an ended battle begins again: with the next step, in the same step, or when `reset` names it."""
FROM_OUTSIDE = 0
"""The player of a seat whose actions are given."""
_CHANCES = {"Dodger": DODGED}
"""The bots of `IN_BATCHES` that draw random numbers in a round, and the chance of each draw."""
_DRAWS = 512
"""The most random numbers that a bot draws in a round. It equals DRAWS of backends/c/bot_parts.h."""
_NO_GRID = 2**62
_ROUND = 1
Array = np.ndarray[Any, np.dtype[Any]]
_log = logging.getLogger("turnwright")


@dataclass(frozen=True)
class BatchSettings:
    """Settings that all battles of a batch share.

    Attributes:
        learners: the number of first seats whose tanks end a battle when all of them have died.
        observed: the number of first seats that get observations.
        max_turns: the turns after which a battle is truncated, or 0 for never.
        frame_skip: the number of turns in a step.
        weights: the weights of the terms of a reward, in the order of REWARDS.
        threads: the threads of the compiled batch.
    """

    settings: Mapping[str, Any]
    seats: Sequence[SeatInfo]
    battles: int
    learners: int
    observed: int
    max_turns: int = 0
    frame_skip: int = 1
    weights: tuple[float, ...] = (1.0,) * len(REWARDS)
    threads: int = 1

    @property
    def teams(self) -> list[int]:
        """For each seat, the lowest seat of its team."""
        ids = [-seat - 1 if info.team is None else info.team for seat, info in enumerate(self.seats)]
        return [ids.index(team) for team in ids]


class Results:
    """The results of a step, and the seeds of the battles that begin next.

    Attributes:
        observations: 32-bit floats (battle, seat, feature).
        finals: the last observations of battles that ended and began again in the same step.
        rewards: the weighted sums of the terms: (battle, seat).
        terms: the terms of the rewards: (battle, seat, term).
        alive: whether each tank lives: (battle, seat).
        terminated, truncated: whether each battle ended, and how.
        used: whether each battle began again.
        turns: the turn of each battle.
        seeds: the seeds of the next beginnings.
        players: (battle, seat), FROM_OUTSIDE or a number of IN_BATCHES (from 1), for the next beginning.
        rounds: for each battle, the number of the game's next round. Round 1 begins a game. In later rounds,
            all bots remember the game so far.
    """

    def __init__(self, common: BatchSettings) -> None:
        battles, seats = common.battles, len(common.seats)
        arena = read_settings(common.settings)
        features = len(features_of(arena.arena_width, arena.arena_height, seats))
        self.observations = np.zeros((battles, seats, features), np.float32)
        self.finals = np.zeros_like(self.observations)
        self.rewards = np.zeros((battles, seats))
        self.terms = np.zeros((battles, seats, len(REWARDS)))
        self.terminated = np.zeros(battles, np.bool_)
        self.truncated = np.zeros(battles, np.bool_)
        self.alive = np.zeros((battles, seats), np.bool_)
        self.used = np.zeros(battles, np.bool_)
        self.turns = np.zeros(battles, np.int32)
        self.seeds = np.zeros(battles, np.uint64)
        self.players = np.zeros((battles, seats), np.uint8)
        self.rounds = np.ones(battles, np.int32)


class Batch(Protocol):
    """Battles that step together.

    A copy or pickle has no running battle. Its battles begin with the seeds that the original's battles have
    for their next beginning.

    Attributes:
        speed: "compiled" or "interpreted".
    """

    speed: str
    results: Results

    def seed(self, battle: int, seed: int, players: Sequence[int] = ()) -> None:
        """Set the seed of a battle's next beginning, 0 … SEED_MAX, and its players.

        Args:
            players: the players of all seats, or () for the same as before.

        Raises:
            SetupError: a built-in bot cannot play in batches with this many tanks.
        """

    def reset(self, which: Array | None) -> None:
        """Begin battles again.

        Args:
            which: a flag for each battle, or None for all.
        """

    def step(self, actions: Array, autoreset: int) -> None:
        """Take a step of all battles.

        Args:
            actions: 32-bit floats (battle, seat, number).
            autoreset: NEXT_STEP, SAME_STEP or DISABLED.

        Raises:
            ValueError: a number is not finite.
        """

    def snapshot(self, battle: int) -> bytes:
        """Return the canonical state of a battle, without scores of earlier rounds."""

    def memory(self) -> int:
        """Return the number of bytes that the battles use, or 0 if they are interpreted."""


def built_in_bots_for(seats: int) -> tuple[str, ...]:
    """Return the names of the built-in bots that play inside batches of battles with this many tanks."""
    return tuple(name for name in IN_BATCHES if seats == 2 or name not in DUELLISTS)


def check_players(players: Sequence[int]) -> None:
    """Check the players of a battle.

    Raises:
        SetupError: a built-in bot cannot play in batches with this many tanks.
    """
    there = built_in_bots_for(len(players))
    for player in players:
        if player != FROM_OUTSIDE and IN_BATCHES[player - 1] not in there:
            raise SetupError(
                f"{IN_BATCHES[player - 1]} plays inside a batch only in duels, not with {len(players)} tanks:"
                f" give {', '.join(there)} or a policy. In gymnasium.make, all bots play"
            )


def check_finite(actions: Array) -> None:
    """Check the actions of a step.

    Raises:
        ValueError: a number is not finite. The message names the first one.
    """
    if not np.isfinite(actions).all():
        battle, seat, number = np.argwhere(~np.isfinite(actions))[0]
        raise ValueError(f"actions[{battle}, {seat}, {number}] is not finite")


class SeededBatch:
    """The arrays from which the compiled extension begins battles without calling Python.

    Each attribute has a row for each battle, for its next beginning.

    Args:
        results: the results of another batch, or None for new ones.

    Attributes:
        keys: the random keys of start positions.
        lots, draws: what built-in bots draw at random: first -1 or 1, and then _DRAWS bits.
    """

    def __init__(self, common: BatchSettings, results: Results | None = None) -> None:
        self._common = common
        self.results = results or Results(common)
        self.keys = np.zeros(common.battles, np.uint64)
        self.lots = np.zeros((common.battles, len(common.seats)), np.int8)
        self.draws = np.zeros((common.battles, len(common.seats), _DRAWS // 8), np.uint8)
        if results is not None:
            for battle, seed in enumerate(results.seeds):
                self.seed(battle, int(seed))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._common, self.results)

    def seed(self, battle: int, seed: int, players: Sequence[int] = ()) -> None:
        """Set the seed and the players of a battle's next beginning."""
        check_players(players)
        self.results.seeds[battle] = seed
        self.keys[battle] = Streams(seed).key("place", _ROUND)
        if players:
            self.results.players[battle] = players
        for seat in np.flatnonzero(self.results.players[battle]):
            chance = random.Random(f"{seed}/{seat + 1}")
            self.lots[battle, seat] = chance.choice((-1, 1))
            drawn = _CHANCES.get(IN_BATCHES[self.results.players[battle, seat] - 1])
            if drawn is not None:
                turns = [chance.random() < drawn for _ in range(_DRAWS)]
                self.draws[battle, seat] = np.packbits(turns, bitorder="little")

    @property
    def arrays(self) -> tuple[Array, ...]:
        """The arrays that the battles share with Python, in the order of `Outputs` in backends/c/batch.h."""
        out = self.results
        written = out.observations, out.finals, out.rewards, out.terms, out.terminated, out.truncated
        given = self.keys, out.players, self.lots, self.draws, out.rounds
        return *written, out.alive, out.used, out.turns, *given


def first_rows(common: BatchSettings) -> tuple[bytes, bytes]:
    """Return the packed row of the arena and the packed row of any tank, with which every battle begins."""
    settings = read_settings(common.settings)
    arena = arena_row(settings, len(common.seats), _NO_GRID)
    lay_out(arena)
    return ARENA.pack(arena), TANK.pack(Tank(alive=1, energy=ENERGY_TANK, gun_heat=GUN_HEAT_START))


class CompiledBatch(SeededBatch):
    """Battles that the compiled extension plays together.

    Raises:
        SetupError: the extension is missing.
    """

    speed = "compiled"

    def __init__(self, common: BatchSettings, results: Results | None = None) -> None:
        rules = extension.load()
        super().__init__(common, results)
        self._batch = rules.Batch(
            *first_rows(common),
            common.teams,
            common.battles,
            common.learners,
            common.observed,
            common.max_turns,
            common.frame_skip,
            PLACEMENT_CELL,
            common.threads,
            *common.weights,
            self.arrays,
        )
        self.reset = self._batch.reset
        self.snapshot = self._batch.snapshot
        self.memory = self._batch.memory
        self.step = self._batch.step


class InterpretedBatch:
    """A batch that plays its battles in Python, one after the other."""

    speed = "interpreted"

    def __init__(self, common: BatchSettings, results: Results | None = None) -> None:
        self.results = results or Results(common)
        self._common = common
        self._battles = [_InterpretedBattle(common) for _ in range(common.battles)]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._common, self.results)

    def seed(self, battle: int, seed: int, players: Sequence[int] = ()) -> None:
        """Set the seed and the players of a battle's next beginning."""
        check_players(players)
        self.results.seeds[battle] = seed
        if players:
            self.results.players[battle] = players

    def reset(self, which: Array | None) -> None:
        """Begin the battles in `which` again, or all if it is None."""
        out = self.results
        for at in range(len(self._battles)):
            out.used[at] = False
            if which is None or which[at]:
                out.terms[at] = out.rewards[at] = 0.0
                out.terminated[at] = out.truncated[at] = False
                self._begin(at)

    def step(self, actions: Array, autoreset: int) -> None:
        """Take a step of all battles (see `Batch.step`)."""
        check_finite(actions)
        for at in range(len(self._battles)):
            self._step(at, actions[at], autoreset)

    def _step(self, at: int, actions: Array, autoreset: int) -> None:
        battle, out = self._battles[at], self.results
        out.terms[at] = out.rewards[at] = 0.0
        out.used[at] = False
        if battle.over:
            if autoreset != DISABLED:
                out.terminated[at] = out.truncated[at] = False
                self._begin(at)
            return
        for _ in range(self._common.frame_skip):
            out.terms[at] += battle.step(actions)
            if battle.over:
                break
        weights = self._common.weights
        for seat, terms in enumerate(out.terms[at]):
            out.rewards[at, seat] = terms[0] * weights[0] + terms[1] * weights[1] + terms[2] * weights[2]
        out.terminated[at], out.truncated[at] = battle.terminated, battle.truncated
        if battle.over and autoreset == SAME_STEP:
            out.finals[at] = battle.observations
            self._begin(at)
        else:
            self._show(at)

    def _begin(self, at: int) -> None:
        out = self.results
        out.used[at] = True
        self._battles[at].begin(int(out.seeds[at]), out.players[at], goes_on=out.rounds[at] > 1)
        self._show(at)

    def _show(self, at: int) -> None:
        battle, out = self._battles[at], self.results
        out.observations[at, : self._common.observed] = battle.observations[: self._common.observed]
        out.alive[at] = battle.alive
        out.turns[at] = battle.turn

    def snapshot(self, battle: int) -> bytes:
        """Return the canonical state of a battle."""
        return self._battles[battle].snapshot()

    def memory(self) -> int:
        """Return 0, because the memory is not counted."""
        return 0


class _InterpretedBattle:
    """A battle of one round that is played in Python."""

    def __init__(self, common: BatchSettings) -> None:
        self._common = common
        self._game, self._spaces = TankGame("interpreted"), TankSpaces()
        self._settings = {**common.settings, "number_of_rounds": 1}
        self._seats = [replace(info, options={}) for info in common.seats]
        arena = read_settings(self._settings)
        self._features = len(features_of(arena.arena_width, arena.arena_height, len(self._seats)))
        self._bots: dict[int, Player] = {}
        self._memories: list[dict[str, Any]] = []
        self.over = True
        self.terminated = self.truncated = False

    def begin(self, seed: int, players: Sequence[int], *, goes_on: bool = False) -> None:
        """Begin with a seed and players, and play the first turn.

        Args:
            goes_on: whether this battle is the next round of the previous battle's game, with the same
                players.
        """
        if goes_on:
            for bot in self._bots.values():
                bot.use_seed(seed)
                bot.round_started(_ROUND)
        else:
            self._bots = {
                seat: self._built_in_bot(seat, IN_BATCHES[player - 1], seed)
                for seat, player in enumerate(players)
                if player != FROM_OUTSIDE
            }
        streams = Streams(seed)
        self._streams = streams
        self._state = self._game.setup(self._settings, self._seats, streams)
        if goes_on:
            for memory in self._memories:
                self._spaces.end_round(memory)
        else:
            self._memories = [
                {"seat": seat, "seats": self._seats, "settings": self._settings}
                for seat in range(len(self._seats))
            ]
        self.over = self.terminated = self.truncated = False
        self._play({})

    def _built_in_bot(self, seat: int, name: str, seed: int) -> Player:
        arena = read_settings(self._settings)
        info = GameInfo(my_id=seat + 1, arena_width=arena.arena_width, arena_height=arena.arena_height)
        bot = as_player(HOUSE[name], seed)
        bot.game_started(info)
        return bot

    @property
    def turn(self) -> int:
        """The turn that was played last."""
        return self._state.turn_number

    def step(self, actions: Array) -> Array:
        """Play a turn, and return the terms of the rewards (seat, term)."""
        terms = self._play(self._intents(actions))
        most = self._common.max_turns
        self.terminated = self._state.round_over or not self.alive[: self._common.learners].any()
        self.truncated = not self.terminated and 0 < most <= self._state.turn_number
        self.over = self.terminated or self.truncated
        if self.over:
            self._look_at_the_end()
        return terms

    def _intents(self, actions: Array) -> dict[int, Any]:
        """Return the intents of the asked seats."""
        said = self._game.asked(self._state)
        seen = [self._game.observe(self._state, seat) for seat in said]
        return {
            seat: self._bots[seat].step(one)
            if seat in self._bots
            else self._spaces.decode(actions[seat], one)
            for seat, one in zip(said, seen, strict=True)
        }

    def _look_at_the_end(self) -> None:
        """Show the last turn to the living built-in bots, as in a game with more rounds."""
        for seat in self._state.alive:
            if seat in self._bots:
                self._bots[seat].step(self._game.observe(self._state, seat))

    def _play(self, intents: Mapping[int, Any]) -> Array:
        state = self._state
        self._game.resolve(state, intents, self._streams)
        terms = self._spaces.rewards(state)
        seats = len(self._seats)
        self.observations = np.zeros((seats, self._features), np.float32)
        for seat in state.started:
            self.observations[seat] = self._spaces.encode(
                self._game.observe(state, seat), self._memories[seat]
            )
        self.alive = np.zeros(seats, np.bool_)
        self.alive[list(state.alive)] = True
        return np.array([terms[name] for name in REWARDS]).T

    def snapshot(self) -> bytes:
        """Return the canonical bytes of the rows."""
        return self._state.tables.snapshot()


assert len(ACTIONS) == 5, "as ACTION_NUMBERS of backends/c/batch.h"


def new_batch(common: BatchSettings, speed: str = "auto") -> Batch:
    """Return a new batch of battles. With "auto", they are compiled if the package has the extension.

    If "auto" has to interpret the rules, the log gives the reason once.

    Args:
        speed: "auto", "compiled" or "interpreted".

    Raises:
        SetupError: the speed is not available, or the settings are impossible.
    """
    check_seats(read_settings(common.settings), common.seats)
    why = extension.why_missing() if speed == "auto" else ""
    if why:
        _tell(why)
    if why or speed == "interpreted":
        return InterpretedBatch(common)
    return CompiledBatch(common)


@cache
def _tell(why: str) -> None:
    _log.warning("battles are interpreted, some hundred times slower than compiled: %s", why)
