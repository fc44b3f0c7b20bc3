"""The status page of a world, /world.json, with turns, overruns and clocks.

    {"turn": …, "late_ms": {"p50": …, "p99": …, "max": …}, "worst": […], "misses": […], "clients": […], …}

The server knows a client's clock with an error of at most half the round trip.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from turnwright.errors import SetupError
from turnwright_world.host.host import WorldHost
from turnwright_world.host.pace import Duration
from turnwright_world.host.sessions import Session
from turnwright_world.host.turn_stats import Overrun

PATH = "/world.json"
WORST = 3
"""The number of overruns that are reported: the longest of those in memory."""
CLIENTS_MAX = 200
MISSES_MAX = 200
_TIMEOUT_S = 5.0
_ANSWER_BYTES_MAX = 1 << 20

_NO_FIGURES: Mapping[str, float] = {}
Misses = Mapping[tuple[str, str, str], int]
"""The number of missed turns by (mind, owner, reason). See `planning.limits.Reason`."""


def status_of(
    host: WorldHost, misses: Misses, trouble: str | None = None, planning: Mapping[str, float] = _NO_FIGURES
) -> dict[str, Any]:
    """Return the status of a world as JSON values.

    Args:
        trouble: why the world cannot be saved at the moment, or None.
        planning: the limits of minds: slots, plan_ms and slowness.
    """
    turns, stats = host.turns, host.turns.stats
    world = turns.state.world
    worst = sorted(stats.overruns, key=lambda one: -one.late_ns)[:WORST]
    missed = sorted(misses.items(), key=lambda one: (-one[1], one[0]))[:MISSES_MAX]
    players = host.sessions.players()
    return {
        "name": host.config.name,
        "turn": world.turn,
        "game_us": world.now_us,
        "pace_ms": turns.pace.turn_us / 1000,
        "planning": dict(planning),
        "durations": [_duration(one) for one in (turns.pace.turn, turns.pace.plan)],
        "trouble": trouble,
        "players": len(players),
        "connections": len(host.sessions),
        "creatures": len(world.creatures),
        "turns": stats.turns,
        "overruns": stats.overruns_total,
        "skipped": stats.skipped,
        "late_ms": _spread(stats.late_ns),
        "used_ms": _spread(stats.used_ns),
        "worst": [_overrun(one) for one in worst],
        "misses": [
            {"mind": mind, "owner": owner, "reason": reason, "count": count}
            for (mind, owner, reason), count in missed
        ],
        "clients": [_client(session) for session in players[:CLIENTS_MAX]],
    }


def ask(port: int) -> dict[str, Any]:
    """Ask the world's server at a port of this machine for its status, and return the status.

    Raises:
        SetupError: no world answers at the port.
    """
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT_S)
    try:
        connection.request("GET", PATH)
        response = connection.getresponse()
        body = response.read(_ANSWER_BYTES_MAX)
        status = json.loads(body) if response.status == http.client.OK else None
    except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise SetupError(
            f"no world answers at port {port} ({why}): start `turnwright world serve`, or give --port"
        ) from error
    finally:
        connection.close()
    if not isinstance(status, dict) or "late_ms" not in status:
        raise SetupError(
            f"what answers at port {port} is not a world: give the --port of `turnwright world serve`"
        )
    return status


def _duration(one: Duration) -> dict[str, Any]:
    return {
        "name": one.name,
        "ms": one.value_us / 1000,
        "min_ms": one.low_us / 1000,
        "max_ms": one.high_us / 1000,
        "raised": one.raised,
        "lowered": one.lowered,
    }


def _spread(values_ns: Iterable[int]) -> dict[str, float]:
    ordered = sorted(values_ns) or [0]
    return {"p50": _share(ordered, 50), "p99": _share(ordered, 99), "max": ordered[-1] / 1e6}


def _share(ordered: Sequence[int], percent: int) -> float:
    return ordered[(len(ordered) - 1) * percent // 100] / 1e6


def _overrun(one: Overrun) -> dict[str, Any]:
    slowest = [{"body": body, "mind": mind, "ms": took_ns / 1e6} for body, mind, took_ns in one.slowest]
    used = {name: ns / 1e6 for name, ns in one.used_ns.items()}
    return {
        "turn": one.turn,
        "late_ms": one.late_ns / 1e6,
        "skipped": one.skipped,
        "used_ms": used,
        "slowest": slowest,
    }


def _client(session: Session) -> dict[str, Any]:
    line = session.latency
    rtt_ms = None if line.rtt_us is None else line.rtt_us / 1000
    has_clock = line.told_lead_us is not None
    return {
        "name": session.name,
        "carrier": session.client_kind,
        "rtt_ms": rtt_ms,
        "error_ms": rtt_ms / 2 if has_clock and rtt_ms is not None else None,
        "lead_ms": line.lead_us / 1000 if has_clock else None,
    }
