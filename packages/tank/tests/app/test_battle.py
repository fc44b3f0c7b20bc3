"""Battles of tanks in this process and at a separate server, by `run_battle`."""

from __future__ import annotations

import gzip
import inspect
import sys
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.net.bot_directories import make_bot
from packages.tank.tests.bot_programs import SPINNING_BOT
from packages.tank.tests.wire.recording.official_reader import read_official
from turnwright import run_battle
from turnwright.app.battle import run
from turnwright.app.results import BattleResult, Progress
from turnwright.app.verify import verify_file
from turnwright.errors import ParticipantStartError, SetupError, VoidBattleError
from turnwright_tank.app.convert import convert
from turnwright_tank.app.options import TankOptions
from turnwright_tank.bots import Bot
from turnwright_tank.game import TankGame


class Turner(Bot):
    def on_tick(self, observation: Any) -> None:
        self.turn_rate = 5
        self.fire(3)


def spin(observation: Any) -> dict[str, float]:
    return {"turn_rate": 5.0, "target_speed": 3.0, "firepower": 1.0}


def directory(root: Path, name: str = "Bot") -> Path:
    return make_bot(root, name, {f"{name}.py": SPINNING_BOT})


def test_built_in_bots_classes_and_functions_play_without_a_socket() -> None:
    result = run_battle("Spinner", Turner, spin, rounds=2, seed=9)
    assert isinstance(result, BattleResult)
    assert {row.name for row in result.results} == {"Spinner", "Turner", "spin"}
    assert [row.rank for row in result.results] == sorted(row.rank for row in result.results)
    assert (result.seed, result.rounds, result.game_type) == (9, 2, "classic")
    assert all(row.skipped == 0 for row in result.latency.values())


def test_the_settings_reach_the_rules() -> None:
    result = run_battle("Duck", "Duck", rounds=1, max_inactivity_turns=5, game_type="custom", arena_width=400)
    assert result.game_type == "custom"
    assert result.turns < 2000


@pytest.mark.parametrize(
    ("bots", "settings", "words"),
    [
        (("Spinner",), {}, "1 bot"),
        (("Spinner", "Duck"), {"nonsense": 1}, "'nonsense'"),
        (("Spinner", "Duck"), {"round": 1}, r"'round'.*rounds\?"),
        (("Spinner", "Duck"), {"record": 5}, "record .*5.*path"),
        (("Spinner", "Duck"), {"game_type": "melee"}, "melee needs at least 10"),
        (("Spinner", "Duck"), {"arena_width": 30}, "30x600.* 0 tanks"),
        (("Spinner", 3), {}, "expected a Bot"),
    ],
)
def test_bad_settings_are_refused(bots: tuple[Any, ...], settings: dict[str, Any], words: str) -> None:
    with pytest.raises(SetupError, match=words):
        run_battle(*bots, **settings)


def test_a_void_battle_names_its_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(self: TankGame, *_: Any) -> Any:
        raise ZeroDivisionError("on purpose")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(TankGame, "resolve", failing)
    with pytest.raises(VoidBattleError, match="the battle is void") as caught:
        run_battle("Spinner", "Duck", seed=4)
    assert caught.value.bundle == str(tmp_path / "void-classic-4")
    assert "ZeroDivisionError" in (tmp_path / "void-classic-4" / "report.txt").read_text()


@pytest.mark.process
def test_directories_built_in_bots_classes_and_functions_play_together(tmp_path: Path) -> None:
    told: list[Progress] = []
    options = TankOptions((directory(tmp_path), "Rammer", Turner, spin), rounds=1, seed=9, python=_python())
    result = run(options, told.append)
    assert {row.name for row in result.results} == {"Bot", "Rammer", "Turner", "spin"}
    assert set(result.latency) == {"Bot", "Rammer", "Turner", "spin"}
    assert told[0].stage == "starting"
    assert told[0].waiting_for


@pytest.mark.process
def test_a_bot_of_this_process_that_fails_immediately_is_named(tmp_path: Path) -> None:
    class Broken(Bot):
        def on_game_started(self, info: Any) -> None:
            raise RuntimeError("on purpose")

    with pytest.raises(ParticipantStartError, match=r"Broken (ended|left) before"):
        run_battle(directory(tmp_path), Broken, rounds=1, python=_python())


@pytest.mark.process
def test_a_void_battle_of_directories_stops_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve = TankGame.resolve

    def failing(self: TankGame, state: Any, intents: Any, streams: Any) -> Any:
        if state.turn_number == 10:
            raise ZeroDivisionError("on purpose")
        return resolve(self, state, intents, streams)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(TankGame, "resolve", failing)
    with pytest.raises(VoidBattleError) as caught:
        run_battle(directory(tmp_path), "Duck", seed=4, python=_python())
    bundle = Path(caught.value.bundle or "")
    assert (bundle / "record.twr").stat().st_size > 0


def test_every_setting_is_documented() -> None:
    text = "".join(inspect.getdoc(cls) or "" for cls in TankOptions.__mro__)
    plain = {"rounds", "game_type", "on_late", "on_skip", "on_disconnect", "on_rules_error", "watched"}
    plain |= {"arena_width", "arena_height", "gun_cooling_rate", "max_inactivity_turns"}
    for name in TankOptions.__dataclass_fields__:
        assert name in text or name in plain


def _python() -> str:
    import sys

    return sys.executable


# ---- files for official viewers --------------------------------------------------------------------------


def test_a_battle_in_process_leaves_both_files_and_one_gives_the_other(tmp_path: Path) -> None:
    files = [tmp_path / "x.twr", tmp_path / "x.battle.gz"]
    result = run_battle("Spinner", "Rammer", Turner, rounds=2, seed=4, record=files, max_inactivity_turns=60)
    assert (result.record, result.recording) == tuple(map(str, files))
    done = convert(files[0], tmp_path / "y.battle.gz")
    assert _lines(done.target) == _lines(files[1])
    assert len(read_official(files[1])) == result.turns + 2 + result.rounds


@pytest.mark.process
def test_a_battle_on_a_server_leaves_both_files_and_one_gives_the_other(tmp_path: Path) -> None:
    files = [tmp_path / "x.battle.gz", tmp_path / "x.twr"]
    bots = (directory(tmp_path), "Rammer", spin)
    result = run_battle(*bots, rounds=2, seed=4, record=files, max_inactivity_turns=60, python=sys.executable)
    done = convert(files[1], tmp_path / "y.battle.gz")
    assert _lines(done.target) == _lines(files[0])
    began = read_official(files[0])[0]
    assert [(p["name"], p["authors"]) for p in began["participants"]][1:] == [
        ("Rammer", ["turnwright"]),
        ("spin", ["unknown"]),
    ]
    assert result.recording == str(files[0])


@pytest.mark.process
def test_a_battle_that_became_void_ends_with_an_abortion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    whole = TankGame.resolve

    def fail_in_turn_nine(game: TankGame, state: Any, *rest: Any) -> Any:
        if state.turn_number == 8:
            raise ZeroDivisionError("on purpose")
        return whole(game, state, *rest)

    monkeypatch.setattr(TankGame, "resolve", fail_in_turn_nine)
    for number, bots in enumerate((("Duck", "Duck"), ("Duck", directory(tmp_path)))):
        path = tmp_path / f"{number}.battle.gz"
        with pytest.raises(VoidBattleError):
            run_battle(*bots, rounds=1, record=path, python=sys.executable)
        messages = read_official(path)
        assert (len(messages), messages[-1]) == (10, {"type": "GameAbortedEvent"})


def _lines(path: Path) -> list[bytes]:
    return gzip.decompress(path.read_bytes()).splitlines()


def test_a_result_and_its_record_played_again_have_the_same_rounds_and_digest(tmp_path: Path) -> None:
    result = run_battle("Crawler", "Spinner", record=tmp_path / "r.twr", seed=5, rounds=2)
    again = verify_file(tmp_path / "r.twr").found
    assert again is not None
    assert again.digest == result.digest
    rounds = {row.seats: row.rounds for row in result.results}
    assert rounds == {(s,): tuple(one[s] for one in again.round_scores) for s in range(2)}
    assert len(again.round_scores) == 2
    assert all(abs(sum(row.rounds) - row.total_score) <= 1 for row in result.results)
