"""An honest tournament is proved, or the unproved battles are named."""

from __future__ import annotations

import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.app.bots import PLAYS, write_bot
from packages.core.tests.messages import missing
from packages.league.tests.app.forging import Forger
from packages.league.tests.app.playing import play
from turnwright.errors import SetupError
from turnwright_league.app.check import TournamentCheck, verify_tournament
from turnwright_league.app.entering import remove_bots
from turnwright_league.app.options import TournamentOptions
from turnwright_league.app.run import play_tournament

pytestmark = pytest.mark.process


@pytest.fixture
def cup(honest: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(honest / "cup", tmp_path / "cup"))


def said(found: TournamentCheck) -> str:
    return "\n".join(f"{one.id} {one.names}: {'; '.join(one.problems)}" for one in found.unproved)


def of_an_earlier_version(forger: Forger) -> None:
    """Remove the data that earlier versions did not write: hashes, plans, the seal."""

    def earlier(record: Any) -> Any:
        seats = tuple(
            replace(seat, source_hash=None if seat.name in ("Low", "High") else seat.source_hash)
            for seat in record.header.seats
        )
        return replace(record, header=replace(record.header, seats=seats))

    for battle in forger.battles():
        forger.rewrite(battle, earlier)
    for battle in forger.battles():
        forger.put(replace(battle, record_hash=""))
    with sqlite3.connect(forger.folder / "results.sqlite") as connection:
        connection.execute("DELETE FROM meta WHERE name IN ('plans', 'seal')")


def test_a_tournament_of_an_earlier_version_is_not_proved_and_not_called_wrong(
    cup: Path, honest: Path
) -> None:
    of_an_earlier_version(Forger(cup, str(honest / "dice")))
    found = verify_tournament(cup, jobs=1)
    assert (found.wrong, found.seal, found.ok) == ((), "", False)
    assert not missing(said(found), "no plan", "no source hash", "Low", "High")
    play(cup, battles=4)
    found = verify_tournament(cup, jobs=1)
    assert (found.wrong, found.battles) == ((), 12)
    assert not missing(said(found), "earlier version", "no source hash")


def test_a_tournament_that_continues_with_other_bots_is_proved(cup: Path) -> None:
    write_bot(cup, "Mine", PLAYS.replace("2)", "4)"))
    found, _ = play(cup, "Middle", battles=3)
    assert len(list(found.battles())) == 6 * 3
    checked = verify_tournament(cup, jobs=1)
    assert checked.ok, (checked.wrong, said(checked))


def test_a_swiss_tournament_whose_bots_change_is_named_and_not_called_wrong(
    honest: Path, tmp_path: Path
) -> None:
    play(tmp_path / "cup", "Low", "High", "Middle", game=str(honest / "dice"), format="swiss", battles=2)
    assert verify_tournament(tmp_path / "cup", jobs=1).ok
    play(tmp_path / "cup", "Mortal")
    found = verify_tournament(tmp_path / "cup", jobs=1)
    assert found.wrong == ()
    assert "had to meet" in said(found)


def test_battles_not_yet_played_are_named(honest: Path, tmp_path: Path) -> None:
    game = str(honest / "dice")
    play(tmp_path / "cup", "Low", "High", game=game, battles=2, for_s=1e-9)
    found = verify_tournament(tmp_path / "cup", jobs=1)
    assert (found.wrong, found.seal) == ((), "")
    assert not missing(said(found), "not finished", "2 battles", "not played")


def test_a_run_without_records_proves_nothing(honest: Path, tmp_path: Path) -> None:
    play(tmp_path / "cup", "Low", "High", game=str(honest / "dice"), battles=2, keep="none")
    found = verify_tournament(tmp_path / "cup", jobs=1)
    assert (found.wrong, found.checked, len(found.unproved)) == ((), 0, 2)
    assert "no record" in said(found)


def test_a_participant_proves_its_own_battles_with_results_and_own_records(cup: Path, tmp_path: Path) -> None:
    seal = verify_tournament(cup, sample=1).seal
    for battle in Forger(cup, "").of("Low", "High"):
        (cup / str(battle.record)).unlink()
    shutil.rmtree(cup / "entries")
    found = verify_tournament(cup, jobs=1, seal=seal, entry=str(cup / "Mine"))
    assert (found.ok, found.checked) == (True, 4), (found.wrong, said(found))
    other = write_bot(tmp_path / "elsewhere", "Mine", PLAYS.replace("2)", "3)"))
    with pytest.raises(SetupError, match="no entry has"):
        verify_tournament(cup, entry=str(other))
    with pytest.raises(SetupError, match="no entry 'Nobody'"):
        verify_tournament(cup, entry="Nobody")


def test_an_invalid_seal_is_refused(cup: Path) -> None:
    for text in ("seal1-", "seal1-" + "0" * 39, "seal1-" + "0" * 41, "seal1-" + "g" * 40):
        with pytest.raises(SetupError, match="--seal"):
            verify_tournament(cup, seal=text)


def test_a_run_prints_the_seal_of_a_finished_tournament_and_removing_a_bot_breaks_it(cup: Path) -> None:
    end = play_tournament(cup, TournamentOptions())
    assert end.seal == verify_tournament(cup, sample=1).seal != ""
    remove_bots(cup, ["Low"])
    found = verify_tournament(cup, sample=1)
    assert (found.wrong, found.seal) == ((), "")
    assert "no seal" in said(found)
    again = play_tournament(cup, TournamentOptions())
    assert again.seal not in ("", end.seal)
    assert verify_tournament(cup, sample=1).ok


@pytest.mark.parametrize("rules", ["{", "[]", "{}", '{"where": "dice", "challengers": [], "sead": 1}'])
def test_rules_that_cannot_be_read_are_named(rules: str, cup: Path) -> None:
    Forger(cup, "").put_meta("rules", rules)
    with pytest.raises(SetupError, match=r"the rules in .* cannot be read"):
        verify_tournament(cup)
