"""PreparedBattle, which contains everything that a battle needs to begin."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from turnwright.app.options import BattleOptions
from turnwright.app.progress import Follower
from turnwright.app.results import Progress
from turnwright.catalog import FoundGame
from turnwright.host.protocol import BattleSetup, GameProtocol
from turnwright.host.summary import BattleSummary
from turnwright.kernel.game import Game
from turnwright.kernel.printed import BATTLE_CHARS_MAX
from turnwright.net.files.battle_record import BattleRecord
from turnwright.net.participants.forked import Copy
from turnwright.net.participants.seating import Entrant
from turnwright.net.sandbox import SandboxLevel

if TYPE_CHECKING:
    from turnwright.app.watch import HandedSpectators

Report = Callable[[Progress], None]
"""Called about ten times per second with the progress of the battle."""


NewGame = Callable[[bool], Game]
"""Makes the rules of a battle. The argument is whether the battle skips a stage of the rules that fails."""


@dataclass(frozen=True, slots=True)
class PreparedBattle:
    """A battle that is ready to begin.

    Attributes:
        setup: the settings that `GameBattles.setup` returned.
        places: the participants by seat.
        game: the game of the battle. Its rules have time limits, and spectators see its page.
        protocol: the protocol of a server that plays the battle.
        tolerant: whether the battle skips a stage of the rules that fails, and continues.
        follower: makes the object that reports the progress of the battle.
        on_spectator_message: called with every message for observers, or None.
        copies: by seat, the processes that run bots of this program.
        sandbox: the sandbox level of bot directories.
        spectators: spectators that another process passes on, or None.
        errors_public: whether the errors of failed bots, and the output of bots, are recorded and shown to
            spectators.
        prints_max: the number of characters of each bot's output that are kept.
        stepped: whether the battle is paused and plays single turns on request.
        on_over: called at the end of a battle whose turns do not wait for spectators. The arguments are the
            outcome and whether a page is open (see `Watching.on_over`).
    """

    options: BattleOptions
    setup: BattleSetup
    places: Sequence[Entrant]
    seed: int
    record_files: BattleRecord
    new_game: NewGame
    game: FoundGame
    protocol: GameProtocol
    tolerant: bool = False
    follower: Callable[[], Follower] = Follower
    on_spectator_message: Callable[[bytes], None] | None = None
    copies: Mapping[int, Copy] = field(default_factory=dict)
    sandbox: SandboxLevel = "none"
    spectators: HandedSpectators | None = None
    errors_public: bool = True
    prints_max: int = BATTLE_CHARS_MAX
    stepped: bool = False
    on_over: Callable[[BattleSummary, bool], float | None] = lambda summary, is_watched: None

    @property
    def recorded_sandbox(self) -> str:
        """The sandbox level as the header of a record stores it: "full", or "" for "none"."""
        return "" if self.sandbox == "none" else self.sandbox
