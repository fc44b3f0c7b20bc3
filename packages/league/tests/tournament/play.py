"""Entries and battles for tests. A rule gives the scores, and nothing is played."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.pairings import PairingRules, participants_of
from turnwright_league.tournament.played_battle import EntryScore, PlayedBattle
from turnwright_league.tournament.rounds import battles_of

RULES = PairingRules("snake", 7, '{"rounds":10}', seed=11)


def entries_of(count: int) -> list[TournamentEntry]:
    return [TournamentEntry(f"Bot{n:03}", "1.0", "bot", f"{n:04x}") for n in range(count)]


def battle(scores: Mapping[str, float], seed: int = 1, **fields: object) -> PlayedBattle:
    """Return a battle of these ids with these scores."""
    spec = BattleSpec("snake", 7, "{}", tuple(scores), seed)
    rows = tuple(EntryScore(seat, entry, score) for seat, (entry, score) in enumerate(scores.items()))
    return replace(PlayedBattle(spec, "ok", rows), **fields)  # type: ignore[arg-type]


def played(spec: BattleSpec, score: Callable[[str], float]) -> PlayedBattle:
    """Return the battle of a specification.

    Args:
        score: returns the score of an entry.
    """
    rows = tuple(
        EntryScore(spec.seats.index(entry), entry, max(0.0, score(entry))) for entry in participants_of(spec)
    )
    return PlayedBattle(spec, "ok", rows)


def by_strength(
    entries: Sequence[TournamentEntry], spread: float = 0.0
) -> Callable[[BattleSpec], PlayedBattle]:
    """Return a function that plays a battle. The first entry is the strongest.

    Args:
        spread: standard deviation of the random part of a score.
    """
    strength = {entry.id: float(len(entries) - place) for place, entry in enumerate(entries)}

    def play(spec: BattleSpec) -> PlayedBattle:
        rng = random.Random(spec.id)
        return played(spec, lambda one: strength[one] + rng.gauss(0, spread))

    return play


def play_all(
    entries: Sequence[TournamentEntry],
    rules: PairingRules,
    play: Callable[[BattleSpec], PlayedBattle],
    before: Iterable[PlayedBattle] = (),
) -> list[PlayedBattle]:
    """Play battles until none is due, and return them and those before.

    Args:
        before: battles that were played already.
    """
    done = {one.id: one for one in before}
    while due := [spec for spec in battles_of(entries, rules, done.values()) if spec.id not in done]:
        done |= {spec.id: play(spec) for spec in due}
    return list(done.values())
