"""The plans of a tournament's runs and its seal, in its store."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from turnwright.errors import SetupError
from turnwright_league.app.store import ResultStore
from turnwright_league.app.tournament import RULES
from turnwright_league.tournament.derivation import RunPlan
from turnwright_league.tournament.seal import TournamentParts, part_hash

PLANS = "plans"
"""The name of the plans in the store."""
SEAL = "seal"
"""The name in the store of the parts that were sealed when a run was finished. The value is empty if none
were."""
PLANS_MAX = 1_000
"""The most plans in the store. A run shares the plan of the run before it if the two are equal."""


def plans_of(store: ResultStore) -> list[RunPlan]:
    """Return the plans of all runs, the oldest first.

    Raises:
        SetupError: the plans cannot be read.
    """
    text = store.meta().get(PLANS, "[]")
    try:
        return [_plan(**one) for one in json.loads(text)]
    except (ValueError, TypeError, KeyError):
        raise SetupError(f"the plans in {store.where} cannot be read: {text[:80]!r}") from None


def _plan(entries: Sequence[str], challengers: Sequence[str] = (), **rest: Any) -> RunPlan:
    return RunPlan(tuple(entries), challengers=tuple(challengers), **rest)


def _plan_data(plan: RunPlan) -> dict[str, Any]:
    """Return a plan as JSON values.

    A seal hashes them, so the plan of an earlier version keeps its fields.
    """
    data = asdict(plan)
    if not plan.challengers:
        del data["challengers"]
    return data


def begin_plan(store: ResultStore, plan: RunPlan) -> None:
    """Store the plan of a run that begins, and delete the seal.

    Raises:
        SetupError: the store has PLANS_MAX plans already, or they cannot be read.
    """
    unseal(store)
    before = plans_of(store) or _of_earlier_versions(store)
    if before and replace(before[-1], finished=False) == plan:
        before.pop()
    elif len(before) == PLANS_MAX:
        raise SetupError(f"{store.where} has the plans of {PLANS_MAX:,} runs: begin another tournament")
    _put(store, [*before, plan])


def _of_earlier_versions(store: ResultStore) -> list[RunPlan]:
    """Return a plan for battles that were played before plans were stored."""
    entries = tuple(one.entry.id for one in store.entries())
    return [RunPlan(entries, keep="")] if store.battles() else []


def seal(store: ResultStore) -> str:
    """Mark the last plan as finished, store the hashes of all parts, and return the seal.

    Raises:
        SetupError: the plans cannot be read.
    """
    *before, last = plans_of(store)
    _put(store, [*before, replace(last, finished=True)])
    parts = parts_now(store)
    store.put_meta(SEAL, json.dumps(asdict(parts)))
    return parts.seal


def unseal(store: ResultStore) -> None:
    """Delete the seal, because entries or results are about to change."""
    if store.meta().get(SEAL):
        store.put_meta(SEAL, "")


def sealed_parts(store: ResultStore) -> TournamentParts | None:
    """Return the parts that were sealed, or None if there is no seal.

    Raises:
        SetupError: the seal cannot be read.
    """
    text = store.meta().get(SEAL)
    if not text:
        return None
    try:
        return TournamentParts(**json.loads(text))
    except (ValueError, TypeError):
        raise SetupError(f"the seal in {store.where} cannot be read: {text[:80]!r}") from None


def parts_now(store: ResultStore) -> TournamentParts:
    """Return the parts of a tournament as they are now in its store."""
    meta = store.meta()
    rules = json.loads(meta.get(RULES, "{}"))
    rules.pop("where", None)  # the place of the game's folder on one machine
    return TournamentParts(
        part_hash(rules, meta.get(PLANS)),
        {number: part_hash(*rest) for number, *rest in store.entry_rows()},
        {row.id: part_hash(row.data) for row in store.rows()},
    )


def _put(store: ResultStore, plans: Sequence[RunPlan]) -> None:
    store.put_meta(PLANS, json.dumps([_plan_data(one) for one in plans]))
