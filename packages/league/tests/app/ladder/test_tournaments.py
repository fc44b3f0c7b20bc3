"""Tournaments that a teacher starts: interrupted, tried again, stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from turnwright.errors import SetupError
from turnwright_league.app.ladder import tournaments as cups
from turnwright_league.app.ladder.folder import ArenaFolder
from turnwright_league.app.ladder.options import ArenaOptions
from turnwright_league.app.ladder.store import Cup
from turnwright_league.app.ladder.tournaments import CupPlayer

CUP = Cup(1, "Cup", "_arena/cups/1", 2, 7, bots=("a", "b"))
PATIENCE_S = 60.0


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ArenaFolder]:
    monkeypatch.setattr(cups, "PAUSE_S", 0.0)
    (tmp_path / "club").mkdir()
    folder = ArenaFolder(ArenaOptions(data=tmp_path / "club"))
    folder.put_cup(CUP)
    yield folder
    folder.close()


def played(
    arena: ArenaFolder, monkeypatch: pytest.MonkeyPatch, play: Callable[[int], None]
) -> tuple[Cup, int]:
    """Play the tournament until it is not running; return it, and how often it began."""
    begun: list[int] = []

    def play_tournament(*_: object, errors_public: bool) -> None:
        assert not errors_public
        begun.append(len(begun))
        play(begun[-1])

    monkeypatch.setattr(cups, "play_tournament", play_tournament)
    player = CupPlayer(arena, "snake", {}, "{}", 1, lambda _: None)
    limit = time.monotonic() + PATIENCE_S
    while arena.cups()[0].state == "running" and time.monotonic() < limit:
        player.look()
        player.stop()
    return arena.cups()[0], len(begun)


def fail_at_first(times: int) -> Callable[[int], None]:
    def play(nth: int) -> None:
        if nth < times:
            raise SetupError("no answer")

    return play


def test_a_tournament_goes_on_when_the_disk_did_not_answer(
    arena: ArenaFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup, begun = played(arena, monkeypatch, fail_at_first(2))
    assert (cup.state, cup.why, begun) == ("over", "", 3)


def test_a_tournament_that_cannot_go_on_has_failed_and_says_why(
    arena: ArenaFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup, begun = played(arena, monkeypatch, fail_at_first(9))
    assert (cup.state, cup.why, begun) == ("failed", "no answer", 3)


def test_a_tournament_that_was_stopped_stays_stopped_whatever_ends_it(
    arena: ArenaFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(_: int) -> None:
        arena.stop_cup()
        raise ValueError("an internal error, later")

    cup, begun = played(arena, monkeypatch, play)
    assert (cup.state, cup.why, begun) == ("stopped", "", 1)


def test_a_tournament_is_over_only_once_its_page_has_all_results(
    arena: ArenaFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[str] = []
    put_cup = arena.put_cup

    def read(_: Path) -> None:
        events.append("shown")
        raise SetupError("nothing was played")

    def put(cup: Cup) -> None:
        events.append(cup.state)
        put_cup(cup)

    monkeypatch.setattr(cups, "Tournament", read)
    monkeypatch.setattr(arena, "put_cup", put)
    assert played(arena, monkeypatch, lambda _: None)[0].state == "over"
    assert events == ["shown", "over"]
