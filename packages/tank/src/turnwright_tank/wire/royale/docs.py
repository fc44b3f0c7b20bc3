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
# Intents and observations are declared above `wire`, in modules that do not depend on msgspec, so the
# descriptions of their fields are here, by JSON name. A test checks that they are complete.


FIELD_MEANINGS: dict[str, str] = {
    "turnRate": "degrees per turn, which the rules limit to 10 − 0.75·|speed|",
    "gunTurnRate": "degrees per turn, which the rules limit to 20",
    "radarTurnRate": "degrees per turn, which the rules limit to 45",
    "targetSpeed": "units per turn, which the rules limit to −8…8",
    "firepower": "energy that the tank pays for a bullet. Below 0.1 the gun does not fire, and above 3"
    " the bullet has power 3",
    "adjustGunForBodyTurn": "whether the gun keeps its direction when the body turns",
    "adjustRadarForBodyTurn": "whether the radar keeps its direction when the body turns",
    "adjustRadarForGunTurn": "whether the radar keeps its direction when the gun turns",
    "rescan": "whether the radar scans even if the tank, the gun and the radar did not move or turn",
    "fireAssist": "whether the gun aims at the last scanned tank, if gun and radar have the same direction",
    "bodyColor": "#RGB or #RRGGBB",
    "turretColor": "#RGB or #RRGGBB",
    "radarColor": "#RGB or #RRGGBB",
    "bulletColor": "#RGB or #RRGGBB",
    "scanColor": "#RGB or #RRGGBB",
    "tracksColor": "#RGB or #RRGGBB",
    "gunColor": "#RGB or #RRGGBB",
    "color": "the bullet's colour, #RRGGBB",
    "stdOut": "what the bot printed since its last intent",
    "stdErr": "what the bot printed on its standard error since its last intent",
    "teamMessages": "messages to teammates, who get them with the next tick",
    "debugGraphics": "graphics as an SVG text, which spectators see while debugging is on for the bot",
    "message": "the text of the message. The official bot APIs send JSON",
    "messageType": "a name that the sender gives to this kind of message. team-message-batch-v1: the text"
    " contains several messages",
    "receiverId": "bot id of a teammate. Absent: all teammates",
    "senderId": "bot id of the sender",
    "turnNumber": "the turn of the round, from 1",
    "roundNumber": "the round, from 1",
    "botState": "the bot's own tank",
    "botStates": "every tank that was alive when the turn began, including tanks that died in the turn",
    "bulletStates": "bullets in the air",
    "events": "what happened in the turn",
    "id": "bot id",
    "sessionId": "the bot's session id",
    "name": "the bot's name",
    "version": "the bot's version",
    "isDroid": "whether the bot is a droid, which has no radar",
    "energy": "the tank's energy. At 0 the tank is disabled, and below 0 it is dead",
    "x": "units from the left",
    "y": "units from the bottom",
    "direction": "degrees in [0, 360)",
    "gunDirection": "degrees in [0, 360)",
    "radarDirection": "degrees in [0, 360)",
    "radarSweep": "degrees that the radar turned in this turn, −75…75. Positive is left",
    "speed": "units per turn. Negative is backwards",
    "gunHeat": "0…3. The gun can fire if its heat is 0",
    "enemyCount": "living bots of other teams",
    "isDebuggingEnabled": "whether debug graphics are shown. False in the first turn of a round",
    "bulletId": "number of the bullet in the round, from 1",
    "ownerId": "bot id of the shooter",
    "power": "the bullet's power, 0.1…3",
    "victimId": "bot id of the tank that died or was hit",
    "botId": "bot id of one tank. In the tick of a bot, this is the bot's own id",
    "rammed": "whether the tank botId drove into the other tank",
    "bullet": "the bullet",
    "hitBullet": "the other bullet",
    "damage": "the bullet's damage, even if the victim had less energy",
    "scannedByBotId": "bot id of the tank that scanned",
    "scannedBotId": "bot id of the tank that was scanned",
    "initialPosition": "the start position that the bot asks for",
}
"""Descriptions of the fields of intents and observations, by JSON name."""

SPECIAL_MEANINGS: dict[tuple[str, str], str] = {
    (
        "BotIntent",
        "turnNumber",
    ): "extension: the number of the turn that the intent answers. If the deadline of this turn has"
    " passed, the intent has no effect",
    ("TickEventForBot", "bulletStates"): "the bot's own bullets in the air",
    ("BotHitBotEvent", "victimId"): "bot id of the other tank",
    ("BotHitBotEvent", "energy"): "energy of the other tank after the contact",
    ("BotHitWallEvent", "victimId"): "bot id of the tank that drove into the wall",
    ("BulletHitBotEvent", "energy"): "energy of the victim after the hit. Below 0 the victim is dead",
    **{
        (owner, rate): "degrees per turn, after the limit of this turn and before the adjust flags"
        for owner in ("BotState", "BotStateWithId")
        for rate in ("turnRate", "gunTurnRate", "radarTurnRate")
    },
}
"""Descriptions by schema and JSON name, for fields that have another meaning in that structure."""

LIMITS: dict[tuple[str, str], str] = {
    ("BotIntent", "stdOut"): "cut at OUTPUT_BYTES_MAX",
    ("BotIntent", "stdErr"): "cut at OUTPUT_BYTES_MAX",
    ("BotIntent", "debugGraphics"): "ignored above DEBUG_GRAPHICS_BYTES_MAX",
    ("BotIntent", "teamMessages"): "at most TEAM_MESSAGES_MAX, BATCH_MESSAGES_MAX, TEAM_MESSAGES_BYTES_MAX",
    ("TeamMessage", "message"): "at most TEAM_MESSAGE_BYTES_MAX",
    ("TeamMessage", "messageType"): "not blank",
    **{
        ("BotIntent", f"{part}Color"): "ignored above COLOR_CHARS_MAX"
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

turnwright uses the protocol of Robocode Tank Royale, version 1, and works with bots, observers and
controllers of all versions 1.x. Each WebSocket text message is one JSON object with a `type`. *Extension*
marks messages and fields that turnwright has added.

- The server ignores fields that it does not know, and leaves out optional fields that have no value. A field
  with the value `null` counts as absent. If a message contains a key twice, the last value counts.
- Angles are in degrees, counter-clockwise from east. Positions are in units, speeds in units per turn, and
  timeouts in microseconds.
- In a game, bots have the ids 1…N, in the order of the addresses in StartGame. Rounds and turns count from 1.
- The server ignores a message that the client's role may not send, or that has no meaning at the time, such
  as PauseGame without a game. The socket stays open. If the client's handshake has `"turnwright": 1`, the
  server answers each wrong message with an ErrorReply.
- Numbers in an intent may be NaN or infinite. A field with NaN counts as absent. ±Infinity counts as the
  largest or smallest float, which the rules then limit like any other number.
- The tables use names for limits, such as `COLOR_CHARS_MAX`, whose values are in [Limits](#limits).
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
    """Return the page about the protocol, as Markdown."""
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
        yield "The only field is `type`."


def _cells(owner: str, row: FieldRow) -> tuple[str, ...]:
    here = (owner, row.name)
    meaning = row.meaning or SPECIAL_MEANINGS.get(here) or FIELD_MEANINGS[row.name]
    limits = LIMITS.get(here) or row.limits
    return f"`{row.name}`", row.json_type, "yes" if row.required else "no", limits, meaning


def _faults() -> Iterator[str]:
    yield "\n## Faults\n"
    yield "After three kinds of mistakes the server closes the connection with a code:\n"
    yield (
        f"- {CLOSE_BAD_TEXT}: a text is not UTF-8.\n"
        f"- {CLOSE_POLICY}: the server refuses the handshake, or team messages break the rules.\n"
        f"- {CLOSE_TOO_BIG}: a message is longer than MESSAGE_BYTES_MAX.\n"
    )
    yield f"The `code` of an ErrorReply is one of {', '.join(f'`{code.value}`' for code in FaultCode)}."


def _bounds() -> Iterator[str]:
    yield "\n## Limits\n"
    rows = ((f"`{name}`", _shown(getattr(bounds, name))) for name in sorted(vars(bounds)) if name.isupper())
    yield from table(("Name", "Value"), rows)


def _shown(value: object) -> str:
    return f"{value:,.0f}" if isinstance(value, (int, float)) else f"`{value}`"


if __name__ == "__main__":
    print(render(), end="")
