"""Verifying a file: whether it is as it was written, and whether the battle comes out as it says."""

from __future__ import annotations

import logging
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from turnwright import catalog
from turnwright.errors import RecordError, SetupError
from turnwright.games.tank import compiled
from turnwright.games.tank.game import TankGame
from turnwright.host.summarize import result_data
from turnwright.kernel.game import Game
from turnwright.kernel.record import Header, Record
from turnwright.kernel.replay import Mismatch, Verification, verify
from turnwright.net.records import OnProgress, is_as_packed, read_record, unwatched
from turnwright.wire.royale.results import results_for_observers

__all__ = ["Verified", "verify_file"]

_PATIENCE_US = 3_000_000
"""What interpreted rules may take; for more it pays to load the compiled ones."""

_log = logging.getLogger("turnwright")


@dataclass(frozen=True, slots=True)
class Verified:
    """What came of a file. record, found: None when it could not be read; then `error` says why, in one line.

    as_packed: whether the file is packed as we pack it.
    """

    path: Path
    record: Record | None = None
    found: Verification | None = None
    as_packed: bool = True
    error: str | None = None

    @property
    def differs(self) -> bool:
        """Whether something in it, or of the battle, is not as it was recorded."""
        return self.found is not None and not self.found.ok

    @property
    def truncated(self) -> bool:
        """Whether it was cut off."""
        return self.record is not None and self.record.truncated

    def to_data(self) -> dict[str, Any]:
        """Return it as JSON values."""
        record, found = self.record, self.found
        return {
            "file": str(self.path),
            "ok": found is not None and found.ok and not self.truncated,
            "game": record.header.game if record is not None else None,
            "seed": record.header.seed if record is not None else None,
            "turns": found.turns if found is not None else 0,
            "rounds": found.rounds if found is not None else 0,
            "ending": record.footer.ending if record is not None and record.footer is not None else None,
            "truncated": self.truncated,
            "as_packed": self.as_packed,
            "mismatch": self._mismatch_data(),
            "error": self.error,
        }

    def _mismatch_data(self) -> dict[str, Any] | None:
        if self.record is None or self.found is None or self.found.mismatch is None:
            return None
        data = asdict(self.found.mismatch)
        seat = data["seat"]
        return {**data, "name": None if seat is None else self.record.header.seats[seat].name}


def verify_file(path: Path, contents: Path | None = None, on_progress: OnProgress = unwatched) -> Verified:
    """Read a record, play it again and compare. Nothing that a file holds raises.

    contents: for a world, see `world_contents.world_of`.
    """
    try:
        record = read_record(path, lenient=True, on_progress=on_progress)
        as_packed = is_as_packed(path)
        turns = len(record.turns)
        found = verify(record, _game(record, contents), lambda done: on_progress(done, turns, "turns"))
        if found.ok and found.outcome is not None:
            found = _with_results(record, found)
    except (RecordError, SetupError) as error:
        text = str(error)
        return Verified(path, error=text if str(path) in text else f"{path}: {text}")
    except OSError as error:
        return Verified(path, error=f"{path}: cannot be read: {error.strerror}")
    return Verified(path, record, found, as_packed)


def _game(record: Record, contents: Path | None = None) -> Game:
    """Return the rules that a record was made with, compiled where that is quicker in the end."""
    header = record.header
    if header.game == "world":
        from turnwright.net.world_contents import world_of

        return world_of(record, contents)
    if header.game != "tank":
        return catalog.load(header.game)
    if header.tolerant:
        return TankGame(on_error="continue")
    if _effort_us(header, len(record.turns)) < _PATIENCE_US or not compiled.available():
        return TankGame("python")
    compiled.load(_log.info)
    return TankGame("numba")


def _effort_us(header: Header, turns: int) -> int:
    """Return about how long interpreted rules take; see bench/physics.py."""
    seats = len(header.seats)
    return turns * seats * (850 + 9 * seats) // 100


def _with_results(record: Record, found: Verification) -> Verification:
    """Compare the results in the footer with those that came out, where the game's are known here."""
    footer, outcome = record.footer, found.outcome
    if record.header.game != "tank" or footer is None or outcome is None or footer.ending != "over":
        return found
    rows = [result_data(row) for row in results_for_observers(outcome.results)]
    if footer.results == rows:
        return found
    said, came = _first_difference(footer.results, rows)
    return Verification(found.turns, Mismatch(None, "results", said, came), found.truncated, found.rounds)


def _first_difference(said: Any, came: list[dict[str, Any]]) -> tuple[str, str]:
    if not isinstance(said, list) or len(said) != len(came):
        return _short(said), f"{len(came)} rows"
    return next((_short(one), _short(two)) for one, two in zip(said, came, strict=True) if one != two)


def _short(value: Any) -> str:
    return re.sub(r"\s+", " ", str(value))[:200]
