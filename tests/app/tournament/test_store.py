"""Results in PostgreSQL, and bots as they were played."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

import pytest

from tests.app.tournament.bots import PLAYS, dice_game, write_bot
from tests.net.postgres import Postgres
from turnwright import Tournament, run_tournament
from turnwright.app.tournament.check import verify_tournament
from turnwright.app.tournament.folder import TournamentFolder, bot_of
from turnwright.app.tournament.store import open_store
from turnwright.errors import SetupError
from turnwright.net.participants.directory import load


@pytest.mark.process
@pytest.mark.long
def test_results_in_postgresql_are_those_of_a_file(tmp_path: Path) -> None:
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
    assert not (one / "results.sqlite").exists()


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
