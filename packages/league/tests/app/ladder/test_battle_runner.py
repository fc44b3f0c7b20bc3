"""The runner of a ladder server's battles, with workers whose answers the test decides."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.app.bots import dice_game
from packages.league.tests.app.inline_workers import work_here
from packages.league.tests.app.ladder.client import PATIENCE_S
from packages.league.tests.app.ladder.zips import PLAYS
from turnwright.app.game.playable import find_game
from turnwright.host import accounts
from turnwright_league.app.ladder.battle_runner import LadderBattleRunner
from turnwright_league.app.ladder.folder import LadderFolder
from turnwright_league.app.ladder.game import LadderGame
from turnwright_league.app.ladder.options import LadderOptions
from turnwright_league.app.ladder.upload_check import check_upload
from turnwright_league.app.store import open_store
from turnwright_league.app.worker import JobResult
from turnwright_league.tournament.played_battle import EntryScore

LATE = ("the server was late in 9 of 9 turns",)

Answer = Callable[[int], tuple[str, ...]]
Ladder = Callable[[Answer, Callable[[LadderBattleRunner], bool]], LadderBattleRunner]


@pytest.fixture
def ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ladder]:
    """A ladder with one upload, which plays two battles in parallel.

    It plays until `is_enough`, which is called now and then. `suspect_of` returns what is suspect in the n-th
    battle.
    """
    options = LadderOptions(data=tmp_path / "club", jobs=2)
    options.folder.mkdir()
    ladder_folder = LadderFolder(options)
    store = open_store(ladder_folder.folder.store, writing=True)
    monkeypatch.setattr(accounts, "SCRYPT_COST", 2)  # no passphrase is typed here
    ladder_folder.people.register("anna", "a long passphrase", "", "anna")
    part = ladder_folder.places.part()
    part.write_bytes(PLAYS)
    ladder_folder.take_upload("anna", "Mine.py", part, "mine")
    game = LadderGame(ladder_folder, store, find_game(dice_game(tmp_path / "dice")), {}, "none")

    def play(suspect_of: Answer, is_enough: Callable[[LadderBattleRunner], bool]) -> LadderBattleRunner:
        played: list[Any] = []

        def work(task: Any, argument: Any) -> Any:
            if task is check_upload:
                return check_upload(argument)
            spec = argument.spec
            played.append(spec)
            rows = [EntryScore(spec.seats.index(one), one, 1.0) for one in spec.seats]
            return JobResult("played", "ok", tuple(rows), 9, suspect_of(len(played) - 1))

        work_here(monkeypatch, work)
        enough = threading.Event()
        runner = LadderBattleRunner(ladder_folder, game, store, lambda one: is_enough(one) and enough.set())
        runner.start()
        assert enough.wait(PATIENCE_S)
        runner.stop()
        return runner

    yield play
    store.close()
    ladder_folder.close()


def test_the_ladder_adapts_its_number_of_battles_to_the_speed_of_the_machine(
    ladder: Ladder,
) -> None:
    numbers, before = list[int](), gc.get_threshold()

    def has_risen(runner: LadderBattleRunner) -> bool:
        assert gc.get_threshold()[0] > before[0], "no full collection delays the next battle"
        numbers.append(runner.jobs)
        return 1 in numbers and runner.jobs == 2

    runner = ladder(lambda number: LATE if 1 <= number <= 2 else (), has_risen)
    assert runner.error is None
    assert list(dict.fromkeys(numbers)) == [2, 1]
    assert runner.jobs == 2
