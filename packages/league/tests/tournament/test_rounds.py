"""Incremental rounds equal those of all battles, and read each result once."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from packages.league.tests.tournament.play import RULES, entries_of
from tests.parts import few
from turnwright_league.tournament import rounds as module
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.ledger import ResultLedger
from turnwright_league.tournament.pairings import PairingRules
from turnwright_league.tournament.played_battle import EntryScore, PlayedBattle
from turnwright_league.tournament.rounds import (
    RoundBattles,
    battles_of,
    bracket,
    format_places,
    is_in_rounds,
    tournament_rounds,
)

FORMATS = {
    "swiss": replace(RULES, format="swiss"),
    "long swiss": replace(RULES, format="swiss", rounds=12, battles=1),
    "ladder": replace(RULES, format="ladder", rounds=6),
    "knockout": replace(RULES, format="knockout", battles=3),
    "melee": replace(RULES, format="melee", seats=3, battles=5),
    "drawn melee": replace(RULES, format="melee", seats=4, battles=4, fill="drawn"),
}


def play(spec: BattleSpec, rng: random.Random) -> PlayedBattle:
    """Play a battle with few different scores, so that draws are frequent; some do not count."""
    rows = tuple([EntryScore(seat, one, float(rng.randint(0, 3))) for seat, one in enumerate(spec.seats)])
    draw = rng.random()
    return PlayedBattle(spec, "void" if draw < 0.1 else "ok", rows, suspect=("late",) if draw > 0.95 else ())


def agrees(ledger: ResultLedger, entries: Sequence[TournamentEntry], rules: PairingRules) -> None:
    """Assert that the rounds of a ledger are those of its battles."""
    battles = list(ledger.battles.values())
    kept = ledger.meetings.rounds(entries, rules)
    assert [groups for groups, _ in kept.groups()] == tournament_rounds(entries, rules, battles)
    if rules.format != "melee":
        assert kept.places() == format_places(entries, rules, battles)
    if rules.format == "knockout":
        assert kept.bracket() == bracket(entries, rules, battles)


@pytest.mark.parametrize("seed", few(range(4), 1))
@pytest.mark.parametrize("name", FORMATS)
def test_next_battles_and_places_equal_those_of_a_look_at_all(name: str, seed: int) -> None:
    rng, rules = random.Random(f"{name} {seed}"), FORMATS[name]
    entries = entries_of(rng.randint(5, 12))
    ledger = ResultLedger(entries)
    rounds = RoundBattles(entries, rules, ledger.meetings)
    known: set[str] = set()
    for _ in range(60):
        count = rng.choice([1, 2, 5, 100])
        due = [spec for spec in battles_of(entries, rules, ledger.battles.values()) if spec.id not in known]
        chosen = rounds.next(known, count)
        assert chosen == due[:count]
        for spec in rng.sample(chosen, rng.randint(min(1, len(chosen)), len(chosen))):
            ledger.add(play(spec, rng))
            known.add(spec.id)
        if rng.random() < 0.1 and ledger.battles:  # a battle that counted is played again
            ledger.add(play(rng.choice(list(ledger.battles.values())).spec, rng))
        agrees(ledger, entries, rules)
        if not chosen and rules.format != "knockout":
            rounds.grow()
            rules = replace(rules, battles=rules.battles + 2)


def test_battles_with_an_entry_that_does_not_play_any_more_are_in_no_round() -> None:
    rules, entries, rng = FORMATS["ladder"], entries_of(6), random.Random(1)
    ledger = ResultLedger(entries)
    for spec in battles_of(entries, rules):
        ledger.add(play(spec, rng))
    agrees(ledger, entries[:-1], rules)


def test_a_melee_for_which_one_battle_has_all_seats_has_no_rounds() -> None:
    assert is_in_rounds(4, FORMATS["melee"])
    assert not is_in_rounds(3, FORMATS["melee"])


@pytest.mark.parametrize("name", FORMATS)
def test_a_result_costs_the_same_however_many_battles_were_played(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries, rng = entries_of(16), random.Random(name)
    rules = FORMATS[name] if name == "knockout" else replace(FORMATS[name], battles=40)
    ledger, known = ResultLedger(entries), set[str]()
    rounds = RoundBattles(entries, rules, ledger.meetings)
    counted = ["battle_of", "battle_shares", "_merge", "seed_in_round"]
    calls = dict.fromkeys(counted, 0)
    for function in counted:
        real = getattr(module, function)

        def count(*args: object, function: str = function, real: object = real) -> object:
            calls[function] += 1
            return real(*args)  # type: ignore[operator]

        monkeypatch.setattr(module, function, count)
    most = 0
    while chosen := rounds.next(known, 1):
        known.add(chosen[0].id)
        before = sum(calls.values())
        ledger.add(replace(play(chosen[0], rng), state="ok", suspect=()))
        if rules.format != "melee":
            ledger.meetings.rounds(entries, rules).places()
        later = sum(calls.values())
        most = max(most, later - before)
    assert most <= 10, "its shares, its seed, and the groups of the rounds that are not over"
    assert calls["battle_of"] == len(known), "each specification is made once"
