"""What a handshake may say beyond its JSON types: names that can be shown safely anywhere."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from turnwright.wire.royale.faults import CLOSE_POLICY, Fault, FaultCode
from turnwright.wire.royale.messages import BotHandshake, ControllerHandshake, ObserverHandshake, type_name

__all__ = ["HANDSHAKES", "check_handshake"]

Handshake = BotHandshake | ObserverHandshake | ControllerHandshake
HANDSHAKES = (BotHandshake, ObserverHandshake, ControllerHandshake)

_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_UNSAFE = frozenset(("Cc", "Cs", "Zl", "Zp"))
_LINE_BREAKS = frozenset("\t\n\r")


def _unsafe(text: str, allowed: frozenset[str] = frozenset()) -> bool:
    if text.isascii() and text.isprintable():
        return False
    return any(c in _BIDI or (unicodedata.category(c) in _UNSAFE and c not in allowed) for c in text)


def _lines(handshake: Handshake) -> Iterator[tuple[str, str]]:
    yield "name", handshake.name
    yield "version", handshake.version
    if not isinstance(handshake, BotHandshake):
        yield "author", handshake.author or ""
        return
    yield from (("authors", text) for text in handshake.authors)
    yield from (("countryCodes", text) for text in handshake.country_codes)
    yield from (("gameTypes", text) for text in handshake.game_types)
    yield "homepage", handshake.homepage or ""
    yield "platform", handshake.platform or ""
    yield "programmingLang", handshake.programming_lang or ""
    yield "teamName", handshake.team_name or ""
    yield "teamVersion", handshake.team_version or ""
    yield "teamMemberName", handshake.team_member_name or ""


def check_handshake(handshake: Handshake) -> Fault | None:
    """Return why a handshake is refused (close code 1008), or None.

    Refused: a blank name or version; control characters, line breaks (but in a description) and characters
    that turn the direction of writing.
    """
    if not handshake.name.strip() or not handshake.version.strip():
        return _refused(handshake, "name and version must not be blank")
    for field, text in _lines(handshake):
        if _unsafe(text):
            return _refused(handshake, f"{field} must not have control characters")
    if isinstance(handshake, BotHandshake) and _unsafe(handshake.description or "", _LINE_BREAKS):
        return _refused(handshake, "description must not have control characters")
    return None


def _refused(handshake: Handshake, advice: str) -> Fault:
    return Fault(FaultCode.OUT_OF_BOUNDS, advice, closes=CLOSE_POLICY, refers_to=type_name(handshake))
