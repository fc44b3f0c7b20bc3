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

from turnwright.wire import generic_protocol as generic
from turnwright_tank.wire.royale import messages as royale
from turnwright_world.wire.messages import PACKAGES, PackageSpec
from turnwright_world.wire.server_messages import SERVER_PACKAGES

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "packages/core/src/turnwright"


def schema_of(title: str, clients: Iterable[Any], server: Iterable[Any]) -> str:
    """Return the schema (JSON) of any message of a protocol. "$defs" has Client, Server and each message."""
    both = [list(dict.fromkeys(types)) for types in (clients, server)]
    kinds = list(dict.fromkeys(itertools.chain(*both)))
    refs, parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    by_kind = dict(zip(map(str, kinds), refs, strict=True))
    sides = {"Client": both[0], "Server": both[1]}
    defs = {side: {"anyOf": [by_kind[str(kind)] for kind in types]} for side, types in sides.items() if types}
    return _whole(title, defs, parts)


def world_schema() -> str:
    """Return the schema (JSON) of a world's messages. "$defs" has Client and Server, with data by package."""
    both = {"Client": PACKAGES, "Server": SERVER_PACKAGES}
    kinds = list(dict.fromkeys(package.data for packages in both.values() for package in packages))
    refs, parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    by_kind = dict(zip(map(str, kinds), refs, strict=True))
    defs = {side: _by_name(packages, by_kind) for side, packages in both.items()}
    return _whole("Messages of a world: the data of each package, by its name", defs, parts)


def _by_name(packages: Iterable[PackageSpec], by_kind: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, list[Any]] = {}
    for package in packages:
        found.setdefault(package.name, []).append(by_kind[str(package.data)])
    properties = {name: kinds[0] if len(kinds) == 1 else {"anyOf": kinds} for name, kinds in found.items()}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _whole(title: str, sides: dict[str, Any], parts: dict[str, Any]) -> str:
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "anyOf": [{"$ref": f"#/$defs/{side}"} for side in sides],
        "$defs": {**sides, **dict(sorted(parts.items()))},
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


_ROYALE = [
    [kind for kinds in side.values() for kind in kinds] for side in (royale.MAY_SEND, royale.MAY_RECEIVE)
]
SCHEMAS: dict[Path, str] = {
    SRC / "wire" / "generic.schema.json": schema_of(
        "The generic protocol", generic.CLIENT_MESSAGES, generic.SERVER_MESSAGES
    ),
    ROOT / "packages/tank/src/turnwright_tank/wire/royale/royale.schema.json": schema_of(
        "Tank Royale's protocol, with ours", *_ROYALE
    ),
    ROOT / "packages/world/src/turnwright_world/wire/world.schema.json": world_schema(),
}
"""The text of each schema, by the file in the package."""


def write() -> None:
    """Write each schema to its file."""
    for path, text in SCHEMAS.items():
        path.write_text(text, encoding="utf-8")
