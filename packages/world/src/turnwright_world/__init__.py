"""The text world: a game of places, creatures, actions and timed threats.

`rules.state` holds all entities of a world. `intent` defines what a body can want in a turn. `rules.turn`
plays a turn, stage by stage. Source: design documents 003 and 004. The rules use no sockets, files or clocks.
The texts of a world are content, not code.
"""

from __future__ import annotations

from turnwright.game_package import GamePackage

GAME = GamePackage(
    rules=".game:WorldGame",
    checked=False,
    results=".app.records:WorldResults",
    records=".app.records:WorldRecords",
    commands={
        "new world-bot": (".cli.new_world_bot", "create a program FILE.py that plays in a world", "create"),
        "world": ("", "run and inspect a persistent text world", "worlds"),
        "world serve": (".cli.serve", "run a world for people and programs", "worlds"),
        "world doctor": (".cli.doctor", "report the state of a running world", "worlds"),
    },
    served_by="world serve",
    view="view/main.js",
)
