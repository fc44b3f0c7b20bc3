"""Records and recordings of tanks that are nested too deeply for any reader, in the tank's commands."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from packages.core.tests.cli.nested import DEPTHS, nested, refuses_a_nested_header
from packages.core.tests.messages import missing
from turnwright import run_battle
from turnwright.cli.__main__ import main
from turnwright.errors import EXIT_BAD_INPUT, EXIT_OK
from turnwright.wire.nesting_bound import LEVELS_MAX

COMMANDS = {
    "trace": ["trace"],
    "convert": ["convert"],
    "text": ["replay", "--text"],
    "once": ["replay", "--text", "--once"],
    "rehearse": ["rerun", "--seat", "1", "--with", "Duck"],
    "play on": ["rerun", "--from", "1.5", "--seat", "1", "--with", "Duck"],
}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nested") / "duel.twr"
    run_battle("Spinner", "Rammer", rounds=1, seed=3, record=path)
    return path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("place", [b'"setup":{', b'"options":{', b'"announced":{'])
def test_a_record_with_a_nested_header_is_bad_input(
    name: str, depth: int, place: bytes, record: Path, here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    output = ["out.battle.gz"] if name == "convert" else []
    refuses_a_nested_header([*COMMANDS[name], "nested.twr", *output], record, place, depth, capfd)


@pytest.mark.parametrize("name", ["trace", "text", "convert"])
@pytest.mark.parametrize("depth", DEPTHS)
def test_nested_lines_of_a_recording_are_skipped_and_named(
    name: str, depth: int, record: Path, here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = here / "nested.battle.gz"
    assert main(["convert", str(record), str(path)]) == EXIT_OK
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    # no decoder takes it at once: fields are missing, so it is looked at a second and a third time
    lines[3] = b'{"type":"TickEventForObserver","x":' + nested(depth) + b"}\n"
    path.write_bytes(gzip.compress(b"".join(lines)))
    capfd.readouterr()
    output = [str(here / "out.battle.gz")] if name == "convert" else []
    assert main([*COMMANDS[name], str(path), *output]) in (EXIT_OK, EXIT_BAD_INPUT)
    assert not missing(capfd.readouterr().err, "line 4", f"{LEVELS_MAX} levels")
