"""Messages between programs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright_world.wire.messages import MODULES_MAX, React
from turnwright_world.wire.telnet import gmcp
from turnwright_world.wire.telnet.events import Gmcp, Notice
from turnwright_world.wire.telnet.gmcp import PACKAGE_CHARS_MAX, Supports

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    max_leaves=10,
)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b'Char.Vitals {"hp": 1}', Gmcp("Char.Vitals", {"hp": 1})),
        (b"Core.Ping", Gmcp("Core.Ping", None)),
        (b"core.ping ", Gmcp("Core.Ping", None)),
        (b'  Comm.Say   "hi"  ', Gmcp("Comm.Say", "hi")),
        (b'combat.react {"at":5,"reaction":"dodge"}', Gmcp("Combat.React", React("dodge", 5))),
        (b"A.B-c_1.2 [1]", Gmcp("A.B-c_1.2", [1])),
    ],
)
def test_a_message_is_a_name_and_json(raw: bytes, message: Gmcp) -> None:
    assert gmcp.read(raw) == message


@pytest.mark.parametrize(
    ("raw", "part"),
    [
        (b"", "not a name"),
        (b"{}", "not a name"),
        (b"1A {}", "not a name"),
        (b"A. {}", "not a name"),
        (b"A\x1b[2J {}", "not a name"),
        (b"x" * (PACKAGE_CHARS_MAX + 1), "not a name"),
        (b"Char.Vitals {hp: 1}", "malformed"),
        (b'Char.Vitals {"hp": 1', "truncated"),
        (b'Char.Vitals {"hp": NaN}', "malformed"),
        (b'Char.Vitals "\xff\xfe"', "GMCP Char.Vitals: "),
        (b"Char.Vitals 1 2", "trailing"),
        (b'Combat.React {"at":"soon","reaction":"dodge"}', "$.at"),
        (b"A " + b"[" * 60_000, "nested too deeply"),
        (b"A " + b"[" * 30_000 + b"]" * 30_000, "nested too deeply"),
        (b'A {"a":' * 9_000, "GMCP A: "),
    ],
)
def test_a_mistake_becomes_one_line_that_names_it(raw: bytes, part: str) -> None:
    notice = gmcp.read(raw)
    assert isinstance(notice, Notice)
    assert part in notice.text
    assert notice.text.isprintable()
    assert len(notice.text) < 250


@given(JSON)
def test_a_written_message_is_read_the_same(data: Any) -> None:
    assert gmcp.read(gmcp.write("Room.Info", data)) == Gmcp("Room.Info", data)


@given(st.binary())
def test_any_bytes_give_a_message_or_a_notice(raw: bytes) -> None:
    assert isinstance(gmcp.read(raw), Gmcp | Notice)


def test_a_client_that_has_not_chosen_packages_gets_all() -> None:
    assert Supports().modules is None
    assert Supports().wants("Char.Vitals")


def test_a_client_gets_the_modules_that_it_named() -> None:
    supports = Supports()
    supports.take("Core.Supports.Set", ["Char 1", "Room.Info 1", "Comm"])
    wanted = ["Char", "Char.Vitals", "char.items.list", "Room.Info", "Comm.Channel.Text", "Core.Ping"]
    assert all(supports.wants(package) for package in wanted)
    assert not any(
        supports.wants(package) for package in ["Room", "Room.Players", "Charm.Snake", "Time.Pong"]
    )
    supports.take("Core.Supports.Add", ["Time 1"])
    supports.take("Core.Supports.Remove", ["Char"])
    assert supports.modules == {"room.info": "1", "comm": "", "time": "1"}
    supports.take("Core.Supports.Set", [])
    assert supports.modules == {}
    assert not supports.wants("Room.Info")


@pytest.mark.parametrize(("count", "kept"), [(63, 63), (64, 64), (65, 64)])
def test_modules_above_the_limit_are_not_kept(count: int, kept: int) -> None:
    supports = Supports()
    for number in range(count):
        supports.take("Core.Supports.Add", [f"M{number} 1"])
    assert len(supports.modules or {}) == min(count, MODULES_MAX) == kept
