"""The sandbox for untrusted bots: bubblewrap, a filter of system calls, and limits."""

from __future__ import annotations

from typing import Literal

SandboxLevel = Literal["none", "full"]
""""full": each bot directory plays in its own sandbox. "none": it has the rights of its user."""
SandboxChoice = Literal["none", "auto", "full"]
"""A wish; auto: the best level that the machine gives."""
