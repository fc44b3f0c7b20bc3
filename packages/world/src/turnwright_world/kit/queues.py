"""Threat queues built from content rows."""

from __future__ import annotations

from turnwright_world.kit.ruleset import reactions_of
from turnwright_world.kit.schema import Land, QueueRow
from turnwright_world.rules.threats import REACTIONS, Queue, Scale, ThreatPolicy

_PLAIN = QueueRow(
    capacity=3,
    capacity_max=6,
    focus_points=33,
    overflow="land",
    window_ms=3_000,
    window_min_ms=1_500,
    window_max_ms=6_000,
    instinct_ms=15,
)
"""The default limits. They equal the defaults of `ThreatPolicy`."""


def merged(row: QueueRow, base: QueueRow = _PLAIN) -> QueueRow:
    """Return a row in which missing values come from another row."""
    given = {name: getattr(row, name) for name in QueueRow.__struct_fields__}
    return QueueRow(
        **{name: getattr(base, name) if value is None else value for name, value in given.items()}
    )


def queue_of(row: QueueRow) -> Queue:
    """Return the threat queue of a row that has all values."""
    capacity, points = row.capacity or 1, row.focus_points or 0
    return Queue(
        window=Scale(
            (row.window_ms or 0) * 1000,
            "instinct",
            (row.instinct_ms or 0) * 1000,
            least=(row.window_min_ms or 0) * 1000,
            most=(row.window_max_ms or 0) * 1000,
        ),
        places=Scale(capacity, "focus", 1 if points else 0, points or 1, 1, row.capacity_max or capacity),
        overflow="refuse" if row.overflow == "refuse" else "land",
    )


def threats_of(land: Land) -> ThreatPolicy:
    """Return the threat policy that a content folder defines."""
    everybody = merged(land.settings.queue)
    queue, plain = queue_of(everybody), QueueRow()
    kinds = {name: row.queue for name, row in land.kinds.items() if row.queue != plain}
    return ThreatPolicy(
        window=queue.window,
        places=queue.places,
        overflow=queue.overflow,
        reactions=reactions_of(land) if land.reactions else dict(REACTIONS),
        queues={name: queue_of(merged(row, everybody)) for name, row in kinds.items()},
        react_us=land.settings.react_ms * 1000,
    )
