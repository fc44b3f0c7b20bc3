from __future__ import annotations

import pytest

from turnwright.app.lan.qr import TEXT_BYTES_MAX, qr_lines

numpy = pytest.importorskip("numpy")
zxing = pytest.importorskip("zxingcpp")
SCALE = 4
ADDRESS = "http://192.168.100.200:7654/get?word=golden-elephant-42"
COLUMNS_MAX = 49


def read(lines: list[str], *, colored: bool) -> list[str]:
    """Return the texts of the QR codes that zxing reads in the lines of a terminal."""
    bare = [line.removeprefix("\x1b[30;107m").removesuffix("\x1b[0m") for line in lines]
    assert (bare != lines) is colored
    upper, lower = ("▀█", "▄█") if colored else (" ▄", " ▀")
    rows = [[glyph in half for glyph in line] for line in bare for half in (upper, lower)]
    light = 1 - numpy.array(rows, dtype=numpy.uint8)
    picture = numpy.kron(light, numpy.ones((SCALE, SCALE), dtype=numpy.uint8)) * 255
    return [found.text for found in zxing.read_barcodes(picture)]


@pytest.mark.parametrize("colored", [True, False])
@pytest.mark.parametrize("size", [1, len(ADDRESS), TEXT_BYTES_MAX])
def test_a_decoder_reads_the_code_in_a_terminal(size: int, colored: bool) -> None:
    text = (ADDRESS * 3)[:size]
    lines = qr_lines(text, colored=colored)
    assert read(lines, colored=colored) == [text]
    assert len(lines[0]) <= COLUMNS_MAX + len("\x1b[30;107m\x1b[0m")


def test_a_longer_text_is_refused() -> None:
    with pytest.raises(ValueError, match=f"{TEXT_BYTES_MAX + 1} bytes"):
        qr_lines("x" * (TEXT_BYTES_MAX + 1), colored=True)
