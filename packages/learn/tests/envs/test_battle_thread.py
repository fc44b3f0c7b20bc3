"""The thread that serves the battles of an environment."""

from __future__ import annotations

from typing import NoReturn

import pytest

from turnwright_learn.envs.battle_thread import BattleThread


async def job(server: object) -> None:
    """Play nothing."""


def test_a_server_that_cannot_be_made_raises_where_the_battle_begins() -> None:
    def fail() -> NoReturn:
        raise OSError("no such address")

    thread = BattleThread(fail)
    for _ in range(2):
        with pytest.raises(OSError, match="no such address"):
            thread.play(job)
        assert not thread.is_alive
    thread.close()
