"""Assigns bot names and directories to seats, and connections to seats."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from turnwright.errors import SetupError
from turnwright.kernel.rng import bot_seed
from turnwright.net.participants.command import Team, command, names_of, python_file, pythons_given
from turnwright.net.participants.directory import BotEntry, find_script, load, members
from turnwright.net.participants.game_bots import GameBots
from turnwright.net.participants.source_hash import built_in_hash, source_hash

_NAME_SHOWN = 80
"""The number of characters of an unknown bot's name that an error message shows."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """The bot for one seat.

    Attributes:
        entry: the directory to start. None means that the bot is in this process (`given`), or connects by
            itself (`connects`).
        game_bots: the bots of the game, for `given`.
        argv: the command that starts the directory's bot.
        team: the bot's team, or None.
        connects: the name of a bot that connects by itself, "" for any name. None means that the bot does not
            connect by itself.
        is_ours: whether the directory contains a built-in bot.
    """

    name: str
    version: str = "1.0"
    entry: BotEntry | None = None
    argv: tuple[str, ...] = ()
    team: Team | None = None
    given: Any = None
    game_bots: GameBots | None = None
    connects: str | None = None
    is_ours: bool = False


@dataclass(frozen=True, slots=True)
class ConnectedBot:
    """A connected bot, described by its handshake.

    Attributes:
        host, port: the remote address of the bot's connection.
        team_id: the id of the bot's team, or None.
        secret: the secret that the bot sent.
    """

    name: str
    version: str
    host: str
    port: int
    authors: tuple[str, ...] = ()
    team_id: int | None = None
    secret: str = ""


def seat_secret(secret: str, seat: int) -> str:
    """Return the secret of the bot that is started for a seat.

    The server can tell from the secret which connection belongs to which seat.
    """
    return f"{secret}.{seat}"


def seeds_of(places: Sequence[Entrant], seed: int) -> list[int]:
    """Return the seeds for the entrants' own random numbers in a battle with this seed.

    A built-in bot that is started as a program gets the battle's own seed, as it does in this process. This
    is safe, because built-in bots do not use it to find out what the game hides.
    """
    return [seed if place.is_ours else bot_seed(seed, seat) for seat, place in enumerate(places)]


def entrants_of(bots: Sequence[Any], game_bots: GameBots, python: str | None = None) -> list[Entrant]:
    """Return the bot of each seat, in order. A team takes one seat for each member.

    Args:
        bots: directories, names of built-in bots, and bots in this process.
        python: the interpreters for Python bots (see `pythons_given`).

    Raises:
        SetupError: an item of `bots` is not a bot, cannot be started, or is the same object as another item,
            or `python` names an interpreter that does not exist or a bot that needs none.
    """
    _refuse_shared(bots)
    given = pythons_given(python)
    entrants: list[Entrant] = []
    teams = 0
    for bot in bots:
        if not isinstance(bot, str | os.PathLike):
            entrants.append(Entrant(game_bots.name_of(bot), given=bot, game_bots=game_bots))
        elif isinstance(bot, str) and bot in game_bots.built_in:
            entrants.append(Entrant(bot, given=game_bots.built_in[bot], game_bots=game_bots))
        else:
            entry = _load(bot, game_bots)
            team = None
            if entry.kind == "team":
                teams += 1
                team = Team(teams, entry.config.name, entry.config.version)
            entrants.extend(_place(member, team, python) for member in members(entry))
    _refuse_unused(given.keys() - {""}, [one.entry for one in entrants if one.entry is not None])
    return entrants


def seat_sources(entrants: Iterable[Entrant]) -> tuple[str | None, ...]:
    """Return the hash of each seat's sources.

    None means that there is no hash: the bot's directory is too large or cannot be read, or the bot neither
    has a directory nor is built in.
    """
    return tuple(_source(one) for one in entrants)


def _source(entrant: Entrant) -> str | None:
    if entrant.entry is not None:
        return source_hash(entrant.entry.directory)
    built_in = entrant.game_bots.built_in.values() if entrant.game_bots is not None else ()
    return built_in_hash(built_in) if any(entrant.given is bot for bot in built_in) else None


def _refuse_unused(named: Iterable[str], entries: Sequence[BotEntry]) -> None:
    """Raise SetupError if an interpreter is given for a bot that does not play, or for a bot that needs no
    interpreter.
    """
    found = {name: entry for entry in entries for name in names_of(entry)}
    for name in named:
        if name not in found:
            known = ", ".join(found) or "none that is a directory"
            raise SetupError(f"--python {name}=…: no bot of that name plays; bots are {known}")
        if python_file(found[name]) is None:
            script = find_script(found[name].directory)
            starter = "no Python" if script is None else f"{script.name}, which chooses its own Python"
            raise SetupError(
                f"--python {name}=…: {name} starts with {starter}: leave the option out"
                + (f", or change {script.name}" if script is not None else "")
            )


def _place(entry: BotEntry, team: Team | None, python: str | None) -> Entrant:
    config = entry.config
    return Entrant(config.name, config.version, entry, tuple(command(entry, python=python)), team)


def _load(bot: str | os.PathLike[str], game_bots: GameBots) -> BotEntry:
    """Return the bot of a directory. If the directory does not exist, the error names the built-in bots."""
    text = os.fspath(bot)
    if os.sep in text or (text and os.path.exists(text)):
        return load(text)
    close = get_close_matches(text, game_bots.built_in, n=1, cutoff=0.5)
    known = (
        f"the built-in bots are {', '.join(game_bots.built_in)}"
        if game_bots.built_in
        else "this game has no built-in bots"
    )
    if not text:
        raise SetupError(f"a bot's name is empty: name a bot or its directory; {known}")
    hint = f"did you mean {close[0]}?" if close else known
    raise SetupError(
        f"no bot {text[:_NAME_SHOWN]!r}: there is no directory and no built-in bot of that name: {hint}"
    )


def _refuse_shared(bots: Sequence[Any]) -> None:
    """Raise SetupError if the same object is given for two seats. A class, a function or a directory may be
    given twice.
    """
    objects = [bot for bot in bots if hasattr(bot, "step") and not isinstance(bot, type)]
    for bot in objects:
        if sum(other is bot for other in objects) > 1:
            raise SetupError(f"the same {type(bot).__name__} object is given twice: give its class instead")


# Messages do not tell which process sent them. This finds the connection of each bot that we started.


def match(entrants: Sequence[Entrant], connected: Sequence[ConnectedBot]) -> list[ConnectedBot | None]:
    """Return the connected bot of each entrant. None means that the entrant's bot is not connected yet.

    First, bots are matched by name and version, by authors if the bot sends them, and if possible by team.
    Then directories without a JSON file get the remaining bots in order of arrival. If the name or version of
    a bot differs from its JSON file, the bot can be matched only when all bots have connected.
    """
    free = list(connected)
    taken: list[ConnectedBot | None] = [None] * len(entrants)

    def take(seat: int, fits: Sequence[ConnectedBot]) -> None:
        if taken[seat] is None and fits:
            taken[seat] = fits[0]
            free.remove(fits[0])

    for seat, entrant in enumerate(entrants):
        take(seat, [bot for bot in free if _is(entrant, bot) and bot.team_id == _team_id(entrant)])
    for seat, entrant in enumerate(entrants):
        take(seat, [bot for bot in free if _is(entrant, bot)])
    everybody = len(connected) >= len(entrants)
    for seat, entrant in enumerate(entrants):
        if everybody or (entrant.entry is not None and not entrant.entry.has_config):
            take(seat, free)
    return taken


def _is(entrant: Entrant, bot: ConnectedBot) -> bool:
    """Return whether a bot's handshake agrees with the JSON file of this entrant."""
    if entrant.entry is None or not entrant.entry.has_config:
        return False
    config = entrant.entry.config
    if (bot.name, bot.version) != (config.name, config.version):
        return False
    return not bot.authors or ", ".join(bot.authors) == ", ".join(config.authors)


def _team_id(entrant: Entrant) -> int | None:
    return entrant.team.id if entrant.team is not None else None
