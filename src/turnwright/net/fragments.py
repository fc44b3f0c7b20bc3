"""A message that comes in pieces. No I/O."""

from __future__ import annotations

from turnwright.net.transport import MESSAGE_BYTES_MAX

__all__ = ["FRAGMENTS_MAX", "Fragments", "Violation"]

FRAGMENTS_MAX = 1_024


class Violation(Exception):
    """The peer broke the WebSocket protocol; `code` closes the connection, str() is the reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class Fragments:
    """Puts messages together; binary ones are followed and dropped. Source: RFC 6455 §5.4."""

    __slots__ = ("_pieces", "_size", "_text")

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0
        self._text = False

    @property
    def idle(self) -> bool:
        """Whether no message is half received."""
        return not self._pieces

    def begin(self, payload: bytes, text: bool, final: bool) -> bytes | None:
        """Take a text or binary frame; return a text message that is whole. Raises Violation."""
        if self._pieces:
            raise Violation(1002, "a new message began inside another")
        if final:
            return payload if text else None
        self._text = text
        return self._add(payload, final)

    def go_on(self, payload: bytes, final: bool) -> bytes | None:
        """Take a continuation frame; return a text message that is whole. Raises Violation."""
        if not self._pieces:
            raise Violation(1002, "a continuation without a beginning")
        return self._add(payload, final)

    def _add(self, payload: bytes, final: bool) -> bytes | None:
        self._size += len(payload)
        if self._size > MESSAGE_BYTES_MAX:
            raise Violation(1009, f"a message is at most {MESSAGE_BYTES_MAX} bytes")
        if len(self._pieces) >= FRAGMENTS_MAX:
            raise Violation(1009, f"a message comes in at most {FRAGMENTS_MAX} fragments")
        self._pieces.append(payload)
        if not final:
            return None
        whole = b"".join(self._pieces) if self._text else None
        self._pieces = []
        self._size = 0
        return whole
