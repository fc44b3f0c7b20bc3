"""Shared parts of environments: options, records, rewards, pictures."""

from __future__ import annotations

import sys
import tempfile
import webbrowser
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from turnwright.app.frames import view_files
from turnwright.app.html import one_page, write_page
from turnwright.app.replay import look_at
from turnwright.envs.episode import Episode
from turnwright.envs.plan import EnvPlan
from turnwright.errors import RecordError, SetupError
from turnwright.net.http.analysis import analysis_of

__all__ = ["RENDER_MODES", "Stepping", "checked_action", "reward_of", "shown"]

_SEED_BITS = 48
RENDER_MODES = ["ansi", "rgb_array", "human"]
"""human: each episode is shown in the browser when it is over, as one page that plays it."""


@dataclass(frozen=True)
class Stepping:
    """Options of stepping.

    frame_skip: turns a step. max_turns: truncates an episode, 0: never. reward: the weight of each term,
    default 1. shaping: a potential of an encoded observation, or None; its change, with gamma, is added.
    record: a folder for the record of each episode, or None. render_mode: None or one of RENDER_MODES.
    full_state: infos have it, for critics: the encoded observations of all seats, also of those that bots
    have. No agent may see it when it plays.
    Raises: SetupError for what is out of bounds.
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
                raise SetupError(f"{name} is {value!r}; give a whole number from {low} to {high}")
        for term, weight in (self.reward or {}).items():
            if not isinstance(weight, int | float) or not isfinite(weight):
                raise SetupError(f"reward has the weight {weight!r} for {term}; give a finite number")
        if self.render_mode not in (None, *RENDER_MODES):
            raise SetupError(f"render_mode is {self.render_mode!r}; give None, {', '.join(RENDER_MODES)}")
        if self.render_mode == "human" and self.record is None:
            object.__setattr__(self, "record", tempfile.mkdtemp(prefix="turnwright-episodes-"))

    def episode(self, plan: EnvPlan, chance: np.random.Generator, number: int) -> Episode:
        """Begin an episode with a seed drawn from `chance`.

        number: of the episode, in its file's name.
        """
        path = None if self.record is None else Path(self.record) / f"episode{number:06}.twr"
        return Episode(plan, int(chance.integers(1 << _SEED_BITS)), path, encode_all=self.full_state)

    def last_episode(self) -> int:
        """Make the folder of records; return the highest number of an episode there, or 0."""
        if self.record is None:
            return 0
        Path(self.record).mkdir(parents=True, exist_ok=True)
        names = [path.stem.removeprefix("episode") for path in Path(self.record).glob("episode*.twr")]
        return max((int(name) for name in names if name.isdecimal()), default=0)

    def finish(self, episode: Episode) -> None:
        """Close an episode; in the mode "human" show it, once."""
        episode.close()
        path = episode.record
        if self.render_mode == "human" and path is not None and not episode.is_shown:
            episode.is_shown = True
            _show(path)

    def check_terms(self, terms: Mapping[str, Any]) -> None:
        """Check the names of the weights. Raises: SetupError for one that is no term."""
        for name in self.reward or {}:
            if name not in terms:
                raise SetupError(f"reward has a term {name!r}; the terms are {', '.join(terms)}")


def _show(path: Path) -> None:
    """Write a page that plays a record beside it, and open it in the browser."""
    found = look_at(path)
    try:
        analysis = analysis_of(path)
    except RecordError:
        analysis = None  # the page says that it has none
    page = one_page(view_files(found.game), found.name, found.content(), analysis)
    target = path.with_suffix(".html")
    write_page(target, page, force=True)
    if not webbrowser.open(target.resolve().as_uri()):
        print(f"turnwright: {target} shows the episode; open it in a browser", file=sys.stderr)


def checked_action(space: Any, action: Any, who: str) -> Any:
    """Return an action that fits.

    who: whose action, for the error. Raises: ValueError for one that does not fit.
    """
    if action is None:
        raise ValueError(f"the action of {who} is None; expected one of {space}")
    array = np.asarray(action)
    shape, dtype = getattr(space, "shape", None), getattr(space, "dtype", None)
    if shape is not None and array.shape != shape:
        raise ValueError(f"the action of {who} has the shape {array.shape}; expected {shape}")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"the action of {who} has a number that is not finite: {array.tolist()}")
    if dtype is not None and array.dtype.kind in "iu" and not space.contains(array.astype(dtype)):
        raise ValueError(f"the action of {who} is {array.tolist()}; expected one of {space}")
    return action


def reward_of(stepping: Stepping, terms: Mapping[str, float]) -> float:
    """Return the weighted sum of the terms of one seat."""
    weights, total = stepping.reward or {}, 0.0
    for name, value in terms.items():
        total += float(value) * float(weights.get(name, 1.0))
    return total


def shown(episode: Episode, mode: str | None) -> Any:
    """Return an episode as text or picture; None without a mode.

    Raises: SetupError for a picture of a game that draws none.
    """
    if mode in (None, "human"):
        return None
    state, game = episode.battle.state, episode.game
    if mode == "ansi":
        progress = game.round_progress(state)
        at = f"turn {episode.battle.turn}" if progress is None else f"turn {progress.turn}"
        names = [
            f"{info.name}{'' if alive or episode.over else ' (out)'}"
            for info, alive in zip(episode.seats, episode.alive, strict=True)
        ]
        return f"{at}: {', '.join(names)}\n"
    draw = getattr(episode.plan.spaces, "draw", None)
    if draw is None:
        raise SetupError(
            f"the game {episode.plan.game} draws no pictures: its class has no draw(frame, settings)"
        )
    return draw(game.frame(state), episode.settings)
