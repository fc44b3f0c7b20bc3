"""Bot directories for the tests of this folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path


def make_bot(
    root: Path,
    name: str,
    files: Mapping[str, str | bytes] | Sequence[str] = (),
    config: Mapping[str, object] | None = None,
    *,
    with_config: bool = True,
) -> Path:
    """Write a bot directory below `root` and return it.

    Args:
        files: the files with their content, or the names of empty files.
        config: fields of the JSON file that differ from the usual ones.
    """
    directory = root / name
    directory.mkdir(parents=True)
    if with_config:
        entry = {"name": name, "version": "1.0", "authors": ["Ann"], **(config or {})}
        (directory / f"{name}.json").write_text(json.dumps(entry), encoding="utf-8")
    contents = files if isinstance(files, Mapping) else dict.fromkeys(files, "")
    for file_name, content in contents.items():
        data = content.encode() if isinstance(content, str) else content
        (directory / file_name).write_bytes(data)
    return directory


def make_team(root: Path, name: str, member_names: Sequence[str]) -> Path:
    """Write a team directory below `root` and return it."""
    return make_bot(root, name, config={"teamMembers": list(member_names)})
