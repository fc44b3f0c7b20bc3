"""Writes the reference page of the Royale protocol from the structures of its messages.

Run `python -m turnwright_tank.wire.royale.docs > packages/tank/docs/royale-protocol.md` after a change. A
test fails when the page is stale.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import msgspec

from turnwright.wire.faults import CLOSE_BAD_TEXT, CLOSE_POLICY, CLOSE_TOO_BIG, FaultCode
from turnwright.wire.markdown import FieldRow, field_rows, paragraphs, table
from turnwright_tank import structs as view
from turnwright_tank.settings import START_SETTINGS
from turnwright_tank.wire.royale import limits as bounds
from turnwright_tank.wire.royale import message_parts as parts
from turnwright_tank.wire.royale.messages import MAY_RECEIVE, MAY_SEND, type_name

# ---- descriptions of the fields of observations and intents ---------------------------------------------
# Intents and observations are declared above `wire`, in
# modules that do not depend on msgspec. So the
# descriptions of their fields are here, by JSON name. A
# test checks that they are complete.


FIELD_MEANINGS: dict[str, str] = {
    "turnRate": "degrees per turn, limited by the speed to 10 − 0.75·|speed|",
    "gunTurnRate": "degrees per turn, limited to 20",
    "radarTurnRate": "degrees per turn, limited to 45",
    "targetSpeed": "units per turn, limited to −8…8",
    "firepower": "energy of a bullet; below 0.1 the gun does not fire, above 3 the bullet has power 3",
    "adjustGunForBodyTurn": "the gun keeps its direction when the body turns",
    "adjustRadarForBodyTurn": "the radar keeps its direction when the body turns",
    "adjustRadarForGunTurn": "the radar keeps its direction when the gun turns",
    "rescan": "scan again even if nothing moved",
    "fireAssist": "fire at the last scanned bot if gun and radar point in the same direction",
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
    "teamMessages": "messages to teammates; they arrive with the next tick",
    "debugGraphics": "SVG text; shown while debugging is on for the bot",
    "message": "the text; JSON by convention of the bot APIs",
    "messageType": "the sender's name for this kind of message; team-message-batch-v1 marks a batch",
    "receiverId": "a teammate's bot id; absent = all teammates",
    "senderId": "bot id of the sender",
    "turnNumber": "the turn of the round, from 1",
    "roundNumber": "the round, from 1",
    "botState": "the bot itself",
    "botStates": "every bot that was alive when the turn began, including bots that died in it",
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
    "radarSweep": "degrees that the radar turned in this turn, −75…75; positive is left",
    "speed": "units per turn, negative = backwards",
    "gunHeat": "0…3, 0 = ready to fire",
    "enemyCount": "living bots of other teams",
    "isDebuggingEnabled": "whether debug graphics are shown; false in the first turn of a round",
    "bulletId": "number of the bullet in the round, from 1",
    "ownerId": "bot id of the shooter",
    "power": "energy, 0.1…3",
    "victimId": "bot id of the bot that died or was hit",
    "botId": "bot id of the bot that touched the other; in a bot's tick, the bot itself",
    "rammed": "whether botId drove into the other bot",
    "bullet": "the bullet",
    "hitBullet": "the other bullet",
    "damage": "energy, not limited to the energy of the victim",
    "scannedByBotId": "bot id of the scanner",
    "scannedBotId": "bot id of the scanned bot",
    "initialPosition": "where the bot asks to start",
}
"""Descriptions of the fields of intents and observations, by JSON name."""

SPECIAL_MEANINGS: dict[tuple[str, str], str] = {
    ("BotIntent", "turnNumber"): "extension: the turn that the intent answers; a late intent is dropped",
    ("TickEventForBot", "bulletStates"): "the bot's own bullets in the air",
    ("BotHitBotEvent", "victimId"): "bot id of the other bot",
    ("BotHitBotEvent", "energy"): "energy of the other bot after the contact",
    ("BotHitWallEvent", "victimId"): "bot id of the bot that drove into the wall",
    ("BulletHitBotEvent", "energy"): "energy of the victim after the hit; below 0 = dead",
    **{
        (owner, rate): "degrees per turn, as limited in this turn, before the adjust flags"
        for owner in ("BotState", "BotStateWithId")
        for rate in ("turnRate", "gunTurnRate", "radarTurnRate")
    },
}
"""Descriptions by schema and JSON name, for fields that have another meaning in that structure."""

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
    **{
        ("GameSetup", one.wire_name): "{:,.0f} to {:,.0f}".format(*one.start_bounds)
        for one in START_SETTINGS
        if one.start_bounds
    },
}
"""Limits that the server checks after decoding."""


_INTRO = """\
# The Royale protocol

Generated by `python -m turnwright_tank.wire.royale.docs`: change the structures, not this page.

turnwright uses the protocol of Robocode Tank Royale, version 1. Each WebSocket text message is one JSON
object with a `type`. The server is compatible with bots, observers and controllers of any 1.x version.
*Extension* marks messages and fields that turnwright adds to the protocol.

- Unknown fields are ignored. A field that is `null` counts as absent. The server omits optional fields that
  are not set. If a key occurs twice, the last value counts.
- Angles are in degrees, 0 is east, and they grow counter-clockwise. Positions are in units, speeds in units
  per turn, timeouts in microseconds.
- A bot's id is 1…N in a game, in the order of StartGame's addresses. Rounds and turns count from 1.
- The server ignores a message that the client's role may not send, or that does not apply at that time. The
  socket stays open.
- A client whose handshake has `"turnwright": 1` gets an ErrorReply for each wrong message.
- An intent with non-finite numbers is still used. NaN counts as absent. An infinity counts as the largest
  number, and the rules limit it like any other number.
"""

_SCHEMA_NAMES = {"TankState": "BotState", "TankFrame": "BotStateWithId"}
_PART_CLASSES: tuple[type, ...] = (
    parts.GameSetup,
    parts.BotAddress,
    parts.InitialPosition,
    parts.BotInfo,
    parts.Participant,
    parts.HistoryStart,
    parts.BotName,
    parts.DirectoryEntry,
    parts.Features,
    parts.ResultsForBot,
    parts.ResultsForObserver,
    view.TeamMessage,
    view.TankState,
    view.TankFrame,
    view.BulletState,
)


def structures() -> Iterator[type]:
    """Yield all structures of the page: messages, events in ticks, and objects in messages."""
    yield from _messages()
    yield from get_args(view.Event)
    yield from _PART_CLASSES


def title(structure: type) -> str:
    """Return the name of a structure on the page: its `type`, or its name in the official schemas."""
    if issubclass(structure, msgspec.Struct) and structure.__struct_config__.tag is not None:
        return type_name(structure)
    return _SCHEMA_NAMES.get(structure.__name__, structure.__name__)


def render() -> str:
    """Return the page (Markdown)."""
    lines = [_INTRO, "## Messages\n", *_overview()]
    for heading, members in (
        ("Messages one by one", tuple(_messages())),
        ("Events in ticks", get_args(view.Event)),
        ("Objects in messages", _PART_CLASSES),
    ):
        lines.append(f"\n## {heading}")
        for structure in members:
            lines.extend(_section(structure))
    lines.extend(_faults())
    lines.extend(_bounds())
    return "\n".join(lines) + "\n"


def _messages() -> Iterator[type]:
    seen: dict[type, None] = {}
    for members in (*MAY_SEND.values(), *MAY_RECEIVE.values()):
        seen.update(dict.fromkeys(members))
    yield from seen


def _direction(message: type) -> str:
    senders = [role for role, members in MAY_SEND.items() if message in members]
    receivers = [role for role, members in MAY_RECEIVE.items() if message in members]
    return f"{senders[0]} → server" if senders else f"server → {', '.join(receivers)}"


def _overview() -> Iterator[str]:
    rows = (
        (f"[`{type_name(m)}`](#{type_name(m).lower()})", _direction(m), paragraphs(m).split("\n\n")[0])
        for m in _messages()
    )
    yield from table(("Type", "Direction", "Meaning"), rows)


def _section(structure: type) -> Iterator[str]:
    yield f"\n### {title(structure)}\n"
    text = paragraphs(structure)
    if structure in set(_messages()):
        direction = _direction(structure)
        text = f"{direction[0].upper()}{direction[1:]}. {text}"
    yield f"{text}\n"
    rows = [_cells(title(structure), row) for row in field_rows(structure, title)]
    if rows:
        yield from table(("Field", "JSON type", "Required", "Limits", "Meaning"), rows)
    else:
        yield "No fields but `type`."


def _cells(owner: str, row: FieldRow) -> tuple[str, ...]:
    here = (owner, row.name)
    meaning = row.meaning or SPECIAL_MEANINGS.get(here) or FIELD_MEANINGS[row.name]
    limits = LIMITS.get(here) or row.limits
    return f"`{row.name}`", row.json_type, "yes" if row.required else "no", limits, meaning


def _faults() -> Iterator[str]:
    yield "\n## Faults\n"
    yield "Three kinds of mistakes close the connection, with these close codes:\n"
    yield (
        f"- {CLOSE_BAD_TEXT}: text that is not UTF-8.\n"
        f"- {CLOSE_POLICY}: a refused handshake, or team messages that break the rules.\n"
        f"- {CLOSE_TOO_BIG}: a message over MESSAGE_BYTES_MAX.\n"
    )
    yield f"The `code` of an ErrorReply is one of {', '.join(f'`{code.value}`' for code in FaultCode)}."


def _bounds() -> Iterator[str]:
    yield "\n## Limits\n"
    rows = ((f"`{name}`", _shown(getattr(bounds, name))) for name in bounds.__all__)
    yield from table(("Name", "Value"), rows)


def _shown(value: object) -> str:
    return f"{value:,.0f}" if isinstance(value, (int, float)) else f"`{value}`"


if __name__ == "__main__":
    print(render(), end="")
