"""The ladder's pairings: newcomers first, then the most useful battles, none between built-in bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.league.tests.tournament.play import by_strength, entries_of
from turnwright_league.app.ladder.ladder import NEWCOMER_BATTLES, LadderBattles
from turnwright_league.tournament import narrowing
from turnwright_league.tournament import pairing_results as sums
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.ledger import ResultLedger
from turnwright_league.tournament.pairings import PairingRules, participants_of
from turnwright_league.tournament.played_battle import EntryScore, PlayedBattle

RULES = PairingRules("dice", 1, "{}", 1)
ENTRIES = entries_of(9)
H1, H2, A, B, C, *_ = IDS = [entry.id for entry in ENTRIES]
BUILT_IN = frozenset((H1, H2))


def play(spec: BattleSpec, score: dict[str, float] | None = None) -> PlayedBattle:
    rows = tuple(EntryScore(seat, one, (score or {}).get(one, 1.0)) for seat, one in enumerate(spec.seats))
    return PlayedBattle(spec, "ok", rows)


def ladder(entries: Sequence[TournamentEntry], played: Sequence[PlayedBattle] = ()) -> LadderBattles:
    return LadderBattles(ResultLedger(entries, played), BUILT_IN, RULES)


def rounds(entries: Sequence[TournamentEntry], battles: int) -> list[PlayedBattle]:
    """Play one battle after the other."""
    ledger = ResultLedger(entries)
    plan = LadderBattles(ledger, BUILT_IN, RULES)
    for _ in range(battles):
        (spec,) = plan.next(ledger.battles, 1)
        ledger.add(play(spec))
    return list(ledger.battles.values())


def test_without_opponents_no_battle_is_chosen() -> None:
    for entries in ([], ENTRIES[:2], ENTRIES[2:3]):
        assert ladder(entries).next(set(), 4) == []


def test_a_new_bot_plays_the_next_battles() -> None:
    played = rounds(ENTRIES[:4], 60)
    known = {one.id for one in played}
    specs = ladder(ENTRIES[:5], played).next(known, NEWCOMER_BATTLES)
    assert all(C in spec.seats for spec in specs)
    assert len({participants_of(spec) for spec in specs}) == 4  # against everybody, not one


def test_battles_that_wait_for_a_result_count_and_are_not_given_again() -> None:
    played = rounds(ENTRIES[:5], 80)
    for entries, results in ((ENTRIES[:3], []), (ENTRIES[:5], played)):
        plan, known = ladder(entries, results), {one.id for one in results}
        first = plan.next(known, 1)
        second = plan.next(known, 1, first)
        assert participants_of(first[0]) != participants_of(second[0])
        assert plan.next(known, 2) == [*first, *second], "in one go"
        assert plan.next(known, 1) == first, "a battle without a result is given again"


def test_pairings_that_vary_get_more_battles() -> None:
    ledger = ResultLedger(ENTRIES[2:5])
    plan = LadderBattles(ledger, BUILT_IN, RULES)
    for nth in range(150):
        (spec,) = plan.next(ledger.battles, 1)
        wild = set(spec.seats) == {A, B}
        ledger.add(play(spec, {A: float(nth % 2)} if wild else None))
    times = Counter(frozenset(one.spec.seats) for one in ledger.battles.values())
    assert times[frozenset((A, B))] > 1.5 * max(times[frozenset((one, C))] for one in (A, B))


@given(st.integers(0, 6), st.integers(1, 30))
def test_no_battle_is_given_twice_and_built_in_bots_never_meet(people: int, battles: int) -> None:
    specs = ladder(ENTRIES[: 2 + people]).next(set(), battles)
    assert len({spec.id for spec in specs}) == len(specs) == (battles if people else 0)
    assert not any(set(spec.seats) <= BUILT_IN for spec in specs)
    if people:
        fought = Counter(one for spec in specs for one in spec.seats)
        counts = [fought[one] for one in IDS[2 : 2 + people]]
        assert max(counts) - min(counts) <= max(2, battles // 2)


def test_a_choice_looks_at_new_results_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    entries, play_one = entries_of(20), by_strength(entries_of(20), 3.0)
    ledger = ResultLedger(entries)
    plan = LadderBattles(ledger, BUILT_IN, RULES)
    while len(ledger.battles) < 400:
        for spec in plan.next(ledger.battles, 20):
            ledger.add(play_one(spec))
    plan.next(ledger.battles, 4)
    calls = Counter[str]()
    for owner, name in ((sums, "battle_shares"), (sums, "PairingResults"), (narrowing, "battle_of")):
        before = getattr(owner, name)
        monkeypatch.setattr(owner, name, lambda *a, name=name, was=before: calls.update([name]) or was(*a))
    results = [play_one(spec) for spec in plan.next(ledger.battles, 4)]
    calls.clear()
    for one in results:
        ledger.add(one)
    assert len(plan.next(ledger.battles, 4)) == 4
    assert calls["battle_shares"] == 4
    assert calls["PairingResults"] <= 4
    assert calls["battle_of"] <= 4 * 3
