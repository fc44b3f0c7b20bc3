"""What a TCP connection of a person needs: to find out when the other end is gone without a word."""

from __future__ import annotations

import asyncio
import socket

__all__ = ["GONE_AFTER_S", "keep_alive"]

GONE_AFTER_S = 90
"""A machine that answers nothing for so long is gone; nothing that a player could see is sent to find out."""
_IDLE_S, _INTERVAL_S, _PROBES = 60, 10, 3
_OPTIONS = (
    ("TCP_KEEPIDLE", _IDLE_S),
    ("TCP_KEEPINTVL", _INTERVAL_S),
    ("TCP_KEEPCNT", _PROBES),
    ("TCP_USER_TIMEOUT", GONE_AFTER_S * 1_000),
)


def keep_alive(transport: asyncio.Transport) -> None:
    """Let the operating system look after a connection, as far as it can; what it lacks is left out."""
    connected = transport.get_extra_info("socket")
    try:
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _OPTIONS:
            if hasattr(socket, name):
                connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    except OSError:
        return  # it is gone already, and that will be told
