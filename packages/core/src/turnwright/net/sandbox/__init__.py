"""The sandbox for untrusted bots: bubblewrap, a filter of system calls, and limits."""

from __future__ import annotations

from typing import Literal

SandboxLevel = Literal["none", "full"]
"""With "full" each bot directory runs in its own sandbox. With "none" it has the rights of its user."""
SandboxChoice = Literal["none", "auto", "full"]
"""The requested level. "auto" is the best level that the machine supports."""
