"""The schema of content rows, with bounds. `content.read` reads them.

Ids are lower case words: "iron_ore". Times are whole ms or s of game time, chances percent.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

DIRECTIONS = ("north", "east", "south", "west", "up", "down", "in", "out")
"""The directions of exits."""
ATTRIBUTES = ("reaction", "might", "vigour", "instinct", "focus")
"""The attributes of a creature.

* reaction: the order in which creatures act.
* might: damage dealt.
* vigour: damage spared.
* instinct: longer windows for incoming attacks.
* focus: room in the queue.
"""

Id = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,39}$")]
Name = Annotated[str, Meta(min_length=1, max_length=60)]
Text = Annotated[str, Meta(max_length=2_000)]
Count = Annotated[int, Meta(ge=0, le=1_000)]
Coins = Annotated[int, Meta(ge=0, le=1_000_000)]
Percent = Annotated[int, Meta(ge=0, le=100)]
Points = Annotated[int, Meta(ge=-100, le=100)]
Health = Annotated[int, Meta(ge=1, le=100_000)]
Seconds = Annotated[int, Meta(ge=0, le=86_400)]
Direction = Annotated[str, Meta(pattern=f"^({'|'.join(DIRECTIONS)})$")]
Attribute = Annotated[str, Meta(pattern=f"^({'|'.join(ATTRIBUTES)})$")]
Senses = Annotated[dict[Id, Annotated[float, Meta(ge=0, le=16)]], Meta(max_length=10)]
Tags = Annotated[tuple[Id, ...], Meta(max_length=20)]


class _ContentRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The options that all rows share."""


class BlowRow(_ContentRow, frozen=True):
    """A kind of blow.

    Attributes:
        kind: determines the reactions that clear it.
        window_ms: time until it lands.
        rhythm_ms: time from one blow to the next.
        text: the message to its target, with {name} for the attacker.
    """

    kind: Id
    damage: Annotated[int, Meta(ge=0, le=1_000)]
    window_ms: Annotated[int, Meta(ge=500, le=10_000)] = 3_000
    rhythm_ms: Annotated[int, Meta(ge=250, le=30_000)] = 2_000
    text: Text = ""


class DoorRow(_ContentRow, frozen=True):
    """A door in an exit.

    Attributes:
        key: the item that opens it, "" = none.
        text: its description.
    """

    name: Name = "door"
    key: str = ""


class QueueRow(_ContentRow, frozen=True):
    """Threat queue of a creature.

    Defaults come from [settings], then from `ThreatPolicy`.

    Attributes:
        capacity: number of threats at focus 0.
        focus_points: points of focus for one more, 0 = no effect.
        capacity_max: upper limit with any focus.
        overflow: the rule of a full queue.
        window_ms: duration of a threat at instinct 0.
        instinct_ms: added for each point of instinct.
        window_min_ms, window_max_ms: limits.
    """

    capacity: Annotated[int, Meta(ge=1, le=64)] | None = None
    capacity_max: Annotated[int, Meta(ge=1, le=64)] | None = None
    focus_points: Annotated[int, Meta(ge=0, le=200)] | None = None
    overflow: Annotated[str, Meta(pattern="^(land|refuse)$")] | None = None
    window_ms: Annotated[int, Meta(ge=500, le=10_000)] | None = None
    window_min_ms: Annotated[int, Meta(ge=500, le=10_000)] | None = None
    window_max_ms: Annotated[int, Meta(ge=500, le=10_000)] | None = None
    instinct_ms: Annotated[int, Meta(ge=0, le=100)] | None = None


class PlaceRow(_ContentRow, frozen=True):
    """A place.

    Attributes:
        yields: by verb, the items that work here gives.
        tags: "dark" (a lamp is needed), "safe" (no fights), "outdoors", and those that verbs use.
    """

    name: Name
    text: Text
    area: Id
    exits: dict[Direction, Id] = {}
    doors: dict[Direction, DoorRow] = {}
    tags: Tags = ()
    yields: Annotated[
        dict[Id, Annotated[tuple[Id, ...], Meta(min_length=1, max_length=10)]], Meta(max_length=10)
    ] = {}


class KindRow(_ContentRow, frozen=True):
    """A kind of creature.

    Attributes:
        blows: its blows, in a fixed order.
        wants: media that its mind subscribes to. "*" is all.
        xp: reward of its killer.
        money: least and most that it carries.
        drops: chances by item.
        sells: prices by item.
        buys: tags of the items that it buys.
        says: answers by topic.
        greets: its greeting of players.
        respawn_s: seconds after its death, 0 = never.
        queue: its threat queue, where it differs from [settings].
    """

    name: Name
    text: Text = ""
    level: Annotated[int, Meta(ge=0, le=100)] = 1
    health: Health = 100
    stamina: Health = 100
    attributes: dict[Attribute, Points] = {}
    senses: Senses = msgspec.field(default_factory=lambda: {"sight": 1.0, "sound": 1.0})
    wants: Annotated[tuple[str, ...], Meta(max_length=20)] = ("*",)
    events: Tags = ()
    mind: str = ""
    tags: Tags = ()
    blows: Annotated[tuple[BlowRow, ...], Meta(max_length=8)] = ()
    xp: Coins = 0
    money: tuple[Coins, Coins] = (0, 0)
    drops: Annotated[dict[Id, Percent], Meta(max_length=20)] = {}
    sells: Annotated[dict[Id, Annotated[int, Meta(ge=1, le=1_000_000)]], Meta(max_length=50)] = {}
    buys: Tags = ()
    greets: Text = ""
    says: Annotated[dict[Id, Text], Meta(max_length=30)] = {}
    respawn_s: Seconds = 120
    queue: QueueRow = QueueRow()


class ItemRow(_ContentRow, frozen=True):
    """A kind of item.

    Attributes:
        slot: where it is worn: "hand", "head", "body", "feet", "light"; "" = not at all.
        blow: the blow with it in hand.
        gives: attributes while it is worn.
        health, stamina: gained by eating or drinking it.
        shines: it lights dark places while it is worn.
    """

    name: Name
    text: Text = ""
    price: Coins = 0
    tags: Tags = ()
    slot: Literal["", "hand", "head", "body", "feet", "light"] = ""
    blow: BlowRow | None = None
    gives: dict[Attribute, Points] = {}
    health: Count = 0
    stamina: Count = 0
    shines: bool = False

    @property
    def shown(self) -> str:
        """Return its description: text, blow, effects and price."""
        parts = [self.text or f"Nothing is special about: {self.name}."]
        if self.blow is not None:
            every_s = self.blow.rhythm_ms / 1000
            parts.append(f"It strikes every {every_s:g} s: {self.blow.kind} for {self.blow.damage}.")
        parts += [f"It gives {points:+d} {name}." for name, points in self.gives.items()]
        mends = {"health": self.health, "stamina": self.stamina}
        brings = " and ".join(f"{points} {what}" for what, points in mends.items() if points)
        parts += [f"Eaten or drunk it brings {brings}."] if brings else []
        parts += [f"It is worth {self.price} coins."] if self.price else []
        return " ".join(parts)


class Spawn(_ContentRow, frozen=True):
    """Creatures or items of a new world.

    Give either kind or item.

    Attributes:
        count: their number.
        memory: initial memory of the mind.
        name: replaces the name of the kind.
    """

    place: Id
    kind: str = ""
    item: str = ""
    count: Annotated[int, Meta(ge=1, le=200)] = 1
    name: Annotated[str, Meta(max_length=60)] = ""
    memory: Annotated[dict[str, Any], Meta(max_length=20)] = {}


class Quest(_ContentRow, frozen=True):
    """A task that a kind of creature gives and rewards.

    The task is to bring an item or slay a kind, `count` times, or to visit a place. Give one of the three.

    Attributes:
        after: a quest that must be completed before.
        gift: an item that the player gets at the start.
    """

    name: Name
    giver: Id
    text: Text
    done: Text
    bring: str = ""
    slay: str = ""
    visit: str = ""
    count: Annotated[int, Meta(ge=1, le=100)] = 1
    after: str = ""
    gift: str = ""
    xp: Coins = 0
    money: Coins = 0
    item: str = ""


class ReactionRow(_ContentRow, frozen=True):
    """A reaction to attacks. See `threats.Reaction`."""

    clears: Literal["id", "first", "all", "band"]
    stamina: Annotated[int, Meta(ge=0, le=1_000)] = 10
    lockout_ms: Annotated[int, Meta(ge=0, le=60_000)] = 500
    band_ms: Annotated[int, Meta(ge=0, le=10_000)] = 0
    kinds: Tags = ()
    returned: Percent = 0
    why: Annotated[str, Meta(min_length=1, max_length=40)] = "cleared"


class Settings(_ContentRow, frozen=True):
    """Settings of a world.

    Attributes:
        start: place of new players.
        home: place of players after death.
        items, money: possessions of a new player.
        mend_s: interval at which mend_health and mend_stamina percent of the maximum are restored.
        death_money: percent of money lost by a death.
        xp_level: xp for the second level. Each further level costs that much more.
        fist: a blow with bare hands.
        queue: threat queues of all creatures.
        react_ms: minimum age of a blow before a program can react to it.
        welcome: text before the login.
        arrival: text for a new player.
        lesson: kind of the creature that comes once for each new player, "" = none.
    """

    start: Id
    home: Id
    player: Id = "person"
    items: Annotated[tuple[Id, ...], Meta(max_length=20)] = ()
    money: Coins = 0
    mend_s: Annotated[int, Meta(ge=1, le=600)] = 2
    mend_health: Percent = 1
    mend_stamina: Percent = 6
    death_money: Percent = 10
    xp_level: Annotated[int, Meta(ge=1, le=100_000)] = 60
    carry_max: Annotated[int, Meta(ge=1, le=200)] = 24
    fist: BlowRow = BlowRow("blow", 5)
    queue: QueueRow = QueueRow()
    react_ms: Annotated[int, Meta(ge=0, le=2_000)] = 0
    welcome: Text = ""
    arrival: Text = ""
    lesson: str = ""


class Land(msgspec.Struct, frozen=True):
    """All rows, by id."""

    settings: Settings
    places: dict[str, PlaceRow]
    kinds: dict[str, KindRow]
    items: dict[str, ItemRow]
    spawns: tuple[Spawn, ...]
    quests: dict[str, Quest]
    reactions: dict[str, ReactionRow]
