"""Settings of a ladder server, declared once for Python and the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from turnwright.app.option_fields import check_types, option
from turnwright.app.options import AddressOptions
from turnwright.app.sizes import mebibytes, size_text
from turnwright.errors import SetupError
from turnwright.kernel.pace import TPS_UNLIMITED, check_tps
from turnwright.net.processes.processors import processors
from turnwright.net.sandbox import SandboxChoice
from turnwright_league.app.options import JOBS_MAX

TEXT_CHARS_MAX = 100
SECRET_CHARS_MIN = 12
"""The fewest characters of a teacher's secret. It cannot be guessed, so wrong attempts need not lock the
teacher out."""
UPLOADS_MAX = 10_000
UPLOADS_MIB_MAX = 1 << 20


@dataclass(frozen=True, kw_only=True)
class LadderOptions(AddressOptions):
    """The settings of a ladder server.

    Attributes:
        data: its folder, which is made if it does not exist.
        jobs: the number of the ladder's battles at the same time. None means one less than the
            number of processors.
        teacher_secrets: the secrets that open the teacher's page.

    Raises:
        SetupError: a value is missing or out of its range.
    """

    data: Path | None = option(
        None,
        "the folder for all data of the ladder server, created if missing",
        metavar="DIR",
        required=True,
        often=True,
    )
    port: int = option(
        8080,
        "port to listen on. 0 = a free port (default: {default})",
        "-p",
        "--port",
        metavar="N",
        group="network",
        often=True,
    )
    sandbox: SandboxChoice = option(
        "full",
        "whether uploaded bots play in the sandbox. full: always. auto: if this machine supports the"
        " sandbox. none: never (default: {default})",
        group="bots",
        often=True,
    )
    jobs: int | None = option(
        None,
        "battles that run at the same time (default: one less than the number of processors)",
        metavar="N",
    )
    tps: int = option(
        TPS_UNLIMITED,
        "turns per second of the ladder's battles: 1 to 1000, e.g. 30 if people watch. -1 = as fast as"
        " possible (default: {default})",
        "-t",
        "--tps",
        metavar="N",
        group="time",
    )
    join_word: str = option(
        "", "a word that people need when they create an account", metavar="WORD", often=True
    )
    uploads_per_hour: int = option(
        30,
        "the largest number of uploads of one person within an hour (default: {default})",
        metavar="N",
        group="bots",
    )
    person_mib_max: int = option(
        100,
        "the largest disk space for the uploads of one person. It includes packed and unpacked files"
        " (default: 100MiB)",
        "--max-person-uploads",
        metavar="SIZE",
        read=mebibytes,
        group="bots",
    )
    uploads_mib_max: int = option(
        2_048,
        "the largest disk space for the uploads of all persons. It includes packed and unpacked files"
        " (default: 2GiB)",
        "--max-uploads",
        metavar="SIZE",
        read=mebibytes,
        group="bots",
    )
    records_mib_max: int = option(
        10_240,
        "the largest disk space for records of the ladder and of first checks. When it is full, the server"
        " deletes records. It begins with the oldest records of versions that no longer play. It never"
        " deletes results (default: 10GiB)",
        "--max-records",
        metavar="SIZE",
        read=mebibytes,
        group="bots",
    )
    title: str = option(
        "", "the ladder server's name on its pages (default: the folder's name)", metavar="TEXT"
    )
    teacher_secrets: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        check_types(self)
        if self.data is None:
            raise SetupError("--data is missing: name the folder of the ladder server, e.g. --data club")
        if self.jobs is not None and not 1 <= self.jobs <= JOBS_MAX:
            raise SetupError(f"--jobs is {self.jobs}: give 1 to {JOBS_MAX:,}")
        if self.tps == 0:
            raise SetupError("--tps is 0 (paused), and no spectator can resume: give -1, or 1 to 1000")
        check_tps(self.tps)
        if any(len(secret) < SECRET_CHARS_MIN for secret in self.teacher_secrets):
            raise SetupError(
                f"the teacher's secret is shorter than {SECRET_CHARS_MIN} characters: give a longer one, or"
                " none to let the server create one"
            )
        if not 1 <= self.uploads_per_hour <= UPLOADS_MAX:
            raise SetupError(f"--uploads-per-hour is {self.uploads_per_hour}: give 1 to {UPLOADS_MAX:,}")
        for name, mib in (
            ("--max-person-uploads", self.person_mib_max),
            ("--max-uploads", self.uploads_mib_max),
            ("--max-records", self.records_mib_max),
        ):
            if not 1 <= mib <= UPLOADS_MIB_MAX:
                raise SetupError(f"{name} is {size_text(mib)}: give 1MiB to {size_text(UPLOADS_MIB_MAX)}")
        for name, value in (("--join-word", self.join_word), ("--title", self.title)):
            if len(value) > TEXT_CHARS_MAX or not value.isprintable():
                raise SetupError(f"{name}: give at most {TEXT_CHARS_MAX} characters that can be seen")

    @property
    def folder(self) -> Path:
        """The folder of the ladder server."""
        assert self.data is not None, "it was checked"
        return self.data

    @property
    def ladder_jobs(self) -> int:
        """The number of the ladder's battles at the same time."""
        return self.jobs or max(1, round(processors()) - 1)
