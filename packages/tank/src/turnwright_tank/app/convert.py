"""Converts a battle's file to another kind: `turnwright convert`.

A record is replayed to make the messages that spectators received. A Tank Royale recording is written again,
line by line as it was received.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from turnwright.errors import RecordError, SetupError
from turnwright.net.files.new_file import whole_file
from turnwright.net.files.reader import BattleKind, OnProgress, kind_of_file, naming, no_progress, read_record
from turnwright_tank.app.recordings import chunks_of
from turnwright_tank.game import new_game
from turnwright_tank.wire.recording.from_record import messages_of
from turnwright_tank.wire.recording.read import Notes, read_messages
from turnwright_tank.wire.recording.split_by_game import ENDS, type_of
from turnwright_tank.wire.royale.codec import encode

SUFFIXES = (".battle.gz", ".battle", ".jsonl")
"""The suffixes of files that can be written: a compressed file as official recorders write it, or the same
lines as plain text.
"""
_PACKED = ".battle.gz"
_GZIP_LEVEL = 6


@dataclass(slots=True)
class Converted:
    """The file that was written.

    Attributes:
        kind: the kind of the source.
        lines, size: the lines and bytes that were written.
        ending: "over", "aborted", or None if the battle has no end.
        notes: what was skipped or missing in the source.
    """

    source: Path
    kind: BattleKind
    target: Path
    lines: int = 0
    size: int = 0
    ending: str | None = None
    notes: list[str] = field(default_factory=list)


def convert(
    source: Path, target: Path, *, force: bool = False, on_progress: OnProgress = no_progress
) -> Converted:
    """Write `target` from `source`. The suffix of `target` gives its kind.

    `target` appears only when everything is written.

    Args:
        force: whether an existing file is replaced.

    Raises:
        SetupError: the source cannot be converted to the kind of the target, or the target cannot be written.
        RecordError: the source cannot be read, or has no turn of a battle.
        MismatchError: the replay of the record differs from it.
    """
    kind = kind_of_file(source)
    _check(kind, source, target, force)
    done = Converted(source, kind, target)
    try:
        with _new_file(target, force) as stream:
            for line in _lines(done, on_progress):
                stream.write(line + b"\n")
                done.lines += 1
                last = line
            if not done.lines:
                raise RecordError(f"{source} has no turn of a battle: give a Tank Royale recording")
    except OSError as error:
        raise SetupError(f"{target} cannot be written: {error.strerror}") from error
    ended = type_of(last)
    if ended in ENDS:
        done.ending = "aborted" if ended == "GameAbortedEvent" else "over"
    done.size = target.stat().st_size
    return done


def _check(kind: BattleKind, source: Path, target: Path, force: bool) -> None:
    """Raise SetupError unless the source can become the target."""
    known = ", ".join(SUFFIXES)
    if target.name.endswith(".twr"):
        raise SetupError(
            f"{source} is already a record: copy it"
            if kind == "record"
            else f"{target}: a Tank Royale recording contains observations, not intents of bots: "
            f"it cannot become a record. Possible targets: {known}"
        )
    if not target.name.endswith(SUFFIXES):
        raise SetupError(f"{target} has an unknown format: give a name that ends with one of {known}")
    if not target.parent.is_dir():
        raise SetupError(f"{target}: no directory {target.parent}: create it first")
    if target.exists():
        if target.samefile(source):
            raise SetupError(f"{target} is the input file: give another name")
        if not force or target.is_dir():
            raise SetupError(f"{target} already exists: give another name, or --force to replace it")


@contextmanager
def _new_file(target: Path, force: bool) -> Iterator[IO[bytes]]:
    """Yield a stream. Its content becomes `target` if no error occurs."""
    with whole_file(target, replace=force) as raw:
        if target.name.endswith(_PACKED):
            with gzip.GzipFile("", "wb", _GZIP_LEVEL, raw, mtime=0) as packed:
                yield packed  # type: ignore[misc]  # it is a stream of bytes
        else:
            yield raw


def _lines(done: Converted, on_progress: OnProgress) -> Iterator[bytes]:
    return _record_lines(done, on_progress) if done.kind == "record" else _royale_lines(done, on_progress)


def _record_lines(done: Converted, on_progress: OnProgress) -> Iterator[bytes]:
    record = read_record(done.source, on_progress=on_progress)
    if record.truncated:
        done.notes.append(f"{done.source} is truncated, and so is the output")
    whole, turns = len(record.turns), 0
    with naming(done.source):
        for message in messages_of(record, new_game(tolerant=record.header.tolerant)):
            yield encode(message)
            turns += hasattr(message, "turn_number")
            on_progress(min(turns, whole), whole, "turns")


def _royale_lines(done: Converted, on_progress: OnProgress) -> Iterator[bytes]:
    notes = Notes()
    with naming(done.source):
        for line in read_messages(chunks_of(done.source, on_progress), notes):
            yield line.data
    done.notes += notes.lines
