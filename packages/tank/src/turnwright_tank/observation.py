"""The observation of a bot in a turn, as dataclasses.

They are declared once for all users. The bot library reads them from JSON (`bots.messages`). The server makes
compiled structs (`structs`), which count as instances of these classes. Names come from Tank Royale's
schemas, in snake_case. An optional field that is not set is None. Positions are in arena units, speeds in
units per turn, and angles in degrees (0 is east, counter-clockwise).
"""

from __future__ import annotations

from dataclasses import dataclass

from turnwright_tank.shape import Shape

__all__ = [
    "BotDeathEvent",
    "BotHitBotEvent",
    "BotHitWallEvent",
    "BulletFiredEvent",
    "BulletHitBotEvent",
    "BulletHitBulletEvent",
    "BulletHitWallEvent",
    "BulletState",
    "Observation",
    "ScannedBotEvent",
    "TankState",
    "TeamMessageEvent",
    "WonRoundEvent",
]


@dataclass(slots=True)
class BulletState(metaclass=Shape):
    """A bullet in the air."""

    bullet_id: int
    owner_id: int
    power: float
    x: float
    y: float
    direction: float
    color: str | None = None


@dataclass(slots=True)
class _TankEvent(metaclass=Shape):
    turn_number: int


@dataclass(slots=True)
class BotDeathEvent(_TankEvent):
    """A tank died."""

    victim_id: int


@dataclass(slots=True)
class BotHitBotEvent(_TankEvent):
    """The tank `bot_id` and the tank `victim_id` touched. `energy`, `x` and `y` are of the tank
    `victim_id`.
    """

    bot_id: int
    victim_id: int
    energy: float
    x: float
    y: float
    rammed: bool


@dataclass(slots=True)
class BotHitWallEvent(_TankEvent):
    """A tank drove into a wall."""

    victim_id: int


@dataclass(slots=True)
class BulletFiredEvent(_TankEvent):
    """A tank fired a bullet. The bullet's place is the muzzle, which is the centre of the tank."""

    bullet: BulletState


@dataclass(slots=True)
class BulletHitBotEvent(_TankEvent):
    """A bullet hit the tank `victim_id`."""

    victim_id: int
    bullet: BulletState
    damage: float
    energy: float


@dataclass(slots=True)
class BulletHitBulletEvent(_TankEvent):
    """Two bullets met. `bullet` is the receiver's own bullet."""

    bullet: BulletState
    hit_bullet: BulletState


@dataclass(slots=True)
class BulletHitWallEvent(_TankEvent):
    """A bullet left the arena. The bullet's place in this event is outside the arena."""

    bullet: BulletState


@dataclass(slots=True)
class ScannedBotEvent(_TankEvent):
    """The radar of the tank `scanned_by_bot_id` swept over the tank `scanned_bot_id`."""

    scanned_by_bot_id: int
    scanned_bot_id: int
    energy: float
    x: float
    y: float
    direction: float
    speed: float


@dataclass(slots=True)
class TeamMessageEvent(_TankEvent):
    """A teammate sent a message."""

    message: str
    message_type: str
    sender_id: int


@dataclass(slots=True)
class WonRoundEvent(_TankEvent):
    """The receiver won the round."""


Event = (
    BotDeathEvent
    | BotHitBotEvent
    | BotHitWallEvent
    | BulletFiredEvent
    | BulletHitBotEvent
    | BulletHitBulletEvent
    | BulletHitWallEvent
    | ScannedBotEvent
    | TeamMessageEvent
    | WonRoundEvent
)


@dataclass(slots=True)
class TankState(metaclass=Shape):
    """A tank as its own bot sees it."""

    is_droid: bool
    energy: float
    x: float
    y: float
    direction: float
    gun_direction: float
    radar_direction: float
    radar_sweep: float
    speed: float
    turn_rate: float
    gun_turn_rate: float
    radar_turn_rate: float
    gun_heat: float
    enemy_count: int
    is_debugging_enabled: bool
    body_color: str | None = None
    turret_color: str | None = None
    radar_color: str | None = None
    bullet_color: str | None = None
    scan_color: str | None = None
    tracks_color: str | None = None
    gun_color: str | None = None


@dataclass(slots=True)
class Observation(metaclass=Shape):
    """The observation of one bot at the start of a turn: its tank, its bullets and its events."""

    round_number: int
    turn_number: int
    bot_state: TankState
    bullet_states: list[BulletState]
    events: list[Event]
