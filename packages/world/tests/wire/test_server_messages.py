"""Messages of a world: their names, their sent fields, and the page that describes them."""

from __future__ import annotations

import re

import pytest

from tests.house.source import ROOT
from turnwright_world.wire.messages import PackageSpec
from turnwright_world.wire.server_messages import (
    SERVER_PACKAGES,
    CharStatus,
    ThreatAdded,
    TurnChanges,
    fields_of,
    name_of,
)

PAGE = (ROOT / "packages/world/docs/world-messages.md").read_text(encoding="utf-8")


def test_unset_fields_are_not_sent_and_names_are_those_of_the_wire() -> None:
    assert fields_of(CharStatus("free")) == {"state": "free"}
    assert fields_of(TurnChanges(3, 5, action=None)) == {"turn": 3, "now_us": 5, "action": None}
    added = ThreatAdded(1, 2, "wolf", "bite", 9, at=5, us=6)
    assert list(fields_of(added)) == ["id", "from", "name", "kind", "damage", "at", "us"]
    assert name_of(added) == "Combat.Threat.Add"


@pytest.mark.parametrize("package", SERVER_PACKAGES, ids=lambda package: package.data.__name__)
def test_the_reference_page_names_each_package_and_its_fields(package: PackageSpec) -> None:
    lines = [line for line in PAGE.splitlines() if f"`{package.name}" in line]
    words = {word for line in lines for word in re.findall(r"\w+", line)}
    assert lines, package.name
    assert [name for name in package.data.__struct_encode_fields__ if name not in words] == []
