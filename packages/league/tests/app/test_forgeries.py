"""`tournament verify` names every change that a dishonest host makes, with the battle and the reason.

Each forgery is tried three times: without a new seal, with a new seal that is checked against the published
one, and with a new seal if no seal was published. The table has the exit code of the last try: 4 if the
forgery is still named, 5 if the tournament cannot be proved, and 0 if such a host can replace anything, as
documented.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from packages.core.tests.app.bots import PLAYS, write_bot
from packages.core.tests.messages import missing
from packages.league.tests.app.forging import Forger, swapped
from packages.league.tests.app.inline_workers import work_here
from turnwright.cli.__main__ import main
from turnwright.errors import EXIT_MISMATCH, EXIT_OK, EXIT_RECORD
from turnwright.kernel.failure import Failure, FailureReason
from turnwright.net.participants.directory import load
from turnwright_league.app.folder import bot_of
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.pairings import battle_of
from turnwright_league.tournament.played_battle import PlayedBattle

pytestmark = pytest.mark.process

Forge = Callable[[Forger], "set[str]"]
"""Returns the ids of the battles that must be named. If none, an entry or the tournament must be named."""


@dataclass(frozen=True)
class Forgery:
    name: str
    forge: Forge
    words: tuple[object, ...]
    unpublished: int


FORGERIES: list[Forgery] = []
EARLIER = 19
"""The number of forgeries at the start of the table that were found first. 13 of them were once accepted."""


def forgery(name: str, *words: object, unpublished: int = EXIT_MISMATCH) -> Callable[[Forge], Forge]:
    def keep(forge: Forge) -> Forge:
        FORGERIES.append(Forgery(name, forge, words, unpublished))
        return forge

    return keep


def rows_changed(battles: list[PlayedBattle], f: Forger, **changes: Any) -> set[str]:
    return {f.put(replace(one, **changes)) for one in battles}


# ---- those of the review -----------------------------------------------------------------------------------


@forgery("a score in a row is changed", "score", "Mine", "its record gives")
def _(f: Forger) -> set[str]:
    one = f.lost_by("Mine")[0]
    return {f.put(replace(one, scores=swapped(one.scores)))}


@forgery("a byte of a record is changed", "record")
def _(f: Forger) -> set[str]:
    one = f.battles()[0]
    data = bytearray(f.path(one).read_bytes())
    data[len(data) // 2] ^= 1
    f.path(one).write_bytes(data)
    return {one.id}


@forgery("two records are exchanged", "seed")
def _(f: Forger) -> set[str]:
    one, two = f.of("Low", "High")[0], f.of("Low", "Mine")[0]
    first, second = f.path(one).read_bytes(), f.path(two).read_bytes()
    f.path(one).write_bytes(second)
    f.path(two).write_bytes(first)
    return {one.id, two.id}


@forgery("a record is deleted", "record", "missing")
def _(f: Forger) -> set[str]:
    f.path(f.battles()[0]).unlink()
    return {f.battles()[0].id}


@forgery("a battle is played with another seed", "seed", 77)
def _(f: Forger) -> set[str]:
    one = f.of("Low", "High")[0]
    other = replace(one.spec, seed=77)
    played = f.play(other, f.given(other), under=one.id)
    f.delete(played)
    return {f.put(replace(played, spec=one.spec))}


@forgery("lost battles are called suspect", "suspect")
def _(f: Forger) -> set[str]:
    return rows_changed(f.lost_by("Mine"), f, suspect=("the server was late in 9 of 9 turns",))


@forgery("the rows of lost battles are deleted", "missing", "follows")
def _(f: Forger) -> set[str]:
    return f.delete(*f.lost_by("Mine")[:2])


@forgery("a battle with the best of many seeds is added", "does not follow", "seed")
def _(f: Forger) -> set[str]:
    spec = replace(f.lost_by("Mine")[0].spec, seed=4711)
    return {f.play(spec, f.given(spec)).id}


@forgery("other built-in bots play, with the same seeds", "played by Middle", "not by Low")
def _(f: Forger) -> set[str]:
    return {f.play(one.spec, f.given(one.spec, Low="Middle")).id for one in f.of("Low", "High")}


@forgery("battles are played with other settings", "turns 1", "the tournament 3")
def _(f: Forger) -> set[str]:
    ids = set()
    for one in f.of("Low", "High"):
        short = replace(one.spec, settings='{"settings":{"turns":1}}')
        played = f.play(short, f.given(short), under=one.id)
        f.delete(played)
        ids.add(f.put(replace(played, spec=one.spec)))
    return ids


@forgery("a built-in bot plays a directory's career, without source hashes", "no source hash", "Mine")
def _(f: Forger) -> set[str]:
    ids = set()
    for one in f.of("Mine"):
        played = f.play(one.spec, f.given(one.spec, Mine="High"))
        seat = one.spec.seats.index(f.ids["Mine"])

        def nameless(record: Any, seat: int = seat) -> Any:
            seats = list(record.header.seats)
            seats[seat] = replace(seats[seat], name="Mine", source_hash=None)
            return replace(record, header=replace(record.header, seats=tuple(seats)))

        ids.add(f.rewrite(played, nameless))
    return ids


@forgery("an entry is renamed, so that its battles count no more", "entry", "Better")
def _(f: Forger) -> set[str]:
    f.change_entry("High", name="Better")
    return {one.id for one in f.of("High")}


@forgery("the winner is called removed", "High", "removed")
def _(f: Forger) -> set[str]:
    f.sql("UPDATE entries SET state = 'removed' WHERE id = ?", f.ids["High"])
    return set()


@forgery("seed and format of the rules are changed", "seed 99")
def _(f: Forger) -> set[str]:
    f.change_rules(seed=99)
    return {one.id for one in f.battles()}


@forgery("lost battles are called void, without records", "record", "missing")
def _(f: Forger) -> set[str]:
    return rows_changed(f.lost_by("Mine"), f, state="void", record=None, record_hash="")


@forgery("forfeits are invented, without records", "forfeit", unpublished=EXIT_RECORD)
def _(f: Forger) -> set[str]:
    ids = set()
    for one in f.of("Mine", "High"):
        rows = tuple(
            replace(row, score=0.0, rounds=(), failure=Failure(FailureReason.SILENT))
            if row.entry == f.ids["High"] else row for row in one.scores
        )  # fmt: skip
        ids.add(f.put(replace(one, state="forfeit", scores=rows, record=None, record_hash="",
                              turns=0, digest="")))  # fmt: skip
    return ids


@forgery("scores are changed, without records", "record", "missing")
def _(f: Forger) -> set[str]:
    return {
        f.put(replace(one, scores=swapped(one.scores), record=None, record_hash=""))
        for one in f.lost_by("Mine")
    }


@forgery("scores are changed, and records called deleted", "record", "deleted")
def _(f: Forger) -> set[str]:
    return {
        f.put(replace(one, scores=swapped(one.scores), record=None, record_deleted=True))
        for one in f.lost_by("Mine")
    }


@forgery("all rows are deleted", "missing")
def _(f: Forger) -> set[str]:
    return f.delete(*f.battles())


# ---- more --------------------------------------------------------------------------------------------------


@forgery("lost battles are called void before their first turn", "void", unpublished=EXIT_RECORD)
def _(f: Forger) -> set[str]:
    lost = f.lost_by("Mine")
    return rows_changed(lost, f, state="void", record=None, record_hash="", turns=0, digest="")


@forgery("two entries exchange their names", "id does not match")
def _(f: Forger) -> set[str]:
    f.change_entry("High", name="Low")
    f.change_entry("Low", name="High")
    return {one.id for one in f.of("High")}


@forgery("an entry gets another version", "id does not match")
def _(f: Forger) -> set[str]:
    f.change_entry("Mine", version="2.0")
    return {one.id for one in f.of("Mine")}


@forgery("an entry gets other sources", "id does not match")
def _(f: Forger) -> set[str]:
    f.change_entry("Mine", source="00" * 16)
    return {one.id for one in f.of("Mine")}


@forgery("another program plays a directory's career under its name", "other sources", "Mine")
def _(f: Forger) -> set[str]:
    better = write_bot(f.folder.parent / "elsewhere", "Mine", PLAYS.replace("2)", "9)"))
    ids = set()
    for one in f.of("Mine"):
        bots = {**f.given(one.spec), f.ids["Mine"]: str(better)}
        ids.add(f.play(one.spec, bots).id)
    return ids


@forgery("another program plays, and the record names the right one", "changed", unpublished=EXIT_OK)
def _(f: Forger) -> set[str]:
    spec = f.lost_by("Mine")[0].spec
    return {f.call_seats(f.play(spec, f.given(spec, Mine="High")))}


@forgery("other built-in bots play, and the record names the right ones", "changed", unpublished=EXIT_OK)
def _(f: Forger) -> set[str]:
    spec = f.of("Low", "High")[0].spec
    return {f.call_seats(f.play(spec, f.given(spec, Low="Middle")))}


@forgery("a bot is said to have missed a turn, and all is played again", "changed", unpublished=EXIT_OK)
def _(f: Forger) -> set[str]:
    one = f.of("Low", "High")[0]
    seat = one.spec.seats.index(f.ids["High"])

    def late(entry: Any) -> Any:
        if entry.turn != 1:
            return entry
        intents = {other: bid for other, bid in entry.intents.items() if other != seat}
        return replace(entry, intents=intents, skipped=(seat,))

    failures = tuple(replace(row, skipped=row.seat == seat) for row in one.scores)
    f.put(replace(one, scores=failures))
    return {f.play_otherwise(one, late)}


@forgery("other intents are written, and all is played again", "changed", unpublished=EXIT_OK)
def _(f: Forger) -> set[str]:
    one = f.of("Low", "High")[0]
    seat = one.spec.seats.index(f.ids["Low"])
    return {f.play_otherwise(one, lambda entry: replace(entry, intents={**entry.intents, seat: 9}))}


@forgery("scores and the results in the record are changed", "results")
def _(f: Forger) -> set[str]:
    one = f.lost_by("Mine")[0]

    def better(record: Any) -> Any:
        rows = [{**row, "score": 99.0} for row in record.footer.results]
        return replace(record, footer=replace(record.footer, results=rows))

    return {f.rewrite(one, better, fits=False, scores=swapped(one.scores))}


@forgery("the settings of the rules are changed", "settings")
def _(f: Forger) -> set[str]:
    f.change_rules(settings='{"settings":{"turns":9}}')
    return {one.id for one in f.battles()}


@forgery("a battle of other settings takes the place of one", "settings")
def _(f: Forger) -> set[str]:
    one = f.lost_by("Mine")[0]
    f.delete(one)
    spec = replace(one.spec, settings='{"settings":{"turns":1}}')
    return {one.id, f.play(spec, f.given(spec)).id}


@forgery("a battle is counted twice", "specification")
def _(f: Forger) -> set[str]:
    return {f.put(f.battles()[0], "f" * 40)}


@forgery("one more battle of a pairing is played, with its right seed", "does not follow")
def _(f: Forger) -> set[str]:
    one = f.of("Mine", "Low")[0]
    rules = check_rules(f)
    spec = battle_of(sorted(set(one.spec.seats)), rules, 2)
    return {f.play(spec, f.given(spec)).id}


@forgery("a battle is played with the seats of its better twin", "does not follow", "missing")
def _(f: Forger) -> set[str]:
    one, two = f.of("Low", "High")
    f.delete(one)
    spec = replace(one.spec, seats=one.spec.seats[::-1], seed=two.spec.seed + 1)
    return {one.id, f.play(spec, f.given(spec)).id}


@forgery("the order of the entries is changed", "entry")
def _(f: Forger) -> set[str]:
    f.sql("UPDATE entries SET joined = 4 - joined")
    return set()


@forgery("one battle of each pairing is deleted, and the plan asked for one", "deleted", unpublished=EXIT_OK)
def _(f: Forger) -> set[str]:
    rules = check_rules(f)
    second = [one for one in f.battles() if battle_of(sorted(set(one.spec.seats)), rules, 1) == one.spec]
    f.change_plan(battles=1)
    for one in second:
        f.path(one).unlink()
    return f.delete(*second)


@forgery("lost battles are deleted, and the plan asked for an open number", "deleted", unpublished=EXIT_OK)
def _(f: Forger) -> set[str]:
    f.change_plan(battles=None)
    both = f.of("Mine", "High")
    for one in both:
        f.path(one).unlink()
    return f.delete(*both)


@forgery("the first battle of a pairing is deleted, and the plan asked for an open number", "deleted",
         unpublished=EXIT_RECORD)  # fmt: skip
def _(f: Forger) -> set[str]:
    rules = check_rules(f)
    f.change_plan(battles=None)
    first = [one for one in f.of("Mine", "High") if battle_of(sorted(one.spec.seats), rules, 0) == one.spec]
    return f.delete(*first)


@forgery("results are kept out of the plan's records", "changed", unpublished=EXIT_RECORD)
def _(f: Forger) -> set[str]:
    f.change_plan(keep="none")
    return {
        f.put(replace(one, scores=swapped(one.scores), record=None, record_hash=""))
        for one in f.lost_by("Mine")
    }


@forgery("the plans are deleted", "rules or plans", unpublished=EXIT_RECORD)
def _(f: Forger) -> set[str]:
    f.put_meta("plans", [])
    return f.delete(*f.lost_by("Mine"))


@forgery("a record is renamed, and its row says so", "called")
def _(f: Forger) -> set[str]:
    one = f.battles()[0]
    other = f.folder / "records" / "other.twr"
    f.path(one).rename(other)
    return {f.put(replace(one, record="records/other.twr"))}


@forgery("two battles exchange their results and records", "seed")
def _(f: Forger) -> set[str]:
    one, two = f.of("Low", "High")[0], f.of("Low", "Mine")[0]
    first, second = f.path(one).read_bytes(), f.path(two).read_bytes()
    f.path(one).write_bytes(second)
    f.path(two).write_bytes(first)
    f.put(replace(two, spec=one.spec, record=one.record))
    f.put(replace(one, spec=two.spec, record=two.record))
    return {one.id, two.id}


@forgery("answer times are changed, which no record has", "changed", unpublished=EXIT_OK)
def _(f: Forger) -> set[str]:
    one = f.of("Mine")[0]
    return {f.put(replace(one, scores=tuple(replace(row, p99_us=1) for row in one.scores)))}


@forgery("a battle that was played three times says once", "changed", unpublished=EXIT_OK)
def _(f: Forger) -> set[str]:
    return {f.put(replace(f.battles()[0], attempts=7))}


@forgery("a battle is said to have been in the sandbox, in its record, too", "changed", unpublished=EXIT_OK)
def _(f: Forger) -> set[str]:
    def sandboxed(record: Any) -> Any:
        return replace(record, header=replace(record.header, sandbox="full"))

    return {f.rewrite(f.of("Mine")[0], sandboxed, sandbox="full")}


@forgery("other settings are excused by another version", "turns", unpublished=EXIT_RECORD)
def _(f: Forger) -> set[str]:
    one = f.of("Low", "High")[0]
    short = replace(one.spec, settings='{"settings":{"turns":1}}')
    played = f.play(short, f.given(short), under=one.id)
    f.delete(played)

    def older(record: Any) -> Any:
        return replace(record, header=replace(record.header, made_by="turnwright 0.0.9"))

    return {f.rewrite(replace(played, spec=one.spec), older, turnwright="0.0.9")}


@forgery("a result looks as if an earlier version had played it", "hash", unpublished=EXIT_RECORD)
def _(f: Forger) -> set[str]:
    one = f.lost_by("Mine")[0]
    played = f.play(one.spec, f.given(one.spec, Mine="High"))

    def nameless(record: Any) -> Any:
        seats = tuple(
            replace(info, name=name, source_hash=None)
            for info, name in zip(record.header.seats, (f.entry_names()[s] for s in one.spec.seats),
                                  strict=True)
        )  # fmt: skip
        return replace(record, header=replace(record.header, seats=seats))

    f.rewrite(played, nameless)
    return {f.put(replace(played, record_hash=""))}


@forgery("the archive of an entry holds another program", "entry", "Mine", "other sources")
def _(f: Forger) -> set[str]:
    better = write_bot(f.folder.parent / "elsewhere", "Mine", PLAYS.replace("2)", "9)"))
    archive = f.place.archive(f.ids["Mine"])
    other = bot_of(load(better), "elsewhere")
    f.place.keep_sources(other)
    f.place.archive(other.entry.id).replace(archive)
    return set()


@forgery("the row of an entry is deleted", "entry")
def _(f: Forger) -> set[str]:
    f.sql("DELETE FROM entries WHERE id = ?", f.ids["High"])
    return {one.id for one in f.of("High")}


@forgery("a lost battle is played again until it is won", "changed", unpublished=EXIT_OK)
def _(f: Forger) -> set[str]:
    one = f.lost_by("Mine")[0]
    return {f.play(one.spec, f.given(one.spec), attempts=1).id}


@forgery("the row of a battle cannot be read", "cannot be read")
def _(f: Forger) -> set[str]:
    one = f.lost_by("Mine")[0]
    f.sql("UPDATE battles SET data = '{' WHERE id = ?", one.id)
    return {one.id}


@forgery("a record is cut off", "record")
def _(f: Forger) -> set[str]:
    one = f.lost_by("Mine")[0]
    f.path(one).write_bytes(f.path(one).read_bytes()[:-40])
    return {one.id}


@forgery("a battle of strangers is added", "entry")
def _(f: Forger) -> set[str]:
    one = f.of("Low", "High")[0]
    seats = tuple("ab" * 16 if seat == f.ids["High"] else seat for seat in one.spec.seats)
    rows = tuple(replace(row, entry=seats[row.seat]) for row in one.scores)
    return {f.put(replace(one, spec=replace(one.spec, seats=seats), scores=rows))}


@forgery("two entries exchange their columns", "columns")
def _(f: Forger) -> set[str]:
    one = f.lost_by("Mine")[0]
    first, second = one.scores
    rows = replace(first, columns=second.columns), replace(second, columns=first.columns)
    return {f.put(replace(one, scores=rows))}


@forgery("an entry that did not play is put into the standings", "entry Middle", "did not play")
def _(f: Forger) -> set[str]:
    ((data, origin),) = f.sql("SELECT data, origin FROM entries WHERE id = ?", f.ids["Low"])
    entry = replace(msgspec.json.decode(data, type=TournamentEntry), name="Middle")
    values = (entry.id, msgspec.json.encode(entry).decode(), origin)
    f.sql("INSERT INTO entries VALUES (?, ?, ?, 1, 'plays', 9)", *values)
    return set()


def check_rules(f: Forger) -> Any:
    from turnwright_league import Tournament

    return Tournament(f.folder).rules


# ---- the tournament ----------------------------------------------------------------------------------------


@pytest.fixture
def verify(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, dict[str, Any]]]:
    work_here(monkeypatch)

    def run(folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
        capsys.readouterr()
        every = () if "--sample" in options else ("--all",)
        code = main(["tournament", "verify", str(folder), "--json", *every, *options])
        return code, json.loads(capsys.readouterr().out)

    return run


@pytest.fixture
def forger(honest: Path, tmp_path: Path) -> Forger:
    copy = shutil.copytree(honest / "cup", tmp_path / "cup")
    return Forger(Path(copy), str(honest / "dice"))


def said(found: dict[str, Any], kind: str = "wrong") -> str:
    return "\n".join(f"{one['id']} {one['names']}: {'; '.join(one['problems'])}" for one in found[kind])


def test_an_honest_tournament_is_proved_with_its_seal(forger: Forger, verify: Any) -> None:
    code, found = verify(forger.folder)
    assert (code, found["ok"], found["checked"]) == (EXIT_OK, True, 6), said(found) + said(found, "unproved")
    assert verify(forger.folder, "--seal", found["seal"])[0] == EXIT_OK


def test_there_are_the_nineteen_of_the_review_and_twenty_more() -> None:
    names = [one.name for one in FORGERIES]
    assert len(set(names)) == len(names) >= EARLIER + 20
    assert FORGERIES[EARLIER - 1].name == "all rows are deleted"


@pytest.mark.parametrize("forged", FORGERIES, ids=lambda one: one.name)
def test_a_forgery_is_named_with_battle_and_reason(forged: Forgery, forger: Forger, verify: Any) -> None:
    published = forger.published()
    named = forged.forge(forger)
    code, found = verify(forger.folder)
    told = said(found) + "\n" + said(found, "unproved")
    assert code == EXIT_MISMATCH, told
    assert named <= {one["id"] for one in found["wrong"]}, told
    assert not missing(told, *forged.words), told
    if forger.meta("plans"):
        forger.seal_again()
    else:
        forger.remove_seal()
    assert verify(forger.folder, "--seal", published, "--sample", "1")[0] == EXIT_MISMATCH
    code, found = verify(forger.folder)
    assert code == forged.unpublished, said(found) + said(found, "unproved")
