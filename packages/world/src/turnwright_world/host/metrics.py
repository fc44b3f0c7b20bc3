"""Metrics of a world in Prometheus' text format. They contain no players' names and no addresses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from turnwright.host.metrics import family
from turnwright_world.host.host import WorldHost

_PREFIX = "turnwright_world_"


def render(host: WorldHost, misses: Mapping[tuple[str, str, str], int], trouble: str | None) -> str:
    """Return all metrics of a world. Times are in seconds.

    Args:
        misses: the number of turns that minds missed, by (mind, owner, reason).
        trouble: why the world cannot be saved at the moment, or None.
    """
    turns, stats = host.turns, host.turns.stats
    late_s, used_s = _share(stats.late_ns), _share(stats.used_ns)
    reasons: Counter[str] = Counter()
    for (_mind, _owner, reason), count in misses.items():
        reasons[reason] += count
    lines: list[str] = []
    for name, kind, text, value in (
        ("players", "gauge", "Players, programs included.", len(host.sessions.players())),
        ("connections", "gauge", "Open connections.", len(host.sessions)),
        ("creatures", "gauge", "Creatures, dead ones and those outside included.", _creatures(host)),
        ("turns_total", "counter", "Turns played since the server started.", stats.turns),
        ("turns_skipped_total", "counter", "Slots that overruns left out.", stats.skipped),
        ("overruns_total", "counter", "Turns that ended late by a tenth or more.", stats.overruns_total),
        ("turn_seconds", "gauge", "The duration of a turn now.", turns.pace.turn_us / 1e6),
        (
            "planning_seconds",
            "gauge",
            "The part of a turn for plans.",
            turns.pace.plan.value_us / 1e6,
        ),
        ("turn_late_seconds_p99", "gauge", "Lateness of 99 of 100 turns, of the last 4,000.", late_s),
        ("turn_used_seconds_p99", "gauge", "Work of 99 of 100 turns, of the last 4,000.", used_s),
        ("kept", "gauge", "1 while the world can be kept, 0 while its database fails.", int(trouble is None)),
    ):
        family(lines, _PREFIX + name, kind, text, [({}, value)])
    rows = [({"reason": reason}, count) for reason, count in sorted(reasons.items())]
    family(lines, _PREFIX + "plans_missed_total", "counter", "Turns that minds missed, by reason.", rows)
    return "\n".join(lines) + "\n"


def _creatures(host: WorldHost) -> int:
    return len(host.turns.state.world.creatures)


def _share(values_ns: Iterable[int]) -> float:
    """Return the 99th percentile of the values, in seconds."""
    ordered = sorted(values_ns) or [0]
    return ordered[(len(ordered) - 1) * 99 // 100] / 1e9
