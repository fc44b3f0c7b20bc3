from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from packages.core.tests.messages import missing
from packages.learn.tests.tank.single import actions_at, fighting
from turnwright.app.verify import verify_file
from turnwright.errors import SetupError
from turnwright_learn.envs.episode import Episode
from turnwright_learn.envs.plan import plan_of
from turnwright_learn.tank import recorder
from turnwright_learn.tank.opponents import OpponentPool
from turnwright_learn.tank.vector import TankVectorEnv
from turnwright_tank.envs.actions import DISCRETE
from turnwright_tank.envs.spaces import ENVS

NO_ACTION = np.zeros(5, np.float32)


def played(envs: TankVectorEnv, steps: int, seed: Any = 7) -> list[Any]:
    """Return all that a run of random actions gives."""
    found: list[Any] = [envs.reset(seed=seed)[0].copy()]
    for step in range(steps):
        observations, rewards, terminated, truncated, _ = envs.step(actions_at(1, step, envs.num_envs))
        found += [observations.copy(), rewards.copy(), terminated.copy(), truncated.copy()]
    return found


def same(one: list[Any], two: list[Any]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def test_one_seed_gives_one_run_and_another_one_another() -> None:
    envs = TankVectorEnv(6, max_turns=20, opponents="self")
    first = played(envs, 50)
    assert same(first, played(envs, 50))
    assert same(first, played(TankVectorEnv(6, max_turns=20, copy=False, opponents="self"), 50))
    assert not same(first, played(envs, 50, seed=8))
    assert not same(played(envs, 30, seed=None), played(envs, 30, seed=None)), "it goes on"


def test_seeds_of_environments_are_those_of_their_battles() -> None:
    three = played(TankVectorEnv(6, opponents="self"), 10, seed=[1, 0, 2, 0, 3, 0])
    alone = played(TankVectorEnv(2, opponents="self"), 10, seed=[2, 0])
    assert np.array_equal(three[0][2:4], alone[0])


def test_observations_are_in_the_space_and_compiled_like_interpreted() -> None:
    one, two = (
        TankVectorEnv(4, max_turns=15, opponents="self"),
        TankVectorEnv(4, max_turns=15, speed="interpreted", opponents="self"),
    )
    assert two.speed == "interpreted"
    first, second = played(one, 40), played(two, 40)
    assert same(first, second)
    for found in first:
        if found.ndim == 2:
            assert one.observation_space.contains(found)


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_battle_restarts_according_to_the_autoreset_mode(mode: AutoresetMode) -> None:
    envs = TankVectorEnv(2, max_turns=6, autoreset_mode=mode, opponents="self")
    assert envs.metadata["autoreset_mode"] is mode
    clock = envs.features.index("clock")
    turns, ends, masks = [envs.reset(seed=1)[0][0, clock]], [], []
    for _ in range(8):
        observations, rewards, _, truncated, infos = envs.step(np.zeros((2, 5), np.float32))
        turns.append(observations[0, clock])
        ends.append(bool(truncated[0]))
        masks.append(infos["mask"].tolist())
        if mode is AutoresetMode.SAME_STEP:
            assert infos["_final_obs"].tolist() == truncated.tolist()
            if truncated[0]:
                assert infos["final_obs"][0, clock] == np.float32(0.007)
    counted = [round(float(turn) * 1000) for turn in turns]
    if mode is AutoresetMode.NEXT_STEP:
        assert counted == [1, 2, 3, 4, 5, 6, 7, 1, 2]
        assert ends == [False] * 5 + [True] + [False] * 2
        assert masks == [[True] * 2] * 6 + [[False] * 2] + [[True] * 2], "the seventh only begins"
    elif mode is AutoresetMode.SAME_STEP:
        assert counted == [1, 2, 3, 4, 5, 6, 1, 2, 3]
        assert masks == [[True] * 2] * 8
    else:
        assert counted == [1, 2, 3, 4, 5, 6, 7, 7, 7]
        assert masks == [[True] * 2] * 6 + [[False] * 2] * 2, "nothing is played after the end"
        assert not rewards.any()
        observations, _ = envs.reset(options={"reset_mask": np.array([True, True])})
        assert observations[0, clock] == np.float32(0.001)
        assert envs.step(np.zeros((2, 5), np.float32))[4]["mask"].all()


def test_only_the_masked_battles_restart() -> None:
    envs = TankVectorEnv(4, autoreset_mode="Disabled", opponents="self")
    envs.reset(seed=1)
    before = envs.step(np.zeros((4, 5), np.float32))[0]
    after, _ = envs.reset(options={"reset_mask": np.array([False, False, True, True])})
    assert np.array_equal(before[:2], after[:2])
    assert not np.array_equal(before[2:], after[2:])
    with pytest.raises(ValueError) as error:
        envs.reset(options={"reset_mask": np.array([True, False, True, True])})
    assert not missing(str(error.value), "reset_mask", "battle")


def test_a_policy_plays_the_other_seats_and_wins_against_a_target() -> None:
    asked: list[tuple[int, ...]] = []

    def policy(observations: Any) -> Any:
        asked.append(observations.shape)
        return fighting(observations)

    envs = TankVectorEnv(3, opponents=policy, autoreset_mode="Disabled")
    envs.reset(seed=5)
    sums, done = np.zeros(3), np.zeros(3, np.bool_)
    for _ in range(900):
        _, rewards, terminated, _, _ = envs.step(np.zeros((3, 5), np.float32))
        sums += rewards
        done |= terminated
        if done.all():
            break
    assert done.all()
    assert (sums < -1).all(), "it lost its energy and its life"
    assert set(asked) == {(3, len(envs.features))}


def test_weights_make_the_reward() -> None:
    envs = TankVectorEnv(2, reward={"damage": 0.0, "survival": 0.5}, opponents="self")
    envs.reset(seed=5)
    observations = envs.reset(seed=5)[0]
    for _ in range(200):
        observations, rewards, _, _, infos = envs.step(fighting(observations[None])[0])
        terms = infos["reward_terms"]
        assert np.array_equal(rewards, terms["score"] + 0.0 * terms["damage"] + 0.5 * terms["survival"])


def test_discrete_actions_equal_their_continuous_counterparts() -> None:
    one, two = TankVectorEnv(2, actions="discrete", opponents="self"), TankVectorEnv(2, opponents="self")
    one.reset(seed=3)
    two.reset(seed=3)
    one.action_space.seed(1)
    for _ in range(20):
        chosen = one.action_space.sample()
        numbers = np.array([[DISCRETE[k][row[k]] for k in range(5)] for row in chosen], np.float32)
        assert np.array_equal(one.step(chosen)[0], two.step(numbers)[0])


def test_arrays_are_new_unless_the_same_are_asked_for() -> None:
    for copy in (True, False):
        envs = TankVectorEnv(4, copy=copy, opponents="self")
        first, _ = envs.reset(seed=1)
        second = envs.step(np.zeros((4, 5), np.float32))[0]
        assert np.shares_memory(first, second) is not copy


def test_the_full_state_is_the_observations_of_all_tanks_of_the_battle() -> None:
    envs = TankVectorEnv(4, full_state=True, opponents="self")
    observations, infos = envs.reset(seed=1)
    assert infos["full_state"].shape == (4, 2, len(envs.features))
    for number in range(4):
        both = observations[[number // 2 * 2, number // 2 * 2 + 1]]
        assert np.array_equal(infos["full_state"][number], both)
    alone = TankVectorEnv(2, opponents=fighting, full_state=True)
    observations, infos = alone.reset(seed=1)
    assert np.array_equal(infos["full_state"][:, 0], observations)
    assert "full_state" not in TankVectorEnv(2, opponents="self").reset(seed=1)[1]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_recorded_battles_become_records_that_verify(tmp_path: Path, mode: str) -> None:
    envs = TankVectorEnv(
        6, opponents=fighting, max_turns=80, frame_skip=3, record=tmp_path, recorded=2, autoreset_mode=mode
    )
    envs.reset(seed=1)
    ended = 0
    for step in range(60):
        _, _, terminated, truncated, _ = envs.step(actions_at(3, step, 6))
        ended += int((terminated | truncated)[:2].sum())
    files = sorted(tmp_path.glob("*.twr"))
    assert len(files) == ended > 2
    for file in files:
        assert not verify_file(file).differs
        assert verify_file(file).deterministic
    again = TankVectorEnv(2, record=tmp_path, max_turns=1, opponents="self")
    again.reset(seed=1)
    again.step(actions_at(3, 0, 2))
    assert len(list(tmp_path.glob("*.twr"))) == ended + 1, "files of earlier runs stay"


def test_a_record_with_a_memory_of_other_battles_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError) as error:
        TankVectorEnv(2, opponents="Ace", rounds=35, record=tmp_path)
    assert not missing(str(error.value), "rounds is 35", "give 1")
    assert list(tmp_path.iterdir()) == []


def test_a_recorded_battle_is_the_battle_that_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: list[bytes] = []

    class Watched(Episode):
        def close(self) -> None:
            ends.append(self.battle.state.tables.snapshot())
            super().close()

    monkeypatch.setattr(recorder, "Episode", Watched)
    envs = TankVectorEnv(
        4,
        opponents="self",
        max_turns=90,
        frame_skip=2,
        record=tmp_path,
        recorded=2,
        autoreset_mode="Disabled",
    )
    envs.reset(seed=4)
    for step in range(45):
        envs.step(actions_at(4, step, 4))
    assert ends[:2] == [envs.snapshot(0), envs.snapshot(2)]


@pytest.mark.parametrize("name", ENVS)
def test_one_id_is_one_problem_with_the_same_infos_in_every_mode(name: str) -> None:
    def new(mode: str) -> Any:
        return gymnasium.make_vec(f"turnwright/{name}", num_envs=2, vectorization_mode=mode, max_turns=5)

    alone, many, one = gymnasium.make(f"turnwright/{name}"), new("sync"), new("vector_entry_point")
    names = [info.name for info in _opponents_of(alone)]
    assert (one.observation_space, one.action_space) == (many.observation_space, many.action_space)
    for envs in (many, one):
        envs.action_space.seed(1)
    found = [envs.reset(seed=1)[1] for envs in (many, one)]
    assert [one.unwrapped.opponent_names[number] for number in one.unwrapped.opponents[0]] == names
    for step in range(7):
        assert _shape(found[0]) == _shape(found[1])
        assert found[0]["turn"].tolist() == found[1]["turn"].tolist() == [(step + 1) if step < 6 else 1] * 2
        found = [envs.step(envs.action_space.sample())[4] for envs in (many, one)]
    assert isinstance(gymnasium.make_vec(f"turnwright/{name}").unwrapped, TankVectorEnv), "as it stands"


def _opponents_of(env: Any) -> Any:
    env.reset(seed=1)
    return env.unwrapped.episode.seats[1:]


def _shape(infos: Any) -> Any:
    if isinstance(infos, dict):
        return {name: _shape(value) for name, value in infos.items()}
    return np.asarray(infos).shape


def test_the_seed_of_a_battle_is_in_its_infos() -> None:
    envs = TankVectorEnv(2, max_turns=3, record=None)
    seeds = [envs.reset(seed=1)[1]["battle_seed"]]
    for _ in range(4):
        seeds.append(envs.step(np.zeros((2, 5), np.float32))[4]["battle_seed"])
    assert [int((one != seeds[0]).sum()) for one in seeds] == [0, 0, 0, 0, 2], "the fourth step begins anew"
    seed = int(seeds[0][1])
    episode = Episode(plan_of("tank", "TankDuel-v0"), seed)
    assert np.array_equal(episode.encoded[0], envs.reset(seed=1)[0][1])
    episode.close()


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_dead_tanks_are_terminated_and_masked_until_their_battle_ends(mode: AutoresetMode) -> None:
    envs = TankVectorEnv(20, env="TankMelee-v0", opponents="self", autoreset_mode=mode)
    envs.reset(seed=1)
    lived, ended, dead_rows = np.ones(20, np.bool_), np.zeros(20, np.bool_), 0
    for step in range(900):
        _, _, terminated, truncated, infos = envs.step(actions_at(2, step, 20))
        assert not (terminated & truncated).any()
        mask = infos["mask"]
        over = np.repeat((terminated | truncated).reshape(2, 10).all(1), 10)
        if mode is AutoresetMode.NEXT_STEP:
            assert not mask[ended].any(), "nothing is played in the step that begins a battle"
        fresh = ended & (mode is AutoresetMode.NEXT_STEP)
        assert np.array_equal(mask, lived & ~fresh)
        assert terminated[~lived & ~fresh].all()
        dead_rows += int((~mask & ~fresh).sum())
        lived = infos["alive"].copy()
        ended = over
        if mode is AutoresetMode.DISABLED and over.any():
            break
    assert dead_rows > 100


def test_teams_and_a_crowd_play_too() -> None:
    for env, count in (("TankTeams-v0", 4), ("TankMelee-v0", 10)):
        envs = TankVectorEnv(2 * count, env=env, opponents="self")
        observations, _ = envs.reset(seed=1)
        for _ in range(10):
            observations, *_ = envs.step(np.zeros((2 * count, 5), np.float32))
        assert envs.observation_space.contains(observations)


def test_a_picture_of_each_battle() -> None:
    envs = TankVectorEnv(4, render_mode="rgb_array", opponents="self")
    envs.reset(seed=1)
    pictures = envs.render()
    assert pictures is not None
    assert [picture.shape for picture in pictures] == [(450, 600, 3)] * 4
    assert len({picture.tobytes() for picture in pictures}) == 2


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"env": "TankDuell-v0"}, ("env", "TankDuell-v0", "TankDuel-v0")),
        ({"num_envs": 3}, ("num_envs", "3", "2")),
        ({"num_envs": 0}, ("num_envs", "0")),
        ({"opponents": "Duck"}, ("opponents", "Duck", "Tracker", "gymnasium.make")),
        ({"opponents": "Trakcer"}, ("opponents", "Trakcer", "Tracker")),
        ({"opponents": [fighting, fighting]}, ("opponents", "2", "1")),
        ({"opponents": [5]}, ("opponents", "5")),
        ({"actions": "many"}, ("actions", "many", "discrete")),
        ({"frame_skip": 0}, ("frame_skip", "0", "1")),
        ({"max_turns": -1}, ("max_turns", "-1")),
        ({"threads": 1.5}, ("threads", "1.5")),
        ({"reward": {"scores": 1}}, ("reward", "scores", "score")),
        ({"reward": {"score": np.nan}}, ("reward", "nan")),
        ({"autoreset_mode": "never"}, ("autoreset_mode", "never", "NextStep")),
        ({"render_mode": "video"}, ("render_mode", "video", "rgb_array")),
        ({"settings": {"arena_widht": 3}}, ("arena_widht", "arena_width")),
    ],
)
def test_options_that_do_not_fit_are_named_with_possible_values(
    given: dict[str, Any], words: tuple[str, ...]
) -> None:
    with pytest.raises(SetupError) as error:
        TankVectorEnv(**{"num_envs": 2, "opponents": "self", **given})
    assert not missing(str(error.value), *words)


@pytest.mark.parametrize(
    ("actions", "form", "words"),
    [
        (np.zeros((2, 4), np.float32), "continuous", ("actions", "(2, 4)", "(2, 5)")),
        (np.full((2, 5), np.nan, np.float32), "continuous", ("actions", "finite")),
        (np.zeros((2, 5), np.bool_), "continuous", ("actions", "bool")),
        (np.zeros((2, 5)), "discrete", ("actions", "float64", "whole")),
        (np.full((2, 5), 3), "discrete", ("actions", "0", "2")),
    ],
)
def test_actions_that_do_not_fit_are_named(actions: Any, form: str, words: tuple[str, ...]) -> None:
    envs = TankVectorEnv(2, actions=form, opponents="self")
    envs.reset(seed=1)
    with pytest.raises(ValueError) as error:
        envs.step(actions)
    assert not missing(str(error.value), *words)


def test_a_step_before_the_first_reset_is_refused() -> None:
    with pytest.raises(ValueError) as error:
        TankVectorEnv(2, opponents="self").step(np.zeros((2, 5), np.float32))
    assert not missing(str(error.value), "reset")


@pytest.mark.parametrize("speed", ["compiled", "interpreted"])
@pytest.mark.parametrize(
    "given",
    [
        {"opponents": "self"},
        {"opponents": "Dodger", "rounds": 2},
        {"opponents": OpponentPool({"Tracker": "Tracker", "Spinner": "Spinner"}), "actions": "discrete"},
    ],
)
@pytest.mark.parametrize("copied", [lambda envs: pickle.loads(pickle.dumps(envs)), deepcopy])
def test_a_copy_begins_with_its_own_reset_and_plays_like_the_original(
    copied: Callable[[TankVectorEnv], TankVectorEnv], given: dict[str, Any], speed: str
) -> None:
    envs = TankVectorEnv(4, max_turns=12, speed=speed, **given)
    actions = [actions_at(1, step, 4) for step in range(30)]
    if "actions" in given:
        envs.action_space.seed(1)
        actions = [envs.action_space.sample() for _ in range(30)]

    def run(of: TankVectorEnv, seed: int | None) -> list[Any]:
        return [of.reset(seed=seed)[0], *(part for one in actions for part in of.step(one)[:4])]

    run(envs, 7)
    envs.step(actions[0])
    copy = copied(envs)
    with pytest.raises(ValueError, match="reset"):
        copy.step(actions[0])
    for seed in (None, 9):
        assert same(run(envs, seed), run(copy, seed))
