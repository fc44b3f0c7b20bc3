"""`turnwright tournament verify FOLDER`: replays records and compares."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnwright.app.option_fields import option
from turnwright.cli.choice import JsonChoice
from turnwright.cli.parser import CommandSpec, GivenOptions
from turnwright.errors import EXIT_MISMATCH, EXIT_OK, EXIT_RECORD, SetupError
from turnwright_league.app.options import JobsChoice
from turnwright_league.cli.choice import FolderChoice, StoreChoice

if TYPE_CHECKING:
    from turnwright_league.app.check import CheckedBattle, TournamentCheck

SAMPLE = 20
"""The number of battles that are replayed by default."""
_DESCRIPTION = f"""\
The command derives the battles that must exist from the rules, the entries and the seed. It replays records,
and compares settings, sources, scores, digests and standings with the results. Without --sample or --all, it
replays {SAMPLE} records.

The exit code is 0 if all results are proved, and 4 if a result differs. It is 5 if no result differs, but
some results cannot be proved, for example because a battle has no record. The command names each battle that
it cannot prove.

--seal compares everything with the line that `turnwright tournament run` printed at the end. Without a
published seal, a host could replace the whole folder unnoticed. --entry replays only the battles of one
entry. A participant who wants to check one entry needs only the results and the records of its battles. If
--entry is a bot directory, the command also proves that the tournament played this program."""
_JSON = """\
| Key | Value |
|---|---|
| `ok` | whether no result differs and all results are proved |
| `battles` | the number of battles in the store |
| `checked` | the number of replayed battles |
| `without_record` | the number of battles without a record |
| `records_deleted` | the number of records that a ladder server deleted to free disk space |
| `standings_differ` | whether the replayed battles give other standings |
| `seal` | the seal of the tournament |
| `wrong`, `unproved` | lists of battles with `id`, `names` (of the bots) and `problems`. If `id` is "", \
`names` is an entry or the tournament |"""
SHOWN_MAX = 20
"""The most printed lines about results that cannot be proved."""


@dataclass(frozen=True)
class TournamentVerifyOptions:
    """The battles to verify.

    Raises:
        SetupError: the sample is below 1, or two options contradict each other.
    """

    sample: int | None = option(
        None,
        f"replay this number of battles, chosen evenly from all battles (default: {SAMPLE})",
        metavar="N",
    )
    all: bool = option(False, "replay every battle")
    seal: str | None = option(None, "compare with this published seal", metavar="LINE")
    entry: str | None = option(
        None, "replay the battles of one entry, by its name or its bot directory", metavar="BOT"
    )

    def __post_init__(self) -> None:
        if self.all and self.sample is not None:
            raise SetupError("--sample and --all are both given: give one of them")
        if self.sample is not None and self.sample < 1:
            raise SetupError(f"--sample is {self.sample}: give 1 or more")


def run(given: GivenOptions) -> int:
    """Verify the tournament, and print what differs and what is not proved.

    The exit code is EXIT_MISMATCH if something differs, and otherwise EXIT_RECORD if something is not proved.
    """
    from turnwright.cli.terminal import Bar, clean, print_json
    from turnwright_league.app.check import verify_tournament

    options = given.make(TournamentVerifyOptions)
    with Bar("verifying") as bar:
        found = verify_tournament(
            given.make(FolderChoice).folder,
            None if options.all or (options.entry and not options.sample) else options.sample or SAMPLE,
            given.make(StoreChoice).store,
            given.make(JobsChoice).jobs,
            lambda done, whole: bar.reach(done, whole, "battles"),
            seal=options.seal,
            entry=options.entry,
        )
    if given.make(JsonChoice).json:
        print_json(found.to_data())
    else:
        for line in _lines(found):
            print(clean(line))
        sys.stdout.flush()
    if found.wrong:
        return EXIT_MISMATCH
    return EXIT_RECORD if found.unproved else EXIT_OK


def _lines(found: TournamentCheck) -> Iterator[str]:
    """Yield the findings and then the summary."""
    for one in found.wrong:
        yield _line("WRONG", one)
    for one in found.unproved[:SHOWN_MAX]:
        yield _line("NOT PROVED", one)
    if (more := len(found.unproved) - SHOWN_MAX) > 0:
        yield f"NOT PROVED {more:,} more: --json lists all"
    if found.standings_differ:
        yield "the standings computed from these battles differ"
    without = f", {found.without_record} without a record" if found.without_record else ""
    if found.records_deleted:
        were = "was" if found.records_deleted == 1 else "were"
        without += f" ({found.records_deleted} {were} deleted to make room)"
    yield f"{found.checked} of {found.battles} battles replayed: {_verdict(found)}{without}"
    if found.seal:
        yield f"seal: {found.seal}"


def _line(word: str, one: CheckedBattle) -> str:
    return " ".join([word, *filter(None, (one.id[:12],)), f"{one.names}: {'; '.join(one.problems)}"])


def _verdict(found: TournamentCheck) -> str:
    if found.wrong:
        return f"{len(found.wrong)} wrong" + (f", {len(found.unproved)} not proved" if found.unproved else "")
    if found.unproved:
        return f"nothing differs, {len(found.unproved)} not proved"
    return "all match" if found.checked == found.battles else "these match"


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (FolderChoice, TournamentVerifyOptions, JobsChoice, JsonChoice, StoreChoice),
    examples={"bots": "replay its records"},
    json=_JSON,
)
