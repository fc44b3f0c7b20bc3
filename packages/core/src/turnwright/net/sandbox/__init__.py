"""The sandbox for untrusted bots. It consists of bubblewrap, a filter of system calls, and limits."""

from __future__ import annotations

from typing import Literal

SandboxLevel = Literal["none", "full"]
"""With "full", each bot of a directory runs in its own sandbox. With "none", a bot runs without a sandbox,
with the rights of the user that started the server.
"""
SandboxChoice = Literal["none", "auto", "full"]
"""The level that a user requests. "auto" is the best level that the machine supports."""
