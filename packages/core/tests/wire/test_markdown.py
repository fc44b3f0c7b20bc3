"""Reference pages made from structures."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from turnwright.wire.markdown import FieldRow, field_rows, paragraphs, table


class _Inner(msgspec.Struct):
    """An inner one."""

    x: float = 0.0


class _Sample(msgspec.Struct, rename="camel"):
    """A snake_name.

    Two
    lines.
    """

    short_text: Annotated[str, Meta(description="a text", min_length=1, max_length=5)]
    words: Annotated[tuple[Annotated[str, Meta(max_length=2)], ...], Meta(max_length=3)]
    level: Annotated[int, Meta(ge=-1, le=1000)] | None = None
    choice: Literal["a", "b"] = "a"
    inner: _Inner | None = None
    table: dict[int, float] = {}
    either: list[int | list[int]] = []


def test_fields_are_put_into_words() -> None:
    assert list(field_rows(_Sample, lambda kind: kind.__name__.strip("_"))) == [
        FieldRow("shortText", "string", True, "1…5 characters", "a text"),
        FieldRow("words", "array of string", True, "at most 3 items, each at most 2 characters", ""),
        FieldRow("level", "integer", False, "−1…1,000", ""),
        FieldRow("choice", '"a" or "b"', False, "", ""),
        FieldRow("inner", "[Inner](#inner)", False, "", ""),
        FieldRow("table", "object of number", False, "", ""),
        FieldRow("either", "array of integer or array of integer", False, "", ""),
    ]


def test_a_docstring_becomes_paragraphs_with_json_names() -> None:
    assert paragraphs(_Sample) == "A snakeName.\n\nTwo lines."


def test_a_bar_in_a_cell_does_not_end_the_cell() -> None:
    assert list(table(("A", "B"), [("x|y", "z")])) == ["| A | B |", "|---|---|", "| x\\|y | z |"]
