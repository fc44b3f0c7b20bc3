from __future__ import annotations

import gc
import gzip
from pathlib import Path

import msgspec
import pytest

from packages.core.tests.messages import missing
from turnwright import run_battle
from turnwright.errors import RecordError
from turnwright.kernel.replay import Replayer
from turnwright.net.files.reader import read_record
from turnwright_tank.app.battle_files import BattleFile, open_battle_file
from turnwright_tank.cli.replay_text import run_text
from turnwright_tank.game import TankGame
from turnwright_tank.wire.recording.from_record import messages_of


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("files") / "duel.twr"
    run_battle("Spinner", "Rammer", "Ace", rounds=3, seed=3, record=path)
    return path


@pytest.fixture(scope="module")
def royale(record: Path) -> Path:
    path = record.with_name("duel.battle.gz")
    messages = messages_of(read_record(record), TankGame("interpreted"))
    path.write_bytes(gzip.compress(b"".join(msgspec.json.encode(message) + b"\n" for message in messages)))
    return path


@pytest.fixture(scope="module", params=["record", "royale"])
def file(request: pytest.FixtureRequest, record: Path, royale: Path) -> BattleFile:
    return open_battle_file({"record": record, "royale": royale}[request.param])


def test_any_turn_equals_that_of_playing_through(file: BattleFile, record: Path) -> None:
    frames = [moment.frame for moment in open_battle_file(record).turns()]
    assert file.length == len(frames)
    for index in (0, len(frames) - 1, 5, 4, len(frames) // 2, 700 % len(frames), 0):
        assert file.at(index).frame == frames[index]
        assert file.at(index).turn == index + 1


@pytest.mark.parametrize(("turns_max", "enabled"), [(10**6, False), (1, True)])
def test_the_garbage_collector_pauses_for_a_seek_but_not_for_a_very_long_one(
    record: Path, turns_max: int, enabled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, step = [], Replayer.step
    monkeypatch.setattr("turnwright_tank.app.battle_files.GC_PAUSE_TURNS", turns_max)
    monkeypatch.setattr(Replayer, "step", lambda self: seen.append(gc.isenabled()) or step(self))
    open_battle_file(record).at(10)
    assert seen[-11:] == [enabled] * 11
    assert gc.isenabled()


def test_rounds_begin_where_their_first_turn_is(file: BattleFile) -> None:
    assert [one.number for one in file.rounds] == [1, 2, 3]
    for one in file.rounds:
        frame = file.at(one.index).frame
        assert (frame.round_number, frame.turn_number) == (one.number, 1)


def test_a_turn_is_found_by_its_round_and_number_or_the_nearest(file: BattleFile) -> None:
    second, third = file.rounds[1].index, file.rounds[2].index
    assert file.find(2, 1) == second
    assert file.find(2, 10) == second + 9
    assert file.find(2, 10**6) == third - 1
    assert file.find(0, 1) == 0
    assert file.find(9, 1) == file.length - 1


def test_scores_are_those_after_the_last_whole_round(file: BattleFile, record: Path) -> None:
    footer = read_record(record).footer
    assert footer is not None
    assert not any(file.scores_at(0).values())
    assert not any(file.scores_at(file.rounds[1].index - 2).values())
    assert any(file.scores_at(file.rounds[1].index).values())
    totals = {row["id"]: row["total_score"] for row in footer.results}
    assert dict(file.scores_at(file.length - 1)) == totals


def test_deaths_are_noted_when_they_were_seen(file: BattleFile) -> None:
    file.at(file.rounds[1].index - 1)
    assert file.rounds[1].index - 1 in file.deaths


def test_a_file_without_a_turn_is_refused(record: Path) -> None:
    lines = gzip.decompress(record.read_bytes()).splitlines(keepends=True)
    path = record.with_name("empty.twr")
    path.write_bytes(gzip.compress(lines[0]))
    assert open_battle_file(path).length == 0
    with pytest.raises(RecordError, match=r"empty\.twr: .*no turn"):
        run_text(path)


def test_a_file_that_was_cut_off_is_shown_as_far_as_it_goes(record: Path) -> None:
    lines = gzip.decompress(record.read_bytes()).splitlines(keepends=True)
    path = record.with_name("cut.twr")
    path.write_bytes(gzip.compress(b"".join(lines[:60])))
    file = open_battle_file(path)
    assert file.length == 59
    assert not missing(*file.notes, "truncated")
    assert file.at(58).frame.turn_number == 59
