"""What a bot sees in a turn, as dataclasses.

They are declared once for all users. The bot library reads them from JSON (`bots.messages`). The server makes
their compiled counterparts (`structs`), which are instances of these classes too. Names are those of Tank
Royale's schemas, here in snake_case. An optional field that is not set is None.
Units: positions and speeds in arena units and units per turn, angles in degrees (0 east, counter-clockwise).
"""

from __future__ import annotations

from dataclasses import dataclass

from turnwright_tank.shape import Shape


@dataclass(slots=True)
class BulletState(metaclass=Shape):
    """A bullet in the air. power: 0.1–3.0; direction: [0, 360)."""

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
    """A tank died. victim_id: bot id (seat + 1)."""

    victim_id: int


@dataclass(slots=True)
class BotHitBotEvent(_TankEvent):
    """`bot_id` touched `victim_id`, whose energy and place are given.

    rammed: `bot_id` drove into it.
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
    """A bullet left its gun. Its place is the muzzle, the centre of the tank."""

    bullet: BulletState


@dataclass(slots=True)
class BulletHitBotEvent(_TankEvent):
    """A bullet hit `victim_id`.

    Damage before any cap, energy of the victim after it (may be negative).
    """

    victim_id: int
    bullet: BulletState
    damage: float
    energy: float


@dataclass(slots=True)
class BulletHitBulletEvent(_TankEvent):
    """Two bullets met; `bullet` is the receiver's own."""

    bullet: BulletState
    hit_bullet: BulletState


@dataclass(slots=True)
class BulletHitWallEvent(_TankEvent):
    """A bullet left the arena. Its place is not clipped."""

    bullet: BulletState


@dataclass(slots=True)
class ScannedBotEvent(_TankEvent):
    """The radar of `scanned_by_bot_id` swept over `scanned_bot_id`."""

    scanned_by_bot_id: int
    scanned_bot_id: int
    energy: float
    x: float
    y: float
    direction: float
    speed: float


@dataclass(slots=True)
class TeamMessageEvent(_TankEvent):
    """A message of a teammate."""

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
    """A tank as its own seat sees it.

    radar_sweep: signed change of the radar this turn, -75…75.

    turn_rate, gun_turn_rate, radar_turn_rate: the limited rates of this turn, before the adjust flags.
    enemy_count: living tanks of other teams. Colours: "#RRGGBB" or None.
    """

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
    """The observation of one seat at the start of a turn.

    Its tank, its own bullets, its events.
    """

    round_number: int
    turn_number: int
    bot_state: TankState
    bullet_states: list[BulletState]
    events: list[Event]
