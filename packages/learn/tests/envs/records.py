"""Checks records that environments write, as a user would."""

from __future__ import annotations

from pathlib import Path

from packages.core.tests.cli.playing import turnwright as command
from packages.core.tests.messages import missing


def assert_records_verify(folder: Path, count: int) -> None:
    """Check that a folder has this many records, and that `turnwright verify` confirms each."""
    files = sorted(folder.glob("*.twr"))
    assert len(files) == count
    for file in files:
        result = command("verify", file).finish()
        assert (result.code, missing(result.out, "verified")) == (0, [])
