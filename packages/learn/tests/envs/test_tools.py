"""Tools of Gymnasium with our environments: vectors, videos, rendering for people, imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.wrappers import RecordVideo

from packages.core.tests.messages import missing
from turnwright_learn.envs import make_env

NAMES = ("TankDuel-v0", "TankMelee-v0", "TankTeams-v0", "Snake-v0")


@pytest.mark.parametrize("name", NAMES)
def test_all_render_modes_pass_the_checks(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROWSER", "")
    env = gymnasium.make(f"turnwright/{name}", max_turns=5, record=tmp_path).unwrapped
    check_env(env)


def rollout(env: Any) -> list[Any]:
    """Return all that a vector of environments gives in some steps."""
    found = [env.reset(seed=[3, 4])]
    env.action_space.seed(5)
    return [*found, *(env.step(env.action_space.sample()) for _ in range(12))]


@pytest.mark.parametrize("name", NAMES)
def test_vectors_of_single_environments_give_the_same_data_again(name: str) -> None:
    def new() -> Any:
        return gymnasium.make_vec(f"turnwright/{name}", num_envs=2, vectorization_mode="sync", max_turns=8)

    one, two = rollout(new()), rollout(new())
    assert data_equivalence(one, two, exact=True)
    alone = gymnasium.make(f"turnwright/{name}", max_turns=8)
    assert np.array_equal(alone.reset(seed=4)[0], one[0][0][1])


def test_videos_have_a_picture_for_each_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clips: list[list[Any]] = []

    class Clip:
        def __init__(self, frames: list[Any], fps: int) -> None:
            clips.append(list(frames))

        def write_videofile(self, path: str, logger: Any) -> None:
            Path(path).touch()

    writer: Any = ModuleType("moviepy.video.io.ImageSequenceClip")
    writer.ImageSequenceClip = Clip
    for part in ("moviepy", "moviepy.video", "moviepy.video.io"):
        monkeypatch.setitem(sys.modules, part, ModuleType(part))
    monkeypatch.setitem(sys.modules, writer.__name__, writer)
    inner = gymnasium.make("turnwright/TankDuel-v0", render_mode="rgb_array", max_turns=9)
    env = RecordVideo(inner, str(tmp_path / "videos"), episode_trigger=lambda episode: True)
    env.reset(seed=1)
    steps, over = 0, False
    while not over:
        *_, over, _ = env.step(env.action_space.sample())
        steps += 1
    env.close()
    assert [len(frames) for frames in clips] == [steps + 1]
    assert {frame.shape for frame in clips[0]} == {(450, 600, 3)}
    assert [file.suffix for file in (tmp_path / "videos").iterdir()] == [".mp4"]


@pytest.mark.parametrize(("game", "name"), [("tank", "TankDuel-v0"), ("snake", "Snake-v0")])
def test_people_get_a_page_with_each_episode(
    game: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("BROWSER", "")
    env = make_env(game, name, render_mode="human", record=tmp_path, max_turns=4)
    env.reset(seed=1)
    while not env.step(env.action_space.sample())[3]:
        assert env.render() is None
    env.reset()
    env.close()
    pages = sorted(tmp_path.glob("*.html"))
    assert [page.name for page in pages] == ["episode000001.html", "episode000002.html"]
    assert b'id="embedded-record"' in pages[0].read_bytes()
    assert not missing(caplog.text, str(pages[0]), str(pages[1]))


def test_a_name_with_a_module_registers_by_itself() -> None:
    code = (
        "import gymnasium; env = gymnasium.make('turnwright_learn.envs:turnwright/Snake-v0');"
        " print(env.reset(seed=1)[0].shape)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "(5, 16, 24)\n"


@pytest.mark.parametrize("absent", ["gymnasium", "pettingzoo", "numpy"])
def test_a_missing_extra_is_reported_in_one_line_with_the_command(absent: str) -> None:
    code = f"import sys; sys.modules[{absent!r}] = None; import turnwright_learn.envs"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    last = done.stderr.splitlines()[-1]
    assert not missing(last, "ModuleNotFoundError", absent, "pip install 'turnwright[learn]'")


def test_the_package_itself_imports_nothing_of_the_extra() -> None:
    code = (
        "import sys, turnwright; turnwright.run_battle;"
        " print([name for name in ('gymnasium', 'pettingzoo', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
