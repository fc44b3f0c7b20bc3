"""Commands on a disk without room."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from turnwright.errors import EXIT_OK

NO_ROOM = "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"
RUN = "runpy.run_module('turnwright.cli', run_name='__main__')"


def on_a_full_disk(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command, in a folder, that cannot write a byte to any file."""
    return subprocess.run(
        [sys.executable, "-c", f"{NO_ROOM}; {RUN}", *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )


def check_on_a_full_disk(tmp_path: Path, record: bytes, words: str, code: int) -> None:
    """Run a command next to older files and a record, duel.twr. Check that it changes no file and leaves
    no part of a new one.
    """
    (tmp_path / "duel.twr").write_bytes(record)
    for suffix in ("txt", "jsonl", "battle.gz", "battle", "html", "twr"):
        (tmp_path / f"older.{suffix}").write_bytes(b"older")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    done = on_a_full_disk(tmp_path, *words.split())
    assert "internal error" not in done.stderr
    assert done.returncode == code, done.stderr
    files = {
        path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size
    }
    assert files == before
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    if code != EXIT_OK:
        assert done.stderr.strip()
