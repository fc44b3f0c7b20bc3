"""The reaction queue's numbers: windows, capacities, damage and costs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.world.tests.worlds import a_world
from turnwright_world.content.read import read_content
from turnwright_world.net.content_files import DEMO, read_folder
from turnwright_world.rules.entities import Creature, Threat
from turnwright_world.rules.threats import (
    LEADS_MIN,
    REACTIONS,
    THREATS_MAX,
    Reaction,
    Scale,
    ThreatPolicy,
    by_landing,
    pick,
    shown,
)

S = 1_000_000
DOCUMENT_003 = ThreatPolicy(
    window=Scale(S, "instinct", 5_000, least=S // 2, most=3 * S // 2),
    places=Scale(3, "focus", 1, points=33, least=1, most=6),
)
"""Windows of 0.5 … 1.5 s, as document 003 has them."""


def body(lead_us: int = 0, **attributes: int) -> Creature:
    return Creature(1, "person", "ann", "yard", attributes=attributes, lead_us=lead_us)


def queue(*threats: tuple[int, int, str]) -> Creature:
    """A body with threats: (inserted, window, kind), their ids from 1."""
    ann = body()
    ann.threats = [Threat(n, 2, kind, 5, at, us) for n, (at, us, kind) in enumerate(threats, 1)]
    return ann


# ---- scales --------------------------------------------------------------------------------------------


def test_a_scale_goes_with_its_attribute_by_whole_points_and_stays_within_its_bounds() -> None:
    scale = Scale(10, "focus", 2, points=3, least=4, most=16)
    points = (-100, -10, -9, -4, -3, -1, 0, 2, 3, 9, 11, 12, 100)
    assert [scale.of({"focus": n}) for n in points] == [4, 4, 4, 6, 8, 8, 10, 10, 12, 16, 16, 16, 16]
    assert Scale(7).of({"focus": 3}) == 7
    assert Scale(7, "might", 1).of({}) == 7


@given(st.integers(), st.integers(), st.integers(), st.integers(1), st.integers(0, 9), st.integers(0, 9))
def test_a_scale_never_leaves_its_bounds(value, base, step, points, least, more) -> None:
    assert least <= Scale(base, "a", step, points, least, least + more).of({"a": value}) <= least + more


# ---- windows and capacities ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "instinct", "wanted_ms"),
    [
        (ThreatPolicy(), -(10**9), 1_500),
        (ThreatPolicy(), -101, 1_500),
        (ThreatPolicy(), -100, 1_500),
        (ThreatPolicy(), -99, 1_515),
        (ThreatPolicy(), 0, 3_000),
        (ThreatPolicy(), 100, 4_500),
        (ThreatPolicy(), 199, 5_985),
        (ThreatPolicy(), 200, 6_000),
        (ThreatPolicy(), 10**9, 6_000),
        (DOCUMENT_003, -101, 500),
        (DOCUMENT_003, -100, 500),
        (DOCUMENT_003, -99, 505),
        (DOCUMENT_003, 0, 1_000),
        (DOCUMENT_003, 100, 1_500),
        (DOCUMENT_003, 101, 1_500),
    ],
)
def test_windows_go_with_instinct_within_bounds(policy: ThreatPolicy, instinct: int, wanted_ms: int) -> None:
    assert policy.window_us(body(instinct=instinct)) == 1_000 * wanted_ms


@pytest.mark.parametrize(
    ("focus", "wanted"),
    [(-(10**9), 1), (-100, 1), (-67, 1), (-66, 1), (-34, 1), (-33, 2), (-1, 2), (0, 3), (32, 3), (33, 4),
     (66, 5), (98, 5), (99, 6), (100, 6), (10**9, 6)],
)  # fmt: skip
def test_capacities_go_with_focus_within_bounds(focus: int, wanted: int) -> None:
    assert ThreatPolicy().capacity(body(focus=focus)) == wanted
    assert ThreatPolicy(places=None).capacity(body(focus=focus)) == THREATS_MAX


@pytest.mark.parametrize(("places", "wanted"), [(-5, 1), (0, 1), (1, 1), (63, 63), (64, 64), (65, 64)])
def test_a_queue_has_room_for_one_threat_at_least_and_for_sixty_four_at_most(
    places: int, wanted: int
) -> None:
    assert ThreatPolicy(places=Scale(places, least=-5)).capacity(body()) == wanted


@pytest.mark.parametrize(
    ("asked_us", "lead_us", "wanted_us"),
    [
        (None, 0, 500_000),
        (None, 83_333, 500_000),
        (None, 83_334, 500_004),
        (None, 250_000, 1_500_000),
        (700_000, 0, 700_000),
        (700_000, 250_000, 1_500_000),
        (0, 0, 1),
        (-5, 0, 1),
    ],
)
def test_a_window_is_six_leads_long_or_it_is_lengthened(asked_us, lead_us, wanted_us) -> None:
    assert LEADS_MIN == 6
    assert DOCUMENT_003.window_us(body(lead_us, instinct=-100), asked_us) == wanted_us


# ---- damage --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("might", "wanted"), [(-200, 0), (-100, 0), (-50, 10), (0, 20), (5, 21), (100, 40)])
def test_a_blow_is_inserted_with_the_attackers_numbers(might: int, wanted: int) -> None:
    assert ThreatPolicy().struck(body(might=might), 20) == wanted
    assert ThreatPolicy().struck(body(might=might), -20) == 0


@pytest.mark.parametrize(
    ("vigour", "wanted"), [(-50, 100), (0, 100), (1, 99), (100, 50), (150, 25), (151, 25), (10**6, 25)]
)
def test_a_blow_lands_with_the_defenders_numbers_and_a_quarter_always_does(vigour: int, wanted: int) -> None:
    assert ThreatPolicy().suffered(body(vigour=vigour), 100) == wanted


def test_no_policy_heals_by_blows() -> None:
    assert ThreatPolicy(spared=Scale(5_000)).suffered(body(), 100) == 0


@given(
    st.dictionaries(st.sampled_from(["might", "vigour", "focus", "instinct"]), st.integers()), st.integers(0)
)
def test_no_attribute_makes_a_number_that_cannot_be(attributes: Mapping[str, int], base: int) -> None:
    policy, ann = ThreatPolicy(), body(**attributes)
    assert 0 <= policy.suffered(ann, policy.struck(ann, base)) <= 10 * base
    assert 1_500_000 <= policy.window_us(ann) <= 6_000_000


# ---- order and reactions -------------------------------------------------------------------------------


def test_threats_are_in_the_order_in_which_they_land_and_ties_in_order_of_insertion() -> None:
    ann = queue((0, 900, "a"), (100, 300, "b"), (300, 100, "c"), (0, 400, "d"))
    assert [t.id for t in by_landing(list(reversed(ann.threats)))] == [2, 3, 4, 1]


MIXED = ((0, 900, "blow"), (100, 300, "fire"), (300, 100, "bite"), (0, 400, "fire"), (500, 600, "blow"))


@pytest.mark.parametrize(
    ("reaction", "threat", "band_us", "wanted"),
    [
        (Reaction("x", "all"), None, 0, [2, 3, 4, 1, 5]),
        (Reaction("x", "all", kinds=("fire",)), None, 0, [2, 4]),
        (Reaction("x", "all"), 3, 0, [2, 3, 4, 1, 5]),  # it is not for one alone
        (Reaction("x", "first"), None, 0, [2]),
        (Reaction("x", "first", kinds=("blow", "bite")), None, 0, [3]),
        (Reaction("x", "first", kinds=("ice",)), None, 0, []),
        (Reaction("x", "id"), 5, 0, [5]),
        (Reaction("x", "id"), None, 0, [2]),
        (Reaction("x", "id"), 99, 0, []),
        (Reaction("x", "id", kinds=("fire",)), 5, 0, []),
        (Reaction("x", "band"), None, 50, []),
        (Reaction("x", "band"), None, 99, []),
        (Reaction("x", "band"), None, 100, [2, 3, 4]),
        (Reaction("x", "band"), None, 599, [2, 3, 4]),
        (Reaction("x", "band"), None, 600, [2, 3, 4, 1]),
        (Reaction("x", "band", kinds=("blow",)), None, 10_000, [1, 5]),
    ],
)
def test_a_reaction_takes_by_id_first_all_or_band(reaction, threat, band_us, wanted) -> None:
    taken = pick(queue(*MIXED), reaction, 300, threat, band_us)
    assert [t.id for t in taken] == wanted


def test_the_common_reactions_are_dodge_parry_ward_deflect_and_counter() -> None:
    assert {name: reaction.clears for name, reaction in REACTIONS.items()} == {
        "dodge": "all",
        "parry": "first",
        "ward": "id",
        "deflect": "band",
        "counter": "first",
    }
    assert all(name == reaction.name for name, reaction in REACTIONS.items())
    assert REACTIONS["counter"].returned == 50


def test_a_threat_is_shown_with_all_that_a_ring_needs_even_when_its_source_is_gone() -> None:
    world = a_world()
    threat = Threat(3, 2, "blow", 5, 1_000, 500)
    told = {"id": 3, "from": 2, "name": "bob", "kind": "blow", "damage": 5, "at": 1_000, "us": 500}
    assert shown(world, threat) == told
    world.remove(world.creatures[2])
    assert shown(world, threat)["name"] == "somebody"


# ---- what the pages say --------------------------------------------------------------------------------

PAGE = Path(__file__).resolve().parents[2] / "docs" / "threats-and-clocks.md"


def test_the_page_has_the_costs_of_the_common_reactions() -> None:
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in PAGE.read_text().splitlines()]
    for name, reaction in REACTIONS.items():
        told = next(row for row in rows if row and row[0] == name)
        assert told[2:] == [str(reaction.stamina), f"{reaction.lockout_us / 1e6:g} s"]
    assert REACTIONS["deflect"].band_us == 600_000


def test_the_page_tells_the_demos_reactions_and_windows() -> None:
    page = PAGE.read_text().splitlines()
    land = read_content(read_folder(DEMO)).rules
    for reaction in land.threats.reactions.values():
        band = f" of {reaction.band_us / 1e6:g} s" if reaction.clears == "band" else ""
        kinds = ", ".join(reaction.kinds) or "everything"
        lockout = f"{reaction.lockout_us / 1e6:g} s"
        cells = (reaction.name, reaction.clears + band, kinds, reaction.stamina, lockout)
        assert f"| {' | '.join(map(str, cells))} | {reaction.returned} % |" in page
    windows = [blow.window_ms for kind in land.land.kinds.values() for blow in kind.blows]
    assert (min(windows), max(windows)) == (2_000, 4_000)
    assert "have windows of 2 to 4 s." in " ".join(page)


# ---- equity --------------------------------------------------------------------------------------------


def test_a_program_can_answer_a_threat_after_a_while_and_people_immediately() -> None:
    policy = ThreatPolicy(react_us=400_000)
    for driver, taken in (("player", [1, 2]), ("program", [1])):
        ann = queue((0, 2 * S, "bite"), (300_000, 2 * S, "bite"))
        ann.driver = driver  # type: ignore[assignment]  # both are drivers
        found = pick(ann, REACTIONS["dodge"], 500_000, None, 0, policy)
        assert [threat.id for threat in found] == taken


def test_a_short_window_leaves_a_program_half_of_it() -> None:
    ann = queue((0, 500_000, "bite"))
    ann.driver = "program"
    assert ThreatPolicy(react_us=400_000).ripe_us(ann, ann.threats[0]) == 250_000


def test_a_reaction_is_ready_when_the_first_threat_that_it_is_for_is() -> None:
    policy = ThreatPolicy(react_us=400_000)
    ann = queue((0, 2 * S, "fire"), (300_000, 2 * S, "bite"), (600_000, 2 * S, "fire"))
    ann.driver = "program"
    ready = [policy.ready_us(ann, *asked) for asked in (("dodge", None), ("parry", None), ("ward", 3))]
    assert ready == [400_000, 700_000, 1_000_000]
    assert policy.ready_us(ann, "nonsense", None) == policy.ready_us(body(), "dodge", None) == 0
