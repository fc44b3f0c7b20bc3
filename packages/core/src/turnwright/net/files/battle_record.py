"""The record of one battle while it is played.

Every battle is recorded, so that a crash bundle can be written if it becomes void. The bundle has the record
up to the turn that failed, the traceback, and the version.
"""

from __future__ import annotations

import logging
import os
import platform
import shutil
from abc import ABC, abstractmethod
from pathlib import Path

from turnwright._version import __version__
from turnwright.errors import SetupError, VoidBattleError
from turnwright.host.summary import BattleSummary
from turnwright.kernel.game import Game
from turnwright.kernel.record import Footer, Header, TurnEntry
from turnwright.net.files.new_file import temporary_folder, whole_folder, why_not_writable, write_file
from turnwright.net.files.writer import LineFiles, RecordWriter, SmallGzip
from turnwright.wire.record.v2 import Encoder

DISK_WAIT_S = 30.0
"""The longest time for which the end of a single battle waits for the disk, in seconds. The time is long,
because a disk to which many programs write is slow but works, and without its record the battle would have to
be played again. No other battle waits for this.
"""
_BATTLE = 1
_log = logging.getLogger("turnwright")


class SpectatorFiles(ABC):
    """Files that contain the messages for a spectator, in a format of the game."""

    @abstractmethod
    def take(self, data: bytes) -> None:
        """Take a message that was sent to the spectator.

        The message is written later. The call waits for the disk only when it closes a file, e.g. at the end
        of a battle, and at most for `net.files.writer.CLOSE_WAIT_S`.
        """

    @abstractmethod
    def finish(self) -> None:
        """Close all open files."""

    @property
    @abstractmethod
    def newest_whole(self) -> Path | None:
        """The newest file, or None if it is not complete."""

    @property
    @abstractmethod
    def troubles(self) -> list[str]:
        """The reasons why files could not be written, one line each."""


class BattleRecord:
    """The record of one battle. The file is kept if it is wanted or if the rules failed.

    Call `finish` once.

    Args:
        wanted: the file that the operator asked for, or None.
        recording: the path of the file that `shown` writes, or None.
        shown: takes the messages for spectators, or None.
        required: whether to refuse the battle if a wanted file cannot be written.

    Attributes:
        path: the file of the record. It is in a temporary folder if the operator asked for no record.
        recorder: the recorder for `net.server`.

    Raises:
        SetupError: no file can have this name, a required file cannot be written, or no temporary
            folder can be created.
    """

    def __init__(
        self,
        game: Game,
        wanted: Path | None,
        recording: Path | None = None,
        shown: SpectatorFiles | None = None,
        *,
        required: bool = False,
    ) -> None:
        for path in (wanted, recording):
            if path is not None:
                _check_writable(path, required=required)
        self._folder = None if wanted else temporary_folder()
        self._wanted = wanted
        self.path: Path = wanted or (self._folder or Path()) / "record.twr"
        self._archive = LineFiles(lambda battle: self.path, SmallGzip, DISK_WAIT_S)
        self.recorder = RecordWriter(self._archive, lambda: Encoder(game.write_intent))
        self.shown = shown

    def close(self) -> Path | None:
        """Close all files. This waits up to DISK_WAIT_S seconds for the disk. Return the path of the wanted
        record if the record is complete, or None.
        """
        self._archive.abandon()
        if self.shown is not None:
            self.shown.finish()
        return self.path if self._wanted is not None and self.path in self.recorder.paths.values() else None

    def finish(self) -> Path | None:
        """Close all files, and delete those that were not wanted. Return the same as `close`."""
        record = self.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        return record

    @property
    def recorded(self) -> Path | None:
        """The file for official viewers, or None if it is not complete."""
        return None if self.shown is None else self.shown.newest_whole

    @property
    def trouble(self) -> str | None:
        """Why a wanted file is incomplete, or None. This is known after `finish`."""
        found = []
        if self._wanted is not None and (error := self._archive.error(_BATTLE)) is not None:
            found.append(f"{self._wanted}: {error}")
        if self.shown is not None:
            found += self.shown.troubles
        return "; ".join(found) or None

    def void(self, summary: BattleSummary, folder: Path) -> VoidBattleError:
        """Write the crash bundle of a void battle into a new folder in `folder`. Return the error for the
        battle, which names the bundle, or why none could be written.
        """
        text = f"the battle is void: {summary.why}"
        self._archive.abandon()
        try:
            bundle = write_bundle(folder, summary, self.path)
        except OSError as error:
            return VoidBattleError(f"{text}; no bundle could be written: {error}")
        advice = f"{bundle} reproduces it: give that folder to the author of the rules"
        return VoidBattleError(f"{text}; {advice}", bundle=str(bundle))


class NoRecord(BattleRecord):
    """Takes the place of the record of a battle that is not recorded, not even if its rules fail."""

    def __init__(self) -> None:
        self.path, self.shown = Path(os.devnull), None
        self.recorder = _NoWriter()

    def close(self) -> None:
        """Do nothing: there is no file."""

    def finish(self) -> None:
        """Do nothing: there is no file."""


class _NoWriter(RecordWriter):
    """Drops the turns of a battle that is not recorded."""

    def __init__(self) -> None:
        self.paths, self.newest = {}, None

    def open(self, battle: int, header: Header, line: bytes = b"") -> None:
        """Drop the header."""

    def turn(self, battle: int, entry: TurnEntry, line: bytes = b"") -> None:
        """Drop the turn."""

    def lines(self, battle: int) -> None:
        """Return None: there are no lines."""

    def close(self, battle: int, footer: Footer, line: bytes = b"") -> None:
        """Drop the footer."""


def write_bundle(folder: Path, summary: BattleSummary, record: Path | None) -> Path:
    """Write all data about a void battle into a new folder in `folder`. Return that folder.

    Args:
        record: the record of that battle. None means that it was not recorded.

    Raises:
        OSError: the folder cannot be written.
    """
    bundle = _new_name(folder, f"void-{summary.game_type}-{summary.seed}")
    with whole_folder(bundle) as filled:
        if record is not None:
            shutil.copyfile(record, filled / "record.twr")
        write_file(filled / "report.txt", _report(summary, record is not None))
    return bundle


def _check_writable(path: Path, *, required: bool) -> None:
    """Raise SetupError if a file cannot have this path, or if a required file cannot be written.

    If the file is not required, the battle is played anyway. The result of the battle then reports the
    problem with the record.
    """
    if path.is_dir():
        raise SetupError(
            f"--record {path} is a directory: give the name of a file, e.g. {path / 'battle.twr'}"
        )
    if not path.parent.is_dir():
        raise SetupError(f"--record {path}: no directory {path.parent}: create it first")
    if required and (why := why_not_writable(path)) is not None:
        advice = "give another place, or leave --record-required out"
        raise SetupError(f"--record {path} cannot be written: {why}; {advice}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        _log.warning("--record %s may not be written: the battle is played without a record", path)


def _new_name(folder: Path, name: str) -> Path:
    """Return a path in `folder` that does not exist yet. It is `name`, or `name` with a number from 2 on."""
    number, path = 1, folder / name
    while path.exists():
        number += 1
        path = folder / f"{name}-{number}"
    return path


def _report(summary: BattleSummary, recorded: bool) -> str:
    again = "turnwright verify record.twr" if recorded else "there is no record; serve with --records DIR"
    return (
        f"turnwright {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
        f"game type {summary.game_type}, seed {summary.seed}\n"
        f"{summary.why}\n"
        f"\nTo see it again: {again}\n"
        f"\nThe turn that failed: {summary.void_entry}\n"
        f"\n{summary.traceback}"
    )
