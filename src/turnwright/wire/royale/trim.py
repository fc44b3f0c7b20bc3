"""Over-long texts of an intent: output is cut, graphics and colours are dropped, the rest counts."""

from __future__ import annotations

import msgspec

from turnwright.games.tank.intent import TankIntent
from turnwright.wire.royale.bounds import (
    COLOR_CHARS_MAX,
    DEBUG_GRAPHICS_BYTES_MAX,
    OUTPUT_BYTES_MAX,
    TRUNCATED_MARK,
)
from turnwright.wire.royale.faults import Fault, FaultCode

__all__ = ["cut_output", "trim_intent"]

_COLORS = tuple(name for name in TankIntent.__struct_fields__ if name.endswith("_color"))


def cut_output(text: str) -> str:
    """Return `text`, or as much of it as OUTPUT_BYTES_MAX holds together with the mark of a cut."""
    if len(text) * 4 <= OUTPUT_BYTES_MAX:
        return text
    data = text.encode("utf-8", "replace")
    if len(data) <= OUTPUT_BYTES_MAX:
        return text
    return data[: OUTPUT_BYTES_MAX - len(TRUNCATED_MARK)].decode("utf-8", "ignore") + TRUNCATED_MARK


def _too_big(name: str, limit: int, what: str) -> Fault:
    return Fault(
        FaultCode.TOO_BIG,
        f"{name} is over {limit} bytes: it is {what}; send less a turn",
        definite=False,
        refers_to="BotIntent",
    )


def trim_intent(intent: TankIntent, notes: list[Fault]) -> TankIntent:
    """Return `intent` within its bounds; append to `notes` what was cut or dropped."""
    changes: dict[str, str | None] = {}
    for name in ("std_out", "std_err"):
        text = getattr(intent, name)
        if text is not None and (cut := cut_output(text)) is not text:
            changes[name] = cut
            notes.append(_too_big(name, OUTPUT_BYTES_MAX, "cut"))
    graphics = intent.debug_graphics
    if graphics is not None and len(graphics.encode("utf-8", "replace")) > DEBUG_GRAPHICS_BYTES_MAX:
        changes["debug_graphics"] = None
        notes.append(_too_big("debug_graphics", DEBUG_GRAPHICS_BYTES_MAX, "dropped"))
    for name in _COLORS:
        if len(getattr(intent, name) or "") > COLOR_CHARS_MAX:
            changes[name] = None
            notes.append(_too_big(name, COLOR_CHARS_MAX, "dropped"))
    return msgspec.structs.replace(intent, **changes) if changes else intent
