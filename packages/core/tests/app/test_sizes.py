"""Sizes on a command line."""

from __future__ import annotations

import re

import pytest

from turnwright.app.sizes import mebibytes, size_text


@pytest.mark.parametrize(
    ("text", "mib"), [("1MiB", 1), ("100 MiB", 100), ("2GiB", 2_048), ("0.5GiB", 512), ("1TiB", 1 << 20)]
)
def test_a_size_is_a_number_with_a_unit(text: str, mib: int) -> None:
    assert mebibytes(text) == mib


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("100", "'100' has no unit: 100MiB or 100GiB?"),
        ("100MB", "'100MB' is not a size: give a number with a unit (MiB, GiB or TiB), e.g. 100MiB"),
        ("-1MiB", "'-1MiB' is not a size"),
        ("", "'' is not a size"),
        ("0.5MiB", "'0.5MiB' is not a whole number of MiB"),
    ],
)
def test_a_text_that_is_not_a_size_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        mebibytes(text)


@pytest.mark.parametrize(
    ("mib", "text"), [(0, "0MiB"), (100, "100MiB"), (2_048, "2GiB"), (2_049, "2049MiB"), (1 << 20, "1TiB")]
)
def test_a_size_is_shown_in_the_largest_unit_that_fits(mib: int, text: str) -> None:
    assert size_text(mib) == text
