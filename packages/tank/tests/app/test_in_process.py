from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.messages import missing, naming
from packages.tank.tests.prepared_battle import prepared
from turnwright import run_battle
from turnwright.app import battle_in_process as inprocess
from turnwright.app.game.playable import find_game
from turnwright.app.results import Progress
from turnwright.catalog import load
from turnwright.errors import ParticipantStartError
from turnwright.host.summary import BattleSummary
from turnwright.kernel.verify import verify
from turnwright.net.files.reader import read_record
from turnwright_tank.app.options import TankOptions
from turnwright_tank.bots import Bot
from turnwright_tank.bots.house.rammer import Rammer
from turnwright_tank.game import TankGame
from turnwright_tank.wire.recording.from_record import opening_of


class Diary(Bot):
    """Records what it receives, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[Any] = []

    def on_game_started(self, info: Any) -> None:
        self.told.append(("game", info.my_id, info.number_of_rounds, dict(info.bot_names)))

    def on_round_started(self, round_number: int) -> None:
        self.told.append(("round", round_number))

    def on_tick(self, observation: Any) -> None:
        self.told.append((observation.round_number, observation.turn_number))

    def on_death(self, event: Any) -> None:
        self.told.append("death")

    def on_won_round(self, event: Any) -> None:
        self.told.append("won")

    def on_round_ended(self, results: Any) -> None:
        self.told.append(("round over", results["rank"]))

    def on_game_ended(self, results: Any) -> None:
        self.told.append(("game over", results["rank"]))

    def on_skipped_turn(self, turn_number: int) -> None:
        self.told.append(("skipped", turn_number))


def silent(observation: Any) -> None:
    """Never answers."""


def fails_in_turn_five(observation: Any) -> dict[str, float]:
    if observation.turn_number == 5:
        raise RuntimeError("on purpose")
    return {"turn_rate": 1.0}


def test_a_bot_in_the_process_gets_what_a_server_would_send_in_the_same_order() -> None:
    own = Diary()
    result = run_battle(own, "Rammer", rounds=2, seed=5)
    told = own.told
    assert told[0] == ("game", 1, 2, {1: "Diary 1.0"})
    assert told[1:3] == [("round", 1), (1, 1)]
    assert told[-1] == ("game over", 2)
    assert told.count(("round over", 2)) == 2
    assert told.count("death") == 2
    for number in (1, 2):
        turns = [entry[1] for entry in told if isinstance(entry[0], int) and entry[0] == number]
        assert turns == list(range(1, len(turns) + 1))
    assert result.results[0].name == "Rammer"


def test_the_winner_sees_the_last_turn_of_a_round() -> None:
    told: list[str] = []

    class Winner(Rammer):
        def on_won_round(self, event: Any) -> None:
            told.append("won")

    run_battle(Winner, "Duck", rounds=2, seed=5)
    assert told == ["won", "won"]


def test_a_function_that_gives_no_answer_misses_its_turns_and_is_disqualified() -> None:
    result = run_battle(silent, "Spinner", rounds=1, seed=5, max_skipped=10)
    row = next(row for row in result.results if row.name == "silent")
    assert row.disqualified
    assert 10 <= result.latency["silent"].skipped <= 11


def test_a_bot_that_raises_leaves_and_the_battle_continues(caplog: pytest.LogCaptureFixture) -> None:
    result = run_battle(fails_in_turn_five, "Spinner", rounds=1, seed=5, max_skipped=10)
    assert result.turns > 10
    assert naming(caplog.text, "fails_in_turn_five", "crashed in turn 5", "RuntimeError: on purpose")
    row = next(row for row in result.results if row.name == "fails_in_turn_five")
    assert row.disqualified
    assert (row.failure.reason, row.failure.round, row.failure.turn) == ("crashed", 1, 5)
    assert not missing(row.failure.error, "RuntimeError: on purpose", "test_in_process.py")
    assert result.last_lines["fails_in_turn_five"][-1] == "RuntimeError: on purpose"


@pytest.mark.parametrize(("code", "reason"), [(0, "exited"), (5, "crashed")])
def test_a_bot_that_ends_the_program_leaves_and_the_battle_continues(
    caplog: pytest.LogCaptureFixture, code: int, reason: str
) -> None:
    def ends(observation: Any) -> dict[str, float]:
        if observation.turn_number == 5:
            raise SystemExit(code)
        return {}

    result = run_battle(ends, "Spinner", rounds=1, seed=5, max_skipped=10)
    assert naming(caplog.text, "ends", f"{reason} in turn 5", f"exit code {code}")
    failure = result.failures["ends"]
    assert (failure.reason, failure.turn, failure.error) == (reason, 5, f"exit code {code}")


def test_when_every_bot_has_raised_the_battle_fails() -> None:
    with pytest.raises(ParticipantStartError, match="on purpose") as raised:
        run_battle(fails_in_turn_five, fails_in_turn_five, rounds=1)
    assert len(naming(str(raised.value), "fails_in_turn_five", "crashed in turn 5")) == 2


def test_the_record_of_a_battle_with_misses_and_a_loss_verifies(tmp_path: Path) -> None:
    path = tmp_path / "b.twr"
    result = run_battle(fails_in_turn_five, silent, "Spinner", rounds=2, seed=5, record=path)
    assert result.record == str(path)
    record = read_record(path)
    assert record.footer is not None
    assert record.footer.ending == "over"
    found = verify(record, load("tank"))
    assert (found.ok, found.turns) == (True, result.turns)


def test_rules_that_fail_make_a_void_battle_whose_record_fails_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve = TankGame.resolve

    def failing(self: TankGame, state: Any, intents: Any, streams: Any) -> Any:
        if state.turn_number == 20:
            raise ZeroDivisionError("on purpose")
        return resolve(self, state, intents, streams)

    monkeypatch.setattr(TankGame, "resolve", failing)
    options = TankOptions(("Spinner", "Duck"), rounds=1, seed=5, record=tmp_path / "b.twr")
    battle = prepared(options, 5)
    summary = find_game("tank").battles.in_process(battle, lambda progress: None).play()
    assert isinstance(summary, BattleSummary)
    assert (summary.ending, summary.turns) == ("void", 21)
    assert "ZeroDivisionError: on purpose" in summary.traceback
    record = read_record(tmp_path / "b.twr")
    assert record.turns[-1].digest == ""
    assert verify(record, TankGame("interpreted")).ok
    monkeypatch.undo()
    assert not verify(record, TankGame("interpreted")).ok
    battle.record_files.finish()


def test_progress_is_reported_at_least_at_the_end() -> None:
    from turnwright.app.battle import run

    told: list[Progress] = []
    run(TankOptions(("Spinner", "Duck"), rounds=2, seed=5), told.append)
    assert told[-1].stage == "over"
    assert (told[-1].round, told[-1].rounds) == (2, 2)
    assert sorted(standing.name for standing in told[-1].standings) == ["Duck", "Spinner"]


def test_a_pace_is_obeyed_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    clock_ns = 0

    def sleep(seconds: float) -> None:
        nonlocal clock_ns
        clock_ns += round(seconds * 1e9)

    fast = run_battle("Spinner", "Rammer", rounds=1, seed=5)
    monkeypatch.setattr(inprocess, "monotonic_ns", lambda: clock_ns)
    monkeypatch.setattr(inprocess, "sleep", sleep)
    paced = run_battle("Spinner", "Rammer", rounds=1, seed=5, tps=200)
    assert (paced.results, paced.turns) == (fast.results, fast.turns)
    assert clock_ns == pytest.approx((paced.turns - 1) / 200 * 1e9, rel=0.01)


def test_the_record_has_the_participants(tmp_path: Path) -> None:
    path = tmp_path / "x.twr"
    run_battle(Rammer, silent, rounds=1, seed=3, record=path, max_inactivity_turns=20)
    opening = opening_of(read_record(path).header)
    assert opening.game_setup.number_of_rounds == 1
    rammer, other = opening.participants
    assert (rammer.id, rammer.name, rammer.session_id) == (1, "Rammer", "local 1")
    assert (other.name, other.authors) == ("silent", ("unknown",))


def test_no_bot_is_billed_for_a_full_collection_of_garbage() -> None:
    import gc

    before, seen = gc.get_threshold(), set()

    def watching(observation: object) -> None:
        seen.add(gc.get_threshold()[0])

    run_battle(watching, silent, rounds=1, seed=3, max_inactivity_turns=20)
    assert min(seen) > before[0]
    with pytest.raises(ParticipantStartError):
        run_battle(fails_in_turn_five, fails_in_turn_five, rounds=1, seed=3)
    assert gc.get_threshold() == before
