"""What an operator can have started: the bots and teams in the bot directories, and the house bots."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from turnwright.bots.house import HOUSE
from turnwright.bots.identity import read_identity
from turnwright.errors import SetupError
from turnwright.net.botconfig import BotConfig
from turnwright.net.botdir import BotEntry, members, scan
from turnwright.net.botstart import Team, command, environment
from turnwright.wire.royale import messages as m
from turnwright.wire.royale.bounds import DIRECTORY_ID_CHARS_MAX

__all__ = ["ENTRIES_MAX", "Bootable", "Start", "find", "listing", "starts_of"]

ENTRIES_MAX = 1_000
"""More are not offered."""
_HOUSE_DIRECTORY = Path(__file__).parents[1] / "bots" / "house"


@dataclass(frozen=True, slots=True)
class Bootable:
    """One thing to start. id: what it is asked for by; entry: the directory, or None for a house bot."""

    id: str
    name: str
    kind: Literal["bot", "team", "house"]
    entry: BotEntry | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """One process to start."""

    name: str
    version: str
    argv: tuple[str, ...]
    directory: Path
    environ: Mapping[str, str]


def find(roots: Sequence[str | os.PathLike[str]]) -> dict[str, Bootable]:
    """Return by id what can be started now: house bots, then what is in each root, by name of directory.

    Directories that are wrong are left out; `turnwright bots` says why. A root that is gone, or that may not
    be read, holds nothing.
    """
    found = {f"house/{name}": Bootable(f"house/{name}", name, "house") for name in HOUSE}
    for number, root in enumerate(roots, 1):
        for entry in _found_in(root):
            entry_id = f"{number}/{entry.directory.name}"
            if entry.problem is None and len(entry_id) <= DIRECTORY_ID_CHARS_MAX and len(found) < ENTRIES_MAX:
                found[entry_id] = Bootable(entry_id, entry.config.name, entry.kind, entry)
    return found


def _found_in(root: str | os.PathLike[str]) -> list[BotEntry]:
    try:
        return scan([root])
    except SetupError:
        return []


def listing(found: Mapping[str, Bootable]) -> m.Directories:
    """Return the message that tells an operator what there is."""
    rows = []
    for one in found.values():
        description = None if one.entry is None else one.entry.config.description
        rows.append(m.DirectoryEntry(id=one.id, name=one.name, kind=one.kind, description=description))
    return m.Directories(entries=tuple(rows))


def starts_of(
    one: Bootable, *, server_url: str, secret: str | None, seed: int, team_id: int, python: str | None = None
) -> list[Start]:
    """Return the processes to start: one for a bot, one for each member of a team.

    team_id: for a team, unique on the server. Raises: SetupError when something cannot be started.
    """
    if one.entry is None:
        return [_house_start(one.name, server_url, secret, seed)]
    config = one.entry.config
    team = Team(team_id, config.name, config.version) if one.kind == "team" else None
    starts = []
    for member in members(one.entry):
        environ = environment(member, server_url=server_url, secret=secret, seed=seed, team=team)
        argv = tuple(command(member, python=python))
        starts.append(Start(member.config.name, member.config.version, argv, member.directory, environ))
    return starts


def _house_start(name: str, server_url: str, secret: str | None, seed: int) -> Start:
    identity = read_identity(HOUSE[name], environment={})
    config = BotConfig(identity.name, identity.version, identity.authors)
    environ = environment(BotEntry(_HOUSE_DIRECTORY, config), server_url=server_url, secret=secret, seed=seed)
    argv = (sys.executable, "-P", "-m", "turnwright.bots.house", name)
    return Start(identity.name, identity.version, argv, _HOUSE_DIRECTORY, environ)
