from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.playing import SPINNING_BOT
from tests.net.bot_directories import make_bot
from turnwright import run_battle
from turnwright.app.results import BattleResult
from turnwright.bots import Bot
from turnwright.errors import ParticipantStartError, SetupError
from turnwright.games.tank.app.game_bots import TANK_BOTS
from turnwright.net.participants import forked
from turnwright.net.participants.forked import copy_of
from turnwright.net.participants.seating import entrants_of

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not forked.can_copy(), reason="this system cannot copy a process"),
]


@pytest.fixture
def other(tmp_path: Path) -> Path:
    return make_bot(tmp_path, "Other", {"Other.py": SPINNING_BOT})


def play(*bots: Any, **settings: Any) -> BattleResult:
    return run_battle(*bots, **{"rounds": 1, "seed": 5, "python": sys.executable, **settings})


def test_a_class_or_function_beside_others_plays_in_a_process_of_its_own(other: Path, tmp_path: Path) -> None:
    told = tmp_path / "told"

    class Local(Bot):
        def on_tick(self, observation: Any) -> None:
            if observation.turn_number == 1:
                told.write_text(str(os.getpid()))
            self.turn_rate = 5

    def spin(observation: Any) -> dict[str, float]:
        return {"turn_rate": 5.0}

    result = play(other, Local, spin, "Duck", turn_timeout="500ms")
    assert {row.name for row in result.results} == {"Other", "Local", "spin", "Duck"}
    assert all(row.p50_us > 0 for row in result.latency.values())
    assert result.turn_timeout_us == 500_000
    assert int(told.read_text()) != os.getpid()


def test_one_that_hangs_misses_its_turns_and_is_killed_at_the_end(other: Path, tmp_path: Path) -> None:
    told = tmp_path / "told"

    class Hangs(Bot):
        def on_tick(self, observation: Any) -> None:
            told.write_text(str(os.getpid()))
            while True:
                pass

    result = play(other, Hangs, turn_timeout="400ms", opening_timeout_us=400_000, max_skipped=2)
    rows = {row.name: row for row in result.results}
    assert rows["Hangs"].disqualified
    assert rows["Hangs"].never_answered
    assert result.latency["Hangs"].skipped >= 2
    assert result.latency["Other"].skipped == 0
    with pytest.raises(ProcessLookupError):
        os.kill(int(told.read_text()), 0)


def test_bots_of_this_process_alone_have_no_limit_unless_one_is_given(tmp_path: Path) -> None:
    told = tmp_path / "told"

    def shows(observation: Any) -> dict[str, float]:
        told.write_text(str(os.getpid()))
        return {"turn_rate": 5.0}

    assert play("Duck", shows, max_inactivity_turns=5).turn_timeout_us is None
    assert int(told.read_text()) == os.getpid()
    assert play("Duck", shows, max_inactivity_turns=5, turn_timeout="500ms").turn_timeout_us == 500_000
    assert int(told.read_text()) != os.getpid()


def test_two_functions_of_one_name_keep_their_seats(other: Path) -> None:
    def make(rate: float) -> Any:
        def same(observation: Any) -> dict[str, float]:
            assert observation.bot_state.turn_rate in (0.0, rate)
            return {"turn_rate": rate}

        return same

    result = play(make(3.0), other, make(5.0), max_inactivity_turns=5, turn_timeout="500ms")
    assert [list(result.latency).index(name) for name in ("same", "Other", "same (2)")] == [0, 1, 2]
    assert result.latency["same"].skipped == result.latency["same (2)"].skipped == 0


def test_one_that_raises_is_named_with_its_traceback(other: Path, caplog: pytest.LogCaptureFixture) -> None:
    class Fails(Bot):
        def on_tick(self, observation: Any) -> None:
            if observation.turn_number == 3:
                raise RuntimeError("on purpose")

    play(other, Fails, "Duck", turn_timeout="500ms", tps=200)
    assert "Fails ended (exit code 1)\nlast lines of Fails:\n  Traceback" in caplog.text
    assert "RuntimeError: on purpose" in caplog.text


def test_one_that_cannot_begin_is_named(other: Path) -> None:
    class Broken(Bot):
        def on_game_started(self, info: Any) -> None:
            raise RuntimeError("on purpose")

    with pytest.raises(ParticipantStartError, match=r"Broken ended before the battle began(.|\n)*on purpose"):
        play(other, Broken)


def test_what_it_prints_is_printed(other: Path, capfd: pytest.CaptureFixture[str]) -> None:
    class Prints(Bot):
        def on_game_started(self, info: Any) -> None:
            print("hello from a copy")

    play(other, Prints, max_inactivity_turns=5)
    assert "hello from a copy\n" in capfd.readouterr().out


def test_a_copy_that_never_played_is_ended() -> None:
    copy = copy_of(entrants_of(["Duck"], TANK_BOTS)[0], 1)
    os.kill(copy.pid, 0)
    copy.discard()
    with pytest.raises(ProcessLookupError):
        os.kill(copy.pid, 0)


def test_a_copy_holds_no_pipe_of_the_program() -> None:
    reads, writes = os.pipe()
    copy = copy_of(entrants_of(["Duck"], TANK_BOTS)[0], 1)
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


def test_where_a_process_cannot_be_copied_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def spin(observation: Any) -> None: ...

    monkeypatch.delattr(os, "fork")
    with pytest.raises(SetupError, match=r"spin is of this program, .* put it into a directory of its own"):
        copy_of(entrants_of([spin], TANK_BOTS)[0], 1)


_KILLED = """
import os, sys, time
from turnwright import run_battle
from turnwright.bots import Bot

class Forks(Bot):
    def on_game_started(self, info):
        for _ in range(2):
            if os.fork() == 0:
                time.sleep(600)
                os._exit(0)
        print("forked", flush=True)

run_battle(sys.argv[1], Forks, tps=5, python=sys.executable)
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
    deadline = time.monotonic() + 120
    while _marked(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert _marked(tmp_path) == []
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
