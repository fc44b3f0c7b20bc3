from __future__ import annotations

from typing import Any

from packages.tank.tests.battles import digests, play
from turnwright_tank.game import TankGame
from turnwright_tank.rules.rows import Rows
from turnwright_tank.rules.stages import STAGES, Stages


def failing_at(stage: str, turns: range, after: bool = False) -> Stages:
    def wrap(name: str, run: Any) -> Any:
        def fail(rows: Rows) -> int:
            if not after and rows.arena.turn in turns:
                raise ZeroDivisionError("a defect of the rules")
            need: int = run(rows)
            if not need and rows.arena.turn in turns:
                rows.tanks[0].x += 1.0
                raise ZeroDivisionError("a defect of the rules")
            return need

        return fail if name == stage else run

    return tuple((name, wrap(name, run)) for name, run in STAGES)


def test_a_failing_stage_is_noted_skipped_and_taken_back() -> None:
    early = TankGame("interpreted", on_error="continue", stages=failing_at("scan", range(10, 13)))
    late = TankGame("interpreted", on_error="continue", stages=failing_at("scan", range(10, 13), after=True))
    faults = [state.faults for state, _ in play(early, 4, turns=40)]
    assert [turn for turn, seen in enumerate(faults, start=1) if seen] == [10, 11, 12]
    assert faults[9] == [("scan", "ZeroDivisionError('a defect of the rules')")]
    assert digests(early, 4, turns=40) == digests(late, 4, turns=40)
    assert digests(early, 4, turns=40) != digests(TankGame("interpreted"), 4, turns=40)


def test_two_failing_stages_are_both_skipped() -> None:
    stages = failing_at("fly", range(3, 5))
    both = tuple(
        (name, dict(failing_at("scan", range(3, 5)))["scan"] if name == "scan" else run)
        for name, run in stages
    )
    game = TankGame("interpreted", on_error="continue", stages=both)
    faults = [[name for name, _ in state.faults] for state, _ in play(game, 4, turns=6)]
    assert faults == [[], [], ["scan", "fly"], ["scan", "fly"], [], []]


def test_a_tolerant_game_plays_the_same_battle_when_nothing_fails() -> None:
    tolerant = TankGame("interpreted", on_error="continue")
    assert digests(tolerant, 8, turns=60) == digests(TankGame("interpreted"), 8, turns=60)
    assert digests(TankGame("interpreted", on_error="continue", grid_from=0), 8) == digests(
        TankGame("interpreted"), 8
    )


def test_without_tolerance_the_exception_comes_out() -> None:
    game = TankGame("interpreted", stages=failing_at("scan", range(3, 4)))
    turns = 0
    try:
        for _ in play(game, 4, turns=40):
            turns += 1
    except ZeroDivisionError:
        assert turns == 2
    else:
        raise AssertionError("the stage did not fail")
