"""Plays one battle on a worker of a cluster: bytes in, bytes out.

A worker needs the caller's version of turnwright, and the programs that the bots need. It fetches a bot's
archive once and checks its hash. After a battle, only the unpacked bots remain.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from shutil import rmtree

from turnwright._version import __version__
from turnwright.app.game.playable import find_game
from turnwright.errors import TurnwrightError
from turnwright.net.files.new_file import temporary_folder
from turnwright.net.participants.source_hash import built_in_hash
from turnwright_league.app.clusters.archives import ArchiveCache, WrongArchive
from turnwright_league.app.clusters.messages import (
    RECORD_BYTES_MAX,
    JobBot,
    RemoteJob,
    RemoteResult,
    python_minor,
    read_job,
    written,
)
from turnwright_league.app.worker import BattleJob, JobResult, play_job
from turnwright_league.tournament.battle_spec import BattleSpec

TROUBLE_PAUSE_S = 1.0
"""The pause before a machine with a problem answers. Otherwise it would take all battles from the others."""
_LINE_MAX = 400


def play_remote(data: bytes, fetch: Callable[[str], bytes], trouble: str = "") -> bytes:
    """Play a job, and return the bytes of its RemoteResult.

    A failure of a bot is part of the result. A problem of this worker alone, e.g. with its version or its
    disk, makes the battle void, and another worker gets it.

    Args:
        data: the bytes of a RemoteJob.
        fetch: returns the archive with a hash.
        trouble: why this worker cannot play, or "".

    Raises:
        WrongAnswer, ValueError: the bytes are not a job.
    """
    job = read_job(data)
    spec = BattleSpec.from_json(job.spec)
    wrong = trouble or _differences(job, spec)
    if wrong:
        return _unfit(spec, wrong)
    folder = None
    try:
        folder = temporary_folder()
        record = folder / "battle.twr"
        result = _played(job, spec, record if job.recorded else None, fetch)
        if result.kind == "refused":
            return _unfit(spec, result.why)
        if result.lacking:
            result = replace(result, why=_cannot_play(result.why))
        if result.record_error is not None:
            raise OSError(f"the record cannot be written: {result.record_error}")
        result, content = _with_record(result, record)
    except (TurnwrightError, OSError) as error:
        time.sleep(TROUBLE_PAUSE_S)
        wrong = error.entry if isinstance(error, _WrongArchiveOf) else ""
        result = JobResult("void", why=_cannot_play(error), of_machine=True, wrong_archive=wrong)
        content = b""
    finally:
        if folder is not None:
            rmtree(folder, ignore_errors=True)
    return written(RemoteResult(spec.id, worker_name(), result, content))


def worker_name() -> str:
    """Return the name of this machine and the number of this process, as "NAME:NUMBER"."""
    return f"{socket.gethostname()[:80]}:{os.getpid()}"


def _unfit(spec: BattleSpec, why: str) -> bytes:
    """Return the answer to a job if this worker cannot play any battle of its tournament."""
    result = JobResult("void", why=_cannot_play(why), of_machine=True)
    return written(RemoteResult(spec.id, worker_name(), result, unfit=True))


def _cannot_play(why: object) -> str:
    return f"the worker {worker_name()} cannot play: {why}".split("\n")[0][:_LINE_MAX]


def _differences(job: RemoteJob, spec: BattleSpec) -> str:
    """Return one difference between this worker and its caller (versions, rules, built-in bots), or ""."""
    pairs = (("turnwright", __version__, job.turnwright), ("Python", python_minor(), job.python))
    for name, here, wanted in pairs:
        if here != wanted:
            return f"it has {name} {here}, the tournament {wanted}: install the same on all machines"
    try:
        game = find_game(job.game)
        behaviour = game.rules().behaviour_version
        source = built_in_hash(game.bots.built_in.values())
    except TurnwrightError as error:
        return str(error)
    if behaviour != spec.behaviour:
        return f"it has version {behaviour} of the rules of {job.game}, the tournament {spec.behaviour}"
    if any(not bot.archive and bot.source != source for bot in job.bots.values()):
        return "its built-in bots differ: install the same turnwright on all machines"
    return ""


class _WrongArchiveOf(WrongArchive):
    """The archive of an entry arrived damaged. `entry` is the entry's id."""

    def __init__(self, entry: str, text: str) -> None:
        super().__init__(text)
        self.entry = entry


@contextmanager
def _held(cache: ArchiveCache, entry: str, bot: JobBot, fetch: Callable[[str], bytes]) -> Iterator[Path]:
    """Give the folder of a bot's archive.

    Raises:
        _WrongArchiveOf: the archive does not belong to the bot.
        SetupError: the archive cannot be unpacked.
        OSError: the disk cannot be read or written.
    """
    with ExitStack() as held:
        try:
            folder = held.enter_context(cache.held(bot.archive, fetch))
        except WrongArchive as error:
            raise _WrongArchiveOf(entry, f"{bot.given}: {error}") from None
        yield folder


def _played(
    job: RemoteJob, spec: BattleSpec, record: Path | None, fetch: Callable[[str], bytes]
) -> JobResult:
    """Play the battle. If a bot has changed the files of its directory, play it again with fresh files."""
    cache = ArchiveCache()
    for _ in range(2):
        with ExitStack() as held:
            given = {
                entry: str(held.enter_context(_held(cache, entry, bot, fetch)) / bot.given)
                if bot.archive
                else bot.given
                for entry, bot in job.bots.items()
            }
            sources = {entry: bot.source for entry, bot in job.bots.items() if bot.archive}
            path = None if record is None else str(record)
            machine = dict(job.machine) if sources else {**job.machine, "sandbox": "none"}
            result = play_job(BattleJob(spec, job.game, given, sources, path, machine))
        if result.kind != "changed":
            return result
        for bot in job.bots.values():
            if bot.archive:
                cache.drop(bot.archive)
    return JobResult("void", why=f"{worker_name()}: a bot's files change while other battles use them")


def _with_record(result: JobResult, record: Path) -> tuple[JobResult, bytes]:
    """Return a result with the bytes of its record, or with b"" if there is none or it is too long."""
    if result.kind != "played" or not record.exists():
        return result, b""
    size = record.stat().st_size
    if size > RECORD_BYTES_MAX:
        why = f"it has {size:,} bytes, at most {RECORD_BYTES_MAX:,} come back from a cluster"
        return replace(result, record_error=why), b""
    return result, record.read_bytes()
