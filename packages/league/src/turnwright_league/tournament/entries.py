"""The entries of a tournament: programs in exactly the version that plays."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

ENTRIES_MAX = 1_000
"""Entries of one tournament."""
ENTRY_ID_DIGITS = 32
"""Hexadecimal digits of an entry's id."""


class KeptId:
    """An id that is hashed once. It is not a field of a dataclass, so it is neither written nor compared."""

    __slots__ = ("_kept_id",)
    _kept_id: str

    def kept_id(self, text: Callable[[], str], digits: int) -> str:
        """Return so many hexadecimal digits over a text."""
        try:
            return self._kept_id
        except AttributeError:
            found = hashlib.blake2b(text().encode(), digest_size=digits // 2).hexdigest()
            object.__setattr__(self, "_kept_id", found)
            return found


@dataclass(frozen=True, slots=True)
class TournamentEntry(KeptId):
    """One program that takes part. A program whose sources change is another entry.

    Attributes:
        name, version: as it calls itself.
        kind: a bot or team of a directory, or a built-in bot.
        source: a hash of its sources (`net.participants.source_hash`), of a built-in bot the hash of the
            game's built-in bots.
    """

    name: str
    version: str
    kind: Literal["bot", "team", "house"]
    source: str

    @property
    def id(self) -> str:
        """ENTRY_ID_DIGITS hexadecimal digits over all fields.

        Equal sources under two names are two entries.
        """
        parts = [self.kind, self.name, self.version, self.source]
        return self.kept_id(lambda: json.dumps(parts, ensure_ascii=False), ENTRY_ID_DIGITS)
