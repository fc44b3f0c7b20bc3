"""Spaces and rewards of the tank arena for learners.

env = gymnasium.make("turnwright/TankDuel-v0", opponents=["Tracker"])
env.observation_space   Box of the columns of `features.features_of`
env.action_space        Box(-1, 1, (5,)): speed, turn, gun, radar, power; or the discrete form
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from turnwright.errors import SetupError
from turnwright.kernel.game import SeatInfo
from turnwright_tank.envs.actions import ACTIONS, DISCRETE, intent_of
from turnwright_tank.envs.features import Feature, SeatMemory, features_of, write
from turnwright_tank.results import round_scores
from turnwright_tank.rules.constants import RAM_DAMAGE
from turnwright_tank.settings import read_settings
from turnwright_tank.state import TankBattleState
from turnwright_tank.structs import Observation, TankIntent

_CHOICES = tuple(np.array(values, np.float32) for values in DISCRETE)
REWARDS = ("score", "damage", "survival")
"""The terms of a reward.

* score: points gained, as the results count them, in hundreds.
* damage: minus the damage that other tanks did to the tank, in hundreds.
* survival: 1 if the tank lives at the round's end, -1 in the turn in which it dies.
"""
_HUNDRED = 100.0
_ONE_ROUND = {"number_of_rounds": 1}

ENVS: Mapping[str, Mapping[str, Any]] = {
    "TankDuel-v0": {
        "seats": 2,
        "opponents": ["Tracker"],
        "settings": {"game_type": "1v1", **_ONE_ROUND},
        "vector": "turnwright_learn.tank.vector:TankVectorEnv",
    },
    "TankMelee-v0": {
        "seats": 10,
        "opponents": ["Spinner", "Rammer", "Tracker", "Crawler", "Dodger"] * 2,
        "settings": {"game_type": "melee", "arena_width": 1000, "arena_height": 1000, **_ONE_ROUND},
        "vector": "turnwright_learn.tank.vector:TankVectorEnv",
    },
    "TankTeams-v0": {
        "seats": 4,
        "opponents": ["Tracker", "Tracker", "Crawler"],
        "teams": [1, 1, 2, 2],
        "settings": {"game_type": "twinduel", "arena_width": 800, "arena_height": 800, **_ONE_ROUND},
        "vector": "turnwright_learn.tank.vector:TankVectorEnv",
    },
}
"""The environments, each with its seats, their teams, settings and opponents. Episodes have one round.

`opponents` are the default built-in bots for the other seats. There may be more than are needed.
`vector` is the class for many battles at a time.
"""


def seats_of(env: str) -> list[SeatInfo]:
    """Return the seats of an environment, without bots.

    Args:
        env: one of ENVS.
    """
    teams = ENVS[env].get("teams", [None] * ENVS[env]["seats"])
    return [SeatInfo(f"seat{seat}", team=team) for seat, team in enumerate(teams)]


class TankSpaces:
    """Spaces, encodings and rewards of one environment.

    Args:
        actions: "continuous" or "discrete".

    Raises:
        SetupError: `actions` has another value.
    """

    def __init__(self, actions: str = "continuous") -> None:
        if actions not in ("continuous", "discrete"):
            raise SetupError(f"actions is {actions!r}: give continuous or discrete")
        self.actions = actions
        self._state: TankBattleState | None = None
        self._gained: list[float] = []
        self._suffered: list[float] = []

    def observation_space(self, settings: Mapping[str, Any], seats: Sequence[SeatInfo]) -> spaces.Box:
        """Return the space of encoded observations, which have a 32-bit float for each column."""
        features = self.features(settings, seats)
        low, high = (np.array([feature[k] for feature in features], np.float32) for k in (1, 2))
        return spaces.Box(low, high, dtype=np.float32)

    def features(self, settings: Mapping[str, Any], seats: Sequence[SeatInfo]) -> list[Feature]:
        """Return the columns of an encoded observation, in order."""
        arena = read_settings(settings)
        return features_of(arena.arena_width, arena.arena_height, len(seats))

    def action_space(self, settings: Mapping[str, Any], seats: Sequence[SeatInfo]) -> spaces.Space[Any]:
        """Return the space of actions in the chosen form."""
        if self.actions == "discrete":
            return spaces.MultiDiscrete([len(values) for values in DISCRETE])
        return spaces.Box(-1.0, 1.0, (len(ACTIONS),), np.float32)

    def encode(self, observation: Observation, memory: dict[str, Any]) -> np.ndarray[Any, np.dtype[Any]]:
        """Return the numbers of an observation, one for each column.

        Args:
            memory: the memory of this seat in this episode, which is updated. At first it has seat, seats and
                settings.
        """
        if (kept := memory.get("tank")) is None:
            arena = read_settings(memory["settings"])
            teams = [
                -seat - 1 if info.team is None else info.team for seat, info in enumerate(memory["seats"])
            ]
            kept = SeatMemory(memory["seat"], teams, float(arena.arena_width), float(arena.arena_height))
            memory["tank"] = kept
        return np.array(write(observation, kept), np.float32)

    def end_round(self, memory: dict[str, Any]) -> None:
        """Remove the data of the round from a memory of `encode`. Keep the data of the game."""
        if "tank" in memory:
            memory["tank"].end_round()

    def decode(self, action: Any, observation: Observation) -> TankIntent:
        """Return the intent of an action in the chosen form.

        Continuous numbers outside -1 … 1 count as the nearest bound.
        """
        if self.actions == "discrete":
            action = [_CHOICES[place][int(number)] for place, number in enumerate(action)]
        return intent_of(action)

    def rewards(self, state: TankBattleState) -> dict[str, Sequence[float]]:
        """Return the terms of the last turn's reward for each seat.

        Call this method in every turn from the first on, because it compares with the turn before.
        """
        seats = range(len(state.lineup.seats))
        if state is not self._state or state.opened_round:
            self._state = state
            self._gained, self._suffered = [0.0] * len(seats), [0.0] * len(seats)
        tanks, duels = state.tables.score_rows()
        gained, suffered = [0.0] * len(seats), [0.0] * len(seats)
        for row in round_scores(tanks, duels):
            gained[row.id - 1] = row.total
        for duel in duels:
            suffered[duel.victim] += duel.bullet_damage + duel.ram_hits * RAM_DAMAGE
        terms: dict[str, Sequence[float]] = {
            "score": [(gained[k] - self._gained[k]) / _HUNDRED for k in seats],
            "damage": [(self._suffered[k] - suffered[k]) / _HUNDRED for k in seats],
            "survival": [
                -1.0
                if not tanks[k].alive and tanks[k].death_turn == state.turn_number
                else 1.0
                if state.round_over and tanks[k].alive
                else 0.0
                for k in seats
            ],
        }
        self._gained, self._suffered = gained, suffered
        return terms

    def draw(self, frame: Any, settings: Mapping[str, Any]) -> np.ndarray[Any, np.dtype[Any]]:
        """Return a picture of a frame: height × width × 3 bytes."""
        from turnwright_tank.envs.picture import draw

        return draw(frame, read_settings(settings))
