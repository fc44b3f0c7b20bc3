"""The pictures that programs make show the rules and the figures of this tree."""

from __future__ import annotations

import re

import pytest
from pictures.__main__ import pictures
from pictures.charts import charts_of, rows_of

from tests.house.source import ROOT

DOCS = ROOT / "docs"
PAGE = (DOCS / "performance.md").read_text(encoding="utf-8")
FILM_BYTES_MAX = 1_000_000


def test_the_pictures_are_fresh() -> None:
    stale = [
        name
        for name, text in pictures().items()
        if (DOCS / "images" / name).read_text(encoding="utf-8") != text
    ]
    assert not stale, f"run `make docs`: {stale}"
    assert (DOCS / "images/battle.svg").stat().st_size < FILM_BYTES_MAX


def test_every_chart_of_the_page_has_its_table() -> None:
    assert sorted(charts_of(PAGE)) == sorted(re.findall(r"images/(performance-[\w-]+\.svg)", PAGE))


@pytest.mark.parametrize("section", re.findall(r"^## .*?(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
def test_every_number_of_a_table_is_a_figure_of_the_benches(section: str) -> None:
    figures = (ROOT / "bench/README.md").read_text(encoding="utf-8")
    for table in re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE):
        for label, number in rows_of(table):
            assert re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d])", figures), (label, number)
