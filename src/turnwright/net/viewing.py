"""Looking at a file before it is shown: what it is, whether this version can show it, whether it is whole."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from turnwright.errors import RecordError
from turnwright.games.tank.game import TankGame
from turnwright.kernel.replay import rebuild
from turnwright.net.kinds import EXPECTED, BattleKind, kind_of_file
from turnwright.net.records import OnProgress, naming, read_record, unwatched
from turnwright.net.royale_files import chunks_of
from turnwright.net.shelf import RECORD_BYTES_MAX

__all__ = ["Viewable", "look_at"]


@dataclass(frozen=True, slots=True)
class Viewable:
    """A file that the viewer can show.

    kind: ours, or Tank Royale's. truncated: it ends before its battle does; what is there is shown.
    """

    path: Path
    kind: BattleKind
    size: int
    truncated: bool


def look_at(path: Path, on_progress: OnProgress = unwatched) -> Viewable:
    """Return what a file is. Raises: RecordError, in one line, for what cannot be shown."""
    kind = kind_of_file(path)
    size = path.stat().st_size
    if size > RECORD_BYTES_MAX:
        most = RECORD_BYTES_MAX >> 20
        raise RecordError(f"{path} has {size:,} bytes: the viewer is given at most {most} MiB")
    check = _check_record if kind == "record" else _check_royale
    return Viewable(path, kind, size, check(path, on_progress))


def _check_record(path: Path, on_progress: OnProgress) -> bool:
    """Return whether a record of ours was cut off. Raises: RecordError when it cannot be played again."""
    record = read_record(path, on_progress=on_progress)
    game = TankGame("python")
    if record.header.game != game.name:
        raise RecordError(
            f"{path} is a record of the game {record.header.game!r}: the viewer shows {game.name!r};"
            " `turnwright verify` checks it, and `turnwright replay --text` tells a world's"
        )
    with naming(path):
        rebuild(record, game)
    return record.truncated


def _check_royale(path: Path, on_progress: OnProgress) -> bool:
    """Return whether a recording was cut off. Raises: RecordError when nothing in it can be shown."""
    from turnwright.wire.record.recording import Notes
    from turnwright.wire.record.royale_reader import read_lines, read_messages

    if next(read_messages(chunks_of(path), Notes()), None) is None:
        raise RecordError(f"{path} holds no turn of a battle: {EXPECTED}")
    notes = Notes()
    for _ in read_lines(chunks_of(path, on_progress), notes):
        pass
    return notes.truncated
