"""Whether a process is alive: an ended process keeps its number until its parent has waited for it."""

from __future__ import annotations

from pathlib import Path


def is_alive(pid: int) -> bool:
    """Return whether a process exists and has not ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return False
    # "12 (name, which may hold anything) S parent …": Z has ended and waits for its parent, X is nearly gone
    return stat.rpartition(b")")[2].split()[0] not in (b"Z", b"X")
