from __future__ import annotations

import gzip
from pathlib import Path

import msgspec
import pytest

from turnwright import run_battle
from turnwright.errors import RecordError
from turnwright.games.tank.game import TankGame
from turnwright.net.records import read_record
from turnwright.net.reel import Reel, open_reel
from turnwright.net.tape import open_tape
from turnwright.wire.record.shown import messages_of


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reels") / "duel.twr"
    run_battle("Spinner", "Rammer", "Ace", rounds=3, seed=3, record=path)
    return path


@pytest.fixture(scope="module")
def royale(record: Path) -> Path:
    path = record.with_name("duel.battle.gz")
    messages = messages_of(read_record(record), TankGame("python"))
    path.write_bytes(gzip.compress(b"".join(msgspec.json.encode(message) + b"\n" for message in messages)))
    return path


@pytest.fixture(scope="module", params=["record", "royale"])
def reel(request: pytest.FixtureRequest, record: Path, royale: Path) -> Reel:
    return open_reel({"record": record, "royale": royale}[request.param])


def test_any_turn_is_the_one_that_playing_through_gives(reel: Reel, record: Path) -> None:
    frames = [moment.frame for moment in open_tape(record).moments()]
    assert reel.length == len(frames)
    for index in (0, len(frames) - 1, 5, 4, len(frames) // 2, 700 % len(frames), 0):
        assert reel.at(index).frame == frames[index]
        assert reel.at(index).turn == index + 1


def test_rounds_begin_where_their_first_turn_is(reel: Reel) -> None:
    assert [one.number for one in reel.rounds] == [1, 2, 3]
    for one in reel.rounds:
        frame = reel.at(one.index).frame
        assert (frame.round_number, frame.turn_number) == (one.number, 1)


def test_a_turn_is_found_by_its_round_and_number_or_the_nearest(reel: Reel) -> None:
    second, third = reel.rounds[1].index, reel.rounds[2].index
    assert reel.find(2, 1) == second
    assert reel.find(2, 10) == second + 9
    assert reel.find(2, 10**6) == third - 1
    assert reel.find(0, 1) == 0
    assert reel.find(9, 1) == reel.length - 1


def test_scores_are_those_after_the_last_whole_round(reel: Reel, record: Path) -> None:
    footer = read_record(record).footer
    assert footer is not None
    assert not any(reel.scores_at(0).values())
    assert not any(reel.scores_at(reel.rounds[1].index - 2).values())
    assert any(reel.scores_at(reel.rounds[1].index).values())
    totals = {row["id"]: row["total_score"] for row in footer.results}
    assert dict(reel.scores_at(reel.length - 1)) == totals


def test_deaths_are_noted_when_they_were_seen(reel: Reel) -> None:
    reel.at(reel.rounds[1].index - 1)
    assert reel.rounds[1].index - 1 in reel.deaths


def test_a_file_without_a_turn_is_refused(record: Path) -> None:
    lines = gzip.decompress(record.read_bytes()).splitlines(keepends=True)
    path = record.with_name("empty.twr")
    path.write_bytes(gzip.compress(lines[0]))
    with pytest.raises(RecordError, match=r"empty\.twr: there is no turn in it"):
        open_reel(path)


def test_a_file_that_was_cut_off_is_shown_as_far_as_it_goes(record: Path) -> None:
    lines = gzip.decompress(record.read_bytes()).splitlines(keepends=True)
    path = record.with_name("cut.twr")
    path.write_bytes(gzip.compress(b"".join(lines[:60])))
    reel = open_reel(path)
    assert (reel.length, reel.notes) == (59, ["the file is cut off: what it holds is shown"])
    assert reel.at(58).frame.turn_number == 59
