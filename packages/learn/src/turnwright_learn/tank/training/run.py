"""A training in a folder, which resumes where it stopped.

MyAgent/MyAgent.py, MyAgent.json, policy.npz     the bot as it is now
MyAgent/training/checkpoint.pt                   all that the training resumes from
MyAgent/training/progress.jsonl, progress.svg    figures of each window of some seconds, and their chart
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from turnwright.errors import SetupError
from turnwright.net.files.new_file import write_file
from turnwright_learn.tank.batch import built_in_bots_for
from turnwright_learn.tank.opponents import OpponentPool, Rated
from turnwright_learn.tank.policy import CHOICES, Policy
from turnwright_learn.tank.policy_bot import write_bot_files
from turnwright_learn.tank.training.chart import Line, Panel, chart
from turnwright_learn.tank.training.ppo import Learner, PpoSettings
from turnwright_learn.tank.training.sparring import seesaw
from turnwright_learn.tank.training.window import Window, interval
from turnwright_learn.tank.vector import TankVectorEnv
from turnwright_tank.bots.house import HOUSE
from turnwright_tank.envs.spaces import seats_of

FORMAT = 4
"""The version of checkpoints."""
_KEPT_EVERY_S = 10.0
_ACE_FIRST, _ACE_LAST = 0.3, 0.85
"""The part of the pool's games that is against Ace, at the beginning and at the end."""
_CHECKPOINT_MAX = 1 << 30


@dataclass(frozen=True)
class Trial:
    """Battles of a policy's bot against a built-in bot.

    Attributes:
        won: the part of the battles that the policy won.
        low, high: its 95 % interval.
    """

    opponent: str
    battles: int
    won: float
    low: float
    high: float


class Training:
    """A training in a folder. The constructor resumes an earlier training there, or creates the folder.

    Args:
        folder: the folder. Its name is the bot's name.
        for_s: the total seconds of training, including earlier runs.

    Raises:
        SetupError: the folder contains other files, or a training with other settings.
    """

    def __init__(self, folder: Path, settings: PpoSettings, for_s: float) -> None:
        self.folder, self.settings, self.for_s = folder, settings, for_s
        self._files = folder / "training"
        kept = self._checkpoint()
        bots = built_in_bots_for(len(seats_of(settings.env)))
        self.pool = OpponentPool({name: name for name in bots}, seed=settings.seed)
        self.pool.add("Seesaw", seesaw)
        self.learner = Learner(settings, self.pool, begun=0 if kept is None else kept["counts"][0])
        if kept is not None:
            self._take_up(kept)
        self._windows = Window(self.learner.rated)
        self._files.mkdir(parents=True, exist_ok=True)
        self._lines = self._read_lines()

    @property
    def seconds(self) -> float:
        """The seconds of training so far, including earlier runs."""
        return self.learner.seconds

    def run(self, told: Callable[[Window], None] = lambda _: None) -> None:
        """Train until the training has taken `for_s` seconds. Call this once.

        The files are written every ten seconds and at the end, even if the call is interrupted.

        Args:
            told: is called with the figures after each update.

        Raises:
            OSError: a file cannot be written.
        """
        writer = _tensorboard(self._files)
        kept_s = self.seconds
        try:
            for window in self._updates():
                told(window)
                if self.seconds - kept_s >= _KEPT_EVERY_S:
                    kept_s = self.seconds
                    self._close_window(writer)
                    self.keep()
        finally:
            self.learner.close()
            self._close_window(writer)
            self.keep()
            if writer is not None:
                writer.close()

    def _updates(self) -> Iterator[Window]:
        learner = self.learner
        while learner.seconds < self.for_s:
            part_done = min(learner.seconds / self.for_s, 1.0)
            if "Ace" in self.pool.shown:
                self.pool.set_shares({"Ace": _ACE_FIRST + (_ACE_LAST - _ACE_FIRST) * part_done})
            update = learner.update(part_done)
            self._windows.take(update, learner.rated)
            yield self._windows

    # ---- files ---------------------------------------------------------------------------------------------

    def keep(self) -> None:
        """Write the bot, the checkpoint and the chart.

        Each is written as a new file first, which then replaces the old one.

        Raises:
            OSError: a file cannot be written.
        """
        write_bot_files(self.learner.policy(), self.folder)
        buffer = io.BytesIO()
        learner = self.learner
        torch.save(
            {
                "format": FORMAT,
                "settings": json.dumps(asdict(self.settings)),
                "network": learner.network.state_dict(),
                "average": learner.average.state_dict(),
                "optimizer": learner.optimizer.state_dict(),
                "counts": [learner.updates, learner.turns, learner.seconds],
                "rated": {name: list(asdict(rated).values()) for name, rated in learner.rated.items()},
            },
            buffer,
        )
        write_file(self._files / "checkpoint.pt", buffer.getvalue())
        write_file(self._files / "progress.svg", training_chart(self.folder.name, self._lines))

    def _checkpoint(self) -> dict[str, Any] | None:
        """Return the checkpoint of an earlier run, or None for a new training.

        Raises:
            SetupError: the file is not a checkpoint of this version, it was trained with other settings, or
                the folder is not free for a new training.
        """
        path = self._files / "checkpoint.pt"
        if not path.exists():
            _check_free(self.folder)
            return None
        if path.stat().st_size > _CHECKPOINT_MAX:
            raise SetupError(f"{path} has more than {_CHECKPOINT_MAX >> 30} GiB: that is not a checkpoint")
        try:
            kept: dict[str, Any] = torch.load(path, weights_only=True)
            found, settings = kept["format"], json.loads(kept["settings"])
        except Exception as error:  # PyTorch names no type for damaged files
            raise SetupError(f"{path} is not a checkpoint of a training: {error}") from error
        if found != FORMAT:
            raise SetupError(f"{path} has version {found!r} of the format; this turnwright reads {FORMAT}")
        for name, wanted in json.loads(json.dumps(asdict(self.settings))).items():
            if name != "threads" and settings.get(name) != wanted:
                raise SetupError(
                    f"{self.folder} was trained with {name} {settings.get(name)!r}, not {wanted!r}: give the"
                    " same, or another folder"
                )
        return kept

    def _take_up(self, kept: dict[str, Any]) -> None:
        learner = self.learner
        try:
            learner.network.load_state_dict(kept["network"])
            learner.average.load_state_dict(kept["average"])
            learner.optimizer.load_state_dict(kept["optimizer"])
            learner.updates, learner.turns, learner.seconds = kept["counts"]
            for name, rated in kept["rated"].items():
                self.pool.set_rated(name, Rated(*rated))
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise SetupError(f"{self._files / 'checkpoint.pt'} is of another version: {error}") from error

    # ---- figures -------------------------------------------------------------------------------------------

    def _read_lines(self) -> list[dict[str, Any]]:
        """Return the figures of earlier runs up to the checkpoint, and remove later ones from their file."""
        path = self._files / "progress.jsonl"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        found = []
        for line in text.splitlines():
            try:
                figures = json.loads(line)
            except ValueError:
                break  # the last line of a run that was killed
            if figures["seconds"] > self.seconds + 1e-6:
                break
            found.append(figures)
        write_file(path, "".join(json.dumps(one) + "\n" for one in found))
        return found

    def _close_window(self, writer: Any) -> None:
        figures = self._windows.figures()
        self._windows = Window(self.learner.rated)
        if figures is None:
            return
        self._lines.append(figures)
        with (self._files / "progress.jsonl").open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(figures) + "\n")
        if writer is not None:
            for name in ("return", "won", "entropy"):
                if figures[name] is not None:
                    writer.add_scalar(name, figures[name], figures["turns"])
            for name, (_, won, *_) in figures["against"].items():
                writer.add_scalar(f"won/{name}", won, figures["turns"])


def training_chart(name: str, lines: list[dict[str, Any]]) -> str:
    """Return the chart of a training as an SVG document.

    Args:
        lines: the figures of its windows.
    """
    against = sorted({bot for line in lines for bot in line["against"]})
    won = [
        Line(
            bot,
            [
                (line["seconds"] / 60.0, *_percent(line["against"][bot]))
                for line in lines
                if bot in line["against"]
            ],
            banded=True,
        )
        for bot in against
    ]
    returns = [
        (line["seconds"] / 60.0, line["return"], line["return_low"], line["return_high"])
        for line in lines
        if line["return"] is not None
    ]
    return chart(
        f"Training of {name}",
        "minutes",
        [
            Panel("Battles won against each opponent, %, with 95 % intervals", won, 0.0, 100.0),
            Panel("Return of an episode, with 95 % interval of its mean", [Line("return", returns, True)]),
        ],
    )


def _percent(against: list[float]) -> tuple[float, float, float]:
    """Return the part of won battles against an opponent and its interval, in percent."""
    _, won, low, high = against
    return 100.0 * won, 100.0 * low, 100.0 * high


def try_policy(policy: Policy, *, env: str = "TankDuel-v0", battles: int = 200) -> list[Trial]:
    """Let a policy play against each built-in bot that plays in batches, and return the results.

    The policy acts like its bot. Battles have one round of at most 5000 turns, and a draw counts half.

    Args:
        battles: the number of battles against each bot.
    """
    found = []
    chance = np.random.default_rng(0)
    for name in built_in_bots_for(policy.seats):
        envs = TankVectorEnv(
            battles,
            env=env,
            opponents=name,
            frame_skip=policy.frame_skip,
            autoreset_mode="Disabled",
            max_turns=5000,
        )
        observations, _ = envs.reset(seed=0)
        over, survival = np.zeros(battles, np.bool_), np.zeros(battles)
        while not over.all():
            observations, _, terminated, truncated, infos = envs.step(
                policy.draw(observations, chance.random((battles, CHOICES)))
            )
            survival += np.where(over, 0.0, infos["reward_terms"]["survival"])
            over |= terminated | truncated
        won = float((0.5 + 0.5 * survival).mean())
        found.append(Trial(name, battles, won, *interval(won, battles)))
    return found


def _check_free(folder: Path) -> None:
    """Check that a folder can become a bot directory. Its name must be a bot's name, and it must be empty or
    missing.

    Raises:
        SetupError: a bot cannot have the name of the folder, or the folder contains other files.
    """
    if not folder.name.isidentifier() or folder.name in HOUSE:
        raise SetupError(
            f"the bot of {str(folder)!r} cannot be called {folder.name!r}: give a folder whose name has"
            " only letters, digits and _, begins with a letter, and is not the name of a built-in bot"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise SetupError(f"{folder} contains files that do not belong to a training: give a new folder")


def _tensorboard(folder: Path) -> Any:
    """Return a writer for TensorBoard, or None if it is not installed."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    return SummaryWriter(folder / "tensorboard")
