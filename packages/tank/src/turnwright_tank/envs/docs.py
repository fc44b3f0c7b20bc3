"""Writes the reference page of the tank environments.

Run `python -m turnwright_tank.envs.docs > packages/tank/docs/tank-environments.md` after a change; a test
fails when the page is stale.
"""

from __future__ import annotations

from turnwright.wire.markdown import table
from turnwright_tank.envs.actions import ACTIONS, DISCRETE
from turnwright_tank.envs.features import OTHER, OWN, features_of
from turnwright_tank.envs.spaces import ENVS, REWARDS

_INTRO = """\
# The tank environments

GENERATED from `turnwright_tank/envs`: change those, never this page. How to train with them:
[train an agent](../../learn/docs/train-an-agent.md).
"""
_ENVS = """\
## Environments

Each is `turnwright/NAME` for Gymnasium. An episode is one round. The learner has seat 0; in a vector
environment against itself every tank is one.
"""
_OBSERVATIONS = f"""\
## Observations

32-bit floats: {OWN} numbers of the tank itself, then {OTHER} of each other tank. The other tanks come in
the order of their seats, the next seat first; their names end in their place: `dx_1`, `dx_2` … All of it
may be known to a bot: its own tank, its own events of the turn, and what its radar saw last. Numbers of a
tank that was never seen are 0, but `age`, which is 1. After its death a tank sees zeros. Bounds are those
of a duel in an arena of 800 × 600; "×" is the unit.
"""
_ACTIONS = """\
## Actions

`actions="continuous"`: five 32-bit floats from -1 to 1. `actions="discrete"`: five choices among the
numbers below. Gun and radar turn apart from what carries them, and there is no fire assistance. A power of
0 or less does not fire; the gun fires once it is cool.
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

The reward is the sum of the terms, each by its weight: `reward={"damage": 0.0}` leaves one out. `info` has
them by name.
"""
_TERMS = {
    "score": "points gained in the turn, as the results of a battle count them, in hundreds",
    "damage": "minus the damage that other tanks did to it, in hundreds of points",
    "survival": "1 when it lives at the round's end, -1 when it dies",
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
        table(("Name", "Tanks", "Arena", "Opponents, unless others are asked for"), envs),
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
