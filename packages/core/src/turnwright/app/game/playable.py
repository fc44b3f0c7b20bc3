"""A game with all its parts. A command finds it once and passes it on.

find_game("snake")    the parts that the game's GamePackage names
find_game("./chess")  the same for a folder; parts that are not named have defaults for any game
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TextIO

from turnwright._version import __version__
from turnwright.app.function_bots import FunctionBots
from turnwright.app.game.battles import GameBattles
from turnwright.app.game.records import GameRecords
from turnwright.app.game.results import GameResults
from turnwright.app.options import BattleOptions, GenericBattleOptions, ServeOptions
from turnwright.app.prepared_battle import NewGame, PreparedBattle
from turnwright.catalog import FoundGame, find, with_parts
from turnwright.errors import RecordError
from turnwright.host.generic_protocol import GenericProtocol
from turnwright.host.protocol import BattleSetup, GameProtocol
from turnwright.kernel.checked_game import CheckedGame
from turnwright.kernel.game import Game
from turnwright.net.files.battle_record import BattleRecord
from turnwright.net.http.analysis import OnStart, analysis_of
from turnwright.net.participants.game_bots import GameBots
from turnwright.net.participants.seating import Entrant


class PlayableGame(FoundGame):
    """A game that was found, with its parts or their defaults.

    A part that cannot be loaded raises GameError. To use the game in another process, pass its `place`. That
    process finds the game again.
    """

    @property
    def options(self) -> type[BattleOptions]:
        """The class of the options of a battle."""
        found: type[BattleOptions] = self.part("options") or GenericBattleOptions
        return found

    @property
    def serve_options(self) -> type[ServeOptions]:
        """The class of the options of a server."""
        found: type[ServeOptions] = self.part("serve_options") or ServeOptions
        return found

    def protocol(self, options: BattleOptions | ServeOptions | None = None) -> GameProtocol:
        """Return the wire protocol of a server.

        Args:
            options: the options of a battle or server. None means that the options have their defaults.

        Raises:
            SetupError: the game does not have one of the settings.
        """
        make = self.part("protocol")
        if make is not None:
            found: GameProtocol = make(self.rules(), options)
            return found
        settings = {} if options is None else options.game_settings()
        return GenericProtocol(self.rules(), f"turnwright {__version__}", settings)

    @cached_property
    def bots(self) -> GameBots:
        """The game's built-in bots, and how bots in this process play it.

        Raises:
            GameError: the bots cannot be loaded.
        """
        part = self.part("bots")
        return part if isinstance(part, GameBots) else FunctionBots(self, part)

    @cached_property
    def battles(self) -> GameBattles:
        """The game's battles: their settings, their rules, and their play in one process."""
        kind: type[GameBattles] = self.part("battles") or GameBattles
        return kind(self)

    @cached_property
    def results(self) -> GameResults:
        """The game's results: their ranking, their columns, and the part of them that a record stores."""
        kind: type[GameResults] = self.part("results") or GameResults
        return kind(self)

    @cached_property
    def records(self) -> GameRecords:
        """The game's records: rules, page, story, and seats that are played again."""
        kind: type[GameRecords] = self.part("records") or GameRecords
        return kind(self)

    @property
    def display(self) -> Callable[[TextIO], Any] | None:
        """The function that makes a display of a running battle as text in a terminal. The display is like
        `LiveDisplay`, with a method `take`. None means that the game has no such display.
        """
        found: Callable[[TextIO], Any] | None = self.part("display")
        return found

    @property
    def environments(self) -> Mapping[str, Mapping[str, Any]]:
        """The settings of the game's environments for learners, by the name of the environment."""
        found: Mapping[str, Mapping[str, Any]] = self.part("environments")
        return found

    def explained(self, path: Path, on_start: OnStart = lambda _: None) -> bytes:
        """Return the analysis of a record as JSON. `AnalysisProcess` calls this method.

        The method waits for another process, which computes the analysis.

        Args:
            on_start: called with this process.

        Raises:
            RecordError: the record cannot be analysed.
        """
        return analysis_of(path, on_start, self.package.analysis)

    def prepared(
        self,
        options: BattleOptions,
        setup: BattleSetup,
        places: Sequence[Entrant],
        seed: int,
        record_files: BattleRecord,
        new_game: NewGame,
        on_spectator_message: Callable[[bytes], None] | None = None,
    ) -> PreparedBattle:
        """Return a battle of this game that is ready to begin. See `PreparedBattle` for the arguments.

        Raises:
            SetupError: the game does not have one of the settings.
        """
        return PreparedBattle(
            options,
            setup,
            places,
            seed,
            record_files,
            new_game,
            self,
            protocol=self.protocol(options),
            tolerant=self.battles.is_tolerant(options),
            follower=self.battles.follower,
            on_spectator_message=on_spectator_message,
        )

    def spectators_see(self) -> str:
        """Return one line that describes what spectators see during a battle."""
        game = self.rules()
        kind = type(game.game if isinstance(game, CheckedGame) else game)
        if kind.live_frame is not Game.live_frame:
            return f"spectators see what live_frame() of {game.name} returns, while a battle is played"
        return f"spectators see the whole state of {game.name} in every turn, while a battle is played"


def find_game(name: str, *, installed_only: bool = False) -> PlayableGame:
    """Return a game by its name, or by the path of its folder (see `catalog.find`).

    Raises:
        SetupError: there is no such game.
    """
    found = find(name, installed_only=installed_only)
    return PlayableGame(found.name, found.module, found.attribute, found.folder)


def game_of_recordings() -> PlayableGame:
    """Return the game that reads Tank Royale recordings, which do not name a game. To find it, load games.

    Raises:
        RecordError: no installed game reads them.
    """
    for game in with_parts():
        if game.package.recordings:
            return find_game(game.name)
    raise RecordError("it is a Tank Royale recording, and no installed game reads these")
