"""A knockout: its bracket, its battles and places."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from packages.league.tests.tournament.play import RULES, by_strength, entries_of, play_all, played
from turnwright.kernel.failure import Failure, FailureReason
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.knockout import BracketMatch, bracket_of, knockout_places, rounds_of_bracket
from turnwright_league.tournament.pairings import PairingRules
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.rounds import battles_of, bracket, format_places, tournament_rounds
from turnwright_league.tournament.standings import standings_of

CUP = replace(RULES, format="knockout", battles=2)


def matches_of(entries: list[TournamentEntry], battles: list[PlayedBattle], rules: PairingRules = CUP):
    """Return the matches of a bracket, without the byes."""
    return [match for row in bracket(entries, rules, battles) for match in row if match.group]


@pytest.mark.parametrize("count", range(2, 66))
def test_every_number_of_entries_has_one_winner_after_one_match_less(count: int) -> None:
    entries, rules = entries_of(count), replace(CUP, battles=1)
    battles = play_all(entries, rules, by_strength(entries, 3.0))
    matches = matches_of(entries, battles, rules)
    assert len(battles) == len(matches) == count - 1
    lost = Counter(one for match in matches for one in match.sides if one != match.winner)
    assert set(lost.values()) == {1}
    places = format_places(entries, rules, battles)
    assert places is not None
    (winner,) = {entry.id for entry in entries} - set(lost)
    assert [one for one, found in places.items() if found.place == 1] == [winner]
    assert len(bracket(entries, rules, battles)) == rounds_of_bracket(count)


@settings(max_examples=12)
@given(st.integers(2, 24), st.integers(1, 3), st.randoms(use_true_random=False))
def test_a_knockout_killed_at_any_moment_resumes_to_the_same_end(
    count: int, battles: int, rng: random.Random
) -> None:
    entries, rules = entries_of(count), replace(CUP, battles=battles)
    play = by_strength(entries, 5.0)
    whole = {one.id: one for one in play_all(entries, rules, play)}
    done: dict[str, PlayedBattle] = {}
    while due := [spec for spec in battles_of(entries, rules, done.values()) if spec.id not in done]:
        assert len({spec.id for spec in due}) == len(due)
        done |= {spec.id: play(spec) for spec in rng.sample(due, rng.randint(1, len(due)))}
    assert done == whole
    shuffled = rng.sample(sorted(done.values(), key=lambda one: one.id), len(done))
    assert bracket(entries, rules, shuffled) == bracket(entries, rules, whole.values())


@pytest.mark.parametrize("count", [2, 5, 8, 13, 32])
def test_the_best_seed_wins_and_meets_the_second_in_the_final(count: int) -> None:
    entries = entries_of(count)
    battles = play_all(entries, CUP, by_strength(entries))
    (final,) = bracket(entries, CUP, battles)[-1]
    assert final.sides == (entries[0].id, entries[1].id)
    assert final.winner == entries[0].id


def test_the_best_seeds_have_the_byes() -> None:
    entries = entries_of(6)
    first = bracket(entries, CUP, [])[0]
    assert {match.winner for match in first if match.is_bye} == {entries[0].id, entries[1].id}
    assert [set(group) for group in tournament_rounds(entries, CUP)[0]] == [
        {entries[3].id, entries[4].id},
        {entries[2].id, entries[5].id},
    ]


def test_a_later_match_waits_for_its_two_sides_alone() -> None:
    entries = entries_of(8)
    play = by_strength(entries)
    upper = [spec for group in (0, 1) for spec in due_of(entries, [], group)]
    done = [play(spec) for spec in upper]
    again = [spec for spec in battles_of(entries, CUP, done) if spec.id not in {one.id for one in done}]
    semi = {entries[0].id, entries[3].id}
    assert Counter(set(spec.seats) == semi for spec in again) == {True: 2, False: 4}


def due_of(entries: list[TournamentEntry], done: list[PlayedBattle], nth: int) -> list[BattleSpec]:
    """The battles of the nth match of the first round."""
    match = bracket(entries, CUP, done)[0][nth]
    assert match.group is not None
    return [spec for spec in battles_of(entries, CUP, done) if set(spec.seats) == set(match.group)]


@pytest.mark.parametrize(
    ("shares", "winner"),
    [([0.6, 0.3], 1), ([0.6, 0.4], 0), ([0.5, 0.5], 0), ([0.5, 0.51], 0), ([0.2, 0.7], 1), ([1.0, 0.0], 0)],
)
def test_a_match_is_won_by_the_larger_share_of_all_its_battles(shares: list[float], winner: int) -> None:
    """Of equal ones the better seed wins."""
    results = {1: {("a", "b"): [{"a": share, "b": 1 - share} for share in shares]}}
    (((match),),) = bracket_of(["a", "b"], results, 2)
    assert match.winner == "ab"[winner]
    ((other,),) = bracket_of(["b", "a"], results, 2)
    assert other.winner == ("b" if sum(shares) == 1 else match.winner)


def test_a_match_without_all_its_battles_has_no_winner() -> None:
    results = {1: {("a", "b"): [{"a": 1.0, "b": 0.0}]}}
    assert bracket_of(["a", "b"], results, 2) == [[BracketMatch(("a", "b"))]]
    assert bracket_of(["a", "b"], results, 1)[0][0].winner == "a"


def test_results_of_pairs_that_do_not_meet_are_ignored() -> None:
    """So a result that is played again, with another winner, leaves no trace in the bracket."""
    entries = entries_of(4)
    rules = replace(CUP, battles=1)
    battles = play_all(entries, rules, by_strength(entries))
    first = battles[0]
    turned = replace(first, scores=tuple(replace(row, score=9 - row.score) for row in first.scores))
    due = battles_of(entries, rules, [turned, *battles[1:]])
    again = [spec for spec in due if spec.id not in {one.id for one in battles}]
    loser = min(first.scores, key=lambda row: row.score).entry
    assert [loser in spec.seats for spec in again] == [True]


def test_places_follow_the_round_in_which_an_entry_is_out() -> None:
    entries = entries_of(8)
    battles = play_all(entries, CUP, by_strength(entries))
    places = knockout_places(bracket(entries, CUP, battles))
    assert [places[entry.id] for entry in entries] == [1, 2, 3, 3, 5, 5, 5, 5]
    assert set(knockout_places(bracket(entries, CUP, [])).values()) == {1}
    upper = [one for one in battles if set(one.spec.seats) <= {entries[nth].id for nth in (0, 3, 4, 7)}]
    places = knockout_places(bracket(entries, CUP, upper))
    assert {entry.name: places[entry.id] for entry in entries if places[entry.id] > 1} == {
        "Bot003": 6,
        "Bot004": 7,
        "Bot007": 7,
    }
    rows = standings_of(entries, battles, rules=CUP).rows
    assert [row.entry for row in rows[:2]] == [entries[0].id, entries[1].id]
    assert {row.entry for row in rows[2:4]} == {entries[2].id, entries[3].id}


def test_the_round_reached_comes_before_the_score() -> None:
    """An entry that loses its first match by little stands behind one that lost the final by much."""
    entries = entries_of(4)
    scores = {entries[0].id: 100.0, entries[1].id: 30.0, entries[2].id: 29.0, entries[3].id: 99.0}
    battles = play_all(entries, CUP, lambda spec: played(spec, scores.__getitem__))
    order = [row.entry for row in standings_of(entries, battles, rules=CUP).rows]
    assert order == [entries[0].id, entries[1].id, entries[3].id, entries[2].id]


def test_a_forfeit_loses_the_match_and_a_void_battle_decides_nothing() -> None:
    entries, rules = entries_of(2), replace(CUP, battles=1)
    (spec,) = battles_of(entries, rules)
    done = by_strength(entries)(spec)
    rows = tuple(
        replace(row, score=0.0, failure=Failure(FailureReason.CRASHED)) if row.entry == entries[0].id else row
        for row in done.scores
    )
    lost = replace(done, state="forfeit", scores=rows)
    assert bracket(entries, rules, [lost])[0][0].winner == entries[1].id
    for nothing in (replace(done, state="void"), replace(done, suspect=("the server was late",))):
        assert bracket(entries, rules, [nothing])[0][0].winner is None
        assert battles_of(entries, rules, [nothing]) == [spec]
