"""The files of the browser viewer, read once: what is not in this list when a server starts is not served.

The arena's page is more than a hundred modules. One connection answers one request here, and a browser opens
six at a time, so they would take 20 round trips of two; its first module therefore has all of them in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from turnwright.net.bundle import bundle

__all__ = ["CONTENT_TYPES", "ENTRY", "FILES_MAX", "FILE_BYTES_MAX", "VIEWER", "StaticFile", "load_viewer"]

VIEWER = Path(__file__).parents[1] / "viewer"
"""Where the package has them."""
FILES_MAX = 200
FILE_BYTES_MAX = 2 << 20
ENTRY = "main.js"
"""The module that gets all that it imports put into it."""
CONTENT_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
"""Suffix: what a browser is told. Files with another one (tsconfig.json) stay where they are."""


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file as it is sent. tag: its ETag, made from its bytes, with quotes."""

    content: bytes
    content_type: str
    tag: str


def load_viewer(folder: Path = VIEWER) -> Mapping[str, StaticFile]:
    """Return the files below `folder` by their path in it, e.g. "ui/timeline.js".

    ENTRY is one script with all that it imports; each part begins with its name, for who reads a stack trace.
    A folder that is not there holds no files. What is too much, by number or size, is our own mistake.
    """
    found: dict[str, StaticFile] = {}
    for path in sorted(folder.rglob("*")):
        content_type = CONTENT_TYPES.get(path.suffix)
        if content_type is None or not path.is_file():
            continue
        content = path.read_bytes()
        assert len(content) <= FILE_BYTES_MAX, f"{path} has more than {FILE_BYTES_MAX} bytes"
        found[path.relative_to(folder).as_posix()] = _file(content, content_type)
    assert len(found) <= FILES_MAX, f"{folder} holds more than {FILES_MAX} files"
    if ENTRY in found:
        found[ENTRY] = _file(_whole(found), found[ENTRY].content_type)
    return found


def _file(content: bytes, content_type: str) -> StaticFile:
    return StaticFile(content, content_type, f'"{sha256(content).hexdigest()[:32]}"')


def _whole(files: Mapping[str, StaticFile]) -> bytes:
    """Return the entry as one script."""
    texts = {
        name: f"// {name}\n{file.content.decode()}" for name, file in files.items() if name.endswith(".js")
    }
    return bundle(texts, ENTRY).encode()
