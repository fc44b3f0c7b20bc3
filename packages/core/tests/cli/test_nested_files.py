"""Files that are nested too deeply for any reader: every command reports this in one line and ends with 2."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from packages.core.tests.cli.nested import DEPTHS, nested, refuses_a_nested_header
from packages.core.tests.messages import missing
from turnwright import run_battle
from turnwright.cli.__main__ import main
from turnwright.errors import EXIT_BAD_INPUT
from turnwright.wire.nesting_bound import LEVELS_MAX

COMMANDS = {
    "verify": ["verify"],
    "replay": ["replay", "--no-open"],
    "html": ["replay", "--html", "out.html"],
}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nested") / "duel.twr"
    run_battle("Greedy", "Wanderer", game="snake", turns=20, seed=3, record=path)
    return path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("place", [b'"setup":{', b'"rules":{'])
def test_a_record_with_a_nested_header_is_bad_input(
    name: str, depth: int, place: bytes, record: Path, here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    refuses_a_nested_header([*COMMANDS[name], "nested.twr"], record, place, depth, capfd)


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_record_with_a_nested_turn_is_bad_input(
    depth: int, record: Path, here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = gzip.decompress(record.read_bytes()).splitlines(keepends=True)
    lines[5] = b'{"i":{"0":{"x":' + nested(depth) + b"}}," + lines[5][1:]
    path = here / "nested.twr"
    path.write_bytes(gzip.compress(b"".join(lines)))
    assert main(["verify", str(path)]) == EXIT_BAD_INPUT
    assert not missing(capfd.readouterr().err, path, "line 6", f"{LEVELS_MAX} levels")
