"""Battles from our files and from those of Tank Royale tell the same story."""

from __future__ import annotations

import gzip
from pathlib import Path

import msgspec
import pytest

from packages.core.tests.messages import missing
from turnwright import run_battle
from turnwright.errors import RecordError
from turnwright.kernel.record import Footer, Header
from turnwright.net.files.reader import read_record
from turnwright.wire.record.v2 import Encoder
from turnwright_tank.analysis.battle import Analysis, results_of
from turnwright_tank.analysis.facts import BotFact, DeathFact, RoundFact
from turnwright_tank.app.battle_files import (
    BattleFile,
    fighters_of,
    open_battle_file,
    scores_of,
    teams_of,
)
from turnwright_tank.game import TankGame
from turnwright_tank.wire.recording.from_record import messages_of
from turnwright_tank.wire.royale.message_parts import Participant, ResultsForObserver


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of three bots, two rounds."""
    path = tmp_path_factory.mktemp("files") / "three.twr"
    run_battle("Spinner", "Rammer", "Rammer", rounds=2, seed=3, record=path)
    return path


@pytest.fixture(scope="module")
def royale(record: Path) -> Path:
    """The same battle as spectators saw it."""
    path = record.with_name("three.battle.gz")
    messages = messages_of(read_record(record), TankGame("interpreted"))
    path.write_bytes(gzip.compress(b"".join(msgspec.json.encode(message) + b"\n" for message in messages)))
    return path


def _story(file: BattleFile) -> Analysis:
    story = Analysis(file.setting)
    for moment in file.turns():
        story.take(moment)
    story.finish(file.ending, results_of(file.results), file.differs)
    return story


def test_a_record_gives_every_turn_the_winners_and_the_results_of_its_footer(record: Path) -> None:
    file = open_battle_file(record)
    moments = list(file.turns())
    whole = read_record(record)
    assert whole.footer is not None
    assert [moment.turn for moment in moments] == [entry.turn for entry in whole.turns]
    assert [bool(moment.winners) for moment in moments].count(True) == 2
    assert (file.ending, file.differs, file.notes) == ("over", None, [])
    assert [row["total_score"] for row in file.results] == [
        row["total_score"] for row in whole.footer.results
    ]
    assert [one.name for one in file.setting.fighters] == ["Spinner", "Rammer", "Rammer (2)"]
    assert file.setting.seed == 3


def test_a_recording_tells_the_same_story_as_the_record(record: Path, royale: Path) -> None:
    ours, theirs = _story(open_battle_file(record)), _story(open_battle_file(royale))
    for kind in (RoundFact, BotFact, DeathFact):
        one, two = ([line for line in story.facts() if isinstance(line, kind)] for story in (ours, theirs))
        assert one == two
    assert theirs.results == ours.results
    assert (theirs.battle.seed, theirs.setting.times_known) == (None, False)


def test_a_record_that_plays_differently_is_read_up_to_the_difference(record: Path) -> None:
    whole = read_record(record)
    header = Header(**{**{name: getattr(whole.header, name) for name in Header.__slots__}, "seed": 4})
    encoder = Encoder(TankGame("interpreted").write_intent)
    lines = [encoder.encode_header(header), *map(encoder.encode_turn, whole.turns)]
    lines.append(encoder.encode_footer(whole.footer or Footer("over", 0)))
    path = record.with_name("bad.twr")
    path.write_bytes(gzip.compress(b"".join(lines)))
    file = open_battle_file(path)
    assert list(file.turns()) == []
    assert file.differs == "turn 1"


def test_a_truncated_record_is_reported_and_has_the_results_so_far(record: Path) -> None:
    lines = gzip.decompress(record.read_bytes()).splitlines(keepends=True)
    path = record.with_name("cut.twr")
    path.write_bytes(gzip.compress(b"".join(lines[:50])))
    file = open_battle_file(path)
    assert len(list(file.turns())) == 49
    assert file.ending is None
    assert not missing(*file.notes, "truncated")
    assert {row["total_score"] for row in file.results} == {0}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"hello", "is not a record"),
        (b"", "is empty"),
        (b"\x1f\x8bnot gzip", "damaged or cut off"),
        (b"{}", "give"),
    ],
)
def test_a_file_that_is_not_a_battle_is_refused_in_one_line(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "x.twr"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=why) as caught:
        open_battle_file(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"no file .*gone\.twr"):
        open_battle_file(tmp_path / "gone.twr")


def _participant(bot: int, name: str, team: int | None = None, team_name: str | None = None) -> Participant:
    return Participant(
        id=bot, session_id="", name=name, version="1", authors=(), country_codes=(), game_types=(),
        team_id=team, team_name=team_name, is_droid=bot == 3,
    )  # fmt: skip


FOUR = (
    _participant(1, "A", 1, "T"),
    _participant(2, "A", 1, "T"),
    _participant(3, "B", 2, "T"),
    _participant(4, "C", 3),
)


def test_no_two_fighters_and_no_two_teams_have_the_same_name() -> None:
    fighters = fighters_of(FOUR)
    assert [one.name for one in fighters] == ["A", "A (2)", "B", "C"]
    assert [one.team for one in fighters] == ["T", "T", "T (2)", "team 3"]
    assert [one.droid for one in fighters] == [False, False, True, False]
    assert fighters_of((_participant(1, "Solo"),))[0].team is None


def test_members_of_a_team_have_its_score() -> None:
    def row(number: int, score: int, *, team: bool) -> ResultsForObserver:
        return ResultsForObserver(
            id=number, name="", version="", is_team=team, rank=1, survival=0, last_survivor_bonus=0,
            bullet_damage=0, bullet_kill_bonus=0, ram_damage=0, ram_kill_bonus=0, total_score=score,
            first_places=0, second_places=0, third_places=0,
        )  # fmt: skip

    participants = (*FOUR[:2], _participant(5, "Solo"))
    rows = (row(1, 30, team=True), row(5, 7, team=False))
    assert scores_of(rows, teams_of(participants)) == {1: 30, 2: 30, 5: 7}
    assert scores_of((), teams_of(participants)) == {1: 0, 2: 0, 5: 0}
