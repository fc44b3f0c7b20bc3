"""The first observation of a seat in a battle has a longer timeout."""

from __future__ import annotations

from packages.core.tests.kernel.support import MS, battle, every_game


@every_game
def test_only_the_first_observation_of_a_battle_has_the_long_timeout(game):
    it = battle(game, 2, timeout_ns=30 * MS)
    it.collecting.first_timeout_ns = 10_000 * MS
    timeouts = []
    for turn in range(4):
        if it.open_turn().asked:
            timeouts.append(it.collecting.inbox.timeout_ns // MS)
        for seat in (0, 1):
            it.collecting.inbox.sent(seat, turn * MS)
        it.end_collecting(turn * MS)
        it.close_turn()
    assert timeouts[:2] == [10_000, 30]


@every_game
def test_a_longer_turn_timeout_stays(game):
    it = battle(game, 2, timeout_ns=30_000 * MS)
    it.collecting.first_timeout_ns = 10_000 * MS
    it.open_turn()
    assert it.collecting.inbox.timeout_ns == 30_000 * MS
