"""Commands of the tank that write a file, on a disk without room: an exit code, and nothing destroyed."""

from __future__ import annotations

from pathlib import Path

import pytest
from websockets.sync.server import ServerConnection

from packages.core.tests.cli.full_disk import check_on_a_full_disk, on_a_full_disk
from packages.tank.tests.app.odd_server import HELLO, MESSAGES, odd_server
from turnwright import run_battle
from turnwright.errors import EXIT_BAD_INPUT, EXIT_OK

pytestmark = pytest.mark.process

COMMANDS = {
    "trace": ("trace duel.twr -o older.txt", EXIT_BAD_INPUT),
    "trace as JSON lines": ("trace duel.twr --format jsonl -o older.jsonl", EXIT_BAD_INPUT),
    "convert": ("convert duel.twr older.battle.gz --force", EXIT_BAD_INPUT),
    "convert to a new file": ("convert duel.twr new.battle.gz", EXIT_BAD_INPUT),
    "convert to text": ("convert duel.twr older.battle --force", EXIT_BAD_INPUT),
    "a recording": ("battle Spinner Duck -n 1 --record older.battle.gz", EXIT_BAD_INPUT),
    "no record": ("battle Spinner Duck -n 1", EXIT_BAD_INPUT),
    "a branch": ("rerun duel.twr --from 1.3 --seat 1 --with Duck --record new.twr", EXIT_OK),
    "a new bot": ("new bot Wolf", EXIT_BAD_INPUT),
}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("full") / "duel.twr"
    run_battle("Spinner", "Rammer", rounds=1, seed=3, record=path)
    return path.read_bytes()


@pytest.mark.parametrize("name", COMMANDS)
def test_on_a_full_disk_older_files_stay_and_no_part_of_a_new_one_is_left(
    name: str, record: bytes, tmp_path: Path
) -> None:
    check_on_a_full_disk(tmp_path, record, *COMMANDS[name])


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
