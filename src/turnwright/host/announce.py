"""What a running battle says to whom, as Royale messages in bytes, in the official server's order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from turnwright.host.lobby import Client
from turnwright.kernel.game import SeatInfo
from turnwright.wire.royale import messages as m

__all__ = [
    "batch_capable",
    "bot_names",
    "game_started",
    "hears_deaths",
    "participants",
    "restarts",
    "seat_infos",
    "teammates",
]


def _hello(client: Client) -> m.BotHandshake:
    assert isinstance(client.hello, m.BotHandshake)
    return client.hello


def seat_infos(clients: Sequence[Client], initial_positions: bool) -> list[SeatInfo]:
    """Return who sits where, as the rules are told."""
    infos = []
    for client in clients:
        hello = _hello(client)
        options: dict[str, Any] = {
            "droid": bool(hello.is_droid),
            "session_id": client.session_id,
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
    """Return whether a bot is told of deaths, as by the official server since 1.2.

    Every official API since 1.0 says whether a debugger is attached; a bare client that says neither that nor
    anything newer gets what the official server 1.1.0 sends: no deaths.
    """
    said = (hello.debugger_attached, hello.team_message_batch_version, hello.turnwright)
    return any(value is not None for value in said)


def restarts(hello: object) -> bool:
    """Return whether a bot waits for the next observation after a late answer, as on the official APIs.

    Each of them since 1.0 says whether a debugger is attached.
    """
    return isinstance(hello, m.BotHandshake) and hello.debugger_attached is not None and not hello.turnwright


def teammates(clients: Sequence[Client]) -> list[tuple[int, ...]]:
    """Return, for each seat, the bot ids of its team without itself."""
    teams = [_hello(c).team_id for c in clients]
    return [
        tuple(j + 1 for j, other in enumerate(teams) if team is not None and other == team and j != i)
        for i, team in enumerate(teams)
    ]


def bot_names(clients: Sequence[Client]) -> list[str]:
    """Return full names as since 1.4: name and version, numbered " (1)", " (2)" … where one occurs twice."""
    full = [f"{_hello(c).team_member_name or _hello(c).name} {_hello(c).version}" for c in clients]
    seen: dict[str, int] = {}
    named = []
    for name in full:
        seen[name] = seen.get(name, 0) + 1
        named.append(f"{name} ({seen[name]})" if full.count(name) > 1 else name)
    return named


def game_started(clients: Sequence[Client], setup: m.GameSetup) -> list[m.GameStartedEventForBot]:
    """Return what each bot is told when it has been chosen; names only where its API is of 1.4 or ours."""
    names = bot_names(clients)
    mates = teammates(clients)
    started = []
    for seat in range(len(clients)):
        team = sorted({seat + 1, *mates[seat]})
        hello = _hello(clients[seat])
        newer = hello.team_message_batch_version is not None or hello.turnwright is not None
        named = tuple(m.BotName(bot_id=i, name=names[i - 1]) for i in team) if newer else None
        started.append(
            m.GameStartedEventForBot(
                my_id=seat + 1, teammate_ids=mates[seat], game_setup=setup, bot_names=named
            )
        )
    return started


def participants(clients: Sequence[Client]) -> tuple[m.Participant, ...]:
    """Return who plays, as spectators are told."""
    rows = []
    for seat, client in enumerate(clients):
        hello = _hello(client)
        rows.append(
            m.Participant(
                id=seat + 1,
                session_id=client.session_id,
                name=hello.name,
                version=hello.version,
                authors=hello.authors or (),
                country_codes=hello.country_codes or (),
                game_types=hello.game_types or (),
                description=hello.description,
                homepage=hello.homepage,
                platform=hello.platform,
                programming_lang=hello.programming_lang,
                team_id=hello.team_id,
                team_name=hello.team_name,
                team_version=hello.team_version,
                is_droid=hello.is_droid,
                debugger_attached=hello.debugger_attached,
            )
        )
    return tuple(rows)


def batch_capable(clients: Sequence[Client]) -> frozenset[int]:
    """Return the bot ids that take team messages in batches."""
    return frozenset(
        seat + 1 for seat, client in enumerate(clients) if _hello(client).team_message_batch_version
    )
