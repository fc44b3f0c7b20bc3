"""Writing down the state of a small game: a dataclass of numbers, truth values, texts, and lists of them."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

__all__ = ["pack_rows", "restore_fields", "save_fields"]


def pack_rows(rows: Iterable[Sequence[int]]) -> bytes:
    """Return rows of whole numbers as `Table.data`, 8 bytes each."""
    return b"".join([struct.pack(f"<{len(row)}q", *row) for row in rows])


def save_fields(state: Any) -> bytes:
    """Return the fields of a dataclass as JSON, on one line: `Game.save` for a game that needs no more."""
    return json.dumps({field.name: getattr(state, field.name) for field in fields(state)}).encode()


def restore_fields(state: Any, data: bytes) -> None:
    """Put what `save_fields` returned into a fresh state: `Game.restore`.

    Every value must be of the type, and every list of the length and the types, that is there.
    Raises: ValueError for anything else.
    """
    saved = json.loads(data)
    names = [field.name for field in fields(state)]
    if type(saved) is not dict or list(saved) != names:
        raise ValueError(f"its fields are not {', '.join(names)}")
    for name in names:
        if not _is_like(saved[name], getattr(state, name)):
            raise ValueError(f"its {name} cannot be")
        setattr(state, name, saved[name])


def _is_like(value: Any, there: Any) -> bool:
    if type(value) is not type(there):
        return False
    return type(value) is not list or list(map(type, value)) == list(map(type, there))
