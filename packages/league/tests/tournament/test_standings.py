"""Standings follow from the battles alone, with intervals and indistinguishable entries."""

from __future__ import annotations

import json
import random
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

import pytest

from packages.league.tests.tournament.play import RULES, battle, by_strength, entries_of, play_all
from turnwright.kernel.failure import Failure, FailureReason
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.ledger import ResultLedger
from turnwright_league.tournament.narrowing import NarrowingBattles
from turnwright_league.tournament.pairings import PairingRules, TournamentFormat
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.standings import entry_labels, standings_of

ENTRIES = entries_of(4)
A, B, C, D = (entry.id for entry in ENTRIES)


def test_the_strongest_is_first_with_its_interval() -> None:
    found = standings_of(
        ENTRIES, play_all(ENTRIES, replace(RULES, battles=6), by_strength(ENTRIES, 0.3)), RULES
    )
    assert [row.entry for row in found.rows] == [A, B, C, D]
    assert [row.rank for row in found.rows] == [1, 2, 3, 4]
    for row in found.rows:
        assert row.aps is not None
        assert row.aps_low is not None
        assert row.aps_high is not None
        assert 0 <= row.aps_low < row.aps < row.aps_high <= 100
        assert row.battles == 18
    best = found.rows[0]
    assert best.win_share is not None
    assert best.win_share > 95
    assert best.survival is None
    assert best.cannot_be_told_apart_from == ()


def test_equals_share_a_rank_and_list_each_other_as_indistinguishable() -> None:
    battles = [battle({A: 10 + n, B: 10 - n}, n + 5) for n in (-2, -1, 1, 2)]
    first, second = standings_of(ENTRIES[:2], battles, None).rows
    assert (first.rank, second.rank) == (1, 1)
    assert first.cannot_be_told_apart_from == ("Bot001",)
    assert second.cannot_be_told_apart_from == ("Bot000",)


def test_an_entry_without_a_battle_is_last_and_has_no_figures() -> None:
    found = standings_of(ENTRIES[:3], [battle({B: 3, C: 1}, seed) for seed in (1, 2)], None)
    last = found.rows[-1]
    assert (last.entry, last.rank, last.aps, last.aps_low, last.battles) == (A, 3, None, None, 0)
    assert last.cannot_be_told_apart_from == ("Bot001", "Bot002")


def test_battles_that_do_not_count_are_counted_by_reason() -> None:
    rows = battle({A: 0, B: 9}).scores
    forfeit = replace(
        battle({A: 0, B: 9}, 2, state="forfeit"),
        scores=(replace(rows[0], failure=Failure(FailureReason.CRASHED)), rows[1]),
    )
    battles = [
        battle({A: 1, B: 1}),
        forfeit,
        battle({A: 1, B: 1}, 3, state="void"),
        battle({A: 1, B: 1}, 4, suspect=("late",)),
        battle({A: 1, "somebody who was removed": 1}, 5),
    ]
    found = standings_of(ENTRIES, battles, None)
    assert (found.counted, found.forfeits, found.void, found.suspect) == (2, 1, 1, 1)
    by_entry = {row.entry: row for row in found.rows}
    assert (by_entry[A].aps, by_entry[A].failures, by_entry[B].failures) == (25, 1, 0)


def test_the_matrix_says_each_against_each() -> None:
    battles = [battle({A: 3, B: 1, C: 0}, 1), battle({A: 1, B: 3, C: 0}, 2), battle({A: 4, B: 0}, 3)]
    found = standings_of(ENTRIES, battles, None)
    cell = found.pairing(A, B)
    assert cell is not None
    assert (cell.battles, round(cell.share, 9)) == (3, round(200 / 3, 9))
    assert cell.win_share == pytest.approx(200 / 3)
    other = found.pairing(B, A)
    assert other is not None
    assert cell.share + other.share == pytest.approx(100)
    assert found.pairing(A, D) is None
    assert len(found.pairings) == 6


def test_standings_are_json_values() -> None:
    data = standings_of(ENTRIES, [battle({A: 3, B: 1})], None, {"glicko2": {A: 1600.0}}).to_data()
    assert json.loads(json.dumps(data)) == json.loads(json.dumps(data))
    assert set(data) == {"standings", "pairings", "counted", "forfeits", "void", "suspect"}
    assert data["standings"][0]["ratings"] == {"glicko2": 1600.0}
    for name in ("rank", "name", "version", "aps", "aps_low", "aps_high", "win_share", "survival", "battles"):
        assert name in data["standings"][0]


def test_the_order_of_the_battles_does_not_matter() -> None:
    battles = play_all(ENTRIES, replace(RULES, battles=4), by_strength(ENTRIES, 1.0))
    mixed = random.Random(3).sample(battles, len(battles))
    assert standings_of(ENTRIES, mixed, None) == standings_of(ENTRIES, battles, None)


def test_labels_are_names_with_as_much_as_tells_them_apart() -> None:
    entries = [
        TournamentEntry("Ace", "1.0", "bot", "1"),
        TournamentEntry("Bee", "1.0", "bot", "1"),
        TournamentEntry("Bee", "1.1", "bot", "1"),
        TournamentEntry("Cee", "1.0", "bot", "1"),
        TournamentEntry("Cee", "1.0", "bot", "2"),
    ]
    ace, bee, newer, cee, other = entry_labels(entries).values()
    assert (ace, bee, newer) == ("Ace", "Bee 1.0", "Bee 1.1")
    assert cee != other
    assert cee.startswith("Cee 1.0 ")


def test_a_swiss_tournament_ranks_by_points_then_by_those_of_the_opponents() -> None:
    entries = entries_of(9)
    rules = replace(RULES, format="swiss")
    battles = play_all(entries, rules, by_strength(entries))
    rows = standings_of(entries, battles, rules).rows
    points = [row.points for row in rows]
    assert points == sorted(points, key=lambda one: -(one or 0))
    assert rows[0].entry == entries[0].id
    assert rows[0].points == 6
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)


def test_a_ladder_ranks_by_its_order() -> None:
    strong_first = entries_of(6)
    entries = strong_first[::-1]
    rules = replace(RULES, format="ladder")
    rows = standings_of(entries, [], rules).rows
    assert [row.entry for row in rows] == [entry.id for entry in entries]
    battles = play_all(entries, rules, by_strength(strong_first))
    rows = standings_of(entries, battles, rules).rows
    assert [row.entry for row in rows] == [entry.id for entry in strong_first]
    assert [row.rank for row in rows] == [1, 2, 3, 4, 5, 6]


# ---- until the intervals are narrow ------------------------------------------------------------------------


def next_pairings(
    entries: Sequence[TournamentEntry],
    rules: PairingRules,
    played: Iterable[PlayedBattle],
    half_width: float,
    known: Container[str],
    count: int,
) -> list[BattleSpec]:
    return NarrowingBattles(entries, rules, ResultLedger(entries, played), half_width).next(known, count)


def pairs_of(specs: list[BattleSpec]) -> list[set[str]]:
    return [set(spec.seats) for spec in specs]


def test_the_next_battle_is_of_the_pairing_that_is_least_certain() -> None:
    certain = [battle({A: 5 + n / 100, B: 5}, n) for n in range(8)]
    wild = [battle({A: 1 + 8 * (n % 2), C: 5}, n) for n in range(8)]
    battles = [*certain, *wild]
    assert pairs_of(next_pairings(ENTRIES[:3], RULES, battles, 1.0, set(), 2)) == [{B, C}, {B, C}]
    battles += [battle({B: 5 + n / 100, C: 5}, n) for n in range(8)]
    assert pairs_of(next_pairings(ENTRIES[:3], RULES, battles, 1.0, set(), 2)) == [{A, C}, {A, C}]


@pytest.mark.parametrize(("count", "battles"), [(2, 8), (3, 8), (6, 7), (15, 3)])
def test_the_fewer_opponents_the_more_battles_before_an_interval_is_believed(
    count: int, battles: int
) -> None:
    entries = entries_of(count)
    done: dict[str, PlayedBattle] = {}
    while due := next_pairings(entries, RULES, done.values(), 50.0, done, count):
        done |= {spec.id: by_strength(entries, 0.1)(spec) for spec in due}
    assert len(done) == battles * count * (count - 1) // 2


def test_battles_that_are_known_are_not_given_again() -> None:
    first = next_pairings(ENTRIES, RULES, [], 1.0, known=set(), count=5)
    more = next_pairings(ENTRIES, RULES, [], 1.0, known={spec.id for spec in first}, count=5)
    assert not {spec.id for spec in first} & {spec.id for spec in more}
    assert len({spec.id for spec in [*first, *more]}) == 10


@pytest.mark.parametrize("name", ["round-robin", "gauntlet", "melee", "swiss"])
def test_playing_on_narrows_all_intervals_to_the_requested_size(name: TournamentFormat) -> None:
    entries = entries_of(5)
    rules = replace(RULES, format=name, seats=3 if name == "melee" else None)
    play = by_strength(entries, 0.7)
    battles: dict[str, PlayedBattle] = {}
    while due := next_pairings(entries, rules, battles.values(), 6.0, battles, count=8):
        battles |= {spec.id: play(spec) for spec in due}
        assert len(battles) < 2000
    rows = standings_of(entries, battles.values(), None).rows
    assert all(row.aps_low is not None and row.aps_high is not None for row in rows)
    assert all((row.aps_high or 0) - (row.aps_low or 0) <= 12 for row in rows)
