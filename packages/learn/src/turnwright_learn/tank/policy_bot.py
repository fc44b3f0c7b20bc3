"""A bot that plays by a policy.

    from pathlib import Path
    from turnwright_learn.tank.policy_bot import PolicyBot

    class MyAgent(PolicyBot):
        policy_file = Path(__file__).with_name("policy.npz")

    if __name__ == "__main__":
        MyAgent.main()

With MyAgent.json and policy.npz, this file in a folder MyAgent is a bot directory. It plays in battles, in
tournaments and on the official server. It needs NumPy and turnwright. If policy_file ends in .onnx, it is a
policy of another library, see `onnx_policy`. Then `frame_skip` is the number of turns for which its actions
are repeated.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from turnwright.errors import SetupError
from turnwright.net.files.new_file import whole_folder, write_file
from turnwright_learn.tank.onnx_policy import OnnxPolicy, load_onnx
from turnwright_learn.tank.policy import CHOICES, Policy, load
from turnwright_tank.bots.bot import Bot
from turnwright_tank.bots.identity import GameInfo
from turnwright_tank.envs.actions import wishes_of
from turnwright_tank.envs.features import SeatMemory, features_of, write
from turnwright_tank.observation import Observation

_SOURCE = '''\
"""{name}: a trained policy. It needs turnwright with an extra: pip install 'turnwright[{extra}]'."""

import sys
from pathlib import Path

try:
    from turnwright_learn.tank.policy_bot import PolicyBot
except ImportError as error:
    sys.exit(f"{{error}}; install it for {{sys.executable}}: pip install 'turnwright[{extra}]'")


class {name}(PolicyBot):
    policy_file = Path(__file__).with_name("{policy}"){more}


if __name__ == "__main__":
    {name}.main()
'''
_CONFIG = """\
{{
  "name": "{name}",
  "version": "1.0",
  "authors": ["unknown"],
  "description": "A trained policy.",
  "gameTypes": {game_types},
  "platform": "Python",
  "programmingLang": "Python"
}}
"""


class PolicyBot(Bot):
    """A bot that plays by a policy.

    It sees what the policy saw in training, because `features.write` makes the same numbers of an
    observation. It plays battles with the same number of tanks as in training, and without teams.

    Args:
        policy: the policy, or None to load the policy of `policy_file`.

    Attributes:
        policy_file: the policy's file.
        frame_skip: the frame skip of the training, for a policy of another library. Our own files contain it.

    Raises:
        SetupError: the file is not a policy.
    """

    policy_file: Path | None = None
    frame_skip: int = 1
    authors = ("unknown",)

    def __init__(self, policy: Policy | OnnxPolicy | None = None) -> None:
        super().__init__()
        if policy is None:
            assert self.policy_file is not None, "give the class a policy_file"
            policy = _loaded(Path(self.policy_file), self.frame_skip)
        self.policy = policy
        self.seats = policy.seats
        self.adjust_gun_for_body_turn = self.adjust_radar_for_body_turn = True
        self.adjust_radar_for_gun_turn = True
        self.fire_assist = False

    def on_game_started(self, info: GameInfo) -> None:
        """Begin with an empty memory, after checking that the policy is for this battle.

        Raises:
            SetupError: the policy is for other battles.
        """
        self.policy.check(features_of(info.arena_width, info.arena_height, self.seats))
        self._check_tanks(info.my_id)
        self.memory = SeatMemory(
            info.my_id - 1, range(self.seats), float(info.arena_width), float(info.arena_height)
        )

    def _check_tanks(self, tanks: int, *, exactly: bool = False) -> None:
        if tanks > self.seats or (exactly and tanks != self.seats):
            raise SetupError(
                f"the policy of {type(self).__name__} plays battles of {self.seats} tanks, as in its"
                f" training; here are {tanks}"
            )

    def on_tick(self, observation: Observation) -> None:
        """Act by the policy, which chooses a new action after every `frame_skip` turns.

        Raises:
            SetupError: the battle has more or fewer tanks than the training.
        """
        self._check_tanks(observation.bot_state.enemy_count + 1, exactly=observation.turn_number == 1)
        seen = write(observation, self.memory)
        if (observation.turn_number - 1) % self.policy.frame_skip == 0:
            numbers = np.array(seen, np.float32)
            self.wishes = wishes_of(self._act(numbers[None])[0])
        speed, turn, gun, radar, power = self.wishes
        self.target_speed, self.turn_rate = speed, turn
        self.gun_turn_rate, self.radar_turn_rate = gun, radar
        if power > 0.0:
            self.fire(power)

    def _act(self, observations: Any) -> Any:
        if isinstance(self.policy, OnnxPolicy) or not self.policy.drawn:
            return self.policy(observations)
        return self.policy.draw(observations, np.array([[self.random.random() for _ in range(CHOICES)]]))


def _loaded(path: Path, frame_skip: int) -> Policy | OnnxPolicy:
    return load_onnx(path, frame_skip) if path.suffix == ".onnx" else load(path)


def write_bot(policy: str | Path, directory: str | Path, *, frame_skip: int = 1) -> None:
    """Write a bot directory for a policy's file. The directory's name is the bot's name.

    Args:
        policy: a .npz file, or an .onnx file of another library.
        frame_skip: the number of turns for which an action of an .onnx policy is repeated.

    Raises:
        SetupError: the file is not a policy.
        OSError: the directory already exists or cannot be written.
    """
    policy, directory = Path(policy), Path(directory)
    seats = _loaded(policy, frame_skip).seats
    data, kept = policy.read_bytes(), "policy.onnx" if policy.suffix == ".onnx" else "policy.npz"
    with whole_folder(directory) as filled:
        for name, text in _bot_files(directory.name, kept, frame_skip, seats).items():
            write_file(filled / name, text)
        write_file(filled / kept, data)


def write_bot_files(policy: Policy, directory: Path) -> None:
    """Write a policy's bot into a folder. Replace an earlier policy there, but not the bot's other files.

    Raises:
        OSError: the folder cannot be written.
    """
    directory.mkdir(parents=True, exist_ok=True)
    policy.save(directory / "policy.npz")
    for name, text in _bot_files(directory.name, "policy.npz", policy.frame_skip, policy.seats).items():
        if not (directory / name).exists():
            write_file(directory / name, text)


def _bot_files(name: str, policy: str, frame_skip: int, seats: int) -> dict[str, str]:
    extra, more = ("onnx", f"\n    frame_skip = {frame_skip}") if policy.endswith(".onnx") else ("learn", "")
    source = _SOURCE.format(name=name, policy=policy, extra=extra, more=more)
    game_types = json.dumps(["classic", "1v1"] if seats == 2 else ["classic", "melee"])
    return {f"{name}.py": source, f"{name}.json": _CONFIG.format(name=name, game_types=game_types)}
