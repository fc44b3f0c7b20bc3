"""A player's mind: source, output, faults, and the limits on them."""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from dataclasses import dataclass, field

from turnwright_world.intent import PLAYER_SOURCE_SIZE_MAX

MINDS_MAX = 20
"""Minds that one account may have; as many of its creatures plan in a turn."""
MINDS_KEPT_MAX = 10_000
"""Minds that one world keeps, of all accounts."""
HANDED_MAX = 10
HANDED_WINDOW_NS = 60_000_000_000
"""The window in which an account's minds are counted."""
LOOKS_MAX = 20
"""Of what a mind prints and does wrong, the last so many are kept, until the server ends."""
_LOOK_CHARS_MAX = 400
FILE = "mind.py"
"""The name of a player's mind in messages about its mistakes."""
_PREFIX = "own:"


@dataclass(frozen=True, slots=True)
class PlayerMind:
    """One mind.

    Attributes:
        owner: whose it is.
        body: for whom it acts.
        on: whether it does.
    """

    owner: str
    body: int
    source: str
    on: bool = True

    @property
    def hash(self) -> str:
        """A short hash of its source."""
        return hash_of(self.source)

    @property
    def name(self) -> str:
        """Its name in the world and the planner, equal for equal sources.

        No file can have such a name.
        """
        return _PREFIX + self.hash


@dataclass(slots=True)
class MindHistory:
    """Outcomes of a mind since it was handed over or the server began.

    Attributes:
        plans: counts by outcome.
    """

    plans: Counter[str] = field(default_factory=Counter)
    looks: deque[tuple[int, str, str]] = field(default_factory=lambda: deque(maxlen=LOOKS_MAX))
    """The last (turn, what, text); what: "printed", or why there was no plan."""
    told: str = ""
    """The last fault that was reported to its owner."""

    def note(self, turn: int, what: str, text: str) -> None:
        """Keep something for its owner to look at."""
        self.looks.append((turn, what, text[:_LOOK_CHARS_MAX]))


def hash_of(source: str) -> str:
    """Return 16 hexadecimal digits that identify a source."""
    return hashlib.blake2b(source.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def why_not_source(source: str) -> str | None:
    """Return why a text cannot be a mind's file, before it is parsed as Python.

    Or None.
    """
    size = len(source.encode("utf-8", "surrogatepass"))
    if size > PLAYER_SOURCE_SIZE_MAX:
        return f"it has {size} bytes; a mind has {PLAYER_SOURCE_SIZE_MAX} at most"
    if not source.strip():
        return "it is empty; write def plan(view, random): and what it returns"
    try:
        source.encode()
    except UnicodeEncodeError:
        return "it holds half a character"
    return None
