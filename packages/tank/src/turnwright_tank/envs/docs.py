"""Writes the reference page of the tank environments.

Run `python -m turnwright_tank.envs.docs > packages/tank/docs/tank-environments.md` after a change. A test
fails when the page is stale.
"""

from __future__ import annotations

from turnwright.wire.markdown import table
from turnwright_tank.envs.actions import ACTIONS, DISCRETE
from turnwright_tank.envs.features import OTHER, OWN, features_of
from turnwright_tank.envs.spaces import ENVS, REWARDS

_INTRO = """\
# The tank environments

Generated from `turnwright_tank/envs`: change the sources, not this page.
[Train an agent](../../learn/docs/train-an-agent.md) shows how to use the environments.
"""
_ENVS = """\
## Environments

The id for Gymnasium is `turnwright/NAME`. An episode is one round. The learner has seat 0. If the learner
plays against itself in a vector environment, it has every seat.
"""
_OBSERVATIONS = f"""\
## Observations

An observation consists of 32-bit floats: {OWN} numbers about the learner's tank, then {OTHER} numbers about
each other tank. The other tanks come in the order of their seats, beginning with the seat after the learner.
The names of these numbers end with the count of the other tank: `dx_1`, `dx_2` … In the table, "the tank" is
the learner's tank. The *aim* is the direction in which a bullet of power 2 meets the other tank if that tank
keeps its speed and turn rate.

A bot gets the same information: its own tank, its own events of the turn, and the last scan of each other
tank. For a tank that was not scanned in this round, `age` and `loss_age` are 1. `other_alive` and `teammate`
have their usual values, and all other numbers are 0. After the death of the learner's tank every number
is 0. The bounds are those of a duel in an arena of 800 × 600. Multiply a number by its unit to get the
quantity. Example: an `energy` of 0.5, with the unit "× 100 points", is 50 points.
"""
_ACTIONS = """\
## Actions

With `actions="continuous"` an action is five 32-bit floats from -1 to 1. With `actions="discrete"` an action
is five integers. Each is the index of a number in the column *Choices*, from 0. Body, gun and radar turn
independently, and there is no fire assist. With a power above 0, the tank fires as soon as its gun is cool.
"""
_MEANS = {
    "speed": "target speed, × 8 units a turn. Negative is backwards",
    "turn": "turn rate of the body, × 10° a turn. Positive is left",
    "gun": "turn rate of the gun, × 20° a turn",
    "radar": "turn rate of the radar, × 45° a turn",
    "power": "firepower, × 3",
}
_REWARDS = """\
## Rewards

The reward is the sum of the terms, each multiplied by its weight. `reward={"damage": 0.0}` leaves out a term.
`info` contains the terms by name.
"""
_TERMS = {
    "score": "score that the tank gained in the turn, in hundreds of points",
    "damage": "damage by other tanks to the tank, in hundreds of points. It is negative",
    "survival": "1 at the end of the round if the tank lives, -1 in the turn of its death",
}


def render() -> str:
    """Return the page."""
    envs = [
        (
            f"`{name}`",
            str(env["seats"]),
            f"{env['settings'].get('arena_width', 800)} × {env['settings'].get('arena_height', 600)}",
            ", ".join(env["opponents"][: env["seats"] - 1]),
        )
        for name, env in ENVS.items()
    ]
    features = [
        (
            str(place),
            f"`{one.name}`",
            f"{one.low:g} … {one.high:g}",
            f"× {one.unit}" if one.unit else "",
            one.means,
        )
        for place, one in enumerate(features_of(800, 600, 2))
    ]
    actions = [
        (f"`{name}`", _MEANS[name], ", ".join(f"{value:.3g}" for value in values))
        for name, values in zip(ACTIONS, DISCRETE, strict=True)
    ]
    parts = (
        [_INTRO],
        [_ENVS],
        table(("Name", "Tanks", "Arena", "Default opponents"), envs),
        ["", _OBSERVATIONS],
        table(("Number", "Name", "Bounds", "Unit", "Meaning"), features),
        ["", _ACTIONS],
        table(("Name", "1 means", "Choices"), actions),
        ["", _REWARDS],
        table(("Term", "Meaning"), [(f"`{name}`", _TERMS[name]) for name in REWARDS]),
    )
    return "\n".join(line for part in parts for line in part) + "\n"


if __name__ == "__main__":
    print(render(), end="")
