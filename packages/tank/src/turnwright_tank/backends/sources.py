"""The sources of the compiled rules, and their hashes.

`setup.py` runs only this file, so it must need only the standard library.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

RULE_FILES = (
    "trig",
    "constants",
    "energy",
    "events",
    "score",
    "geometry",
    "grid",
    "gun",
    "motion",
    "walls",
    "tank_contacts",
    "radar",
    "bullets",
    "bullet_hits",
    "death",
    "stages",
)
"""The files of rules that are translated. Each comes after the files that it needs."""
BOT_FILES = (
    "observation",
    "bots.bot",
    "bots.geometry",
    "bots.identity",
    "bots.targeting",
    "bots.house.spinner",
    "bots.house.rammer",
    "bots.house.tracker",
    "bots.house.crawler",
    "bots.house.dodger",
    "bots.house.parts.duel",
    "bots.house.parts.foe",
    "bots.house.parts.guns",
    "bots.house.parts.letters",
    "bots.house.parts.memory",
    "bots.house.parts.rival",
    "bots.house.parts.surf",
    "rules.constants",
    "event_table",
    "settings",
)
"""The modules from which the translated bots are made."""
_RULES = Path(__file__).parents[1] / "rules"
_C = Path(__file__).parent / "c"
_HASH_SIZE = 8


def hash_of_sources(rules: Path = _RULES) -> str:
    """Return the hash of the source of the rules and rows, 16 hex digits."""
    return _hash_of([rules / f"{name}.py" for name in (*RULE_FILES, "rows")])


def hash_of_bots() -> str:
    """Return the hash of the source of the bots that are translated, 16 hex digits."""
    return _hash_of([_RULES.parent.joinpath(*name.split(".")).with_suffix(".py") for name in BOT_FILES])


def hash_of_c() -> str:
    """Return the hash of the C files, 16 hex digits, or "" if there are none."""
    files = sorted(_C.glob("*.[ch]*"))
    return _hash_of(files) if files else ""


def _hash_of(files: Iterable[Path]) -> str:
    """Return the hash of texts. It does not depend on their line ends.

    Raises:
        OSError: a file cannot be read.
    """
    found = hashlib.blake2b(digest_size=_HASH_SIZE)
    for path in files:
        source = path.read_bytes().replace(b"\r\n", b"\n")
        found.update(len(source).to_bytes(8, "little") + source)
    return found.hexdigest()
