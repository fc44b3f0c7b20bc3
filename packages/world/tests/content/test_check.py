"""Checks between rows. Mistakes with their lines are in test_content."""

from __future__ import annotations

from typing import Any

from packages.core.tests.messages import missing
from packages.world.tests.kit.lands import a_land
from turnwright_world.content.check import SPAWNED_MAX, check_links
from turnwright_world.kit.schema import (
    BlowRow,
    DoorRow,
    ItemRow,
    KindRow,
    PlaceRow,
    Quest,
    ReactionRow,
    Settings,
    Spawn,
)


def found(**changes: Any) -> list[tuple[str, str, bool]]:
    land = a_land(**changes)
    spawns = {f"spawn#{k}": spawn for k, spawn in enumerate(land.spawns)}
    rows = check_links(land, {"dig"}, {"dog"}, spawns)
    return [(row.name, f"{row.key}: {row.text}", row.is_wrong) for row in rows]


def place(**more: Any) -> PlaceRow:
    return PlaceRow("P", "", "x", **more)


def test_a_land_that_fits_has_no_mistake() -> None:
    assert [row for row in found() if row[2]] == []


def test_doors_and_yields_must_fit() -> None:
    wrong = place(
        exits={"in": "bed"},
        doors={"out": DoorRow(), "in": DoorRow(key="no")},
        yields={"dig": ("no",), "sing": ("bone",)},
    )
    places = {**a_land().places, "p": wrong}
    texts = [text for name, text, is_wrong in found(places=places) if is_wrong]
    named = [
        ("doors.out", "no exit 'out'"),
        ("doors.in.key", "no item 'no'"),
        ("yields.dig", "no item 'no'"),
        ("yields.sing", "no verb 'sing'"),
    ]
    assert [missing(text, *words) for text, words in zip(texts, named, strict=True)] == [[]] * 4


def test_items_that_strike_or_give_need_a_slot() -> None:
    items = {
        **a_land().items,
        "a": ItemRow("a", blow=BlowRow("blow", 1)),
        "b": ItemRow("b", gives={"might": 1}),
    }
    assert [name for name, _, is_wrong in found(items=items) if is_wrong] == ["a", "b"]


def test_a_circle_of_quests_can_never_begin() -> None:
    quests = {
        name: Quest(name, "shop", "", "", bring="bone", after=after)
        for name, after in (("a", "c"), ("b", "a"), ("c", "b"))
    }
    texts = [text for _, text, _ in found(quests=quests) if "circle" in text]
    circles = ("a → c → b → a", "b → a → c → b", "c → b → a → c")
    assert [missing(text, "after", way) for text, way in zip(texts, circles, strict=True)] == [[]] * 3


def test_settings_must_name_existing_rows() -> None:
    settings = Settings("no", "nor", player="nobody", items=("nothing",))
    assert sum(is_wrong for _, _, is_wrong in found(settings=settings)) == 4


def test_there_are_not_too_many_from_the_beginning() -> None:
    spawns = tuple(Spawn("yard", "dog", count=200) for _ in range(SPAWNED_MAX // 200 + 5))
    (text,) = [text for _, text, is_wrong in found(spawns=spawns) if is_wrong]
    assert not missing(text, "more", SPAWNED_MAX, "creatures", "items")


def test_a_blow_that_nothing_helps_against_is_a_warning() -> None:
    kinds = {**a_land().kinds, "imp": KindRow("imp", blows=(BlowRow("fire", 3),))}
    (text,) = [text for name, text, is_wrong in found(kinds=kinds) if name == "imp" and not is_wrong]
    assert not missing(text, "no reaction", "fire")
    free = {"dodge": ReactionRow("all")}
    assert all("fire" not in text for _, text, _ in found(kinds=kinds, reactions=free))
