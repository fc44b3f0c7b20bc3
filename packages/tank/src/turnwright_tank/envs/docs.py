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

The id for Gymnasium is `turnwright/NAME`. An episode is one round. The learner has seat 0. In a vector
environment against itself, every tank is a learner.
"""
_OBSERVATIONS = f"""\
## Observations

An observation has 32-bit floats: {OWN} numbers of the learner's tank, then {OTHER} numbers of each other
tank. The other tanks come in the order of their seats, beginning with the next seat. The names of their
numbers end in this order: `dx_1`, `dx_2` … A bot could know all these numbers: they describe its own tank,
its own events of the turn, and the last scan of each other tank. For a tank that was never seen, `age` is 1
and the other numbers are 0. After its death a tank sees zeros. The bounds are those of a duel in an arena of
800 × 600. "×" marks the unit.
"""
_ACTIONS = """\
## Actions

With `actions="continuous"` an action is five 32-bit floats from -1 to 1. With `actions="discrete"` it is five
choices among the numbers below. Body, gun and radar turn independently, and there is no fire assist. A power
of 0 or less does not fire. The gun fires when it is cool.
"""
_MEANS = {
    "speed": "target speed, × 8 units a turn, negative backwards",
    "turn": "turn rate of the body, × 10° a turn, positive to the left",
    "gun": "turn rate of the gun, × 20° a turn",
    "radar": "turn rate of the radar, × 45° a turn",
    "power": "firepower, × 3",
}
_REWARDS = """\
## Rewards

The reward is the sum of the terms, each multiplied by its weight. `reward={"damage": 0.0}` leaves out a term.
`info` has the terms by name.
"""
_TERMS = {
    "score": "points that the tank gained in the turn, as the results of a battle count them, in hundreds",
    "damage": "minus the damage that other tanks did to the tank, in hundreds of points",
    "survival": "1 if the tank lives at the round's end, -1 when it dies",
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
        table(("Number", "Name", "Bounds", "Unit", "Means"), features),
        ["", _ACTIONS],
        table(("Name", "1 means", "Choices"), actions),
        ["", _REWARDS],
        table(("Term", "Is"), [(f"`{name}`", _TERMS[name]) for name in REWARDS]),
    )
    return "\n".join(line for part in parts for line in part) + "\n"


if __name__ == "__main__":
    print(render(), end="")
