from __future__ import annotations

from packages.core.tests.deep_size import deep_size
from turnwright.net.websocket.keepalive import PING_AFTER_NS, SILENCE_NS_MAX, Keepalive

S = 1_000_000_000


class Peer:
    key = 0
    backlog = 0
    waiting = False

    def __init__(self) -> None:
        self.heard = False
        self.done: list[str] = []

    def ping(self) -> None:
        self.done.append("ping")

    def abort(self) -> None:
        self.done.append("abort")

    def send(self, data: bytes) -> None: ...
    def close(self, code: int, reason: str = "") -> None: ...
    def rest(self) -> None: ...
    def fileno(self) -> int:
        return -1


def test_a_silent_peer_is_asked_and_then_given_up() -> None:
    keepalive, peer = Keepalive(), Peer()
    keepalive.sweep([peer], 0)
    keepalive.sweep([peer], PING_AFTER_NS - 1)
    assert peer.done == []
    keepalive.sweep([peer], PING_AFTER_NS)
    assert peer.done == ["ping"]
    keepalive.sweep([peer], SILENCE_NS_MAX - 1)
    assert peer.done == ["ping", "ping"]
    keepalive.sweep([peer], SILENCE_NS_MAX)
    assert peer.done == ["ping", "ping", "abort"]


def test_any_sign_of_life_restarts_the_count() -> None:
    keepalive, peer = Keepalive(), Peer()
    for second in range(0, 600, 5):
        peer.heard = second % 50 == 0
        keepalive.sweep([peer], second * S)
    assert peer.done == []


def test_forget_restarts_the_count() -> None:
    keepalive, peer = Keepalive(), Peer()
    keepalive.sweep([peer], 0)
    keepalive.forget()
    keepalive.sweep([peer], 1_000 * S)
    assert peer.done == []
    keepalive.sweep([peer], 1_060 * S)
    assert peer.done == ["ping"]


def test_peers_that_left_are_not_remembered() -> None:
    keepalive = Keepalive()
    size = deep_size(keepalive)
    keepalive.sweep([Peer() for _ in range(100)], 0)
    assert deep_size(keepalive) > size
    keepalive.sweep([], 1)
    assert deep_size(keepalive) == size
