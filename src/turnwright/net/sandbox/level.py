"""Levels of a sandbox: the best that this machine gives, found by trying it.

    full    each bot in a box of its own: see `net.sandbox.box`
    none    a bot is a process of its user, as any other program

`level_of` turns what was asked for into a level, and never into a weaker one than was asked for.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import platform
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from turnwright.errors import SetupError, TurnwrightError
from turnwright.net.processes.bot_process import BotProcesses
from turnwright.net.sandbox import SandboxChoice, SandboxLevel, seccomp
from turnwright.net.sandbox.box import BoxLimits, find_bwrap, python_of_ours
from turnwright.net.sandbox.boxes import Boxes
from turnwright.net.sandbox.cgroups import Groups, find_groups

BWRAP_LEAST = (0, 8)
"""The first bubblewrap that limits the size of /tmp and shuts off further user namespaces."""
_KERNEL_LEAST = (5, 14)
"""The first Linux that counts processes by user namespace."""
_ASK_TIMEOUT_S = 10.0
_PROBE = """
import json, os
rows = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
print(json.dumps([rows["Seccomp"].strip(), rows["NoNewPrivs"].strip(), os.getuid()]), flush=True)
"""
_NAMESPACES = re.compile(
    r"namespace|uid map|RTM_NEW|Operation not permitted|Permission denied", re.IGNORECASE
)
_ALLOW_NAMESPACES = (
    "allow user namespaces (Ubuntu: load the AppArmor profile bwrap-userns-restrict; Debian: sysctl"
    " kernel.unprivileged_userns_clone=1), and run outside of a container that forbids them"
)


@dataclass(frozen=True, slots=True)
class SandboxAbility:
    """The best level of a machine.

    cause: why it is not full; cure: what to do; memory: who limits it.
    """

    level: SandboxLevel
    cause: str = ""
    cure: str = ""
    memory: Literal["", "control group", "watchdog"] = ""

    @property
    def words(self) -> str:
        """One line that says it."""
        if self.level == "full":
            return f"full (memory limited by a {self.memory})"
        return f"none: {self.cause}: {self.cure}"


def ability() -> SandboxAbility:
    """Return the best level of this machine; the first call starts a box."""
    return _ability(os.environ.get("PATH", ""))


@cache
def _ability(_path: str) -> SandboxAbility:
    return examine_machine(find_groups())


def best_level() -> SandboxLevel:
    """Return the best level of this machine."""
    return ability().level


def level_of(choice: SandboxChoice, notice: Callable[[str], None] | None = None) -> SandboxLevel:
    """Return the level for what was asked for.

    notice: told when "auto" comes to no sandbox. Raises: SetupError, with cause and cure, when "full" cannot
    be had.
    """
    if choice == "none":
        return "none"
    found = ability()
    if found.level == "full":
        return "full"
    if choice == "full":
        raise SetupError(f"sandbox full is not available here: {found.cause}: {found.cure}")
    if notice is not None:
        notice(f"the bots play without a sandbox: {found.cause}: {found.cure}")
    return "none"


def examine_machine(groups: Groups) -> SandboxAbility:
    """Return the best level, where groups are control groups that can be made."""
    if not sys.platform.startswith("linux"):
        return SandboxAbility("none", "boxes need Linux", "use a virtual machine")
    if not seccomp.is_known():
        why = f"there is no filter of system calls for {platform.machine()}"
        return SandboxAbility("none", why, "use x86-64 or ARM64, or a virtual machine")
    bwrap = find_bwrap()
    if bwrap is None:
        return SandboxAbility("none", "bubblewrap is not installed", "apt-get install bubblewrap")
    version = _version_of(bwrap)
    if version < BWRAP_LEAST:
        shown, least = (".".join(map(str, one)) for one in (version, BWRAP_LEAST))
        return SandboxAbility("none", f"bubblewrap is {shown}", f"install {least} or newer")
    if os.getuid() != 0 and "pids" not in groups.parents and _kernel() < _KERNEL_LEAST:
        why = f"Linux {platform.release()} counts all processes of a user together"
        return SandboxAbility("none", why, "use Linux 5.14 or newer, or run as root")
    failure = _tried(groups)
    if failure is not None:
        cure = _ALLOW_NAMESPACES if _NAMESPACES.search(failure) else "see docs/explanation/sandbox.md"
        return SandboxAbility("none", failure, cure)
    return SandboxAbility("full", memory="control group" if groups.limit_memory else "watchdog")


def _version_of(bwrap: str) -> tuple[int, ...]:
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        said = subprocess.run(
            [bwrap, "--version"], capture_output=True, text=True, timeout=_ASK_TIMEOUT_S, check=True
        ).stdout
        return tuple(map(int, re.findall(r"\d+", said)[:3]))
    return (0,)


def _kernel() -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", platform.release())[:2]))


def _tried(groups: Groups) -> str | None:
    """Start a box; return why that cannot be, or None. Works within an event loop, too."""
    with ThreadPoolExecutor(1) as pool:
        try:
            return pool.submit(asyncio.run, _try(groups)).result()
        except TurnwrightError as error:
            return str(error).removeprefix("the trial did not start: ")


async def _try(groups: Groups) -> str | None:
    async def drop(bound: socket.socket, _name: str) -> Callable[[], None]:
        return bound.close

    with tempfile.TemporaryDirectory(prefix="turnwright-box-") as folder:
        directory = Path(folder)
        directory.chmod(0o755)
        boxes = Boxes(drop, limits=BoxLimits(), groups=groups)
        argv = [python_of_ours(), "-I", "-S", "-c", _PROBE]
        async with BotProcesses() as processes:
            boxed = await boxes.start(processes, "the trial", argv, directory, {})
            await boxed.process.exited.wait()
            await boxed.process.settle()
            said = boxed.process.last_lines()
    try:
        filtered, sealed, user = json.loads(said[-1])
    except (IndexError, ValueError):
        return f"a program in a box failed: {said[-1] if said else boxed.process.exit_text()}"
    if (filtered, sealed) != ("2", "1") or user == 0:
        return "a program in a box had rights that it must not have"
    return None
