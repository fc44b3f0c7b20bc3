"""The ladder's pairings: newcomers first, then where it helps most; the house does not meet itself."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from turnwright.app.arena.ladder import NEWCOMER_BATTLES, ladder_battles
from turnwright.tournament.battle_spec import BattleSpec
from turnwright.tournament.pairings import PairingRules, participants_of
from turnwright.tournament.played_battle import EntryScore, PlayedBattle

RULES = PairingRules("dice", 1, "{}", 1)
HOUSE = frozenset(("h1", "h2"))


def play(spec: BattleSpec, score: dict[str, float] | None = None) -> PlayedBattle:
    rows = tuple(EntryScore(seat, one, (score or {}).get(one, 1.0)) for seat, one in enumerate(spec.seats))
    return PlayedBattle(spec, "ok", rows)


def rounds(entries: list[str], battles: int, score: dict[str, float] | None = None) -> list[PlayedBattle]:
    """Play one battle after the other."""
    played: list[PlayedBattle] = []
    for _ in range(battles):
        (spec,) = ladder_battles(entries, HOUSE, RULES, played, (), {one.id for one in played}, 1)
        played.append(play(spec, score))
    return played


def test_nobody_meets_where_there_is_nobody_to_meet() -> None:
    assert ladder_battles([], HOUSE, RULES, (), (), set(), 4) == []
    assert ladder_battles(["h1", "h2"], HOUSE, RULES, (), (), set(), 4) == []
    assert ladder_battles(["a"], HOUSE, RULES, (), (), set(), 4) == []


def test_a_new_bot_plays_the_next_battles() -> None:
    entries = ["h1", "h2", "a", "b"]
    played = rounds(entries, 60)
    known = {one.id for one in played}
    specs = ladder_battles([*entries, "new"], HOUSE, RULES, played, (), known, NEWCOMER_BATTLES)
    assert all("new" in spec.seats for spec in specs)
    assert len({participants_of(spec) for spec in specs}) == 4  # against everybody, not one


def test_what_waits_for_a_result_counts_as_met() -> None:
    entries = ["h1", "h2", "a"]
    first = ladder_battles(entries, HOUSE, RULES, (), (), set(), 1)
    known = {one.id for one in first}
    second = ladder_battles(entries, HOUSE, RULES, (), first, known, 1)
    assert participants_of(first[0]) != participants_of(second[0])


def test_pairings_that_vary_get_more_battles() -> None:
    entries = ["a", "b", "c"]
    played: list[PlayedBattle] = []
    for nth in range(150):
        (spec,) = ladder_battles(entries, HOUSE, RULES, played, (), {one.id for one in played}, 1)
        wild = set(spec.seats) == {"a", "b"}
        played.append(play(spec, {"a": float(nth % 2)} if wild else None))
    times = Counter(participants_of(one.spec) for one in played)
    assert times["a", "b"] > 1.5 * max(times["a", "c"], times["b", "c"])


@given(st.integers(0, 6), st.integers(1, 30))
def test_no_battle_is_given_twice_and_the_house_never_meets_itself(people: int, battles: int) -> None:
    entries = ["h1", "h2", *(f"p{nth}" for nth in range(people))]
    specs = ladder_battles(entries, HOUSE, RULES, (), (), set(), battles)
    assert len({spec.id for spec in specs}) == len(specs) == (battles if people else 0)
    assert not any(set(spec.seats) <= HOUSE for spec in specs)
    if people:
        fought = Counter(one for spec in specs for one in spec.seats)
        counts = [fought[f"p{nth}"] for nth in range(people)]
        assert max(counts) - min(counts) <= max(2, battles // 2)
