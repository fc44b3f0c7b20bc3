"""What a TCP connection of a person needs: to find out when the other end is gone without a word."""

from __future__ import annotations

import asyncio
import socket
import struct
import sys

__all__ = ["GONE_AFTER_S", "keep_alive", "round_trip_us"]

GONE_AFTER_S = 90
"""A machine that answers nothing for so long is gone; nothing that a player could see is sent to find out."""
_IDLE_S, _INTERVAL_S, _PROBES = 60, 10, 3
_OPTIONS = (
    ("TCP_KEEPIDLE", _IDLE_S),
    ("TCP_KEEPINTVL", _INTERVAL_S),
    ("TCP_KEEPCNT", _PROBES),
    ("TCP_USER_TIMEOUT", GONE_AFTER_S * 1_000),
)

_RTT, _RTT_AT = struct.Struct("=II"), 68
_HAS_INFO = sys.platform == "linux"


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


def round_trip_us(transport: asyncio.Transport) -> tuple[int, int] | None:
    """Return what the system has measured: the smoothed round trip and how much it varies, µs; None: nothing.

    Source: struct tcp_info of linux/tcp.h, tcpi_rtt and tcpi_rttvar.
    """
    connected = transport.get_extra_info("socket")
    if connected is None or not _HAS_INFO:
        return None
    try:
        info = connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _RTT_AT + _RTT.size)
    except OSError:
        return None  # it is gone
    if len(info) < _RTT_AT + _RTT.size:
        return None
    rtt_us, rttvar_us = _RTT.unpack_from(info, _RTT_AT)
    return (rtt_us, rttvar_us) if rtt_us else None
