from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.messages import says
from turnwright.app.options import ServeOptions
from turnwright.app.rooms import RoomSetup
from turnwright.cli.__main__ import main
from turnwright.cli.parser import parse
from turnwright.cli.serve import options_of, secrets_of


def options(*words: str) -> ServeOptions:
    command = parse(["serve", "--game", "snake", *words])
    assert not isinstance(command, int)
    return options_of(command.given, secrets_of(command.given))


@pytest.fixture(autouse=True)
def _no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for role in ("BOT", "CONTROLLER"):
        monkeypatch.delenv(f"TURNWRIGHT_{role}_SECRETS", raising=False)


def test_the_defaults_of_the_command_are_those_of_the_options() -> None:
    given = options()
    assert (given.port, given.tps, given.host_name) == (7654, 30, "localhost")
    assert (given.debug_mode, given.breakpoint_mode) == (True, True)
    assert (given.bot_secrets, given.controller_secrets) == (frozenset(), frozenset())
    assert (given.seed, given.turn_timeout_cap_us, given.records) == (None, None, None)


@pytest.mark.parametrize(
    ("words", "name", "value"),
    [
        (["-p", "8000"], "port", 8000),
        (["--port=8000"], "port", 8000),
        (["-p", "inherit"], "port", "inherit"),
        (["-c", "a b,c"], "controller_secrets", frozenset({"ab", "c"})),
        (["--bot-secrets", "x"], "bot_secrets", frozenset({"x"})),
        (["-t", "-1"], "tps", -1),
        (["--tps=-1"], "tps", -1),
        (["--tps", "0"], "tps", 0),
        (["--no-debug-mode"], "debug_mode", False),
        (["--debug-mode"], "debug_mode", True),
        (["--no-breakpoint-mode"], "breakpoint_mode", False),
        (["--host", "127.0.0.1"], "host_name", "127.0.0.1"),
        (["--insecure", "--host", "0.0.0.0"], "insecure", True),
        (
            ["--origin", "https://a", "--origin", "https://b"],
            "origins",
            frozenset({"https://a", "https://b"}),
        ),
        (["--known-as", "game.example"], "names", frozenset({"game.example"})),
        (
            ["--insecure", "--trusted-proxy", "localhost", "--trusted-proxy", "10.0.0.0/8"],
            "trusted_proxies",
            ("localhost", "10.0.0.0/8"),
        ),
        (["-s", "5"], "seed", 5),
        (["--turn-timeout", "20ms"], "turn_timeout_cap_us", 20_000),
        (["--opening-timeout", "1s"], "opening_timeout_us", 1_000_000),
        (["--opening-timeout", "5000us"], "opening_timeout_us", 5000),
        (["--on-skip", "idle"], "on_skip", "idle"),
        (["--max-skipped", "0"], "max_skipped", 0),
        (["--on-disconnect", "official"], "on_disconnect", "official"),
        (["--records", "r"], "records", Path("r")),
        (["--records", "r", "--record-required"], "record_required", True),
        (["--bots", ".", "--bots", "/"], "bots", (Path("."), Path("/"))),
        (["--python", "python3"], "python", "python3"),
    ],
)
def test_every_option_arrives(words: list[str], name: str, value: Any) -> None:
    assert getattr(options(*words), name) == value


def test_secrets_of_a_file_and_the_environment_count_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "secrets"
    file.write_text("one\ntwo\n")
    monkeypatch.setenv("TURNWRIGHT_BOT_SECRETS", "three")
    assert options("--bot-secrets-file", str(file)).bot_secrets == frozenset({"one", "two", "three"})
    assert capsys.readouterr().err == ""


def test_secrets_on_the_command_line_come_with_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    options("-c", "secret")
    assert says(capsys.readouterr().err, "--controller-secrets … --controller-secrets-file")


def test_a_timeout_below_a_millisecond_is_answered_with_a_hint(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("turnwright.app.serve.serve", lambda *_: True)
    assert main(["serve", "--game", "snake", "--turn-timeout", "30us"]) == 0
    assert says(capsys.readouterr().err, "--turn-timeout … 30us … 30ms")
    assert main(["serve", "--game", "snake", "--turn-timeout", "1ms"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-p", "abc"], "-p … 'abc' … port"),
        (["-p", "80"], "-p is 80"),
        (["-p", "inherit"], "socket … systemd socket unit"),
        (["-t", "1001"], "-t … 1001"),
        (["--games", "classic"], "--games"),
        (["--host", "0.0.0.0"], "--insecure"),
        (["--bot-secrets-file", "/nowhere"], "--bot-secrets-file is /nowhere"),
        (["--python", "nopython"], "--python nopython"),
        (["--origin", "example.org"], "--origin is example.org … https://"),
        (["--turn-timeout", "0"], "--turn-timeout … '0' … unit"),
        (["--turn-timeout", "0s"], "--turn-timeout … 0s … 1us to 1h"),
        (["-p", "0", "--records", __file__], "file … another directory"),
        (["extra"], "'extra' … `turnwright serve --help`"),
    ],
)
def test_an_impossible_server_is_refused_in_one_line_with_exit_code_2(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--game", "snake", *words]) == 2
    err = capsys.readouterr().err
    assert says(err, said)
    assert err.count("\n") == 1


@pytest.fixture
def pipe_of_a_secret() -> Iterator[str]:
    """Yield the path of a pipe with a secret, like <(pass show x). A second read finds it empty."""
    read, write = os.pipe()
    os.write(write, b"from-a-pipe\n")
    os.close(write)
    yield f"/dev/fd/{read}"
    os.close(read)


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="no /dev/fd here")
def test_a_class_is_served_with_a_secret_of_a_pipe_that_is_not_printed(
    pipe_of_a_secret: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    served = []

    def serve(options: ServeOptions, announce: Callable[[str, str], None], _: str) -> bool:
        announce("ws://localhost:7654", "http://localhost:7654")
        served.append(options.controller_secrets)
        return True

    monkeypatch.setattr("turnwright.app.serve.serve", serve)
    words = ["--lan", "--no-open", "--controller-secrets-file", pipe_of_a_secret]
    assert main(["serve", "--game", "snake", *words]) == 0
    assert served == [frozenset({"from-a-pipe"})]
    assert "from-a-pipe" not in capsys.readouterr().out


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="no /dev/fd here")
def test_all_rooms_have_the_secret_of_a_pipe(pipe_of_a_secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    served = []

    def serve_rooms(options: ServeOptions, rooms: Sequence[RoomSetup], _: object) -> bool:
        served.extend(one.controller_secrets for one in (options, *(room.options for room in rooms)))
        return True

    monkeypatch.setattr("turnwright.app.rooms.serve_rooms", serve_rooms)
    words = ["--rooms", "a,b", "--controller-secrets-file", pipe_of_a_secret]
    assert main(["serve", "--game", "snake", *words]) == 0
    assert served == [frozenset({"from-a-pipe"})] * 3
