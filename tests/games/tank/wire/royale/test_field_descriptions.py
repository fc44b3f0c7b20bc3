"""Descriptions of the rules' structures: none is kept for a field that is gone."""

from __future__ import annotations

import msgspec

from turnwright.games.tank.wire.royale import limits
from turnwright.games.tank.wire.royale.docs import FIELD_MEANINGS, LIMITS, SPECIAL_MEANINGS, structures, title

FIELDS = {
    (title(structure), field.encode_name)
    for structure in structures()
    for field in msgspec.structs.fields(structure)
}


def test_no_meaning_is_kept_for_a_field_that_is_gone() -> None:
    assert set(FIELD_MEANINGS) <= {name for _, name in FIELDS}
    assert set(SPECIAL_MEANINGS) <= FIELDS
    assert set(LIMITS) <= FIELDS


def test_a_limit_is_named_by_a_constant_that_exists() -> None:
    words = {word.strip(",") for limit in LIMITS.values() for word in limit.split()}
    named = {word for word in words if word.endswith("_MAX")}
    assert named
    assert named <= set(limits.__all__)
