"""The reference page of the wire: complete, and nothing on it that is gone."""

from __future__ import annotations

import msgspec

from turnwright.wire.faults import FaultCode
from turnwright_tank.structs import TankIntent
from turnwright_tank.wire.royale import limits
from turnwright_tank.wire.royale.docs import (
    FIELD_MEANINGS,
    LIMITS,
    SPECIAL_MEANINGS,
    render,
    structures,
    title,
)
from turnwright_tank.wire.royale.messages import MAY_RECEIVE, MAY_SEND, type_name


def test_every_message_has_its_heading_and_each_link_leads_to_one() -> None:
    page = render()
    headings = {line[4:].lower() for line in page.splitlines() if line.startswith("### ")}
    for members in (*MAY_SEND.values(), *MAY_RECEIVE.values()):
        for member in members:
            assert type_name(member).lower() in headings
    targets = {part.split(")")[0] for part in page.split("](#")[1:]}
    assert targets <= headings | {"events-in-ticks", "limits"}


def test_every_field_is_in_the_table_of_its_structure_with_a_meaning() -> None:
    page = render()
    for structure in structures():
        section = page.split(f"\n### {title(structure)}\n")[1].split("\n### ")[0].split("\n## ")[0]
        for field in msgspec.structs.fields(structure):
            (row,) = [line for line in section.splitlines() if line.startswith(f"| `{field.encode_name}` ")]
            assert row.rstrip(" |").count("|") >= 5, row


def test_every_limit_and_every_fault_is_on_the_page() -> None:
    page = render()
    assert all(f"`{name}`" in page for name in vars(limits) if name.isupper())
    assert all(f"`{code.value}`" in page for code in FaultCode)


def test_the_page_speaks_json_and_not_python() -> None:
    assert "extension: the number of the turn that the intent answers" in render()
    for name in TankIntent.__struct_fields__:
        assert "_" not in name or name not in render()


FIELDS = {
    (title(structure), field.encode_name)
    for structure in structures()
    for field in msgspec.structs.fields(structure)
}


def test_every_meaning_belongs_to_an_existing_field() -> None:
    assert set(FIELD_MEANINGS) <= {name for _, name in FIELDS}
    assert set(SPECIAL_MEANINGS) <= FIELDS
    assert set(LIMITS) <= FIELDS


def test_a_limit_is_named_by_a_constant_that_exists() -> None:
    words = {word.strip(",") for limit in LIMITS.values() for word in limit.split()}
    named = {word for word in words if word.endswith("_MAX")}
    assert named
    assert named <= vars(limits).keys()
