"""Many tank battles as one vector environment of Gymnasium.

    envs = gymnasium.make_vec("turnwright/TankDuel-v0", 1024, vectorization_mode="vector_entry_point")

`make` of Gymnasium with the same id gives the same task, with the same opponents and infos.

With "self", the agent plays against itself, and every tank is an environment. The environments of one battle
are neighbours and end together. Against other opponents, only the first tank of each battle is an
environment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from turnwright.errors import SetupError
from turnwright.kernel.game import SeatInfo
from turnwright_learn.tank.batch import DISABLED, NEXT_STEP, SAME_STEP, BatchSettings, new_batch
from turnwright_learn.tank.beginnings import Beginnings
from turnwright_learn.tank.cast import Cast
from turnwright_learn.tank.env_layout import EnvLayout
from turnwright_learn.tank.opponents import FixedOpponents, Opponents, Policy, opponents_of
from turnwright_learn.tank.recorder import BattleRecorder
from turnwright_tank.envs.actions import ACTIONS, DISCRETE
from turnwright_tank.envs.spaces import ENVS, REWARDS, TankSpaces, seats_of
from turnwright_tank.rules.rows import ARENA, BULLET, TANK

__all__ = ["Policy", "TankVectorEnv"]

Array = np.ndarray[Any, np.dtype[Any]]
_MODES = {
    AutoresetMode.NEXT_STEP: NEXT_STEP,
    AutoresetMode.SAME_STEP: SAME_STEP,
    AutoresetMode.DISABLED: DISABLED,
}


# It is large because Gymnasium reads seven of its attributes. Each further attribute is an argument of the
# constructor or an array that steps share.
class TankVectorEnv(VectorEnv[Array, Array, Array]):
    """Parallel tank battles of one round.

    A copy or pickle of an environment has no running battle. It begins with its own `reset`, which gives the
    same battles as the original's next `reset`.

    Args:
        num_envs: the number of environments. With "self", a multiple of the tanks of a battle.
        game: always "tank".
        env: one of `spaces.ENVS`.
        opponents: None for the opponents of `env`, "self", a built-in bot's name or a policy for all other
            seats, a sequence with one opponent for each seat, or an `OpponentPool`.
        settings: settings that replace the environment's settings.
        actions: "continuous" or "discrete".
        frame_skip: the number of turns in a step.
        max_turns: the number of turns after which a battle is truncated, or 0 for never. Turns that `reset`
            plays do not count.
        rounds: the rounds of a game. This many battles in a row have the same opponents. The opponents
            remember the earlier rounds (Ace learns from them), and `hit_rate` and `hurt_rate` continue.
            `reset` begins a game.
        reward: the weights of the reward's terms by name. The default of each is 1.
        autoreset_mode: when an ended battle begins again, as in Gymnasium.
        threads: the number of threads that share the battles.
        speed: "auto", "compiled", or "interpreted".
        copy: whether each step returns new arrays. Otherwise each step overwrites the arrays of the step
            before.
        full_state: whether infos contain the observations of all tanks of the battle, for critics
            (environment, seat, feature).
        record: a folder for the records of the first `recorded` battles.
        render_mode: None or "rgb_array".

    Raises:
        SetupError: an argument is invalid. The message names the argument, the given value and what is
            expected.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 30}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        *,
        game: str = "tank",
        env: str = "TankDuel-v0",
        opponents: str | Policy | Sequence[str | Policy] | Opponents | None = None,
        settings: Mapping[str, Any] | None = None,
        actions: str = "continuous",
        frame_skip: int = 1,
        max_turns: int = 0,
        rounds: int = 1,
        reward: Mapping[str, float] | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        speed: str = "auto",
        copy: bool = True,
        full_state: bool = False,
        record: str | Path | None = None,
        recorded: int = 1,
        render_mode: str | None = None,
    ) -> None:
        if game != "tank":
            raise SetupError(f"game is {game!r}; these are environments of the tank arena")
        wanted = _env_named(env)
        self._seats = count = int(wanted["seats"])
        own = wanted["opponents"][: count - 1]
        self._opponents = opponents_of(own if opponents is None else opponents, count - 1)
        learners = count if self._opponents is None else 1
        _check_envs(num_envs, learners)
        _check_whole("frame_skip", frame_skip, 1, 1000)
        _check_whole("max_turns", max_turns, 0, (1 << 31) - 1)
        _check_rounds(rounds, record)
        _check_whole("threads", threads, 1, 256)
        if render_mode not in (None, "rgb_array"):
            raise SetupError(f"render_mode is {render_mode!r}: give None or rgb_array")
        self._mode = _MODES[_mode_of(autoreset_mode)]
        self._layout = EnvLayout(num_envs // learners, learners, copy)
        self._settings = {**wanted["settings"], **(settings or {})}
        common = BatchSettings(
            self._settings,
            seats_of(env),
            self._layout.battles,
            learners,
            count if full_state or _asks_policies(self._opponents) else learners,
            max_turns and max_turns + 1,  # `reset` plays the first turn, in which no tank is asked
            frame_skip,
            _weights(reward),
            threads,
        )
        self._batch = new_batch(common, speed)
        self._full_state = full_state
        self._recorder = None
        if record is not None:
            _check_whole("recorded", recorded, 1, self._layout.battles)
            self._recorder = BattleRecorder(env, common, Path(record), recorded)
        self._begin(common, TankSpaces(actions), rounds)
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "autoreset_mode": _mode_of(autoreset_mode)}

    def _begin(self, common: BatchSettings, spaces: TankSpaces, rounds: int) -> None:
        battles, num_envs = self._layout.battles, self._layout.envs
        self.speed = self._batch.speed
        self._results = self._batch.results
        self._spaces = spaces
        self._actions = np.zeros((battles, self._seats, len(ACTIONS)), np.float32)
        self._lived = np.zeros((battles, self._layout.learners), np.bool_)
        self._all = np.ones(num_envs, np.bool_)
        self._cast = None if self._opponents is None else Cast(self._opponents, battles, self._seats)
        self._beginnings = Beginnings(self._batch, self._cast, self._layout, rounds)
        self.num_envs = num_envs
        self.single_observation_space = self._spaces.observation_space(self._settings, common.seats)
        self.single_action_space = self._spaces.action_space(self._settings, common.seats)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    @property
    def seats(self) -> int:
        """The number of tanks in a battle."""
        return self._seats

    @property
    def features(self) -> list[str]:
        """The names of the numbers of an observation, in order."""
        seats = [SeatInfo("")] * self._seats
        return [feature.name for feature in self._spaces.features(self._settings, seats)]

    @property
    def opponent_names(self) -> list[str]:
        """The names of the opponents, indexed by the numbers in `opponents`. With "self" there are none."""
        return [] if self._opponents is None else [entry.name for entry in self._opponents.entries]

    @property
    def opponents(self) -> Array:
        """The numbers of the opponents: a row for each running battle, a column for each opponent.

        With "self", there are no columns.

        After a step that began a battle again, `infos["opponents"]` has the opponents of the battle that
        ended.
        """
        if self._cast is None:
            return np.zeros((self._layout.battles, 0), np.int32)
        return self._cast.now.copy() if self._layout.copy else self._cast.now

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[Array, dict[str, Any]]:
        """Begin all battles again, or only those of some environments. Return all observations and infos.

        Args:
            options: with "reset_mask", a flag for each environment.
            seed: one seed for all, or one for each environment. The seed of a battle's first environment
                counts. None continues the sequence of seeds.

        Raises:
            ValueError: the number of seeds is wrong, or the mask selects only a part of a battle's
                environments.
            SetupError: the pool has no opponent to draw.
        """
        mask = (options or {}).get("reset_mask")
        if seed is not None or not self._beginnings.seeded:
            self._beginnings.take_seeds(seed)
        which = None if mask is None else self._layout.battles_of(np.asarray(mask))
        self._beginnings.new_games(
            np.arange(self._layout.battles) if which is None else np.flatnonzero(which)
        )
        self._batch.reset(which)
        if self._cast is not None:
            self._cast.begin(np.flatnonzero(self._results.used))
        if self._recorder is not None:
            self._recorder.note_beginnings(self._results)
        self._beginnings.note()
        self._lived = self._results.alive[:, : self._layout.learners].copy()
        return self._layout.shown(self._results.observations), self._infos(self._all)

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Take a step of all battles.

        When the agent plays against itself, a tank that died before the end of its battle stays terminated
        until the battle ends. `infos["mask"]` is then true for environments whose tank played in the step.
        Only their transitions are experience. The mask is false if the tank was dead at the beginning of the
        step, and in steps that only begin a battle or come after its end.

        Args:
            actions: One for each environment.

        Raises:
            ValueError: `reset` was not called, the actions or a policy's answer have the wrong shape, or a
                number is not finite or not a choice.
        """
        if not self._beginnings.running:
            raise ValueError("call reset before the first step")
        given = self._stored(np.asarray(actions))
        out = self._results
        idle = (out.terminated | out.truncated) & (self._mode != SAME_STEP)
        self._batch.step(given, self._mode)
        if self._recorder is not None:
            self._recorder.note(given, out)
        if self._cast is not None:
            self._cast.note(out)
        if out.used.any():
            self._beginnings.note()
        terminated, truncated = self._layout.by_env(out.terminated), self._layout.by_env(out.truncated)
        mask = self._all
        if self._cast is None:
            terminated, truncated, mask = self._ends(terminated, truncated, self._layout.by_env(idle))
        observations, rewards = self._layout.shown(out.observations), self._layout.shown(out.rewards)
        return observations, rewards, terminated, truncated, self._infos(mask)

    def _ends(self, terminated: Array, truncated: Array, idle: Array) -> tuple[Array, Array, Array]:
        """Return three arrays with a value for each environment: whether it terminated, also by the death of
        its tank, whether it was truncated, and whether its tank played in the step.

        Args:
            idle: whether the battle of each environment was over before the step.
        """
        out = self._results
        fresh = self._layout.by_env(out.used) & ~(terminated | truncated)
        alive = out.alive[:, : self._layout.learners].copy()
        mask = self._lived.reshape(-1) & ~idle
        dead = ~(alive.reshape(-1) & self._lived.reshape(-1)) & ~fresh
        self._lived = alive
        return terminated | dead, truncated & ~dead, mask

    def render(self) -> tuple[Array, ...] | None:
        """Return a picture for each environment, of its battle. Without a render mode, return None."""
        if self.render_mode is None:
            return None
        pictures = [self._picture(battle) for battle in range(self._layout.battles)]
        return tuple(picture for picture in pictures for _ in range(self._layout.learners))

    def snapshot(self, number: int) -> bytes:
        """Return the canonical state of the battle of environment `number`, from 0."""
        return self._batch.snapshot(number // self._layout.learners)

    @property
    def memory_bytes(self) -> int:
        """The memory of all battles in bytes, without the arrays of results. An interpreted batch has 0."""
        return self._batch.memory()

    # ---- arrays --------------------------------------------------------------------------------------------

    def _infos(self, mask: Array) -> dict[str, Any]:
        """Return the infos, with flags for the environments that have them, like Gymnasium's vectors of
        single environments.
        """
        out, of_all = self._results, self._all
        terms, named = self._layout.shown(out.terms), dict[str, Any]()
        for place, name in enumerate(REWARDS):
            named |= {name: terms[:, place], f"_{name}": of_all}
        seeds, turns = (
            np.repeat(one, self._layout.learners) for one in (self._beginnings.playing, out.turns)
        )
        infos: dict[str, Any] = {"reward_terms": named, "battle_seed": seeds, "turn": turns}
        infos |= {f"_{name}": of_all for name in list(infos)}
        if self._cast is None:
            infos |= {"alive": self._layout.shown(out.alive), "mask": mask}
        elif not isinstance(self._opponents, FixedOpponents):
            infos["opponents"] = self._cast.played.copy() if self._layout.copy else self._cast.played
        if self._full_state:
            infos["full_state"] = np.repeat(out.observations, self._layout.learners, 0)
        if self._mode == SAME_STEP:
            infos["final_obs"] = self._layout.shown(out.finals)
            infos["_final_obs"] = self._layout.by_env(out.terminated | out.truncated)
        return infos

    def _stored(self, actions: Array) -> Array:
        """Ask the policies of the opponents, and return the actions of all seats.

        Raises:
            ValueError: the actions or a policy's answer have the wrong shape or type.
        """
        wanted = (self.num_envs, len(ACTIONS))
        if actions.shape != wanted:
            raise ValueError(f"actions has the shape {actions.shape}; expected {wanted}")
        own = self._actions[:, : self._layout.learners]
        if self._takes_as_they_are(actions):
            return actions.reshape(own.shape)
        if self._spaces.actions == "discrete":
            own[:] = _chosen(actions).reshape(own.shape)
        elif actions.dtype.kind in "fiu":
            own[:] = actions.reshape(own.shape)
        else:
            raise ValueError(f"actions has numbers of type {actions.dtype}; expected 32-bit floats")
        if self._cast is not None:
            for battles, seat, policy in self._cast.asked():
                self._actions[battles, seat] = self._answers(policy, battles, seat)
        return self._actions

    def _takes_as_they_are(self, actions: Array) -> bool:
        """Return whether a batch can take these actions unchanged, for all seats."""
        return (
            self._cast is None
            and self._spaces.actions == "continuous"
            and actions.dtype == np.float32
            and bool(actions.flags.c_contiguous)
        )

    def _answers(self, policy: Policy, battles: Array, seat: int) -> Array:
        answers = np.asarray(policy(self._results.observations[battles, seat]))
        if answers.shape != (len(battles), len(ACTIONS)):
            raise ValueError(
                f"the policy of seat {seat} answered with the shape {answers.shape};"
                f" expected {(len(battles), len(ACTIONS))}"
            )
        return answers

    def _picture(self, battle: int) -> Array:
        return self._spaces.draw(_frame_of(self._batch.snapshot(battle), self._seats), self._settings)


def _asks_policies(opponents: Opponents | None) -> bool:
    """Return whether an opponent may need observations. A pool may get such opponents later."""
    if isinstance(opponents, FixedOpponents):
        return any(entry.policy is not None for entry in opponents.entries)
    return opponents is not None


def _env_named(env: str) -> Mapping[str, Any]:
    if env not in ENVS:
        raise SetupError(f"env is {env!r}: give one of {', '.join(ENVS)}")
    return ENVS[env]


def _check_envs(num_envs: Any, learners: int) -> None:
    _check_whole("num_envs", num_envs, learners, 1 << 24)
    if num_envs % learners:
        raise SetupError(
            f"num_envs is {num_envs}; against itself give a multiple of {learners}, the tanks of a battle"
        )


def _check_rounds(rounds: Any, record: str | Path | None) -> None:
    _check_whole("rounds", rounds, 1, 1 << 30)
    if record is not None and rounds > 1:
        raise SetupError(f"rounds is {rounds}: give 1 with a record, because a record has one battle")


def _check_whole(name: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise SetupError(f"{name} is {value!r}: give a whole number from {low} to {high}")


def _mode_of(mode: AutoresetMode | str) -> AutoresetMode:
    for known in _MODES:
        if mode in (known, known.value):
            return known
    raise SetupError(f"autoreset_mode is {mode!r}: give {', '.join(known.value for known in _MODES)}")


def _weights(reward: Mapping[str, float] | None) -> tuple[float, ...]:
    given = reward if reward is not None else {}
    for name, weight in given.items():
        if name not in REWARDS:
            raise SetupError(f"reward has a term {name!r}; the terms are {', '.join(REWARDS)}")
        if not np.isfinite(weight):
            raise SetupError(f"reward has the weight {weight!r} for {name}: give a finite number")
    return tuple(float(given.get(name, 1.0)) for name in REWARDS)


def _chosen(actions: Array) -> Array:
    """Return the numbers of discrete actions.

    Raises:
        ValueError: there is no such choice.
    """
    if actions.dtype.kind not in "iu":
        raise ValueError(f"actions has numbers of type {actions.dtype}; expected whole numbers")
    found = np.empty(actions.shape, np.float32)
    for place, values in enumerate(DISCRETE):
        column = actions[:, place]
        if ((column < 0) | (column >= len(values))).any():
            raise ValueError(f"actions[:, {place}] has a number outside 0 … {len(values) - 1}")
        found[:, place] = np.array(values, np.float32)[column]
    return found


def _frame_of(snapshot: bytes, tanks: int) -> Any:
    """Return the parts of a battle's state that a picture needs."""
    arena = dict(zip(ARENA.names, ARENA.state_struct.unpack_from(snapshot), strict=False))
    at = ARENA.state_struct.size

    def rows(kind: Any, count: int) -> list[Any]:
        nonlocal at
        size = kind.state_struct.size
        found = [
            SimpleNamespace(**dict(zip(kind.names, values, strict=False)))
            for values in kind.state_struct.iter_unpack(snapshot[at : at + count * size])
        ]
        at += count * size
        return found

    states = rows(TANK, tanks)
    for seat, state in enumerate(states, start=1):
        state.id = seat
    bullets = rows(BULLET, arena["bullets"])
    for bullet in bullets:
        bullet.owner_id = bullet.owner + 1
    shown = [state for state in states if state.alive or state.death_turn == arena["turn"]]
    return SimpleNamespace(bot_states=shown, bullet_states=bullets)
