"""A few laptops of a class in one process: each gets its bot from the server and plays it in a thread.

    python laptops.py http://127.0.0.1:7654 WORD NAME…

It imports only Python's library and the bot library from the server, as a laptop does.
"""

from __future__ import annotations

import os
import sys
import threading
from urllib.request import urlopen

from turnwright_tank.bots import run


def main(server: str, word: str, names: list[str]) -> None:
    """Play until the server ends the connections."""
    os.environ["SERVER_URL"], os.environ["SERVER_SECRET"] = server.replace("http", "ws", 1), word
    threads = [threading.Thread(target=_play, args=(server, word, name)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _play(server: str, word: str, name: str) -> None:
    with urlopen(f"{server}/get/bot?name={name}&word={word}", timeout=120) as answer:
        program = answer.read().decode()
    module: dict[str, object] = {"__name__": name}
    exec(compile(program, f"{name}.py", "exec"), module)
    cls: type = module[name]  # type: ignore[assignment]
    bot = cls()
    bot.on_game_ended = lambda results: _say(f"{name} ended {results['rank']}")
    _say(f"{name} code {run(bot)}")


def _say(line: str) -> None:
    """Print a line in one piece: print() writes its end separately, perhaps after another thread's line."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
