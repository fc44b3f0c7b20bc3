from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from packages.core.tests.messages import missing
from packages.learn.tests.tank.policies import drawn_policy
from turnwright import run_battle
from turnwright.errors import SetupError
from turnwright_learn.envs import make_env
from turnwright_learn.tank.policy import CHOICES, FORMAT, load
from turnwright_learn.tank.policy_bot import PolicyBot, write_bot
from turnwright_tank.envs.actions import ACTIONS, DISCRETE
from turnwright_tank.envs.features import features_of


def test_a_file_gives_the_same_actions_again(tmp_path: Path) -> None:
    policy = drawn_policy()
    policy.save(tmp_path / "policy.npz")
    again = load(tmp_path / "policy.npz")
    seen = np.random.default_rng(2).uniform(-1, 1, (50, len(policy.features))).astype(np.float32)
    assert np.array_equal(policy(seen), again(seen))
    assert (again.features, again.frame_skip) == (policy.features, 2)
    assert [path.name for path in tmp_path.iterdir()] == ["policy.npz"]


def test_an_action_has_the_best_choice_of_each_number() -> None:
    policy = drawn_policy()
    seen = np.random.default_rng(3).uniform(-1, 1, (20, len(policy.features))).astype(np.float32)
    for scores, action in zip(policy.scores(seen), policy(seen), strict=True):
        at = 0
        for values, number in zip(DISCRETE, action, strict=True):
            part = scores[at : at + len(values)]
            assert number == np.float32(values[int(np.argmax(part))])
            at += len(values)


def narrow(out: int) -> tuple[Any, Any]:
    """Return the offsets and weights of a last layer with another number of choices."""
    return np.zeros(out, np.float32), np.zeros((16, out), np.float32)


def changed(path: Path, about: dict[str, Any], **arrays: Any) -> Path:
    """Write the test's policy with other words or arrays."""
    drawn_policy().save(path)
    with np.load(path) as file:
        kept = {name: file[name] for name in file.files}
    words = {**json.loads(str(kept["about"])), **about}
    buffer = io.BytesIO()
    np.savez(buffer, **{**kept, "about": np.array(json.dumps(words)), **arrays})
    path.write_bytes(buffer.getvalue())
    return path


@pytest.mark.parametrize(
    ("about", "arrays", "words"),
    [
        ({"format": FORMAT + 1}, {}, (FORMAT + 1, FORMAT)),
        ({"choices": [[0.0]]}, {}, ("actions",)),
        ({"frame_skip": 0}, {}, ("frame_skip", "0")),
        ({"drawn": ["all"]}, {}, ("drawn", "all")),
        ({"features": "all"}, {}, ("layer", "0")),
        ({}, {"weights0": np.zeros((3, 16), np.float32)}, ("layer", "0")),
        ({}, {"weights1": np.full((16, 25), np.nan, np.float32)}, ("layer", "1", "finite")),
        (
            {},
            {"offsets1": np.zeros(19, np.float32), "weights1": np.zeros((16, 19), np.float32)},
            ("19", "25"),
        ),
    ],
)
def test_a_policy_of_another_kind_is_refused(
    tmp_path: Path, about: dict[str, Any], arrays: dict[str, Any], words: tuple[object, ...]
) -> None:
    path = changed(tmp_path / "policy.npz", about, **arrays)
    with pytest.raises(SetupError) as error:
        load(path)
    assert not missing(str(error.value), "policy.npz", *words)


@pytest.mark.parametrize("data", [b"", b"no policy", b"PK\x03\x04" + bytes(100)])
def test_a_file_that_is_not_a_policy_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "policy.npz"
    path.write_bytes(data)
    with pytest.raises(SetupError) as error:
        load(path)
    assert not missing(str(error.value), "policy.npz")
    with pytest.raises(SetupError):
        load(tmp_path / "gone.npz")


def test_a_small_file_that_unpacks_to_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "policy.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("weights0.npy", bytes(65 << 20))
    assert path.stat().st_size < 1 << 20
    with pytest.raises(SetupError) as error:
        load(path)
    assert not missing(str(error.value), "policy.npz", "64")


def test_a_policy_for_another_number_of_tanks_names_the_differences() -> None:
    with pytest.raises(SetupError) as error:
        drawn_policy().check(features_of(800, 600, 3))
    assert not missing(str(error.value), "65", "103", "seen_2")
    drawn_policy().check(features_of(1000, 1000, 2))


def test_drawn_actions_follow_their_chances_and_the_others_are_the_best() -> None:
    policy = replace(drawn_policy(), drawn=("turn",))
    chance = np.random.default_rng(1)
    seen = np.repeat(chance.uniform(-1, 1, (1, len(policy.features))).astype(np.float32), 20_000, 0)
    actions = policy.draw(seen, chance.random((len(seen), CHOICES)))
    best = policy(seen[:1])[0]
    assert (np.delete(actions, ACTIONS.index("turn"), 1) == np.delete(best, ACTIONS.index("turn"))).all()
    scores = policy.scores(seen[:1])[0].astype(float)
    at = len(DISCRETE[0])
    chances = np.exp(scores[at : at + len(DISCRETE[1])])
    chances /= chances.sum()
    counted = [np.mean(actions[:, 1] == np.float32(value)) for value in DISCRETE[1]]
    assert np.allclose(counted, chances, atol=0.02)


def test_a_file_has_the_names_of_the_drawn_actions(tmp_path: Path) -> None:
    replace(drawn_policy(), drawn=("speed", "turn")).save(tmp_path / "policy.npz")
    assert load(tmp_path / "policy.npz").drawn == ("speed", "turn")


def test_the_bot_plays_like_the_policy_in_the_environment(tmp_path: Path) -> None:
    policy = drawn_policy()
    policy.save(tmp_path / "policy.npz")

    class Agent(PolicyBot):
        policy_file = tmp_path / "policy.npz"

    for seed in (1, 2, 3):
        env = make_env("tank", "TankDuel-v0", opponents="Tracker", frame_skip=policy.frame_skip)
        observation, info = env.reset(seed=seed)
        over = False
        while not over:
            observation, _, over, _, info = env.step(policy(observation[None])[0])
        assert env.episode is not None
        digest = env.episode.battle.digest
        result = run_battle(Agent, "Tracker", rounds=1, seed=info["battle_seed"], game_type="1v1")
        assert (result.turns, result.digest) == (info["turn"], digest)


def test_random_actions_of_a_bot_follow_from_the_seed_of_the_battle() -> None:
    drawing = replace(drawn_policy(), drawn=("speed", "turn"))
    digests = [
        run_battle(PolicyBot(policy), "Tracker", rounds=1, seed=seed, game_type="1v1").digest
        for policy, seed in ((drawing, 1), (drawing, 1), (drawn_policy(), 1), (drawing, 2))
    ]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 3


@pytest.mark.process
def test_a_written_directory_plays_within_its_deadline(tmp_path: Path) -> None:
    drawn_policy().save(tmp_path / "policy.npz")
    write_bot(tmp_path / "policy.npz", tmp_path / "Agent")
    assert sorted(path.name for path in (tmp_path / "Agent").iterdir()) == [
        "Agent.json",
        "Agent.py",
        "policy.npz",
    ]
    result = run_battle(tmp_path / "Agent", "Spinner", rounds=1, seed=1, python=sys.executable)
    assert not result.failures
    row = result.latency["Agent"]
    assert row.skipped <= result.turns // 20


@pytest.mark.parametrize(("seats", "others"), [(2, 2), (3, 1)])
def test_a_battle_of_another_number_of_tanks_is_refused_in_words(seats: int, others: int) -> None:
    result = run_battle(PolicyBot(drawn_policy(seats=seats)), *["Duck"] * others, rounds=1, seed=1)
    (told,) = result.failures.values()
    assert not missing(str(told), "PolicyBot", f"{seats} tanks", f"here are {others + 1}")


def test_a_written_bot_names_its_game_types_and_its_requirements(tmp_path: Path) -> None:
    drawn_policy(seats=10).save(tmp_path / "policy.npz")
    write_bot(tmp_path / "policy.npz", tmp_path / "Ten")
    assert json.loads((tmp_path / "Ten" / "Ten.json").read_text())["gameTypes"] == ["classic", "melee"]
    source = str(tmp_path / "Ten" / "Ten.py")
    code = f"import runpy, sys; sys.modules['turnwright'] = None; runpy.run_path({source!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert not missing(done.stderr, sys.executable, "pip install 'turnwright[learn]'")
    assert "Traceback" not in done.stderr
