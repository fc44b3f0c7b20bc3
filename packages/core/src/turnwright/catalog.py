"""The catalogue of games. It finds a game by name or folder, and loads it when it is needed.

A package lists its games as entry points of the group `turnwright.games`. Our own packages do so, too. The
value of an entry point is "package:GAME" for a `GamePackage`, or "package.module:Class" for a class of rules.
Any folder with a `game.py` is a game, too. The user names such a game by its path, e.g. "./chess".
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from difflib import get_close_matches
from functools import cached_property, lru_cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any

from turnwright.errors import GameError, SetupError
from turnwright.game_package import GamePackage

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from turnwright.kernel.game import Game
# The kernel is imported only when a game is loaded, because the list of commands does not need it.

ENTRY_POINTS = "turnwright.games"
DEFAULT_ENTRY_POINT = "turnwright.default_game"
"""The group in which a package names the game that is played unless the user names another one."""
WRITTEN = ("setup", "asked", "observe", "resolve", "outcome", "read_intent")
"""The methods that every game must write."""
_FILE = "game.py"
_OBJECT = "GAME"
_HELP = "see the page 'Add a game' (`turnwright docs`)"
_PACKAGE = "turnwright_game_folder_"


class PrintsToStderr(AbstractContextManager[None]):
    """A context in which `sys.stdout` is stderr, because stdout is for the results of a command.

    The context affects all threads. Enter each instance only once. Instances in several threads may overlap:
    an instance restores stdout only if it has replaced it.
    """

    def __enter__(self) -> None:
        self._before = sys.stdout
        sys.stdout = sys.stderr

    def __exit__(self, *_: object) -> None:
        if self._before is not sys.stderr:
            sys.stdout = self._before


class FoundGame:
    """A game that was found. Each of its parts is loaded when it is needed.

    Loading executes the game's code, and raises GameError if that fails.

    Args:
        name: the game's name. For a game given as a path, the name of its folder.
        module: the dotted name of the module with the object or class.
        attribute: the name of the object or class in the module, or "" if the module has only one.
        folder: the game's folder, if the game is not in an installed package.
    """

    def __init__(self, name: str, module: str, attribute: str = "", folder: Path | None = None) -> None:
        self.name, self.module, self.attribute, self.folder = name, module, attribute, folder

    @property
    def place(self) -> str:
        """The name or folder by which another process finds the game."""
        return self.name if self.folder is None else str(self.folder)

    @cached_property
    def package(self) -> GamePackage:
        """The `GamePackage` with all parts of the game.

        If the module has none, it is made from the class of rules and the files next to the module.

        Raises:
            GameError: the game's code cannot be loaded, or it does not have exactly one class of rules.
        """
        found = getattr(self._module, self.attribute or _OBJECT, None)
        if isinstance(found, GamePackage):
            return found
        bots = ".bots:BOTS" if self.file("bots.py") is not None else {}
        view = "view.js" if self.file("view.js") is not None else ""
        return GamePackage(rules=_kind_of(self, self._module), bots=bots, view=view)

    @property
    def checked(self) -> bool:
        """Whether each call of the rules is checked and has a time limit."""
        return self.package.checked

    def rules(self) -> Game:
        """Return a new instance of the rules.

        Raises:
            GameError: the game cannot be loaded.
        """
        with self.quiet():
            return _instance(self, self.part("rules"))

    def part(self, name: str) -> Any:
        """Return a part of the package. If its place is given as text, import it now.

        If the game does not have the part, return the default of its field: None or an empty dictionary.

        Raises:
            GameError: the module has no such part, or it cannot be loaded.
        """
        part = getattr(self.package, name)
        if not isinstance(part, str):
            return part
        module, _, attribute = part.partition(":")
        try:
            file = f"{module.lstrip('.').replace('.', '/')}.py"
            with self.quiet():
                found = _imported(self.absolute(module), f"{self.name}: {file}")
            return getattr(found, attribute)
        except AttributeError:
            raise GameError(
                f"the part {name} of the game {self.name} is {part!r}, but the module {found.__name__} has no"
                f' {attribute}; give "module:name" with a name of this module'
            ) from None

    def absolute(self, module: str) -> str:
        """Return the full name of a module. A name that begins with a dot is relative to the game's
        package.
        """
        return f"{self._module.__package__}{module}" if module.startswith(".") else module

    def quiet(self) -> AbstractContextManager[None]:
        """Return the context in which code of this game runs.

        If the game has `GamePackage.checked`, the context sends the game's output to stderr.
        """
        return PrintsToStderr() if self.checked else nullcontext()

    def file(self, name: str) -> Path | None:
        """Return the path of a file or folder in the game's package, e.g. "view.js".

        Return None if it does not exist.
        """
        base = self._module.__spec__
        origin = base.origin if base is not None else None
        path = Path(origin).parent / name if origin is not None else None
        return path if path is not None and path.exists() else None

    @cached_property
    def _module(self) -> ModuleType:
        with PrintsToStderr():
            if self.folder is None:
                return _imported(self.module, self.module)
            _open_folder(self.folder, self.module.rpartition(".")[0])
            return _imported(self.module, str(self.folder / _FILE))


def installed() -> Mapping[str, FoundGame]:
    """Return all installed games by name, sorted by name. Their code is not loaded."""
    return _installed_on(tuple(sys.path))


def points(group: str) -> list[EntryPoint]:
    """Return the entry points of a group, sorted by name. The installed packages are read again only if
    `sys.path` has changed.
    """
    found: Iterable[EntryPoint] = _points_on(tuple(sys.path)).select(group=group)
    return sorted(found, key=lambda point: point.name)


def names() -> list[str]:
    """Return the names of all installed games, sorted."""
    return list(installed())


@lru_cache(1)
def _installed_on(path: tuple[str, ...]) -> Mapping[str, FoundGame]:
    found = points(ENTRY_POINTS)
    return MappingProxyType({one.name: FoundGame(one.name, one.module, one.attr or "") for one in found})


@lru_cache(1)
def _points_on(path: tuple[str, ...]) -> Any:
    """Return all entry points of the packages on `path`. The call takes milliseconds, because it reads
    files.
    """
    from importlib.metadata import entry_points  # a slow import

    return entry_points()


def default_game() -> str:
    """Return the name of the game that is played unless the user names another one.

    If several packages offer one, return the first by name. If none does, return "".
    """
    return next((point.name for point in points(DEFAULT_ENTRY_POINT)), "")


def with_parts() -> Iterator[FoundGame]:
    """Yield the installed games whose entry point names an object `GAME`, the default game first.

    Each game is loaded before it is yielded.
    A game whose code cannot be loaded is left out. Playing it raises an error that names the cause.
    """
    default = default_game()
    for game in sorted(installed().values(), key=lambda one: one.name != default):
        if game.attribute == _OBJECT:
            try:
                assert game.package
            except GameError:
                continue
            yield game


def find(name: str, *, installed_only: bool = False) -> FoundGame:
    """Return a game by its name, or by the path of its folder, without loading it.

    An installed game takes precedence over a folder of the same name.

    Args:
        installed_only: accept only installed games. Set this for a name that comes from a file, because a
            file must not be able to run code from any folder.

    Raises:
        SetupError: the game is not found, or the folder has no game.py.
    """
    if (found := installed().get(name)) is not None:
        return found
    if name and not installed_only and (folder := _folder_of(name)) is not None:
        return FoundGame(folder.name, f"{_package_of(folder)}.game", folder=folder)
    known = names()
    if not name:
        raise SetupError(
            "no default game is installed; choose a game with --game (in Python game=):"
            f" {', '.join(known) or 'none'}"
        )
    close = get_close_matches(name, known, n=1)
    hint = (
        f"did you mean {close[0]}?" if close else f"the games are {', '.join(known)}, or the path of a folder"
    )
    raise SetupError(f"there is no game {name!r}: {hint}")


def load(name: str, *, installed_only: bool = False) -> Game:
    """Return a new instance of a game's rules, by its name or the path of its folder (see `find`).

    If the game has `GamePackage.checked`, each call of its rules is checked.

    Raises:
        SetupError: the game is unknown.
        GameError: the game cannot be loaded. The message names the file and the mistake in one line.
    """
    return find(name, installed_only=installed_only).rules()


def given_as(game: Game) -> str | None:
    """Return the name or folder by which `load` finds a game.

    Return None if its class is not in the catalogue.
    """
    kind = _kind(game)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if file and kind.__module__.startswith(_PACKAGE):
        return str(Path(file).parent)
    return game.name if game.name in names() and _kind(load(game.name)) is kind else None


def _kind(game: Game) -> type[Game]:
    from turnwright.kernel.checked_game import CheckedGame

    return type(game.game if isinstance(game, CheckedGame) else game)


def _folder_of(name: str) -> Path | None:
    """Return the folder of a game that was given as a path, or None if the path is not a folder. Raise
    SetupError for a folder without game.py.
    """
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
    """Make a folder a package, so that its game.py can import the files next to it. If the folder has an
    `__init__.py`, execute it.
    """
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
        raise GameError(f"{init} cannot be loaded: {_raised(error, package)}") from error


def _imported(module: str, where: str) -> ModuleType:
    try:
        return import_module(module)
    except (Exception, SystemExit) as error:
        package = module.rpartition(".")[0]
        raise GameError(f"{where} cannot be loaded: {_raised(error, package)}") from error


def _raised(error: BaseException, package: str) -> str:
    from turnwright.kernel.checked_game import raised

    return raised(error, package)


def _instance(found: FoundGame, kind: type[Game]) -> Game:
    from turnwright.kernel.checked_game import CheckedGame

    missing = [name for name in WRITTEN if name in getattr(kind, "__abstractmethods__", ())]
    if missing:
        raise GameError(
            f"the class {kind.__name__} of the game {found.name} does not write {', '.join(missing)};"
            f" a game writes {', '.join(WRITTEN)}: {_HELP}"
        )
    if not isinstance(getattr(kind, "name", None), str) or not kind.name:
        raise GameError(
            f'the class {kind.__name__} of the game {found.name} has no name; write name = "{found.name}"'
        )
    _check_name(found, kind)
    try:
        game = kind()
    except (Exception, SystemExit) as error:
        said = _raised(error, kind.__module__.rpartition(".")[0])
        raise GameError(f"the game {found.name}: {kind.__name__}() raised {said}") from error
    return CheckedGame(game, PrintsToStderr) if found.checked else game


def _check_name(found: FoundGame, kind: type[Game]) -> None:
    """Raise GameError if the class's `name` would not lead from a record to the game."""
    if found.folder is None and kind.name != found.name:
        raise GameError(
            f"the class {kind.__name__} has the name {kind.name!r}, and its entry point {found.name!r};"
            " expected the same name, because a record finds its game by this name"
        )
    if found.folder is not None and kind.name in names() and not _is_at(kind.name, found.folder):
        raise GameError(
            f"the class {kind.__name__} of the game {found.name} has the name {kind.name!r}, which an"
            " installed game already has; choose another name"
        )


def _is_at(name: str, folder: Path) -> bool:
    """Return whether the installed game `name` is the game in `folder`."""
    place = installed()[name].file("")
    return place is not None and place.resolve() == folder


def _kind_of(found: FoundGame, module: ModuleType) -> type[Game]:
    """Return the class of a game without a `GAME` object."""
    from turnwright.kernel.game import Game

    kinds = [
        value
        for key, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, Game)
        and (key == found.attribute if found.attribute else value.__module__ == module.__name__)
    ]
    if len(kinds) == 1:
        return kinds[0]
    wanted = f"a class {found.attribute}" if found.attribute else "one class"
    there = ", ".join(kind.__name__ for kind in kinds) or "no class of a game"
    raise GameError(
        f"the game {found.name} has {there}; expected {wanted} derived from turnwright.kernel.game.Game"
        f" in its module; {_HELP}"
    )
