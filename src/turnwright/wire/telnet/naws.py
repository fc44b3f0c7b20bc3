"""The window's size. Source: RFC 1073."""

from __future__ import annotations

from turnwright.wire.telnet.events import Size

__all__ = ["read"]


def read(data: bytes) -> Size | None:
    """Return the size that a subnegotiation tells; None for one that is malformed or has a 0 (not known)."""
    if len(data) != 4:
        return None
    columns, rows = int.from_bytes(data[:2], "big"), int.from_bytes(data[2:], "big")
    return Size(columns, rows) if columns and rows else None
