"""Files of recordings, `.battle.gz`: one for each game on a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path

import msgspec

from turnwright.errors import SetupError
from turnwright.net.files.battle_record import SpectatorFiles
from turnwright.net.files.reader import OnProgress, no_progress
from turnwright.net.files.writer import NO_END, LineFiles
from turnwright_tank.wire.recording.split_by_game import GameCutter, type_of

SUFFIX = ".battle.gz"
_CHUNK = 1 << 16
_ABORTED = "GameAbortedEvent"


class _RankedRow(msgspec.Struct, rename="camel"):
    round_number: int = 0
    turn_number: int = 0


_place = msgspec.json.Decoder(_RankedRow)


@dataclass(slots=True)
class GameFile:
    """The recording of one game.

    Attributes:
        lines: the number of lines so far.
        closed: whether the file is complete or given up.
        ending: "over", "aborted", or None if the game had no end.
        error: why the file could not be written, or None.
    """

    path: Path
    lines: int = 0
    closed: bool = False
    ending: str | None = None
    error: str | None = None
    last: bytes = b""
    """The newest line."""

    @property
    def place(self) -> tuple[int, int]:
        """The round and the turn of the newest line, 0 if the line has none."""
        try:
            place = _place.decode(self.last)
        except (ValueError, RecursionError):
            return 0, 0
        return place.round_number, place.turn_number


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a series of recordings.

    Attributes:
        path_of: returns the path of a game (1, 2 …).
        taken_from: the first game for which `path_of` also creates an empty file. None: it creates none.
    """

    path_of: Callable[[int], Path]
    taken_from: int | None = None

    def give_back(self, game: int, path: Path) -> None:
        """Delete a file that only reserved its name and is still empty. This raises no exception."""
        if self.taken_from is not None and game >= self.taken_from:
            with suppress(OSError):
                if path.stat().st_size == 0:
                    path.unlink()


class RoyaleFiles(SpectatorFiles):
    """Writes the messages to a spectator into files.

    Data is on disk about a second later. If the disk fails, `error` of the file has the reason. If the file
    then has no byte and was created only to reserve its name, it is deleted.

    Args:
        names: the names of the files. An existing file is overwritten.
        on_change: called when a game has begun or ended.

    Attributes:
        files: the files in order of their games.
    """

    def __init__(self, names: Names, on_change: Callable[[GameFile], None] = lambda _: None) -> None:
        self.files: list[GameFile] = []
        self._names = names
        self._on_change = on_change
        self._cutter = GameCutter()
        self._archive = LineFiles(lambda game: self.files[game - 1].path)

    def take(self, data: bytes) -> None:
        """Add a message to the file of its game, and ignore messages outside a game.

        The call waits for the disk, at most 2 s, if it closes a file: after the last message of a game, and
        before the first if the game before has no end.

        Raises:
            SetupError: the names cannot reserve a file.
        """
        cut = self._cutter.cut(data)
        if cut is None:
            return
        if cut.begins:
            self.finish()
            self.files.append(GameFile(self._names.path_of(cut.game)))
        file = self.files[-1]
        file.lines, file.last = file.lines + 1, cut.line
        if cut.begins:
            self._archive.open(cut.game, cut.line)
            self._on_change(file)
        elif cut.ends:
            file.ending = "aborted" if type_of(cut.line) == _ABORTED else "over"
            self._archive.close(cut.game, cut.line)
            self._end(file, self._archive.errors.get(cut.game))
        else:
            self._archive.turn(cut.game, cut.line)

    def finish(self) -> None:
        """Close the file that is still open, if any. Its game has no end."""
        if self.files and not self.files[-1].closed:
            self._cut_off()

    @property
    def newest_whole(self) -> Path | None:
        """The path of the newest file, or None if this file is not complete."""
        file = self.files[-1] if self.files else None
        return file.path if file is not None and file.ending is not None and file.error is None else None

    @property
    def troubles(self) -> list[str]:
        """One line for each file that could not be written, with the reason."""
        return [f"{file.path}: {file.error}" for file in self.files if file.error is not None]

    def _cut_off(self) -> None:
        file, game = self.files[-1], len(self.files)
        self._archive.abandon()
        error = self._archive.errors.get(game)
        self._end(file, None if error == NO_END else error)

    def _end(self, file: GameFile, error: str | None) -> None:
        file.closed, file.error = True, error
        if error is not None:
            self._names.give_back(len(self.files), file.path)
        self._on_change(file)


def dated_names(folder: Path, now: Callable[[], datetime] = datetime.now) -> Names:
    """Return unused names like those of official recorders: `game-yyyy-MM-dd-HH-mm-ss.battle.gz`.

    A second game in the same second gets a number. The file is created immediately to reserve its name. The
    result raises SetupError if the folder cannot be written.
    """
    return Names(lambda game: _first_free(folder, now().strftime("game-%Y-%m-%d-%H-%M-%S")), 1)


def numbered_names(first: Path) -> Names:
    """Return names for recordings: `first`, then free names with numbers: `x-2.battle.gz`, `x-3.battle.gz` …

    As in `dated_names`, the file of a numbered name is created immediately, or SetupError is raised.
    """
    stem = first.name.removesuffix(SUFFIX)
    return Names(lambda game: first if game == 1 else _first_free(first.parent, stem, game), 2)


def _first_free(folder: Path, stem: str, number: int = 1) -> Path:
    for k in count(number):
        path = folder / (f"{stem}{SUFFIX}" if k == 1 else f"{stem}-{k}{SUFFIX}")
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            continue
        except OSError as error:
            raise SetupError(f"{path} cannot be written: {error.strerror}") from error
        return path
    raise AssertionError


def chunks_of(path: Path, on_progress: OnProgress = no_progress) -> Iterator[bytes]:
    """Yield the content of a file in pieces of at most 64 KiB.

    Raises:
        OSError: the file cannot be read.
    """
    whole, read = path.stat().st_size, 0
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            yield chunk
            read += len(chunk)
            on_progress(read, whole, "bytes")
