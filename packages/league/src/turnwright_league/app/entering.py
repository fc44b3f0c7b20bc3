"""Adds bots to a tournament and removes them, between two runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from turnwright.app.game.playable import find_game
from turnwright.errors import SetupError
from turnwright.net.participants.game_bots import GameBots
from turnwright_league.app.folder import TournamentBot, TournamentFolder, refuse_same_names
from turnwright_league.app.store import KeptEntry, ResultStore, open_store, store_place
from turnwright_league.app.stored_runs import unseal
from turnwright_league.app.tournament import refuse_other_entries, rules_from
from turnwright_league.tournament.standings import entry_labels


def add_bots(folder: str | Path, bots: Sequence[str], store: str | None = None) -> list[str]:
    """Let bots take part from the next run on, delete the seal, and return a line for each bot.

    Args:
        bots: names of built-in bots, directories in the folder, paths.

    Raises:
        SetupError: a bot cannot be added, e.g. because a server could not distinguish it from another bot.
            Then no bot is added.
    """
    place = TournamentFolder(folder)
    _some(bots)
    with _opened(place, store) as opened:
        rules, game = rules_from(opened)
        refuse_other_entries(opened, rules)
        kit = find_game(game).bots
        found = {one.origin: one for bot in bots for one in place.named(_origin(opened, bot) or bot, kit)}
        others = [one for one in _playing(place, opened, kit) if one.origin not in found]
        refuse_same_names([*others, *found.values()])
        said = []
        unseal(opened)
        for bot in found.values():
            kept = opened.entries()
            joined = 1 + max((one.joined for one in kept), default=0)
            place.keep_sources(bot)
            opened.put_entry(KeptEntry(bot.entry, bot.origin, bot.seats, "plays", joined))
            said.append(f"{bot.entry.name} {bot.entry.version} takes part from the next run on")
    return said


def remove_bots(folder: str | Path, bots: Sequence[str], store: str | None = None) -> list[str]:
    """Remove bots from the tournament and its standings, delete the seal, and return a line for each bot.

    Args:
        bots: the bots' names, or the paths from which they were added.

    Raises:
        SetupError: the bot does not exist, or the entries of a knockout are fixed. Then no bot is removed.
    """
    place = TournamentFolder(folder)
    _some(bots)
    with _opened(place, store) as opened:
        refuse_other_entries(opened, rules_from(opened)[0])
        found = [one for bot in bots for one in _entries_called(opened, bot)]
        unseal(opened)
        for one in found:
            opened.put_entry(replace(one, state="removed"))
    return [f"{one.entry.name} {one.entry.version} is removed. Its results are kept" for one in found]


def _playing(place: TournamentFolder, store: ResultStore, kit: GameBots) -> list[TournamentBot]:
    """Return the bots that the next run would play, without the bots that it would refuse."""
    newest = {one.origin: one.state for one in store.entries()}
    found: list[TournamentBot] = []
    with suppress(SetupError):
        found += place.bots_in_folder()
    for origin, state in newest.items():
        with suppress(SetupError):
            found += [place.one_named(origin, kit)] if state == "plays" else []
    unlike = {one.origin: one for one in found if newest.get(one.origin) != "removed"}
    return list(unlike.values())


def _some(bots: Sequence[str]) -> None:
    if not bots:
        raise SetupError("no bot is named: name one or more")


@contextmanager
def _opened(place: TournamentFolder, store: str | None) -> Iterator[ResultStore]:
    where = store_place(place, store)
    open_store(where, writing=False).close()  # so that none is created here
    with place.locked():
        opened = open_store(where, writing=True)
        try:
            yield opened
        finally:
            opened.close()


def _origin(store: ResultStore, bot: str) -> str | None:
    """Return the origin of the entry with this name, or None."""
    return next((one.origin for one in store.entries() if one.entry.name == bot), None)


def _entries_called(store: ResultStore, bot: str) -> list[KeptEntry]:
    kept = [one for one in store.entries() if one.state != "removed"]
    labels = entry_labels([one.entry for one in kept])
    found = [
        one
        for one in kept
        if bot in (labels[one.entry.id], one.entry.name, one.origin, one.origin.removeprefix("house/"))
    ]
    if not found:
        known = ", ".join(labels.values()) or "none"
        raise SetupError(f"there is no entry {bot[:80]!r}: there are {known}")
    return found
