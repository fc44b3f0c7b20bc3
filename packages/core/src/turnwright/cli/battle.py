"""`turnwright battle BOT BOT …`: plays one battle and prints its results."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.app.option_fields import option
from turnwright.app.options import BattleOptions
from turnwright.cli.choice import (
    GameChoice,
    JsonChoice,
    OpenChoice,
    PortChoice,
    battle_options_of,
    game_in,
    help_of,
    text_display_of,
)
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.watch import Watched, WatchOptions, watched_as
from turnwright.errors import EXIT_OK, EXIT_PARTICIPANT, EXIT_RECORD, SetupError

if TYPE_CHECKING:
    from turnwright.app.game.playable import PlayableGame
    from turnwright.app.results import BattleResult, Progress

_DESCRIPTION = """\
A BOT is a bot directory, a team directory or the name of a built-in bot. If a directory here has the name of
a built-in bot, write ./NAME for the directory. Results go to stdout. The live display and all messages go to
stderr.

--game plays another game. A BOT is then a built-in bot of that game, or a bot directory whose program speaks
that game's protocol (`turnwright new bot --game snake NAME` creates one). `turnwright battle --game snake
--help` lists the options of that game.

The command writes a record during the battle. The record replaces an older file of the same name as soon as
its first lines are on the disk. A disk error never stops the battle. The lines before the error remain as a
truncated record."""
_JSON = """\
| Key | Value |
|---|---|
| `seed`, `game_type`, `rounds`, `turns` | the battle that was played |
| `results` | a list of rows, best first |
| `latency` | the answer times of each bot, by name |
| `server_late_turns` | in how many turns the server itself was late |
| `late_missed_turns` | in how many turns the server was late, and a bot's answer was too late by less \
time than \
the server |
| `record`, `recording` | the paths of the files, or null |
| `record_error` | why the record or the recording is incomplete, or null |
| `turn_timeout_us` | a bot's time for a turn. Null means no limit, because all bots were built-in |
| `failures` | why a bot stopped before the end, by name |
| `disqualifications` | by name: a list with the reason for each round from which the bot was disqualified |
| `last_lines` | the last lines that each bot in `failures` printed, by name |
| `printed_errors` | the first error that each bot without a failure printed, by name: `round`, `turn`, \
`error` |
| `printed` | the last 100 lines of each bot, by name: `round`, `turn`, `text`, `error`. A record has more \
lines |
| `sandbox` | "full" or "none" |
| `shared_skip_turns` | how many turns were missed by two or more bots |
| `names` | the names of the bots, in order of their seats |
| `behaviour_version` | the behaviour version of the rules |
| `digest` | the digest of the state after the last turn, as in the record |
| `details` | other results of the game. Missing if the game has none |

An object in `failures` or `disqualifications` has `reason`, `round`, `turn`, `error`, `text` and `advice`.
`reason` is crashed, exited, silent, slow, busy, left or kicked.

| Key in `latency` | Value |
|---|---|
| `p50_us`, `p95_us`, `p99_us`, `max_us` | time from sending the observation to reading the answer |
| `skipped` | how many turns the bot missed |
| `late` | how many answers came after their deadline |
| `late_p50_us`, `late_max_us` | the median and the maximum of the delays of late answers |
| `held_us` | how long the battle waited for late answers of the bot |
| `malformed` | how many messages the server could not read |
| `left` | whether the bot left before the end |
| `skip_reasons` | how many turns the bot missed for each reason |

| Reason | Meaning |
|---|---|
| `no answer` | the bot sent nothing |
| `late` | the bot's answer came after the deadline |
| `behind` | the bot answered an older turn |
| `withheld` | the server sent no observation, because answers to older observations were missing |
| `refused` | the server refused the bot's answer |
| `left` | the bot had left the battle |

| Key in `results` | Value |
|---|---|
| `rank`, `name`, `version` | the bot or team. If two bots have the same name, " (2)" is added to the \
second name |
| `disqualified` | whether the bot was disqualified from the battle |
| `disqualified_rounds` | the rounds (from 1) from which the bot was disqualified |
| `never_answered` | whether the bot never answered |
| `reason` | why the bot failed, or null |
| `seats` | the bot's seats (from 0). A team has the seats of all its members |
| `rounds` | the score in each round, not rounded |

Each row also has the columns of the game. A game that names no columns has `score`, `skipped` (missed turns)
and `left` (whether the bot left before the end)."""
_NO_ROUNDS = "this game has no rounds"
_NO_SET = "it is for games without options of their own: see `turnwright battle --help`"


@dataclass(frozen=True)
class BattleOutput:
    """The files that a battle writes, and whether the output of bots is shown."""

    records: tuple[Path, ...] = option(
        (),
        "write a record (x.twr), or a recording in the game's own format (the option may be repeated)",
        "--record",
        metavar="FILE",
        many=True,
        often=True,
    )
    prints: bool = option(
        False,
        "show the lines that the bots print. Each line begins with the bot's name, the round and the turn",
    )


def run(given: GivenOptions) -> int:
    """Play the battle and print its results."""
    options, in_text = options_of(given), given.make(WatchOptions).watch == "text"
    return play(
        options,
        as_json=given.make(JsonChoice).json,
        watched=watched_as(given),
        in_text=in_text,
        prints=given.make(BattleOutput).prints,
    )


def options_of(given: GivenOptions) -> BattleOptions:
    """Return the battle options of a command line.

    Raises:
        SetupError: the battle cannot be played.
    """
    watch = given.make(WatchOptions).watch
    if given.values.get("tps") == 0 and watch != "browser":
        raise SetupError(
            "--tps 0 starts paused without a spectator to resume: add --watch or give another speed"
        )
    game = given.make(GameChoice).game
    kind = battle_options_of(game)
    files: dict[str, Any] = {**kind.sort_records(given.make(BattleOutput).records)}
    pacing = given.values.get("pacing")
    if pacing == "apart" and watch is None:
        raise SetupError("--pacing apart gives each page its own speed: add --watch, or leave --pacing out")
    is_shown = watch == "browser" or (watch == "text" and text_display_of(game) is not None)
    if pacing is None and is_shown:
        files["pacing"] = "apart"
    return given.make(kind, game=game, watched=watch is not None, **files)


def play(
    options: BattleOptions,
    *,
    as_json: bool,
    watched: Watched | None = None,
    in_text: bool = False,
    prints: bool = False,
    epilogue: str = "",
) -> int:
    """Play a battle, show it while it runs, print its results to stdout, and return the exit code.

    Args:
        watched: how the battle is shown in the browser. None means that it is not shown there.
        in_text: whether to show the arena as text, if there is a terminal.
        prints: whether to show the lines that bots print.
        epilogue: a text that is printed after the results, unless they are printed as JSON.

    Raises:
        SetupError: the game has no battles, or the battle cannot be played.
        ParticipantStartError, VoidBattleError: see `run_battle`.
    """
    from turnwright.app.game.playable import find_game

    game = find_game(options.game)
    if game.package.served_by:
        raise SetupError(
            f"--game {game.name} has no battles; play it with `turnwright {game.package.served_by}`"
        )
    if watched is None:
        result = _play(options, game, None, in_text=in_text and sys.stderr.isatty(), prints=prints)
        _print(result, as_json, game, epilogue)
        return _code(options, result)

    def show(result: BattleResult) -> None:
        asked = options.record is not None
        told = result if asked else replace(result, record=None, record_error=None)
        _print(told, as_json, game, epilogue)

    with watched.keeping(options) as kept:
        result = _play(kept, game, watched, prints=prints, show=show if options.is_apart else None)
        if not options.is_apart:
            show(result)
        watched.stay(result, game, lambda text: print(text, file=sys.stderr, flush=True))
    return _code(options, result)


def _code(options: BattleOptions, result: BattleResult) -> int:
    if result.no_bot_answered or result.has_crashed:
        return EXIT_PARTICIPANT
    return EXIT_RECORD if options.record_required and result.record_error is not None else EXIT_OK


def _play(
    options: BattleOptions,
    game: PlayableGame,
    watched: Watched | None,
    *,
    in_text: bool = False,
    prints: bool = False,
    show: Callable[[BattleResult], None] | None = None,
) -> BattleResult:
    """Play a battle and return its result. If the battle's page stays open after the battle, `show` prints
    the result first.
    """
    from turnwright.app import battle
    from turnwright.cli.terminal import DisplayHandler, LiveDisplay, printed_text

    in_characters = game.display if in_text else None
    arena = None if in_characters is None else in_characters(sys.stderr)
    display = arena or LiveDisplay(sys.stderr)
    handler = DisplayHandler(display)
    log = logging.getLogger("turnwright")
    log.addHandler(handler)
    log.propagate = False
    shown = 0

    def follow(progress: Progress) -> None:
        nonlocal shown
        for name, line in progress.printed if prints else ():
            display.note(printed_text(name, line))
            shown += 1
        display.show(progress)

    def over(result: BattleResult) -> None:
        nonlocal shown
        lines = result.printed_in_order
        for name, line in lines[shown:] if prints else ():
            display.note(printed_text(name, line))
        shown = len(lines)
        display.close()
        if show is not None:
            show(result)

    watching = None if watched is None else watched.begin(display.note, over)
    try:
        hears = None if arena is None else arena.take
        result = battle.run(options, follow, display.note, watching, hears, game=game)
        if show is None:
            over(result)
        return result
    finally:
        display.close()
        log.removeHandler(handler)


def _print(result: BattleResult, as_json: bool, game: PlayableGame, epilogue: str) -> None:
    from turnwright.cli.terminal import Style, battle_report, print_json

    if as_json:
        print_json(result.to_data())
    else:
        headings = game.results.headings(result.results)
        print("\n".join(battle_report(result, Style(sys.stdout), headings)), flush=True)
        if epilogue:
            print(epilogue, flush=True)


def _takes(words: Sequence[str]) -> tuple[type, ...]:
    kind = battle_options_of(game_in(words))
    return (JsonChoice, BattleOutput, GameChoice, kind, WatchOptions, OpenChoice, PortChoice)


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    _takes,
    {"--rounds": _NO_ROUNDS, "--set": _NO_SET},
    examples={
        "./MyBot ./OtherBot --watch": "show the battle live in the browser",
        "./MyBot ./OtherBot --seed 7 --record duel.twr": "use the same seed each time, and write a record",
        "--game snake Greedy Wanderer --json": "play another game, and print the results as JSON",
    },
    json=_JSON,
    more=help_of("battle"),
)
