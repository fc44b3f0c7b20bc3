"""The entries of a tournament: programs in exactly the version that plays."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Literal

__all__ = ["ENTRIES_MAX", "ENTRY_ID_DIGITS", "TournamentEntry"]

ENTRIES_MAX = 1_000
"""Entries of one tournament."""
ENTRY_ID_DIGITS = 32
"""Hexadecimal digits of an entry's id."""


@dataclass(frozen=True, slots=True)
class TournamentEntry:
    """One program that takes part. A program whose sources change is another entry.

    name, version: as it calls itself. kind: a bot or team of a directory, or a house bot. source: a hash of
    its sources (`net.participants.source_hash`), of a house bot the hash of the game's house bots.
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
        text = json.dumps([self.kind, self.name, self.version, self.source], ensure_ascii=False)
        return hashlib.blake2b(text.encode(), digest_size=ENTRY_ID_DIGITS // 2).hexdigest()
