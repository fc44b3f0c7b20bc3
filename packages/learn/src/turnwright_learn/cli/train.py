"""`turnwright train FOLDER`: trains a bot by reinforcement learning."""

from __future__ import annotations

import sys
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TextIO

from turnwright.cli.choice import JsonChoice
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.terminal import Style, print_json, table
from turnwright.errors import EXIT_INTERRUPTED, EXIT_OK, SetupError
from turnwright_learn.tank.training.options import TrainOptions

if TYPE_CHECKING:
    from tqdm import tqdm

    from turnwright_learn.tank.training.run import Trial
    from turnwright_learn.tank.training.window import Window

_DESCRIPTION = """\
A small neural network learns by proximal policy optimization (PPO). It plays one of twenty battles against
itself. In the other battles its opponents are Spinner, Rammer, Tracker, Crawler, Dodger, Ace, and a sparring
partner that drives back and forth. The bot plays most often against opponents that are a little better than
itself. The share of battles against Ace grows during the training. The bot gets the same information and has
the same actions as any other bot.

FOLDER becomes a bot directory that can play at any time, also during the training: `turnwright battle
./FOLDER Tracker --watch`. FOLDER/training/ has a checkpoint, and a chart of won battles and returns in
progress.svg. Ctrl-C ends the training and keeps its result. If the training is killed, at most the last ten
seconds are lost. The same command with a longer --for continues the training. If TensorBoard is installed,
`tensorboard --logdir FOLDER` shows the training.

After the training, the bot plays 200 battles of one round against each of these built-in bots, and the
command prints the results. The bot has trained against all of them. The bot's movement is random, so that an
opponent cannot predict it. Its aim is not random. The training needs PyTorch: pip install
'turnwright[train]'."""
_JSON = """\
| Key | Value |
|---|---|
| `bot` | the bot directory |
| `env` | the environment |
| `seconds`, `turns` | the seconds and turns of the training |
| `opponents` | a list with `opponent`, `battles`, `won`, `low`, `high`. `won` is the share of won battles, \
`low` and `high` its 95 % interval |
| `interrupted` | whether Ctrl-C ended the training |"""

_PLAIN_EVERY_S = 10.0
_NEEDED = ("numpy", "gymnasium", "torch")


def run(given: GivenOptions) -> int:
    """Train the bot, test it, print the results, and return the exit code.

    After Ctrl-C, the bot is not tested.

    Raises:
        SetupError: a package for training is missing, or the training cannot begin.
    """
    options = given.make(TrainOptions)
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise SetupError(f"training needs {', '.join(missing)}: pip install 'turnwright[train]'")
    from turnwright_learn.tank.training.ppo import PpoSettings
    from turnwright_learn.tank.training.run import Training, try_policy

    settings = PpoSettings(
        env=options.env, battles=options.battles, seed=options.seed, threads=options.processors
    )
    training = Training(options.folder, settings, options.for_s)
    interrupted = False
    with TrainDisplay(sys.stderr, training.seconds, options.for_s) as display:
        try:
            training.run(display.show)
        except KeyboardInterrupt:
            interrupted = True
    trials = [] if interrupted else try_policy(training.learner.policy(), env=options.env)
    if given.make(JsonChoice).json:
        print_json(_data(options, training, trials, interrupted=interrupted))
    else:
        print("\n".join(_lines(options, training, trials, Style(sys.stdout))), flush=True)
    return EXIT_INTERRUPTED if interrupted else EXIT_OK


class TrainDisplay:
    """Shows a training on a stream: a bar on a terminal, otherwise a line every ten seconds.

    Use it as a context manager. At the end of the block the bar disappears.

    Args:
        begun_s: the time of training in earlier runs, in seconds.
        for_s: the total time of training, in seconds.
    """

    def __init__(self, stream: TextIO, begun_s: float, for_s: float) -> None:
        self._stream, self._begun, self._for = stream, begun_s, for_s
        self._bar: tqdm[Any] | None = None
        self._told_at = time.monotonic()

    def __enter__(self) -> TrainDisplay:
        if Style(self._stream).terminal:
            from tqdm import tqdm

            self._bar = tqdm(
                total=round(self._for),
                initial=round(self._begun),
                file=self._stream,
                leave=False,
                bar_format="{percentage:3.0f}% |{bar}| {n_fmt}/{total_fmt} s{postfix}",
            )
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def show(self, window: Window) -> None:
        """Show the figures of the training so far. Without a bar, print at most one line in ten seconds."""
        if self._bar is not None:
            self._bar.set_postfix_str(_figures(window), refresh=False)
            self._bar.update(min(round(window.seconds), self._bar.total) - self._bar.n)
        elif time.monotonic() - self._told_at >= _PLAIN_EVERY_S:
            self._told_at = time.monotonic()
            print(
                f"{window.seconds:.0f} of {self._for:.0f} s, {_figures(window)}",
                file=self._stream,
                flush=True,
            )


def _figures(window: Window) -> str:
    against = window.against
    battles = sum(number for number, _ in against.values())
    won = sum(number * part for number, part in against.values())
    part = f", won {100.0 * won / battles:.0f} % of the battles against others" if battles else ""
    return f"{window.turns / 1e6:.1f} M turns{part}"


def _data(options: TrainOptions, training: Any, trials: list[Trial], *, interrupted: bool) -> dict[str, Any]:
    return {
        "bot": str(options.folder),
        "env": options.env,
        "seconds": round(training.seconds, 3),
        "turns": training.learner.turns,
        "opponents": [
            {
                "opponent": one.opponent,
                "battles": one.battles,
                "won": one.won,
                "low": one.low,
                "high": one.high,
            }
            for one in trials
        ],
        "interrupted": interrupted,
    }


def _lines(options: TrainOptions, training: Any, trials: list[Trial], style: Style) -> list[str]:
    folder = options.folder if options.folder.is_absolute() else f"./{options.folder}"
    minutes, turns = training.seconds / 60.0, training.learner.turns / 1e6
    lines = [
        style.paint(f"{options.folder.name}: {minutes:.1f} minutes of training, {turns:.1f} M turns", "bold")
    ]
    if trials:
        rows = [
            (one.opponent, f"{100.0 * one.won:.0f} %", f"{100.0 * one.low:.0f} … {100.0 * one.high:.0f} %")
            for one in trials
        ]
        about = f"battles of one round won, of {trials[0].battles} against each, with 95 % intervals"
        lines += ["", *table(("Against", "Won", "Interval"), rows, "<>>", style), "", about]
    lines += [
        "",
        f"watch it: turnwright battle {folder} Tracker --watch",
        f"chart:    {options.folder / 'training' / 'progress.svg'}",
        f"continue: turnwright train {options.folder} --for {_longer(options.for_s)}",
    ]
    return lines


def _longer(for_s: float) -> str:
    """Return double the time, as the command line takes it."""
    return f"{for_s / 30.0:g}m" if for_s >= 60.0 else f"{2.0 * for_s:g}s"


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (TrainOptions, JsonChoice),
    examples={"MyTank": "ten minutes", "MyTank --for 2h": "continue until it has trained for two hours"},
    json=_JSON,
)
