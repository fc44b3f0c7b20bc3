"""The schema of content rows, with bounds. `content.read` reads them.

Ids are lower case words, such as "iron_ore". Times are whole ms or s of game time. Chances are in percent.
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
* might: more damage by its attacks.
* vigour: less damage by attacks on it.
* instinct: longer windows for incoming attacks.
* focus: room for more threats in its queue.
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
    """The base class of all rows."""


class BlowRow(_ContentRow, frozen=True):
    """A kind of attack.

    Attributes:
        kind: determines which reactions clear the attack.
        window_ms: time until the attack lands.
        rhythm_ms: time until the next attack.
        text: the message to the target, with {name} for the attacker.
    """

    kind: Id
    damage: Annotated[int, Meta(ge=0, le=1_000)]
    window_ms: Annotated[int, Meta(ge=500, le=10_000)] = 3_000
    rhythm_ms: Annotated[int, Meta(ge=250, le=30_000)] = 2_000
    text: Text = ""


class DoorRow(_ContentRow, frozen=True):
    """A door in an exit.

    Attributes:
        name: the noun for the door in messages, e.g. "gate".
        key: the item that opens the door, or "" for a door without a lock.
    """

    name: Name = "door"
    key: str = ""


class QueueRow(_ContentRow, frozen=True):
    """The limits of a creature's threat queue.

    A limit that is None comes from [settings], or else from the defaults of `kit.queues`.

    Attributes:
        capacity: number of threats at focus 0.
        focus_points: points of focus that add room for one threat. If 0, focus has no effect.
        capacity_max: largest number of threats, however high the focus.
        overflow: what happens when a threat comes to a full queue.
        window_ms: time until a threat lands, for a creature of instinct 0.
        instinct_ms: time that each point of instinct adds to the window.
        window_min_ms, window_max_ms: shortest and longest time until a threat lands.
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
    """A place of a world.

    Attributes:
        yields: the items that work in this place gives, by verb.
        tags: "dark" (players need a lamp), "safe" (no fights), "outdoors", and tags that verbs use.
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
        blows: its attacks, in a fixed order.
        wants: media that its mind subscribes to. "*" means all.
        xp: experience that its killer gets.
        money: minimum and maximum of the coins that it carries.
        drops: the chance that it leaves each item, in percent.
        sells: the price of each item that it sells.
        buys: tags of the items that it buys.
        says: answers by topic.
        greets: its greeting of players.
        respawn_s: seconds from its death to its return. 0 means that it never returns.
        queue: limits of its threat queue that differ from [settings].
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
        slot: the part of the body that wears it, or "" if it cannot be worn.
        blow: the attack of a creature that holds it in the hand.
        gives: points that it adds to attributes while worn.
        health, stamina: points gained by eating or drinking it.
        shines: whether it lights dark places while worn.
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
        """The description of the item: text, attack, effects and price."""
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
    """Creatures or items of a new world. A row names either a kind or an item.

    Attributes:
        count: how many.
        memory: the initial memory of their minds.
        name: a name that replaces the name of the kind.
    """

    place: Id
    kind: str = ""
    item: str = ""
    count: Annotated[int, Meta(ge=1, le=200)] = 1
    name: Annotated[str, Meta(max_length=60)] = ""
    memory: Annotated[dict[str, Any], Meta(max_length=20)] = {}


class Quest(_ContentRow, frozen=True):
    """A task that a creature gives and rewards.

    A row has one of three tasks: bring an item `count` times, slay a kind `count` times, or visit a place.

    Attributes:
        text, done: what the giver says when the player takes the quest and hands it in.
        after: the quest that the player must complete before.
        gift: the item that the player gets at the start of the quest.
        xp, money, item: the reward.
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
        start: the place where new players begin.
        home: the place where dead players return.
        player: the kind of creature that a player's body is.
        items, money: the possessions of a new player.
        carry_max: the most items that a creature carries.
        mend_s: the interval at which bodies regain mend_health and mend_stamina percent of their maximum.
        death_money: the percentage of money that a death costs.
        xp_level: xp for the second level. Each further level costs that much more than the level before.
        fist: the attack with bare hands.
        queue: the limits of threat queues, for all creatures.
        react_ms: the minimum age of an attack before a program can react to it.
        welcome: the text before the login.
        arrival: the text for a new player.
        lesson: the kind of the creature that comes once for each new player, or "".
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
    """All rows of a content folder, by id."""

    settings: Settings
    places: dict[str, PlaceRow]
    kinds: dict[str, KindRow]
    items: dict[str, ItemRow]
    spawns: tuple[Spawn, ...]
    quests: dict[str, Quest]
    reactions: dict[str, ReactionRow]
