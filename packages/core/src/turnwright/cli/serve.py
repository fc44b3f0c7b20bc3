"""`turnwright serve`: a server for bots, viewers and controllers."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from turnwright import catalog
from turnwright.app.option_fields import OFFICIAL, option
from turnwright.app.options import ServeOptions, short_timeout
from turnwright.cli.choice import GameChoice, OpenChoice, game_in, help_of, serve_options_of
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.rooms import RoomsChoice, merged, read_rooms
from turnwright.cli.watch import open_or_print
from turnwright.errors import EXIT_OK, EXIT_RECORD, SetupError

if TYPE_CHECKING:
    from turnwright.app.rooms import RoomSetup

_DESCRIPTION = """\
The server prints two addresses on stdout: one for programs, and one for the viewer, the page that displays
and controls battles. The log goes to stderr. Ctrl-C, SIGTERM or a line "quit" on stdin stops the server.

To set secrets, list them in the environment variables TURNWRIGHT_BOT_SECRETS and
TURNWRIGHT_CONTROLLER_SECRETS, separated by commas, or give files. Every user of the machine can read secrets
on the command line (-b, -c)."""

_EVERYWHERE = "0.0.0.0"
_OF_THE_GAME = ("--rounds", "--ready-timeout")
WHO_STARTS = (
    "it is a setting of a game: give it when a game is started, in the viewer's form, in a controller's"
    " StartGame, or to `turnwright battle`, which has this option"
)


@dataclass(frozen=True)
class SecretOptions:
    """The sources of a server's secrets in addition to the environment."""

    controller_secrets: str | None = option(
        None,
        "secrets of controllers and observers, with commas between several",
        "-c",
        "--controller-secrets",
        metavar="SECRETS",
        group=OFFICIAL,
    )
    bot_secrets: str | None = option(
        None,
        "secrets of bots, with commas between several",
        "-b",
        "--bot-secrets",
        metavar="SECRETS",
        group=OFFICIAL,
    )
    controller_secrets_file: Path | None = option(
        None,
        "a file with the controllers' secrets, one on each line",
        metavar="FILE",
        group="network",
        often=True,
    )
    bot_secrets_file: Path | None = option(
        None, "a file with the bots' secrets, one on each line", metavar="FILE", group="network", often=True
    )


def run(given: GivenOptions) -> int:
    """Run the server until it is stopped."""
    from turnwright.app.game.playable import find_game
    from turnwright.app.serve import serve
    from turnwright.net.logs import log_to_stderr

    log_to_stderr(logging.INFO)

    roles = secrets_of(given)
    options = options_of(given, roles)
    rooms = rooms_of(given, roles)

    def announce(url: str, page: str) -> None:
        print(f"turnwright serves on {url}\nwatch: {page}", flush=True)
        if not rooms:
            print(find_game(given.make(GameChoice).game).spectators_see(), flush=True)
        if options.lan:
            print("\n".join(_class_lines(options, roles, urlsplit(url).port or 0)), flush=True)
        open_or_print(page, wanted=given.make(OpenChoice).open, said=True)

    timeouts = {"turn": options.turn_timeout_cap_us, "opening": options.opening_timeout_us}
    for name, timeout_us in timeouts.items():
        if short := short_timeout(f"--{name}-timeout", timeout_us):
            print(f"turnwright: {short}", file=sys.stderr)
    if rooms:
        from turnwright.app.rooms import serve_rooms

        whole = serve_rooms(options, rooms, announce)
    else:
        whole = serve(options, announce, given.make(GameChoice).game)
    required = any(one.record_required for one in (options, *(room.options for room in rooms)))
    return EXIT_OK if whole or not required else EXIT_RECORD


def secrets_of(given: GivenOptions) -> dict[str, frozenset[str]]:
    """Return the secrets of each role, and print warnings about how they were given.

    Call this function only once, because a file may be a pipe. A second reading of a pipe finds nothing.

    Raises:
        SetupError: a file cannot be read or contains no secret.
    """
    from turnwright.net.http import options as secrets

    texts, roles = given.make(SecretOptions), {}
    sources = {
        "bot": (texts.bot_secrets, texts.bot_secrets_file),
        "controller": (texts.controller_secrets, texts.controller_secrets_file),
    }
    for role, (text, file) in sources.items():
        found = secrets.gather(role, option=text, file=file)
        roles[f"{role}_secrets"] = found.accepted
        for warning in found.warnings:
            print(f"turnwright: {warning}", file=sys.stderr)
    return roles


def options_of(given: GivenOptions, roles: Mapping[str, frozenset[str]]) -> ServeOptions:
    """Return the server options of a command line.

    Args:
        roles: the secrets of each role, as `secrets_of` returns them.

    Raises:
        SetupError: a server cannot run with these options.
    """
    if not given.values.get("lan"):
        return _made(given, roles)
    if given.make(RoomsChoice).rooms is not None:
        raise SetupError("--lan serves one room: leave out --rooms, or give secrets and --host instead")
    return _made(_for_a_class(given), _secrets_of_a_class(roles))


def _for_a_class(given: GivenOptions) -> GivenOptions:
    """Return the options of a server for a class. The server listens on all networks, unless the options name
    an address.
    """
    return replace(given, values={"host_name": _EVERYWHERE, **given.values})


def _secrets_of_a_class(roles: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """Return the secrets of each role in a class. Secrets that were not given are generated."""
    from turnwright.app.lan.join_word import draw_join_word
    from turnwright.app.watch import new_code

    drawn = {"bot_secrets": draw_join_word, "controller_secrets": new_code}
    return {role: roles[role] or frozenset({draw()}) for role, draw in drawn.items()}


def _class_lines(options: ServeOptions, given: Mapping[str, frozenset[str]], port: int) -> list[str]:
    """Return the lines for the teacher's terminal. They contain the operators' secret only if the server has
    generated it.
    """
    from turnwright.app.lan.notice import ClassNotice
    from turnwright.cli.terminal import Style

    operator = "" if given["controller_secrets"] else min(options.controller_secrets)
    notice = ClassNotice.of(options.host_name, port, min(options.bot_secrets), operator)
    is_terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return notice.lines(colored=Style(sys.stdout).colours if is_terminal else None)


def rooms_of(given: GivenOptions, roles: Mapping[str, frozenset[str]]) -> list[RoomSetup]:
    """Return the rooms that the command line names. Without --rooms, the list is empty.

    Args:
        roles: the secrets of each role. They are valid for all rooms.

    Raises:
        SetupError: a room cannot be served.
    """
    from turnwright.app.rooms import RoomSetup

    asked = given.make(RoomsChoice).rooms
    if asked is None:
        return []
    rooms = []
    for room in read_rooms(asked, given.make(GameChoice).game):
        own = merged(given, room)
        try:
            game = own.make(GameChoice).game
            is_folder = catalog.find(game).folder is not None  # only the room's process runs its code
            kind = ServeOptions if is_folder else serve_options_of(game)
            rooms.append(RoomSetup(room.name, game, own.make(kind, **roles)))
        except SetupError as error:
            raise SetupError(f"room {room.name}: {error}") from None
    return rooms


def _made(given: GivenOptions, roles: Mapping[str, frozenset[str]]) -> ServeOptions:
    return given.make(serve_options_of(given.make(GameChoice).game), **roles)


def _takes(words: Sequence[str]) -> tuple[type, ...]:
    return (OpenChoice, GameChoice, serve_options_of(game_in(words)), RoomsChoice, SecretOptions)


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    _takes,
    {
        **dict.fromkeys(_OF_THE_GAME, WHO_STARTS),
    },
    examples={
        "": "serve programs on this machine",
        "--lan --bots ./bots": "serve a class, with bots that an operator may start",
        "--game snake --port 0": "serve another game, on a free port",
    },
    more=help_of("serve"),
)
