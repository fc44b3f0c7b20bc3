"""Incremental sums equal those over all battles, and read each result once."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from packages.league.tests.tournament.plain_standings import PlainStandings, plain_choice
from packages.league.tests.tournament.play import RULES, by_strength, entries_of
from turnwright.kernel.failure import Failure, FailureReason
from turnwright_league.tournament import alike_entries, entry_estimates, narrowing, pairing_results
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.ledger import ResultLedger
from turnwright_league.tournament.narrowing import NarrowingBattles
from turnwright_league.tournament.pairings import PairingRules
from turnwright_league.tournament.played_battle import EntryScore, PlayedBattle
from turnwright_league.tournament.rounds import battles_of
from turnwright_league.tournament.standings import ledger_standings, standings_of

MELEE = replace(RULES, format="melee", seats=3, battles=6)
TRIPLES = replace(RULES, seats=3, battles=2)
Play = Callable[[BattleSpec], PlayedBattle]


def player(kind: str, rng: random.Random) -> Play:
    """Plays a battle: points, wins alone, or always the same; some do not count, some are forfeits."""

    def play(spec: BattleSpec) -> PlayedBattle:
        entries = list(dict.fromkeys(spec.seats))
        if kind == "wins":
            winner = rng.choice(entries)
            scores = [float(one == winner) for one in entries]
        elif kind == "constant":
            scores = [float(nth + 1) for nth in range(len(entries))]
        else:
            scores = [max(0.0, rng.gauss(4 + int(one[:2], 16) / 64, 2)) for one in entries]
        rows = tuple(
            EntryScore(spec.seats.index(one), one, score, survival=score if kind == "points" else None)
            for one, score in zip(entries, scores, strict=True)
        )
        draw = rng.random()
        if draw < 0.1:
            return PlayedBattle(spec, "ok", rows, suspect=("the server was late",))
        if draw < 0.2 and kind == "points":
            failed = Failure(FailureReason.CRASHED)
            return PlayedBattle(spec, "forfeit", (replace(rows[0], failure=failed), *rows[1:]))
        return PlayedBattle(spec, "void" if draw > 0.95 else "ok", rows)

    return play


def agrees(ledger: ResultLedger) -> None:
    """Assert that the sums of a ledger equal those of its battles."""
    plain = PlainStandings(ledger.entries, list(ledger.battles.values()))
    rows = ledger.alike(plain.ids)
    alike = {one: set(itertools.compress(plain.ids, row)) for one, row in zip(plain.ids, rows, strict=True)}
    assert ledger.correlation == pytest.approx(plain.correlation, abs=1e-12)
    for one in plain.ids:
        found, wanted = ledger.interval(one), plain.interval(one)
        assert (found is None) == (wanted is None)
        if found is not None and wanted is not None:
            assert found.mean == pytest.approx(100 * wanted.mean, abs=1e-9)
            assert (found.low is None) == (wanted.low is None)
            if wanted.low is not None and wanted.high is not None:
                assert found.low == pytest.approx(max(0.0, 100 * wanted.low), abs=1e-7)
                assert found.high == pytest.approx(min(100.0, 100 * wanted.high), abs=1e-7)
        assert alike[one] == {other for other in plain.ids if other != one and not plain.differ(one, other)}


@settings(max_examples=25)
@given(
    st.sampled_from(["points", "wins", "constant"]),
    st.sampled_from([RULES, MELEE, TRIPLES, replace(RULES, battles=6)]),
    st.integers(min_value=3, max_value=6),
    st.randoms(use_true_random=False),
)
def test_results_that_come_one_by_one_give_the_standings_of_all(
    kind: str, rules: PairingRules, count: int, rng: random.Random
) -> None:
    entries, play = entries_of(count), player(kind, rng)
    ledger, played = ResultLedger(entries), dict[str, PlayedBattle]()
    specs = battles_of(entries, rules)
    for spec in rng.sample(specs, rng.randint(0, len(specs))) + rng.sample(specs, len(specs) // 3):
        played[spec.id] = play(spec)
        ledger.add(played[spec.id])
        if rng.random() < 0.2:
            agrees(ledger)
    agrees(ledger)
    mixed = rng.sample(list(played.values()), len(played))
    assert ledger_standings(ledger, None) == standings_of(entries, mixed, None)


@settings(max_examples=15)
@given(
    st.sampled_from(["points", "wins"]),
    st.sampled_from([RULES, TRIPLES]),
    st.integers(min_value=3, max_value=5),
    st.randoms(use_true_random=False),
)
def test_the_next_battles_equal_those_of_a_look_at_all(
    kind: str, rules: PairingRules, count: int, rng: random.Random
) -> None:
    entries, play = entries_of(count), player(kind, rng)
    ledger, known = ResultLedger(entries), set[str]()
    plan = NarrowingBattles(entries, rules, ledger, 8.0)
    for _ in range(12):
        number = rng.randint(1, 6)
        wanted = plain_choice(entries, rules, list(ledger.battles.values()), 8.0, known, number)
        due = plan.next(known, number)
        assert due == wanted
        known |= {spec.id for spec in due}
        for spec in due:
            ledger.add(play(spec))


def count_calls(monkeypatch: pytest.MonkeyPatch, *functions: tuple[object, str]) -> Counter[str]:
    """Count the calls of functions from now on, by name."""
    calls: Counter[str] = Counter()

    def counted(owner: object, name: str) -> None:
        before = getattr(owner, name)

        def call(*given: object, **named: object) -> object:
            calls[name] += 1
            return before(*given, **named)

        monkeypatch.setattr(owner, name, call)

    for owner, name in functions:
        counted(owner, name)
    return calls


def test_a_result_is_read_once_and_affects_only_its_own_pairing(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = entries_of(40)
    played = [by_strength(entries, 3.0)(spec) for spec in battles_of(entries, replace(RULES, battles=3))]
    ledger = ResultLedger(entries, played[:-8])
    plan = NarrowingBattles(entries, RULES, ledger, 0.1)
    known = {one.id for one in played}
    plan.next(known, 8)
    ledger_standings(ledger, RULES)
    calls = count_calls(
        monkeypatch,
        (pairing_results, "battle_shares"),
        (pairing_results, "PairingResults"),
        (narrowing, "battle_of"),
        (alike_entries, "exceeds"),
    )
    for one in played[-8:]:
        ledger.add(one)
    assert len(plan.next(known, 8)) == 8
    ledger_standings(ledger, RULES)
    assert calls["battle_shares"] == calls["PairingResults"] == 8
    assert calls["battle_of"] <= 8 * 5
    assert 0 < calls["exceeds"] < 40 * 39 / 10, "most pairs need no degrees of freedom"


@pytest.mark.parametrize("kind", ["points", "wins"])
def test_a_result_of_a_melee_reads_no_other_pairing_of_its_entries(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries, play = entries_of(24), player(kind, random.Random(1))
    rules = replace(MELEE, seats=4, battles=60)
    played = [replace(play(spec), state="ok", suspect=()) for spec in battles_of(entries, rules)]
    ledger = ResultLedger(entries, played[:-8])
    ledger_standings(ledger, rules)
    calls = count_calls(
        monkeypatch,
        (pairing_results, "_shared_terms"),
        (entry_estimates._EntryTotals, "add"),
        (alike_entries, "exceeds"),
    )
    for one in played[-8:]:
        ledger.add(one)
    ledger_standings(ledger, rules)
    assert 0 < calls["_shared_terms"] <= 8 * 6
    assert 0 < calls["add"] <= 8 * 4 * 2, "the results before and after"
    assert 0 < calls["exceeds"] < 24 * 23 / 2


@pytest.mark.timeout(60)
@pytest.mark.parametrize("rules", [RULES, MELEE, TRIPLES])
def test_no_battle_is_chosen_if_none_is_wanted(rules: PairingRules) -> None:
    entries = entries_of(9)
    assert NarrowingBattles(entries, rules, ResultLedger(entries), 0.001).next(set(), 0) == []


def test_a_melee_that_needs_more_cycles_reads_its_results_once(monkeypatch: pytest.MonkeyPatch) -> None:
    entries, play = entries_of(9), player("points", random.Random(1))
    ledger, known = ResultLedger(entries), set[str]()
    plan = NarrowingBattles(entries, MELEE, ledger, 0.001)
    calls = count_calls(monkeypatch, (narrowing, "RoundBattles"))
    for _ in range(30):
        (due,) = plan.next(known, 1)
        known.add(due.id)
        ledger.add(replace(play(due), state="ok", suspect=()))
    assert calls["RoundBattles"] == 1
