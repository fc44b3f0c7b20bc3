"""PreparedBattle: all that a battle needs to begin, and the source of its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from turnwright import catalog
from turnwright.app.options import BattleOptions
from turnwright.app.progress import Follower
from turnwright.app.results import Progress
from turnwright.app.watch import HandedSpectators
from turnwright.host.protocol import BattleSetup, GameProtocol
from turnwright.kernel.game import Game
from turnwright.net.files.battle_record import BattleRecord
from turnwright.net.participants.forked import Copy
from turnwright.net.participants.seating import Entrant
from turnwright.net.sandbox import SandboxLevel

__all__ = ["Compilation", "OrdinaryRules", "PreparedBattle", "Report", "RulesSource"]

Report = Callable[[Progress], None]
"""Told, about ten times a second, how far a battle has come."""


@dataclass(frozen=True, slots=True)
class Compilation:
    """A program that compiles the rules of a game into a cache.

    argv: its command; it ends when its stdin does (`net.processes.parent_watch.end_with_stdin`).
    about_s: about how many seconds it takes. goes_on_s: how many seconds it may go on without its starter.
    """

    argv: tuple[str, ...]
    about_s: int
    goes_on_s: int = 0


class RulesSource(Protocol):
    """Gives the rules of each battle, perhaps faster ones once they are compiled."""

    def new_game(self, tolerant: bool) -> Game:
        """Return the rules of a battle. tolerant: a stage that fails is skipped."""

    def load_cached(self) -> bool:
        """Load compiled rules; return whether anything is left to compile."""

    def is_preparing(self) -> bool:
        """Return whether faster rules are being prepared."""

    def take_over(self) -> bool:
        """Use the prepared rules, if there are any.

        To be called while no seat waits for a turn.
        """

    async def compile_aside(self) -> None:
        """Compile in another process."""

    def begin_aside(self) -> None:
        """Begin to compile in another process, for a battle that has begun.

        Only if that battle can use it.
        """

    async def end_aside(self) -> None:
        """End the compiling process; finished results are kept."""


class OrdinaryRules:
    """The rules of a game that has one speed."""

    def __init__(self, game: str) -> None:
        self._game = game

    def new_game(self, tolerant: bool) -> Game:
        """Return the rules of a battle."""
        return catalog.load(self._game)

    def load_cached(self) -> bool:
        """Return that nothing is left to compile."""
        return False

    def is_preparing(self) -> bool:
        """Return that nothing is prepared."""
        return False

    def take_over(self) -> bool:
        """Return that there is nothing to take over."""
        return False

    async def compile_aside(self) -> None:
        """Compile nothing."""

    def begin_aside(self) -> None:
        """Begin nothing."""

    async def end_aside(self) -> None:
        """End nothing."""


@dataclass(frozen=True, slots=True)
class PreparedBattle:
    """A battle that can begin.

    Options, settings, participants by seat, rules and record.

    setup: as `GameParts.battle_setup` gave it. protocol: of a server that plays it. tolerant: it goes on
    without a stage of the rules that fails. follower: makes who says how far it is. analysed: whether pages
    can have it analysed. on_spectator_message: gets every message for observers, or None. copies: by seat,
    the processes of bots of this program. sandbox: the level under which bot directories play. spectators:
    handed over by another process, or None. errors_public: the error of a bot that failed, and its last
    lines, are recorded
    and shown to spectators.
    """

    options: BattleOptions
    setup: BattleSetup
    places: Sequence[Entrant]
    seed: int
    record_files: BattleRecord
    rules: RulesSource
    protocol: GameProtocol
    tolerant: bool = False
    follower: Callable[[], Follower] = Follower
    analysed: bool = False
    on_spectator_message: Callable[[bytes], None] | None = None
    copies: Mapping[int, Copy] = field(default_factory=dict)
    sandbox: SandboxLevel = "none"
    spectators: HandedSpectators | None = None
    errors_public: bool = True

    @property
    def recorded_sandbox(self) -> str:
        """The level as the header of a record has it: "" for none."""
        return "" if self.sandbox == "none" else self.sandbox
