from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.net.websocket.connection import FRAGMENTS_MAX, Fragments, Violation
from turnwright.net.websocket.interface import MESSAGE_BYTES_MAX


@given(st.lists(st.binary(max_size=20), min_size=2, max_size=30))
def test_pieces_become_the_message_they_were(pieces: list[bytes]) -> None:
    fragments = Fragments()
    assert fragments.begin(pieces[0], True, False) is None
    assert fragments.pieces
    for piece in pieces[1:-1]:
        assert fragments.go_on(piece, False) is None
    assert fragments.go_on(pieces[-1], True) == b"".join(pieces)
    assert not fragments.pieces


def test_a_message_is_text_or_binary_whole_or_in_pieces() -> None:
    fragments = Fragments()
    assert (fragments.begin(b"x", True, True), fragments.text) == (b"x", True)
    assert (fragments.begin(b"x", False, True), fragments.text) == (b"x", False)
    assert fragments.begin(b"x", False, False) is None
    assert (fragments.go_on(b"y", True), fragments.text) == (b"xy", False)
    assert (fragments.begin(b"z", True, True), fragments.text) == (b"z", True)


def test_a_message_inside_another_and_a_continuation_of_nothing_are_violations() -> None:
    fragments = Fragments()
    with pytest.raises(Violation) as caught:
        fragments.go_on(b"x", True)
    assert caught.value.code == 1002
    fragments.begin(b"x", True, False)
    with pytest.raises(Violation) as caught:
        fragments.begin(b"x", True, True)
    assert caught.value.code == 1002


@pytest.mark.parametrize(("extra", "passes"), [(-1, True), (0, True), (1, False)])
def test_a_message_has_a_bound_however_it_is_cut(extra: int, passes: bool) -> None:
    fragments = Fragments()
    half = MESSAGE_BYTES_MAX // 2
    fragments.begin(b"x" * half, True, False)
    if passes:
        assert len(fragments.go_on(b"x" * (half + extra), True) or b"") == MESSAGE_BYTES_MAX + extra
    else:
        with pytest.raises(Violation) as caught:
            fragments.go_on(b"x" * (half + extra), True)
        assert caught.value.code == 1009


@pytest.mark.parametrize(("count", "passes"), [(FRAGMENTS_MAX, True), (FRAGMENTS_MAX + 1, False)])
def test_so_have_its_pieces_even_empty_ones(count: int, passes: bool) -> None:
    fragments = Fragments()
    fragments.begin(b"", True, False)
    for _ in range(count - 2):
        fragments.go_on(b"", False)
    if passes:
        assert fragments.go_on(b"", True) == b""
    else:
        with pytest.raises(Violation) as caught:
            fragments.go_on(b"", True)
        assert caught.value.code == 1009
