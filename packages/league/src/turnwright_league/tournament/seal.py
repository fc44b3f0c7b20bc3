"""The seal of a tournament: a line that changes when any part of the tournament changes.

part      a hash of the rules, of the plans of its runs, of each entry and of each battle's row
row       has the result, and the hash of the file of its record
seal      a hash over all parts
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

_MARK = "seal1-"
_PART_BYTES = 16
_SEAL_BYTES = 20
SEAL_CHARS = len(_MARK) + 2 * _SEAL_BYTES
"""The number of characters in a seal."""


@dataclass(frozen=True, slots=True)
class TournamentParts:
    """The hashes of all parts of a tournament.

    Attributes:
        rules: the hash of the rules and plans.
        entries, battles: the hashes by id.
    """

    rules: str
    entries: Mapping[str, str]
    battles: Mapping[str, str]

    @property
    def seal(self) -> str:
        """The seal, with SEAL_CHARS characters."""
        text = json.dumps([self.rules, sorted(self.entries.items()), sorted(self.battles.items())])
        return _MARK + hashlib.blake2b(text.encode(), digest_size=_SEAL_BYTES).hexdigest()


def part_hash(*texts: object) -> str:
    """Return the hash of a part, given as JSON values in order."""
    text = json.dumps(texts, ensure_ascii=False, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=_PART_BYTES).hexdigest()


def is_seal(text: str) -> bool:
    """Return whether a text is a seal."""
    digits = text.removeprefix(_MARK)
    return text.startswith(_MARK) and len(text) == SEAL_CHARS and set(digits) <= set("0123456789abcdef")
