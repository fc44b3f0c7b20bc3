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

In Gymnasium the id of an environment is `turnwright/NAME`. An episode is one round. The learner has seat 0.
In a vector environment the learner can also play against itself. Then it has every seat.
"""
_OBSERVATIONS = f"""\
## Observations

An observation consists of 32-bit floats. The first {OWN} numbers are about the learner's tank. Then there are
{OTHER} numbers about each other tank. The other tanks are in the order of their seats, beginning with the
seat after the learner's seat. The names of their numbers end with 1 for the first other tank (`dx_1`), 2 for
the second (`dx_2`), and so on. In the table, "the tank" is the learner's tank. The *aim* is the direction in
which the tank must fire a bullet of power 2 to hit the other tank, if the other tank keeps its speed and turn
rate.

The numbers contain only information that a bot gets, too: its own tank, its own events of the turn, and the
last scan of each other tank. If the radar has not scanned a tank in this round, `age` and `loss_age` of this
tank are 1, `other_alive` and `teammate` have their usual values, and all other numbers of this tank are 0.
After the death of the learner's tank every number is 0. The bounds in the table are for a duel in an arena of
800 × 600. Multiply a number by its unit to get the quantity. Example: `energy` has the unit "× 100 points",
so an `energy` of 0.5 means 50 points.
"""
_ACTIONS = """\
## Actions

With `actions="continuous"` an action is five 32-bit floats from -1 to 1. The column *Meaning and unit* says
by what to multiply each of them. With `actions="discrete"` an action is five integers. Each integer is the
index (from 0) of a number in the column *Choices*. Body, gun and radar turn independently, and there is no
fire assist. If the power is above 0, the tank fires as soon as its gun can fire.
"""
_MEANS = {
    "speed": "target speed, × 8 units per turn. Negative is backwards",
    "turn": "turn rate of the body, × 10° per turn. Positive is left",
    "gun": "turn rate of the gun, × 20° per turn",
    "radar": "turn rate of the radar, × 45° per turn",
    "power": "firepower, × 3",
}
_REWARDS = """\
## Rewards

The reward of a turn is the sum of these terms, each multiplied by its weight. With `reward={"damage": 0.0}`
the weight of `damage` is 0. `info` contains each term under its name.
"""
_TERMS = {
    "score": "score that the tank gained in the turn, divided by 100",
    "damage": "energy that the tank lost through other tanks in the turn, divided by 100. The term is"
    " negative",
    "survival": "1 at the end of the round if the tank lives, or -1 in the turn in which it dies",
}


def render() -> str:
    """Return the page about the environments, as Markdown."""
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
        table(("Name", "Meaning and unit", "Choices"), actions),
        ["", _REWARDS],
        table(("Term", "Meaning"), [(f"`{name}`", _TERMS[name]) for name in REWARDS]),
    )
    return "\n".join(line for part in parts for line in part) + "\n"


if __name__ == "__main__":
    print(render(), end="")
