"""Levels of the sandbox. The best level of this machine is found by trying it.

    full    each bot runs in its own sandbox (see `net.sandbox.bubblewrap`)
    none    a bot is an ordinary process of the user that runs the server

`level_of` turns a request into a level. The level is never weaker than requested.
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
from turnwright.net.sandbox.bubblewrap import SandboxLimits, find_bwrap, python_of_ours
from turnwright.net.sandbox.cgroups import Groups, find_groups
from turnwright.net.sandbox.sandboxes import Sandboxes

BWRAP_LEAST = (0, 8)
"""The first version of bubblewrap that can limit the size of /tmp and prevent further user namespaces."""
_KERNEL_LEAST = (5, 14)
"""The first version of Linux that counts processes separately for each user namespace."""
_ASK_TIMEOUT_S = 10.0
PROBE = """
import json, os, socket, sys
given = json.loads(sys.argv[1])
def has_rights():
    rows = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
    return os.getuid() == 0 or (rows["Seccomp"].strip(), rows["NoNewPrivs"].strip()) != ("2", "1")
def began(pid):
    return open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[19]
tries = {
    "has rights": has_rights,
    "reads files": lambda: open(given["secret"]),
    "writes files": lambda: open(given["new"], "w"),
    "connects to ports": lambda: socket.create_connection(("127.0.0.1", given["port"]), 1),
    "sees processes": lambda: began(given["pid"]) == given["began"],
}
escaped = []
for name, attempt in tries.items():
    try:
        escaped += [name] if attempt() else []
    except OSError:
        pass
print(json.dumps(escaped), flush=True)
"""
"""A test program. It tries the actions that a sandbox must prevent, and prints the actions that succeeded.
See `probe_orders`.
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
    """The best sandbox level of a machine.

    Attributes:
        cause: why the level is not "full", or "".
        cure: what the operator can do about the cause.
        memory: the part of the system that limits the memory of bots, "" if the level is not "full".
        escaped: the forbidden actions that succeeded in a sandbox.
    """

    level: SandboxLevel
    cause: str = ""
    cure: str = ""
    memory: Literal["", "control group", "watchdog"] = ""
    escaped: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The level as one line of text."""
        if self.level == "full":
            return f"full (memory limited by a {self.memory})"
        return f"none: {self.cause}: {self.cure}"


def ability() -> SandboxAbility:
    """Return the best level of this machine. The first call, and the first call after a change of PATH, may
    start a sandbox and wait for it.
    """
    return _ability(os.environ.get("PATH", ""))


@cache
def _ability(_path: str) -> SandboxAbility:
    return examine_machine(find_groups())


def level_of(choice: SandboxChoice, notice: Callable[[str], None] | None = None) -> SandboxLevel:
    """Return the level for a request. Unless that is "none", the call may start a sandbox (see `ability`).

    Args:
        notice: called with a text if "auto" finds that no sandbox is available.

    Raises:
        SetupError: "full" is not available. The message names the cause and the remedy.
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
    """Try a sandbox with these control groups, and return the best level of this machine."""
    if not sys.platform.startswith("linux"):
        return SandboxAbility("none", "the sandbox needs Linux", "use a virtual machine")
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
    escaped, failure = _tried(groups)
    if failure:
        cure = _ALLOW_NAMESPACES if _NAMESPACES.search(failure) else "see 'Sandbox' in `turnwright docs`"
        return SandboxAbility("none", failure, cure, escaped=escaped)
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


def _tried(groups: Groups) -> tuple[tuple[str, ...], str]:
    """Start a sandbox with the test program. Return the forbidden actions that succeeded, and the reason why
    the sandbox does not work. "" means that it works.

    This also works within an event loop.
    """
    with ThreadPoolExecutor(1) as pool:
        try:
            return pool.submit(asyncio.run, _try(groups)).result()
        except TurnwrightError as error:
            return (), str(error).removeprefix("the check did not start: ")


def probe_orders(folder: Path, port: int) -> str:
    """Return the targets for `PROBE`, as JSON. They are the file `secret` in `folder`, a new file in its
    folder `bot`, the port `port`, and this process.
    """
    began = Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19]
    places = {"secret": str(folder / "secret"), "new": str(folder / "bot" / "new")}
    return json.dumps({**places, "port": port, "pid": os.getpid(), "began": began})


async def _try(groups: Groups) -> tuple[tuple[str, ...], str]:
    async def drop(bound: socket.socket, _name: str) -> Callable[[], None]:
        return bound.close

    with (
        tempfile.TemporaryDirectory(prefix="turnwright-box-") as name,
        socket.create_server(("127.0.0.1", 0)) as decoy,
    ):
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "bot").mkdir()
        (folder / "secret").touch()
        sandboxes = Sandboxes(drop, limits=SandboxLimits(), groups=groups)
        orders = probe_orders(folder, decoy.getsockname()[1])
        argv = [python_of_ours(), "-I", "-S", "-c", PROBE, orders]
        async with BotProcesses() as processes:
            sandboxed = await sandboxes.start(processes, "the check", argv, folder / "bot", {})
            await sandboxed.process.exited.wait()
            await sandboxed.process.output.settle()
            said = sandboxed.process.output.last_lines()
    try:
        escaped = tuple(map(str, json.loads(said[-1])))
    except (IndexError, ValueError):
        return (), f"a program in the sandbox failed: {said[-1] if said else sandboxed.process.exit_text()}"
    return escaped, f"a program in a sandbox {', '.join(escaped)}" if escaped else ""
