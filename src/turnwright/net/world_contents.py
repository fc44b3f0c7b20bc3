"""Contents of worlds for their records: the one of this turnwright, and those that a server has kept."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from turnwright.errors import RecordError
from turnwright.games.world.game import WorldGame
from turnwright.host.world.rendering import Look
from turnwright.host.world.retelling import retell
from turnwright.kernel.record import Header, Record
from turnwright.net.content_files import DEMO, kept_content
from turnwright.net.records import OnProgress, read_record, unwatched
from turnwright.net.reload import load_content
from turnwright.wire.record.v1 import LINE_BYTES_MAX

__all__ = ["story_of", "world_of"]


def world_of(record: Record, contents: Path | None = None) -> WorldGame:
    """Return the rules for a record of a world.

    contents: a folder in which a server has kept contents by their hash. Their verbs are run, so it is one
    that the caller trusts. Raises: RecordError when a content that the record needs is not known.
    """
    needed = _needed(record)
    game = WorldGame()
    if needed - game.library.keys():
        shipped = load_content(DEMO)
        game.library[shipped.hash] = shipped.rules
    for hash_ in sorted(needed - game.library.keys()):
        content = None if contents is None else kept_content(contents, hash_)
        if content is not None:
            game.library[hash_] = content.rules
    missing = sorted(needed - game.library.keys())
    if missing:
        raise RecordError(
            f"the record needs content {missing[0]}, which is not the one of this turnwright:"
            " give --contents, the folder beside the world's data, e.g. world-data/contents"
        )
    return game


def story_of(
    path: Path, look: Look, contents: Path | None = None, on_progress: OnProgress = unwatched
) -> Iterator[str] | None:
    """Return the story of a world's record, as lines of text; None for a record of another game.

    Raises: RecordError, also while it is told.
    """
    if not _is_world(path):
        return None
    record = read_record(path, on_progress=on_progress)
    return retell(record, world_of(record, contents), look)


def _is_world(path: Path) -> bool:
    """Return whether a file begins like a record of a world."""
    try:
        with gzip.open(path) as stream:
            head = msgspec.json.decode(stream.readline(LINE_BYTES_MAX))
    except (OSError, EOFError, zlib.error, msgspec.DecodeError, RecursionError):
        return False
    return isinstance(head, dict) and head.get("game") == "world"


def _needed(record: Record) -> set[str]:
    """Return the contents that count in a record, by hash."""
    needed = {_content_of(record.header)}
    for entry in record.turns:
        for event in getattr(entry.intents.get(0), "gate", ()):
            if event.kind == "reload":
                needed.add(str(event.data.get("hash", "")))
    return needed


def _content_of(header: Header) -> str:
    return str(header.setup.get("content", ""))
