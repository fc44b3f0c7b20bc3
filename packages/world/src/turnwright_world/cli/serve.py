"""`turnwright world serve`: serves a world. Without --content it serves the demo."""

from __future__ import annotations

import logging

from turnwright.cli.choice import OpenChoice
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.watch import open_or_print
from turnwright.errors import EXIT_OK
from turnwright_world.app.options import DATA, WorldOptions

_DESCRIPTION = f"""\
The command prints the addresses for browsers, telnet and programs. The log goes to stderr. A player first
types a name, or `guest`.

The server stores the world in {DATA} below this directory, with one transaction per turn.
Ctrl-C or SIGTERM stops the server without loss. If the server is killed, the world loses at most one turn.

To be able to change the content while the world runs, copy the content, and start the server with --content
and the copy. Then you can edit the copy at any time. If a file has an error, the server reports the file and
line, and keeps the old content."""


def run(given: GivenOptions) -> int:
    """Serve the world until a signal stops the server."""
    from turnwright.net.logs import log_to_stderr
    from turnwright_world.app.serve import serve_world

    log_to_stderr(logging.INFO)

    def announce(here: str, telnet_port: int) -> None:
        host = here.rpartition(":")[0].strip("[]")
        page = f"http://{here}/"
        print(f"browser:  {page}")
        print(f"telnet:   telnet {host} {telnet_port}")
        print(f"programs: ws://{here} (turnwright new world-bot wolf.py)", flush=True)
        open_or_print(page, wanted=given.make(OpenChoice).open, said=True)

    serve_world(given.make(WorldOptions), announce)
    return EXIT_OK


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (OpenChoice, WorldOptions),
    examples={"": "serve the demo world", "--content myworld --data my.db": "serve your own world"},
)
