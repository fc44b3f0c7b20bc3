from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from packages.core.tests.messages import missing, naming
from packages.world.tests.cli.demo_players import Telnet, demo
from turnwright.cli.__main__ import main
from turnwright.errors import SetupError
from turnwright_world.cli import new_world_bot
from turnwright_world.cli.new_world_bot import create_world_bot


def test_a_new_program_is_fifteen_lines(tmp_path: Path) -> None:
    code = create_world_bot(tmp_path / "grey_wolf.py").read_text()
    assert "class GreyWolf(WorldBot):" in code
    assert len([line for line in code.splitlines() if line.strip()]) == 15
    compile(code, "grey_wolf.py", "exec")


@pytest.mark.parametrize(
    "name", ["wolf", "2wolf.py", "a.py", "wölf.py", "random.py", "no-such/wolf.py", "w2.py"]
)
def test_bad_names_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(SetupError):
        create_world_bot(tmp_path / name)


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wolf.py"
    path.write_text("mine")
    assert main(["new", "world-bot", str(path)]) == 2
    assert "already exists" in capsys.readouterr().err
    assert path.read_text() == "mine"


def test_a_place_that_cannot_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(new_world_bot, "write_file", refuse)
    assert main(["new", "world-bot", str(tmp_path / "wolf.py")]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert not missing(said.err, tmp_path / "wolf.py", "Read-only file system", "another place")


@pytest.mark.process
def test_a_new_world_bot_plays_unchanged_and_reports_a_missing_world(tmp_path: Path) -> None:
    assert main(["new", "world-bot", str(tmp_path / "wolf.py")]) == 0
    environ = {**os.environ, "SERVER_URL": "ws://127.0.0.1:9"}
    run = [sys.executable, "wolf.py"]
    failed = subprocess.run(
        run, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=60, check=False
    )
    assert failed.returncode == 3
    assert naming(failed.stderr, "Wolf", "no world", "ws://127.0.0.1:9")
    with demo(tmp_path, "--seed", "5", "--turn", "100ms") as server:
        ann = Telnet(server.telnet_port)
        ann.sees("or guest: ")
        ann.type("Ann")
        ann.sees("The square")
        with subprocess.Popen(run, cwd=tmp_path, env={**environ, "SERVER_URL": server.url}) as wolf:
            ann.sees("Wolf goes ")
            wolf.terminate()
