"""Tournaments that a teacher starts: interrupted, failed and stopped ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from turnwright.errors import SetupError
from turnwright_league.app.ladder import tournaments as tournaments
from turnwright_league.app.ladder.folder import LadderFolder
from turnwright_league.app.ladder.options import LadderOptions
from turnwright_league.app.ladder.store import TeacherTournament
from turnwright_league.app.ladder.tournaments import TournamentPlayer

STARTED = TeacherTournament(1, "Cup", "_arena/cups/1", 2, 7, bots=("a", "b"))
PATIENCE_S = 60.0


@pytest.fixture
def ladder_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LadderFolder]:
    monkeypatch.setattr(tournaments, "PAUSE_S", 0.0)
    (tmp_path / "club").mkdir()
    folder = LadderFolder(LadderOptions(data=tmp_path / "club"))
    folder.tournaments.put(STARTED)
    yield folder
    folder.close()


def played(
    ladder_folder: LadderFolder, monkeypatch: pytest.MonkeyPatch, play: Callable[[int], None]
) -> tuple[TeacherTournament, int]:
    """Play the tournament until it is not running; return it, and how often it began."""
    begun: list[int] = []

    def play_tournament(*_: object, errors_public: bool) -> None:
        assert not errors_public
        begun.append(len(begun))
        play(begun[-1])

    monkeypatch.setattr(tournaments, "play_tournament", play_tournament)
    player = TournamentPlayer(ladder_folder, "snake", {}, "{}", 1, lambda _: None)
    limit = time.monotonic() + PATIENCE_S
    while ladder_folder.tournaments.all()[0].state == "running" and time.monotonic() < limit:
        player.look()
        player.stop()
    return ladder_folder.tournaments.all()[0], len(begun)


def fail_at_first(times: int) -> Callable[[int], None]:
    def play(nth: int) -> None:
        if nth < times:
            raise SetupError("no answer")

    return play


def test_a_tournament_continues_after_the_disk_failed_to_answer(
    ladder_folder: LadderFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, begun = played(ladder_folder, monkeypatch, fail_at_first(2))
    assert (started.state, started.why, begun) == ("over", "", 3)


def test_a_tournament_that_cannot_continue_has_failed_with_a_reason(
    ladder_folder: LadderFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, begun = played(ladder_folder, monkeypatch, fail_at_first(9))
    assert (started.state, started.why, begun) == ("failed", "no answer", 3)


def test_a_tournament_that_was_stopped_stays_stopped_whatever_ends_it(
    ladder_folder: LadderFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(_: int) -> None:
        ladder_folder.tournaments.stop()
        raise ValueError("an internal error, later")

    started, begun = played(ladder_folder, monkeypatch, play)
    assert (started.state, started.why, begun) == ("stopped", "", 1)


def test_a_tournament_is_over_only_once_its_page_has_all_results(
    ladder_folder: LadderFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[str] = []
    put_tournament = ladder_folder.tournaments.put

    def read(_: Path) -> None:
        events.append("shown")
        raise SetupError("nothing was played")

    def put(started: TeacherTournament) -> None:
        events.append(started.state)
        put_tournament(started)

    monkeypatch.setattr(tournaments, "Tournament", read)
    monkeypatch.setattr(ladder_folder.tournaments, "put", put)
    assert played(ladder_folder, monkeypatch, lambda _: None)[0].state == "over"
    assert events == ["shown", "over"]
