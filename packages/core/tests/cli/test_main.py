from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from packages.core.tests.messages import says
from turnwright.cli import __main__ as entry
from turnwright.cli.__main__ import main
from turnwright.cli.parser import GivenOptions, ParsedCommand
from turnwright.errors import ParticipantStartError, RecordError, SetupError, VoidBattleError


def run_instead(monkeypatch: pytest.MonkeyPatch, act: Callable[[GivenOptions], int]) -> None:
    """Let every command line be parsed into a command that calls `act`."""
    command = ParsedCommand(act, GivenOptions({}), "turnwright command")
    monkeypatch.setattr(entry, "parse", lambda _: command)


def run_with(monkeypatch: pytest.MonkeyPatch, error: BaseException, *words: str) -> int:
    def act(_: GivenOptions) -> int:
        raise error

    run_instead(monkeypatch, act)
    return main(["command", *words])


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (SetupError("wrong"), 2),
        (RecordError("wrong"), 2),
        (ParticipantStartError("wrong"), 3),
        (VoidBattleError("wrong"), 1),
    ],
)
def test_our_errors_are_one_line_and_their_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception, code: int
) -> None:
    assert run_with(monkeypatch, error) == code
    assert capsys.readouterr() == ("", "turnwright: wrong\n")


def test_an_error_does_nothing_to_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_with(monkeypatch, ParticipantStartError("a\x1b[2J\u202eb ended\nlast lines:\n  \x07bye"))
    assert capsys.readouterr().err == "turnwright: a\ufffd[2J\ufffdb ended\nlast lines:\n  \ufffdbye\n"


def test_an_interrupt_ends_with_exit_code_130(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_with(monkeypatch, KeyboardInterrupt()) == 130


def test_sigterm_ends_with_exit_code_130_and_things_are_tidied_up(monkeypatch: pytest.MonkeyPatch) -> None:
    tidied = []

    def act(_: GivenOptions) -> int:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(5)
        finally:
            tidied.append(True)
        return 0

    before = signal.getsignal(signal.SIGTERM)
    run_instead(monkeypatch, act)
    assert main(["command"]) == 130
    assert tidied == [True]
    assert signal.getsignal(signal.SIGTERM) == before


def test_an_internal_error_ends_with_exit_code_1_and_a_traceback_only_if_wanted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("TURNWRIGHT_DEBUG", raising=False)
    assert run_with(monkeypatch, ValueError("oops")) == 1
    quiet = capsys.readouterr().err
    assert "internal error: ValueError: oops" in quiet
    assert "Traceback" not in quiet
    assert run_with(monkeypatch, ValueError("oops"), "--verbose") == 1
    assert "Traceback" in capsys.readouterr().err
    monkeypatch.setenv("TURNWRIGHT_DEBUG", "1")
    assert run_with(monkeypatch, ValueError("oops")) == 1
    assert "Traceback" in capsys.readouterr().err


def test_bad_arguments_end_with_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["battle", "--game", "snake", "--seed", "many"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_no_command_shows_the_help_and_ends_with_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "usage: turnwright" in captured.err


@pytest.mark.parametrize("typed", ["new-game", "game"])
def test_a_command_below_another_is_proposed(typed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([typed]) == 2
    assert "did you mean `turnwright new game`?" in capsys.readouterr().err


def turnwright(*words: str, environ: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "turnwright.cli", *words],
        capture_output=True,
        text=True,
        check=False,
        env=environ,
    )


@pytest.mark.process
def test_output_to_a_full_disk_ends_with_one_line_and_exit_code_2() -> None:
    with open("/dev/full", "w") as full:
        words = [sys.executable, "-m", "turnwright.cli", "doctor"]
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert says(done.stderr, f"turnwright: … {os.strerror(errno.ENOSPC)}")
    assert done.stderr.count("\n") == 1


@pytest.mark.process
@pytest.mark.parametrize(("closed", "said"), [("1", ""), ("2", '{"version": ')])
def test_a_stream_that_is_closed_takes_nothing_and_the_other_one_its_own(closed: str, said: str) -> None:
    command = f"exec {sys.executable} -m turnwright.cli doctor --json {closed}>&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(said)
    assert bool(done.stdout) == bool(said)


@pytest.mark.process
def test_the_version_names_itself_python_and_the_speed() -> None:
    done = turnwright("--version")
    speed = r"(, rules: (interpreted|compiled))?"
    assert re.fullmatch(rf"turnwright \d+\.\d+\.\d+\S* on CPython 3\.\d+\.\S+?{speed}\n", done.stdout)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.process
def test_the_version_imports_nothing_heavy() -> None:
    code = (
        "import sys; from turnwright.cli.__main__ import main\n"
        "try: main(['--version'])\n"
        "except SystemExit: pass\n"
        "heavy = ('asyncio', 'msgspec', 'numpy', 'rich', 'websockets')\n"
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.process
@pytest.mark.parametrize("words", ["--help", "battle --help", "doctor"])
def test_a_reader_that_stops_reading_causes_no_error(words: str) -> None:
    """It is a command such as `head -1`, which has enough."""
    command = f"set -o pipefail; {sys.executable} -m turnwright.cli {words} | head -c 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.process
def test_a_terminal_without_our_letters_still_gets_an_answer() -> None:
    environ = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = turnwright("verify", "--help", environ=environ)
    assert done.returncode == 0
    assert "usage: turnwright verify" in done.stdout


@pytest.mark.process
def test_ctrl_c_while_python_works_ends_with_exit_code_130() -> None:
    code = (
        "import time, turnwright.cli.__main__ as entry\n"
        "from turnwright.cli.parser import GivenOptions, ParsedCommand\n"
        "def act(_): print('up', flush=True); time.sleep(60)\n"
        "entry.parse = lambda _: ParsedCommand(act, GivenOptions({}), 'turnwright x')\n"
        "raise SystemExit(entry.main(['x']))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(0.05)
    process.send_signal(2)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")
