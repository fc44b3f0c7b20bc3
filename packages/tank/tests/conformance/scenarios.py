"""The scenarios on disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

SCENARIOS: Final = Path(__file__).parent / "scenarios"
_LOCKED = (
    "ArenaWidth",
    "ArenaHeight",
    "MinNumberOfParticipants",
    "MaxNumberOfParticipants",
    "NumberOfRounds",
)
_ALSO_LOCKED = ("NumberOfRounds", "GunCoolingRate", "MaxInactivityTurns", "TurnTimeout", "ReadyTimeout")
_SETUP: Final = {
    "gameType": "custom",
    "arenaWidth": 800,
    "arenaHeight": 600,
    "minNumberOfParticipants": 1,
    "numberOfRounds": 1,
    "gunCoolingRate": 0.1,
    "maxInactivityTurns": 450,
    "turnTimeout": 300_000,
    "readyTimeout": 2_000_000,
    "defaultTurnsPerSecond": 30,
} | {f"is{name}Locked": False for name in (*_LOCKED, *_ALSO_LOCKED)}
"""The GameSetup of a scenario that names no other values."""


def load(name: str) -> dict[str, Any]:
    """Return a scenario's input, with the whole GameSetup."""
    scenario: dict[str, Any] = json.loads((SCENARIOS / name / "scenario.json").read_text(encoding="utf-8"))
    return {**scenario, "setup": _SETUP | scenario.get("setup", {})}


def within(value: int, wanted: int | list[int | None] | None) -> bool:
    """Return whether a number is the wanted one, or in the wanted range. None is any number, or an open
    end.
    """
    if wanted is None or isinstance(wanted, int):
        return wanted is None or value == wanted
    low, high = wanted
    return (low or 0) <= value and (high is None or value <= high)


def segment_of(spec: dict[str, Any], round_number: int, turn: int) -> dict[str, Any]:
    """Return the last part of a bot's script for this turn, or {}, which means an empty intent."""
    found: dict[str, Any] = {}
    for segment in spec.get("script", []):
        if within(turn, segment.get("turns")) and within(round_number, segment.get("rounds")):
            found = segment
    return found
