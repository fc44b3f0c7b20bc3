"""The events of a turn, each declared once.

The rules write an event as a row (`rules/events.py`); `observation` has its message. From this table follow
which value of the row each field of the message has, which seats get it, and the words of the page's log. The
messages of seats and spectators (interpreted and compiled) and `view/events.js` are made from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from turnwright_tank.rules import events as kinds
from turnwright_tank.rules.constants import RAM_DAMAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedEvent:
    """How the log of the page has an event. Values are paths in the message, "" for none.

    Attributes:
        kind: its name in the log.
        sign, label: before its lines, and of the button that shows or hides them.
        text: in which {bot}, {other}, {value} and {left} are replaced. {left} is what is left of the energy.
        bot: the bot that it is about.
        other: another bot.
        value: a number of the event.
        energy: of the bot after it.
        only_if: a flag of the message without which the log does not have it.
        is_shown_first: shown until it is hidden.
        is_minor: left out when there are too many entries.
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
        kind: its number in a row.
        name: the class of its message in `observation`, and the `type` in JSON.
        fields: by field of the message what it has of the row. "bot first" is the seat in the column
            `first`, as a bot id. "bullet first" is the bullet of that number. "muzzle first" is the same
            where it left the gun, at the row's x and y. "flag" is whether a column is not 0. Any other name
            is that of a column.
        told: the seats that get the message. They are those in a column, or "owner", the one whose bullet
            it is. With None it goes to all that hear of deaths. A compiled observation sends it to `first`,
            or to the owner if the event has a bullet. backends/c/observations.h has the rest.
        is_mirrored: whether the owner of the other bullet gets it, too, with both bullets exchanged.
        log: how the log of the page has it, or None to leave it out.
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
"""In the order of their numbers, which begin at 1."""
