"""Strikes and the bench."""

from __future__ import annotations

from turnwright_world.planning.penalties import BENCH_MAX, CALM_PLANS, Penalties, PenaltyState


def test_each_strike_doubles_the_bench_and_the_tenth_is_the_last() -> None:
    standing = PenaltyState("ada")
    benches = [standing.penalize(turn=0) for _ in range(10)]
    assert benches == [1, 2, 4, 8, 16, 32, 64, 128, BENCH_MAX, -1]
    assert standing.out


def test_a_bench_of_one_turn_is_the_next_turn() -> None:
    standing = PenaltyState("ada")
    standing.penalize(turn=7)
    assert standing.back_turn == 9


def test_a_hundred_plans_in_time_take_one_strike_back() -> None:
    standing = PenaltyState("ada")
    standing.penalize(0)
    standing.penalize(0)
    for _ in range(CALM_PLANS - 1):
        standing.note_success()
    assert standing.penalties == 2
    standing.note_success()
    assert standing.penalties == 1


def test_costs_rise_immediately_and_fall_slowly() -> None:
    standing = PenaltyState("ada")
    standing.note_cost(800)
    standing.note_cost(8_000)
    assert standing.cost_us == 8_000
    standing.note_cost(0)
    assert standing.cost_us == 7_000


def test_a_new_body_is_expected_to_cost_as_much_as_others_of_its_mind() -> None:
    strikes = Penalties()
    old, new = strikes.of(1, "ada", 0), strikes.of(2, "ada", 0)
    assert strikes.usual_us(new, "wolf", unknown_us=500) == 500
    strikes.note_cost(old, "wolf", 3_000)
    assert strikes.usual_us(new, "wolf", unknown_us=500) == 3_000
    assert strikes.usual_us(new, "hare", unknown_us=500) == 500
    strikes.note_cost(new, "wolf", 0)
    assert strikes.usual_us(new, "wolf", unknown_us=500) == 1


def test_a_body_with_a_new_owner_starts_without_penalties() -> None:
    strikes = Penalties()
    strikes.of(1, "ada", 0).penalize(0)
    assert strikes.of(1, "ada", 0).penalties == 1
    assert strikes.of(1, "bob", 0).penalties == 0


def test_only_a_body_with_a_new_mind_starts_without_penalties() -> None:
    strikes = Penalties()
    for body in (1, 2):
        for _ in range(10):
            strikes.of(body, "ada", 0).penalize(0)
    strikes.pardon_body(1)
    assert (strikes.of(1, "ada", 1).out, strikes.of(1, "ada", 1).back_turn) == (False, 0)
    assert strikes.of(2, "ada", 1).out
    strikes.pardon_body(3)  # it never planned
    assert strikes.of(3, "ada", 1).penalties == 0


def test_a_mind_with_another_program_starts_without_penalties() -> None:
    strikes = Penalties()
    for body, mind in ((1, "wolf"), (2, "hare")):
        standing = strikes.of(body, "", 0)
        standing.mind = mind
        for _ in range(10):
            standing.penalize(0)
        strikes.note_cost(standing, mind, 20_000)
    strikes.new_mind("wolf")
    assert (strikes.of(1, "", 1).out, strikes.of(2, "", 1).out) == (False, True)
    assert strikes.usual_us(strikes.of(1, "", 1), "wolf", unknown_us=500) == 500
    assert strikes.usual_us(strikes.of(3, "", 1), "wolf", unknown_us=500) == 500
    assert strikes.usual_us(strikes.of(3, "", 1), "hare", unknown_us=500) == 20_000


def test_bodies_long_gone_are_forgotten_when_there_are_many() -> None:
    strikes = Penalties()
    for body in range(2_000):
        strikes.of(body, "ada", 0)
    kept = strikes.of(1, "ada", 1_000)
    strikes.prune(1_000, asked=10)
    assert len(strikes) == 1
    assert strikes.of(1, "ada", 1_000) is kept
