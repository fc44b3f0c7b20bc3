"""The files of the browser viewer, read once: what is not in this list when a server starts is not served."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

__all__ = ["CONTENT_TYPES", "FILES_MAX", "FILE_BYTES_MAX", "VIEWER", "StaticFile", "load_viewer"]

VIEWER = Path(__file__).parents[1] / "viewer"
"""Where the package has them."""
FILES_MAX = 200
FILE_BYTES_MAX = 2 << 20
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

    A folder that is not there holds no files. What is too much, by number or size, is our own mistake.
    """
    found: dict[str, StaticFile] = {}
    for path in sorted(folder.rglob("*")):
        content_type = CONTENT_TYPES.get(path.suffix)
        if content_type is None or not path.is_file():
            continue
        content = path.read_bytes()
        assert len(content) <= FILE_BYTES_MAX, f"{path} has more than {FILE_BYTES_MAX} bytes"
        tag = f'"{sha256(content).hexdigest()[:32]}"'
        found[path.relative_to(folder).as_posix()] = StaticFile(content, content_type, tag)
    assert len(found) <= FILES_MAX, f"{folder} holds more than {FILES_MAX} files"
    return found
