"""The objects inside Royale messages. They have no `type`.

JSON names are camelCase. An optional field that is not set is left out. The texts in `says(...)` are shown on
the page packages/tank/docs/royale-protocol.md. Source: Tank Royale's schemas 1.1 and the additions of 1.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import new_class
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import msgspec

from turnwright_tank.game_types import lock_of
from turnwright_tank.settings import START_SETTINGS, DeclaredSetting, StartSettings
from turnwright_tank.wire.royale import limits as bounds


def says(description: str, **limits: Any) -> msgspec.Meta:
    """Return the meaning of a field for the reference page, with the limits that decoding enforces."""
    return msgspec.Meta(description=description, **limits)


class _Part(msgspec.Struct, rename="camel", omit_defaults=True):
    """Base of all parts. Names are camelCase, and fields that are not set are left out."""


Name = Annotated[str, says("name of the client or bot")]
Version = Annotated[str, says("version of the client or bot")]
Authors = Annotated[tuple[str, ...], says("the bot's authors")]
CountryCodes = Annotated[tuple[str, ...], says("the authors' countries, as ISO 3166-1 alpha-2 codes")]
GameTypes = Annotated[
    tuple[str, ...], says("game types for which the bot is made. The server does not use this field")
]
Description = Annotated[str, says("what the bot does")]
Homepage = Annotated[str, says("the bot's web page")]
Platform = Annotated[str, says("the platform on which the bot runs")]
Language = Annotated[str, says("the bot's programming language")]
TeamId = Annotated[int, says("id of the bot's team. Bots with equal numbers are a team")]
TeamName = Annotated[str, says("the team's name")]
TeamVersion = Annotated[str, says("the team's version")]
TeamMemberName = Annotated[str, says("the bot's full name for messages in the team (since 1.4)")]
IsDroid = Annotated[bool, says("whether the bot is a droid, with 120 energy and no radar")]
DebuggerAttached = Annotated[
    bool,
    says(
        "whether a debugger is attached to the bot. If so, the bot is in breakpoint mode when the game begins"
    ),
]
BatchVersion = Annotated[int, says("1 if the bot understands team-message-batch-v1 (since 1.4)")]


_AROUND_ZERO = {"ge": -bounds.POSITION_MAX, "le": bounds.POSITION_MAX}


class InitialPosition(_Part):
    """The start position that a bot asks for. By default the server ignores the request. If it does not, each
    missing value is random.
    """

    x: Annotated[float, says("units from the left", **_AROUND_ZERO)] | None = None
    y: Annotated[float, says("units from the bottom", **_AROUND_ZERO)] | None = None
    direction: Annotated[float, says("degrees from east, counter-clockwise", **_AROUND_ZERO)] | None = None


class BotAddress(_Part):
    """The address of a connected bot, as in BotListUpdate."""

    host: Annotated[str, says("IP address or localhost", max_length=bounds.HOST_CHARS_MAX)]
    port: Annotated[int, says("the TCP port from which the bot connected", ge=0, le=bounds.PORT_MAX)]


class BotInfo(_Part):
    """A bot in the lobby. The object contains the fields of the bot's handshake, without the secret, and the
    bot's address.
    """

    session_id: Annotated[str, says("the bot's session id")]
    name: Name
    version: Version
    authors: Authors
    country_codes: CountryCodes
    game_types: GameTypes
    host: Annotated[str, says("the bot's IP address as the server sees it")]
    port: Annotated[int, says("the TCP port from which the bot connected")]
    description: Description | None = None
    homepage: Homepage | None = None
    platform: Platform | None = None
    programming_lang: Language | None = None
    initial_position: InitialPosition | None = None
    team_id: TeamId | None = None
    team_name: TeamName | None = None
    team_version: TeamVersion | None = None
    is_droid: IsDroid | None = None
    debugger_attached: DebuggerAttached | None = None
    team_member_name: TeamMemberName | None = None
    team_message_batch_version: BatchVersion | None = None


class Participant(_Part):
    """A bot that takes part in a game, as observers and controllers see it."""

    id: Annotated[int, says("bot id: 1…N in this game")]
    session_id: Annotated[str, says("the bot's session id")]
    name: Name
    version: Version
    authors: Authors
    country_codes: CountryCodes
    game_types: GameTypes
    description: Description | None = None
    homepage: Homepage | None = None
    platform: Platform | None = None
    programming_lang: Language | None = None
    initial_position: InitialPosition | None = None
    team_id: TeamId | None = None
    team_name: TeamName | None = None
    team_version: TeamVersion | None = None
    is_droid: IsDroid | None = None
    debugger_attached: DebuggerAttached | None = None


class BotName(_Part):
    """The full name of a bot in the receiver's team (since 1.4)."""

    bot_id: Annotated[int, says("bot id")]
    name: Annotated[
        str, says("name and version of the bot. If two bots have the same name and version, a number follows")
    ]


class DirectoryEntry(_Part):
    """A bot directory, a team or a built-in bot that the server can start. Extension."""

    id: Annotated[str, says("the entry's id, for BootBots")]
    name: Name
    kind: Annotated[
        Literal["bot", "team", "house"],
        says('"bot": a bot directory. "house": a built-in bot. "team": a team directory'),
    ]
    description: Description | None = None


class Features(_Part):
    """Features that the server offers to clients. A client can use a feature even if its value is false."""

    debug_mode: (
        Annotated[bool, says("whether the server offers debug mode, in which a game pauses after each turn")]
        | None
    ) = None
    breakpoint_mode: (
        Annotated[
            bool,
            says(
                "whether the server offers breakpoint mode, in which a game waits for a bot that runs in a"
                " debugger"
            ),
        ]
        | None
    ) = None


def setup_part(name: str, settings: Iterable[DeclaredSetting]) -> type:
    """Return a part whose fields are these settings, each followed by its lock flag."""
    types: dict[str, Any] = {}
    body: dict[str, Any] = {"__annotations__": types, "__module__": __name__}
    for one in settings:
        if one.default is None:
            types[one.name], body[one.name] = Annotated[get_args(one.kind)[0], says(one.says)] | None, None
        else:
            types[one.name] = Annotated[one.kind, says(one.says)]
        if one.is_ours:
            body[one.name] = one.default
        if one.is_locked:
            types[lock_of(one.name)] = Annotated[
                bool, says("whether user interfaces should not let users change the setting above")
            ]
            if one.is_ours:
                body[lock_of(one.name)] = False
    return new_class(name, (_Part,), {"kw_only": True}, lambda space: space.update(body))


def _in_wire_order() -> Iterator[DeclaredSetting]:
    """Yield the settings in the order of Tank Royale's schema."""
    seats = [one for one in START_SETTINGS if one.name.endswith("number_of_participants")]
    for one in START_SETTINGS:
        if one not in seats:
            yield one
        if one.name == "arena_height":
            yield from seats


if TYPE_CHECKING:

    class _SetupFields(StartSettings, msgspec.Struct, frozen=True):
        """A struct with the fields of the settings."""

else:
    _SetupFields = setup_part("_SetupFields", _in_wire_order())


class GameSetup(_SetupFields):  # type: ignore[misc]  # for type checkers the settings are frozen
    """The settings of a game.

    A field `is…Locked` tells user interfaces whether users may change a setting. The server does not use
    these fields. It checks the limits when it gets a StartGame.
    """


class ResultsForBot(_Part):
    """The scores of one bot. Each score is the sum over the rounds so far, rounded to an integer."""

    rank: Annotated[int, says("the bot's rank. 1 is best")]
    survival: Annotated[int, says("50 for each turn in which another bot died and this bot lived")]
    last_survivor_bonus: Annotated[int, says("10 for each other bot, if this bot was the last survivor")]
    bullet_damage: Annotated[int, says("energy that the bot's bullets took")]
    bullet_kill_bonus: Annotated[
        int, says("20 % of the bot's damage to bots that its bullets killed, rounded down")
    ]
    ram_damage: Annotated[int, says("1.2 for each time that the bot rammed another bot")]
    ram_kill_bonus: Annotated[int, says("30 % of the bot's damage to bots that it killed by ramming")]
    total_score: Annotated[int, says("the sum of the exact scores, rounded")]
    first_places: Annotated[int, says("rounds with rank 1")]
    second_places: Annotated[int, says("rounds with rank 2")]
    third_places: Annotated[int, says("rounds with rank 3")]


class HistoryStart(_Part):
    """The state of a battle after one turn. A client that cannot get earlier lines begins with this state.
    Extension.
    """

    turn: Annotated[int, says("number of the turn, counted from the start of the battle")]
    keyframe: Annotated[msgspec.Raw, says("the state after the turn, in the form of `k` in a record")]
    hash: Annotated[str, says("the complete hash of the turn's line (16 digits)")]
    intents: Annotated[
        dict[int, Any],
        says("the newest intent of each seat. Later lines contain only changes of these intents"),
    ]
    answering: Annotated[tuple[int, ...], says("seats whose intents the server accepted in the turn")]


class ResultsForObserver(_Part):
    """The scores of one bot or team, as spectators get them."""

    id: Annotated[int, says("bot id. For a team, the team's id")]
    name: Annotated[str, says("name of the bot or team")]
    version: Annotated[str, says("version of the bot or team")]
    is_team: Annotated[bool, says("whether the row is for a team")]
    rank: Annotated[
        int,
        says("the rank. 1 is best, and equal totals share a rank. If no bot has any points, all ranks are 0"),
    ]
    survival: Annotated[int, says("as in ResultsForBot")]
    last_survivor_bonus: Annotated[int, says("as in ResultsForBot")]
    bullet_damage: Annotated[int, says("as in ResultsForBot")]
    bullet_kill_bonus: Annotated[int, says("as in ResultsForBot")]
    ram_damage: Annotated[int, says("as in ResultsForBot")]
    ram_kill_bonus: Annotated[int, says("as in ResultsForBot")]
    total_score: Annotated[int, says("as in ResultsForBot")]
    first_places: Annotated[int, says("as in ResultsForBot")]
    second_places: Annotated[int, says("as in ResultsForBot")]
    third_places: Annotated[int, says("as in ResultsForBot")]
