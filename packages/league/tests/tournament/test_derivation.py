"""The expected battles follow from plans, rules and seed. Other battles are named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from packages.league.tests.tournament.play import RULES, by_strength, entries_of
from turnwright.errors import SetupError
from turnwright_league.tournament.derivation import DerivedBattles, RunPlan, compare_with_plans
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.pairings import PairingRules, TournamentFormat
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.rounds import battles_of

ENTRIES = entries_of(5)


def plan(*entries: TournamentEntry, battles: int | None = 2, finished: bool = True) -> RunPlan:
    return RunPlan(tuple(one.id for one in entries or ENTRIES), battles, "all", finished)


def all_played(rules: PairingRules, entries: Sequence[TournamentEntry] = ENTRIES) -> dict[str, PlayedBattle]:
    """Play until nothing is due."""
    play = by_strength(entries)
    played: dict[str, PlayedBattle] = {}
    while due := [one for one in battles_of(entries, rules, list(played.values())) if one.id not in played]:
        played[due[0].id] = play(due[0])
    return played


def compared(rules: PairingRules, played: dict[str, PlayedBattle], *plans: RunPlan) -> DerivedBattles:
    return compare_with_plans({one.id: one for one in ENTRIES}, rules, plans or [plan()], played)


@pytest.mark.parametrize("form", ["round-robin", "melee", "swiss", "ladder", "gauntlet", "knockout"])
def test_a_whole_tournament_has_no_differences_and_each_deleted_battle_is_missing(
    form: TournamentFormat,
) -> None:
    rules = replace(RULES, format=form)
    played = all_played(rules)
    assert compared(rules, played) == DerivedBattles()
    last = max(played)
    rest = {number: one for number, one in played.items() if number != last}
    found = compared(rules, rest)
    assert last in found.missing or found.extra


def test_a_gauntlet_of_two_versions_of_its_challenger_has_the_battles_of_both() -> None:
    first, *others, second = ENTRIES
    rules = replace(RULES, format="gauntlet", challengers=(first.id,))
    played = all_played(rules, [first, *others])
    later = replace(rules, challengers=(second.id,))
    played |= all_played(later, [*others, second])
    before = plan(first, *others)
    after = replace(plan(*others, second), challengers=(second.id,))
    assert compared(rules, played, before, after) == DerivedBattles()
    with pytest.raises(SetupError):
        compared(rules, played, before, replace(after, challengers=()))


def test_melee_groups_follow_from_the_seed() -> None:
    rules = replace(RULES, format="melee", seats=3)
    played = all_played(rules)
    assert compared(rules, played) == DerivedBattles()
    assert compared(replace(rules, seed=12), played).extra == set(played)


def test_a_melee_without_cycles_has_the_battles_of_all_plans() -> None:
    """It grows from three entries to five, so its groups of four are cycles only in the second plan."""
    rules = replace(RULES, format="melee", seats=4)
    first = ENTRIES[:3]
    played = all_played(rules, first)
    assert compared(rules, played, plan(*first), plan(*first)) == DerivedBattles()
    assert compared(rules, played, plan(*first, battles=None)) == DerivedBattles()
    found = compared(rules, played | all_played(rules), plan(*first), plan())
    assert not found.extra | found.missing.keys()


def test_a_battle_of_another_seed_index_or_settings_is_extra() -> None:
    played = all_played(RULES)
    more = set(all_played(replace(RULES, battles=4))) - set(played)
    spec = next(iter(played.values())).spec
    others = [replace(spec, seed=spec.seed + 1), replace(spec, settings='{"rounds":1}')]
    forged = {one.id: replace(next(iter(played.values())), spec=one) for one in others}
    found = compared(RULES, {**played, **forged, **all_played(replace(RULES, battles=4))})
    assert found.extra == {*forged, *more}
    assert not found.missing


def test_an_unfinished_plan_waits_for_missing_battles() -> None:
    found = compared(RULES, {}, plan(finished=False))
    assert (len(found.waiting), found.missing) == (20, {})
    assert len(compared(RULES, {}).missing) == 20


def test_the_number_of_battles_is_open_but_a_gap_is_named() -> None:
    played = all_played(RULES)
    assert compared(RULES, played, plan(battles=None)) == DerivedBattles()
    first = next(one.id for one in battles_of(ENTRIES, RULES) if one.id in played)
    rest = {number: one for number, one in played.items() if number != first}
    found = compared(RULES, rest, plan(battles=None))
    assert (set(found.gaps), found.extra, found.missing) == ({first}, set(), {})


def test_battles_of_earlier_plans_stay_right_and_unplanned_ones_are_extra() -> None:
    before, after = ENTRIES[:4], ENTRIES[1:]
    played = {**all_played(RULES, before), **all_played(RULES, after)}
    assert compared(RULES, played, plan(*before), plan(*after)) == DerivedBattles()
    never_met = {one.id for one in played.values() if ENTRIES[0].id in one.spec.seats}
    assert compared(RULES, played, plan(*after)).extra == never_met


def test_pairings_of_rounds_whose_entries_changed_are_unsure_and_cherry_picked_seeds_are_extra() -> None:
    rules = replace(RULES, format="swiss")
    before, after = ENTRIES[:4], ENTRIES
    played = {**all_played(rules, before), **all_played(rules, after)}
    one = next(iter(played.values()))
    forged = replace(one, spec=replace(one.spec, seed=4711))
    found = compared(rules, {**played, forged.id: forged}, plan(*before), plan(*after))
    assert (found.unsure, found.extra) == (set(played), {forged.id})
