from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.app.lan.qr import TEXT_BYTES_MAX, qr_lines, qr_modules

numpy = pytest.importorskip("numpy")
zxing = pytest.importorskip("zxingcpp")
SCALE, QUIET = 4, 4
ADDRESS = "http://192.168.100.200:7654/get?word=golden-elephant-42"


def read(rows: list[list[bool]]) -> list[str]:
    """Return the texts that another program reads in a picture of the modules."""
    light = numpy.pad(1 - numpy.array(rows, dtype=numpy.uint8), QUIET, constant_values=1)
    picture = numpy.kron(light, numpy.ones((SCALE, SCALE), dtype=numpy.uint8)) * 255
    return [found.text for found in zxing.read_barcodes(picture)]


@pytest.mark.parametrize("size", [1, 14, 15, 26, 27, 42, 43, 62, 63, 84, 85, TEXT_BYTES_MAX])
def test_a_decoder_reads_the_texts_at_the_limits_of_each_version(size: int) -> None:
    text = (ADDRESS * 3)[:size]
    assert read(qr_modules(text)) == [text]


@given(st.text(st.characters(codec="ascii", exclude_categories=["C"]), min_size=1, max_size=TEXT_BYTES_MAX))
def test_a_decoder_reads_any_text(text: str) -> None:
    assert read(qr_modules(text)) == [text]


def test_a_longer_text_is_refused() -> None:
    with pytest.raises(ValueError, match=f"{TEXT_BYTES_MAX + 1} bytes"):
        qr_modules("x" * (TEXT_BYTES_MAX + 1))


@pytest.mark.parametrize("colored", [True, False])
def test_the_lines_of_a_terminal_show_the_modules(colored: bool) -> None:
    """Two rows a line; without colours the letters are what is light."""
    lines = qr_lines(ADDRESS, colored=colored)
    bare = [line.removeprefix("\x1b[30;107m").removesuffix("\x1b[0m") for line in lines]
    assert (bare != lines) is colored
    upper, lower = ("▀█", "▄█") if colored else (" ▄", " ▀")
    rows = []
    for line in bare:
        rows += [[glyph in upper for glyph in line], [glyph in lower for glyph in line]]
    assert read(rows) == [ADDRESS]
    modules = qr_modules(ADDRESS)
    assert [row[QUIET:-QUIET] for row in rows[QUIET : QUIET + len(modules)]] == modules
