"""A bot whose decisions are a policy's.

    from pathlib import Path
    from turnwright.games.tank.envs.policy_bot import PolicyBot

    class MyAgent(PolicyBot):
        policy_file = Path(__file__).with_name("policy.npz")

    if __name__ == "__main__":
        MyAgent.main()

In a folder MyAgent with MyAgent.json and policy.npz this is a bot directory: it plays in battles, in
tournaments and on the official server. It needs NumPy and turnwright where it runs.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from turnwright.games.tank.bots.bot import Bot
from turnwright.games.tank.bots.identity import GameInfo
from turnwright.games.tank.envs.actions import wishes_of
from turnwright.games.tank.envs.features import OTHER, OWN, SeatMemory, features_of, write
from turnwright.games.tank.envs.policy import Policy, load
from turnwright.games.tank.observation import Observation
from turnwright.net.files.new_file import whole_folder, write_file

__all__ = ["PolicyBot", "write_bot"]

_SOURCE = '''\
"""{name}: a trained policy. It needs turnwright and NumPy: pip install 'turnwright[envs]'."""

from pathlib import Path

from turnwright.games.tank.envs.policy_bot import PolicyBot


class {name}(PolicyBot):
    policy_file = Path(__file__).with_name("policy.npz")


if __name__ == "__main__":
    {name}.main()
'''
_CONFIG = """\
{{
  "name": "{name}",
  "version": "1.0",
  "authors": ["unknown"],
  "description": "A trained policy.",
  "platform": "Python",
  "programmingLang": "Python"
}}
"""


class PolicyBot(Bot):
    """A bot that does what a policy says. policy_file: its file.

    It sees what the policy saw in training: `features.write` makes the same numbers of an observation. It
    plays battles without teams.
    """

    policy_file: Path | None = None
    authors = ("unknown",)

    def __init__(self, policy: Policy | None = None) -> None:
        super().__init__()
        if policy is None:
            assert self.policy_file is not None, "give the class a policy_file"
            policy = load(Path(self.policy_file))
        self.policy = policy
        self.seats = (len(policy.features) - OWN) // OTHER + 1
        self.adjust_gun_for_body_turn = self.adjust_radar_for_body_turn = True
        self.adjust_radar_for_gun_turn = True
        self.fire_assist = False

    def on_game_started(self, info: GameInfo) -> None:
        """Check that the policy is for this battle. Raises: SetupError where it is not."""
        self.policy.check(features_of(info.arena_width, info.arena_height, self.seats))
        self.memory = SeatMemory(
            info.my_id - 1, range(self.seats), float(info.arena_width), float(info.arena_height)
        )

    def on_tick(self, observation: Observation) -> None:
        """Do what the policy says."""
        seen = write(observation, self.memory)
        if (observation.turn_number - 1) % self.policy.frame_skip == 0:
            numbers = np.array(seen, np.float32)
            self.wishes = wishes_of(self.policy(numbers[None])[0])
        speed, turn, gun, radar, power = self.wishes
        self.target_speed, self.turn_rate = speed, turn
        self.gun_turn_rate, self.radar_turn_rate = gun, radar
        if power > 0.0:
            self.fire(power)


def write_bot(policy: Path, directory: Path) -> None:
    """Write a bot directory for a policy; its name is the bot's.

    Raises: SetupError for a file that is no policy, OSError for a directory that cannot be written.
    """
    load(policy)
    data = policy.read_bytes()
    name = directory.name
    with whole_folder(directory) as filled:
        write_file(filled / f"{name}.py", _SOURCE.format(name=name))
        write_file(filled / f"{name}.json", _CONFIG.format(name=name))
        write_file(filled / "policy.npz", data)
