"""The reader of each module's texts."""

from __future__ import annotations

# fmt: off
READERS = {
    "bot author": (
        "app/battle", "app/branch", "app/function_bots", "app/option", "app/prepared_battle",
        "app/progress", "app/results", "app/sizes", "app/verify", "app/times", "app/replay",
        "app/frames", "app/game/", "app/html", "app/watch",
        "client.py", "errors.py", "__init__.py", "_version.py", "cli/", "turnwright_tank/",
        "turnwright_world/client", "turnwright_world/cli", "net/participants", "net/sandbox",
        "wire/generic_protocol", "kernel/skipped_turns", "host/generic_protocol",
    ),
    "host or teacher": (
        "turnwright_league/", "app/lan", "app/live", "app/serve", "app/rooms",
        "cli/serve", "cli/rooms", "host/", "net/",
        "turnwright_world/app", "turnwright_world/net", "turnwright_world/host/metrics",
    ),
    "spectator": (
        "viewer/", "turnwright_tank/view", "games/snake/view.js",
    ),
    "player": (
        "turnwright_world/",
    ),
    "builder of worlds and games": (
        "turnwright_world/content", "turnwright_world/kit", "turnwright_world/planning", "testing/",
        "kernel/checked_game", "cli/new_game", "cli/templates/game", "games/snake", "games/countdown",
    ),
    "researcher": (
        "turnwright_learn/", "turnwright_tank/envs", "games/snake/envs",
    ),
    "developer": (
        "kernel/", "wire/", "catalog.py", "app/__init__.py", "games/__init__.py",
    ),
}
# fmt: on
"""For each reader, the beginnings of the paths of the modules. The longest beginning that fits counts."""


def reader_of(path: str) -> str:
    """Return the reader of the texts of a module.

    Raises:
        ValueError: READERS names no reader for this path.
    """
    fitting = [
        (len(start), reader)
        for reader, starts in READERS.items()
        for start in starts
        if path.startswith(start)
    ]
    if not fitting:
        raise ValueError(f"{path}: nobody reads it; add its folder to READERS in tools/texts/readers.py")
    return max(fitting)[1]
