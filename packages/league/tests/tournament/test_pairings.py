"""Every format gives the promised battles, and later entries and battles change none of them."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from packages.league.tests.tournament.play import RULES, by_strength, entries_of, play_all
from turnwright.errors import SetupError
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.pairings import (
    BATTLES_MAX,
    FORMATS,
    ROUNDS_MAX,
    PairingRules,
    TournamentFormat,
    participants_of,
)
from turnwright_league.tournament.rounds import battles_of, format_places, tournament_rounds

FEW = st.integers(min_value=2, max_value=9)
MELEE = replace(RULES, format="melee", seats=4)


def kind(name: TournamentFormat, **fields: object) -> PairingRules:
    return replace(RULES, format=name, **fields)  # type: ignore[arg-type]


def meetings(specs: list[BattleSpec]) -> Counter[tuple[str, ...]]:
    return Counter(participants_of(spec) for spec in specs)


# ---- round-robin, gauntlet, melee of all -------------------------------------------------------------------


@given(FEW, st.integers(min_value=1, max_value=5))
def test_in_a_round_robin_each_two_meet_equally_often(count: int, battles: int) -> None:
    entries = entries_of(count)
    specs = battles_of(entries, kind("round-robin", battles=battles))
    assert meetings(specs) == {tuple(sorted((a.id, b.id))): battles for a, b in combinations(entries, 2)}
    assert len({spec.id for spec in specs}) == len(specs)


def test_the_second_battle_of_two_has_the_same_seed_and_exchanged_seats() -> None:
    first, second, third, fourth = battles_of(entries_of(2), kind("round-robin", battles=4))
    assert (first.seed, first.seats) == (second.seed, second.seats[::-1])
    assert (third.seed, third.seats) == (fourth.seed, fourth.seats[::-1])
    assert first.seed != third.seed


def test_the_first_seat_is_drawn_for_each_seed() -> None:
    specs = battles_of(entries_of(2), kind("round-robin", battles=200))
    first = Counter(spec.seats[0] for spec in specs[::2])
    assert all(30 <= times <= 70 for times in first.values())


def test_battles_come_pairing_by_pairing_so_that_any_part_of_them_is_even() -> None:
    specs = battles_of(entries_of(5), kind("round-robin", battles=4))
    assert max(meetings(specs[:23]).values()) - min(meetings(specs[:23]).values()) == 1


@pytest.mark.parametrize("name", ["round-robin", "gauntlet"])
@given(FEW, st.integers(min_value=1, max_value=4))
def test_more_entries_and_more_battles_change_no_battle(
    name: TournamentFormat, count: int, battles: int
) -> None:
    entries = entries_of(count + 2)
    few = battles_of(entries[:count], kind(name, battles=battles))
    more = battles_of(entries, kind(name, battles=battles + 3))
    assert {spec.id for spec in few} <= {spec.id for spec in more}


def test_a_gauntlet_is_the_challengers_against_all_others() -> None:
    entries = entries_of(5)
    rules = kind("gauntlet", challengers=(entries[1].id, entries[4].id), battles=1)
    others = [entries[0].id, entries[2].id, entries[3].id]
    wanted = {tuple(sorted((c, o))) for c in rules.challengers for o in others}
    assert meetings(battles_of(entries, rules)) == dict.fromkeys(wanted, 1)


def test_the_first_entry_is_the_default_challenger() -> None:
    entries = entries_of(4)
    assert all(entries[0].id in spec.seats for spec in battles_of(entries, kind("gauntlet")))


def test_a_game_of_three_seats_has_each_three_of_the_entries() -> None:
    specs = battles_of(entries_of(5), kind("round-robin", seats=3, battles=1))
    assert len(specs) == 10
    assert {len(participants_of(spec)) for spec in specs} == {3}


def test_a_melee_contains_all_entries() -> None:
    entries = entries_of(6)
    specs = battles_of(entries, kind("melee", battles=3))
    assert [participants_of(spec) for spec in specs] == [tuple(sorted(e.id for e in entries))] * 3


def test_a_team_takes_as_many_seats_as_it_has_members() -> None:
    team, single = entries_of(2)
    first, second = battles_of([team, single], kind("round-robin", members={team.id: 3}))
    assert sorted([first.seats, second.seats]) == sorted(
        [(team.id, team.id, team.id, single.id), (single.id, team.id, team.id, team.id)]
    )


# ---- cycles of a large melee -------------------------------------------------------------------------------


@given(st.integers(min_value=5, max_value=30), st.integers(min_value=1, max_value=7))
def test_in_each_cycle_of_a_large_melee_every_entry_has_a_place(count: int, battles: int) -> None:
    entries = entries_of(count)
    specs = battles_of(entries, replace(MELEE, battles=battles))
    places = Counter(one for spec in specs for one in spec.seats)
    assert all(len(participants_of(spec)) == 4 for spec in specs)
    assert all(battles <= places[entry.id] <= 2 * battles for entry in entries)
    assert len(specs) == battles * -(-count // 4)


@given(st.integers(min_value=2, max_value=9), st.integers(min_value=3, max_value=30), st.integers(1, 12))
def test_places_that_fill_up_a_melee_go_to_all_in_turn(seats: int, count: int, battles: int) -> None:
    entries = entries_of(max(count, seats))
    specs = battles_of(entries, replace(MELEE, seats=seats, battles=battles))
    places = Counter(one for spec in specs for one in spec.seats)
    assert max(places.values()) - min(places.values()) <= 2, "a place is one of two battles"
    assert all(len(set(spec.seats)) == seats for spec in specs)


def test_a_late_entry_of_a_melee_gets_the_places_that_fill_it_up() -> None:
    entries, rules = entries_of(11), replace(MELEE, battles=20)
    before = play_all(entries[:10], rules, by_strength(entries))
    specs = battles_of(entries, replace(rules, battles=40), before)
    places = Counter(one for spec in specs for one in spec.seats)
    assert max(places.values()) - min(places.values()) <= 2


def test_a_melee_of_an_earlier_version_plays_the_battles_that_it_began_with() -> None:
    entries, drawn = entries_of(7), replace(MELEE, seats=3, battles=16, fill="drawn")
    specs = battles_of(entries, drawn)
    ids = "".join(spec.id for spec in specs).encode()
    assert hashlib.blake2b(ids, digest_size=8).hexdigest() == "c52d5d40fda3b081", "as 0.1.0 drew them"
    play = by_strength(entries)
    begun = [play(spec) for spec in specs[:9]]
    assert battles_of(entries, drawn, begun) == specs


def test_a_late_entry_of_a_large_melee_plays_as_often_and_changes_no_battle() -> None:
    entries = entries_of(15)
    rules = replace(MELEE, battles=6)
    before = play_all(entries[:13], rules, by_strength(entries))
    specs = battles_of(entries, rules, before)
    assert {one.id for one in before} <= {spec.id for spec in specs}
    places = Counter(one for spec in specs for one in spec.seats)
    assert min(places.values()) >= 6
    assert len(specs) - len(before) == 6


# ---- Swiss -------------------------------------------------------------------------------------------------


@settings(max_examples=15)
@given(st.integers(min_value=4, max_value=24))
def test_in_a_swiss_round_every_entry_plays_once_except_for_one_bye(count: int) -> None:
    entries = entries_of(count)
    rules = kind("swiss")
    battles = play_all(entries, rules, by_strength(entries, 2.0))
    rounds = tournament_rounds(entries, rules, battles)
    byes: Counter[str] = Counter()
    for groups in rounds:
        playing = [one for group in groups for one in group]
        assert len(set(playing)) == len(playing) == count - count % 2
        byes.update({entry.id for entry in entries} - set(playing))
    if count >= 10:
        met = [group for groups in rounds for group in groups]
        assert len(set(met)) == len(met)
        assert max(byes.values(), default=0) <= 1


def test_a_swiss_tournament_finds_the_best_of_many() -> None:
    entries = entries_of(32)
    rules = kind("swiss")
    battles = play_all(entries, rules, by_strength(entries))
    assert len(tournament_rounds(entries, rules, battles)) == 7
    wins = Counter(max(one.scores, key=lambda row: row.score).entry for one in battles)
    assert wins.most_common(1)[0] == (entries[0].id, 14)


@pytest.mark.parametrize("name", ["swiss", "ladder", "knockout"])
@settings(max_examples=8)
@given(st.integers(min_value=3, max_value=9), st.randoms(use_true_random=False))
def test_any_part_of_the_battles_leads_to_the_same_tournament(
    name: TournamentFormat, count: int, rng: random.Random
) -> None:
    """An interrupted tournament plays the battles of one that was not."""
    entries, rules = entries_of(count), kind(name)
    play = by_strength(entries, 2.0)
    whole = {one.id for one in play_all(entries, rules, play)}
    done = {}
    while due := [spec for spec in battles_of(entries, rules, done.values()) if spec.id not in done]:
        done |= {spec.id: play(spec) for spec in rng.sample(due, rng.randint(1, len(due)))}
    assert set(done) == whole


@pytest.mark.parametrize("name", ["swiss", "ladder"])
@pytest.mark.parametrize("part", [3, 8, 16])
def test_an_entry_that_joins_between_rounds_changes_no_battle(name: TournamentFormat, part: int) -> None:
    entries, rules = entries_of(9), kind(name, rounds=5)
    play = by_strength(entries, 2.0)
    before = play_all(entries[:8], rules, play)[:part]
    after = play_all(entries, rules, play, before)
    assert {one.id for one in before} <= {one.id for one in after}
    due = battles_of(entries, rules, after)
    assert {one.id for one in before} <= {spec.id for spec in due}
    assert any(entries[8].id in spec.seats for spec in due)


@pytest.mark.parametrize("seed", range(6))
def test_in_a_swiss_round_that_is_played_only_a_bye_has_a_point_without_a_battle(seed: int) -> None:
    entries, rules = entries_of(5), kind("swiss", battles=1, seed=seed)
    due = battles_of(entries, rules)
    begun = by_strength(entries)(due[0])
    places = format_places(entries, rules, [begun])
    assert places is not None
    (bye,) = {entry.id for entry in entries} - {one for spec in due for one in spec.seats}
    winner = max(begun.scores, key=lambda row: row.score).entry
    assert {one for one, found in places.items() if found.points} == {bye, winner}


def test_a_swiss_round_waits_for_a_battle_that_does_not_count() -> None:
    entries, rules = entries_of(4), kind("swiss", battles=1)
    first = [by_strength(entries)(spec) for spec in battles_of(entries, rules)]
    assert len(battles_of(entries, rules, first)) == 4
    first[0] = replace(first[0], state="void", scores=())
    assert len(battles_of(entries, rules, first)) == 2


def test_a_removed_entry_is_not_paired() -> None:
    entries, rules = entries_of(6), kind("swiss", battles=1)
    battles = play_all(entries, rules, by_strength(entries))
    gone = entries[0].id
    specs = battles_of(entries[1:], rules, battles)
    assert specs
    assert not any(gone in spec.seats for spec in specs)


# ---- ladder ------------------------------------------------------------------------------------------------


def test_a_ladder_sorts_any_order() -> None:
    strong_first = entries_of(7)
    entries = strong_first[::-1]
    rules = kind("ladder")
    battles = play_all(entries, rules, by_strength(strong_first))
    rounds = tournament_rounds(entries, replace(rules, rounds=8), battles)
    top = {strong_first[0].id, strong_first[1].id}
    assert set(rounds[6][0]) == top or set(rounds[7][0]) == top
    assert len(rounds) == 8


def test_neighbours_play_on_a_ladder() -> None:
    entries = entries_of(5)
    (groups,) = tournament_rounds(entries, kind("ladder"))
    assert [set(group) for group in groups] == [
        {entries[0].id, entries[1].id},
        {entries[2].id, entries[3].id},
    ]


# ---- all formats -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FORMATS)
def test_a_list_follows_from_seed_and_entries_alone(name: TournamentFormat) -> None:
    entries = entries_of(6)
    rules = kind(name)
    assert battles_of(entries, rules) == battles_of(entries, rules)
    other = battles_of(entries, replace(rules, seed=12))
    assert not {spec.seed for spec in battles_of(entries, rules)} & {spec.seed for spec in other}


@pytest.mark.parametrize("name", FORMATS)
def test_seeds_fit_into_the_numbers_of_json(name: TournamentFormat) -> None:
    assert all(0 <= spec.seed < 2**48 for spec in battles_of(entries_of(6), kind(name)))


@pytest.mark.parametrize(
    ("count", "rules", "told"),
    [
        (1, RULES, "2 to 1,000 entries, got 1"),
        (1001, RULES, "2 to 1,000 entries, got 1,001"),
        (3, kind("cup"), "format 'cup'"),  # type: ignore[arg-type]
        (3, kind("knockout", seats=3), "format knockout has two"),
        (3, kind("knockout", rounds=4), "bracket needs"),
        (3, kind("round-robin", battles=0), "1 to 1,000,000 battles"),
        (3, kind("round-robin", seats=4), "2 to 3 entries .*got 4"),
        (3, kind("round-robin", seats=1), "2 to 3 entries .*got 1"),
        (3, kind("swiss", seats=3), "swiss .*two entries .*got 3"),
        (3, kind("swiss", rounds=ROUNDS_MAX + 1), "1 to 1,000 tournament rounds"),
        (3, kind("gauntlet", challengers=("nobody",)), "challengers .*entries"),
        (2, kind("round-robin", battles=BATTLES_MAX + 1), "1 to 1,000,000 battles"),
        (3, kind("round-robin", battles=BATTLES_MAX // 3 + 1), "more than the 1,000,000 battles"),
        (1000, kind("round-robin", seats=10), "more than the 1,000,000 battles"),
    ],
)
def test_an_impossible_pairing_is_refused_in_one_line(count: int, rules: PairingRules, told: str) -> None:
    with pytest.raises(SetupError, match=told) as caught:
        battles_of(entries_of(count), rules)
    assert "\n" not in str(caught.value)


def test_the_same_entry_twice_is_refused() -> None:
    entries = entries_of(2)
    with pytest.raises(SetupError, match="Bot001 is entered twice"):
        battles_of([*entries, entries[1]], RULES)
