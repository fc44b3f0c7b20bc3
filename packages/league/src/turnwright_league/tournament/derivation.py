"""Compares the battles that a tournament must have with the battles that it has.

fixed number   each battle of the plan exists, and no other one
open number    (--until-ci, --for) the battles of each pairing are its first ones, without a gap
rounds         if the number is open, or if entries or numbers changed between runs, the pairings depend on
               results and on the time of play, so only the seed and the seats of each battle are checked
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.pairings import (
    ROUND_MARKS,
    ROUNDS_MAX,
    PairingRules,
    battle_of,
    participants_of,
)
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.rounds import battles_of, is_in_rounds

_GAPS_MAX = 8
"""A pairing with n battles may miss at most n battles, plus this number, before its last battle."""


@dataclass(frozen=True, slots=True)
class RunPlan:
    """The battles that a run must play.

    Attributes:
        entries: the ids of the entries, in the order in which they joined.
        battles: the number of battles of each pairing, or None for an open number.
        keep: which records are kept (`--keep`), or "" if an earlier version did not store it.
        finished: whether each of its battles has a result.
        challengers: the current versions of a gauntlet's challengers, if the rules name earlier ones.
    """

    entries: tuple[str, ...]
    battles: int | None = None
    keep: str = "all"
    finished: bool = False
    challengers: tuple[str, ...] = ()


@dataclass(slots=True)
class DerivedBattles:
    """The differences between the battles of the plans and the battles that exist.

    Attributes:
        missing: the missing battles of finished plans, by id.
        extra: the ids of battles that follow from no plan.
        waiting: the missing battles of the last plan if it is not finished, by id.
        gaps: the missing earlier battles of pairings with an open number, by id.
        unsure: the ids of battles that follow from the seed, if it is unknown whether their entries had to
            meet.
    """

    missing: dict[str, BattleSpec] = field(default_factory=dict)
    extra: set[str] = field(default_factory=set)
    waiting: dict[str, BattleSpec] = field(default_factory=dict)
    gaps: dict[str, BattleSpec] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)


def compare_with_plans(
    entries: Mapping[str, TournamentEntry],
    rules: PairingRules,
    plans: Sequence[RunPlan],
    played: Mapping[str, PlayedBattle],
) -> DerivedBattles:
    """Return how the battles that exist differ from the battles of all plans.

    Args:
        entries: all entries that any plan names, by id.
        rules: the rules. Each plan replaces their number of battles.
        plans: the plans of the runs, oldest first.
        played: the played battles by id.

    Raises:
        SetupError: a plan cannot be played.
    """
    found = DerivedBattles()
    in_rounds = {is_in_rounds(len(plan.entries), rules) for plan in plans}
    is_derived = True not in in_rounds or (len(plans) == 1 and plans[0].battles is not None)
    known: set[str] = set()
    for plan in plans if is_derived else ():
        if plan.battles is None:
            continue
        playing = [entries[one] for one in plan.entries]
        challengers = plan.challengers or rules.challengers
        asked = replace(rules, battles=plan.battles, challengers=challengers)
        due = {one.id: one for one in _due(playing, asked, played)}
        known |= due.keys()
        absent = {number: spec for number, spec in due.items() if number not in played}
        if plan.finished:
            found.missing |= absent
        elif plan is plans[-1]:
            found.waiting |= absent
    groups: dict[tuple[str, ...], list[PlayedBattle]] = {}
    for battle in played.values():
        groups.setdefault(participants_of(battle.spec), []).append(battle)
    for group, battles in groups.items():
        rest = {one.id for one in battles if one.id not in known}
        if not rest:
            continue
        if not is_derived:
            follow = {
                one.id
                for one in battles
                if _follows(one.spec, group, rules, len(battles), without_rounds=False in in_rounds)
            }
            found.unsure |= rest & follow if _met(group, plans) else set()
        elif _met(group, [plan for plan in plans if plan.battles is None]):
            follow, gaps = _first_battles(group, rules, {one.id for one in battles})
            found.gaps |= gaps
        else:
            follow = set()
        found.extra |= rest - follow if _met(group, plans) else rest
    return found


def _due(
    entries: Sequence[TournamentEntry], rules: PairingRules, played: Mapping[str, PlayedBattle]
) -> list[BattleSpec]:
    """Return the battles of a plan. Each tournament round follows from earlier battles of the plan."""
    counted: list[PlayedBattle] = []
    while True:
        due = battles_of(entries, rules, counted)
        now = [played[one.id] for one in due if one.id in played and played[one.id].counts]
        if len(now) <= len(counted):
            return due
        counted = now


def _met(group: Sequence[str], plans: Sequence[RunPlan]) -> bool:
    """Return whether one of the plans has all of these entries."""
    return any(set(group) <= set(plan.entries) for plan in plans)


def _first_battles(
    group: Sequence[str], rules: PairingRules, ids: set[str]
) -> tuple[set[str], dict[str, BattleSpec]]:
    """Return which ids are battles of a pairing, and its battles that are missing before the last one."""
    follow: set[str] = set()
    gaps: dict[str, BattleSpec] = {}
    waiting: dict[str, BattleSpec] = {}
    for index in range(2 * len(ids) + _GAPS_MAX):
        spec = battle_of(group, rules, index)
        if spec.id in ids:
            follow.add(spec.id)
            gaps |= waiting
            waiting = {}
            if len(follow) == len(ids):
                break
        else:
            waiting[spec.id] = spec
    return follow, gaps


def _follows(
    spec: BattleSpec, group: Sequence[str], rules: PairingRules, battles: int, *, without_rounds: bool
) -> bool:
    """Return whether a battle follows from the seed in any tournament round, or without tournament rounds.

    Args:
        battles: the number of battles that the group has played.
    """
    return any(
        battle_of(group, rules, index, number) == spec
        for number in itertools.chain([0] * without_rounds, _rounds_of(spec))
        for index in range(2 * battles + _GAPS_MAX)
    )


def _rounds_of(spec: BattleSpec) -> Iterator[int]:
    """Yield the tournament rounds to which the seed of a battle may belong."""
    for number in range(spec.seed % ROUND_MARKS, ROUNDS_MAX + 1, ROUND_MARKS):
        if number:
            yield number
