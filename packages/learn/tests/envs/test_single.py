"""Environments of one learner: the checks of Gymnasium, seeds, rewards, records and refused input."""

from __future__ import annotations

import re
import tempfile
import threading
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import (
    check_env,
    check_reset_seed_determinism,
    check_step_determinism,
)

import turnwright_learn.envs
from packages.core.tests.cli.playing import turnwright as command
from packages.core.tests.messages import missing
from packages.learn.tests.envs.records import assert_records_verify
from packages.learn.tests.envs.take import TAKE, take_folder
from turnwright.errors import GameError, ParticipantStartError, SetupError, VoidBattleError
from turnwright_learn.envs import make_env, page
from turnwright_tank.bots import Bot, Observation

NAMES = ("TankDuel-v0", "TankMelee-v0", "TankTeams-v0", "Snake-v0")


def one_each(observation: Any) -> int:
    return 0


@pytest.mark.parametrize("more", [{}, {"frame_skip": 3}])
@pytest.mark.parametrize("name", NAMES)
def test_the_checks_of_gymnasium_pass_without_a_warning(name: str, more: dict[str, Any]) -> None:
    env = gymnasium.make(f"turnwright/{name}", max_turns=40, **more).unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, skip_render_check=True)
        check_reset_seed_determinism(env)
        check_step_determinism(env)
    env.close()


def played(env: Any, seed: int | None, steps: int = 30) -> list[Any]:
    found: list[Any] = [env.reset(seed=seed)[0]]
    env.action_space.seed(5)
    for _ in range(steps):
        observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        found += [observation, reward, terminated, truncated]
    return found


def same(one: list[Any], two: list[Any]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def test_a_seed_gives_one_episode_and_the_episodes_after_it() -> None:
    env, other = gymnasium.make("turnwright/TankDuel-v0"), gymnasium.make("turnwright/TankDuel-v0")
    first, second = played(env, 4), played(env, None)
    assert not same(first, second)
    assert same(first, played(other, 4))
    assert same(second, played(other, None))


def test_terms_and_weights_make_the_reward() -> None:
    weights = {"score": 2.0, "damage": 0.5, "survival": 0.0}
    env = gymnasium.make("turnwright/TankDuel-v0", opponents=["Rammer"], reward=weights, frame_skip=2)
    env.reset(seed=1)
    sums = dict.fromkeys(weights, 0.0)
    over = False
    while not over:
        _, reward, terminated, truncated, info = env.step(np.zeros(5, np.float32))
        terms = info["reward_terms"]
        assert reward == pytest.approx(sum(weights[name] * terms[name] for name in weights))
        sums = {name: sums[name] + terms[name] for name in weights}
        over = terminated or truncated
    assert sums["survival"] == -1.0
    assert sums["damage"] < 0.0


def test_shaping_changes_no_sum_but_by_the_first_potential() -> None:
    def potential(observation: Any) -> float:
        return float(observation[1])

    plain = gymnasium.make("turnwright/TankDuel-v0", opponents="Rammer")
    shaped = gymnasium.make("turnwright/TankDuel-v0", opponents="Rammer", shaping=potential, gamma=1.0)
    totals = []
    for env in (plain, shaped):
        first, _ = env.reset(seed=1)
        total, over = 0.0, False
        while not over:
            _, reward, terminated, truncated, _ = env.step(np.zeros(5, np.float32))
            total += float(reward)
            over = terminated or truncated
        totals.append(total)
    assert totals[1] == pytest.approx(totals[0] - potential(first))


@pytest.mark.parametrize("name", ["TankDuel-v0", "Snake-v0"])
def test_each_episode_is_a_record_that_verifies(name: str, tmp_path: Path) -> None:
    env = gymnasium.make(f"turnwright/{name}", record=tmp_path, max_turns=60)
    for seed in (1, 2):
        env.reset(seed=seed)
        done = False
        while not done:
            *_, terminated, truncated, _ = env.step(env.action_space.sample())
            done = terminated or truncated
    env.close()
    assert_records_verify(tmp_path, 2)


def test_an_episode_of_a_third_party_game_verifies(tmp_path: Path) -> None:
    folder = take_folder(tmp_path)
    env = make_env(str(folder), opponents=one_each, record=tmp_path)
    env.reset(seed=1)
    while not env.step(1)[2]:
        pass
    result = command("verify", "--game", folder, tmp_path / "episode000001.twr").finish()
    assert (result.code, missing(result.out, "verified")) == (0, [])


def test_a_policy_plays_another_seat() -> None:
    seen: list[Any] = []

    def policy(observation: Any) -> Any:
        seen.append(observation.shape)
        return np.zeros(5, np.float32)

    env = gymnasium.make("turnwright/TankDuel-v0", opponents=policy)
    env.reset(seed=1)
    for _ in range(5):
        env.step(np.zeros(5, np.float32))
    assert seen == [(65,)] * 5


def steps(env: Any, count: int) -> None:
    for _ in range(count):
        env.step(np.zeros(5, np.float32))


@pytest.mark.parametrize("turn", [1, 3])
def test_a_bot_of_this_process_that_fails_is_named(turn: int, tmp_path: Path) -> None:
    class Odd(Bot):
        def on_tick(self, observation: Observation) -> None:
            if observation.turn_number > turn:
                raise ArithmeticError("it cannot count")

    env = make_env("tank", "TankDuel-v0", opponents=Odd, record=tmp_path)
    env.reset(seed=1)
    with pytest.raises(ParticipantStartError) as error:
        steps(env, 6)
    assert not missing(str(error.value), "Odd", "ArithmeticError", "cannot count")
    assert error.value.seats == (1,)
    with pytest.raises(ValueError, match="over"):
        env.step(np.zeros(5, np.float32))
    assert env.reset(seed=1)


def test_the_full_state_is_for_critics_and_only_on_demand() -> None:
    env = make_env("tank", "TankDuel-v0", full_state=True)
    observation, info = env.reset(seed=1)
    assert info["full_state"].shape == (2, 65)
    assert np.array_equal(info["full_state"][0], observation)
    *_, info = env.step(np.zeros(5, np.float32))
    assert info["full_state"].shape == (2, 65)
    assert "full_state" not in make_env("tank", "TankDuel-v0").reset(seed=1)[1]


def test_pictures_and_texts_of_a_turn() -> None:
    for name in ("TankDuel-v0", "Snake-v0"):
        env = gymnasium.make(f"turnwright/{name}", render_mode="rgb_array")
        env.reset(seed=1)
        picture: Any = env.render()
        assert picture.dtype == np.uint8
        assert picture.shape[2] == 3
        text = gymnasium.make(f"turnwright/{name}", render_mode="ansi")
        text.reset(seed=1)
        text.step(text.action_space.sample())
        assert re.fullmatch(r"turn \d+: Learner \d+, (Tracker|greedy) \d+\n", str(text.render()))


def test_an_episode_is_shown_in_the_browser_when_it_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(page, "has_display", lambda: True)
    monkeypatch.setattr(page, "open_page", lambda url: opened.append(url) or True)
    env = gymnasium.make("turnwright/TankDuel-v0", render_mode="human", record=tmp_path, max_turns=9)
    env.reset(seed=1)
    truncated = False
    while not truncated:
        *_, truncated, _ = env.step(np.zeros(5, np.float32))
        assert env.render() is None
    env.close()
    assert opened == [(tmp_path / "episode000001.html").resolve().as_uri()]
    assert "embedded-record" in (tmp_path / "episode000001.html").read_text()


def test_a_third_party_game_in_a_folder_is_an_environment(tmp_path: Path) -> None:
    env = make_env(str(take_folder(tmp_path)), opponents=one_each)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, skip_render_check=True)
    env.reset(seed=1)
    total, over, turns = 0.0, False, 0
    while not over:
        observation, reward, over, _, _ = env.step(2)
        total, turns = total + float(reward), turns + 1
    assert total == 9.0, "3 of 11, three times, beside two of the other"
    assert turns == 3
    assert observation.tolist() == [0.0]


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("np.array([observation", "np.array([2.0 + observation", ("encode", "2.11", "Box")),
        ('[observation["left"] / 100], np.float32', "[0.0], np.float64", ("encode", "float64", "Box")),
        ("return spaces.Discrete(3)", "return 3", ("action_space", "3", "Discrete(4)")),
    ],
)
def test_spaces_that_do_not_fit_are_named(tmp_path: Path, right: str, wrong: str, words: tuple[str]) -> None:
    folder = take_folder(tmp_path, TAKE.replace(right, wrong))
    with pytest.raises(GameError) as error:
        make_env(str(folder), opponents=one_each).reset(seed=1)
    assert not missing(str(error.value), *words)


@pytest.mark.parametrize(
    "given", ["{'gain': [1.0]}", "{'gain': [1.0, float('nan')]}", "[1.0, 2.0]", "{'gain': 1}"]
)
def test_terms_that_do_not_fit_are_named(tmp_path: Path, given: str) -> None:
    folder = take_folder(tmp_path, f"{TAKE}\n    def rewards(self, state):\n        return {given}\n")
    with pytest.raises(GameError) as error:
        make_env(str(folder), opponents=one_each).reset(seed=1)
    assert not missing(str(error.value), "rewards", "2 finite numbers")


def test_a_third_party_game_names_its_own_reward_terms(tmp_path: Path) -> None:
    rewards = "{'taken': list(state.taken), 'left': [-state.left] * 2}"
    folder = take_folder(tmp_path, f"{TAKE}\n    def rewards(self, state):\n        return {rewards}\n")
    env = make_env(str(folder), opponents=one_each, reward={"left": 0.5})
    env.reset(seed=1)
    _, reward, *_, info = env.step(2)
    assert info["reward_terms"] == {"taken": 6, "left": -15}, "its own turn and the other's: 3, 3; 8, 7 left"
    assert reward == 6 - 7.5


def test_rules_that_fail_end_the_episode_and_its_record(tmp_path: Path) -> None:
    wrong = "state.left -= many if state.left > 5 else many // 0"
    folder = take_folder(tmp_path, TAKE.replace("state.left -= many", wrong))
    env = make_env(str(folder), opponents=one_each, record=tmp_path)
    env.reset(seed=1)
    env.step(2)
    with pytest.raises(VoidBattleError) as error:
        env.step(2)
    assert not missing(str(error.value), "resolve", "ZeroDivisionError")
    assert env.episode is not None
    assert env.episode.closed


def test_a_game_without_spaces_is_refused_with_the_missing_functions(tmp_path: Path) -> None:
    folder = take_folder(tmp_path, TAKE.replace("def encode", "def encode_it"))
    with pytest.raises(SetupError) as error:
        make_env(str(folder), opponents=one_each)
    assert not missing(str(error.value), "encode", "observation_space", "decode")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"opponents": ["Trackr"]}, ("opponents", "Trackr", "Tracker")),
        ({"opponents": ["Ace", "Ace"]}, ("opponents", "2", "1")),
        ({"opponents": 7}, ("opponents", "7")),
        ({"opponents": [7]}, ("opponents", "7")),
        ({"reward": {"scores": 1}}, ("reward", "scores", "survival")),
        ({"reward": {"score": float("nan")}}, ("reward", "nan")),
        ({"frame_skip": 0}, ("frame_skip", "0")),
        ({"max_turns": 1.5}, ("max_turns", "1.5")),
        ({"actions": "words"}, ("actions", "words", "discrete")),
        ({"settings": {"arena_widht": 3}}, ("arena_widht",)),
        ({"learners": 3}, ("learners", "3", "2")),
        ({"speedy": True}, ("speedy",)),
        ({"render_mode": "video"}, ("render_mode", "video", "ansi")),
        ({"learners": 2, "opponents": []}, ("learners", "2", "parallel_env")),
        ({"learners": "all"}, ("learners", "all")),
        ({"learners": None}, ("learners", "None")),
        ({"settings": "wide"}, ("settings", "wide")),
        ({"reward": ["score"]}, ("reward", "score")),
        ({"shaping": 3}, ("shaping", "3")),
        ({"gamma": 1.5}, ("gamma", "1.5")),
        ({"record": __file__}, ("record", "test_single.py")),
        ({"seats": 4}, ("seats", "4", "TankDuel-v0", "2")),
    ],
)
def test_options_that_do_not_fit_are_named(given: dict[str, Any], words: tuple[str, ...]) -> None:
    with pytest.raises(SetupError) as error:
        make_env("tank", "TankDuel-v0", **given).reset(seed=1)
    assert not missing(str(error.value), *words)


def test_an_unknown_environment_is_answered_with_a_near_name() -> None:
    with pytest.raises(SetupError) as error:
        make_env("tank", "TankDuell-v0")
    assert not missing(str(error.value), "TankDuell-v0", "TankDuel-v0")


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (np.zeros(4, np.float32), ("(4,)", "(5,)")),
        (np.array([0, np.nan, 0, 0, 0], np.float32), ("finite", "nan")),
        (None, ("None", "Box")),
    ],
)
def test_an_action_that_does_not_fit_is_named(action: Any, words: tuple[str, ...]) -> None:
    env = make_env("tank", "TankDuel-v0")
    env.reset(seed=1)
    with pytest.raises(ValueError) as error:
        env.step(action)
    assert not missing(str(error.value), *words)


@pytest.mark.parametrize("action", [4, -1, 1.5, True, "up", None, [1, 2], [[1], [2, 3]], {}])
def test_an_invalid_action_is_named(action: Any) -> None:
    env = make_env("snake", "Snake-v0")
    env.reset(seed=1)
    with pytest.raises(ValueError) as error:
        env.step(action)
    assert not missing(str(error.value), "action", "learner", "expected")


@pytest.mark.parametrize("action", [None, np.zeros(3), np.full(5, np.nan), "left"])
def test_an_action_of_a_policy_that_does_not_fit_is_named(action: Any) -> None:
    env = make_env("tank", "TankDuel-v0", opponents=lambda observation: action)
    env.reset(seed=1)
    with pytest.raises(ValueError) as error:
        env.step(np.zeros(5))
    assert not missing(str(error.value), "action", "policy", "seat 1", "expected" if action is None else "")


def test_an_invalid_potential_is_named() -> None:
    env = make_env("snake", "Snake-v0", shaping=lambda observation: float("nan"))
    with pytest.raises(ValueError, match="shaping returned nan"):
        env.reset(seed=1)


def test_nothing_is_written_without_a_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    threads = threading.active_count()
    for name in ("TankDuel-v0", "Snake-v0"):
        env = gymnasium.make(f"turnwright/{name}")
        env.reset(seed=1)
        env.step(env.action_space.sample())
    assert list(tmp_path.iterdir()) == []
    assert threading.active_count() == threads


def test_steps_before_the_first_reset_and_after_the_end_are_refused() -> None:
    env = make_env("tank", "TankDuel-v0", max_turns=2)
    with pytest.raises(ValueError) as error:
        env.step(np.zeros(5, np.float32))
    assert not missing(str(error.value), "reset")
    env.reset(seed=1)
    while not env.step(np.zeros(5, np.float32))[3]:
        pass
    with pytest.raises(ValueError) as error:
        env.step(np.zeros(5, np.float32))
    assert not missing(str(error.value), "over", "reset")
    discrete = make_env("tank", "TankDuel-v0", actions="discrete")
    discrete.reset(seed=1)
    with pytest.raises(ValueError) as error:
        discrete.step(np.array([3, 0, 0, 0, 0]))
    assert not missing(str(error.value), "3", "MultiDiscrete")
    assert turnwright_learn.envs.GameEnv is type(env)
