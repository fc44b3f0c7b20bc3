"""The checks and learners of Stable-Baselines3 accept our environments."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import RecordVideo
from moviepy import VideoFileClip
from stable_baselines3 import PPO
from stable_baselines3.common.env_checker import check_env

import turnwright_learn.envs

assert turnwright_learn


@pytest.mark.parametrize("name", ["TankDuel-v0", "TankMelee-v0", "TankTeams-v0"])
@pytest.mark.parametrize("actions", ["continuous", "discrete"])
def test_the_check_of_stable_baselines_passes_without_a_warning(name: str, actions: str) -> None:
    env = gymnasium.make(f"turnwright/{name}", actions=actions)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    env.close()


def test_stable_baselines_trains_and_its_policy_plays() -> None:
    env = gymnasium.make("turnwright/TankDuel-v0", opponents=["Spinner"], frame_skip=4, max_turns=400)
    model = PPO("MlpPolicy", env, n_steps=128, batch_size=64, n_epochs=1, device="cpu", seed=1)
    model.learn(256)

    def policy(seen: Any) -> Any:
        return model.predict(seen, deterministic=True)[0]

    again = gymnasium.make("turnwright/TankDuel-v0", opponents=[policy], frame_skip=4, max_turns=60)
    seen, _ = again.reset(seed=1)
    over = False
    while not over:
        seen, _, terminated, truncated, _ = again.step(policy(seen))
        over = terminated or truncated
    assert np.isfinite(seen).all()


def test_a_video_of_an_episode_shows_it(tmp_path: Path) -> None:
    inner = gymnasium.make("turnwright/TankDuel-v0", render_mode="rgb_array", max_turns=40)
    env = RecordVideo(inner, str(tmp_path), episode_trigger=lambda episode: True)
    env.reset(seed=1)
    pictures, over = [inner.render()], False
    while not over:
        *_, over, _ = env.step(env.action_space.sample())
        pictures.append(inner.render())
    env.close()
    (file,) = tmp_path.glob("*.mp4")
    with VideoFileClip(str(file)) as clip:
        shown = list(clip.iter_frames())
        assert clip.fps == env.metadata["render_fps"]
    assert len(pictures) - len(shown) in (0, 1), "a reader may miss the last one, by rounding"
    for frame, picture in zip(shown, pictures, strict=False):
        assert np.abs(frame.astype(float) - np.asarray(picture, float)).mean() < 8.0
