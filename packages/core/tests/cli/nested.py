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
"""The readers' own limit is near 1,000. Which of them accepts a file depends on the depth of its stack."""


def nested(depth: int) -> bytes:
    return b'{"a":[' * (depth // 2) + b"[" * (depth % 2) + b"]" * (depth % 2) + b"]}" * (depth // 2)


def refuses_a_nested_header(
    command: list[str], record: Path, place: bytes, depth: int, capfd: pytest.CaptureFixture[str]
) -> None:
    """Assert that a command refuses, in one line, a record whose header is nested too deeply at a place.

    command: its words, with "nested.twr" for the record. It runs in the current folder, which must be
        empty, and must write nothing.
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
