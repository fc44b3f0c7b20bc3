"""All names for authors of tank bots, as in `from turnwright.bots import Bot`.

docs/reference/bot-api.md explains each of them.
"""

from __future__ import annotations

from importlib.util import find_spec

if find_spec("turnwright.games.tank") is None:
    raise ImportError(
        "turnwright.bots is the library for bots of the game 'tank', which is not here; a bot of another game"
        " imports turnwright.client"
    )

from turnwright.games.tank.bots import (  # it is there
    Bot,
    BotDeathEvent,
    BotHitBotEvent,
    BotHitWallEvent,
    BulletFiredEvent,
    BulletHitBotEvent,
    BulletHitBulletEvent,
    BulletHitWallEvent,
    BulletState,
    Drive,
    GameInfo,
    Observation,
    Player,
    ScannedBotEvent,
    TankIntent,
    TankState,
    Target,
    TargetingBot,
    TeamMessageEvent,
    WonRoundEvent,
    absolute,
    aim_ahead,
    as_player,
    bullet_damage,
    bullet_speed,
    direction_from,
    distance_between,
    drive_towards,
    inside,
    max_turn_rate,
    normalize,
    project,
    radar_lock,
    run,
    smooth_along_walls,
    speed_after,
)

__all__ = [
    "Bot",
    "BotDeathEvent",
    "BotHitBotEvent",
    "BotHitWallEvent",
    "BulletFiredEvent",
    "BulletHitBotEvent",
    "BulletHitBulletEvent",
    "BulletHitWallEvent",
    "BulletState",
    "Drive",
    "GameInfo",
    "Observation",
    "Player",
    "ScannedBotEvent",
    "TankIntent",
    "TankState",
    "Target",
    "TargetingBot",
    "TeamMessageEvent",
    "WonRoundEvent",
    "absolute",
    "aim_ahead",
    "as_player",
    "bullet_damage",
    "bullet_speed",
    "direction_from",
    "distance_between",
    "drive_towards",
    "inside",
    "max_turn_rate",
    "normalize",
    "project",
    "radar_lock",
    "run",
    "smooth_along_walls",
    "speed_after",
]
