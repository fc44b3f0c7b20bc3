"""Environments of several learners: the checks of PettingZoo, deaths and refused input."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)

from packages.core.tests.messages import missing
from packages.learn.tests.envs.take import take_folder
from turnwright.errors import SetupError
from turnwright_learn.envs import aec_env, make_env, parallel_env

NAMES = (
    ("tank", "TankDuel-v0"),
    pytest.param("tank", "TankMelee-v0", marks=pytest.mark.long),
    ("tank", "TankTeams-v0"),
    ("snake", "Snake-v0"),
)


@pytest.mark.parametrize(("game", "name"), NAMES)
def test_the_checks_of_pettingzoo_pass(game: str, name: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        parallel_api_test(parallel_env(game, name, max_turns=40), num_cycles=100)
        api_test(aec_env(game, name, max_turns=20), num_cycles=50, verbose_progress=False)
        parallel_seed_test(lambda: parallel_env(game, name, max_turns=30), num_cycles=40)
        seed_test(lambda: aec_env(game, name, max_turns=30), num_cycles=40)


@pytest.mark.parametrize(("game", "name"), NAMES)
def test_episodes_and_pictures_pass_the_checks_of_pettingzoo(
    game: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROWSER", "")

    class Module:
        @staticmethod
        def parallel_env(max_cycles: int) -> Any:
            return parallel_env(game, name, max_turns=max_cycles)

        @staticmethod
        def env(max_cycles: int) -> Any:
            return aec_env(game, name, max_turns=max_cycles)

    max_cycles_test(Module)
    render_test(lambda **mode: aec_env(game, name, max_turns=4, record=tmp_path, **mode))


@pytest.mark.parametrize(("mode", "kind"), [("rgb_array", np.ndarray), ("ansi", str), (None, type(None))])
def test_the_render_mode_decides_the_kind_of_picture(mode: str | None, kind: type) -> None:
    env = aec_env("snake", "Snake-v0", render_mode=mode, max_turns=10)
    env.reset(seed=1)
    assert isinstance(env.render(), kind)


@pytest.mark.parametrize("most", [5, 25])
def test_an_episode_has_as_many_turns_as_it_may_have(most: int) -> None:
    env = parallel_env("tank", "TankDuel-v0", max_turns=most)
    env.reset(seed=1)
    turns = 0
    while env.agents:
        env.step({agent: np.zeros(5, np.float32) for agent in env.agents})
        turns += 1
    assert turns == most


def test_dead_agents_leave_and_the_others_continue() -> None:
    env = parallel_env("tank", "TankMelee-v0", settings={"arena_width": 500, "arena_height": 500})
    observations, _ = env.reset(seed=1)
    assert len(env.agents) == 10
    still, counts = np.zeros(5, np.float32), []
    fighter = np.array([1, 0.3, 0.5, 1, 1], np.float32)
    for _ in range(1500):
        if not env.agents:
            break
        agents = env.agents
        actions = {agent: fighter if agent == "seat_0" else still for agent in agents}
        observations, _, terminated, _, _ = env.step(actions)
        assert set(observations) == set(agents)
        assert set(env.agents) == {agent for agent in agents if not terminated[agent]}
        counts.append(len(env.agents))
    assert counts[-1] < 10


def test_some_seats_learn_and_bots_have_the_others() -> None:
    env = parallel_env("tank", "TankTeams-v0", learners=2, opponents=["Tracker", "Crawler"])
    env.reset(seed=1)
    assert env.agents == ["seat_0", "seat_1"]
    observations, rewards, *_ = env.step({agent: np.zeros(5, np.float32) for agent in env.agents})
    assert set(observations) == set(rewards) == {"seat_0", "seat_1"}
    with pytest.raises(SetupError) as error:
        parallel_env("tank", "TankTeams-v0", learners=2, opponents=["Tracker"])
    assert not missing(str(error.value), "opponents", "1", "2")


def test_steps_without_an_episode_are_refused() -> None:
    env = parallel_env("tank", "TankDuel-v0", max_turns=1)
    with pytest.raises(ValueError, match="reset"):
        env.step({})
    env.reset(seed=1)
    env.step({agent: np.zeros(5) for agent in env.agents})
    assert env.agents == []
    assert env.step({}) == ({}, {}, {}, {}, {})
    with pytest.raises(ValueError, match="over"):
        env.step({"seat_0": np.zeros(5)})
    env.reset()
    env.close()
    with pytest.raises(ValueError, match="reset"):
        env.step({})


def test_a_third_party_game_can_have_several_learners(tmp_path: Path) -> None:
    folder = str(take_folder(tmp_path))
    parallel_api_test(parallel_env(folder), num_cycles=20)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation")  # one number, 0 at the end
        api_test(aec_env(folder, seats=3), num_cycles=20, verbose_progress=False)
    env = parallel_env(folder, seats=3)
    _, infos = env.reset(seed=1)
    assert len({info["battle_seed"] for info in infos.values()}) == 1
    total = dict.fromkeys(env.agents, 0.0)
    while env.agents:
        _, rewards, *_ = env.step(dict.fromkeys(env.agents, 1))
        total = {agent: total[agent] + rewards[agent] for agent in total}
    assert total == {"seat_0": 4.0, "seat_1": 4.0, "seat_2": 3.0}


@pytest.mark.parametrize("frame_skip", [1, 3])
def test_only_agents_whose_turn_it_is_are_asked(tmp_path: Path, frame_skip: int) -> None:
    env = aec_env(str(take_folder(tmp_path)), seats=3, frame_skip=frame_skip)
    env.reset(seed=1)
    order, total = [], dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        _, reward, terminated, truncated, info = env.last()
        total[agent] += reward
        over = terminated or truncated
        assert over or info["asked"]
        order += [] if over else [agent]
        env.step(None if over else 1)
    assert order == ["seat_0", "seat_1", "seat_2"] * 2
    assert total == {"seat_0": 4.0, "seat_1": 4.0, "seat_2": 3.0}, "no reward of another's turn is lost"


def test_an_agent_whose_turn_it_is_not_needs_no_action(tmp_path: Path) -> None:
    env = parallel_env(str(take_folder(tmp_path)), seats=2)
    _, infos = env.reset(seed=1)
    assert [info["asked"] for info in infos.values()] == [True, False]
    *_, infos = env.step({"seat_0": 1})
    assert [info["asked"] for info in infos.values()] == [False, True]
    with pytest.raises(ValueError) as error:
        env.step({"seat_0": 1})
    assert not missing(str(error.value), "seat_1", "missing")


def test_a_copy_of_an_environment_begins_with_its_own_reset(tmp_path: Path) -> None:
    for env in (
        parallel_env("tank", "TankDuel-v0"),
        aec_env(str(take_folder(tmp_path))),
        make_env("snake", "Snake-v0"),
        make_env("tank", "TankDuel-v0"),
    ):
        env.reset(seed=1)
        copy = pickle.loads(pickle.dumps(env))
        assert copy.reset(seed=1) is None or np.all(np.equal(*map(_first, (env, copy))))


def _first(env: Any) -> Any:
    seen, _ = env.reset(seed=1)
    return next(iter(seen.values())) if isinstance(seen, dict) else seen


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seat_1": None}, ("seat_1", "None")),
        ({"seat_9": np.zeros(5, np.float32)}, ("seat_9", "seat_0")),
        ({"seat_1": np.zeros(3, np.float32)}, ("seat_1", "(3,)", "(5,)")),
    ],
)
def test_actions_that_do_not_fit_are_named(change: dict[str, Any], words: tuple[str, ...]) -> None:
    env = parallel_env("tank", "TankDuel-v0")
    env.reset(seed=1)
    actions = {agent: np.zeros(5, np.float32) for agent in env.agents}
    with pytest.raises(ValueError) as error:
        env.step({**actions, **change})
    assert not missing(str(error.value), *words)
    with pytest.raises(ValueError) as error:
        env.step({"seat_0": actions["seat_0"]})
    assert not missing(str(error.value), "seat_1", "missing")
