"""Messages of a captain to its squad."""

from __future__ import annotations

from dataclasses import dataclass

from robocode_tank_royale.bot_api import team_message_type


@team_message_type
@dataclass
class Sighting:
    """Where an enemy was, and in which turn."""

    x: float
    y: float
    turn: int


@team_message_type
@dataclass
class Order:
    """What to do until the next order: "advance" or "spread"."""

    text: str
