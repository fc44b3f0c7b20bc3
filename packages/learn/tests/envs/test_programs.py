"""Opponents in separate processes give the same episodes, and failed ones leave nothing behind."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from packages.core.tests.cli.playing import turnwright as command
from packages.core.tests.messages import missing
from packages.core.tests.net.bot_directories import make_bot
from packages.learn.tests.envs.programs import left_over, pids, snake_program, tank_program
from packages.learn.tests.envs.records import assert_records_verify
from packages.learn.tests.envs.take import TAKE, take_folder
from turnwright.errors import ParticipantStartError, SetupError, VoidBattleError
from turnwright_learn.envs import ConnectingBot, make_env, parallel_env

pytestmark = [pytest.mark.process, pytest.mark.long]


@pytest.fixture
def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as bound:
        return int(bound.getsockname()[1])


@pytest.fixture(autouse=True)
def _no_thread_stays() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    gc.collect()
    assert not [one for one in set(threading.enumerate()) - before if one.name.startswith("turnwright")]


def episodes(env: Any, count: int = 2, most: int = 400) -> list[Any]:
    """Play episodes with random actions; return all that was seen, and each turn's digest."""
    found: list[Any] = []
    env.action_space.seed(5)
    for number in range(count):
        found += env.reset(seed=7 if number == 0 else None)
        over = False
        for _ in range(most):
            *seen, _ = env.step(env.action_space.sample())
            found += [*seen, env.episode.battle.digest]
            over = seen[2] or seen[3]
            if over:
                break
    env.close()
    return found


def steps(env: Any, count: int, action: Any = None) -> None:
    """Play turns.

    Args:
        action: None: that of a snake.
    """
    for turn in range(count):
        env.step(turn // 2 % 4 if action is None else action)


def same(one: list[Any], two: list[Any]) -> bool:
    return len(one) == len(two) and all(
        np.array_equal(a, b) if not isinstance(a, dict) else a == b for a, b in zip(one, two, strict=True)
    )


@pytest.mark.parametrize("name", ["Crawler", "Tracker", "Dodger"])
def test_a_built_in_bot_is_seen_alike_in_this_process_and_in_its_own(name: str) -> None:
    here = episodes(make_env("tank", "TankDuel-v0", opponents=name))
    there = episodes(make_env("tank", "TankDuel-v0", opponents=name, processes=True))
    assert len(here) > 400
    assert same(here, there)


def test_a_snake_is_seen_alike_in_this_process_and_in_its_own() -> None:
    here = episodes(make_env("snake", "Snake-v0", opponents="Greedy"), 3)
    there = episodes(make_env("snake", "Snake-v0", opponents="Greedy", processes=True), 3)
    assert same(here, there)


def test_teams_of_programs_and_others_are_the_same_battle() -> None:
    def policy(observation: Any) -> Any:
        return np.full(5, 0.5, np.float32)

    def played(**options: Any) -> list[Any]:
        env = parallel_env(
            "tank", "TankTeams-v0", learners=2, opponents=["Crawler", policy], max_turns=80, **options
        )
        found = [*env.reset(seed=3)]
        while env.agents:
            found += [*env.step({agent: np.full(5, 0.3, np.float32) for agent in env.agents})]
            assert env.episode is not None
            found.append(env.episode.battle.digest)
        env.close()
        return found

    assert str(played()) == str(played(processes=True))


def test_processes_play_many_episodes_also_truncated_ones(tmp_path: Path) -> None:
    bot = tank_program(tmp_path, "Circler")
    env = make_env("tank", "TankDuel-v0", opponents=bot, processes=True, max_turns=20)
    for seed in range(4):
        env.reset(seed=seed)
        while not env.step(env.action_space.sample())[3]:
            pass
    assert len(pids(bot)) == 1
    env.reset()
    env.close()
    assert not left_over(bot)
    env.reset(seed=1)
    env.step(env.action_space.sample())
    env.close()
    assert len(pids(bot)) == 2, "a closed environment can be used again"
    assert not left_over(bot)


def test_each_episode_is_a_record_that_verifies(tmp_path: Path) -> None:
    bot = tank_program(tmp_path, "Circler")
    env = make_env("tank", "TankDuel-v0", opponents=bot, processes=True, record=tmp_path, max_turns=60)
    for _ in range(2):
        env.reset(seed=1)
        while not env.step(env.action_space.sample())[3]:
            pass
    env.close()
    assert_records_verify(tmp_path, 2)


@pytest.mark.parametrize(
    ("does", "words"),
    [
        ("if turns == 5: 1 / 0", ("Odd", "ZeroDivisionError", "Odd.py")),
        ("if turns == 5: os._exit(3)", ("Odd", "exit code 3")),
        ("if turns == 5: sys.exit()", ("Odd", "exit")),
        ("if turns == 5: os.kill(os.getpid(), 9)", ("Odd", "SIGKILL")),
        ("if turns == 5: time.sleep(60)", ("Odd", "1 s", "answer_timeout", "turn_timeout")),
    ],
)
def test_a_failed_program_is_named_and_the_next_episode_starts_it_again(
    does: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    bot = snake_program(tmp_path, "Odd", does)
    env = make_env("snake", "Snake-v0", opponents=bot, processes=True, answer_timeout=1.0)
    for count in (1, 2):
        env.reset(seed=1)
        with pytest.raises(ParticipantStartError) as error:
            steps(env, 9)
        assert not missing(str(error.value), *words)
        assert (error.value.seats, len(pids(bot))) == ((1,), count)
        assert not left_over(bot)
        with pytest.raises(ValueError, match="over"):
            env.step(0)
    env.close()


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ("1 / 0", ("Odd", "ZeroDivisionError")),
        ("sys.exit(4)", ("Odd", "exit code 4")),
        ("time.sleep(60)", ("Odd", "connect", "1 s")),
    ],
)
def test_a_program_that_does_not_begin_is_named(start: str, words: tuple[str, ...], tmp_path: Path) -> None:
    bot = snake_program(tmp_path, "Odd", start=start)
    env = make_env("snake", "Snake-v0", opponents=bot, processes=True, connect_timeout=1.0)
    with pytest.raises((ParticipantStartError, SetupError)) as error:
        env.reset(seed=1)
    assert not missing(str(error.value), *words)
    assert len(pids(bot)) == 1
    assert not left_over(bot)
    with pytest.raises(ValueError, match="reset"):
        env.step(0)
    env.close()


def test_a_reset_that_is_interrupted_leaves_nothing(tmp_path: Path) -> None:
    bot = snake_program(tmp_path, "Odd", start="time.sleep(60)")
    env = make_env("snake", "Snake-v0", opponents=bot, processes=True)
    timer = threading.Timer(0.8, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        env.reset(seed=1)
    timer.join()
    env.close()
    assert not left_over(bot)


def test_a_program_that_fails_is_named_where_several_learn(tmp_path: Path) -> None:
    bot = tank_program(tmp_path, "Odd", "if self.turns == 5: 1 / 0")
    env = parallel_env("tank", "TankTeams-v0", learners=2, opponents=["Crawler", bot], processes=True)
    env.reset(seed=1)
    still = dict.fromkeys(env.agents, np.zeros(5, np.float32))
    with pytest.raises(ParticipantStartError) as error:
        steps(env, 9, still)
    assert not missing(str(error.value), "Odd", "ZeroDivisionError")
    assert error.value.seats == (3,)
    with pytest.raises(ValueError, match="over"):
        env.step({})
    env.close()
    assert not left_over(bot)


def test_a_bot_of_another_language_plays_without_being_asked_to(tmp_path: Path) -> None:
    bot = snake_program(tmp_path, "Other")
    (bot / "Other.py").rename(bot / "other_main.py")
    (bot / "Other.sh").write_text(f"exec {sys.executable} other_main.py\n")
    env = make_env("snake", "Snake-v0", opponents=bot)
    env.reset(seed=1)
    env.step(0)
    assert env.episode is not None
    assert [info.name for info in env.episode.seats] == ["Learner", "Other"]
    env.close()
    assert len(pids(bot)) == 1
    assert not left_over(bot)


MOVE = """
    def read_intent(self, data):
        return Move(many=int(data["many"]))

    def decode(self, action, observation):
        return Move(many=int(action) + 1)
"""
"""Intents that are no JSON values."""


def moving_take(folder: Path, more: str = "") -> Path:
    """Write the game `TAKE` with intents of a class, and a program that plays it."""
    text = TAKE.replace("class Pile:", "class Move:\n    many: int\n\n\n@dataclass\nclass Pile:")
    text = text.replace("intents.get(state.next) or 1", "intents[state.next].many")
    make_bot(
        folder, "Taker", {"Taker.py": 'from turnwright.client import play\n\nplay(lambda _: {"many": 2})\n'}
    )
    return take_folder(folder, f"{text}{MOVE}{more}")


def test_a_third_party_game_with_alternating_turns_is_played_with_programs(tmp_path: Path) -> None:
    game = moving_take(tmp_path)
    env = make_env(str(game), opponents=str(tmp_path / "Taker"), processes=True, record=tmp_path)
    env.reset(seed=1)
    rewards, over = [], False
    while not over:
        _, reward, over, *_ = env.step(2)
        rewards.append(reward)
    assert rewards == [0.0, 0.0, 7.0], "3, 3 and 1 of 11, beside two of the other twice; scores are told last"
    env.close()
    result = command("verify", "--game", game, tmp_path / "episode000001.twr").finish()
    assert (result.code, missing(result.out, "verified")) == (0, [])


def test_rules_that_fail_end_the_episode(tmp_path: Path) -> None:
    fails = """
    def outcome(self, state):
        if state.left < 8:
            raise ArithmeticError("it cannot count")
"""
    game = moving_take(tmp_path, fails)
    env = make_env(str(game), opponents=str(tmp_path / "Taker"), processes=True)
    env.reset(seed=1)
    with pytest.raises(VoidBattleError) as error:
        steps(env, 9, 2)
    assert not missing(str(error.value), "ArithmeticError", "cannot count")
    with pytest.raises(ValueError, match="over"):
        env.step(2)
    env.close()


def test_an_environment_that_is_dropped_leaves_nothing(tmp_path: Path) -> None:
    bot = snake_program(tmp_path, "Odd")
    env: Any = make_env("snake", "Snake-v0", opponents=bot, processes=True)
    env.reset(seed=1)
    env.step(0)
    assert len(left_over(bot)) == 1
    del env
    gc.collect()
    assert not left_over(bot)


_USE = """
import sys, time
from turnwright_learn.envs import make_env
env = make_env("snake", "Snake-v0", opponents=sys.argv[1], processes=True)
env.reset(seed=1)
env.step(0)
print("plays", flush=True)
{then}
"""


@pytest.mark.parametrize("then", ["", "env.step(1); time.sleep(60)", "while True: env.step(0); env.reset()"])
def test_nothing_is_left_of_a_program_that_ends_or_is_interrupted(then: str, tmp_path: Path) -> None:
    bot = snake_program(tmp_path, "Odd")
    code = _USE.format(then=then)
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code, bot], text=True, **pipes) as user:
        assert user.stdout is not None
        assert user.stdout.readline() == "plays\n"
        if then:
            time.sleep(0.3)
            user.send_signal(signal.SIGINT)
        _, told = user.communicate(timeout=20)
        assert (user.returncode == 0) is not bool(then)
    assert told.count("Traceback") == bool(then), told
    assert not [line for line in told.splitlines() if " left " in line]
    assert pids(bot)
    assert not left_over(bot)


def test_a_step_that_is_interrupted_ends_its_episode(tmp_path: Path) -> None:
    bot = snake_program(tmp_path, "Odd", "if turns == 3: time.sleep(60)")
    env = make_env("snake", "Snake-v0", opponents=bot, processes=True)
    env.reset(seed=1)
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        steps(env, 9)
    timer.join()
    assert not left_over(bot)
    env.close()


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_several_environments_play_simultaneously(mode: str, tmp_path: Path) -> None:
    bot = snake_program(tmp_path, "Odd")
    envs = gymnasium.make_vec(
        "turnwright/Snake-v0", num_envs=3, vectorization_mode=mode, opponents=bot, processes=True, max_turns=9
    )
    found = []
    for _ in range(2):
        found.append(envs.reset(seed=[3, 4, 4])[0])
        envs.action_space.seed(1)
        found += [envs.step(np.array([0, 0, 0]))[0] for _ in range(12)]
    assert all(np.array_equal(one[1], one[2]) for one in found)
    assert all(np.array_equal(one, two) for one, two in zip(found[:13], found[13:], strict=True))
    envs.close()
    assert len(pids(bot)) == 3
    assert not left_over(bot)


def test_an_environment_plays_within_an_event_loop_as_in_a_notebook(tmp_path: Path) -> None:
    async def play() -> None:
        env = make_env("snake", "Snake-v0", opponents=snake_program(tmp_path, "Odd"), processes=True)
        env.reset(seed=1)
        env.step(0)
        env.close()

    asyncio.run(play())


def test_deadlines_bind_opponents_and_not_the_learner(tmp_path: Path) -> None:
    bot = snake_program(tmp_path, "Slow", "if turns % 2: time.sleep(0.2)")
    env = make_env("snake", "Snake-v0", opponents=bot, processes=True, turn_timeout="50ms")
    env.reset(seed=1)
    for turn in range(4):
        time.sleep(0.1)
        env.step(turn % 2)
    assert env.episode is not None
    learner, slow = env.episode.battle.referee.skips.seats
    assert learner.skipped == 0
    assert slow.skipped > 0
    env.close()


def test_the_learner_has_a_deadline_where_it_is_asked_for(tmp_path: Path) -> None:
    bot = snake_program(tmp_path, "Odd")
    options: dict[str, Any] = {"turn_timeout": "300ms", "learner_deadline": True}
    env = make_env("snake", "Snake-v0", opponents=bot, processes=True, **options)
    env.reset(seed=1)
    missed = []
    for turn in range(6):
        if turn == 3:
            time.sleep(0.5)
        env.step(turn % 2)
        assert env.episode is not None
        missed.append(env.episode.battle.referee.skips.seats[0].skipped)
    assert missed[3] == 1
    env.close()


def test_an_answer_that_does_not_count_holds_nothing_up(tmp_path: Path) -> None:
    bot = snake_program(tmp_path, "Odd", "if turns == 2: return 'nowhere'")
    env = make_env("snake", "Snake-v0", opponents=bot, processes=True, answer_timeout=5.0)
    env.reset(seed=1)
    for turn in range(4):
        env.step(turn % 2)
    assert env.episode is not None
    assert [seat.skipped for seat in env.episode.battle.referee.skips.seats] == [0, 1]
    env.close()


def test_a_bot_that_connects_by_itself_plays_episode_after_episode(tmp_path: Path, free_port: int) -> None:
    bot = snake_program(tmp_path, "Guest")
    options: dict[str, Any] = {"port": free_port, "secret": "open sesame", "max_turns": 20}
    env = make_env("snake", "Snake-v0", opponents=ConnectingBot("Guest"), **options)
    environ = {**os.environ, "BOT_NAME": "Guest", "SERVER_SECRET": "open sesame"}
    environ["SERVER_URL"] = f"ws://127.0.0.1:{free_port}"
    command_line = [sys.executable, "-c", f"import time; time.sleep(1)\n{(bot / 'Guest.py').read_text()}"]
    with subprocess.Popen(command_line, cwd=bot, env=environ) as guest:
        for seed in (1, 2):
            env.reset(seed=seed)
            while not any(env.step(env.action_space.sample())[2:4]):
                pass
            assert env.episode is not None
            assert env.episode.seats[1].name == "Guest"
        env.close()
        assert guest.wait(10) == 0
    assert len(pids(bot)) == 1


def test_a_bot_that_never_connects_is_named(free_port: int) -> None:
    env = make_env(
        "snake", "Snake-v0", opponents=[ConnectingBot("Guest")], port=free_port, connect_timeout=0.5
    )
    with pytest.raises(SetupError) as error:
        env.reset(seed=1)
    assert not missing(str(error.value), "Guest", "connect", "0.5 s")
    other = make_env("snake", "Snake-v0", opponents=[ConnectingBot("Guest")], port=free_port)
    with pytest.raises(SetupError) as taken:
        other.reset(seed=1)
    assert not missing(str(taken.value), str(free_port))
    env.close()
    socket.create_server(("127.0.0.1", free_port)).close()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"processes": 1}, ("processes", "1")),
        ({"answer_timeout": 0}, ("answer_timeout", "0")),
        ({"connect_timeout": "x"}, ("connect_timeout", "'x'")),
        ({"port": 70000}, ("port", "70000")),
        ({"host": "0.0.0.0"}, ("host", "0.0.0.0", "secret")),
        ({"turn_timeout": "soon", "processes": True}, ("soon", "30ms")),
        ({"learner_deadline": True}, ("learner_deadline", "turn_timeout")),
        ({"turn_timeout": "30ms"}, ("turn_timeout", "processes=True")),
        ({"opponents": "./Nowhere", "processes": True}, ("Nowhere",)),
        ({"opponents": 5}, ("opponents", "5", "ConnectingBots")),
    ],
)
def test_options_that_do_not_fit_are_named(options: dict[str, Any], words: tuple[str, ...]) -> None:
    with pytest.raises(SetupError) as error:
        make_env("snake", "Snake-v0", **options)
    assert not missing(str(error.value), *words)
