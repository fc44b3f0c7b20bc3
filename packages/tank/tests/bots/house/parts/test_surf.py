"""Surfing: where a bullet is expected, and how that changes where we drive."""

from __future__ import annotations

import math

import pytest

from packages.tank.tests.bots.scenes import scan
from turnwright_tank.bots.house.parts.foe import Foe
from turnwright_tank.bots.house.parts.surf import Incoming, Motion, Surfer

FOE_AT = (400.0, 500.0)
ME = Motion(400.0, 150.0, 0.0, 8.0)


def foe() -> Foe:
    return Foe(scan(1, x=FOE_AT[0], y=FOE_AT[1]))


def wave(turn: int = 1, me: Motion = ME, power: float = 2.0) -> Incoming:
    return Incoming(FOE_AT, turn, power, me, 1)


def test_a_wave_measures_places_from_where_we_were_to_where_we_may_get() -> None:
    incoming = wave()
    assert incoming.factor(ME.x, ME.y) == pytest.approx(0.0)
    angle = incoming.base + incoming.side * incoming.reach
    x, y = FOE_AT[0] + 350.0 * math.cos(angle), FOE_AT[1] + 350.0 * math.sin(angle)
    assert incoming.factor(x, y) == pytest.approx(1.0)
    assert incoming.ahead == pytest.approx(1.0)
    assert wave(me=ME._replace(speed=-8.0)).side == -incoming.side


def test_waves_that_have_passed_are_dropped() -> None:
    surfer = Surfer(800.0, 600.0)
    surfer.waves = [wave(turn) for turn in (1, 20)]
    surfer.pass_waves(ME.x, ME.y, 30)
    assert [incoming.turn for incoming in surfer.waves] == [20]
    surfer.new_round()
    assert surfer.waves == []


def ride(surfer: Surfer, turns: int = 24) -> tuple[Motion, Incoming]:
    """Drive until a wave that was fired in turn 1 arrives."""
    incoming = wave()
    surfer.waves = [incoming]
    me, enemy = ME, foe()
    for turn in range(1, turns):
        angle, target = surfer.drive(me, enemy, turn, think=True)
        speed = me.speed + max(-2.0, min(1.0, target - me.speed)) if target else 0.0
        limit = math.radians(10.0 - 0.75 * abs(speed))
        me = Motion(
            me.x + math.cos(me.heading) * speed,
            me.y + math.sin(me.heading) * speed,
            me.heading + max(-limit, min(limit, angle)),
            speed,
        )
        assert 18.0 <= me.x <= 782.0
        assert 18.0 <= me.y <= 582.0
    return me, incoming


def test_we_are_not_where_we_were_when_the_bullet_comes() -> None:
    me, incoming = ride(Surfer(800.0, 600.0))
    assert abs(incoming.factor(me.x, me.y)) > 0.15


def test_a_place_where_we_were_hit_is_avoided() -> None:
    naive = Surfer(800.0, 600.0)
    me, incoming = ride(naive)
    usual = incoming.factor(me.x, me.y)
    taught = Surfer(800.0, 600.0)
    for _ in range(12):
        hit = wave()
        taught.waves = [hit]
        taught.hit_at(me.x, me.y, 2.0, int(math.dist((me.x, me.y), FOE_AT) / hit.speed))
    me, incoming = ride(taught)
    assert abs(incoming.factor(me.x, me.y) - usual) > 0.15


def test_a_bullet_that_belongs_to_no_wave_teaches_nothing() -> None:
    surfer = Surfer(800.0, 600.0)
    incoming = wave()
    surfer.waves = [incoming]
    surfer.hit_at(400.0, 150.0, 1.0, 23)
    surfer.hit_at(400.0, 150.0, 2.0, 60)
    assert surfer.waves == [incoming]
    surfer.hit_at(400.0, 150.0, 2.0, 24)
    assert surfer.waves == []


def test_without_waves_the_surfer_circles_the_enemy() -> None:
    surfer = Surfer(800.0, 600.0)
    _, speed = surfer.drive(ME, foe(), 1, think=True)
    assert abs(speed) == 8.0
