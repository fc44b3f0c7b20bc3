from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.app.bots import dice_game
from packages.core.tests.app.kept_bots import (
    LEAKS,
    LEAVES,
    LEFTOVER,
    OWES,
    SEES,
    told,
    write_telling_bot,
)
from packages.core.tests.net.processes.alive import is_alive
from turnwright.app.battle import run
from turnwright.app.live import kept_server
from turnwright.app.live.kept_server import KeptServer
from turnwright.app.options import GenericBattleOptions
from turnwright.app.results import BattleResult
from turnwright.app.verify import verify_file
from turnwright.kernel.rng import bot_seed
from turnwright.net.participants.kept_bots import KeepLimits

pytestmark = pytest.mark.process

Play = Callable[..., BattleResult]


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a bot that is slow to get ready is not replaced."""
    monkeypatch.setattr(kept_server, "READY_S", 30.0)


@pytest.fixture
def server() -> Iterator[KeptServer]:
    with KeptServer() as kept:
        yield kept


@pytest.fixture
def game(tmp_path: Path) -> str:
    return dice_game(tmp_path / "dice")


def play(server: KeptServer, game: str, *bots: object, seed: int = 1, **options: object) -> BattleResult:
    return run(options_of(game, *bots, seed=seed, **options), play_programs=server.play)


def options_of(game: str, *bots: object, seed: int = 1, **options: Any) -> GenericBattleOptions:
    """The options of a battle in which a busy machine makes no bot late."""
    options.setdefault("turn_timeout_us", 30_000_000)
    return GenericBattleOptions(bots=tuple(map(str, bots)), game=game, seed=seed, **options)


def processes(place: Path) -> list[int]:
    """The process of each battle, in order."""
    return [pid for pid, _, _ in told(place)]


def test_bots_play_battle_after_battle_in_one_process_and_every_record_verifies(
    server: KeptServer, game: str, tmp_path: Path
) -> None:
    one, two = write_telling_bot(tmp_path, "One"), write_telling_bot(tmp_path, "Two")
    for seed in range(1, 5):
        record = tmp_path / f"{seed}.twr"
        seats = (one, two) if seed % 2 else (two, one)
        result = play(server, game, *seats, seed=seed, record=record)
        assert result.names == tuple(place.name for place in seats)
        assert (result.seed, result.turns) == (seed, 3)
        assert not any(row.left or row.skipped for row in result.latency.values())
        found = verify_file(record, game=game)
        assert found.found is not None
        assert found.found.digest == result.digest
    for place in (one, two):
        assert len(set(processes(place))) == 1
        seats = [(n + (place is one)) % 2 for n in range(1, 5)]
        seeds = [str(bot_seed(n, seat)) for n, seat in enumerate(seats, 1)]
        assert [(battle, seed) for _, battle, seed in told(place)] == list(enumerate(seeds, 1))
    assert server.reused == {0, 1}


@pytest.mark.long
def test_results_of_reused_processes_equal_those_of_new_ones(
    server: KeptServer, game: str, tmp_path: Path
) -> None:
    one, two = write_telling_bot(tmp_path, "One"), write_telling_bot(tmp_path, "Two")
    play(server, game, one, two, seed=1)
    kept = play(server, game, one, two, seed=2)
    assert (run(options_of(game, one, two, seed=2)).digest, server.reused) == (kept.digest, {0, 1})


@pytest.mark.long
def test_one_process_plays_a_hundred_battles(server: KeptServer, game: str, tmp_path: Path) -> None:
    one = write_telling_bot(tmp_path, "One")
    for seed in range(1, 101):
        play(server, game, one, "Low", seed=seed)
    assert len(set(processes(one))) == 1
    assert told(one)[-1][1:] == (100, str(bot_seed(100, 0)))


@pytest.mark.long
def test_built_in_bots_and_several_seats_of_a_program_take_part(
    server: KeptServer, game: str, tmp_path: Path
) -> None:
    one = write_telling_bot(tmp_path, "One")
    play(server, game, one, "High", one)
    play(server, game, "Low", one, one)
    play(server, game, one, "High")
    assert len(set(processes(one))) == 2
    assert sorted(battle for _, battle, _ in told(one)) == [1, 1, 2, 2, 3]
    assert len(server.bots or ()) == 2


@pytest.mark.long
def test_a_bot_that_leaves_when_a_battle_is_over_has_a_new_process_for_the_next(
    server: KeptServer, game: str, tmp_path: Path
) -> None:
    one = write_telling_bot(tmp_path, "One", LEAVES)
    for seed in (1, 2):
        result = play(server, game, one, "Low", seed=seed)
        assert not any(row.left for row in result.latency.values())
    assert len(set(processes(one))) == 2


def test_a_bot_that_is_killed_between_battles_has_a_new_process(
    server: KeptServer, game: str, tmp_path: Path
) -> None:
    one = write_telling_bot(tmp_path, "One")
    play(server, game, one, "Low")
    os.kill(processes(one)[0], signal.SIGKILL)
    result = play(server, game, one, "Low", seed=2)
    assert not any(row.left for row in result.latency.values())
    assert len(set(processes(one))) == 2


@pytest.mark.long
def test_a_bot_that_owes_an_answer_has_a_new_process(server: KeptServer, game: str, tmp_path: Path) -> None:
    one = write_telling_bot(tmp_path, "One", OWES)
    for seed in (1, 2):
        result = play(
            server, game, one, "Low", seed=seed, turn_timeout_us=100_000, opening_timeout_us=30_000_000
        )
        assert result.latency["One"].skipped == 1
    assert len(set(processes(one))) == 2


@pytest.mark.long
def test_leftover_messages_of_the_battle_before_do_not_count(
    server: KeptServer, game: str, tmp_path: Path
) -> None:
    one, two = write_telling_bot(tmp_path, "One", LEFTOVER), write_telling_bot(tmp_path, "Two")
    play(server, game, one, two, seed=1)
    kept = play(server, game, one, two, seed=2)
    assert server.reused == {0, 1}
    assert kept.results[0].rounds + kept.results[1].rounds == _rounds(run(options_of(game, two, two, seed=2)))


def _rounds(result: BattleResult) -> tuple[float, ...]:
    return result.results[0].rounds + result.results[1].rounds


@pytest.mark.long
def test_a_bot_with_too_much_memory_has_a_new_process(game: str, tmp_path: Path) -> None:
    one, two = write_telling_bot(tmp_path, "One", LEAKS), write_telling_bot(tmp_path, "Two")
    with KeptServer(KeepLimits(memory_bytes=150 << 20)) as server:
        for seed in (1, 2):
            play(server, game, one, two, seed=seed)
        assert [bot.process.name for bot in (server.bots or _none()).bots] == ["Two"]
    assert (len(set(processes(one))), len(set(processes(two)))) == (2, 1)


def _none() -> None:
    raise AssertionError("no battle was played")


@pytest.mark.long
def test_the_process_that_was_used_least_recently_makes_room(game: str, tmp_path: Path) -> None:
    one, two, three = (write_telling_bot(tmp_path, name) for name in ("One", "Two", "Three"))
    with KeptServer(KeepLimits(bots=2)) as server:
        play(server, game, one, two)
        play(server, game, three, two)
        play(server, game, one, two)
    assert (len(set(processes(one))), len(set(processes(two)))) == (2, 1)


@pytest.mark.long
def test_a_bot_that_asks_for_it_has_a_new_process_for_each_battle(
    server: KeptServer, game: str, tmp_path: Path
) -> None:
    one, two = write_telling_bot(tmp_path, "One", SEES, fresh=True), write_telling_bot(tmp_path, "Two", SEES)
    for seed in (1, 2):
        play(server, game, one, two, seed=seed)
    assert [battle for _, battle, _ in told(one)] == [1, 1]
    assert [battle for _, battle, _ in told(two)] == [1, 2]


@pytest.mark.long
def test_a_changed_program_has_a_new_process(server: KeptServer, game: str, tmp_path: Path) -> None:
    one = write_telling_bot(tmp_path, "One")
    play(server, game, one, "Low")
    write_telling_bot(tmp_path, "One", SEES)
    play(server, game, one, "Low")
    assert [battle for _, battle, _ in told(one)] == [1, 1]


def test_all_processes_end_with_the_server(game: str, tmp_path: Path) -> None:
    one = write_telling_bot(tmp_path, "One")
    with KeptServer() as server:
        play(server, game, one, "Low")
        assert is_alive(processes(one)[0])
    assert not is_alive(processes(one)[0])
