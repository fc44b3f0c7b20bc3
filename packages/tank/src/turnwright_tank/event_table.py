"""The events of a turn, each declared once.

The rules write an event as a row (`rules/events.py`), and `observation` declares its message. This table
gives the value of each field of the message, the seats that get the message, and the text in the page's log.
The code that makes the messages to seats and spectators follows from this table, both the interpreted and the
compiled code. So does `view/events.js`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from turnwright_tank.rules import events as kinds
from turnwright_tank.rules.constants import RAM_DAMAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedEvent:
    """How the page's log shows an event.

    `bot`, `other`, `value`, `energy` and `only_if` are paths in the message. "" means that the event has no
    such value.

    Attributes:
        kind: the name of the event in the log.
        sign: the sign before its lines.
        label: the text of the button that shows or hides its lines.
        text: the line, in which {bot}, {other}, {value} and {left} are replaced. {left} is the energy left.
        bot: the bot that the event is about.
        other: another bot.
        value: a number of the event.
        energy: the energy of the bot after the event.
        only_if: a flag of the message. The log has the event only if the flag is set.
        is_shown_first: whether the log shows the event until a viewer hides it.
        is_minor: whether the event is left out if there are too many entries.
    """

    kind: str
    sign: str
    label: str
    text: str
    bot: str
    other: str = ""
    value: str = ""
    energy: str = ""
    only_if: str = ""
    is_shown_first: bool = False
    is_minor: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredEvent:
    """An event of the rules.

    Attributes:
        kind: the number of the event in a row.
        name: the class of the message in `observation`, and the `type` in JSON.
        fields: the source of each field of the message. "bot first" is the seat in the column `first`, as a
            bot id. "bullet first" is the bullet whose number is in the column `first`. "muzzle first" is the
            same bullet at the place where it left the gun, which is x and y of the row. "flag" is whether a
            column is not 0. Any other text is the name of a column.
        told: the seats that get the message. A name is the column with the seat, or "owner" for the seat that
            fired the bullet. None means all seats that get events of deaths. Compiled observations send the
            message to `first`, or to the owner if the event has a bullet, and backends/c/observations.h
            handles the other cases.
        is_mirrored: whether the owner of the other bullet gets the message, too, with both bullets swapped.
        log: how the page's log shows the event, or None to leave it out.
    """

    kind: int
    name: str
    fields: Mapping[str, str]
    told: tuple[str, ...] | None
    is_mirrored: bool = False
    log: LoggedEvent | None = None


EVENTS = (
    DeclaredEvent(
        kind=kinds.FIRED,
        name="BulletFiredEvent",
        fields={"bullet": "muzzle first"},
        told=("owner",),
        log=LoggedEvent(
            kind="fired",
            sign="→",
            label="Shots",
            text="{bot} fired, power {value}",
            bot="bullet.owner_id",
            value="bullet.power",
            is_minor=True,
        ),
    ),
    DeclaredEvent(
        kind=kinds.HIT_WALL,
        name="BotHitWallEvent",
        fields={"victim_id": "bot first"},
        told=("first",),
        log=LoggedEvent(
            kind="wall", sign="▐", label="Walls", text="{bot} drove into a wall", bot="victim_id"
        ),
    ),
    DeclaredEvent(
        kind=kinds.HIT_TANK,
        name="BotHitBotEvent",
        fields={
            "bot_id": "bot first",
            "victim_id": "bot second",
            "energy": "energy",
            "x": "x",
            "y": "y",
            "rammed": "flag",
        },
        told=("first",),
        log=LoggedEvent(
            kind="ram",
            sign="◆",
            label="Rams",
            text=f"{{other}} rammed {{bot}}: −{RAM_DAMAGE}, {{left}}",
            bot="victim_id",
            other="bot_id",
            energy="energy",
            only_if="rammed",
            is_shown_first=True,
        ),
    ),
    DeclaredEvent(
        kind=kinds.SCANNED,
        name="ScannedBotEvent",
        fields={
            "scanned_by_bot_id": "bot first",
            "scanned_bot_id": "bot second",
            "energy": "energy",
            "x": "x",
            "y": "y",
            "direction": "direction",
            "speed": "value",
        },
        told=("first",),
    ),
    DeclaredEvent(
        kind=kinds.BULLET_WALL,
        name="BulletHitWallEvent",
        fields={"bullet": "bullet first"},
        told=("owner",),
        log=LoggedEvent(
            kind="miss",
            sign="○",
            label="Misses",
            text="A bullet of {bot} missed (power {value})",
            bot="bullet.owner_id",
            value="bullet.power",
            is_minor=True,
        ),
    ),
    DeclaredEvent(
        kind=kinds.BULLET_BULLET,
        name="BulletHitBulletEvent",
        fields={"bullet": "bullet first", "hit_bullet": "bullet second"},
        told=("owner",),
        is_mirrored=True,
        log=LoggedEvent(
            kind="clash",
            sign="✦",
            label="Bullet collisions",
            text="Bullets of {bot} and {other} collided",
            bot="bullet.owner_id",
            other="hit_bullet.owner_id",
        ),
    ),
    DeclaredEvent(
        kind=kinds.BULLET_TANK,
        name="BulletHitBotEvent",
        fields={"victim_id": "bot second", "bullet": "bullet first", "damage": "value", "energy": "energy"},
        told=("owner", "second"),
        log=LoggedEvent(
            kind="hit",
            sign="●",
            label="Hits",
            text="{other} hit {bot}: −{value}, {left}",
            bot="victim_id",
            other="bullet.owner_id",
            value="damage",
            energy="energy",
            is_shown_first=True,
        ),
    ),
    DeclaredEvent(
        kind=kinds.DEATH,
        name="BotDeathEvent",
        fields={"victim_id": "bot first"},
        told=None,
        log=LoggedEvent(
            kind="death", sign="✕", label="Deaths", text="{bot} died", bot="victim_id", is_shown_first=True
        ),
    ),
)
"""The events in the order of their numbers, which begin at 1."""
