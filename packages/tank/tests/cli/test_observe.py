from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.messages import missing, naming
from packages.tank.tests.wire.recording.shown_battles import a_setup, play, some_seats
from turnwright.cli.__main__ import main
from turnwright.errors import SetupError
from turnwright_tank.app import observe as observing
from turnwright_tank.app.recordings import RoyaleFiles
from turnwright_tank.wire.royale import messages as m

MESSAGES = play(a_setup(), some_seats(2)).messages
SERVER = m.ServerHandshake(session_id="s", name="a\x1bserver", variant="x", version="9", game_types=())
Script = Callable[..., list[Any]]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Script:
    """A server that shows some messages, ends or is interrupted; gives what was asked of it."""
    monkeypatch.delenv("TURNWRIGHT_CONTROLLER_SECRETS", raising=False)
    monkeypatch.chdir(tmp_path)

    def show(*messages: bytes, interrupted: bool = False, error: Exception | None = None) -> list[Any]:
        asked: list[Any] = []

        def observe(watch: Any, files: RoyaleFiles, on_server: Any, on_look: Any) -> bool:
            asked.append(watch)
            if error is not None:
                raise error
            on_server(SERVER)
            for data in messages:
                files.take(data)
                on_look()
            files.finish()
            return interrupted

        monkeypatch.setattr(observing, "observe", observe)
        return asked

    return show


def test_the_path_of_each_game_goes_to_stdout(shown: Script, capsys: pytest.CaptureFixture[str]) -> None:
    shown(*MESSAGES, *MESSAGES)
    assert main(["observe"]) == 0
    out, err = capsys.readouterr()
    paths = [Path(line) for line in out.splitlines()]
    assert [path.is_file() for path in paths] == [True, True]
    assert all(path.name.startswith("game-2") and path.name.endswith(".battle.gz") for path in paths)
    server, begins, ends = err.splitlines()[:3]
    assert not missing(server, "a\N{REPLACEMENT CHARACTER}server 9", "ws://localhost:7654")
    assert not missing(begins, paths[0])
    assert not missing(ends, paths[0], "over", f"{len(MESSAGES):,} lines")


def test_json_has_the_outcome_of_each_file(shown: Script, capsys: pytest.CaptureFixture[str]) -> None:
    shown(*MESSAGES, *MESSAGES[:4])
    assert main(["observe", "--json", "-o", "x.battle.gz"]) == 0
    out, _ = capsys.readouterr()
    assert json.loads(out) == {
        "url": "ws://localhost:7654",
        "server": {"name": "a\x1bserver", "version": "9"},
        "files": [
            {"file": "x.battle.gz", "ending": "over", "lines": len(MESSAGES), "error": None},
            {"file": "x-2.battle.gz", "ending": None, "lines": 4, "error": None},
        ],
    }


def test_an_interruption_is_an_error_only_within_a_game(
    shown: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    shown(*MESSAGES[:4], interrupted=True)
    assert main(["observe"]) == 130
    assert "truncated, 4 lines" in capsys.readouterr().err
    shown(*MESSAGES, interrupted=True)
    assert main(["observe", "-o", "y.battle.gz"]) == 0
    shown(interrupted=True)
    assert main(["observe"]) == 0
    assert "no game was played" in capsys.readouterr().err


def test_a_file_that_could_not_be_written_is_an_error(
    shown: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    shown(*MESSAGES)
    assert main(["observe", "-o", "/proc/x.battle.gz"]) == 2
    assert naming(capsys.readouterr().err, "/proc/x.battle.gz", os.strerror(errno.ENOENT))


def test_the_secret_comes_from_where_it_is_given(
    shown: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secret").write_text("filed\n")
    asked = shown()
    for words in (["--secret-file", "secret"], ["--secret", "typed"], []):
        assert main(["observe", "--url", "ws://far:1", "--games", "3", *words]) == 0
    monkeypatch.setenv("TURNWRIGHT_CONTROLLER_SECRETS", "known")
    assert main(["observe"]) == 0
    assert [watch.secret for watch in asked] == ["filed", "typed", None, "known"]
    assert (asked[0].url, asked[0].games) == ("ws://far:1", 3)
    err = capsys.readouterr().err
    assert len(naming(err, "read by everyone")) == 1
    assert "typed" not in err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--games", "0"], "--games is 0: give 1 or more"),
        (
            ["-o", "nowhere"],
            "-o nowhere: this is neither a directory nor a name that ends with .battle.gz",
        ),
        (["--out", "x.twr"], "--out x.twr: this is neither"),
        (["-o", "nowhere/x.battle.gz"], "no directory nowhere"),
        (["-o", "x.twr"], "ends with .battle.gz: give one"),
        (["-o", "taken.battle.gz"], "already exists"),
        (["--secret-file", "none"], "--secret-file is none (No such file"),
    ],
)
def test_bad_input_is_refused_in_one_line(
    shown: Script, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], complaint: str
) -> None:
    shown()
    (tmp_path / "taken.battle.gz").write_text("mine")
    assert main(["observe", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert complaint in line
    assert (tmp_path / "taken.battle.gz").read_text() == "mine"


def test_force_replaces_a_file(shown: Script, tmp_path: Path) -> None:
    shown(*MESSAGES)
    (tmp_path / "taken.battle.gz").write_text("mine")
    assert main(["observe", "-o", "taken.battle.gz", "--force"]) == 0
    assert (tmp_path / "taken.battle.gz").read_bytes().startswith(b"\x1f\x8b")


def test_a_missing_server_is_reported(shown: Script, capsys: pytest.CaptureFixture[str]) -> None:
    shown(error=SetupError("no server at ws://x"))
    assert main(["observe"]) == 2
    assert capsys.readouterr().err == "turnwright: no server at ws://x\n"
