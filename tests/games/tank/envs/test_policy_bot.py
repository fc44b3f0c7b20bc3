from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.games.tank.envs.policies import drawn_policy
from tests.messages import missing
from turnwright import run_battle
from turnwright.envs import make_env
from turnwright.games.tank.envs.policy_bot import PolicyBot, write_bot


def test_the_bot_does_what_the_policy_did_in_the_environment(tmp_path: Path) -> None:
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


def test_what_a_bot_draws_follows_from_the_seed_of_the_battle() -> None:
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


def test_a_written_bot_says_what_it_plays_and_what_it_needs(tmp_path: Path) -> None:
    drawn_policy(seats=10).save(tmp_path / "policy.npz")
    write_bot(tmp_path / "policy.npz", tmp_path / "Ten")
    assert json.loads((tmp_path / "Ten" / "Ten.json").read_text())["gameTypes"] == ["classic", "melee"]
    source = str(tmp_path / "Ten" / "Ten.py")
    code = f"import runpy, sys; sys.modules['turnwright'] = None; runpy.run_path({source!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert not missing(done.stderr, sys.executable, "pip install 'turnwright[envs]'")
    assert "Traceback" not in done.stderr
