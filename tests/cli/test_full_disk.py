"""Every command that writes a file, on a disk without room: one line, an exit code, and nothing destroyed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from websockets.sync.server import ServerConnection

from tests.games.tank.app.odd_server import HELLO, MESSAGES, odd_server
from turnwright import run_battle
from turnwright.errors import EXIT_BAD_INPUT, EXIT_OK

pytestmark = pytest.mark.process

COMMANDS = {
    "trace": ("trace duel.twr -o older.txt", EXIT_BAD_INPUT),
    "trace as JSON lines": ("trace duel.twr --format jsonl -o older.jsonl", EXIT_BAD_INPUT),
    "convert": ("convert duel.twr older.battle.gz --force", EXIT_BAD_INPUT),
    "convert to a new file": ("convert duel.twr new.battle.gz", EXIT_BAD_INPUT),
    "convert to text": ("convert duel.twr older.battle --force", EXIT_BAD_INPUT),
    "one page": ("replay duel.twr --html older.html --force", EXIT_BAD_INPUT),
    "a record": ("battle Spinner Duck -n 1 --record older.twr", EXIT_OK),
    "a recording": ("battle Spinner Duck -n 1 --record older.battle.gz", EXIT_BAD_INPUT),
    "a record that must be": (
        "battle Spinner Duck -n 1 --record older.twr --record-required",
        EXIT_BAD_INPUT,
    ),
    "no record": ("battle Spinner Duck -n 1", EXIT_BAD_INPUT),
    "a branch": ("branch duel.twr --turn 1.3 --seat 1 --with Duck --record new.twr", EXIT_OK),
    "a new bot": ("new bot Wolf", EXIT_BAD_INPUT),
    "a new program": ("new world-bot wolf.py", EXIT_BAD_INPUT),
    "a world": ("world demo --port 0 --telnet-port 0 --no-open --data world.db", EXIT_BAD_INPUT),
    "a world's record": (
        "world demo --port 0 --telnet-port 0 --no-open --data :memory: --record older.twr",
        EXIT_BAD_INPUT,
    ),
    "records of a server": ("serve --port 0 --no-open --records kept --record-required", EXIT_BAD_INPUT),
    "records of a server in no place": ("serve --port 0 --no-open", EXIT_BAD_INPUT),
}
NO_ROOM = "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"
RUN = "runpy.run_module('turnwright.cli', run_name='__main__')"


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("full") / "duel.twr"
    run_battle("Spinner", "Rammer", rounds=1, seed=3, record=path)
    return path.read_bytes()


def on_a_full_disk(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder where no file can have a byte more."""
    return subprocess.run(
        [sys.executable, "-c", f"{NO_ROOM}; {RUN}", *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_on_a_full_disk_older_files_stay_and_no_part_of_a_new_one_is_left(
    name: str, record: bytes, tmp_path: Path
) -> None:
    words, code = COMMANDS[name]
    (tmp_path / "duel.twr").write_bytes(record)
    for suffix in ("txt", "jsonl", "battle.gz", "battle", "html", "twr"):
        (tmp_path / f"older.{suffix}").write_bytes(b"older")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    done = on_a_full_disk(tmp_path, *words.split())
    assert "internal error" not in done.stderr
    assert done.returncode == code, done.stderr
    files = {
        path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size
    }
    assert files == before
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    if code != EXIT_OK:
        assert done.stderr.strip()


@pytest.mark.parametrize("words", ["", "-o new.battle.gz", "-o older.battle.gz --force"])
def test_observing_a_server_on_a_full_disk_leaves_no_file(words: str, tmp_path: Path) -> None:
    older = tmp_path / "older.battle.gz"
    older.write_bytes(b"older")

    def show_two_games(socket: ServerConnection) -> None:
        socket.send(HELLO, text=True)
        socket.recv()
        for data in (*MESSAGES, *MESSAGES):
            socket.send(data, text=True)

    with odd_server(show_two_games) as url:
        done = on_a_full_disk(tmp_path, "observe", "-u", url, *words.split())
    assert done.returncode == EXIT_BAD_INPUT, done.stderr
    assert "File too large" in done.stderr
    assert done.stdout == "", "no path is given of a file that is not there"
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [(older.name, b"older")]
