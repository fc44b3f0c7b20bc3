"""`turnwright ladder --data DIR`: a ladder server for a class or a club."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from turnwright.app.option_fields import option
from turnwright.cli.choice import GameChoice, OpenChoice, battle_options_of, game_in
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.watch import open_or_print
from turnwright.errors import EXIT_INTERRUPTED, EXIT_OK
from turnwright_league.app.ladder.options import LadderOptions
from turnwright_league.app.options import battle_settings_of
from turnwright_league.cli.choice import given_settings

if TYPE_CHECKING:
    from turnwright_league.app.ladder.start import LadderAddresses

_DESCRIPTION = """\
People open the server's page, create an account with a name and a passphrase, and upload a bot as a zip of
its folder or as one file. The server checks the bot and lets it play a first battle against a built-in bot.
Then the bot plays on the ladder. Each person's page shows the battles of their bots, with replays, printed
lines and missed turns. On the teacher's page, a teacher can freeze uploads, remove bots, start
tournaments, give new passphrases, and download everything.

DIR is a tournament folder, so `turnwright tournament show|verify|export DIR` work with it. If the ladder
server was stopped or killed, run the same command again. The server then resumes, and no upload that it has
confirmed is lost.

Uploaded bots play in the sandbox. If this machine does not support the sandbox, the command ends with an
error. `turnwright doctor --sandbox` says why. To let other machines connect, add --host 0.0.0.0. The
server draws and prints a new teacher's secret at each start, unless --secret-file or
TURNWRIGHT_CONTROLLER_SECRETS gives one."""


@dataclass(frozen=True)
class TeacherSecret:
    """The source of the teacher's secret in addition to the environment."""

    secret_file: Path | None = option(
        None,
        "a file with one or more teacher's secrets, one on each line (default: the server draws a secret)",
        metavar="FILE",
        group="network",
        often=True,
    )


def run(given: GivenOptions) -> int:
    """Run the ladder server until Ctrl-C (EXIT_INTERRUPTED) or SIGTERM (EXIT_OK)."""
    from turnwright.net.http.options import gather
    from turnwright.net.logs import log_to_stderr
    from turnwright_league.app.ladder.start import serve_ladder

    found = gather("controller", file=given.make(TeacherSecret).secret_file)
    options = given.make(LadderOptions, teacher_secrets=found.accepted)
    game = given.make(GameChoice).game
    log_to_stderr(logging.INFO)

    def announce(addresses: LadderAddresses) -> None:
        print(f"ladder: {addresses.people}")
        print(f"projector: {addresses.projector}")
        print(f"teacher: {addresses.teacher}", flush=True)
        open_or_print(addresses.teacher, wanted=given.make(OpenChoice).open, said=True)

    settings = given_settings(given, battle_settings_of(battle_options_of(game)))
    settings.pop("sandbox", None)  # the ladder server has this option itself
    interrupted = serve_ladder(options, game, settings, announce)
    print(f"all data is in {options.folder}. To resume later, run the same command", file=sys.stderr)
    return EXIT_INTERRUPTED if interrupted else EXIT_OK


def _takes(words: Sequence[str]) -> tuple[type, ...]:
    kind = battle_settings_of(battle_options_of(game_in(words)))
    return (LadderOptions, TeacherSecret, OpenChoice, GameChoice, kind)


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    _takes,
    examples={
        "--data club": "a ladder on this machine",
        "--data club --host 0.0.0.0 --join-word tulip": "a ladder for the local network",
    },
)
