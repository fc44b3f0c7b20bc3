"""The generated files of this tree are fresh."""

from __future__ import annotations

import pytest
from generate import FILES

from tests.house.source import ROOT


@pytest.mark.parametrize("name", FILES)
def test_files_generated_from_the_rules_are_fresh(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == FILES[name](), "run `make setup`"
