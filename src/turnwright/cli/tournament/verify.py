"""`turnwright tournament verify FOLDER`: replays records and compares."""

from __future__ import annotations

from dataclasses import dataclass

from turnwright.app.option_fields import option
from turnwright.app.tournament.options import JobsChoice
from turnwright.cli.choice import JsonChoice
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.cli.tournament.choice import FolderChoice, StoreChoice
from turnwright.errors import EXIT_MISMATCH, EXIT_OK, SetupError

__all__ = ["COMMAND", "run"]

SAMPLE = 20
"""Battles that are checked unless it is said otherwise."""
_DESCRIPTION = f"""\
Records of the battles are played again, and scores, digests and standings are compared with the results of
the tournament. A result that was forged or altered is named. The exit code is 0 if all is as it was
played, 4 if anything differs. Without --sample or --all, {SAMPLE} battles are checked.

--json prints one object: ok, battles (in the store), checked, without_record (that cannot be checked),
records_deleted (of them, by an arena, to make room), standings_differ, wrong: a list of id, names and
problems."""


@dataclass(frozen=True)
class TournamentVerifyOptions:
    """The battles to verify."""

    sample: int | None = option(
        None, f"number of battles to check, spread evenly (default: {SAMPLE})", metavar="N"
    )
    all: bool = option(False, "check every battle")

    def __post_init__(self) -> None:
        if self.all and self.sample is not None:
            raise SetupError("--sample and --all are both given: give one of them")
        if self.sample is not None and self.sample < 1:
            raise SetupError(f"--sample is {self.sample}: give 1 or more")


def run(given: GivenOptions) -> int:
    """Verify the tournament."""
    from turnwright.app.tournament.check import verify_tournament
    from turnwright.cli.terminal import Bar, clean, print_json

    options = given.make(TournamentVerifyOptions)
    with Bar("verifying") as bar:
        found = verify_tournament(
            given.make(FolderChoice).folder,
            None if options.all else options.sample or SAMPLE,
            given.make(StoreChoice).store,
            given.make(JobsChoice).jobs,
            lambda done, whole: bar.reach(done, whole, "battles"),
        )
    if given.make(JsonChoice).json:
        print_json(found.to_data())
    else:
        for one in found.wrong:
            print(f"WRONG {one.id[:12]} {clean(one.names)}: {clean('; '.join(one.problems))}")
        if found.standings_differ:
            print("the standings computed from these battles differ")
        without = f", {found.without_record} without a record" if found.without_record else ""
        if found.records_deleted:
            were = "was" if found.records_deleted == 1 else "were"
            without += f" ({found.records_deleted} {were} deleted to make room)"
        wrong = f"{len(found.wrong)} wrong" if found.wrong else "all match"
        print(f"{found.checked} of {found.battles} battles replayed: {wrong}{without}", flush=True)
    return EXIT_OK if found.ok else EXIT_MISMATCH


COMMAND = CommandSpec(
    run, _DESCRIPTION, (FolderChoice, TournamentVerifyOptions, JobsChoice, JsonChoice, StoreChoice)
)
