"""Over-long texts of an intent."""

from __future__ import annotations

import pytest

from turnwright.games.tank.intent import TankIntent
from turnwright.games.tank.wire.royale.limits import (
    COLOR_CHARS_MAX,
    DEBUG_GRAPHICS_BYTES_MAX,
    OUTPUT_BYTES_MAX,
    TRUNCATED_MARK,
)
from turnwright.games.tank.wire.royale.recover import cut_output, limit_texts
from turnwright.wire.faults import Fault


@pytest.mark.parametrize("letter", ["a", "é", "€", "😀"])
@pytest.mark.parametrize("extra_bytes", [-1, 0, 1, 10_000])
def test_output_is_cut_by_its_bytes_at_a_whole_letter(letter: str, extra_bytes: int) -> None:
    text = letter * ((OUTPUT_BYTES_MAX + extra_bytes) // len(letter.encode()))
    over = len(text.encode()) > OUTPUT_BYTES_MAX
    kept = cut_output(text)
    assert len(kept.encode()) <= OUTPUT_BYTES_MAX
    assert (kept == text) is not over
    if over:
        assert kept.endswith(TRUNCATED_MARK)
        assert set(kept.removesuffix(TRUNCATED_MARK)) == {letter}
        assert len(kept.encode()) > OUTPUT_BYTES_MAX - 4


def test_an_intent_within_its_bounds_is_left_alone() -> None:
    intent = TankIntent(
        std_out="o" * OUTPUT_BYTES_MAX,
        debug_graphics="g" * DEBUG_GRAPHICS_BYTES_MAX,
        gun_color="c" * COLOR_CHARS_MAX,
    )
    notes: list[Fault] = []
    assert limit_texts(intent, notes) is intent
    assert notes == []


def test_each_thing_over_its_bound_is_cut_or_dropped_and_noted() -> None:
    intent = TankIntent(
        turn_rate=3.0,
        std_out="o" * (OUTPUT_BYTES_MAX + 1),
        std_err="e" * (OUTPUT_BYTES_MAX + 1),
        debug_graphics="é" * (DEBUG_GRAPHICS_BYTES_MAX // 2 + 1),
        gun_color="c" * (COLOR_CHARS_MAX + 1),
    )
    notes: list[Fault] = []
    trimmed = limit_texts(intent, notes)
    assert trimmed.turn_rate == 3.0
    assert trimmed.debug_graphics is None
    assert trimmed.gun_color is None
    assert (trimmed.std_out or "").endswith(TRUNCATED_MARK)
    assert (trimmed.std_err or "").endswith(TRUNCATED_MARK)
    assert len(notes) == 4
    assert not any(note.definite for note in notes)
