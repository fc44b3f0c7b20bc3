from __future__ import annotations

from typing import Any

from games.tank.story.scenes import duel, every, fire, idle, told
from turnwright.games.tank.story.facts import BotFact, NoteFact, RoundFact, TotalFact
from turnwright.games.tank.story.notes import NOTES, notes
from turnwright.games.tank.story.tally import Tally


def _notes(mine: Tally, theirs: Tally, **fact: Any) -> dict[str, str]:
    """Return the notes about Ann after one round against Bob."""
    course = RoundFact(
        round=1, turns=100, first_turn=1, winners=(2,), survivors=(2,), deaths=(1,), openings=(),
        opening_distance=None, first_shot=None, first_hit=None, leads=(), energy_turns=(), energies={},
        damage=(), complete=True,
    )  # fmt: skip
    for name, value in fact.items():
        setattr(course, name, value)
    totals = [TotalFact(bot=1, name="Ann", tally=mine), TotalFact(bot=2, name="Bob", tally=theirs)]
    rounds = [(course, BotFact(round=1, bot=1, name="Ann", energy=0.0, tally=mine))]
    return {note.what: note.text for note in notes(duel(), 1, totals, rounds)}


def test_who_does_nothing_wrong_gets_no_note() -> None:
    good = Tally(turns=1000, shots=50, hits=20, shot_energy=100.0, missed_energy=10.0, seeing_turns=990)
    assert _notes(good, good) == {}


def test_a_low_share_of_hits_is_told_beside_the_enemys() -> None:
    found = _notes(Tally(turns=1000, seeing_turns=900, shots=100, hits=10), Tally(shots=50, hits=25))
    assert found == {"hit-rate": "hit with 10 % of its shots (10 of 100); its enemy with 50 % (25 of 50)"}


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
    }
    less = {"missed-turns": {"skipped": 9}, "steady": {"bullets_taken": 11, "steady_taken": 5},
            "streak": {"streak_taken": 5}, "still": {"still_turns": 249}, "idle-gun": {"idle_gun_turns": 249},
            "walls": {"wall_hits": 4, "wall_energy": 5.0}, "near-walls": {"near_wall_turns": 599},
            "rams": {"contacts": 4, "ram_energy": 3.0}, "inactivity": {"inactivity_energy": 4.9},
            "disabled": {"disabled_turns": 0},
            "misses": {"missed_energy": 49.0, "shot_energy": 100.0, "bullet_energy": 100.0}}  # fmt: skip
    base = {"turns": 1000, "seeing_turns": 900, "shots": 50, "hits": 20}
    for what, numbers in enough.items():
        assert what in _notes(Tally(**{**base, **numbers}), Tally()), what
        assert what not in _notes(Tally(**{**base, **less[what]}), Tally()), what
    assert "blind" in _notes(Tally(turns=1000, seeing_turns=500, shots=1), Tally())
    assert "blind" not in _notes(Tally(turns=1000, seeing_turns=501, shots=1), Tally())


def test_a_tank_that_never_fires_is_told_so_with_its_chances() -> None:
    found = _notes(Tally(turns=100, seeing_turns=100, idle_gun_turns=30), Tally())
    assert found["no-shots"] == (
        "fired no shot in any round; it could have in 30 turns: gun cool, enemy scanned"
    )
    assert "no-shots" not in _notes(Tally(turns=39, seeing_turns=39), Tally()), "its gun was hot all the time"


def test_notes_of_a_battle_name_only_what_is_documented() -> None:
    story = told([fire(3.0), idle], [(100.0, 100.0, 0.0), (300.0, 100.0, 0.0)])
    found = every(story, NoteFact)
    assert {note.what for note in found} <= set(NOTES)
    assert {(note.bot, note.what) for note in found} >= {
        (2, "steady"),
        (2, "still"),
        (2, "streak"),
        (2, "no-shots"),
    }
