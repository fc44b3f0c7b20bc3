"""Sums that are kept up to date say what a look at all battles says, and are looked at less often."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from packages.league.tests.tournament.plain_standings import PlainStandings, plain_choice
from packages.league.tests.tournament.play import RULES, by_strength, entries_of
from turnwright.kernel.failure import Failure, FailureReason
from turnwright_league.tournament import alike_entries, narrowing, pairing_results
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.entry_estimates import EntryEstimates
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
    """Look that a ledger says what its battles say."""
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
def test_the_next_battles_are_those_of_a_look_at_all(
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


def test_a_result_is_looked_at_once_and_moves_its_own_pairing_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = entries_of(40)
    played = [by_strength(entries, 3.0)(spec) for spec in battles_of(entries, replace(RULES, battles=3))]
    ledger = ResultLedger(entries, played[:-8])
    plan = NarrowingBattles(entries, RULES, ledger, 0.1)
    known = {one.id for one in played}
    plan.next(known, 8)
    ledger_standings(ledger, RULES)
    calls: dict[str, list[Sequence[object]]] = {}

    def counted(name: str, owner: object, attribute: str) -> None:
        before, calls[name] = getattr(owner, attribute), []

        def call(*given: object, **named: object) -> object:
            calls[name].append(given)
            return before(*given, **named)

        monkeypatch.setattr(owner, attribute, call)

    counted("shares", pairing_results, "battle_shares")
    counted("pairings", pairing_results, "PairingResults")
    counted("specs", narrowing, "battle_of")
    counted("entries", EntryEstimates, "_sums_of")
    counted("pairs", alike_entries, "exceeds")
    for one in played[-8:]:
        ledger.add(one)
    assert len(plan.next(known, 8)) == 8
    ledger_standings(ledger, RULES)
    assert len(calls["shares"]) == len(calls["pairings"]) == 8
    assert len(calls["entries"]) <= 16
    assert len(calls["specs"]) <= 8 * 5
    assert 0 < len(calls["pairs"]) < 40 * 39 / 10, "most pairs need no degrees of freedom"
