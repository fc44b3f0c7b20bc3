"""A player's mind: source, output, faults, and the limits on them."""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from dataclasses import dataclass, field

from turnwright_world.intent import PLAYER_SOURCE_SIZE_MAX

MINDS_MAX = 20
"""The most minds of one account. The same number of its creatures may plan in a turn."""
MINDS_KEPT_MAX = 10_000
"""The most minds of all accounts in one world."""
HANDED_MAX = 10
HANDED_WINDOW_NS = 60_000_000_000
"""The time in which an account may submit HANDED_MAX minds."""
LOOKS_MAX = 20
"""The number of a mind's latest printed texts and faults that are remembered until the server ends."""
_LOOK_CHARS_MAX = 400
FILE = "mind.py"
"""The file name of a player's mind in messages about mistakes."""
_PREFIX = "own:"


@dataclass(frozen=True, slots=True)
class PlayerMind:
    """One mind of a player.

    Attributes:
        owner: the owner of the mind.
        body: the id of the creature for which it acts.
        on: whether it acts, or is stopped.
    """

    owner: str
    body: int
    source: str
    on: bool = True

    @property
    def hash(self) -> str:
        """A short hash of the source."""
        return hash_of(self.source)

    @property
    def name(self) -> str:
        """The mind's name in the world and the planner. It is the same for equal sources.

        No file can have such a name.
        """
        return _PREFIX + self.hash


@dataclass(slots=True)
class MindHistory:
    """Outcomes of a mind's plans since it was submitted or the server started.

    Attributes:
        plans: the number of plans by outcome.
    """

    plans: Counter[str] = field(default_factory=Counter)
    looks: deque[tuple[int, str, str]] = field(default_factory=lambda: deque(maxlen=LOOKS_MAX))
    """The last rows (turn, what, text). `what` is "printed", or the reason for a missing plan."""
    told: str = ""
    """The last fault that was reported to the owner."""

    def note(self, turn: int, what: str, text: str) -> None:
        """Remember a printed text or a fault for the owner."""
        self.looks.append((turn, what, text[:_LOOK_CHARS_MAX]))


def hash_of(source: str) -> str:
    """Return 16 hexadecimal digits that identify a source."""
    return hashlib.blake2b(source.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def why_not_source(source: str) -> str | None:
    """Return why a text cannot be a mind's file, or None. The text is not parsed as Python yet."""
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
