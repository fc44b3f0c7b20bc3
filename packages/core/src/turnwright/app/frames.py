"""Frames of a recorded battle for pages that cannot play the record themselves.

As a program (`python -m turnwright.app.frames GAME RECORD`) it prints the frames.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from turnwright import catalog
from turnwright.catalog import FoundGame
from turnwright.client import end_with
from turnwright.errors import RecordError, SetupError, VoidBattleError
from turnwright.host.generic_protocol import final_result, generic_frame
from turnwright.kernel.game import Game
from turnwright.kernel.record import Record
from turnwright.kernel.replay import agrees, rebuild
from turnwright.net.files.reader import naming, read_record
from turnwright.net.http.analysis import output_of
from turnwright.net.http.viewer_files import StaticFile, load_viewer
from turnwright.net.rules_watchdog import RulesWatchdog
from turnwright.wire import generic_protocol as m

FRAMES_BYTES_MAX = 256 << 20
"""The largest total size of the frames that a page gets for a record, in bytes."""


def frame_lines(record: Record, game: Game) -> bytes:
    """Return the battle as JSON lines of the generic protocol.

    The lines are `ready`, a `frame` for each turn, and `result` if the record has an end.

    The record is replayed. "verified" in the first line says whether every turn matched the record.

    Raises:
        RecordError: the record cannot be replayed, the rules failed in a turn in which they did not fail
            during the battle, or the frames are larger than FRAMES_BYTES_MAX.
    """
    header = record.header
    lines, same, size = [], True, 0
    for line, is_same in _turns(record, game):
        lines.append(line)
        same = same and is_same
        size += len(line)
        if size > FRAMES_BYTES_MAX:
            raise RecordError(f"its frames have more than {FRAMES_BYTES_MAX >> 20} MiB, too many for a page")
    ready = m.GenericReady(
        game=header.game,
        seats=tuple(m.GenericSeat(seat.name, seat.version, seat.team, seat.authors) for seat in header.seats),
        settings={**game.defaults, **header.setup},
        turn_timeout_us=header.rules.timeout_ns // 1000,
        seed=str(header.seed),
        verified=same,
    )
    return b"\n".join([m.encode_generic(ready), *lines, b""])


def _turns(record: Record, game: Game) -> Iterator[tuple[bytes, bool]]:
    """Yield a line for each turn and a line for the result. Each line comes with True if it matches the
    record.

    As on a server, the state before the first turn is a frame, too, if the game asks for intents in that
    turn.
    """
    battle = rebuild(record, game)
    if game.asked(battle.state):
        yield m.encode_generic(generic_frame(battle)), True
    for entry in record.turns:
        try:
            closed = battle.replay_turn(entry)
        except VoidBattleError as error:
            if entry.digest:  # the rules did not fail when the battle was recorded
                raise RecordError(f"it cannot be continued: {error}") from error
            yield m.encode_generic(m.GenericResult(ending="aborted")), True
            return
        frame = generic_frame(battle, closed.events, entry.skipped)
        yield m.encode_generic(frame), agrees(entry.digest, closed.entry.digest)
    if battle.outcome is not None:
        yield m.encode_generic(final_result(battle)), True
    elif record.footer is not None:
        yield m.encode_generic(m.GenericResult(ending="aborted")), True


def frames_of(game: FoundGame) -> Callable[[Path, Callable[[subprocess.Popen[bytes]], None]], bytes]:
    """Return a function that makes a record's frames in another process. `AnalysisProcess` calls it."""
    argv = (sys.executable, "-P", "-m", "turnwright.app.frames", game.place)
    return lambda path, on_start: output_of((*argv, str(path)), "replaying the record", on_start)


def view_files(game: FoundGame, beside: Path | None = None) -> Mapping[str, StaticFile]:
    """Return the files of a game's page. If the game has no view of its own, the page shows frames as text.

    Args:
        beside: a folder with further pages.

    Raises:
        SetupError: the game's view cannot be used.
    """
    view = game.file(game.package.view) if game.package.view else None
    try:
        return load_viewer(game.name, view, beside=beside)
    except (OSError, ValueError) as error:
        raise SetupError(f"{view}: this view cannot be used: {error}") from None


def _print(game: str, path: Path) -> None:
    """Print the frames of a record."""
    with RulesWatchdog():
        rules = catalog.load(game)
        record = read_record(path, rules=rules)
        with naming(path):
            lines = frame_lines(record, rules)
    sys.stdout.buffer.write(lines)


if __name__ == "__main__":
    end_with("turnwright", lambda: _print(sys.argv[1], Path(sys.argv[2])))
