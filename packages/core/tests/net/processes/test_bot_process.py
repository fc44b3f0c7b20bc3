from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import tracemalloc
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from packages.core.tests.net.fixtures import LOOPS
from packages.core.tests.net.processes.alive import is_alive
from packages.core.tests.waiting import wait_until
from turnwright.errors import ParticipantStartError
from turnwright.net.processes import guard
from turnwright.net.processes.bot_process import BotProcess, BotProcesses, stop_all
from turnwright.net.processes.output import LINES_MAX, SIZE_MAX, STDERR, crash_in

pytestmark = pytest.mark.process

Scene = Callable[[BotProcesses], Awaitable[None]]

IGNORES_TERM = """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("up", file=sys.stderr, flush=True)
    time.sleep(600)
"""
DOUBLE_FORKS = """
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.close(0); os.close(2)
            time.sleep(600)
        os._exit(0)
    print("up", file=sys.stderr, flush=True)
    time.sleep(600)
"""
HIDES = """
    subprocess.Popen(["setsid", "env", "-i", "/bin/sleep", "600"])
    print("up", file=sys.stderr, flush=True)
    time.sleep(600)
"""


LETS_GO = """
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            with open("let-go", "w") as file:
                print(os.getpid(), file=file, flush=True)
            os.closerange(0, 3)
            os.execve("/bin/sleep", ["sleep", "600"], {})
        os._exit(0)
    os.wait()
    subprocess.Popen(["env", "-i", "/bin/sleep", "600"])
    while not os.path.exists("let-go") or not os.path.getsize("let-go"):
        time.sleep(0.01)
    print("up", file=sys.stderr, flush=True)
"""


def python(code: str) -> list[str]:
    head = "import os, signal, subprocess, sys, time\n"
    return [sys.executable, "-I", "-S", "-c", head + textwrap.dedent(code)]


@pytest.fixture(params=list(LOOPS))
def play(request: pytest.FixtureRequest) -> Callable[[Scene], None]:
    """Runs a scene among fresh processes, on each kind of loop, and checks that nothing is left."""
    factory = LOOPS[request.param]

    def run(scene: Scene) -> None:
        async def whole() -> None:
            async with BotProcesses() as processes:
                mark = processes.mark
                await scene(processes)
            assert guard.family([mark]) == set()

        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(whole())

    return run


def guard_of(processes: BotProcesses) -> int:
    """Return the process, our child, that guards these."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().split(b"\0")
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == os.getpid() and processes.mark.encode() in words:
                return int(process.name)
    raise AssertionError("there is no guard")


async def said(process: BotProcess, text: str) -> None:
    """Wait until a process has written `text` to stderr."""
    async with asyncio.timeout(60):
        while not any(text in line for line in process.output.lines(STDERR)):
            await asyncio.sleep(0.01)


def test_an_end_is_noticed_with_its_code_and_last_words(
    play: Callable[[Scene], None], tmp_path: Path
) -> None:
    async def scene(processes: BotProcesses) -> None:
        process = await processes.start("Bot", python("sys.stderr.write('oh no'); sys.exit(7)"), tmp_path, {})
        await process.exited.wait()
        await process.output.settle()
        assert (process.returncode, process.exit_text()) == (7, "exit code 7")
        assert process.output.lines(STDERR) == ["oh no"]
        assert not process.alive

    play(scene)


def test_unprintable_characters_of_a_name_are_replaced_for_messages(
    play: Callable[[Scene], None], tmp_path: Path
) -> None:
    async def scene(processes: BotProcesses) -> None:
        process = await processes.start("new\nline\x1b", python("pass"), tmp_path, {})
        assert process.name == "new\ufffdline\ufffd"

    play(scene)


def test_a_signal_is_named(play: Callable[[Scene], None], tmp_path: Path) -> None:
    async def scene(processes: BotProcesses) -> None:
        code = """
while not os.path.exists("go"):
    time.sleep(0.01)
os.kill(os.getpid(), signal.SIGKILL)
"""
        process = await processes.start("Bot", python(code), tmp_path, {})
        assert process.exit_text() == "still running"
        (tmp_path / "go").touch()
        await process.exited.wait()
        assert process.exit_text() == "signal SIGKILL"

    play(scene)


def test_a_process_gets_its_directory_and_just_its_environment(
    play: Callable[[Scene], None], tmp_path: Path
) -> None:
    directory = tmp_path / "a b"
    directory.mkdir()

    async def scene(processes: BotProcesses) -> None:
        code = "print(os.getcwd(), sorted(k for k in os.environ if k != 'LC_CTYPE'), file=sys.stderr)"
        process = await processes.start("Bot", python(code), directory, {"BOT_NAME": "x"})
        await process.exited.wait()
        await process.output.settle()
        assert process.output.lines(STDERR) == [f"{directory} ['BOT_NAME', 'TURNWRIGHT_PROCESS']"]

    play(scene)


def test_stdin_stays_open_and_silent(play: Callable[[Scene], None], tmp_path: Path) -> None:
    async def scene(processes: BotProcesses) -> None:
        code = "print('reads', file=sys.stderr, flush=True); sys.stdin.read(); sys.exit(3)"
        process = await processes.start("Bot", python(code), tmp_path, {})
        await said(process, "reads")
        await asyncio.sleep(0.2)
        assert not process.exited.is_set()

    play(scene)


def test_a_flood_on_both_outputs_neither_blocks_the_bot_nor_fills_memory(
    play: Callable[[Scene], None], tmp_path: Path
) -> None:
    async def scene(processes: BotProcesses) -> None:
        code = """
            for _ in range(40):
                os.write(1, b"x" * 1_000_000)
            for _ in range(40):
                os.write(2, b"y" * 100_000 + b"\\n")
            os.write(2, b"last\\n")
        """
        tracemalloc.start()
        try:
            process = await processes.start("Bot", python(code), tmp_path, {})
            async with asyncio.timeout(120):
                await process.exited.wait()
            await process.output.settle()
            most_bytes = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert process.returncode == 0
        assert process.output.lines(STDERR)[-1] == "last"
        assert sum(map(len, process.output.lines(STDERR))) <= SIZE_MAX
        assert most_bytes < 2_000_000

    play(scene)


def test_only_the_last_lines_remain_and_control_characters_are_replaced(
    play: Callable[[Scene], None], tmp_path: Path
) -> None:
    async def scene(processes: BotProcesses) -> None:
        code = "sys.stderr.write(''.join(f'{n}\\n' for n in range(100)) + '\\x1b[2J\\tend\\n')"
        process = await processes.start("Bot", python(code), tmp_path, {})
        await process.exited.wait()
        await process.output.settle()
        lines = process.output.lines(STDERR)
        assert len(lines) == LINES_MAX
        assert lines[-2:] == ["99", "�[2J\tend"]

    play(scene)


@pytest.mark.parametrize(
    "argv", [["turnwright-no-such-program"], ["./gone"]], ids=["not on the PATH", "not in the directory"]
)
def test_a_missing_program_is_a_start_error(
    play: Callable[[Scene], None], tmp_path: Path, argv: list[str]
) -> None:
    async def scene(processes: BotProcesses) -> None:
        with pytest.raises(ParticipantStartError, match=f"Bot .*no program '{argv[0]}'"):
            await processes.start("Bot", argv, tmp_path, dict(os.environ))

    play(scene)


def test_a_directory_that_is_gone_is_a_start_error(play: Callable[[Scene], None], tmp_path: Path) -> None:
    async def scene(processes: BotProcesses) -> None:
        with pytest.raises(ParticipantStartError, match=r"its directory .*/gone "):
            await processes.start("Bot", python("pass"), tmp_path / "gone", {})

    play(scene)


def test_a_file_that_is_not_a_program_is_a_start_error(play: Callable[[Scene], None], tmp_path: Path) -> None:
    path = tmp_path / "Bot"
    path.touch()

    async def scene(processes: BotProcesses) -> None:
        with pytest.raises(ParticipantStartError, match="Permission denied"):
            await processes.start("Bot", [str(path)], tmp_path, {})

    play(scene)


def test_a_bot_that_obeys_is_stopped_immediately(play: Callable[[Scene], None], tmp_path: Path) -> None:
    async def scene(processes: BotProcesses) -> None:
        process = await processes.start("Bot", python("time.sleep(600)"), tmp_path, {})
        await process.stop()
        assert process.exit_text() == "signal SIGTERM"
        await process.stop()

    play(scene)


@pytest.mark.parametrize(
    "code", [IGNORES_TERM, DOUBLE_FORKS, HIDES], ids=["ignores", "double-forks", "hides"]
)
def test_a_bot_that_resists_is_killed_with_all_its_children(
    play: Callable[[Scene], None], tmp_path: Path, code: str
) -> None:
    async def scene(processes: BotProcesses) -> None:
        process = await processes.start("Bot", python(code), tmp_path, dict(os.environ))
        other = await processes.start("Other", python("time.sleep(600)"), tmp_path, {})
        await said(process, "up")
        assert process.alive
        await process.stop(grace_s=0.3)
        assert not process.alive
        assert not other.exited.is_set()

    play(scene)


def test_children_that_outlive_their_parent_still_count_as_alive_and_are_stopped(
    play: Callable[[Scene], None], tmp_path: Path
) -> None:
    async def scene(processes: BotProcesses) -> None:
        process = await processes.start(
            "Bot", ["bash", "-c", "sleep 600 & exit 0"], tmp_path, dict(os.environ)
        )
        await process.exited.wait()
        assert process.alive
        await process.stop()
        assert not process.alive

    play(scene)


def test_a_hundred_are_started_and_stopped(play: Callable[[Scene], None], tmp_path: Path) -> None:
    async def scene(processes: BotProcesses) -> None:
        many = [await processes.start(f"{n}", ["sleep", "600"], tmp_path, {}) for n in range(100)]
        await stop_all(many)
        assert all(process.exited.is_set() for process in many)

    play(scene)


def test_an_exception_stops_everything(tmp_path: Path) -> None:
    marks = []

    async def whole() -> None:
        async with BotProcesses() as processes:
            marks.append(processes.mark)
            await said(await processes.start("Bot", python(DOUBLE_FORKS), tmp_path, {}), "up")
            raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        asyncio.run(whole())
    assert guard.family(marks) == set()


TIDIES_UP = """
    print("up", file=sys.stderr, flush=True)
    while not os.path.exists("over"):
        time.sleep(0.01)
    time.sleep(0.3)
    print("tidy", file=sys.stderr, flush=True)
"""


def test_processes_get_time_to_end_and_the_server_waits_no_longer(
    play: Callable[[Scene], None], tmp_path: Path
) -> None:
    async def scene(processes: BotProcesses) -> None:
        process = await processes.start("Bot", python(TIDIES_UP), tmp_path, {})
        await said(process, "up")
        (tmp_path / "over").touch()
        async with asyncio.timeout(60):
            await processes.stop(leave_s=600)  # it returns when the process has ended
        assert process.returncode == 0
        assert process.output.lines(STDERR) == ["up", "tidy"]

    play(scene)


def test_a_bot_that_does_not_end_in_time_gets_a_signal(play: Callable[[Scene], None], tmp_path: Path) -> None:
    async def scene(processes: BotProcesses) -> None:
        process = await processes.start("Bot", ["sleep", "600"], tmp_path, {})
        await processes.stop(leave_s=0.1)
        assert process.exit_text() == "signal SIGTERM"

    play(scene)


@pytest.mark.skipif(not guard.reaches_orphans(), reason="this system gives nobody what was let go of")
@pytest.mark.parametrize("stays", [True, False])
def test_a_detached_child_without_its_environment_ends_too(
    play: Callable[[Scene], None], tmp_path: Path, stays: bool
) -> None:
    async def scene(processes: BotProcesses) -> None:
        code = LETS_GO + ("    time.sleep(600)" if stays else "")
        process = await processes.start("Bot", python(code), tmp_path, {})
        other = await processes.start("Other", ["sleep", "600"], tmp_path, {})
        await said(process, "up")
        if not stays:
            await process.exited.wait()
        let_go = int((tmp_path / "let-go").read_text())
        assert is_alive(let_go)
        assert process.alive
        await process.stop(0.2)
        assert not is_alive(let_go)
        assert not process.alive
        assert other.alive

    play(scene)


def test_a_killed_guard_is_replaced(play: Callable[[Scene], None], tmp_path: Path) -> None:
    async def scene(processes: BotProcesses) -> None:
        one = await processes.start("One", ["sleep", "600"], tmp_path, {})
        os.kill(guard_of(processes), signal.SIGKILL)
        await one.exited.wait()
        assert one.exit_text() == "signal SIGKILL"
        two = await processes.start("Two", ["sleep", "600"], tmp_path, {})
        assert two.alive

    play(scene)


LAUNCHER = """
import asyncio, sys
from contextlib import suppress
from pathlib import Path
from turnwright.net.processes.bot_process import BotProcesses
from turnwright.net.processes.output import STDERR

async def main():
    async with BotProcesses() as processes:
        for number, code in enumerate(sys.argv[1:]):
            argv = [sys.executable, "-I", "-S", "-c", code]
            process = await processes.start(str(number), argv, Path("."), {})
            while "up" not in process.output.lines(STDERR):
                await asyncio.sleep(0.01)
        print(processes.mark, flush=True)
        await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_nothing_is_left_when_a_signal_ends_us(tmp_path: Path, number: signal.Signals) -> None:
    codes = [
        python(code)[-1] for code in (IGNORES_TERM, DOUBLE_FORKS, HIDES, f"{LETS_GO}    time.sleep(600)")
    ]
    launcher = subprocess.Popen(
        [sys.executable, "-c", LAUNCHER, *codes],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert launcher.stdout is not None
        mark = launcher.stdout.readline().strip()
        assert len(guard.family([mark])) >= len(codes)
        let_go = int((tmp_path / "let-go").read_text())
        assert is_alive(let_go)
        launcher.send_signal(number)
        launcher.wait(60)
        wait_until(lambda: guard.family([mark]) == set())
        wait_until(lambda: not is_alive(let_go) or not guard.reaches_orphans())
    finally:
        launcher.kill()
        launcher.communicate()


def test_the_error_of_a_traceback_is_found_whatever_is_printed_after_it() -> None:
    trace = ["Traceback (most recent call last):", '  File "Mine.py", line 3, in run', "    1 / 0"]
    after = ["ZeroDivisionError: division by zero", "Mine.py:9: RuntimeWarning: never awaited", "  print(1)"]
    assert crash_in([*trace, *after]) == "ZeroDivisionError: division by zero"
    assert (
        crash_in(["thread 'main' panicked at src/main.rs:2:5:", "index out of bounds"])
        == "index out of bounds"
    )
    panic = "thread 'main' panicked at 'oh'"
    assert crash_in([panic, "  at x"]) == panic
