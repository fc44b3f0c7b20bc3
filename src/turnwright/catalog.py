"""The catalogue of games: found by name or folder, loaded when asked for.

Ours are the folders `turnwright/games/*/` with a `game.py`. A package of others names its games as entry
points of the group `turnwright.games` (name = "package.module" or "package.module:Class"). A folder with a
`game.py` is a game, too, wherever it lies: its name is given as a path, e.g. "./chess".
"""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from turnwright.errors import GameError, SetupError
from turnwright.kernel.checked_game import CheckedGame, raised
from turnwright.kernel.game import Game

DEFAULT_GAME = "tank"
"""The game that is played unless another one is named."""
ENTRY_POINTS = "turnwright.games"
WRITTEN = ("setup", "asked", "observe", "resolve", "outcome", "read_intent")
"""The methods that every game writes."""
_FILE = "game.py"
_HELP = "see docs/how-to/add-a-game.md"
_PACKAGE = "turnwright_game_folder_"


class PrintsToStderr(AbstractContextManager[None]):
    """Sends what is printed within it to stderr.

    Stdout is for the results of a command. Each one is entered once. Threads may overlap: none takes the
    stderr of another for stdout.
    """

    def __enter__(self) -> None:
        self._before = sys.stdout
        sys.stdout = sys.stderr

    def __exit__(self, *_: object) -> None:
        if self._before is not sys.stderr:
            sys.stdout = self._before


@dataclass(frozen=True, slots=True)
class Entry:
    """A game that can be loaded. own: whether it is one of ours.

    module: dotted name of the module with the class; kind: the name of the class, or "" for the only one
    there; folder: one outside of any package, or None.
    """

    name: str
    module: str
    kind: str = ""
    folder: Path | None = None
    own: bool = False

    def load(self) -> Game:
        """Return a new instance of the rules.

        Raises: GameError when the game cannot be loaded.
        """
        module = self._module()
        with self.quiet():
            return _instance(self, module)

    def quiet(self) -> AbstractContextManager[None]:
        """Return what code of this game is run in.

        What a game of others prints goes to stderr.
        """
        return nullcontext() if self.own else PrintsToStderr()

    def drawer(self, name: str) -> ModuleType | None:
        """Return another module of the game's folder, e.g. "bots" or "app.records".

        None where there is none.

        Raises: GameError when it cannot be loaded.
        """
        base = self._module().__spec__
        origin = base.origin if base is not None else None
        file = f"{name.replace('.', '/')}.py"
        if origin is None or not (Path(origin).parent / file).is_file():
            return None
        with self.quiet():
            return _imported(f"{self.module.rpartition('.')[0]}.{name}", f"{self.name}: {file}")

    def part(self, name: str) -> ModuleType | None:
        """Return a module of one of our games by its name, or None.

        The name is that in the game's package, e.g. "app.options".

        The game itself is not loaded.
        """
        if not self.own:
            return None
        module = f"{self.module.rpartition('.')[0]}.{name}"
        try:
            known = find_spec(module) is not None
        except ModuleNotFoundError:
            known = False
        return import_module(module) if known else None

    def file(self, name: str) -> Path | None:
        """Return the path of a file in the game's folder, e.g. "view.js".

        None where there is none.
        """
        base = self._module().__spec__
        origin = base.origin if base is not None else None
        path = Path(origin).with_name(name) if origin is not None else None
        return path if path is not None and path.is_file() else None

    def _module(self) -> ModuleType:
        with self.quiet():
            if self.folder is None:
                return _imported(self.module, self.module)
            _open_folder(self.folder, self.module.rpartition(".")[0])
            return _imported(self.module, str(self.folder / _FILE))


def own_names() -> list[str]:
    """Return the names of our games, in order."""
    return sorted(file.parent.name for file in Path(__file__).parent.glob(f"games/*/{_FILE}"))


def names() -> list[str]:
    """Return the names of all games that are installed, in order."""
    return sorted({*own_names(), *(entry.name for entry in _installed())})


def _installed() -> tuple[Entry, ...]:
    """Return the games of other packages."""
    return _installed_on(tuple(sys.path))


@lru_cache(1)
def _installed_on(path: tuple[str, ...]) -> tuple[Entry, ...]:
    """Return the games of the packages on a path. Reading what is installed takes milliseconds."""
    from importlib.metadata import entry_points  # takes its time

    points = entry_points(group=ENTRY_POINTS)
    return tuple(Entry(point.name, point.module, point.attr or "") for point in points)


def find(name: str, *, installed: bool = False) -> Entry:
    """Return a game's entry by its name, or by the path of its folder.

    Nothing of it is loaded.

    installed: by its name alone, for a name that a file gives: no file says which code is run.
    Raises: SetupError when there is none.
    """
    if name in own_names():
        return Entry(name, f"turnwright.games.{name}.game", own=True)
    for entry in _installed():
        if entry.name == name:
            return entry
    if not installed and (folder := _folder_of(name)) is not None:
        return Entry(folder.name, f"{_package_of(folder)}.game", folder=folder)
    known = names()
    if name == DEFAULT_GAME:
        others = ", ".join(known) or "none"
        raise SetupError(
            f"the default game {name!r} is not here: say --game (in Python game=) with one of the others:"
            f" {others}"
        )
    close = get_close_matches(name, known, n=1)
    hint = (
        f"did you mean {close[0]}?" if close else f"the games are {', '.join(known)}, or the path of a folder"
    )
    raise SetupError(f"there is no game {name!r}: {hint}")


def load(name: str, *, installed: bool = False) -> Game:
    """Return a new instance of a game's rules.

    By its name or the path of its folder (see `find`).

    A game of others is checked at every call. Raises: SetupError for an unknown one; GameError, with one line
    that says what is wrong in which file, for one that cannot be loaded.
    """
    return find(name, installed=installed).load()


def given_as(game: Game) -> str | None:
    """Return the name or the folder by which `load` finds a game, or None.

    None: its class is no game of the catalogue.
    """
    kind = type(game.game if isinstance(game, CheckedGame) else game)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if file and kind.__module__.startswith(_PACKAGE):
        return str(Path(file).parent)
    return game.name if game.name in own_names() and type(load(game.name)) is kind else None


def _folder_of(name: str) -> Path | None:
    """Return the folder of a game that was given as a path."""
    path = Path(name).expanduser()
    if path.name == _FILE:
        path = path.parent
    if (path / _FILE).is_file():
        return path.resolve()
    if path.is_dir():
        raise SetupError(
            f"the folder {name} has no {_FILE}: write one, or run `turnwright new game`; {_HELP}"
        )
    return None


def _package_of(folder: Path) -> str:
    letters = "".join(c if c.isascii() and c.isalnum() else f"_{ord(c):x}_" for c in str(folder))
    return _PACKAGE + letters


def _open_folder(folder: Path, package: str) -> None:
    """Make a folder a package, so that its game.py can import from the files beside it."""
    if package in sys.modules:
        return
    init = folder / "__init__.py"
    spec = spec_from_file_location(
        package, init if init.is_file() else None, submodule_search_locations=[str(folder)]
    )
    if spec is None:
        module = ModuleType(package)
        module.__path__ = [str(folder)]
        sys.modules[package] = module
        return
    sys.modules[package] = module_from_spec(spec)
    if spec.loader is None or not init.is_file():
        return
    try:
        spec.loader.exec_module(sys.modules[package])
    except (Exception, SystemExit) as error:
        del sys.modules[package]
        raise GameError(f"{init} cannot be loaded: {raised(error, package)}") from error


def _imported(module: str, where: str) -> ModuleType:
    try:
        return import_module(module)
    except (Exception, SystemExit) as error:
        package = module.rpartition(".")[0]
        raise GameError(f"{where} cannot be loaded: {raised(error, package)}") from error


def _instance(entry: Entry, module: ModuleType) -> Game:
    kind = _kind_of(entry, module)
    missing = [name for name in WRITTEN if name in getattr(kind, "__abstractmethods__", ())]
    if missing:
        raise GameError(
            f"the class {kind.__name__} of the game {entry.name} does not write {', '.join(missing)};"
            f" a game writes {', '.join(WRITTEN)}: {_HELP}"
        )
    if not isinstance(getattr(kind, "name", None), str) or not kind.name:
        raise GameError(
            f'the class {kind.__name__} of the game {entry.name} has no name; write name = "{entry.name}"'
        )
    if not entry.own:
        _check_name(entry, kind)
    try:
        game = kind()
    except (Exception, SystemExit) as error:
        said = raised(error, module.__name__.rpartition(".")[0])
        raise GameError(f"the game {entry.name}: {kind.__name__}() raised {said}") from error
    return game if entry.own else CheckedGame(game, PrintsToStderr)


def _check_name(entry: Entry, kind: type[Game]) -> None:
    """Raise GameError for a name by which the records of a game would not be found."""
    if kind.name in own_names():
        raise GameError(
            f"the class {kind.__name__} of the game {entry.name} has the name {kind.name!r}, which is a game"
            " of turnwright; choose another name"
        )
    if entry.folder is None and kind.name != entry.name:
        raise GameError(
            f"the class {kind.__name__} has the name {kind.name!r}, and its entry point {entry.name!r};"
            " expected the same, since records are found by it"
        )


def _kind_of(entry: Entry, module: ModuleType) -> type[Game]:
    """Return the class of a game."""
    found = [
        value
        for key, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, Game)
        and (key == entry.kind if entry.kind else value.__module__ == module.__name__)
    ]
    if len(found) == 1:
        return found[0]
    wanted = f"a class {entry.kind}" if entry.kind else "one class"
    there = ", ".join(kind.__name__ for kind in found) or "no class of a game"
    raise GameError(
        f"the game {entry.name} has {there}; expected {wanted} derived from turnwright.kernel.game.Game"
        f" in its module; {_HELP}"
    )
