"""The settings of a comparison, and the programs that take part in it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from turnwright.app.option_fields import argument, check_types, option
from turnwright.app.options import check_seed
from turnwright.errors import SetupError
from turnwright.net.participants.directory import BotEntry, load, members, scan
from turnwright.net.participants.game_bots import GameBots
from turnwright.net.participants.seating import entrants_of
from turnwright_league.app.folder import bot_of
from turnwright_league.app.options import JobsChoice
from turnwright_league.tournament.sequential import BLOCK_ROUNDS, BLOCKS_MAX, BLOCKS_MIN, MARGIN_POINTS

OLD, NEW = "old", "new"
"""The names of the two programs in a battle's specification. An opponent has its name and version."""
OPPONENTS_MAX = 100
"""The most opponents of a comparison."""
_ROUNDS_MIN, _ROUNDS_MAX = BLOCKS_MIN * BLOCK_ROUNDS, BLOCKS_MAX * BLOCK_ROUNDS


@dataclass(frozen=True, kw_only=True)
class CompareOptions(JobsChoice):
    """The settings of a comparison.

    Attributes:
        old, new: the two versions, each in any form that `run_battle` accepts.
        against: the opponents of both, or a directory of bot directories. Without opponents, OLD and NEW play
            each other.
        points: the difference in points of score share that matters.
        rounds_max: the most rounds of NEW against each opponent.
        jobs: the number of battles at the same time. None means the number of processors.
        seed: the seed of the comparison.

    Raises:
        SetupError: a value is out of its range.
    """

    old: Any = argument(
        "OLD", "the version to compare with: a built-in bot, a bot directory or a team directory", read=str
    )
    new: Any = argument(
        "NEW", "the version that may be better: a built-in bot, a bot directory or a team directory", read=str
    )
    against: tuple[Any, ...] = option(
        (),
        "an opponent that OLD and NEW both play against: a built-in bot, a bot directory, or a directory of"
        " bot directories (the option may be repeated, by default OLD and NEW play each other)",
        metavar="BOT",
        many=True,
        often=True,
    )
    points: float = option(
        MARGIN_POINTS,
        "the smallest difference that matters to you, in points. A point is one hundredth of the score of a"
        " battle (default: {default})",
        metavar="X",
        often=True,
    )
    rounds_max: int = option(
        _ROUNDS_MAX,
        'end with the verdict "undecided" after this number of rounds against each opponent (default:'
        " {default})",
        "--max-rounds",
        metavar="N",
    )
    seed: int = option(1, "random seed of the comparison (default: {default})", "-s", "--seed", metavar="N")

    def __post_init__(self) -> None:
        check_types(self)
        super().__post_init__()
        check_seed("seed", self.seed)
        if not 0.1 <= self.points <= 50:
            raise SetupError(f"--points is {self.points:g}: give 0.1 to 50 points of score share")
        if not _ROUNDS_MIN <= self.rounds_max <= _ROUNDS_MAX:
            raise SetupError(
                f"--max-rounds is {self.rounds_max}: give {_ROUNDS_MIN} to {_ROUNDS_MAX:,}; no verdict is"
                " possible earlier"
            )


@dataclass(frozen=True, slots=True)
class ComparedBot:
    """A program of a comparison.

    Attributes:
        given: the bot as `run_battle` takes it.
        seats: the number of seats that it takes.
        source: the hash of its directory, or None for other bots.
    """

    name: str
    version: str
    given: Any
    seats: int = 1
    source: str | None = None

    @property
    def label(self) -> str:
        """The bot's name and version."""
        return f"{self.name} {self.version}".strip()


def compared_bots(options: CompareOptions, bots: GameBots, python: str | None) -> dict[str, ComparedBot]:
    """Return the programs: OLD, NEW, and the opponents by label.

    Raises:
        SetupError: something is not a bot, or two bots cannot be distinguished.
    """
    old, new = _bot(options.old, bots), _bot(options.new, bots)
    own = {bot.given for bot in (old, new) if bot.source is not None}
    found: dict[str, ComparedBot] = {}
    for given in options.against:
        for one in _opponents(given, bots, own):
            other = found.setdefault(one.label, one)
            if other.given != one.given:
                raise SetupError(
                    f"two opponents are called {one.label} ({other.given} and {one.given}), and a server"
                    ' cannot distinguish them: change the "version" in the JSON file of one of them'
                )
    if options.against and not found:
        raise SetupError(
            f"no opponent is in {options.against[0]}: it contains only OLD or NEW. Name other opponents"
        )
    if len(found) > OPPONENTS_MAX:
        raise SetupError(f"{len(found)} opponents are given: at most {OPPONENTS_MAX} play")
    if old.given == new.given:
        raise SetupError(f"OLD and NEW are both {old.given}: name two versions of a bot")
    _refuse_alike(old, new, found)
    entrants_of(
        [one.given for one in (old, new, *found.values())], bots, python
    )  # refuses a name in `python` that is not a bot
    return {OLD: old, NEW: new, **found}


def _bot(given: Any, bots: GameBots) -> ComparedBot:
    entrants_of([given], bots)  # says what is wrong with it
    if not isinstance(given, str | os.PathLike):
        return ComparedBot(bots.name_of(given), "", given)
    if isinstance(given, str) and given in bots.built_in:
        program = bots.built_in_program(given)
        return ComparedBot(program.name, program.version, given)
    return _of_directory(load(given))


def _of_directory(entry: BotEntry) -> ComparedBot:
    found = bot_of(entry, "")
    given = os.path.abspath(entry.directory)
    return ComparedBot(found.entry.name, found.entry.version, given, found.seats, found.entry.source)


def _opponents(given: Any, bots: GameBots, own: set[Any]) -> Iterator[ComparedBot]:
    """Yield an opponent, or the opponents in a directory, without OLD and NEW."""
    path = isinstance(given, str | os.PathLike) and given not in bots.built_in and os.path.isdir(given)
    entries = scan([given]) if path else []
    if not entries or entries[0].directory == os.path.abspath(given) or len(entries) == 1:
        yield _bot(given if not entries else entries[0].directory, bots)
        return
    for one in entries:
        if one.problem is not None:
            raise SetupError(one.problem)
    in_teams = {member.directory for team in entries if team.kind == "team" for member in members(team)}
    for one in entries:
        if one.directory not in in_teams and os.path.abspath(one.directory) not in own:
            yield _bot(one.directory, bots)


def _refuse_alike(old: ComparedBot, new: ComparedBot, opponents: Mapping[str, ComparedBot]) -> None:
    """Refuse two programs with the same name and version in one battle."""
    pairs: Sequence[tuple[ComparedBot, ComparedBot]] = [(old, new)]
    if opponents:
        pairs = [(mine, opponents[mine.label]) for mine in (old, new) if mine.label in opponents]
    for one, two in pairs:
        differ = None not in (one.source, two.source) and one.source != two.source
        if one.label == two.label and differ and one.seats == two.seats == 1:
            raise SetupError(
                f"{one.given} and {two.given} are both {one.label}, and a server cannot distinguish them:"
                ' give one of them another "version" in its JSON file'
            )
