"""Shared parts of environments: options, records, rewards, pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite, nan
from pathlib import Path
from typing import Any

import numpy as np

from turnwright.errors import SetupError
from turnwright_learn.envs.battle_thread import BattleThread, thread_of
from turnwright_learn.envs.episode import Episode
from turnwright_learn.envs.page import new_folder, show_episode
from turnwright_learn.envs.plan import EnvPlan
from turnwright_learn.envs.server_options import ServerOptions

_SEED_BITS = 48
RENDER_MODES = ("ansi", "rgb_array", "human")
"""With "human", the browser opens a page after each episode that replays it."""


@dataclass(frozen=True)
class Stepping:
    """Options that control the steps of an environment.

    Attributes:
        frame_skip: the number of turns in a step.
        max_turns: the number of turns after which an episode is truncated, or 0 for never. Turns that `reset`
            plays do not count.
        reward: the weights of the reward's terms by name. The default of each is 1.
        shaping: a function that returns the potential of an encoded observation, or None. The reward of a
            step then includes `gamma` times the potential after it, minus the potential before it.
        gamma: the discount of the learner, 0 to 1. Only `shaping` uses it.
        record: a folder for the record of each episode, or None. For the render mode "human", None becomes a
            new temporary folder.
        render_mode: None or one of RENDER_MODES.
        full_state: whether infos contain the full state, the encoded observations of all seats. It is for
            critics. An agent must not use it to act.

    Raises:
        SetupError: a value is out of bounds.
    """

    frame_skip: int = 1
    max_turns: int = 0
    reward: Mapping[str, float] | None = None
    shaping: Callable[[Any], float] | None = None
    gamma: float = 0.99
    record: str | Path | None = None
    render_mode: str | None = None
    full_state: bool = False

    def __post_init__(self) -> None:
        for name, low, high in (("frame_skip", 1, 1000), ("max_turns", 0, 1 << 31)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise SetupError(f"{name} is {value!r}: give a whole number from {low} to {high}")
        if not isinstance(self.reward, Mapping | None):
            raise SetupError(f"reward is {self.reward!r:.60}: give the weight of each term by name")
        for term, weight in (self.reward or {}).items():
            if not isinstance(weight, int | float) or not isfinite(weight):
                raise SetupError(f"reward has the weight {weight!r} for {term}: give a finite number")
        if not (self.shaping is None or callable(self.shaping)):
            raise SetupError(f"shaping is {self.shaping!r:.60}: give a function of an encoded observation")
        if not isinstance(self.gamma, int | float) or not 0.0 <= self.gamma <= 1.0:
            raise SetupError(f"gamma is {self.gamma!r:.60}: give a number from 0 to 1")
        if self.render_mode not in (None, *RENDER_MODES):
            modes = ", ".join(RENDER_MODES)
            raise SetupError(f"render_mode is {self.render_mode!r}: give None or one of {modes}")
        if self.render_mode == "human" and self.record is None:
            object.__setattr__(self, "record", new_folder())

    def episode(
        self, plan: EnvPlan, chance: np.random.Generator, number: int, thread: BattleThread | None
    ) -> Episode:
        """Return an episode that has begun, with a seed drawn from `chance`.

        Args:
            number: the number of the episode for its file's name.
            thread: see `Episode`.
        """
        path = None if self.record is None else Path(self.record) / f"episode{number:06}.twr"
        seed = int(chance.integers(1 << _SEED_BITS))
        return Episode(plan, seed, path, encode_all=self.full_state, thread=thread)

    def last_episode(self) -> int:
        """Make the folder of records, and return the highest number of an episode in it.

        Return 0 if the folder has no episode, or without `record`.

        Raises:
            SetupError: the folder cannot be made.
        """
        if self.record is None:
            return 0
        folder = Path(self.record)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SetupError(
                f"record is {str(folder)!r}, which cannot be a folder: {error.strerror}"
            ) from None
        names = [path.stem.removeprefix("episode") for path in folder.glob("episode*.twr")]
        return max((int(name) for name in names if name.isdecimal()), default=0)

    def is_truncated(self, episode: Episode) -> bool:
        """Return whether an episode has had `max_turns` turns, if this is not 0.

        Turns that `reset` played do not count.
        """
        return 0 < self.max_turns <= episode.battle.turn - episode.first_turn

    def finish(self, episode: Episode) -> None:
        """End an episode and close its record. With the render mode "human", open its page in a browser.

        A second call for the same episode has no effect.

        Raises:
            RecordError, OSError: the page cannot be made.
        """
        was_closed = episode.closed
        episode.close()
        if self.render_mode == "human" and not was_closed and episode.record is not None:
            show_episode(episode.record, episode.plan.played)

    def shaped(self, before: float, after: float) -> float:
        """Return the reward for the change of a potential from `before` to `after`, or 0 without shaping."""
        return 0.0 if self.shaping is None else self.gamma * after - before

    def check_terms(self, terms: Mapping[str, Any]) -> None:
        """Raise SetupError if a weight of `reward` does not belong to one of these terms."""
        for name in self.reward or {}:
            if name not in terms:
                raise SetupError(f"reward has a term {name!r}; the terms are {', '.join(terms)}")


_STEPPING, _SERVING = Stepping.__dataclass_fields__, ServerOptions.__dataclass_fields__


def options_of(options: dict[str, Any]) -> tuple[Stepping, dict[str, Any]]:
    """Return a Stepping and the arguments of `plan_of`, one of which is a ServerOptions.

    Raises:
        SetupError: an option of Stepping or ServerOptions is wrong.
    """
    stepping, serving, others = dict[str, Any](), dict[str, Any](), dict[str, Any]()
    for name, value in options.items():
        own = stepping if name in _STEPPING else serving if name in _SERVING else others
        own[name] = value
    return Stepping(**stepping), {**others, "serving": ServerOptions(**serving)}


class EpisodeOwner:
    """Base class of environments. It has the newest episode, or None before the first and after `close`.

    A copy or pickle of an environment has no episode.
    """

    def __init__(self, plan: EnvPlan, stepping: Stepping) -> None:
        self.plan, self.stepping = plan, stepping
        self.render_mode = stepping.render_mode
        self._thread = thread_of(plan, self)
        self.episode: Episode | None = None
        self._episodes = stepping.last_episode()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "episode": None, "_thread": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        self._thread = thread_of(self.plan, self)

    def render(self) -> Any:
        """Return the last turn as text or picture, depending on `render_mode` (see `shown`).

        Return None before the first episode and after `close`.
        """
        return None if self.episode is None else shown(self.episode, self.render_mode)

    def close(self) -> None:
        """End the running episode (see `Stepping.finish`) and its programs (see `BattleThread.close`)."""
        self._end_episode()
        if self._thread is not None:
            self._thread.close()

    def _begin_episode(self, chance: np.random.Generator) -> Episode:
        self._end_episode()
        self._episodes += 1
        self.episode = self.stepping.episode(self.plan, chance, self._episodes, self._thread)
        self.stepping.check_terms(self.episode.terms)
        return self.episode

    def _end_episode(self) -> None:
        if self.episode is not None:
            self.stepping.finish(self.episode)
            self.episode = None


def reward_of(stepping: Stepping, terms: Mapping[str, float]) -> float:
    """Return the weighted sum of the terms of one seat."""
    weights, total = stepping.reward or {}, 0.0
    for name, value in terms.items():
        total += float(value) * float(weights.get(name, 1.0))
    return total


def info_of(stepping: Stepping, episode: Episode, terms: Mapping[str, float]) -> dict[str, Any]:
    """Return the infos of a step or reset.

    They contain the terms of the reward, the seed of the battle, the turn, and the full state if it is
    requested.
    """
    found = {"reward_terms": dict(terms), "battle_seed": episode.seed, "turn": episode.battle.turn}
    return found | ({"full_state": episode.full_state()} if stepping.full_state else {})


def potential_of(stepping: Stepping, seen: Any) -> float:
    """Return the potential of an encoded observation, or 0 without shaping.

    Raises:
        ValueError: the potential is not a finite number.
    """
    if stepping.shaping is None:
        return 0.0
    found = stepping.shaping(seen)
    try:
        potential = float(found)
    except (TypeError, ValueError):
        potential = nan
    if not isfinite(potential):
        raise ValueError(f"shaping returned {found!r:.60}; expected a finite number")
    return potential


def shown(episode: Episode, mode: str | None) -> Any:
    """Return an episode as text or picture, or None without a mode and for "human".

    Raises:
        SetupError: the mode is "rgb_array", but the game has no `draw`.
    """
    if mode in (None, "human"):
        return None
    state, game = episode.battle.state, episode.game
    if mode == "ansi":
        return f"{_line(episode)}\n"
    draw = getattr(episode.plan.spaces, "draw", None)
    if draw is None:
        raise SetupError(
            f"the game {episode.plan.game} has no pictures, because its class has no draw(frame, settings)"
        )
    return draw(game.frame(state), episode.battle.header.setup)


def _line(episode: Episode) -> str:
    """Return a line with the turn and the score of each seat."""
    progress = episode.plan.played.battles.follower().look(episode.battle)
    rows = [
        f"{one.name}{'' if one.score is None else f' {one.score:g}'}{'' if one.alive else ' (out)'}"
        for one in progress.standings
    ]
    return f"turn {progress.turn}: {', '.join(rows)}"
