"""The tank game: the rules of Robocode Tank Royale, implemented again and compared with its server.

`rules` has constants and formulas, one module for each physical idea, and the stages of a turn in order. It
has no messages, sockets, clocks or logging.
"""

from __future__ import annotations

from turnwright.game_package import GamePackage

GAME = GamePackage(
    rules=".game:TankGame",
    checked=False,
    options=".app.options:TankOptions",
    serve_options=".app.options:TankServeOptions",
    protocol=".app.battles:royale_protocol",
    bots=".app.game_bots:TANK_BOTS",
    battles=".app.battles:TankBattles",
    results=".app.results:TankGameResults",
    records=".app.records:TankRecords",
    recordings=True,
    analysis="trace",
    help=".cli.help_texts:HELP",
    commands={
        "bots": ("", "list bots, and install what they need", "create"),
        "bots list": (".cli.bots", "list the built-in bots, and the bots in directories", "create"),
        "bots install": (".cli.bots_install", "install the packages that bots need", "create"),
        "demo": (".cli.demo", "watch the built-in bots fight", "battles", 10),
        "convert": (
            ".cli.convert",
            "write a recording from a record, or repair a recording",
            "seldom needed",
        ),
        "observe": (".cli.observe", "watch another server and write a recording of it", "seldom needed"),
        "trace": (".cli.trace", "report what happened in a battle, and why each tank died", "records", 60),
    },
    display=".cli.text_display:TextDisplay",
    replay_text=".cli.replay_text:run_text",
    why_interpreted=".backends.extension:why_missing",
    view="view/main.js",
    templates="cli/templates",
    bot_library="turnwright_tank.bots",
    reference=".bots.docs:render",
    spaces=".envs.spaces:TankSpaces",
    environments=".envs.spaces:ENVS",
)
