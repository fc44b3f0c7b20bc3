from __future__ import annotations

import select
import socket
from typing import cast

import pytest

from tests.portable.left_out import IS_PORTABLE
from turnwright.net import portability
from turnwright.net.websocket.interface import Connection, hold_data

WAYS = [False] if IS_PORTABLE else [True, False]


class Idle:
    """A connection of which only the socket matters."""

    waiting = False

    def __init__(self, end: socket.socket | None) -> None:
        self._end = end

    def fileno(self) -> int:
        return -1 if self._end is None else self._end.fileno()


@pytest.mark.parametrize("linux", WAYS, ids=lambda linux: "linux" if linux else "portable")
def test_data_in_one_of_many_sockets_is_known_without_reading_it(
    linux: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portability, "IS_LINUX", linux)
    if not linux:
        monkeypatch.delattr(select, "poll", raising=False)
    pairs = [socket.socketpair() for _ in range(3)]
    ends = [Idle(None), *(Idle(one) for one, _ in pairs)]
    there = [cast("Connection", end) for end in ends]
    assert not hold_data(there)
    assert not hold_data(there[:1])
    pairs[1][1].send(b"x")
    assert hold_data(there)
    assert pairs[1][0].recv(9) == b"x"
    assert not hold_data(there)
    for pair in pairs:
        for end in pair:
            end.close()
