"""What the tank adds to the help of general commands."""

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
            "./MyBot Spinner --rounds 3": "against a built-in bot",
            "./MyBot Ace --watch": "live in the browser",
        },
        "The columns of a battle of tanks are total_score, survival, last_survivor_bonus, bullet_damage,\n"
        "bullet_kill_bonus, ram_damage, ram_kill_bonus, first_places, second_places, third_places.",
    ),
    "serve": CommandText(
        "It speaks Robocode Tank Royale's protocol. Its bots, controllers, observers and recorders can"
        " connect.",
        elsewhere={
            "--arena": _WHO_STARTS,
            "--gun-cooling-rate": _WHO_STARTS,
            "--max-inactivity-turns": "for turns that a bot may miss in a row give --max-skipped. As the"
            f" arena's rule, {_WHO_STARTS}",
        },
    ),
}
