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

from turnwright_learn.envs.registration import register_envs
from turnwright_learn.envs.server_options import ConnectingBot
from turnwright_learn.envs.single import GameEnv, make_env
from turnwright_learn.envs.together import aec_env, parallel_env

__all__ = ["ConnectingBot", "GameEnv", "aec_env", "make_env", "parallel_env", "register_envs"]

register_envs()
