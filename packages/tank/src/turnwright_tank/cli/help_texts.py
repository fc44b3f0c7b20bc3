"""The tank game's additions to the help of general commands."""

from __future__ import annotations

from turnwright.cli.help_text import CommandText

_WHO_STARTS = (
    "it is a setting of a game: give it when a game is started, in the viewer's form, in a controller's"
    " StartGame, or to `turnwright battle`, which has this option"
)

HELP = {
    "battle": CommandText(
        "`turnwright bots list` lists the built-in bots. --record x.battle.gz writes a recording for official"
        " viewers.",
        {
            "./MyBot Spinner --rounds 3": "play three rounds against a built-in bot",
            "./MyBot Ace --watch": "show the battle live in the browser",
        },
        "The columns of a battle of tanks are `total_score`, `survival`, `last_survivor_bonus`,\n"
        "`bullet_damage`, `bullet_kill_bonus`, `ram_damage`, `ram_kill_bonus`, `first_places`,\n"
        "`second_places` and `third_places`.",
    ),
    "serve": CommandText(
        "The server speaks Robocode Tank Royale's protocol, so Tank Royale's bots, controllers, observers and"
        " recorders can connect.",
        elsewhere={
            "--arena": _WHO_STARTS,
            "--gun-cooling-rate": _WHO_STARTS,
            "--max-inactivity-turns": "for turns that a bot may miss in a row give --max-skipped. As the"
            f" arena's rule, {_WHO_STARTS}",
        },
    ),
}
