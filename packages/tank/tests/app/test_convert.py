from __future__ import annotations

import dataclasses
import gzip
from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from packages.tank.tests.wire.recording.official_reader import check_lines, read_official
from packages.tank.tests.wire.recording.shown_battles import a_setup, play, some_seats, write_record
from turnwright.errors import MismatchError, RecordError, SetupError
from turnwright_tank.app.convert import SUFFIXES, convert
from turnwright_tank.wire.royale.setup import GAME_TYPES

TOLD = play(a_setup(), some_seats(3))


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return write_record(TOLD, tmp_path / "x.twr")


@pytest.mark.parametrize("game_type", GAME_TYPES)
def test_records_of_every_game_type_become_files_for_official_readers(tmp_path: Path, game_type: str) -> None:
    setup = a_setup(game_type)
    teams = game_type == "twinduel"
    told = play(setup, some_seats(max(2, setup.min_number_of_participants), teams=teams, droids=teams))
    done = convert(write_record(told, tmp_path / "x.twr"), tmp_path / "x.battle.gz")
    assert gzip.decompress(done.target.read_bytes()).splitlines() == told.messages
    assert len(read_official(done.target)) == done.lines == len(told.messages)
    assert (done.ending, done.kind, done.notes) == ("over", "record", [])
    assert done.size == done.target.stat().st_size


def test_an_aborted_battle_is_a_whole_file_too(tmp_path: Path) -> None:
    told = play(a_setup(), some_seats(4), turns=30)
    done = convert(write_record(told, tmp_path / "x.twr"), tmp_path / "x.battle.gz")
    assert read_official(done.target)[-1] == {"type": "GameAbortedEvent"}
    assert done.ending == "aborted"


def test_a_record_that_was_cut_off_is_converted_as_far_as_it_goes(tmp_path: Path) -> None:
    told = play(a_setup(), some_seats(4), turns=30, ending="cut off")
    done = convert(write_record(told, tmp_path / "x.twr"), tmp_path / "x.battle.gz")
    assert len(read_official(done.target, whole=False)) == 31
    assert done.ending is None
    assert not missing(*done.notes, tmp_path / "x.twr", "truncated")


@pytest.mark.parametrize("suffix", [suffix for suffix in SUFFIXES if suffix != ".battle.gz"])
def test_plain_text_holds_the_same_lines(record: Path, tmp_path: Path, suffix: str) -> None:
    done = convert(record, tmp_path / f"y{suffix}")
    assert done.target.read_bytes().splitlines() == TOLD.messages
    again = convert(done.target, tmp_path / "z.battle.gz")
    assert again.kind == "royale"
    assert gzip.decompress(again.target.read_bytes()).splitlines() == TOLD.messages


def test_a_recording_is_mended_line_by_line_unchanged(tmp_path: Path) -> None:
    odd = b'{"turnNumber":1, "type":"GameAbortedEvent" }'
    source = tmp_path / "x.battle"
    known = b'{"type":"RoundStartedEvent","roundNumber":1}'
    source.write_bytes(b"\r\n".join((*TOLD.messages[:9], b"nonsense", known, odd)))
    done = convert(source, tmp_path / "y.battle.gz")
    assert gzip.decompress(done.target.read_bytes()).splitlines() == [*TOLD.messages[:9], odd]
    assert [note.split(":")[0] for note in done.notes] == ["line 10"]
    assert done.ending == "aborted"


def test_a_recording_that_was_cut_off_gets_a_proper_end_of_file(tmp_path: Path) -> None:
    source = tmp_path / "x.battle.gz"
    source.write_bytes(gzip.compress(b"\n".join(TOLD.messages))[:4000])
    done = convert(source, tmp_path / "y.battle.gz")
    lines = gzip.decompress(done.target.read_bytes()).splitlines()
    assert check_lines(lines, whole=False)
    assert lines == TOLD.messages[: len(lines)]
    assert not missing(*done.notes, "truncated")


def test_progress_is_reported_up_to_the_end(record: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    convert(record, tmp_path / "y.battle", on_progress=lambda *how: told.append(how))
    read = [how for how in told if how[2] == "bytes"]
    played = [how for how in told if how[2] == "turns"]
    size, turns = record.stat().st_size, len(TOLD.record.turns)
    assert (read[-1], played[-1]) == ((size, size, "bytes"), (turns, turns, "turns"))
    assert told == sorted(read) + sorted(played)
    told.clear()
    convert(tmp_path / "y.battle", tmp_path / "z.battle", on_progress=lambda *how: told.append(how))
    size = (tmp_path / "y.battle").stat().st_size
    assert told == sorted(told)
    assert told[-1] == (size, size, "bytes")


# ---- what cannot be done -------------------------------------------------------------------------------


def test_a_record_that_comes_out_differently_leaves_no_file(tmp_path: Path) -> None:
    told = play(a_setup(), some_seats(3), turns=20)
    told.record.turns[11] = dataclasses.replace(told.record.turns[11], digest="0" * 16)
    path = write_record(told, tmp_path / "x.twr")
    with pytest.raises(MismatchError, match=r"x\.twr: turn 12 differs"):
        convert(path, tmp_path / "y.battle.gz")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("y.twr", "already a record.*copy it"),
        ("y.zip", r"\.battle\.gz, \.battle, \.jsonl"),
        ("y", r"/y has .*\.battle\.gz"),
        ("none/y.battle", "no directory"),
        ("taken.battle", "already exists.*another name.*--force"),
        ("folder.battle", "already exists"),
    ],
)
def test_a_target_that_cannot_be_is_refused(record: Path, tmp_path: Path, name: str, complaint: str) -> None:
    (tmp_path / "taken.battle").write_text("mine")
    (tmp_path / "folder.battle").mkdir()
    with pytest.raises(SetupError, match=complaint):
        convert(record, tmp_path / name, force=name == "folder.battle")
    assert (tmp_path / "taken.battle").read_text() == "mine"


def test_no_record_can_be_made_of_a_recording(tmp_path: Path) -> None:
    source = tmp_path / "x.battle"
    source.write_bytes(b"\n".join(TOLD.messages))
    with pytest.raises(SetupError, match=r"y\.twr: .*record.* \.battle\.gz"):
        convert(source, tmp_path / "y.twr")


def test_force_replaces_a_file_but_never_the_input_file(record: Path, tmp_path: Path) -> None:
    target = tmp_path / "y.battle"
    target.write_text("mine")
    assert convert(record, target, force=True).lines == len(TOLD.messages)
    assert target.read_bytes().splitlines() == TOLD.messages
    with pytest.raises(SetupError, match=r"y.battle.* input file"):
        convert(target, target, force=True)


def test_a_source_that_holds_nothing_leaves_no_file(tmp_path: Path) -> None:
    source = tmp_path / "x.battle"
    source.write_bytes(b'{"type":"BotListUpdate","bots":[]}\n')
    with pytest.raises(RecordError, match=r"x.battle.*no turn of a battle"):
        convert(source, tmp_path / "y.battle.gz")
    assert list(tmp_path.iterdir()) == [source]
