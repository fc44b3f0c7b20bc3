"""`turnwright tournament run FOLDER [BOT …]`: plays or resumes a tournament."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from turnwright.app.option_fields import option
from turnwright.cli.choice import GameChoice, JsonChoice, OpenChoice, battle_options_of, game_in
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.errors import EXIT_INTERRUPTED, EXIT_OK, EXIT_PARTICIPANT
from turnwright_league.app.options import SETTINGS_FILE, TournamentOptions, battle_settings_of
from turnwright_league.cli.choice import FolderChoice, given_settings

_DESCRIPTION = """\
Every bot directory in FOLDER takes part, and so do the BOTs on the command line and in
FOLDER/tournament.toml. Results and records are stored in FOLDER. Interrupted? Run the same command again. It
resumes, and no battle is counted twice. Between two runs, you may add, change and remove bots. A changed bot
is a new entry. No result is deleted.

A bot that does not start or never answers forfeits the battle. A battle does not count if the machine was too
slow for it. A turn is suspect if several bots missed it, or if a bot missed it by less time than the server
itself was late. The machine was too slow if more than 0.5 % of the turns are suspect. The command then plays
the battle again, up to 3 times, and runs fewer battles at the same time. After Ctrl-C, the command stops when
the running battles are done. A second Ctrl-C stops it immediately.

tournament.toml may set game, format, battles, until_ci, for, seed, jobs, on, resource, fresh, seats,
tournament_rounds, challengers, store, keep and bots (a list). Its section [settings] may set options of a
battle, e.g. rounds = 10.

Standings go to stdout and progress to stderr. At the end of a tournament, the command prints its seal, which
is one line. Publish this line. Later, `turnwright tournament verify --seal LINE` proves that nothing has
changed since the tournament. If a bot crashed or did not start, the tournament is still played to its end,
and the exit code is 3.

--json prints the same as `turnwright tournament show --json`, with five more keys: interrupted, played (the
battles of this run), again (the battles of this run that were played again), failed (the names of bots that
crashed or did not start in this run) and seal."""

_FREE = {
    "battles": "--battles",
    "until_ci": "--until-ci",
    "for_s": "--for",
    "jobs": "--jobs",
    "on": "--on",
    "resource": "--resource",
    "fresh": "--fresh",
    "keep": "--keep",
}
"""Options that a later run does not remember. For --store, see `app.store.remember_store`."""


@dataclass(frozen=True)
class WatchChoice:
    """The choice to watch the tournament."""

    watch: bool = option(False, "show the live page in the browser", often=True)


def run(given: GivenOptions) -> int:
    """Play the tournament, and print its standings.

    The exit code is EXIT_INTERRUPTED if a signal ended it, and otherwise EXIT_PARTICIPANT if an entry failed.
    """
    from turnwright.cli.terminal import Style, clean, join_some, print_json
    from turnwright_league.app.run import play_tournament
    from turnwright_league.cli.display import RunDisplay, standings_lines

    options = given.make(TournamentOptions)
    folder = given.make(FolderChoice).folder
    display = RunDisplay(sys.stderr)
    page = _page(given, display.note) if given.make(WatchChoice).watch else None
    game, settings = given.values.get("game"), _settings(given)
    try:
        end = play_tournament(folder, options, game, settings, display.show, display.note, page)
    finally:
        display.close()
    if given.make(JsonChoice).json:
        data = end.tournament.to_data()
        now = {"interrupted": end.interrupted, "played": end.played, "again": end.again}
        print_json({**data, **now, "failed": list(end.failed), "seal": end.seal})
    else:
        print("\n".join(standings_lines(end.tournament.table, Style(sys.stdout))), flush=True)
        for line in _remarks(end):
            print(line, file=sys.stderr)
    if end.seal:
        print(f"seal: {end.seal}", file=sys.stderr)
    for names, what in ((end.crashed, "crashed"), (end.not_started, "did not start")):
        if names:
            told = join_some([clean(one) for one in names])
            print(f"{told} {what} in this run: exit code {EXIT_PARTICIPANT}", file=sys.stderr)
    if end.interrupted:
        print(f"to continue: {_command(folder, options)}", file=sys.stderr)
        return EXIT_INTERRUPTED
    return EXIT_PARTICIPANT if end.failed else EXIT_OK


def _page(given: GivenOptions, tell: Callable[[str], None]) -> Callable[[str], None]:
    """Return the function that shows the page of `--watch`, by its address."""
    from turnwright.cli.watch import open_or_print

    opened = given.make(OpenChoice).open

    def listening(url: str) -> None:
        tell(f"the page is at {url}")
        open_or_print(url, wanted=opened, said=True)

    return listening


def _settings(given: GivenOptions) -> dict[str, Any]:
    game = given.values.get("game") or _game_in_folder(given.values["folder"], given.values.get("store"))
    return given_settings(given, battle_settings_of(battle_options_of(game)))


def _remarks(end: Any) -> list[str]:
    from turnwright_league.cli.display import remarks

    counted, *rest = remarks(end.tournament.table)
    now = [f"{end.played} played in this run"] + ([f"{end.again} played again"] if end.again else [])
    return [", ".join([counted, *now, *rest])]


def _command(folder: Any, options: TournamentOptions) -> str:
    """Return the command that resumes the tournament. The folder remembers all other options."""
    from turnwright_league.app.store import without_password

    words = ["turnwright", "tournament", "run", str(folder)]
    for name, flag in _FREE.items():
        value = getattr(options, name)
        if isinstance(value, bool):
            words += [flag] if value else []
        elif value is not None:
            words += [flag, f"{value:g}" if isinstance(value, float) else str(value)]
    if options.store is not None and (Path(folder) / SETTINGS_FILE).exists():  # it may name another place
        words += ["--store", without_password(options.store)]
    return shlex.join(words)


def _game_in_folder(folder: str | Path, store: str | None) -> str:
    """Return the game of a folder's tournament, or the default."""
    from turnwright_league.app.tournament import game_of

    return game_of(folder, store) or GameChoice.game


def _game(words: Sequence[str]) -> str:
    """Return the game that the command line names, or the game of the folder, or the default."""
    if any(word == "--game" or word.startswith("--game=") for word in words):
        return game_in(words)
    stores = [after for word, after in pairwise(words) if word == "--store"]
    stores += [word.removeprefix("--store=") for word in words if word.startswith("--store=")]
    after = words[list(words).index("run") + 1 :] if "run" in words else ()
    folder = next((word for word in after if not word.startswith("-") and os.path.isdir(word)), None)
    return GameChoice.game if folder is None else _game_in_folder(folder, stores[-1] if stores else None)


def _takes(words: Sequence[str]) -> tuple[type, ...]:
    kind = battle_settings_of(battle_options_of(_game(words)))
    return (FolderChoice, TournamentOptions, JsonChoice, WatchChoice, OpenChoice, GameChoice, kind)


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    _takes,
    examples={
        "bots": "every bot directory in the folder plays",
        "bots --battles 10 --for 30m": "start no new battle after half an hour",
    },
)
