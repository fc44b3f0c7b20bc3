"""JSON Schemas of the protocols, from the types of their messages.

`make schemas` writes them into the package; a test fails when one is stale.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from turnwright.games.tank.wire.royale import messages as royale
from turnwright.games.tank.wire.stream import messages as stream
from turnwright.games.world.wire.messages import PACKAGES
from turnwright.wire import generic_protocol as generic

__all__ = ["SCHEMAS", "write"]

SRC = Path(__file__).resolve().parents[2] / "src" / "turnwright"


def schema_of(title: str, clients: Iterable[Any], server: Iterable[Any]) -> str:
    """Return the schema of a protocol: any message, and "$defs" with Client, Server and each message."""
    both = [list(dict.fromkeys(types)) for types in (clients, server)]
    kinds = list(dict.fromkeys(itertools.chain(*both)))
    refs, parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    by_kind = dict(zip(map(str, kinds), refs, strict=True))
    sides = {"Client": both[0], "Server": both[1]}
    defs = {side: {"anyOf": [by_kind[str(kind)] for kind in types]} for side, types in sides.items() if types}
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "anyOf": [{"$ref": f"#/$defs/{side}"} for side in defs],
        "$defs": {**defs, **dict(sorted(parts.items()))},
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def world_schema() -> str:
    """Return the schema of what programs send to a world: its packages by name, with their data."""
    refs, parts = msgspec.json.schema_components(
        [package.data for package in PACKAGES], ref_template="#/$defs/{name}"
    )
    packages = {package.name: ref for package, ref in zip(PACKAGES, refs, strict=True)}
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Packages that programs send to a world: the data of each, by its name",
        "type": "object",
        "properties": packages,
        "additionalProperties": False,
        "$defs": dict(sorted(parts.items())),
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


_STREAM = (stream.Keyframe, stream.Delta, stream.BotPolicies, stream.BotFailures)
_ROYALE = [
    [kind for kinds in side.values() for kind in kinds] for side in (royale.MAY_SEND, royale.MAY_RECEIVE)
]
SCHEMAS: dict[Path, str] = {
    SRC / "wire" / "generic.schema.json": schema_of(
        "The generic protocol", generic.CLIENT_MESSAGES, generic.SERVER_MESSAGES
    ),
    SRC / "games/tank/wire/royale/royale.schema.json": schema_of(
        "Tank Royale's protocol, with ours", *_ROYALE
    ),
    SRC / "games/tank/wire/stream/stream.schema.json": schema_of("The spectators' stream", (), _STREAM),
    SRC / "games/world/wire/world.schema.json": world_schema(),
}
"""The text of each schema, by the file in the package."""


def write() -> None:
    """Write the files."""
    for path, text in SCHEMAS.items():
        path.write_text(text, encoding="utf-8")
