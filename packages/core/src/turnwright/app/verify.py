"""Verifies the file of a record. It checks the hashes, and whether a replay gives the same battle."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from turnwright.app.game.playable import find_game
from turnwright.errors import RecordError, SetupError
from turnwright.kernel.checked_game import CheckedGame
from turnwright.kernel.game import Game
from turnwright.kernel.record import Record
from turnwright.kernel.verify import Mismatch, Verification, replays_alike, verify
from turnwright.net.files.reader import OnProgress, is_as_packed, no_progress, read_record
from turnwright.net.rules_watchdog import RulesWatchdog


@dataclass(frozen=True, slots=True)
class Verified:
    """The result for a file.

    Attributes:
        record, found: the record and the result of its replay. Both are None if the file cannot be read or
            replayed. `error` then has the reason.
        as_packed: whether the compressed file begins as turnwright itself writes it (see `is_as_packed`).
        alike: whether two replays in this process are equal. The command compares them only if the battle
            differs and the game is by another author. None means that they were not compared.
        seat_word: the game's word for a seat, and the number of the first one.
    """

    path: Path
    record: Record | None = None
    found: Verification | None = None
    as_packed: bool = True
    error: str | None = None
    alike: bool | None = None
    seat_word: tuple[str, int] = ("seat", 0)

    @property
    def deterministic(self) -> bool:
        """Whether the rules seem to be deterministic: no comparison of two replays found a difference."""
        return self.alike is not False

    @property
    def differs(self) -> bool:
        """Whether the file was changed, or the replay differs from the record."""
        return self.found is not None and not self.found.ok

    @property
    def truncated(self) -> bool:
        """Whether the record is truncated."""
        return self.record is not None and self.record.truncated

    def to_data(self) -> dict[str, Any]:
        """Return the result as JSON values."""
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
            "deterministic": self.deterministic,
            "mismatch": self._mismatch_data(),
            "error": self.error,
        }

    def _mismatch_data(self) -> dict[str, Any] | None:
        if self.record is None or self.found is None or self.found.mismatch is None:
            return None
        found, seats = self.found.mismatch, self.record.header.seats
        names = [seats[seat].name for seat in found.seats if seat < len(seats)]
        return {**asdict(found), "seats": list(found.seats), "fields": list(found.fields), "names": names}


def verify_file(
    path: Path,
    contents: Path | None = None,
    on_progress: OnProgress = no_progress,
    game: str | None = None,
) -> Verified:
    """Read a record, replay it and compare the two. If this fails, the result has the reason in `error`.

    Args:
        contents: for a world, see `GameRecords.rules`.
        game: the name of the game, or the path of its folder, if the name in the header does not lead to
            the game.
    """
    with RulesWatchdog():
        return _verify_file(path, contents, on_progress, game)


def _verify_file(path: Path, contents: Path | None, on_progress: OnProgress, game: str | None) -> Verified:
    try:
        given = None if game is None else find_game(game)
        read_by = None if given is None else given.rules()
        record = read_record(path, lenient=True, on_progress=on_progress, rules=read_by)
        as_packed = is_as_packed(path)
        turns = len(record.turns)
        played = given or find_game(record.header.game, installed_only=True)
        rules = played.records.rules(record, contents)
        watch = None if on_progress is no_progress else lambda done: on_progress(done, turns, "turns")
        found = verify(record, rules, watch)
        if found.ok and found.outcome is not None:
            found = _with_results(record, found, played.results.recorded(record, found.outcome))
    except (RecordError, SetupError) as error:
        text = str(error)
        return Verified(path, error=text if str(path) in text else f"{path}: {text}")
    except OSError as error:
        return Verified(path, error=f"{path}: cannot be read: {error.strerror}")
    return Verified(
        path,
        record,
        found,
        as_packed,
        alike=_are_alike(record, found, rules),
        seat_word=played.results.seat_word,
    )


def _are_alike(record: Record, found: Verification, rules: Game) -> bool | None:
    """Return whether two replays of the record are equal, if its battle differs from the record.

    Return None if the two replays are not compared. Our own games need no comparison, because their tests
    show that they are deterministic.
    """
    wrong = found.mismatch
    if wrong is None or not wrong.turn or wrong.what == "line" or not isinstance(rules, CheckedGame):
        return None
    return replays_alike(record, rules, wrong.turn)


def _with_results(record: Record, found: Verification, rows: list[dict[str, Any]] | None) -> Verification:
    """Return `found`, with a mismatch if the results in the footer differ from the results of the replay.

    Args:
        rows: the results of the replay. None means that the game does not compare results.
    """
    footer = record.footer
    if rows is None or footer is None or footer.ending != "over" or footer.results == rows:
        return found
    said, came = _first_difference(footer.results, rows)
    return Verification(found.turns, Mismatch(None, "results", said, came), found.truncated, found.rounds)


def _first_difference(said: Any, came: list[dict[str, Any]]) -> tuple[str, str]:
    if not isinstance(said, list) or len(said) != len(came):
        return _short(said), f"{len(came)} rows"
    return next((_short(one), _short(two)) for one, two in zip(said, came, strict=True) if one != two)


def _short(value: Any) -> str:
    return re.sub(r"\s+", " ", str(value))[:200]
