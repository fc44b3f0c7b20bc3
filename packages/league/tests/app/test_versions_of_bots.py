"""The standings contain the current version of a bot. Earlier versions are its history."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from packages.league.tests.tournament.play import battle
from turnwright_league import Tournament
from turnwright_league.app.export import export_csv, export_jsonl
from turnwright_league.app.page.content import VERSIONS_MAX, page_data
from turnwright_league.app.page.source import source_of
from turnwright_league.app.store import EntryState, KeptEntry, open_store
from turnwright_league.app.tournament import RULES, bots_of, rules_text
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.pairings import PairingRules

SHARES = {"AB": 45.0, "AW": 95.0, "AC": 45.4, "BW": 55.0, "BC": 79.0, "CW": 50.0}
"""Share of the first bot against the second, percent, for all versions. B leads A if each bot counts once."""


def version(name: str, number: int) -> TournamentEntry:
    return TournamentEntry(name, str(number), "bot", f"{name}{number}")


def keep(folder: Path, uploads: int, origin: str = "W") -> None:
    """Write results: A, B and C, and W in several versions, of which each has met the others twice."""
    folder.mkdir()
    versions = [version("W", 1 + nth) for nth in range(uploads)]
    others = [version(name, 1) for name in "ABC"]
    store = open_store(folder / "results.sqlite", writing=True)
    rules = PairingRules("snake", 7, "{}", 1)
    store.put_meta(RULES, rules_text(rules, "snake"))
    for nth, one in enumerate(others + versions):
        state: EntryState = "plays" if one in others or one is versions[-1] else "changed"
        place = origin.format(nth) if one in versions else one.name
        store.put_entry(KeptEntry(one, place, 1, state, nth))
    seed = 0
    for one, other in combinations(others + versions, 2):
        share = SHARES.get(min(one.name + other.name, other.name + one.name))
        if share is None:
            continue
        first, second = sorted((one, other), key=lambda entry: entry.name)
        for _ in range(2):
            seed += 1
            store.add(battle({first.id: share, second.id: 100 - share}, seed, played_us=seed))
    store.close()


@pytest.mark.parametrize("origin", ["W", "_arena/bots/{}/W"], ids=["of one directory", "of uploads"])
def test_uploads_of_a_third_bot_change_no_place(tmp_path: Path, origin: str) -> None:
    keep(tmp_path / "once", 1)
    keep(tmp_path / "often", 5, origin)
    once, often = Tournament(tmp_path / "once"), Tournament(tmp_path / "often")
    assert [(row.name, row.aps) for row in often.standings] == [(row.name, row.aps) for row in once.standings]
    assert [row.name for row in often.standings][:2] == ["B", "A"]
    assert often.table.counted == once.table.counted
    everybody = Tournament(tmp_path / "often", all_versions=True)
    assert len(everybody.standings) == 8
    assert [row.name for row in everybody.standings][:2] == ["A", "B"]


def test_the_history_of_a_bot_has_each_version_against_the_bots_of_now(tmp_path: Path) -> None:
    keep(tmp_path / "cup", 3)
    found = Tournament(tmp_path / "cup")
    (versions,) = (one for one in found.versions.values() if len(one) > 1)
    assert [(one.entry.version, one.is_current) for one in versions] == [
        ("3", True),
        ("2", False),
        ("1", False),
    ]
    mine = next(row for row in found.standings if row.name == "W")
    assert [one.aps for one in versions] == [pytest.approx(mine.aps)] * 3
    assert {(one.opponents, one.battles) for one in versions} == {(3, 6)}
    assert all(0 < one.first_us < one.last_us for one in versions)
    data = json.loads(json.dumps(found.to_data()))
    assert [one["entry"]["version"] for one in data["versions"] if one["bot"] == mine.entry] == [
        "3",
        "2",
        "1",
    ]


def test_a_battle_of_an_earlier_version_is_found_and_named(tmp_path: Path) -> None:
    keep(tmp_path / "cup", 2)
    found, everybody = (Tournament(tmp_path / "cup", all_versions=some) for some in (False, True))
    old = {one.id for one in everybody.battles()} - {one.id for one in found.battles()}
    assert len(old) == 6
    assert all("W 1" in str([found.labels[seat] for seat in found.battle(one).spec.seats]) for one in old)


def test_exports_have_the_battles_of_the_standings(tmp_path: Path) -> None:
    keep(tmp_path / "cup", 2)
    found = Tournament(tmp_path / "cup")
    lines = export_jsonl(found, tmp_path / "a.jsonl").read_text().splitlines()
    assert len(lines) == found.table.counted == 12
    with export_csv(found, tmp_path / "a.csv").open() as file:
        assert {(row["name"], row["version"]) for row in csv.DictReader(file)} == {
            ("A", "1"),
            ("B", "1"),
            ("C", "1"),
            ("W", "2"),
        }


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_the_page_has_the_newest_versions_and_counts_the_rest(tmp_path: Path, more: int) -> None:
    keep(tmp_path / "cup", VERSIONS_MAX + more)
    found = Tournament(tmp_path / "cup")
    rows = {row["name"]: row for row in page_data(source_of(found))["entries"]}
    assert rows["A"]["versions"] == []
    shown = rows["W"]["versions"]
    assert len(shown) == min(VERSIONS_MAX, VERSIONS_MAX + more)
    assert rows["W"]["versions_more"] == max(0, more)
    assert [row[2] for row in shown] == [True] + [False] * (len(shown) - 1)
    assert {row[5] for row in shown} == {rows["W"]["aps"]}


def test_a_bot_that_is_gone_stays_and_a_removed_one_takes_its_versions_along() -> None:
    one, two, three = (version("W", number) for number in (1, 2, 3))
    kept = [KeptEntry(one, "W", 1, "changed", 1), KeptEntry(two, "W", 1, "gone", 2)]
    assert bots_of(kept, [two]) == {two.id: [one, two]}
    kept = [replace(one, state="removed") for one in kept]
    assert bots_of([*kept, KeptEntry(three, "W", 1, "plays", 3)], [three]) == {three.id: [three]}
