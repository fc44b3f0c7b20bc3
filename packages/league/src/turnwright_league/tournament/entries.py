"""The entries of a tournament. An entry is one exact version of a program."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

ENTRIES_MAX = 1_000
"""The most entries of one tournament."""
ENTRY_ID_DIGITS = 32
"""The number of hexadecimal digits in an entry's id."""


class KeptId:
    """The base class of dataclasses whose id is computed once.

    The id is not a field, so it is neither written nor compared.
    """

    __slots__ = ("_kept_id",)
    _kept_id: str

    def kept_id(self, text: Callable[[], str], digits: int) -> str:
        """Return this many hexadecimal digits of a text's hash. Later calls return the first result again."""
        try:
            return self._kept_id
        except AttributeError:
            found = hashlib.blake2b(text().encode(), digest_size=digits // 2).hexdigest()
            object.__setattr__(self, "_kept_id", found)
            return found


@dataclass(frozen=True, slots=True)
class TournamentEntry(KeptId):
    """A program that takes part. If its sources change, it becomes another entry.

    Attributes:
        name, version: the name and version that the program sends.
        kind: whether it is a bot or a team in a directory, or a built-in bot.
        source: a hash of its sources (`net.participants.source_hash`). All built-in bots of a game share a
            hash.
    """

    name: str
    version: str
    kind: Literal["bot", "team", "house"]
    source: str

    @property
    def id(self) -> str:
        """The id, a hash of all fields with ENTRY_ID_DIGITS hexadecimal digits.

        Equal sources under two names are two entries.
        """
        parts = [self.kind, self.name, self.version, self.source]
        return self.kept_id(lambda: json.dumps(parts, ensure_ascii=False), ENTRY_ID_DIGITS)
