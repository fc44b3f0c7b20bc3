"""The text world: a game of places, creatures, actions and timed threats.

`state` is what there is, `intent` what a body wants, `turn` what a turn does, in order. Source: documents 003
and 004. What must not live here: sockets, files, clocks; the text of any one world (that is content).
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
