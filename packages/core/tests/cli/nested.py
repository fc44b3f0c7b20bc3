"""JSON that is nested to a depth, and records with such JSON in their header."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from turnwright.cli.__main__ import main
from turnwright.errors import EXIT_BAD_INPUT
from turnwright.wire.nesting_bound import LEVELS_MAX

DEPTHS = [LEVELS_MAX + 1, 500, 985, 990, 1_000, 100_000]
"""Near 1,000 the readers' own limit lies; which of them takes a file depends on how deep its stack is."""


def nested(depth: int) -> bytes:
    return b'{"a":[' * (depth // 2) + b"[" * (depth % 2) + b"]" * (depth % 2) + b"]}" * (depth // 2)


def refuses_a_nested_header(
    command: list[str], record: Path, place: bytes, depth: int, capfd: pytest.CaptureFixture[str]
) -> None:
    """Assert that a command refuses a record nested at a place of its header, in one line.

    command: its words, "nested.twr" for the record. It runs in this folder, which is empty, and
    writes nothing.
    """
    text = gzip.decompress(record.read_bytes())
    assert text.count(place)
    path = Path("nested.twr")
    path.write_bytes(gzip.compress(text.replace(place, place + b'"x":' + nested(depth) + b",", 1)))
    assert main(command) == EXIT_BAD_INPUT
    said = capfd.readouterr().err
    assert said.count("\n") == 1
    assert not missing(said, path, "line 1", f"{LEVELS_MAX} levels")
    assert list(Path().iterdir()) == [path]
