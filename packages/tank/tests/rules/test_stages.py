"""The test vectors of tank-rules.md#worked-examples, and the turn as a whole."""

from __future__ import annotations

import pytest

from packages.tank.tests.small_battles import duel, rows_of, run, tank
from turnwright_tank.rules.constants import TANK_RADIUS
from turnwright_tank.rules.stages import STAGES, begin_turn, end_round
from turnwright_tank.structs import (
    BotHitBotEvent,
    BotHitWallEvent,
    BulletFiredEvent,
    BulletHitBotEvent,
    TankIntent,
)

IDLE = TankIntent()


def test_vector_a_a_shot() -> None:
    game, state, streams = duel((100, 300, 0), (300, 300, 0))
    fire = TankIntent(firepower=3.0)
    seen = {}
    for turn in range(1, 49):
        game.resolve(state, {0: fire, 1: IDLE} if turn > 1 else {}, streams)
        seen[turn] = game.frame(state)
    heat = {turn: seen[turn].bot_states[0].gun_heat for turn in seen}
    assert (heat[1], heat[30], heat[31]) == (2.9, 0.0, 1.6)
    fired = {t: [e for e in f.events if isinstance(e, BulletFiredEvent)] for t, f in seen.items()}
    assert [turn for turn in fired if fired[turn]] == [31, 48]
    assert seen[31].bot_states[0].energy == 97.0
    assert (seen[31].bullet_states[0].x, seen[45].bullet_states[0].x) == (111.0, 265.0)
    (hit,) = [e for e in seen[46].events if isinstance(e, BulletHitBotEvent)]
    assert (hit.bullet.x, hit.damage, hit.energy) == (276.0, 16.0, 84.0)
    assert seen[46].bot_states[0].energy == 106.0
    assert seen[46].bullet_states == []
    assert heat[47] == 0.0


VECTOR_B = {
    2: (8, 1, 401, 300, 9.25, 9.25, 14.25, 59.25, 59.25),
    3: (8, 2, 402.97399273312044, 300.3214851312077, 8.5, 17.75, 27.75, 117.75, 58.5),
    4: (8, 3, 405.8311801320503, 301.23607802829173, 7.75, 25.5, 40.5, 175.5, 57.75),
    5: (2, 2, 407.63635070075003, 302.0971002219083, 8.5, 34, 54, 234, 58.5),
    8: (-8, -0.0, 410.7689805194804, 304.56666644408114, 10, 61, 96, 51, 60),
    9: (-8, -1, 410.2841708992341, 303.69204673694173, 9.25, 70.25, 110.25, 110.25, 59.25),
    11: (-8, -3, 409.02306649717906, 298.8673388652193, 7.75, 86.5, 136.5, 226.5, 57.75),
    12: (0, -0.0, 409.02306649717906, 298.8673388652193, 10, 96.5, 151.5, 286.5, 60),
}


def test_vector_b_speed_and_turning() -> None:
    game, state, streams = duel((400, 300, 0), (100, 100, 0))
    target = 0.0
    for turn in range(1, 13):
        target = {5: 2.0, 8: -8.0, 12: 0.0, 2: 8.0}.get(turn, target)
        intent = TankIntent(target_speed=target, turn_rate=90.0, gun_turn_rate=5.0, radar_turn_rate=45.0)
        game.resolve(state, {0: intent, 1: IDLE} if turn > 1 else {}, streams)
        if turn in VECTOR_B:
            s = game.observe(state, 0).bot_state
            assert (
                target,
                s.speed,
                s.x,
                s.y,
                s.turn_rate,
                s.direction,
                s.gun_direction,
                s.radar_direction,
                s.radar_sweep,
            ) == VECTOR_B[turn], turn


def test_vector_c_a_wall() -> None:
    game, state, streams = duel((770, 300, 30), (100, 100, 0))
    told = []
    for turn in range(1, 13):
        game.resolve(state, {0: TankIntent(target_speed=8.0), 1: IDLE} if turn > 1 else {}, streams)
        s = game.observe(state, 0)
        if any(isinstance(e, BotHitWallEvent) for e in s.events):
            told.append(turn)
        if turn == 5:
            assert s.bot_state.speed == 4.0
            assert (s.bot_state.x, s.bot_state.y) == pytest.approx((778.6602540378443, 305), abs=1e-9)
        if turn == 6:
            assert (s.bot_state.x, s.bot_state.y) == pytest.approx((782, 306.9282032302755), abs=1e-9)
            assert s.bot_state.energy == 98.5
        if turn > 5:
            assert s.bot_state.speed == 0.0
    assert told == [6, 8, 10, 12]
    assert game.observe(state, 0).bot_state.energy == 98.5


def test_vector_d_ramming() -> None:
    game, state, streams = duel((400, 300, 0), (440, 300, 0))
    for turn in range(1, 5):
        game.resolve(state, {0: TankIntent(target_speed=8.0), 1: IDLE} if turn > 1 else {}, streams)
    frame = game.frame(state)
    assert [t.energy for t in frame.bot_states] == [99.4, 99.4]
    assert (frame.bot_states[0].x, frame.bot_states[0].speed) == (403.0, 0.0)
    assert [e.rammed for e in frame.events if isinstance(e, BotHitBotEvent)] == [True, False]
    game.resolve(state, {0: TankIntent(target_speed=8.0), 1: IDLE}, streams)
    assert [t.energy for t in game.frame(state).bot_states] == pytest.approx([98.8, 98.8])


def test_the_stages_are_in_the_order_of_the_facts() -> None:
    names = [name for name, _ in STAGES]
    order = ["fire or cool guns", "execute intents", "hit walls", "apply tank contacts", "scan", "fly"]
    assert names[0] == "begin turn"
    assert [name for name in names if name in order] == order
    assert names[-3:] == ["disable", "die", "end round"]


def test_a_round_is_over_when_one_team_is_left() -> None:
    one, two, three = tank(100, 100), tank(200, 200), tank(300, 300)
    rows = rows_of(one, two, three)
    two.team = 0
    rows.arena.deaths = 1
    run(rows, end_round)
    assert rows.arena.round_over == 0
    three.alive = 0
    run(rows, end_round)
    assert rows.arena.round_over == 1


def test_a_round_is_a_draw_when_every_team_has_a_disabled_tank_and_no_bullet_flies() -> None:
    rows = rows_of(tank(100, 100, energy=0.0), tank(200, 200, energy=0.0), tank(300, 300))
    rows.tanks[2].team = 1
    rows.arena.disabled = 2
    rows.arena.bullets = 1
    run(rows, end_round)
    assert rows.arena.round_over == 0
    rows.arena.bullets = 0
    run(rows, end_round)
    assert rows.arena.round_over == 1


def test_a_turn_begins_with_no_events() -> None:
    rows = rows_of(tank(TANK_RADIUS, 100))
    rows.arena.events = 3
    run(rows, begin_turn)
    assert (rows.arena.events, rows.arena.turn) == (0, 6)
