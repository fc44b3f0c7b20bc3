"""The bench of the world's clock runs to its end, and its page says what it prints."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The bench, as a module."""
    monkeypatch.syspath_prepend(str(BENCH))
    import clock

    return clock


def cells(table: str) -> list[list[str]]:
    """Return the cells of a table's rows, without its head."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def test_nothing_is_told_while_timers_run_and_each_begins_and_lands_once(clock: ModuleType) -> None:
    counts = [row[1] for row in cells(clock.timers(400))]
    assert counts == ["400", "0", "1", "400"]


def test_the_page_has_the_bytes_that_the_bench_counts(clock: ModuleType) -> None:
    page = (BENCH / "README.md").read_text(encoding="utf-8").splitlines()
    for table in (clock.sizes(), clock.clock_traffic(), clock.threat_traffic()):
        assert [line for line in table.splitlines()[2:] if line not in page] == []


def test_the_wanted_sizes_hold_for_inserts_and_pings(clock: ModuleType) -> None:
    sizes = {row[0]: int(row[4]) for row in cells(clock.sizes())}
    assert sizes["Combat.Threat.Add"] <= 40
    assert all(float(row[1].split()[0]) <= 30 for row in cells(clock.clock_traffic()))


def test_our_clock_is_within_what_was_asked_for_and_the_one_of_document_003_is_not(clock: ModuleType) -> None:
    rows = cells(clock.clocks(4, 60))
    ours = {row[0]: float(row[3]) for row in rows if row[1] == "turnwright"}
    theirs = {row[0]: float(row[3]) for row in rows if row[1] != "turnwright"}
    for name, wanted_ms in (("50 ms, jitter 5", 3), ("100 ms, jitter 15", 5), ("200 ms, jitter 30", 10)):
        assert ours[name] <= wanted_ms < theirs[name]
