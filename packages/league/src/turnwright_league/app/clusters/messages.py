"""Messages between a tournament and the workers of a cluster. They are data, never code.

    RemoteJob     one battle: its specification, and the hashes of the bots' archives
    RemoteResult  its result, with the record as bytes

Both are MessagePack and decoded strictly. A worker's answer is untrusted and checked (`read_result`).
"""

from __future__ import annotations

import math
import platform
from collections.abc import Mapping
from typing import Any

import msgspec

from turnwright._version import __version__
from turnwright_league.app.worker import JobResult, entry_seats
from turnwright_league.tournament.battle_spec import BattleSpec

RECORD_BYTES_MAX = 64 << 20
"""The most bytes of a returned record. A longer record is not returned."""
RESULT_BYTES_MAX = RECORD_BYTES_MAX + (1 << 20)
"""The most bytes of a worker's answer."""
_ROUNDS_MAX = 100_000
_COLUMNS_MAX = 256
_TEXT_MAX = 500


class WrongAnswer(Exception):
    """Bytes are not a job, or not the answer of a worker to its job. str() says why."""


class JobBot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot of a job.

    Attributes:
        given: the name of a built-in bot, or of the bot's directory in its archive.
        archive: the hash of its archive, or "" for a built-in bot.
        source: the hash that its sources must have. All built-in bots of a game share a hash.
    """

    given: str
    archive: str
    source: str


class RemoteJob(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A battle to be played by a worker.

    Attributes:
        spec: the canonical JSON of its specification.
        game: the game's name in the catalog.
        bots: the bots by their entries' ids.
        machine: the settings for starting programs.
        recorded: whether its record is requested.
        turnwright, python: the caller's versions.
    """

    spec: str
    game: str
    bots: dict[str, JobBot]
    machine: dict[str, Any]
    recorded: bool
    turnwright: str
    python: str


class RemoteResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A worker's answer.

    Attributes:
        id: the battle's id.
        worker: the worker's name.
        record: the bytes of a `.twr` file, or b"" without a record.
        unfit: whether the worker cannot play any battle of this tournament. The result says why.
    """

    id: str
    worker: str
    result: JobResult
    record: bytes = b""
    unfit: bool = False


def python_minor() -> str:
    """Return the version of this Python without its last part, e.g. "3.11"."""
    return ".".join(platform.python_version_tuple()[:2])


def written(message: RemoteJob | RemoteResult) -> bytes:
    """Return a message as bytes. Equal messages give equal bytes."""
    return msgspec.msgpack.encode(message, order="sorted")


def job_of(
    spec: BattleSpec, game: str, bots: Mapping[str, JobBot], machine: Mapping[str, Any], *, recorded: bool
) -> RemoteJob:
    """Return a job with the versions of this program."""
    return RemoteJob(spec.to_json(), game, dict(bots), dict(machine), recorded, __version__, python_minor())


def read_job(data: bytes) -> RemoteJob:
    """Return the job in these bytes.

    Raises:
        WrongAnswer: the bytes are not a job.
    """
    try:
        return msgspec.msgpack.decode(data, type=RemoteJob)
    except (msgspec.MsgspecError, ValueError) as error:
        raise WrongAnswer(f"not a job: {error}"[:_TEXT_MAX]) from None


def read_result(data: object, spec: BattleSpec) -> RemoteResult:
    """Return the answer to a job after checking it.

    Raises:
        WrongAnswer: the data is not an answer to this job.
    """
    if not isinstance(data, bytes):
        raise WrongAnswer(f"it is {type(data).__name__}, not bytes")
    if len(data) > RESULT_BYTES_MAX:
        raise WrongAnswer(f"it has {len(data):,} bytes, at most {RESULT_BYTES_MAX:,} are allowed")
    try:
        found = msgspec.msgpack.decode(data, type=RemoteResult)
    except (msgspec.MsgspecError, ValueError) as error:
        raise WrongAnswer(f"it cannot be read: {error}"[:_TEXT_MAX]) from None
    if found.id != spec.id:
        raise WrongAnswer(f"it is the answer to another battle ({found.id[:12]!r})")
    wrong = _wrong_texts(found) or _wrong_scores(found.result, spec)
    if found.unfit and not found.result.of_machine:
        wrong = wrong or "a worker that cannot play has played"
    if wrong:
        raise WrongAnswer(wrong)
    return found


def _wrong_texts(found: RemoteResult) -> str:
    result = found.result
    texts = [found.worker, result.why, result.for_author, result.digest, result.sandbox]
    texts.append(result.record_error or "")
    texts += [line for failure in result.failures.values() for line in failure.printed]
    if len(result.suspect) > _COLUMNS_MAX or any(len(text) > _TEXT_MAX for text in (*texts, *result.suspect)):
        return f"it has texts of more than {_TEXT_MAX} characters"
    return ""


def _wrong_scores(result: JobResult, spec: BattleSpec) -> str:
    """Return why scores do not belong to the battle, or ""."""
    seats = [(entry, first) for entry, (first, *_) in entry_seats(spec)]
    if result.kind in ("played", "blamed") and [(row.entry, row.seat) for row in result.scores] != seats:
        return "its scores are not those of the battle's entries"
    if not set(result.no_answer) <= result.failures.keys():
        return "entries without an answer have not failed"
    if not set(result.disqualified) <= {row.entry for row in result.scores}:
        return "its disqualified entries are not those of the battle"
    if result.kind not in ("played", "blamed") and result.scores:
        return f"a battle that is {result.kind} has no scores"
    if result.of_machine and result.kind != "void":
        return f"a battle that is {result.kind} cannot have a problem of its machine"
    if not set(result.lacking) <= set(spec.seats) or (result.lacking and not result.of_machine):
        return "it lacks a program that no bot of the battle needs"
    if result.wrong_archive and (not result.of_machine or result.wrong_archive not in spec.seats):
        return "its wrong archive belongs to no entry"
    if result.kind == "played" and result.state == "void":
        return "a battle that was played is not void"
    for row in result.scores:
        if len(row.rounds) > _ROUNDS_MAX or len(row.columns) > _COLUMNS_MAX:
            return "a score has too many rounds or columns"
        survival = 0.0 if row.survival is None else row.survival
        if not all(map(math.isfinite, (row.score, survival, *row.rounds, *row.columns.values()))):
            return "a score is not a finite number"
    return ""
