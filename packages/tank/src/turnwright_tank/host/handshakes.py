"""Handshakes of the Royale protocol, and the seats, teams and names of a battle that follow from them.

Functions with a parameter `bots` get the handshakes in order of seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from turnwright.host.protocol import HelloMessage, RemoteAddress
from turnwright.kernel.game import Seat, SeatInfo
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.setup import GAME_TYPES

PROTOCOL_VERSION = "1.4.0"
"""The release of the protocol of this server. Bots check the major version 1."""
SERVER_NAME = "turnwright"
VARIANT = "Tank Royale"
_SHARED = ("name", "version", "description", "homepage", "platform", "programming_lang", "team_id",
           "team_name", "team_version", "is_droid", "debugger_attached")  # fmt: skip


def greeting(
    session: str,
    game_types: tuple[str, ...] = GAME_TYPES,
    game_setup: m.GameSetup | None = None,
    features: m.Features | None = None,
) -> m.ServerHandshake:
    """Return the server's first message.

    The fields are from the schema server-handshake.

    Args:
        session: 16 random bytes in base64.
        game_types, game_setup, features: the offers of the server.
    """
    return m.ServerHandshake(
        session_id=session,
        name=SERVER_NAME,
        variant=VARIANT,
        version=PROTOCOL_VERSION,
        behavior_version=1,
        game_types=game_types,
        game_setup=game_setup,
        features=features,
    )


def bot_hello(message: m.BotHandshake) -> HelloMessage:
    """Return a bot's handshake in the host's form. The secret moves from `message` to the result."""
    hello = HelloMessage(
        "bot",
        message.name,
        message.version,
        message.session_id or "",
        message.secret,
        ours=bool(message.turnwright),
        debugged=bool(message.debugger_attached),
        outdated=_outdated(message),
        team=message.team_id,
        details=message,
    )
    message.secret = None
    return hello


def recorded_hello(info: SeatInfo, now: HelloMessage | None = None) -> HelloMessage:
    """Return the handshake of a seat of a record.

    Args:
        now: the handshake of the bot that has the seat now, or None. All fields that `info` does not have
            come from it.
    """
    said = m.BotHandshake(name=info.name, version=info.version) if now is None else _handshake(now)
    handshake = msgspec.structs.replace(
        said,
        name=info.name,
        version=info.version,
        authors=info.authors,
        platform=info.platform,
        programming_lang=info.programming_lang,
        team_id=info.team,
        team_name=info.options.get("team_name"),
        team_version=info.options.get("team_version"),
        is_droid=info.options.get("droid"),
    )
    hello = bot_hello(handshake)
    hello.session_id = str(info.options.get("session_id", ""))
    return hello


def spectator_hello(message: m.ObserverHandshake | m.ControllerHandshake) -> HelloMessage:
    """Return a spectator's or an operator's handshake in the host's form."""
    is_operator = isinstance(message, m.ControllerHandshake)
    return HelloMessage(
        "operator" if is_operator else "spectator",
        message.name,
        message.version,
        message.session_id or "",
        message.secret,
        message.code if isinstance(message, m.ControllerHandshake) else None,
        ours=bool(message.turnwright),
        takes="pieces" if message.history else "paced frames",
    )


def _handshake(bot: HelloMessage) -> m.BotHandshake:
    assert isinstance(bot.details, m.BotHandshake)
    return bot.details


def bot_info(bot: HelloMessage, address: RemoteAddress) -> m.BotInfo:
    """Return the entry of a bot in the list of bots."""
    hello = _handshake(bot)
    return m.BotInfo(
        session_id=bot.session_id,
        host=address.host,
        port=address.port,
        initial_position=hello.initial_position,
        team_member_name=hello.team_member_name,
        team_message_batch_version=hello.team_message_batch_version,
        **_shared(hello),
    )


def _shared(hello: m.BotHandshake) -> dict[str, Any]:
    """Return the fields of a handshake that BotInfo and Participant contain."""
    lists = {name: getattr(hello, name) or () for name in ("authors", "country_codes", "game_types")}
    return lists | {name: getattr(hello, name) for name in _SHARED}


def seat_infos(bots: Sequence[HelloMessage], initial_positions: bool) -> list[SeatInfo]:
    """Return the SeatInfo of each bot, which the rules read.

    Args:
        initial_positions: whether bots may choose where they begin.
    """
    infos = []
    for bot in bots:
        hello = _handshake(bot)
        options: dict[str, Any] = {
            "droid": bool(hello.is_droid),
            "session_id": bot.session_id,
            "hears_deaths": hears_deaths(hello),
        }
        if hello.team_id is not None:
            options |= {"team_name": hello.team_name or "", "team_version": hello.team_version or ""}
        place = hello.initial_position
        if initial_positions and place is not None:
            given = {"x": place.x, "y": place.y, "direction": place.direction}
            options["initial_position"] = {k: v for k, v in given.items() if v is not None}
        infos.append(
            SeatInfo(
                hello.name,
                hello.version,
                hello.team_id,
                options,
                authors=tuple(hello.authors or ()),
                platform=hello.platform,
                programming_lang=hello.programming_lang,
            )
        )
    return infos


def hears_deaths(hello: m.BotHandshake) -> bool:
    """Return whether a bot gets events of deaths, which the official server sends since 1.2.

    Every official API since 1.0 sends whether a debugger is attached. A client that sends neither this nor a
    newer field gets no events of deaths. The official server 1.1.0 did not send them.
    """
    said = (hello.debugger_attached, hello.team_message_batch_version, hello.turnwright)
    return any(value is not None for value in said)


def _outdated(hello: m.BotHandshake) -> str:
    """Return why a bot's API may be too old to play, or "". The fields that its handshake lacks show this.

    APIs send since 0.20 whether a bot is a droid, and since 0.40 whether a debugger is attached. APIs before
    0.26.1 fail on every observation, because they expect `enemyCount` at another place.
    """
    if hears_deaths(hello):
        return ""
    age = "0.20" if hello.is_droid is None else "0.40"
    return (
        f"its handshake is that of a bot API older than {age}, and those older than 0.26.1 cannot read"
        " observations (neither can they on the official server); use version 1.0 or newer"
    )


def teammates(bots: Sequence[HelloMessage]) -> list[tuple[int, ...]]:
    """Return the bot ids of each seat's teammates."""
    teams = [_handshake(bot).team_id for bot in bots]
    return [
        tuple(j + 1 for j, other in enumerate(teams) if team is not None and other == team and j != i)
        for i, team in enumerate(teams)
    ]


def bot_names(bots: Sequence[HelloMessage]) -> list[str]:
    """Return the full names that the protocol has since 1.4: name and version.

    If a full name occurs twice, a number follows: " (1)", " (2)" …
    """
    hellos = [_handshake(bot) for bot in bots]
    full = [f"{hello.team_member_name or hello.name} {hello.version}" for hello in hellos]
    seen: dict[str, int] = {}
    named = []
    for name in full:
        seen[name] = seen.get(name, 0) + 1
        named.append(f"{name} ({seen[name]})" if full.count(name) > 1 else name)
    return named


def game_started(
    bots: Sequence[HelloMessage], setup: m.GameSetup, seeds: Mapping[Seat, int]
) -> list[m.GameStartedEventForBot]:
    """Return the message to each chosen bot.

    The message has names only for bots with an API of 1.4 or our library.

    Args:
        seeds: the seeds for bots with our library.
    """
    names = bot_names(bots)
    mates = teammates(bots)
    started = []
    for seat in range(len(bots)):
        team = sorted({seat + 1, *mates[seat]})
        hello = _handshake(bots[seat])
        newer = hello.team_message_batch_version is not None or hello.turnwright is not None
        named = tuple(m.BotName(bot_id=i, name=names[i - 1]) for i in team) if newer else None
        started.append(
            m.GameStartedEventForBot(
                my_id=seat + 1,
                teammate_ids=mates[seat],
                game_setup=setup,
                bot_names=named,
                bot_seed=None if hello.turnwright is None else seeds.get(seat),
            )
        )
    return started


def participants(bots: Sequence[HelloMessage]) -> tuple[m.Participant, ...]:
    """Return the participants, as spectators get them."""
    return tuple(
        m.Participant(id=seat + 1, session_id=bot.session_id, **_shared(_handshake(bot)))
        for seat, bot in enumerate(bots)
    )


def batch_capable(bots: Sequence[HelloMessage]) -> frozenset[int]:
    """Return the ids of the bots that accept team messages in batches."""
    return frozenset(seat + 1 for seat, bot in enumerate(bots) if _handshake(bot).team_message_batch_version)
