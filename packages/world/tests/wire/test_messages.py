"""Messages of players' programs have declared fields and limits."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from turnwright_world.wire.clock import TimePing
from turnwright_world.wire.messages import PACKAGES, Hello, React, WindowSize, convert, find

BIG = 1 << 53


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("Core.Hello", {"client": "Mudlet", "version": "4.19"}, Hello("Mudlet", "4.19")),
        ("core.hello", {}, Hello("", "")),
        ("Core.Supports.Set", ["Char 1", "Room 1"], ["Char 1", "Room 1"]),
        ("Core.Ping", None, None),
        ("Core.Ping", 120, 120),
        ("Core.Size", {"columns": 80, "rows": 24}, WindowSize(80, 24)),
        ("Time.Ping", {"n": 1, "c": 5}, TimePing(1, 5)),
        ("Time.Ping", {"n": "1", "c": "5"}, TimePing(1, 5)),  # as scripts of some clients send numbers
        ("Combat.React", {"at": 7, "reaction": "dodge"}, React("dodge", 7)),
        ("Combat.React", {"at": 7, "reaction": "parry", "id": 3, "more": 1}, React("parry", 7, 3)),
        ("Some.Other", {"anything": [1]}, {"anything": [1]}),
    ],
)
def test_data_becomes_the_structure_of_its_package(name: str, data: Any, expected: Any) -> None:
    assert convert(name, data) == expected


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("Core.Hello", None),
        ("Core.Hello", {"client": "x" * 65}),
        ("Core.Supports.Set", {"Char": 1}),
        ("Core.Supports.Set", ["x"] * 65),
        ("Core.Supports.Set", ["x" * 81]),
        ("Core.Size", {"columns": 0, "rows": 24}),
        ("Core.Size", {"columns": 65_536, "rows": 24}),
        ("Time.Ping", {"n": 1}),
        ("Time.Ping", {"n": 1.5, "c": 0}),
        ("Time.Ping", {"n": BIG, "c": 0}),
        ("Combat.React", {"at": -1, "reaction": "dodge"}),
        ("Combat.React", {"at": 1, "reaction": "x" * 65}),
        ("Combat.React", [1]),
    ],
)
def test_data_of_another_shape_is_refused(name: str, data: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        convert(name, data)


def test_packages_are_found_however_they_are_capitalised() -> None:
    for package in PACKAGES:
        assert find(package.name.upper()) is package
    assert find("Nobody.Knows") is None


def test_a_reaction_needs_nothing_but_its_name() -> None:
    assert msgspec.json.decode('{"reaction":"dodge"}', type=React) == React("dodge")
    whole = '{"reaction":"parry","at":81500000,"id":3,"band":200000}'
    assert msgspec.json.decode(whole, type=React) == React("parry", 81_500_000, 3, 200_000)


@pytest.mark.parametrize(
    "text",
    ['{}', '{"reaction":""}', '{"reaction":"' + "x" * 33 + '"}', '{"reaction":7}', '{"reaction":"x","at":-1}',
     '{"reaction":"x","at":1e30}', '{"reaction":"x","id":"3"}', '{"reaction":"x","band":-1}', "[]"],
)  # fmt: skip
def test_an_invalid_reaction_is_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=React)
