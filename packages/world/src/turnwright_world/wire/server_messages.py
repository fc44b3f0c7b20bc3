"""Messages that a world sends to programs: names and fields, in the order on the wire.

Telnet's GMCP, the WebSocket sub-protocols `gmcp.` and `packed.`, and plain JSON carry the same messages.
Fields that are UNSET are not sent. Times are integers in microseconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from turnwright_world.rules.outbox import Message
from turnwright_world.rules.seen_map import MapLink, MapPlace
from turnwright_world.rules.threats import Clears, ShownThreat
from turnwright_world.rules.view import (
    ShownAction,
    ShownCreature,
    ShownItem,
    ShownPlace,
    ShownSelf,
    ShownVitals,
)
from turnwright_world.wire.clock import TimePong, TimeSegment
from turnwright_world.wire.messages import Nothing, PackageSpec

Channel = Literal["chat", "tell", "say"]
"""The channel of a text: chat goes to all players, tell to one, say to all in the same place."""


class TurnMessage(Struct, frozen=True):
    """The complete view of a body.

    Attributes:
        here: at most 60 creatures.
        here_more: the number of further creatures.
        heard: messages to the body, except threats and reactions.
    """

    turn: int
    now_us: int
    me: ShownSelf
    place: ShownPlace
    here: Sequence[ShownCreature]
    here_more: int
    vitals: ShownVitals
    threats: Sequence[ShownThreat]
    action: ShownAction | None
    items: Sequence[ShownItem]
    memory: dict[str, Any]
    quests: dict[str, Any]
    heard: Sequence[Message]
    queue: Sequence[str]


class TurnChanges(Struct, frozen=True):
    """The fields that differ from the previous turn, for programs that ask for changes."""

    turn: int
    now_us: int
    heard: Sequence[Message] | UnsetType = UNSET
    me: ShownSelf | UnsetType = UNSET
    place: ShownPlace | UnsetType = UNSET
    here: Sequence[ShownCreature] | UnsetType = UNSET
    here_more: int | UnsetType = UNSET
    vitals: ShownVitals | UnsetType = UNSET
    action: ShownAction | UnsetType | None = UNSET
    items: Sequence[ShownItem] | UnsetType = UNSET
    memory: dict[str, Any] | UnsetType = UNSET
    quests: dict[str, Any] | UnsetType = UNSET
    queue: Sequence[str] | UnsetType = UNSET


class WelcomeMessage(Struct, frozen=True):
    """The body and the name of a player. A spectator has no body, and `watching` names its subject."""

    body: int | None
    name: str
    watching: str | UnsetType = UNSET


class GoodbyeMessage(Struct, frozen=True):
    """The reason for the end of a connection."""

    why: str


class Offer(Struct, frozen=True):
    """A reaction that a client can offer to its player.

    Attributes:
        why: the outcome of a threat that the reaction clears.
        short: abbreviations of its name.
        short_threatened: abbreviations that work while an attack is coming at the player.
    """

    name: str
    clears: Clears
    stamina: int
    lockout_us: int
    band_us: int
    kinds: Sequence[str]
    why: str
    short: Sequence[str]
    short_threatened: Sequence[str]


class Offers(Struct, frozen=True):
    """The verbs and reactions of a world.

    react_us: the minimum age of a threat before a program can react to it.
    """

    verbs: Sequence[str]
    reactions: Sequence[Offer]
    react_us: int


class CharName(Struct, frozen=True):
    """The name and the id of a body."""

    name: str
    fullname: str
    id: int


class CharVitals(Struct, frozen=True):
    """A body's health, stamina and money."""

    hp: int
    maxhp: int
    sp: int
    maxsp: int
    money: int
    turn: int


class CharStatus(Struct, frozen=True):
    """The state of a body, its action, and the turn in which the action ends."""

    state: Literal["free", "busy", "dead"]
    action: str | UnsetType = UNSET
    ends_turn: int | UnsetType = UNSET


class NamedItem(Struct, frozen=True):
    """An item that a body carries, or that lies in its place."""

    id: int
    name: str


class CharItems(Struct, frozen=True):
    """The items that a body carries."""

    location: Literal["inv"]
    items: Sequence[NamedItem]


class CharQueue(Struct, frozen=True):
    """The waiting commands, and the size of the queue."""

    commands: Sequence[str]
    max: int


class DoorState(Struct, frozen=True):
    """A door of the place."""

    name: str
    shut: bool


class RoomCreature(Struct, frozen=True):
    """Another creature in the same place. doing: the verb of its action."""

    id: int
    name: str
    kind: str
    state: str
    doing: str | None
    player: bool
    linkdead: bool


class RoomInfo(Struct, frozen=True):
    """The place of a body.

    Attributes:
        exits: the id of the place in each direction, "" if the character has not seen it.
        known: the name of the place in each direction, if the character has seen it.
        here: at most 50 creatures.
        here_count: the number of all creatures.
    """

    num: int
    id: str
    name: str
    area: str
    desc: str
    exits: dict[str, str]
    known: dict[str, str]
    doors: dict[str, DoorState]
    here: Sequence[RoomCreature]
    here_count: int
    items: Sequence[NamedItem]


class MapMessage(Struct, frozen=True):
    """The places that the character has seen.

    Attributes:
        stubs: the place and direction of each way to a place that the character has not seen.
        more: the number of places left out.
    """

    places: Sequence[MapPlace]
    links: Sequence[MapLink]
    stubs: Sequence[tuple[int, str]]
    more: int


class Hindrance(Struct, frozen=True):
    """A reason why a reaction would do nothing.

    until_us: the game time at which the reason ends by itself, or 0.
    """

    code: str
    text: str
    until_us: int


class Readiness(Struct, frozen=True):
    """A reaction, and the reasons why it would do nothing now."""

    name: str
    blocks: Sequence[Hindrance]


class Readinesses(Struct, frozen=True):
    """All reactions, and the game time for which the reasons are valid."""

    reactions: Sequence[Readiness]
    at: int


class MindLook(Struct, frozen=True):
    """Text that a mind printed, or an error of the mind."""

    turn: int
    what: str
    text: str


class MindRow(Struct, frozen=True):
    """A body that may have a mind. plans: the number of plans by result."""

    body: int
    name: str
    own: bool
    on: bool | UnsetType = UNSET
    hash: str | UnsetType = UNSET
    bytes: int | UnsetType = UNSET
    plans: dict[str, int] | UnsetType = UNSET
    looks: Sequence[MindLook] | UnsetType = UNSET


class MindStatus(Struct, frozen=True):
    """All minds of a player, and the largest number that the player may have."""

    minds: Sequence[MindRow]
    most: int


class MindMistake(Struct, frozen=True):
    """A mistake in a mind's source. line: 0 if the mistake has no line."""

    line: int
    text: str


class MindMistakes(Struct, frozen=True):
    """The mistakes in a mind that the server refuses."""

    body: int
    mistakes: Sequence[MindMistake]


class MindRefusal(Struct, frozen=True):
    """The reason why the server refuses a request about a mind."""

    text: str


class MindSource(Struct, frozen=True):
    """The source of a mind."""

    body: int
    source: str
    hash: str


class MindFault(Struct, frozen=True):
    """A new error of a mind."""

    body: int
    text: str


class ChannelText(Struct, frozen=True):
    """A text of another player."""

    channel: Channel
    talker: str
    text: str


class ThreatAdded(Struct, frozen=True, rename={"source": "from"}):
    """A new threat. It lands at game time `at + us`. damage: the damage before the body's protection."""

    id: int
    source: int
    name: str
    kind: str
    damage: int
    at: int
    us: int


class ThreatGone(Struct, frozen=True):
    """The end of a threat, with the reason and the damage."""

    id: int
    why: str
    damage: int


class Verdict(Struct, frozen=True):
    """The outcome of a reaction.

    Attributes:
        taken: the threats that the reaction cleared.
        threats: the whole queue, if the reaction was refused.
        early_us: the time from the message's arrival to its timestamp.
    """

    ok: bool
    why: str
    at: int
    taken: Sequence[int] | UnsetType = UNSET
    threats: Sequence[ShownThreat] | UnsetType = UNSET
    early_us: int | UnsetType = UNSET


class CommandResult(Struct, frozen=True):
    """The outcome of an operator's request, and whether time is paused or how fast it runs."""

    ok: bool
    why: str
    turn: int
    stands: bool
    speed: float


class GameText(Struct, frozen=True):
    """Text that a terminal would show."""

    text: str


class SecretInput(Struct, frozen=True):
    """Whether the next input is a passphrase."""

    on: bool


SERVER_PACKAGES = (
    PackageSpec("Turn", TurnMessage, "the complete view of a body, to programs"),
    PackageSpec("Turn", TurnChanges, "the changes of the view, to programs that ask for changes"),
    PackageSpec("Welcome", WelcomeMessage, "the login succeeded"),
    PackageSpec("Goodbye", GoodbyeMessage, "the connection ends"),
    PackageSpec("World.Rules", Offers, "verbs and reactions"),
    PackageSpec("World.Map", MapMessage, "the places that the character has seen"),
    PackageSpec("Char.Name", CharName, "the name of the body"),
    PackageSpec("Char.Vitals", CharVitals, "health, stamina and money"),
    PackageSpec("Char.Status", CharStatus, "the state and action of the body"),
    PackageSpec("Char.Items.List", CharItems, "the items that the body carries"),
    PackageSpec("Char.Queue", CharQueue, "waiting commands"),
    PackageSpec("Room.Info", RoomInfo, "the place of the body"),
    PackageSpec("Combat.Reactions", Readinesses, "reactions that would do nothing now, with reasons"),
    PackageSpec("Combat.Threat.Add", ThreatAdded, "a new threat"),
    PackageSpec("Combat.Threat.Gone", ThreatGone, "the end of a threat"),
    PackageSpec("Combat.Result", Verdict, "the outcome of a reaction"),
    PackageSpec("Comm.Channel.Text", ChannelText, "a text of another player"),
    PackageSpec("Mind.Status", MindStatus, "the player's minds"),
    PackageSpec("Mind.Mistakes", MindMistakes, "the server refuses a mind with mistakes"),
    PackageSpec("Mind.Refused", MindRefusal, "the server refuses a request about a mind"),
    PackageSpec("Mind.Source", MindSource, "the source of a mind"),
    PackageSpec("Mind.Fault", MindFault, "a mind has failed"),
    PackageSpec("Time.Segment", TimeSegment, "the speed of game time"),
    PackageSpec("Time.Pong", TimePong, "answers Time.Ping"),
    PackageSpec("Core.Ping", Nothing, "answers Core.Ping"),
    PackageSpec("Core.Secret", SecretInput, "the server asks for a passphrase"),
    PackageSpec("Operated", CommandResult, "answers Operate"),
    PackageSpec("Game.Text", GameText, "text that a terminal would show. Only programs get it"),
)
_NAMES: Mapping[type, str] = MappingProxyType({package.data: package.name for package in SERVER_PACKAGES})


def name_of(message: Struct) -> str:
    """Return the name of a message's package."""
    return _NAMES[type(message)]


def fields_of(message: Struct) -> dict[str, Any]:
    """Return the fields of a message that are not UNSET, by their names on the wire."""
    kind = type(message)
    named = zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True)
    fields = {name: getattr(message, attribute) for name, attribute in named}
    return {name: value for name, value in fields.items() if value is not UNSET}
