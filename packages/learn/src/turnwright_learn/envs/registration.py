"""Names of the environments of all installed games for Gymnasium."""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

from turnwright.catalog import with_parts

_NAMESPACE = "turnwright"


def register_envs() -> None:
    """Register the environments of all installed games: turnwright/TankDuel-v0 and so on."""
    for game in with_parts():
        for name, wanted in game.part("environments").items():
            full = f"{_NAMESPACE}/{name}"
            if full not in registry:
                register(
                    full,
                    entry_point="turnwright_learn.envs.single:GameEnv",
                    vector_entry_point=wanted.get("vector"),
                    kwargs={"game": game.name, "env": name},
                )
