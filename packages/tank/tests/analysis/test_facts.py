from __future__ import annotations

import msgspec

from turnwright_tank.analysis.facts import Fact

KINDS = [kind.__struct_config__.tag for kind in Fact.__args__]


def test_every_line_has_a_different_kind() -> None:
    assert len(set(KINDS)) == len(KINDS)
    assert all(kind.__struct_config__.tag_field == "kind" for kind in Fact.__args__)


def test_lines_can_be_read_back_by_their_kind() -> None:
    data = {"kind": "wall", "round": 1, "turn": 2, "bot": 3, "last": 4, "count": 5}
    found = msgspec.convert(data, Fact)
    assert msgspec.to_builtins(found) == data
