"""A built-in bot of a game as a program, for a server at SERVER_URL.

python -m turnwright.app.game.built_in_bot GAME BOT
"""

from __future__ import annotations

import os
import sys

from turnwright.app.game.playable import find_game
from turnwright.client import SERVER_URL, FunctionSession, end_with
from turnwright.errors import SetupError


def main(game: str, name: str) -> None:
    """Play the game's built-in bot `name` until the connection ends. Then end the process with an exit
    code.
    """

    def play() -> None:
        bots = find_game(game).bots
        if name not in bots.built_in:
            raise SetupError(
                f"{game} has no built-in bot {name!r}: there are {', '.join(bots.built_in) or 'none'}"
            )
        secret, seed = os.environ.get("SERVER_SECRET", ""), os.environ.get("BOT_SEED")
        session = FunctionSession(bots.built_in[name], name, secret, seed=seed)
        bots.converse(session, os.environ.get("SERVER_URL") or SERVER_URL, lambda port: None)

    end_with(name, play)


if __name__ == "__main__":
    main(*sys.argv[1:3])
