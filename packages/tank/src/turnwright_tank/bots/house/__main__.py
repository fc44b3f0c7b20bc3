"""Plays a built-in bot: `python -m turnwright_tank.bots.house NAME`.

The environment variable SERVER_URL names the server.
"""

from __future__ import annotations

import sys

from turnwright.errors import EXIT_BAD_INPUT
from turnwright_tank.bots.house import HOUSE


def main(arguments: list[str]) -> None:
    """Play the built-in bot of that name; ends the process."""
    if len(arguments) != 1 or arguments[0] not in HOUSE:
        given = " ".join(arguments) or "nothing"
        print(f"unknown built-in bot {given}: expected one of {', '.join(HOUSE)}", file=sys.stderr)
        sys.exit(EXIT_BAD_INPUT)
    HOUSE[arguments[0]].main()


if __name__ == "__main__":
    main(sys.argv[1:])
