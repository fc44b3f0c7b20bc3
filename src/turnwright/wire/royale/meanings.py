"""What the fields of the rules' own structures mean, for the reference page.

Intents and ticks are decoded and encoded a thousand times a second, and are declared in `games.tank`, which
knows no wire; so their descriptions stand here, by the JSON name, and a test holds them complete.
"""

from __future__ import annotations

__all__ = ["FIELD_MEANINGS", "LIMITS", "SPECIAL_MEANINGS"]

FIELD_MEANINGS: dict[str, str] = {
    "turnRate": "degrees a turn, limited by the speed to 10 − 0.75·|speed|",
    "gunTurnRate": "degrees a turn, limited to 20",
    "radarTurnRate": "degrees a turn, limited to 45",
    "targetSpeed": "units a turn, limited to −8…8",
    "firepower": "energy of a bullet; below 0.1 holds fire, above 3 shoots 3",
    "adjustGunForBodyTurn": "the gun keeps its direction when the body turns",
    "adjustRadarForBodyTurn": "the radar keeps its direction when the body turns",
    "adjustRadarForGunTurn": "the radar keeps its direction when the gun turns",
    "rescan": "scan again even if nothing moved",
    "fireAssist": "fire at the last scanned bot when gun and radar point the same way",
    "bodyColor": "#RGB or #RRGGBB",
    "turretColor": "#RGB or #RRGGBB",
    "radarColor": "#RGB or #RRGGBB",
    "bulletColor": "#RGB or #RRGGBB",
    "scanColor": "#RGB or #RRGGBB",
    "tracksColor": "#RGB or #RRGGBB",
    "gunColor": "#RGB or #RRGGBB",
    "color": "#RRGGBB of the bullet",
    "stdOut": "what the bot printed since its last intent",
    "stdErr": "what the bot printed as errors since its last intent",
    "teamMessages": "to teammates; they arrive with the next tick",
    "debugGraphics": "SVG text; shown while debugging is on for the bot",
    "message": "the text, JSON by convention of the bot APIs",
    "messageType": "the sender's name for the kind of message; team-message-batch-v1 is a batch",
    "receiverId": "a teammate's bot id; absent = all teammates",
    "senderId": "bot id of the sender",
    "turnNumber": "of the round, 1…",
    "roundNumber": "1…",
    "botState": "the bot itself",
    "botStates": "every bot that began the turn; one that died in it is there once more",
    "bulletStates": "bullets in the air",
    "events": "what happened in the turn",
    "id": "bot id",
    "sessionId": "its session",
    "name": "its name",
    "version": "its version",
    "isDroid": "a droid has no radar",
    "energy": "0 = disabled, below 0 = dead",
    "x": "units, 0 = left",
    "y": "units, 0 = bottom",
    "direction": "degrees in [0, 360)",
    "gunDirection": "degrees in [0, 360)",
    "radarDirection": "degrees in [0, 360)",
    "radarSweep": "degrees the radar turned in this turn, signed",
    "speed": "units a turn, negative = backwards",
    "gunHeat": "0 = ready to fire",
    "enemyCount": "living bots of other teams",
    "isDebuggingEnabled": "debug graphics are taken; false in the first turn of a round",
    "bulletId": "1… in a round",
    "ownerId": "bot id of who fired it",
    "power": "0.1…3",
    "victimId": "bot id of the one it happened to",
    "botId": "bot id",
    "rammed": "botId drove into the other",
    "bullet": "the bullet",
    "hitBullet": "the other bullet",
    "damage": "before any cap",
    "scannedByBotId": "bot id of the scanner",
    "scannedBotId": "bot id of the scanned bot",
    "initialPosition": "where it asks to start",
}
"""By JSON name, for all structures of the rules."""

SPECIAL_MEANINGS: dict[tuple[str, str], str] = {
    ("BotIntent", "turnNumber"): "ours: the turn it answers, so that a stale one can be dropped",
    ("TickEventForBot", "bulletStates"): "its own bullets in the air",
    ("BotHitBotEvent", "victimId"): "bot id of the other bot",
    ("BotHitBotEvent", "energy"): "of the other bot, afterwards",
    ("BulletHitBotEvent", "energy"): "of the victim, afterwards",
    ("BotState", "turnRate"): "degrees, as limited in this turn",
    ("BotState", "gunTurnRate"): "degrees, as limited in this turn",
    ("BotState", "radarTurnRate"): "degrees, as limited in this turn",
    ("BotStateWithId", "turnRate"): "degrees, as limited in this turn",
    ("BotStateWithId", "gunTurnRate"): "degrees, as limited in this turn",
    ("BotStateWithId", "radarTurnRate"): "degrees, as limited in this turn",
}
"""By schema and JSON name, where the field means something else in that structure."""

LIMITS: dict[tuple[str, str], str] = {
    ("BotIntent", "stdOut"): "cut at OUTPUT_BYTES_MAX",
    ("BotIntent", "stdErr"): "cut at OUTPUT_BYTES_MAX",
    ("BotIntent", "debugGraphics"): "dropped over DEBUG_GRAPHICS_BYTES_MAX",
    ("BotIntent", "teamMessages"): "TEAM_MESSAGES_MAX, BATCH_MESSAGES_MAX, TEAM_MESSAGES_BYTES_MAX",
    ("TeamMessage", "message"): "TEAM_MESSAGE_BYTES_MAX",
    ("TeamMessage", "messageType"): "not blank",
    **{
        ("BotIntent", f"{part}Color"): "dropped over COLOR_CHARS_MAX"
        for part in ("body", "turret", "radar", "bullet", "scan", "tracks", "gun")
    },
}
"""Limits that are checked after decoding."""
