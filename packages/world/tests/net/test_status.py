from __future__ import annotations

from turnwright_world.game import WorldGame
from turnwright_world.host.host import WorldConfig, WorldHost
from turnwright_world.host.sessions import Session
from turnwright_world.host.turn_stats import Overrun
from turnwright_world.net.database import MEMORY, open_database
from turnwright_world.net.open_world import open_world
from turnwright_world.net.status import WORST, status_of


def host_of() -> WorldHost:
    database = open_database(MEMORY)
    battle = open_world(WorldGame(), database, seed=3).battle
    database.close()
    return WorldHost(battle, WorldConfig(name="Yard"), 0)


def test_a_world_at_rest_has_nothing_to_tell() -> None:
    status = status_of(host_of(), {})
    assert (status["name"], status["turns"], status["worst"], status["misses"]) == ("Yard", 0, [], [])
    assert status["late_ms"] == {"p50": 0.0, "p99": 0.0, "max": 0.0}
    assert status["planning"] == {}
    figures = {"slots": 2, "plan_ms": 20.0, "slowness": 1.0}
    assert status_of(host_of(), {}, None, figures)["planning"] == figures


def test_the_worst_overruns_come_first_with_their_slowest_plans() -> None:
    host = host_of()
    for turn, late_ns in enumerate((5, 50, 20, 40), 1):
        plans = ((7, "rat", 3_000_000),)
        host.turns.stats.overruns.append(Overrun(turn, late_ns * 1_000_000, 0, {"tell": 1_000_000}, plans))
    worst = status_of(host, {})["worst"]
    assert [one["turn"] for one in worst] == [2, 4, 3]
    assert len(worst) == WORST
    assert worst[0]["slowest"] == [{"body": 7, "mind": "rat", "ms": 3.0}]


def test_lateness_is_in_milliseconds_and_misses_are_sorted() -> None:
    host = host_of()
    host.turns.stats.late_ns.extend(k * 1_000_000 for k in range(101))
    status = status_of(host, {("rat", "world", "slow"): 2, ("troll", "world", "error"): 5})
    assert status["late_ms"] == {"p50": 50.0, "p99": 99.0, "max": 100.0}
    assert [one["mind"] for one in status["misses"]] == ["troll", "rat"]


def test_a_clock_is_wrong_by_half_a_round_trip_at_most() -> None:
    host = host_of()
    for conn, (name, lead_us) in enumerate((("Wolf", 20_000), ("Ann", None)), 1):
        session = Session(conn, "program" if lead_us else "telnet", "127.0.0.1", name=name)
        host.sessions.add(session)
        host.sessions.embody(session, conn)
        session.latency.note_kernel(14_000, 1_000)
        session.latency.told_lead_us = lead_us
    wolf, ann = status_of(host, {})["clients"]
    assert (wolf["rtt_ms"], wolf["error_ms"], wolf["lead_ms"]) == (14.0, 7.0, 20.0)
    assert (ann["rtt_ms"], ann["error_ms"], ann["lead_ms"]) == (14.0, None, None)
