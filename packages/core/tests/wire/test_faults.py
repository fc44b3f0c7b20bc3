"""Faults: the contents of a close frame and of an ErrorReply."""

from __future__ import annotations

import pytest

from turnwright.wire.faults import REASON_BYTES_MAX, Fault, FaultCode


@pytest.mark.parametrize("length", [1, REASON_BYTES_MAX, REASON_BYTES_MAX + 1, 1_000])
@pytest.mark.parametrize("letter", ["a", "é", "😀"])
def test_a_reason_fits_a_close_frame_and_is_whole_text(length: int, letter: str) -> None:
    reason = Fault(FaultCode.MALFORMED, letter * length).reason
    size = len(letter.encode())
    assert reason == letter * min(length, REASON_BYTES_MAX // size)


def test_codes_are_words_for_programs_and_differ() -> None:
    codes = [code.value for code in FaultCode]
    assert len(set(codes)) == len(codes)
    assert all(code.replace("-", "").replace("8", "").isalpha() and code.islower() for code in codes)
