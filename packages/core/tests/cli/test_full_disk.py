"""Every command that writes a file, on a disk without room: one line, an exit code, and nothing destroyed."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages.core.tests.cli.full_disk import check_on_a_full_disk
from turnwright import run_battle
from turnwright.errors import EXIT_BAD_INPUT, EXIT_OK

pytestmark = pytest.mark.process

COMMANDS = {
    "one page": ("replay duel.twr --html older.html --force", EXIT_BAD_INPUT),
    "a record": ("battle --game snake Greedy Wanderer --record older.twr", EXIT_OK),
    "a record that must be": (
        "battle --game snake Greedy Wanderer --record older.twr --record-required",
        EXIT_BAD_INPUT,
    ),
    "a new bot": ("new bot --game snake Wolf", EXIT_BAD_INPUT),
    "a new game": ("new game wolf", EXIT_BAD_INPUT),
    "a new program": ("new world-bot wolf.py", EXIT_BAD_INPUT),
    "a world": ("world serve --port 0 --telnet-port 0 --no-open --data world.db", EXIT_BAD_INPUT),
    "a world's record": (
        "world serve --port 0 --telnet-port 0 --no-open --data :memory: --record older.twr",
        EXIT_BAD_INPUT,
    ),
    "records of a server": (
        "serve --game snake --port 0 --no-open --records kept --record-required",
        EXIT_BAD_INPUT,
    ),
    "records of a server in no place": ("serve --game snake --port 0 --no-open", EXIT_BAD_INPUT),
}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("full") / "duel.twr"
    run_battle("Greedy", "Wanderer", game="snake", turns=20, seed=3, record=path)
    return path.read_bytes()


@pytest.mark.parametrize("name", COMMANDS)
def test_on_a_full_disk_older_files_stay_and_no_part_of_a_new_one_is_left(
    name: str, record: bytes, tmp_path: Path
) -> None:
    check_on_a_full_disk(tmp_path, record, *COMMANDS[name])
