from __future__ import annotations

from typing import Any

import msgspec

from packages.core.tests.messages import missing
from packages.tank.tests.analysis.scenes import duel, every, fire, idle, told
from turnwright_tank.analysis.counts import Tally
from turnwright_tank.analysis.facts import BotFact, NoteFact, RoundFact
from turnwright_tank.analysis.findings import NOTES, notes


def _notes(mine: Tally, theirs: Tally, **fact: Any) -> dict[str, str]:
    """Return the notes about Ann after one round against Bob."""
    course = _round(1)
    for name, value in fact.items():
        setattr(course, name, value)
    totals = {1: mine, 2: theirs}
    rounds = [(course, BotFact(round=1, bot=1, name="Ann", energy=0.0, tally=mine))]
    return {note.what: note.text for note in notes(duel(), 1, totals, rounds)}


def _round(number: int, **changes: Any) -> RoundFact:
    fact = RoundFact(
        round=number, turns=100, first_turn=1, winners=(2,), survivors=(2,), deaths=(1,), openings=(),
        opening_distance=None, first_shot=None, first_hit=None, leads=(), energy_turns=(), energies={},
        damage=(), complete=True, death_turns=(90,),
    )  # fmt: skip
    return msgspec.structs.replace(fact, **changes)


def test_a_tank_without_mistakes_gets_no_note() -> None:
    good = Tally(turns=1000, shots=50, hits=20, shot_energy=100.0, missed_energy=10.0, seeing_turns=990)
    assert _notes(good, good) == {}


def test_a_low_share_of_hits_is_reported_with_that_of_the_enemy() -> None:
    found = _notes(Tally(turns=1000, seeing_turns=900, shots=100, hits=10), Tally(shots=50, hits=25))
    assert list(found) == ["hit-rate"]
    assert not missing(found["hit-rate"], "10 %", "10 of 100", "enemy", "50 %", "25 of 50")


def test_each_note_has_a_threshold_that_is_crossed_by_its_own_number() -> None:
    enough: dict[str, dict[str, Any]] = {
        "missed-turns": {"skipped": 10},
        "misses": {"missed_energy": 60.0, "shot_energy": 100.0, "bullet_energy": 100.0},
        "steady": {"bullets_taken": 10, "steady_taken": 5},
        "streak": {"streak_taken": 6},
        "still": {"still_turns": 250},
        "idle-gun": {"idle_gun_turns": 250},
        "walls": {"wall_hits": 5, "wall_energy": 5.0},
        "near-walls": {"near_wall_turns": 600},
        "rams": {"contacts": 5, "ram_energy": 3.0},
        "inactivity": {"inactivity_energy": 5.0},
        "disabled": {"disabled_turns": 1},
        "bullets": {"bullets_taken": 1, "bullet_energy": 10.0, "shot_energy": 20.0},
        "unexplained": {"other_energy": 1.0, "shot_energy": 19.0},
    }
    less = {"missed-turns": {"skipped": 9}, "steady": {"bullets_taken": 11, "steady_taken": 5},
            "streak": {"streak_taken": 5}, "still": {"still_turns": 249}, "idle-gun": {"idle_gun_turns": 249},
            "walls": {"wall_hits": 4, "wall_energy": 5.0}, "near-walls": {"near_wall_turns": 599},
            "rams": {"contacts": 4, "ram_energy": 3.0}, "inactivity": {"inactivity_energy": 4.9},
            "disabled": {"disabled_turns": 0},
            "bullets": {"bullets_taken": 1, "bullet_energy": 9.9, "shot_energy": 20.1},
            "unexplained": {"other_energy": 1.0, "shot_energy": 19.1},
            "misses": {"missed_energy": 49.0, "shot_energy": 100.0, "bullet_energy": 100.0}}  # fmt: skip
    base = {"turns": 1000, "seeing_turns": 900, "shots": 50, "hits": 20}
    for what, numbers in enough.items():
        assert what in _notes(Tally(**{**base, **numbers}), Tally()), what
        assert what not in _notes(Tally(**{**base, **less[what]}), Tally()), what
    assert "blind" in _notes(Tally(turns=1000, seeing_turns=500, shots=1), Tally())
    assert "blind" not in _notes(Tally(turns=1000, seeing_turns=501, shots=1), Tally())


def test_bullets_that_were_all_easy_to_aim_are_reported_as_all() -> None:
    enough = Tally(turns=1000, seeing_turns=900, bullets_taken=22, steady_taken=22)
    assert not missing(_notes(enough, Tally())["steady"], "all 22 bullets")
    less = Tally(turns=1000, seeing_turns=900, bullets_taken=22, steady_taken=20)
    assert not missing(_notes(less, Tally())["steady"], "20 of 22 bullets")


def test_a_tank_that_never_fires_is_reported_with_its_chances() -> None:
    found = _notes(Tally(turns=100, seeing_turns=100, idle_gun_turns=30), Tally())
    assert not missing(found["no-shots"], "no shot", "30 turns")
    assert "no-shots" not in _notes(Tally(turns=39, seeing_turns=39), Tally()), "its gun was hot all the time"


def test_notes_of_a_battle_have_only_documented_names() -> None:
    analysis = told([fire(3.0), idle], [(100.0, 100.0, 0.0), (300.0, 100.0, 0.0)])
    found = every(analysis, NoteFact)
    assert {note.what for note in found} <= set(NOTES)
    assert {(note.bot, note.what) for note in found} >= {
        (2, "steady"),
        (2, "still"),
        (2, "streak"),
        (2, "no-shots"),
    }


def _dead(**changes: Any) -> BotFact:
    return BotFact(round=1, bot=1, name="Ann", energy=-1.0, tally=Tally(turns=100), died=90, by=2, **changes)


def _about(line: BotFact, rounds: int = 1) -> dict[str, str]:
    facts = [(_round(number), line) for number in range(1, rounds + 1)]
    return {note.what: note.text for note in notes(duel(), 1, {1: line.tally, 2: Tally()}, facts)}


def test_a_killer_that_was_not_seen_for_15_turns_is_named() -> None:
    assert "killer-unseen" not in _about(_dead(killer_seen=76))
    assert not missing(_about(_dead(killer_seen=75))["killer-unseen"], "Bob", "15 turns")
    assert not missing(_about(_dead())["killer-unseen"], "never", "Bob")
    assert not missing(_about(_dead(), rounds=2)["killer-unseen"], "15 turns", "rounds 1, 2")


def test_the_only_survivor_of_a_round_is_compared_with_the_dead() -> None:
    fact = _round(1, bullets=((1, 2, 3),), energies={2: (100.0, 40.5)})
    found = notes(duel(), 1, {1: Tally(bullets_taken=7), 2: Tally()}, [(fact, _dead(killer_seen=90))])
    text = {note.what: note.text for note in found}["survivor"]
    assert not missing(text, "Bob", 3, 7, "40.5 energy")


def test_bullets_are_reported_by_shooter() -> None:
    mine = Tally(bullets_taken=7, bullet_energy=112.0)
    fact = _round(1, damage=((2, 1, 100.0),), bullets=((2, 1, 7),))
    found = notes(duel(), 1, {1: mine, 2: Tally()}, [(fact, _dead(killer_seen=90))])
    text = {note.what: note.text for note in found}["bullets"]
    assert not missing(text, "100.0 of its energy", "Bob 100.0", "7 hits")


def test_the_weightiest_note_comes_first_and_a_round_has_the_same_thresholds() -> None:
    analysis = told([fire(3.0), idle], [(100.0, 100.0, 0.0), (300.0, 100.0, 0.0)])
    found = every(analysis, NoteFact)
    of_battle, of_round = ([note for note in found if note.round == number] for number in (None, 1))
    assert [note.weight for note in of_battle if note.bot == 2] == sorted(
        (note.weight for note in of_battle if note.bot == 2), reverse=True
    )
    assert [(n.bot, n.what, n.weight) for n in of_round] == [(n.bot, n.what, n.weight) for n in of_battle]
