"""Environments for learners, of any game: Gymnasium and PettingZoo.

    import gymnasium
    import turnwright_learn.envs  # it registers the environments of our games

    env = gymnasium.make("turnwright/TankDuel-v0", opponents=["Crawler"])
    env = turnwright_learn.envs.make_env("./chess", opponents=["Random"])  # a game in its own folder

It needs the extra [learn].
"""

from __future__ import annotations

try:
    import gymnasium as _gymnasium  # noqa: F401
    import pettingzoo as _pettingzoo  # noqa: F401
except ModuleNotFoundError as error:
    why = f"{error.name} is missing: pip install 'turnwright[learn]'"
    raise ModuleNotFoundError(why, name=error.name) from error

from gymnasium.envs.registration import register, registry

from turnwright.catalog import with_parts
from turnwright_learn.envs.server_options import ConnectingBot
from turnwright_learn.envs.single import GameEnv, make_env
from turnwright_learn.envs.together import aec_env, parallel_env

__all__ = ["ConnectingBot", "GameEnv", "aec_env", "make_env", "parallel_env", "register_envs"]


def register_envs() -> None:
    """Register the environments of all installed games: turnwright/TankDuel-v0 and so on."""
    for game in with_parts():
        for name, wanted in game.part("environments").items():
            full = f"turnwright/{name}"
            if full not in registry:
                register(
                    full,
                    entry_point="turnwright_learn.envs.single:GameEnv",
                    vector_entry_point=wanted.get("vector"),
                    kwargs={"game": game.name, "env": name},
                )


register_envs()
