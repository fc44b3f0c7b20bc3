"""Names of our environments for Gymnasium."""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

from turnwright import catalog
from turnwright.envs.plan import envs_of

_NAMESPACE = "turnwright"


def register_envs() -> None:
    """Register the environments of our games: turnwright/TankDuel-v0 and so on."""
    for game in catalog.own_names():
        for name, wanted in envs_of(game).items():
            full = f"{_NAMESPACE}/{name}"
            if full not in registry:
                register(
                    full,
                    entry_point="turnwright.envs.single:GameEnv",
                    vector_entry_point=wanted.get("vector"),
                    kwargs={"game": game, "env": name},
                )
