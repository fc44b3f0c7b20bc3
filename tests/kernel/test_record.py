"""Digests and check bytes: what a record says of a state."""

from __future__ import annotations

from tests.kernel.support import battle, every_game
from turnwright.kernel.record import DIGEST_BYTES, Header, TurnRules, digest


def test_a_digest_is_sixteen_hex_digits_that_any_change_changes() -> None:
    assert len(digest(b"state")) == 2 * DIGEST_BYTES
    assert digest(b"state") == digest(b"state") != digest(b"statf")
    int(digest(b""), 16)


@every_game
def test_a_header_tells_all_of_the_setup_also_what_was_not_given(game: str) -> None:
    it = battle(game)
    assert set(it.game.defaults) <= set(it.header.setup)
    assert isinstance(it.header, Header)
    assert it.header.rules == TurnRules()
