"""Results in PostgreSQL, and archives of the bots that played."""

from __future__ import annotations

import json
import sqlite3
import stat
import zipfile
from pathlib import Path

import pytest

from packages.core.tests.app.bots import PLAYS, dice_game, write_bot
from packages.core.tests.messages import missing, naming, says
from packages.core.tests.net.postgres import Postgres
from packages.league.tests.app.playing import play
from turnwright.errors import SetupError
from turnwright.kernel.failure import Failure, FailureReason
from turnwright.net.participants.directory import load
from turnwright_league import Tournament, run_tournament
from turnwright_league.app.check import verify_tournament
from turnwright_league.app.entering import remove_bots
from turnwright_league.app.folder import TournamentFolder, bot_of
from turnwright_league.app.store import (
    PLACE_FILE,
    KeptEntry,
    open_store,
    remember_store,
    store_place,
    without_password,
)
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.played_battle import EntryScore, PlayedBattle


@pytest.mark.process
@pytest.mark.long
def test_results_in_postgresql_equal_those_of_a_file(tmp_path: Path) -> None:
    game = dice_game(tmp_path / "dice")
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    with Postgres() as server:
        kept = run_tournament(one, "Low", "High", game=game, store=server.url, jobs=1)
        assert kept.standings == run_tournament(two, "Low", "High", game=game, jobs=1).standings
        assert verify_tournament(one, store=server.url).checked == 2
        held = open_store(server.url, writing=True)
        with pytest.raises(SetupError, match="another run plays"):
            run_tournament(one, store=server.url)
        held.close()
        assert Tournament(one, server.url).standings == kept.standings
        assert Tournament(one).standings == kept.standings, "the folder remembers the server"
    assert not (one / "results.sqlite").exists()


@pytest.mark.parametrize(
    ("word", "late", "failure"),
    [
        ("not started", 0, Failure(FailureReason.SILENT, error="it did not start")),
        ("crashed", 0, Failure(FailureReason.LEFT, error="before its first answer")),
        ("never answered", 0, Failure(FailureReason.SILENT)),
        ("disqualified", 3, Failure(FailureReason.SLOW)),
        ("left", 0, Failure(FailureReason.LEFT)),
    ],
)
def test_results_of_versions_that_had_one_word_for_a_failure_stay_readable(
    word: str, late: int, failure: Failure, tmp_path: Path
) -> None:
    place = store_place(TournamentFolder(tmp_path), None)
    spec = BattleSpec("dice", 1, "{}", ("aa", "bb"), 5)
    rows = EntryScore(0, "aa", 3.0), EntryScore(1, "bb", 0.0, late=late, failure=failure)
    store = open_store(place, writing=True)
    store.add(PlayedBattle(spec, "forfeit", rows))
    store.close()
    with sqlite3.connect(tmp_path / "results.sqlite") as connection:
        data = json.loads(connection.execute("SELECT data FROM battles").fetchone()[0])
        data["scores"][1]["failure"] = word
        connection.execute("UPDATE battles SET data = ?", (json.dumps(data, separators=(",", ":")),))
    connection.close()
    store = open_store(place, writing=False)
    assert [one.scores for one in store.battles()] == [rows]
    store.close()


@pytest.mark.parametrize(
    "data",
    ['{"failure":"left"}', '{"scores":[{"failure":"zzz"}]}', '{"scores":[{"failure":"left","late":null}]}'],
)
def test_a_damaged_row_is_reported_and_stops_nothing(data: str, tmp_path: Path) -> None:
    place = store_place(TournamentFolder(tmp_path), None)
    store = open_store(place, writing=True)
    store.add(PlayedBattle(BattleSpec("dice", 1, "{}", ("aa", "bb"), 5), "void", ()))
    store.close()
    with sqlite3.connect(tmp_path / "results.sqlite") as connection:
        connection.execute("UPDATE battles SET data = ?", (data,))
    connection.close()
    store = open_store(place, writing=False)
    (row,) = store.rows()
    assert row.battle is None
    assert row.error
    store.close()


@pytest.mark.parametrize("data", ["", '{"name":7}', '{"kind":"cat"}'])
def test_a_damaged_entry_is_refused_in_one_line(data: str, tmp_path: Path) -> None:
    store = open_store(tmp_path / "cup.sqlite", writing=True)
    store.put_entry(KeptEntry(TournamentEntry("Mine", "1", "bot", "ab"), "Mine", 1, "plays", 0))
    with sqlite3.connect(tmp_path / "cup.sqlite") as connection:
        connection.execute("UPDATE entries SET data = ?", (data,))
    connection.close()
    with pytest.raises(SetupError) as caught:
        store.entries()
    assert not missing(str(caught.value), "cup.sqlite", "damaged", "backup")
    store.close()


def test_an_archive_holds_a_bot_as_it_was_played(tmp_path: Path) -> None:
    place = write_bot(tmp_path, "Mine")
    (place / "run.sh").write_text("#!/bin/sh\n")
    (place / "run.sh").chmod(0o755)
    folder = TournamentFolder(tmp_path)
    bot = bot_of(load(place), "Mine")
    folder.keep_sources(bot)
    first = folder.archive(bot.entry.id).read_bytes()
    folder.archive(bot.entry.id).unlink()
    folder.keep_sources(bot)
    assert folder.archive(bot.entry.id).read_bytes() == first
    found = folder.unpack(bot.entry.id, tmp_path / "elsewhere")
    assert bot_of(load(found), "Mine").entry == bot.entry
    assert (found / "Mine.py").read_text() == PLAYS
    assert (found / "run.sh").stat().st_mode & 0o100


@pytest.mark.parametrize(
    "links",
    [
        {"Mine/a": ".", "Mine/b": "a/../.."},
        {"Mine/b": "a/../..", "Mine/a": "."},
        {"Mine/a": "/etc"},
        {"Mine/a": "../.."},
        {"Mine/a": "b", "Mine/b": "a"},
    ],
    ids=["by way of another", "of a later one", "absolute", "above", "in a circle"],
)
def test_an_archive_whose_link_leads_out_of_it_is_refused_and_leaves_no_link(
    tmp_path: Path, links: dict[str, str]
) -> None:
    folder = TournamentFolder(tmp_path)
    place = folder.archive("0" * 32)
    place.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("Mine/Mine.py", PLAYS)
        for name, target in links.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, target)
    into = tmp_path / "elsewhere" / "inner"
    with pytest.raises(SetupError, match="leads out of it"):
        folder.unpack("0" * 32, into)
    assert not [found for found in into.rglob("*") if found.is_symlink()]


def test_no_file_of_an_archive_is_written_through_its_link(tmp_path: Path) -> None:
    folder = TournamentFolder(tmp_path)
    place = folder.archive("0" * 32)
    place.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(place, "w") as archive:
        info = zipfile.ZipInfo("Mine/out")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "../..")
        archive.writestr("Mine/out/victim", "x")
    with pytest.raises(SetupError):
        folder.unpack("0" * 32, tmp_path / "elsewhere" / "inner")
    assert list(tmp_path.rglob("victim")) == [tmp_path / "elsewhere" / "inner" / "Mine" / "out" / "victim"]


def test_an_archive_without_files_is_refused_in_one_line(tmp_path: Path) -> None:
    folder = TournamentFolder(tmp_path)
    place = folder.archive("0" * 32)
    place.parent.mkdir()
    zipfile.ZipFile(place, "w").close()
    with pytest.raises(SetupError) as caught:
        folder.unpack("0" * 32, tmp_path / "elsewhere")
    assert not missing(str(caught.value), place.name, "no files")


# ---- where the results are --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("postgresql://ann:secret@host:5432/cup", "postgresql://ann@host:5432/cup"),
        ("postgresql://ann:s:e@cr@et@host/cup?sslmode=require", "postgresql://ann@host/cup?sslmode=require"),
        ("postgresql://host/cup?user=ann&password=secret", "postgresql://host/cup?user=ann"),
        ("postgresql://host/cup?p%61ssword=secret&sslpassword=secret", "postgresql://host/cup"),
        ("postgresql://ann@host/cup", "postgresql://ann@host/cup"),
        ("postgresql:///cup?host=/run/postgresql", "postgresql:///cup?host=/run/postgresql"),
        ("elsewhere/results.sqlite", "elsewhere/results.sqlite"),
    ],
)
def test_a_place_is_shown_and_saved_without_its_password(url: str, kept: str) -> None:
    assert without_password(url) == kept


def test_a_password_is_in_no_file_and_a_notice_says_so(tmp_path: Path) -> None:
    told: list[str] = []
    folder = TournamentFolder(tmp_path)
    for _ in range(2):
        remember_store(folder, "postgresql://ann:secret@host/cup?password=secret", told.append)
    assert len(naming(told, "PGPASSWORD", "--store")) == 1, "only when it changes"
    assert store_place(folder) == "postgresql://ann@host/cup"
    texts = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert texts
    assert not [text for text in (*texts, *told) if "secret" in text]


def test_a_server_that_does_not_answer_is_named_without_the_password() -> None:
    pytest.importorskip("psycopg")
    for url in ("postgresql://ann:secret@127.0.0.1:1/cup", "postgresql://ann:x#secret@127.0.0.1:1/cup"):
        with pytest.raises(SetupError) as caught:
            open_store(url, writing=False)
        assert "secret" not in str(caught.value)
        assert says(str(caught.value), "127.0.0.1:1/cup … --store … PGPASSWORD")


@pytest.mark.process
@pytest.mark.long
def test_a_folder_remembers_where_its_results_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game, folder = dice_game(tmp_path / "dice"), tmp_path / "cup"
    folder.mkdir()
    first, told = play(folder, "Low", "High", game=game, store="other.sqlite")
    assert naming(told, str(tmp_path / "other.sqlite"))
    monkeypatch.chdir("/")
    assert Tournament(folder).standings == first.standings
    assert verify_tournament(folder).checked == 2
    again, told = play(folder, battles=4)
    assert len(list(again.battles())) == 4
    assert not naming(told, "other.sqlite"), "told once"
    assert remove_bots(folder, ["Low"])
    assert not (folder / "results.sqlite").exists()


@pytest.mark.process
@pytest.mark.long
def test_a_move_of_the_results_is_reported_and_can_be_undone(tmp_path: Path) -> None:
    game, folder = dice_game(tmp_path / "dice"), tmp_path / "cup"
    folder.mkdir()
    here, _ = play(folder, "Low", "High", game=game)
    _, told = play(folder, "Low", "High", game=game, store=str(folder / "new.sqlite"), battles=4)
    assert naming(told, "results.sqlite")
    assert (folder / PLACE_FILE).read_text() == "new.sqlite\n", "a folder may be taken elsewhere"
    assert len(list(Tournament(folder).battles())) == 4
    folder.rename(tmp_path / "moved")
    assert len(list(Tournament(tmp_path / "moved").battles())) == 4
    back, _ = play(tmp_path / "moved", store=str(tmp_path / "moved/results.sqlite"))
    assert back.standings == here.standings
    assert not (tmp_path / "moved" / PLACE_FILE).exists()


@pytest.mark.parametrize(
    ("text", "named"), [(b"gone.sqlite", "gone.sqlite"), (b"", PLACE_FILE), (b"\xff\x00", PLACE_FILE)]
)
def test_a_missing_place_is_refused_in_one_line_and_nothing_begins(
    tmp_path: Path, text: bytes, named: str
) -> None:
    (tmp_path / PLACE_FILE).write_bytes(text)
    for ask in (
        lambda: Tournament(tmp_path),
        lambda: run_tournament(tmp_path, "Greedy", "Wanderer", game="snake"),
    ):
        with pytest.raises(SetupError) as caught:
            ask()
        assert says(str(caught.value), f"{named} … --store")
        assert "\n" not in str(caught.value)
    assert not list(tmp_path.glob("[!.]*.sqlite"))


@pytest.mark.process
@pytest.mark.long
def test_the_settings_file_names_the_place_for_good(tmp_path: Path) -> None:
    game = dice_game(tmp_path / "dice")
    (tmp_path / "cup").mkdir()
    (tmp_path / "cup" / "tournament.toml").write_text('store = "./own.sqlite"\n')
    _, told = play(tmp_path / "cup", "Low", "High", game=game, store=str(tmp_path / "once.sqlite"))
    assert naming(told, "tournament.toml", "--store")
    assert not (tmp_path / "cup" / PLACE_FILE).exists()
    assert store_place(TournamentFolder(tmp_path / "cup")) == tmp_path / "cup" / "own.sqlite"
