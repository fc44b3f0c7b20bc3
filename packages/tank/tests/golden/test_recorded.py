"""Records verify: those of battles played now, and those that older releases have left here."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from packages.tank.tests.golden.recorded import CORPUS, GAME_TYPES, RECORDS, corpus_file, packed, play
from turnwright.app.verify import verify_file
from turnwright.errors import RecordError
from turnwright.kernel.record import OnLate, Record
from turnwright.kernel.replay import Replayer
from turnwright.net.files.reader import read_record
from turnwright_tank.backends import extension
from turnwright_tank.game import TankGame
from turnwright_tank.wire.royale import setup

BATTLES = 300
BYTES_MAX = 400_000
FILES = sorted(RECORDS.rglob("*.twr"))
SPEEDS = ("interpreted", "compiled") if extension.available() else ("interpreted",)


@pytest.mark.long
def test_records_of_three_hundred_battles_verify(tmp_path: Path) -> None:
    path = tmp_path / "battle.twr"
    seen: Counter[str] = Counter()
    for number in range(BATTLES):
        on_late: OnLate = "drop" if number % 3 else "next"
        header, entries, footer = play(number, 30 + 10 * (number % 5), SPEEDS[number % len(SPEEDS)], on_late)
        path.write_bytes(packed(header, entries, footer))
        one = verify_file(path)
        assert one.error is None, number
        assert one.found is not None
        assert one.found.ok, (number, one.found.mismatch)
        assert (one.found.turns, one.truncated) == (len(entries), footer is None)
        seen.update([f"type {header.setup['game_type']}", f"ending {footer.ending if footer else None}"])
        seen.update([f"skip {header.rules.on_skip}", f"gone {header.rules.on_disconnect}"])
        seen.update({"teams": any(info.team is not None for info in header.seats)})
        seen.update({"droids": any(info.options["droid"] for info in header.seats)})
        for name in ("skipped", "late_ns", "gone", "disqualified", "keyframe", "answered", "server_late_ns"):
            seen[name] += sum(bool(getattr(entry, name)) for entry in entries)
    for name in ("over", "aborted", None):
        assert seen[f"ending {name}"] > 20
    assert all(seen[f"type {name}"] == BATTLES / len(GAME_TYPES) for name in GAME_TYPES)
    assert min(seen["skip repeat"], seen["skip idle"], seen["teams"], seen["droids"]) > 50
    assert min(seen[f"gone {name}"] for name in ("skip", "dead", "official")) > 50
    for name in ("skipped", "late_ns", "gone", "disqualified", "answered", "server_late_ns"):
        assert seen[name] > 50, name


def test_every_game_type_is_played() -> None:
    assert sorted(GAME_TYPES) == sorted(setup.GAME_TYPES)


def test_there_is_a_corpus_for_this_behaviour_version_and_it_is_small() -> None:
    assert (RECORDS / f"v{TankGame.behaviour_version}").is_dir(), "run `make golden`"
    assert sum(path.stat().st_size for path in FILES) <= BYTES_MAX * TankGame.behaviour_version


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_record_of_the_corpus_can_be_read_and_comes_out_as_recorded(path: Path) -> None:
    """One of an older behaviour version is refused with its version, as long as there are such."""
    record = read_record(path)
    version = int(path.parent.name.removeprefix("v"))
    assert record.header.behaviour_version == version
    if version != TankGame.behaviour_version:
        with pytest.raises(RecordError, match=f"behaviour version {version}"):
            Replayer(record, TankGame("interpreted"))
        return
    found = verify_file(path).found
    assert found is not None
    assert found.ok, found.mismatch
    assert found.turns == len(record.turns) > 20


@pytest.mark.parametrize("number", CORPUS)
def test_the_program_that_wrote_the_corpus_writes_it_again(number: int, tmp_path: Path) -> None:
    """All but the hash of the rules' text, how often answers are timed, and failures: these may change."""
    name, data = corpus_file(number)
    (tmp_path / name).write_bytes(data)
    committed = read_record(RECORDS / f"v{TankGame.behaviour_version}" / name)
    assert _played(read_record(tmp_path / name)) == _played(committed)


def _played(record: Record) -> Record:
    header = replace(record.header, rules_hash="")
    turns = [replace(entry, answered="", failures={}) for entry in record.turns]
    return replace(record, header=header, turns=turns)
