"""The analysis of battles whose course is known."""

from __future__ import annotations

from typing import Any

import pytest

from packages.core.tests.messages import missing, says
from packages.tank.tests.analysis.scenes import (
    drive,
    every,
    fire,
    idle,
    moment_of,
    only,
    setting_of,
    silent,
    told,
)
from packages.tank.tests.battles import play
from tests.parts import few
from turnwright.kernel.record import TurnEntry, TurnRules
from turnwright_tank.analysis.battle import Analysis, results_of
from turnwright_tank.analysis.counts import bullets_missed, energy_lost
from turnwright_tank.analysis.facts import (
    BotFact,
    DeathFact,
    DisabledFact,
    LateFact,
    OutFact,
    RoundFact,
    SkipsFact,
    TimingFact,
    TotalFact,
    WallFact,
)
from turnwright_tank.analysis.turns import Fighter, Setting, TurnSeen
from turnwright_tank.game import TankGame
from turnwright_tank.structs import BotHitWallEvent, TankIntent
from turnwright_tank.wire.royale.results import results_for_observers

APART = [(100.0, 100.0, 0.0), (300.0, 100.0, 0.0)]


def test_a_shot_tank_dies_of_the_last_bullet_with_its_power_and_distance() -> None:
    analysis = told([fire(3.0), idle], APART)
    death = only(analysis, DeathFact)
    assert (death.bot, death.cause, death.by, death.by_name) == (2, "bullet", 1, "T0")
    assert death.blows[-1].power == 3.0
    assert death.blows[-1].damage == 16.0
    assert death.blows[-1].energy_before == pytest.approx(100 - 6 * 16)
    assert 160.0 < death.blows[-1].distance < 200.0
    assert [blow.energy_before for blow in death.blows] == pytest.approx([52.0, 36.0, 20.0, 4.0])


def test_counted_damage_is_at_most_the_energy_of_the_tank() -> None:
    analysis = told([fire(3.0), idle], APART)
    shooter, victim = every(analysis, TotalFact)
    assert (shooter.tally.hits, shooter.tally.damage) == (7, pytest.approx(100.0))
    assert (victim.tally.bullets_taken, victim.tally.bullet_energy) == (7, pytest.approx(7 * 16.0))
    assert only(analysis, RoundFact).damage == ((1, 2, pytest.approx(100.0)),)
    assert (victim.tally.steady_taken, victim.tally.still_taken, victim.tally.streak_taken) == (7, 7, 7)


def test_a_tank_rammed_to_death_dies_of_ramming() -> None:
    analysis = told([drive(8.0), idle], APART, droids=[0])
    death = only(analysis, DeathFact)
    assert (death.bot, death.cause, death.by) == (2, "ram", 1)
    rammer, victim = every(analysis, TotalFact)
    assert victim.tally.contacts == 167
    assert victim.tally.ram_energy == pytest.approx(167 * 0.6)
    assert (rammer.tally.rams, victim.tally.rams) == (167, 0)


def _to_and_fro() -> Any:
    speed = 8.0

    def answer(observation: Any) -> TankIntent:
        nonlocal speed
        if any(isinstance(event, BotHitWallEvent) for event in observation.events):
            speed = -speed
        return TankIntent(target_speed=speed)

    return answer


def test_a_tank_that_drives_into_walls_until_it_dies_dies_of_a_wall() -> None:
    places = [(100.0, 300.0, 0.0), (300.0, 100.0, 0.0)]
    analysis = told([_to_and_fro(), idle], places, max_inactivity_turns=100_000, arena_width=400)
    death = only(analysis, DeathFact)
    assert (death.bot, death.cause, death.by) == (1, "wall", None)
    driver = every(analysis, TotalFact)[0].tally
    assert driver.wall_hits == len(every(analysis, WallFact))
    assert driver.wall_energy == pytest.approx(100.0 - every(analysis, BotFact)[0].energy)
    assert 33 <= driver.wall_hits <= 36


def test_an_idle_tank_is_disabled_and_dies_of_inactivity() -> None:
    analysis = told([idle, idle], APART, max_inactivity_turns=5, droids=[1])
    death = only(analysis, DeathFact)
    assert (death.bot, death.cause, death.by) == (1, "inactivity", None)
    assert every(analysis, TotalFact)[0].tally.inactivity_energy == pytest.approx(100.1)
    assert every(analysis, TotalFact)[0].tally.disabled_turns == len(every(analysis, DisabledFact)) == 1
    assert only(analysis, RoundFact).survivors == (2,)


def test_a_silent_tank_is_disqualified_and_its_missed_turns_are_one_cluster() -> None:
    analysis = told([idle, silent], APART, rules=TurnRules(max_skipped=30))
    death = only(analysis, DeathFact)
    assert (death.bot, death.cause) == (2, "disqualified")
    out = only(analysis, OutFact)
    assert (out.bot, out.why, out.turn) == (2, "disqualified", death.turn - 1)
    assert not missing(out.failure, "disqualified", out.turn, 1, "no answers")
    skips = only(analysis, SkipsFact)
    assert (skips.bot, skips.count) == (2, 31), "thirty, and the turn in which it died"
    assert (skips.last, skips.last - skips.first) == (death.turn, 30)
    assert every(analysis, TotalFact)[1].tally.removed_energy == pytest.approx(101.0)


def test_the_story_of_a_round_names_the_reason_of_a_disqualification_and_later_rounds_do_not() -> None:
    analysis = told(
        [idle, lambda seen: None if seen.round_number == 1 else TankIntent()],
        APART,
        rules=TurnRules(max_skipped=30, max_rounds_out=3),
        number_of_rounds=2,
        max_inactivity_turns=5,
        droids=[0],
    )
    first, second = (line for line in every(analysis, BotFact) if line.bot == 2)
    assert (first.cause, first.why_out) == ("disqualified", "no answers")
    assert says(first.fate, "died … by disqualification … no answers")
    assert (second.cause, second.why_out) == ("inactivity", None)


def test_a_tank_that_leaves_and_dies_immediately_has_left() -> None:
    analysis = told([idle, idle], APART, rules=TurnRules(on_disconnect="dead"), leave_at={10: 1})
    death = only(analysis, DeathFact)
    assert (death.bot, death.cause, death.turn) == (2, "left", 11)
    assert only(analysis, OutFact).why == "left"


def test_shots_into_nothing_are_misses() -> None:
    analysis = told([fire(1.0), idle], [(100.0, 100.0, 90.0), (300.0, 100.0, 0.0)], turns=200)
    shooter = every(analysis, TotalFact)[0].tally
    assert (shooter.shots, shooter.hits, bullets_missed(shooter)) == (13, 0, 13)
    assert shooter.missed_energy == shooter.shot_energy == pytest.approx(13.0)
    assert only(analysis, RoundFact).complete is False


def test_a_gun_that_could_fire_and_does_not_is_counted() -> None:
    def watch(_: Any) -> TankIntent:
        return TankIntent(radar_turn_rate=45.0)

    analysis = told([watch, idle], [(100.0, 100.0, 10.0), (300.0, 100.0, 0.0)], turns=109)
    watcher = every(analysis, TotalFact)[0].tally
    assert watcher.seeing_turns in range(12, 15), "the radar goes round in eight turns"
    assert watcher.idle_gun_turns in range(8, 12), "the gun is cool from turn 30 on"


def test_changes_of_the_lead_are_recorded() -> None:
    analysis = told([fire(3.0), idle], APART)
    (lead,) = only(analysis, RoundFact).leads
    assert lead[1] == 1
    assert analysis.rounds[0].fact.first_hit == lead


def test_late_answers_have_their_time_and_their_line() -> None:
    setting = Setting("classic", 800.0, 600.0, 1, (Fighter(1, "Ann"), Fighter(2, "Bob")))
    analysis = Analysis(setting)
    told_of = told([idle, idle], APART, turns=1)
    assert told_of.battle.turns == 1
    game = TankGame("interpreted")
    state = next(play(game, 3, tanks=2))[0]
    entry = TurnEntry(1, {}, skipped=(1,), late_ns={1: 2_500_000})
    analysis.take(moment_of(entry, game, state))
    analysis.finish(None)
    late = only(analysis, LateFact)
    assert (late.bot, late.turn, late.late_us) == (2, 1, 2_500.0)
    timing = {fact.bot: fact for fact in every(analysis, TimingFact)}
    assert (timing[2].skipped, timing[2].late, timing[2].late_us_max) == (1, 1, 2_500.0)
    assert timing[1].skipped == 0


@pytest.mark.parametrize("number", few(range(40), 10))
def test_all_energy_of_a_random_battle_is_accounted_for(number: int) -> None:
    """Start + what was won back - all losses = end, for every tank and round; no death is a riddle."""
    analysis, _ = _random(number)
    for told_round in analysis.rounds:
        for line in told_round.bots:
            start = analysis.setting.fighter(line.bot).energy_at_start
            assert start + line.tally.won_back - energy_lost(line.tally) == pytest.approx(
                line.energy, abs=1e-6
            )
            assert line.tally.other_energy == pytest.approx(0.0, abs=1e-6)
    causes = {death.cause for death in every(analysis, DeathFact)}
    assert "unknown" not in causes


@pytest.mark.parametrize("number", few(range(40), 10))
def test_damage_and_rams_add_up_to_the_scores(number: int) -> None:
    analysis, state = _random(number, whole=True)
    totals = {total.bot: total.tally for total in every(analysis, TotalFact)}
    for row in state.scores:
        assert totals[row.id].damage == pytest.approx(row.bullet_damage, abs=1e-6)
        assert totals[row.id].rams * 0.6 * 2 == pytest.approx(row.ram_damage, abs=1e-6)
        assert totals[row.id].wins == row.first_places
    for told_round in analysis.rounds:
        by_pair: dict[int, float] = {}
        for shooter, _, lost in told_round.fact.damage:
            by_pair[shooter] = by_pair.get(shooter, 0.0) + lost
        for line in told_round.bots:
            assert by_pair.get(line.bot, 0.0) == pytest.approx(line.tally.damage)


def _random(number: int, *, whole: bool = False) -> tuple[Analysis, Any]:
    game = TankGame("interpreted")
    analysis: Analysis | None = None
    tanks = 2 + number % 5 if whole else None
    for turns, (state, _) in enumerate(play(game, number, turns=1500 if whole else 120, tanks=tanks), 1):
        if analysis is None:
            analysis = Analysis(_setting(state))
        winners = tuple(seat + 1 for seat in state.winners) if state.round_over else None
        analysis.take(TurnSeen(turns, game.frame(state), winners=winners))
        if whole and state.round_over:
            break
    assert analysis is not None
    analysis.finish("over" if state.round_over else None)
    if not state.round_over:
        state.standings.seats[:] = [type(row)(row.id) for row in state.standings.seats]
        assert not whole, "a round that does not end has no scores to compare with"
    return analysis, state


def _setting(state: Any) -> Setting:
    class Header:
        seats = state.lineup.seats
        seed = 1

    class Like:
        header = Header

    Like.state, Like.rules = state, TurnRules()  # type: ignore[attr-defined]
    return setting_of(Like)  # type: ignore[arg-type]


def test_results_in_the_form_for_spectators_can_be_read() -> None:
    game = TankGame("interpreted")
    state = next(play(game, 1, tanks=3))[0]
    rows = [
        {name: getattr(row, name) for name in row.__struct_fields__}
        for row in results_for_observers(state.results)
    ]
    found = results_of(rows)
    assert [row.name for row in found] == [row["name"] for row in rows]
    assert found[0].total_score == rows[0]["total_score"]
