"""Results in PostgreSQL, and bots as they were played."""

from __future__ import annotations

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
