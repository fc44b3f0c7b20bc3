"""A client's lead comes to its body through the gate, so a record holds it, and it lengthens windows."""

from __future__ import annotations

import pytest

from turnwright.games.world.example import yard
from turnwright.games.world.game import WorldGame
from turnwright.games.world.host import effects as fx
from turnwright.games.world.host.host import WorldConfig, WorldHost
from turnwright.games.world.rules.threats import LEADS_MIN, Scale, ThreatPolicy
from turnwright.games.world.wire.clock import RATE_ONE, TimePing
from turnwright.games.world.wire.messages import ProgramLogin
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo

TURN_NS = 250_000_000


def turns(host: WorldHost, now_ns: int, count: int, turn_ns: int = TURN_NS) -> int:
    """Let so many turns pass, each kept at once; return the time then."""
    for _ in range(count * 10):
        now_ns += turn_ns // 10
        host.wake(now_ns)
        for effect in host.take():
            if isinstance(effect, fx.SaveTurn):
                host.saved(effect.turn, now_ns)
    return now_ns


def test_a_lead_comes_to_the_body_once_and_goes_with_its_client() -> None:
    rules = yard()
    rules.threats = ThreatPolicy(window=Scale(500_000))
    battle = Battle(WorldGame(rules), {"open": True}, [SeatInfo("gate")], 7)
    host = WorldHost(battle, WorldConfig(), 0)
    host.connect(1, "program", "127.0.0.1", 0)
    host.message(1, "Hello", ProgramLogin("Ann"), 0)
    now_ns = turns(host, 0, 3)
    session = host.sessions.of(1)
    assert session is not None
    body = battle.state.world.creatures[session.body]
    assert body.lead_us == 0

    session.latency.note_ping(TimePing(1, 1, 100_000))
    assert [event.kind for event in host.join_events.leads(battle.state.world.creatures)] == ["line"]
    now_ns = turns(host, now_ns, 2)
    assert body.lead_us == 100_000
    assert rules.threats.window_us(body) == LEADS_MIN * 100_000
    assert list(host.join_events.leads(battle.state.world.creatures)) == []

    host.disconnect(1, now_ns)
    turns(host, now_ns, 300)
    assert all(left.lead_us == 0 for left in battle.state.world.creatures.values())


@pytest.mark.parametrize("turn_ms", [20, 100, 250, 500, 1_000])
@pytest.mark.parametrize("lead_us", [10_000, 100_000, 250_000])
def test_six_leads_of_a_window_are_six_leads_of_real_time_however_fast_the_game_runs(
    turn_ms: int, lead_us: int
) -> None:
    rules = yard()
    rules.threats = ThreatPolicy(window=Scale(1))
    battle = Battle(WorldGame(rules), {"open": True}, [SeatInfo("gate")], 7)
    host = WorldHost(battle, WorldConfig(pace_us=turn_ms * 1_000), 0)
    host.connect(1, "program", "127.0.0.1", 0)
    host.message(1, "Hello", ProgramLogin("Ann"), 0)
    now_ns = turns(host, 0, 8, turn_ms * 1_000_000)
    session = host.sessions.of(1)
    assert session is not None
    session.latency.note_ping(TimePing(1, 1, lead_us))
    turns(host, now_ns, 8, turn_ms * 1_000_000)
    body = battle.state.world.creatures[session.body]
    window_us = rules.threats.window_us(body) * RATE_ONE / host.clock.segment.rate
    assert 0 <= window_us - LEADS_MIN * lead_us < 2 * LEADS_MIN * max(1, turn_ms // 250)
