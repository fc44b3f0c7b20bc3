"""Every difference between a result and its record is found and named."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from packages.core.tests.app.bots import dice_game
from packages.core.tests.messages import missing
from packages.league.tests.app.inline_workers import work_here
from packages.league.tests.app.playing import play
from turnwright.cli.__main__ import main
from turnwright.kernel.failure import Failure, FailureReason
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import Header, Record, TurnEntry, TurnRules
from turnwright_league import Tournament
from turnwright_league.app.check import verify_tournament
from turnwright_league.app.folder import TournamentFolder
from turnwright_league.app.page.content import page_data
from turnwright_league.app.page.source import source_of
from turnwright_league.app.recorded.battle import CheckJob, check_battle
from turnwright_league.app.recorded.timing import recorded_suspicions, recorded_timing, timing_problems
from turnwright_league.app.store import open_store
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.played_battle import EntryScore, PlayedBattle

SPEC = BattleSpec("dice", 1, "{}", ("aa", "bb"), 5)
ROWS = EntryScore(0, "aa", 3.0, (3.0,)), EntryScore(1, "bb", 1.0, (1.0,))
PLAYED = PlayedBattle(SPEC, "ok", ROWS, turns=200, turnwright="9.9")
LABELS = {"aa": "Ann", "bb": "Bob"}


def record(*entries: TurnEntry, turns: int = 200, sandbox: str = "") -> Record:
    """Return a record of two seats that answer in each turn, except in these entries."""
    seats = (SeatInfo("Ann"), SeatInfo("Bob"))
    header = Header("dice", 1, 5, {}, seats, TurnRules(), made_by="turnwright 9.9", sandbox=sandbox)
    mine = {entry.turn: entry for entry in entries}
    return Record(header, [mine.get(turn, TurnEntry(turn, {0: 1, 1: 1})) for turn in range(1, turns + 1)])


def problems(played: PlayedBattle, found: Record) -> list[str]:
    return list(timing_problems(played, found, recorded_timing(found), LABELS))


def row(number: int, **changes: Any) -> PlayedBattle:
    rows = list(ROWS)
    rows[number] = replace(rows[number], **changes)
    return replace(PLAYED, scores=tuple(rows))


def missed(*turns: int, both: bool = False) -> Record:
    seats = (0, 1) if both else (1,)
    return record(*(TurnEntry(turn, {} if both else {0: 1}, skipped=seats) for turn in turns))


LEFT, BOOM = Failure(FailureReason.LEFT, 1, 9), Failure(FailureReason.CRASHED, 1, 9, "ValueError")


def fails(failure: Failure) -> TurnEntry:
    return TurnEntry(9, {0: 1, 1: 1}, gone=(1,), failures={1: failure})


@pytest.mark.parametrize(
    ("told", "recorded"),
    [(BOOM, BOOM), (BOOM, LEFT), (Failure(FailureReason.LEFT), BOOM)],
    ids=["the same", "more became known", "a result of an earlier version"],
)
def test_a_failure_that_agrees_with_the_record_is_accepted(told: Failure, recorded: Failure) -> None:
    assert problems(row(1, failure=told), record(fails(recorded))) == []


def test_a_result_that_agrees_with_its_record_has_no_problem() -> None:
    assert problems(PLAYED, record()) == []
    assert problems(row(1, skipped=1), missed(7)) == []
    assert problems(replace(PLAYED, sandbox="full"), record(sandbox="full")) == []


@pytest.mark.parametrize(
    ("played", "found", "wanted"),
    [
        (replace(PLAYED, server_late_turns=2), record(), ("server_late_turns", 2, 0)),
        (replace(PLAYED, sandbox="full"), record(), ("sandbox", "full", "none")),
        (replace(PLAYED, turnwright="9.8"), record(), ("turnwright", "9.8", "9.9")),
        (replace(PLAYED, suspect=("the server was late",)), record(), ("suspect", "not suspect")),
        (PLAYED, missed(3, 4, both=True), ("suspect", "bots missed 2 of 200 turns together")),
        (row(1, skipped=0), missed(7), ("Bob", "missed 0", 1)),
        (row(1, failure=Failure(FailureReason.SLOW, 1, 9), score=0.0), record(), ("Bob", "disqualified")),
        (row(1, failure=Failure(FailureReason.SILENT)), record(), ("Bob", "never answered", "answers")),
        (row(1, failure=Failure(FailureReason.LEFT), score=0.0), record(), ("ok", "forfeit")),
        (replace(PLAYED, state="forfeit"), record(), ("forfeit", "ok")),
        (PLAYED, record(TurnEntry(9, {0: 1}, gone=(1,))), ("Bob", "left")),
        (PLAYED, record(TurnEntry(9, {0: 1, 1: 1}, disqualified=(1,))), ("Bob", "disqualified")),
        (PLAYED, record(fails(LEFT)), ("Bob", "left in turn 9", "not in the result")),
        (row(1, failure=Failure(FailureReason.KICKED, 1, 9)), record(fails(BOOM)), ("kicked", "crashed")),
        (row(1, failure=Failure(FailureReason.CRASHED, 1, 8)), record(fails(BOOM)), ("turn 8", "turn 9")),
    ],
)
def test_a_difference_between_result_and_record_is_named(
    played: PlayedBattle, found: Record, wanted: Any
) -> None:
    said = "; ".join(problems(played, found))
    assert said
    assert not missing(said, *wanted), said


def just_missed(*turns: int) -> list[TurnEntry]:
    """Return turns that Bob missed by 1 ms, in which the server was late by 5 ms, and those after them."""
    return [
        entry
        for turn in turns
        for entry in (
            TurnEntry(turn, {0: 1}, (1,), server_late_ns=5_000_000),
            TurnEntry(turn + 1, {0: 1, 1: 1}, late_ns={1: 6_000_000}),
        )
    ]


def test_a_battle_in_which_the_server_was_late_is_suspect_by_its_record() -> None:
    found = record(*just_missed(4, 6, 8))
    marks = recorded_suspicions(PLAYED, recorded_timing(found))
    assert not missing("; ".join(marks), 3, 200)
    assert problems(replace(row(1, skipped=3), server_late_turns=3, suspect=marks), found) == []
    assert recorded_suspicions(PLAYED, recorded_timing(record(*just_missed(4, 6)))) == ()
    many = replace(PLAYED, turns=600)
    assert recorded_suspicions(many, recorded_timing(found)) == ()


def test_late_turns_that_no_bot_just_missed_make_no_battle_suspect() -> None:
    late = [TurnEntry(turn, {0: 1}, (1,), server_late_ns=5_000_000) for turn in range(4, 30)]
    for more in ([], [TurnEntry(30, {0: 1, 1: 1}, late_ns={1: 60_000_000})]):
        told = recorded_timing(record(*late, *more))
        assert told.server_late_turns == len(late)
        assert recorded_suspicions(PLAYED, told) == ()


def test_a_battle_in_which_one_bot_alone_answered_is_never_suspect() -> None:
    silent = Record(
        record().header, [TurnEntry(turn, {0: 1}, (1,), server_late_ns=5_000_000) for turn in range(1, 31)]
    )
    told = replace(recorded_timing(silent), late_missed_turns=9)
    assert recorded_suspicions(PLAYED, told) == ()
    assert recorded_suspicions(PLAYED, replace(told, answered=frozenset({0, 1}))) != ()


def test_turns_missed_next_to_a_failed_bot_are_not_blamed_on_the_machine() -> None:
    turns = [TurnEntry(turn, {}, skipped=(0, 1)) for turn in range(20, 30)]
    told = recorded_timing(record(*turns, TurnEntry(30, {0: 1}, gone=(1,))))
    assert recorded_suspicions(PLAYED, told) == ()
    assert told.skipped == {0: 10, 1: 10}


BUSY = Failure(FailureReason.BUSY, 1, 9, "no answer in time for 5.0 s")
BUSY_MARK = ("a bot was disqualified because the machine was busy",)


def test_a_bot_that_a_busy_machine_disqualified_makes_the_battle_suspect_and_forfeits_nothing() -> None:
    out = TurnEntry(9, {0: 1}, disqualified=(1,), failures={1: BUSY})
    found = record(*just_missed(3, 5, 7), out, turns=2_000)
    played = replace(row(1, failure=BUSY, score=0.0, skipped=3), turns=2_000)
    told = recorded_timing(found)
    assert told.late_misses == {1: 3}
    assert recorded_suspicions(played, told) == BUSY_MARK
    assert problems(replace(played, server_late_turns=3, suspect=BUSY_MARK), found) == []


def test_a_busy_machine_that_the_record_does_not_show_is_named() -> None:
    out = TurnEntry(9, {0: 1}, disqualified=(1,), failures={1: BUSY})
    said = "; ".join(problems(replace(row(1, failure=BUSY), suspect=BUSY_MARK), record(out)))
    assert not missing(said, "Bob", "the machine was busy", "in time")


def rounds_of(*out: int) -> Record:
    """Return a record of four rounds; Bob is disqualified from some of them."""
    turns = [TurnEntry(turn, {}, opening=True) for turn in (1, 51, 101, 151)]
    turns += [TurnEntry(50 * number - 9, {0: 1}, disqualified=(1,)) for number in out]
    found = record(*turns)
    return replace(found, header=replace(found.header, rules=TurnRules(max_silence_ns=5, max_rounds_out=3)))


def test_a_bot_is_disqualified_from_the_battle_in_the_third_round_or_if_it_left() -> None:
    assert recorded_timing(rounds_of(2, 4)).disqualified == frozenset()
    assert recorded_timing(rounds_of(2, 4)).rounds_out == {1: {2, 4}}
    assert recorded_timing(rounds_of(1, 2, 4)).disqualified == {1}
    left = rounds_of(2)
    left.turns[60].gone = (1,)
    assert recorded_timing(left).disqualified == {1}
    assert problems(PLAYED, rounds_of(2)) == []


def test_shared_misses_while_one_was_out_of_a_round_do_not_blame_the_machine() -> None:
    found = rounds_of(2)
    for entry in found.turns[60:80]:
        entry.skipped = (0, 1)
    assert recorded_suspicions(PLAYED, recorded_timing(found)) == ()


# ---- the command ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("cup")
    play(place / "cup", "Low", "High", game=dice_game(place / "dice"), battles=2)
    return place / "cup"


def forfeit(battle: PlayedBattle) -> PlayedBattle:
    best, worst = sorted(battle.scores, key=lambda row: -row.score)
    rows = replace(best, failure=Failure(FailureReason.LEFT), score=0.0, rounds=(0.0,)), worst
    return replace(battle, state="forfeit", scores=rows)


FORGED: dict[str, Callable[[PlayedBattle], PlayedBattle]] = {
    "its loser's defeat is called suspect": lambda b: replace(b, suspect=("the server was late",)),
    "it is marked void": lambda b: replace(b, state="void"),
    "its winner is said to have left": forfeit,
    "its bots are said to have been in sandboxes": lambda b: replace(b, sandbox="full"),
    "another version is said to have played it": lambda b: replace(b, turnwright="0.0"),
    "its digest is another": lambda b: replace(b, digest="00" * 8),
}


@pytest.mark.process
@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED)
def test_verify_names_a_forged_battle(
    forged: Callable[[PlayedBattle], PlayedBattle], cup: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(cup, tmp_path / "cup"))
    with sqlite3.connect(copy / "results.sqlite") as connection:
        number, data = connection.execute("SELECT id, data FROM battles ORDER BY id").fetchone()
        battle = forged(msgspec.json.decode(data, type=PlayedBattle))
        text = msgspec.json.encode(battle).decode()
        connection.execute("UPDATE battles SET data = ? WHERE id = ?", (text, number))
    checked = verify_tournament(copy, jobs=1)
    assert [one.id for one in checked.wrong] == [number]
    assert verify_tournament(cup, jobs=1).ok


def ladder(cup: Path, place: Path) -> Path:
    """A copy as a ladder server has it: bots come and go, so it has neither plan nor seal."""
    copy = Path(shutil.copytree(cup, place))
    with sqlite3.connect(copy / "results.sqlite") as connection:
        connection.execute("DELETE FROM meta WHERE name IN ('plans', 'seal')")
    return copy


def forget_record(folder: Path, number: str) -> None:
    """Delete a battle's record, as a ladder server does to save space."""
    store = open_store(folder / "results.sqlite", writing=True)
    battle = next(one for one in store.battles() if one.id == number)
    store.put_deleted_records([replace(battle, record=None, record_deleted=True)])
    store.close()
    (folder / str(battle.record)).unlink()


@pytest.mark.process
def test_records_deleted_for_room_are_counted_and_missing_ones_are_wrong(cup: Path, tmp_path: Path) -> None:
    copy = ladder(cup, tmp_path / "cup")
    deleted, missing_one = (one.id for one in Tournament(copy).battles())
    forget_record(copy, deleted)
    found = verify_tournament(copy, jobs=1)
    assert (found.wrong, found.checked, found.without_record, found.records_deleted) == ((), 1, 1, 1)
    assert deleted in {one.id for one in found.unproved}
    TournamentFolder(copy).record(missing_one).unlink()
    found = verify_tournament(copy, jobs=1)
    assert ([one.id for one in found.wrong], found.records_deleted) == ([missing_one], 1)


@pytest.mark.process
def test_a_record_that_is_deleted_while_it_is_verified_is_not_missing(
    cup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = ladder(cup, tmp_path / "cup")

    def check_late(job: CheckJob) -> object:
        forget_record(copy, job.played.id)
        return check_battle(job)

    monkeypatch.setattr("turnwright_league.app.check.check_battle", check_late)
    found = verify_tournament(copy, sample=1)
    assert (found.wrong, found.checked, found.without_record, found.records_deleted) == ((), 0, 1, 1)


@pytest.mark.process
def test_command_and_page_mark_deleted_records(
    cup: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = ladder(cup, tmp_path / "cup")
    number = next(iter(Tournament(copy).battles())).id
    forget_record(copy, number)
    assert main(["tournament", "verify", str(copy), "--all"]) == 5
    assert "1 was deleted" in capsys.readouterr().out
    assert main(["tournament", "show", str(copy), "--battle", number]) == 0
    assert "deleted" in capsys.readouterr().out.splitlines()[-1]
    assert main(["tournament", "show", str(copy), "--battle", number, "--trace"]) == 2
    assert "deleted" in capsys.readouterr().err
    rows = {row[0]: row[8] for row in page_data(source_of(Tournament(copy)))["battles"]}
    assert rows.pop(number) == "deleted"
    assert set(rows.values()) == {True}


@pytest.mark.process
def test_an_internal_error_in_one_check_leaves_that_battle_unproved_and_checks_the_others(
    cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = next(iter(Tournament(cup).battles())).id

    def fail_once(check: Callable[[CheckJob], object], job: CheckJob) -> object:
        if job.played.id == first:
            raise RuntimeError("boom")
        return check(job)

    work_here(monkeypatch, fail_once)
    found = verify_tournament(cup, jobs=2)
    assert found.wrong == ()
    assert [one.id for one in found.unproved] == [first]
    assert not missing(found.unproved[0].problems[0], "RuntimeError: boom")


@pytest.mark.process
def test_a_single_battle_whose_record_cannot_be_read_is_unproved(
    cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(job: CheckJob) -> object:
        raise OSError(5, "Input/output error", job.path)

    monkeypatch.setattr("turnwright_league.app.check.check_battle", fail)
    found = verify_tournament(cup, sample=1)
    assert found.wrong == ()
    (battle,) = found.unproved
    assert not missing(battle.problems[0], "could not be checked", "Input/output error", f"{battle.id}.twr")
    assert "internal" not in battle.problems[0]
