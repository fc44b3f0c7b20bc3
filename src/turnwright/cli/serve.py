"""`turnwright serve`: a server for bots, viewers and controllers that connect by themselves."""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.cli.fronting import add_fronting, fronting_of
from turnwright.cli.opening import add_open, open_or_print
from turnwright.cli.parser import Parser, Subparsers, add_command, whole_number
from turnwright.cli.policies import add_failing, add_missing, add_positions
from turnwright.cli.times import microseconds
from turnwright.errors import EXIT_OK, EXIT_RECORD, SetupError

if TYPE_CHECKING:
    from turnwright.net.serving import ServeOptions

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Speaks Robocode Tank Royale's protocol: its bots, controllers, observers and recorders connect. A line "quit"
on stdin stops it, as SIGTERM and Ctrl-C do. The log goes to stderr; to stdout go the address for programs and
that of the viewer, which shows battles in the browser and commands them.

Secrets: TURNWRIGHT_BOT_SECRETS and TURNWRIGHT_CONTROLLER_SECRETS in the environment, separated by commas, or
files of them. On the command line (-b, -c) everybody on the machine can read them."""

_GAME_TYPES = "classic,1v1,melee,twinduel,custom"
_OF_THE_GAME = ("--max-inactivity-turns", "--rounds", "--arena", "--gun-cooling-rate", "--ready-timeout")
_WHO_STARTS = (
    "it belongs to the game, and who starts a game gives it: in the viewer's form, in a controller's"
    " StartGame, or to `turnwright battle`, which has this option"
)


def add_parser(subparsers: Subparsers[Any]) -> None:
    """Add the command's options."""
    parser = add_command(subparsers, "serve", _DESCRIPTION)
    _add_official(parser)
    _add_network(parser)
    _add_play(parser)
    _add_records(parser)
    _add_viewer(parser)
    parser.set_defaults(run=run, elsewhere=dict.fromkeys(_OF_THE_GAME, _WHO_STARTS))


def _add_official(parser: Parser) -> None:
    group = parser.add_argument_group("as on the official server")
    group.add_argument(
        "-p",
        "--port",
        default="7654",
        metavar="N",
        help="1000 to 65535, 0 = a free one, inherit = the sockets of a systemd unit (default: %(default)s)",
    )
    group.add_argument(
        "-g", "--games", default=_GAME_TYPES, metavar="TYPES", help="game types offered (default: all five)"
    )
    group.add_argument("-c", "--controller-secrets", metavar="SECRETS", help="for controllers and observers")
    group.add_argument("-b", "--bot-secrets", metavar="SECRETS", help="for bots")
    add_positions(group)
    group.add_argument(
        "-t",
        "--tps",
        type=whole_number,
        default=30,
        metavar="N",
        help="turns a second: 1 to 1000, -1 = no waiting, 0 = paused (default: %(default)s)",
    )
    group.add_argument(
        "--debug-mode", action=argparse.BooleanOptionalAction, default=True, help="offer debug mode"
    )
    group.add_argument(
        "--breakpoint-mode", action=argparse.BooleanOptionalAction, default=True, help="offer breakpoint mode"
    )


def _add_network(parser: Parser) -> None:
    group = parser.add_argument_group("network")
    group.add_argument(
        "--host",
        default="localhost",
        metavar="NAME",
        help="address to listen on; other than this machine's own needs secrets (default: %(default)s)",
    )
    group.add_argument(
        "--insecure", action="store_true", help="listen to other machines without secrets, all the same"
    )
    group.add_argument("--controller-secrets-file", type=Path, metavar="FILE", help="one secret a line")
    group.add_argument("--bot-secrets-file", type=Path, metavar="FILE", help="one secret a line")
    add_fronting(group)


def _add_play(parser: Parser) -> None:
    group = parser.add_argument_group("play")
    group.add_argument(
        "-s",
        "--seed",
        type=whole_number,
        metavar="N",
        help="of the first battle; each later one has the next number (default: drawn for each)",
    )
    group.add_argument(
        "--turn-timeout",
        type=microseconds,
        metavar="TIME",
        help="the longest turn timeout that a game gets, whatever its controller asks, e.g. 30ms;"
        " a bare number is in µs",
    )
    group.add_argument(
        "--opening-timeout",
        type=microseconds,
        metavar="TIME",
        help="for the first turn of a round, if that is longer, e.g. 1s (default: the turn timeout)",
    )
    add_missing(group)
    add_failing(group)
    group.add_argument(
        "--speed",
        choices=("auto", "compiled", "interpreted"),
        default="auto",
        help="of the rules; auto: compiled where Numba is installed, interpreted until it has compiled them"
        " (default: %(default)s)",
    )


def _add_records(parser: Parser) -> None:
    group = parser.add_argument_group("records")
    group.add_argument(
        "--records",
        type=Path,
        metavar="DIR",
        help="write a record of each battle into this directory; the viewer offers what lies there",
    )
    group.add_argument(
        "--record-required",
        action="store_true",
        help="begin no battle whose record cannot be written; exit code 5 when one was spoilt later",
    )


def _add_viewer(parser: Parser) -> None:
    group = parser.add_argument_group("viewer")
    add_open(group)
    group.add_argument(
        "--bots",
        dest="roots",
        action="append",
        type=Path,
        default=[],
        metavar="ROOT",
        help="a directory of bot directories; an operator may start these bots from the viewer, beside the"
        " house bots (may be repeated)",
    )
    group.add_argument(
        "--python", metavar="PATH", help="for Python bots; default: the first of python, python3 and this one"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until told to stop."""
    from turnwright.net.logs import log_to_stderr
    from turnwright.net.serving import serve
    from turnwright.options import short_timeout

    log_to_stderr(logging.INFO)

    def announce(url: str, page: str) -> None:
        print(f"turnwright serves on {url}\nwatch: {page}", flush=True)
        open_or_print(page, wanted=arguments.open, said=True)

    options = _options(arguments)
    for name in ("turn", "opening"):
        if short := short_timeout(f"--{name}-timeout", getattr(arguments, f"{name}_timeout")):
            print(f"turnwright: {short}", file=sys.stderr)
    whole = serve(options, on_listening=announce)
    return EXIT_OK if whole or not arguments.record_required else EXIT_RECORD


def _options(arguments: argparse.Namespace) -> ServeOptions:
    """Return what the command line asks for. Raises: SetupError when it cannot be served."""
    from turnwright.net import secrets
    from turnwright.net.serving import ServeOptions

    roles = {}
    for role in ("bot", "controller"):
        given = secrets.gather(
            role,
            option=getattr(arguments, f"{role}_secrets"),
            file=getattr(arguments, f"{role}_secrets_file"),
        )
        roles[role] = given.accepted
        for warning in given.warnings:
            print(f"turnwright: {warning}", file=sys.stderr)
    return ServeOptions(
        port=0 if arguments.port == "inherit" else _port(arguments.port),
        inherit=arguments.port == "inherit",
        host_name=arguments.host,
        insecure=arguments.insecure,
        game_types=tuple(name.strip() for name in arguments.games.split(",") if name.strip()),
        bot_secrets=roles["bot"],
        controller_secrets=roles["controller"],
        **fronting_of(arguments),
        initial_positions=arguments.enable_initial_position,
        tps=arguments.tps,
        debug_mode=arguments.debug_mode,
        breakpoint_mode=arguments.breakpoint_mode,
        seed=arguments.seed,
        turn_timeout_cap_us=arguments.turn_timeout,
        opening_timeout_us=arguments.opening_timeout,
        on_late=arguments.on_late,
        on_skip=arguments.on_skip,
        max_skipped=arguments.max_skipped,
        on_disconnect=arguments.on_disconnect,
        on_rules_error=arguments.on_rules_error,
        records=arguments.records,
        record_required=arguments.record_required,
        speed=arguments.speed,
        bots=tuple(arguments.roots),
        python=arguments.python,
    )


def _port(text: str) -> int:
    """Return the port. Raises: SetupError for what is no number."""
    try:
        return int(text)
    except ValueError:
        raise SetupError(
            f"--port {text}: expected a number from 1000 to 65535, or 0 for a free one"
        ) from None
