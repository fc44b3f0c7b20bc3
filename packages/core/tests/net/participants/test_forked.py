from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.cli.playing import PLAYING_BOT
from packages.core.tests.messages import naming
from packages.core.tests.net.bot_directories import make_bot
from packages.core.tests.net.small_server import SNAKES
from packages.core.tests.waiting import wait_until
from turnwright import run_battle
from turnwright.app.results import BattleResult
from turnwright.errors import ParticipantStartError, SetupError
from turnwright.net.participants import forked
from turnwright.net.participants.forked import copy_of
from turnwright.net.participants.seating import entrants_of

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not forked.can_copy(), reason="this system cannot copy a process"),
]


@pytest.fixture
def other(tmp_path: Path) -> Path:
    return make_bot(tmp_path, "Other", {"Other.py": PLAYING_BOT})


def play(*bots: Any, **settings: Any) -> BattleResult:
    given = {"game": "snake", "turns": 12, "seed": 5, "python": sys.executable, **settings}
    return run_battle(*bots, **given)


def test_a_function_next_to_other_bots_plays_in_its_own_process(other: Path, tmp_path: Path) -> None:
    told = tmp_path / "told"

    def local(observation: Any) -> str:
        told.write_text(str(os.getpid()))
        return "up"

    def down(observation: Any) -> str:
        return "down"

    result = play(other, local, down, "Greedy", turn_timeout="500ms")
    assert {row.name for row in result.results} == {"Other", "local", "down", "Greedy"}
    assert all(row.p50_us > 0 for row in result.latency.values())
    assert result.turn_timeout_us == 500_000
    assert int(told.read_text()) != os.getpid()


def test_a_function_that_hangs_misses_its_turns_and_is_killed_at_the_end(other: Path, tmp_path: Path) -> None:
    told = tmp_path / "told"

    def hangs(observation: Any) -> str:
        told.write_text(str(os.getpid()))
        while True:
            pass

    times = {"opening_timeout_us": 100_000, "max_silence_us": 0}
    result = play(other, hangs, turn_timeout="100ms", max_skipped=3, **times)
    rows = {row.name: row for row in result.results}
    assert rows["hangs"].disqualified
    assert rows["hangs"].never_answered
    assert result.latency["hangs"].skipped >= 3
    assert result.latency["Other"].skipped == 0
    with pytest.raises(ProcessLookupError):
        os.kill(int(told.read_text()), 0)


def test_bots_of_this_process_alone_have_no_limit_unless_one_is_given(tmp_path: Path) -> None:
    told = tmp_path / "told"

    def shows(observation: Any) -> str:
        told.write_text(str(os.getpid()))
        return "up"

    assert play("Greedy", shows).turn_timeout_us is None
    assert int(told.read_text()) == os.getpid()
    assert play("Greedy", shows, turn_timeout="500ms").turn_timeout_us == 500_000
    assert int(told.read_text()) != os.getpid()


def test_two_functions_of_one_name_keep_their_seats(other: Path) -> None:
    def make(move: str) -> Any:
        def same(observation: Any) -> str:
            assert observation["turn"] == 0 or observation["snakes"][observation["you"]]["heading"] == move
            return move

        return same

    result = play(make("up"), other, make("down"), turn_timeout="500ms", turns=5)
    assert [list(result.latency).index(name) for name in ("same", "Other", "same (2)")] == [0, 1, 2]
    assert result.latency["same"].skipped == result.latency["same (2)"].skipped == 0


def test_a_function_that_raises_is_named_with_its_traceback(
    other: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(observation: Any) -> str:
        if observation["turn"] == 3:
            raise RuntimeError("on purpose")
        return "up"

    result = play(other, fails, "Greedy", turn_timeout="500ms", tps=20)
    assert naming(caplog.text, "fails", "crashed", "turn 4", "RuntimeError: on purpose")
    assert result.failures["fails"].reason == "crashed"
    lines = result.last_lines["fails"]
    assert lines[0].startswith("Traceback")
    assert lines[-1] == "RuntimeError: on purpose"


def test_a_function_that_cannot_begin_is_named(other: Path) -> None:
    def broken(observation: Any) -> str:
        return "up"

    broken.__name__ = "\x00"  # no server takes this name
    with pytest.raises(ParticipantStartError):
        play(other, broken)


def test_output_of_a_forked_function_is_printed(other: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def prints(observation: Any) -> str:
        if observation["turn"] == 0:
            print("hello from a copy")
        return "up"

    play(other, prints)
    assert "hello from a copy\n" in capfd.readouterr().out


def test_a_copy_that_never_played_is_ended() -> None:
    copy = copy_of(entrants_of(["Greedy"], SNAKES)[0], 1)
    os.kill(copy.pid, 0)
    copy.discard()
    with pytest.raises(ProcessLookupError):
        os.kill(copy.pid, 0)


def test_a_copy_holds_no_pipe_of_the_program() -> None:
    reads, writes = os.pipe()
    copy = copy_of(entrants_of(["Greedy"], SNAKES)[0], 1)
    try:
        os.close(writes)
        deadline = time.monotonic() + 120
        os.set_blocking(reads, False)
        while time.monotonic() < deadline:
            try:
                assert os.read(reads, 1) == b""
                break
            except BlockingIOError:
                time.sleep(0.01)
        else:
            raise AssertionError("the pipe has not ended")
    finally:
        copy.discard()
        os.close(reads)


def test_without_fork_the_error_gives_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    def up(observation: Any) -> None: ...

    monkeypatch.delattr(os, "fork")
    with pytest.raises(SetupError, match=r"up .*turnwright new bot"):
        copy_of(entrants_of([up], SNAKES)[0], 1)


_KILLED = """
import os, sys, time
from turnwright import run_battle

def forks(observation):
    if observation["turn"] == 0:
        for _ in range(2):
            if os.fork() == 0:
                time.sleep(600)
                os._exit(0)
        print("forked", flush=True)
    return "up"

run_battle(sys.argv[1], forks, game="snake", tps=1, turn_timeout="5s", python=sys.executable)
"""


def test_nothing_outlives_a_program_that_is_killed(other: Path, tmp_path: Path) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", _KILLED, str(other)],
        stdout=subprocess.PIPE,
        env={**os.environ, "TEST_MARK": str(tmp_path)},
    )
    assert program.stdout is not None
    assert program.stdout.readline() == b"forked\n"
    assert len(_marked(tmp_path)) >= 5
    program.send_signal(signal.SIGKILL)
    program.wait()
    wait_until(lambda: _marked(tmp_path) == [])
    program.stdout.close()


def _marked(folder: Path) -> list[int]:
    """Return the living processes that descend from the program."""
    mark = f"TEST_MARK={folder}".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (process / "environ").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return found
