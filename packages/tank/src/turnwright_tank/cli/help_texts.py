"""The tank game's additions to the help of general commands."""

from __future__ import annotations

from textwrap import fill

from turnwright.cli.help_text import CommandText
from turnwright_tank.results import SCORES, TOTAL

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
        },
        fill(
            f"The columns of a battle of tanks are {', '.join(f'`{one.name}`' for one in (TOTAL, *SCORES))}.",
            90,
        ),
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
