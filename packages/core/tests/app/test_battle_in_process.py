"""Battles of any game in this process: bots, results, records and errors."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import turnwright
from packages.core.tests.dice_game import GOOD, folder
from packages.core.tests.messages import missing, says
from turnwright import run_battle
from turnwright.app import battle_in_process
from turnwright.app.battle import run
from turnwright.app.game.playable import find_game
from turnwright.app.options import GenericBattleOptions
from turnwright.app.results import BattleResult, Progress
from turnwright.app.verify import verify_file
from turnwright.errors import GameError, ParticipantStartError, SetupError, VoidBattleError
from turnwright.kernel.failure import FailureReason


def left(observation: dict[str, Any]) -> str:
    return "left"


@pytest.mark.parametrize(
    ("game", "bots"), [("snake", ["Greedy", left]), ("countdown", [lambda o: 3, lambda o: 1])]
)
def test_a_battle_is_recorded_and_its_record_verifies(tmp_path: Path, game: str, bots: list[Any]) -> None:
    result = run_battle(*bots, game=game, record=tmp_path / "s.twr", seed=5)
    assert isinstance(result, BattleResult)
    assert (result.game_type, result.seed, result.record) == (game, 5, str(tmp_path / "s.twr"))
    checked = verify_file(tmp_path / "s.twr").to_data()
    assert (checked["ok"], checked["game"], checked["turns"]) == (True, game, result.turns)
    again = run_battle(*bots, game=game, seed=5)
    assert again.results == result.results
    assert json.loads(result.to_json())["results"][0]["rank"] == 1


def test_a_result_and_its_record_played_again_have_the_same_rounds_and_digest(tmp_path: Path) -> None:
    result = run_battle("Greedy", "Wanderer", game="snake", record=tmp_path / "r.twr", seed=5, turns=60)
    again = verify_file(tmp_path / "r.twr").found
    assert again is not None
    assert (again.digest, len(again.digest)) == (result.digest, 16)
    rounds = {row.seats: row.rounds for row in result.results}
    assert rounds == {(s,): tuple(one[s] for one in again.round_scores) for s in range(2)}
    assert len(again.round_scores) == 1
    assert all(row.rounds == (row.score,) for row in result.results)


def test_results_are_by_score_and_a_second_bot_of_a_name_is_numbered() -> None:
    result = run_battle("Greedy", "Greedy", "Wanderer", game="snake", turns=100, seed=3)
    assert sorted(row.name for row in result.results) == ["Greedy", "Greedy (2)", "Wanderer"]
    scores = [row.score for row in result.results]
    assert scores == sorted(scores, reverse=True)


def test_a_folder_is_played_and_its_record_verified(tmp_path: Path) -> None:
    where = folder(tmp_path / "dice")
    result = run_battle(lambda o: 1, lambda o: 2, game=where, record=tmp_path / "d.twr")
    assert result.turns == 3
    assert verify_file(tmp_path / "d.twr", game=where).to_data()["ok"]
    assert says(str(verify_file(tmp_path / "d.twr").error), "'dice' … installed")
    assert says(str(verify_file(tmp_path / "d.twr", game="snake").error), "'dice' … 'snake'")


@pytest.mark.parametrize(
    ("bots", "given", "words"),
    [
        (["Greedi"], {}, "'Greedi'.*Greedy"),
        (["Nobody at all"], {}, "Greedy, Wanderer"),
        ([], {}, "no bot"),
        (["Greedy"], {"wide": 3}, "snake .*'wide'.*width"),
        (["Greedy"], {"width": 3}, "width is 3: give 5 or more"),
        (["Greedy"], {"record": "/no/such/place/s.twr"}, "create it first"),
    ],
)
def test_an_unplayable_battle_is_refused_in_one_line(
    bots: list[str], given: dict[str, Any], words: str
) -> None:
    with pytest.raises(SetupError, match=words) as caught:
        run_battle(*bots, game="snake", **given)
    assert "\n" not in str(caught.value)


def test_an_answer_that_is_not_an_intent_misses_its_turn_and_is_reported() -> None:
    result = run_battle(lambda o: "forward", lambda o: None, game="snake", turns=5)
    assert [row.skipped for row in result.results] == [5, 5]
    assert [row.malformed for row in result.latency.values()] == [5, 0]
    refused, mute = result.failures.values()
    assert refused.reason is mute.reason is FailureReason.SILENT
    assert not missing(refused.full_text, "no valid answer", "'forward'", "not an intent", "snake")
    assert not missing(refused.advice, "correct its answers", "expected")
    assert says(mute.full_text, "never answered")
    assert says(mute.advice, "start it by hand")


def test_one_whose_intent_the_game_fails_over_misses_its_turns_and_the_game_is_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    where = folder(tmp_path / "dice")
    result = run_battle(lambda o: [1], lambda o: 1, game=where)
    assert sorted(row.skipped for row in result.results) == [0, 3]
    (line,) = [one for one in caplog.messages if "read_intent" in one]
    assert says(line, "dice.read_intent() … TypeError … (game.py, line")


def test_a_bot_that_raises_leaves_and_the_battle_continues() -> None:
    def fails(observation: Any) -> Any:
        raise KeyError("x")

    result = run_battle(fails, "Wanderer", game="snake", turns=5)
    assert {row.name: row.left for row in result.results} == {"fails": True, "Wanderer": False}
    with pytest.raises(ParticipantStartError, match="KeyError"):
        run_battle(fails, fails, game="snake")


def test_functions_with_two_arguments_get_the_same_random_numbers_in_a_battle_with_the_same_seed(
    tmp_path: Path,
) -> None:
    where, drawn = folder(tmp_path / "dice"), list[float]()

    def draws(observation: Any, random: Random) -> int:
        drawn.append(random.random())
        return 1

    def drawn_with(seed: int) -> list[float]:
        drawn.clear()
        run_battle(draws, draws, game=where, seed=seed)
        return list(drawn)

    first = drawn_with(5)
    assert len(set(first)) == 6, "two seats draw different numbers in three turns"
    assert drawn_with(5) == first
    assert not set(drawn_with(6)) & set(first)


def test_built_in_bots_that_draw_play_the_same_battle_twice(tmp_path: Path) -> None:
    where = folder(tmp_path / "dice", GOOD.replace("+= streams.stream", "+= intents[seat] or streams.stream"))
    (tmp_path / "dice" / "bots.py").write_text(
        "def one(seen, random, depth=3): return random.randrange(10**6)\n"
        "def two(seen, depth=3): return 1\n"
        "BOTS = {'One': one, 'Two': two}\n",
        encoding="utf-8",
    )
    battles = [run_battle("One", "Two", "One", game=where, seed=seed) for seed in (5, 5, 6)]
    scores = [sorted(row.score for row in battle.results) for battle in battles]
    assert scores[0] == scores[1] != scores[2]
    assert scores[0][0] == 3.0


def test_a_bot_cannot_change_the_battle_by_its_observation() -> None:
    def cheats(observation: Any) -> str:
        observation["snakes"].clear()
        return "up"

    assert run_battle(cheats, "Wanderer", game="snake", turns=3).turns == 3


def test_a_game_whose_rules_fail_voids_the_battle_and_leaves_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    where = folder(tmp_path / "dice", GOOD.replace("return []", "return [] if state.turn < 2 else None"))
    with pytest.raises(VoidBattleError, match=r"turn 2.*dice\.resolve\(\).*None"):
        run_battle(lambda o: 1, game=where, record=tmp_path / "d.twr")
    assert verify_file(tmp_path / "d.twr", game=where).to_data()["ending"] == "void"


def test_built_in_bots_come_from_the_games_folder(tmp_path: Path) -> None:
    assert sorted(find_game("snake").bots.built_in) == ["Greedy", "Wanderer"]
    assert dict(find_game("countdown").bots.built_in) == {}
    where = folder(tmp_path / "dice")
    (tmp_path / "dice" / "bots.py").write_text("BOTS = ['Six']\n", encoding="utf-8")
    with pytest.raises(GameError, match=r"BOTS.*dictionary"):
        assert find_game(where).bots


def test_built_in_bots_have_names(tmp_path: Path) -> None:
    where = folder(tmp_path / "dice")
    (tmp_path / "dice" / "bots.py").write_text("BOTS = {6: len}\n", encoding="utf-8")
    with pytest.raises(GameError, match=r"BOTS.*dictionary"):
        assert find_game(where).bots


def test_results_of_a_game_for_each_seat_are_columns_and_others_are_details(tmp_path: Path) -> None:
    snakes = run_battle("Greedy", "Wanderer", game="snake", turns=200, seed=3)
    assert [list(row.columns) for row in snakes.results] == [["score", "eaten", "skipped", "left"]] * 2
    assert snakes.results[0].eaten > 0
    assert snakes.details is None
    ended = "Outcome(tuple(map(float, state.points)), %s)"
    for number, (given, columns, details) in enumerate(
        [
            ("[{'best': 1}, {'best': 'x'}]", ["best"], None),
            ("{'dice': 3}", [], {"dice": 3}),
            ("[{'best': 1}, {'worst': 2}]", [], [{"best": 1}, {"worst": 2}]),
            ("[{'best': [1]}, {'best': []}]", [], [{"best": [1]}, {"best": []}]),
            ("[{'best': 1}]", [], [{"best": 1}]),
        ]
    ):
        code = GOOD.replace("Outcome(tuple(map(float, state.points)))", ended % given)
        result = run_battle(lambda o: 1, lambda o: 2, game=folder(tmp_path / f"dice{number}", code))
        assert list(result.results[0].columns)[1:-2] == columns
        assert result.details == details
        assert result.to_data().get("details") == details


def test_a_missing_bot_is_refused_with_the_fact_that_the_game_has_none() -> None:
    with pytest.raises(SetupError, match=r"'Nim'.*no built-in bots$"):
        run_battle("Nim", game="countdown")


def test_invalid_scores_void_an_unwatched_battle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code = GOOD.replace(
        "    def outcome", "    def scores(self, state):\n        return [1]\n\n    def outcome"
    )
    with pytest.raises(VoidBattleError, match=r"dice\.scores\(\) returned 1 scores.*one for each"):
        run_battle(lambda o: 1, lambda o: 2, game=folder(tmp_path / "dice", code))


def test_progress_shows_the_scores_of_every_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(battle_in_process, "LOOK_NS", 0)
    seen: list[Progress] = []
    options = GenericBattleOptions(
        bots=("Greedy", "Wanderer"), game="snake", seed=3, settings=(("turns", 9),)
    )
    result = run(options, seen.append)
    scores = [tuple(one.score for one in progress.standings) for progress in seen]
    assert scores[0] == (1.0, 1.0)
    assert len(set(scores)) == len(scores) == 9
    assert sorted(scores[-1], reverse=True) == [row.score for row in result.results]  # type: ignore[type-var]


def test_the_package_offers_it_lazily() -> None:
    assert "run_battle" in dir(turnwright)
    assert turnwright.run_battle is run_battle
    assert turnwright.BattleResult is BattleResult
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = turnwright.nonsense


def test_a_missing_seed_is_drawn_and_reported() -> None:
    seeds = {run_battle("Greedy", "Wanderer", game="snake", turns=3).seed for _ in range(3)}
    assert len(seeds) == 3


def test_one_seed_gives_one_battle_and_another_another() -> None:
    one, two, other = (run_battle("Greedy", "Wanderer", game="snake", seed=seed) for seed in (1, 1, 2))
    assert (one.results, one.digest) == (two.results, two.digest)
    assert one.digest != other.digest


def test_a_record_of_an_unknown_kind_is_refused_before_the_battle(tmp_path: Path) -> None:
    with pytest.raises(SetupError) as caught:
        run_battle("Greedy", "Greedy", game="snake", record=tmp_path / "x.zip")
    assert not missing(str(caught.value), "x.zip", ".twr")
    assert list(tmp_path.iterdir()) == []
