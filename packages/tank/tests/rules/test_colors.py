from __future__ import annotations

import pytest

from turnwright_tank.rules.colors import color_text, parse_color


@pytest.mark.parametrize(
    ("text", "color"),
    [
        ("#FFF", 0xFFFFFF),
        ("#f80", 0xFF8800),
        (" #12ab9F\n", 0x12AB9F),
        ("#000", 0),
        ("", None),
        ("  ", None),
        ("red", None),
        ("#12345", None),
        ("#12345678", None),
        ("#ggg", None),
        ("#+12", None),
        ("#१२३", None),
        ("#" + "f" * 100, None),
    ],
)
def test_colours_are_three_or_six_hexadecimal_digits(text: str, color: int | None) -> None:
    assert parse_color(text) == color


def test_colours_are_shown_in_upper_case_and_not_at_all_when_never_set() -> None:
    assert color_text(0x0ABCDE) == "#0ABCDE"
    assert color_text(-1) is None
