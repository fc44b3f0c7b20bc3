"""Rounds made frame by frame: rare events, and files that begin in the middle."""

from __future__ import annotations

from typing import Any

import pytest

from packages.tank.tests.analysis.scenes import bullet, death, duel, frame, hit, tank
from turnwright_tank.analysis.counts import bullets_missed
from turnwright_tank.analysis.facts import DeathFact, RamFact, WallFact
from turnwright_tank.analysis.round import RoundAnalysis
from turnwright_tank.analysis.turns import TurnSeen
from turnwright_tank.structs import (
    BotHitBotEvent,
    BotHitWallEvent,
    BulletFiredEvent,
    BulletHitBulletEvent,
    Frame,
)


def _round(*frames: Frame, **setting: Any) -> RoundAnalysis:
    moments = [TurnSeen(k, one) for k, one in enumerate(frames, 1)]
    current = RoundAnalysis(duel(**setting), moments[0], {})
    for seen in moments:
        current.take(seen)
    return current


def _death(current: RoundAnalysis) -> DeathFact:
    (found,) = [event for event in current.events if isinstance(event, DeathFact)]
    return found


def test_the_bullet_that_took_the_energy_below_zero_kills() -> None:
    current = _round(
        frame(1, tank(1), tank(2, energy=99.0)),
        frame(
            2,
            tank(1, energy=103.0),
            tank(2, energy=-9.0),
            events=[
                hit(2, 2, bullet(1, 0.0, 0.0, power=1.0, number=1), 4.0, 95.0),
                hit(2, 2, bullet(1, 0.0, 0.0, power=3.0, number=2), 100.0, -5.0),
                hit(2, 2, bullet(1, 0.0, 0.0, power=1.0, number=3), 4.0, -9.0),
                death(2, 2),
            ],
        ),
    )
    found = _death(current)
    assert (found.cause, found.blows[-1].power, found.blows[-1].energy_before) == ("bullet", 3.0, 95.0)
    assert [blow.power for blow in found.blows] == [1.0, 3.0], "what came after it did not kill it"


def test_a_tank_that_touched_another_below_nothing_and_was_saved_by_a_hit_is_alive() -> None:
    touching = [BotHitBotEvent(2, 2, 1, 99.4, 0.0, 0.0, False), BotHitBotEvent(2, 1, 2, -0.3, 0.0, 0.0, True)]
    current = _round(
        frame(1, tank(1), tank(2, energy=0.3)),
        frame(2, tank(1, energy=95.4), tank(2, energy=2.7),
              events=[*touching, hit(2, 1, bullet(2, 0.0, 0.0, power=1.0), 4.0, 95.4)]),
    )  # fmt: skip
    _, lines = current.end(complete=True)
    assert not [event for event in current.events if isinstance(event, DeathFact)]
    assert [line.tally.other_energy for line in lines] == [0.0, pytest.approx(99.7)]
    assert lines[1].tally.won_back == 3.0


def test_bullets_that_met_are_misses_of_both() -> None:
    one, two = bullet(1, 5.0, 0.0, number=1), bullet(2, 5.0, 0.0, number=2)
    current = _round(
        frame(1, tank(1, energy=99.0), tank(2, energy=99.0),
              events=[BulletFiredEvent(1, one), BulletFiredEvent(1, two)]),
        frame(2, tank(1, energy=99.0), tank(2, energy=99.0), events=[BulletHitBulletEvent(2, one, two)]),
    )  # fmt: skip
    _, lines = current.end(complete=False)
    assert [(line.tally.met, bullets_missed(line.tally), line.tally.missed_energy) for line in lines] == [
        (1, 1, 1.0)
    ] * 2


def test_a_file_that_begins_in_the_middle_blames_no_tank_for_earlier_events() -> None:
    current = _round(
        frame(
            40,
            tank(1, energy=30.0),
            tank(2, energy=50.0),
            events=[hit(40, 1, bullet(2, 0.0, 0.0), 4.0, 30.0)],
        ),
        frame(
            41,
            tank(1, energy=26.0),
            tank(2, energy=53.0),
            events=[hit(41, 1, bullet(2, 0.0, 0.0), 4.0, 26.0)],
        ),
    )
    _, lines = current.end(complete=False)
    assert [line.tally.bullet_energy for line in lines] == [4.0, 0.0]
    assert [line.tally.other_energy for line in lines] == [0.0, 0.0]


def test_pushing_on_is_one_line_with_a_count() -> None:
    def turn(number: int, *events: Any) -> Frame:
        return frame(number, tank(1), tank(2), events=events)

    ram = [BotHitBotEvent(k, 1, 2, 99.0, 0.0, 0.0, True) for k in range(20)]
    current = _round(
        turn(1),
        turn(2, ram[2], BotHitWallEvent(2, 2)),
        turn(3, ram[3]),
        turn(6, BotHitWallEvent(6, 2)),
        turn(9, ram[9]),
    )
    rams = [(event.turn, event.last, event.count) for event in current.events if isinstance(event, RamFact)]
    walls = [(event.turn, event.last, event.count) for event in current.events if isinstance(event, WallFact)]
    assert rams == [(2, 3, 2), (9, 9, 1)]
    assert walls == [(2, 6, 2)]


def test_events_of_unknown_tanks_are_skipped() -> None:
    strange = [
        hit(2, 77, bullet(1, 0.0, 0.0), 4.0, 10.0),
        BotHitWallEvent(2, 78),
        BotHitBotEvent(2, 79, 80, 1.0, 0.0, 0.0, True),
        death(2, 81),
        hit(2, 2, bullet(99, 0.0, 0.0, number=9), 4.0, 96.0),
    ]
    current = _round(frame(1, tank(1), tank(2)), frame(2, tank(1), tank(2, energy=96.0), events=strange))
    fact, lines = current.end(complete=True)
    assert (fact.deaths, fact.damage) == ((), ((99, 2, 4.0),))
    assert lines[1].tally.bullet_energy == 4.0
