from __future__ import annotations

import pytest

from turnwright_tank.analysis import text as words


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Ace", "Ace"),
        ("my_bot", "my_bot"),
        ("_x_", "\\_x\\_"),
        ("a|b", "a\\|b"),
        ("<script>alert(1)</script>", "\\<script\\>alert(1)\\</script…"),
        ("[x](http://y)", "\\[x\\](http://y)"),
        ("a\nb\x1b[31m", "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}\\[31m"),
        ("# big", "\\# big"),
        ("x" * 31, "x" * 29 + "…"),
    ],
)
def test_names_are_only_names(name: str, text: str) -> None:
    assert words.name_text(name) == text or words.name_text(name).startswith(text.rstrip("…"))


def test_numbers_are_short() -> None:
    assert (words.energy(1.26), words.energy(-0.01), words.energy(1234.6)) == ("1.3", "0.0", "1,235")
    assert (words.share(1, 3), words.share(1, 0)) == ("33 %", "0 %")
    assert (words.plural(1, "turn"), words.plural(2000, "turn")) == ("1 turn", "2,000 turns")
    assert words.turns_of(3) == "3 turns"
    assert (words.cell(None, 1), words.cell(2.25, 1)) == ("", "2.2")


@pytest.mark.parametrize(
    ("us", "text"), [(None, "?"), (850, "850 µs"), (1250, "1.25 ms"), (30_000, "30 ms"), (4_200_000, "4.2 s")]
)
def test_durations_are_written_with_usual_units(us: float | None, text: str) -> None:
    assert words.duration(us) == text


def test_a_table_has_a_line_for_its_head_its_sides_and_each_row() -> None:
    lines = list(words.table(("Bot", "Shots"), [("Ace", "3")]))
    assert lines == ["| Bot | Shots |", "|---|--:|", "| Ace | 3 |"]
