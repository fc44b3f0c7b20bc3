"""Control groups that this process may make, version 2 or 1.

A bot's group limits the memory of all processes of the bot together, including the memory that the kernel
uses for them. It also limits the bot's share of the processors. Limits of single processes cannot do this.
The keeper of the bot's processes makes the group, and removes it at the end (`net.processes.guard`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_PROC_MOUNTS = Path("/proc/self/mounts")
_PROC_CGROUP = Path("/proc/self/cgroup")
_AUTOGROUP = Path("/proc/sys/kernel/sched_autogroup_enabled")
_CPU_SHARES = 1024
_CPU_WEIGHT = 100
"""A bot's group gets the same share of the processors as one ordinary process or group. It may also use all
idle time.
"""
_BUSY_PARTS = 10
"""A group that uses more than one processor gets a tenth of its usual share. With the usual share, its many
busy processes could delay another process that wakes up by some milliseconds, until the kernel's next
tick.
"""


@dataclass(frozen=True, slots=True)
class Groups:
    """The folders in which groups can be made.

    Attributes:
        version: the version of control groups, 1 or 2. 0 means that no groups can be made.
        parents: by controller, e.g. "memory" or "pids", the folder for new groups.
    """

    version: int = 0
    parents: Mapping[str, str] = ()  # type: ignore[assignment]  # empty, and of no use then

    @property
    def limit_memory(self) -> bool:
        """Whether the groups can limit memory."""
        return "memory" in self.parents

    def orders(self, name: str, memory_bytes: int, tasks: int) -> list[dict[str, object]]:
        """Return the groups to make for one bot, [] if none can be made. Each group is a folder with settings
        of the form [file, value, whether it is required].

        Args:
            name: the name of the new groups.
            tasks: the largest number of processes and threads.
        """
        settings = _SETTINGS[self.version](memory_bytes, tasks) if self.version else {}
        by_folder: dict[str, list[tuple[str, str, bool]]] = {}
        for controller, parent in dict(self.parents).items():
            by_folder.setdefault(f"{parent}/{name}", []).extend(settings[controller])
        return [{"directory": folder, "settings": rows} for folder, rows in by_folder.items()]

    def busy_order(self, name: str) -> dict[str, object] | None:
        """Return the instruction that lowers a group's share of the processors while the group uses more than
        one.

        None: this machine cannot do this.

        The instruction names two files and two shares. The file `usage` shows the processor time used, and
        the file `share` sets the share. The two shares are the usual share, and the share of a busy group.
        """
        counter = {1: "cpuacct", 2: "cpu"}.get(self.version, "")
        if not {"cpu", counter} <= set(self.parents):
            return None
        files = {1: ("cpuacct.usage", "cpu.shares", _CPU_SHARES), 2: ("cpu.stat", "cpu.weight", _CPU_WEIGHT)}
        usage, share, usual = files[self.version]
        return {
            "usage": f"{self.parents[counter]}/{name}/{usage}",
            "share": f"{self.parents['cpu']}/{name}/{share}",
            "shares": [str(usual), str(usual // _BUSY_PARTS)],
        }


_Rows = dict[str, list[tuple[str, str, bool]]]


def _settings_v1(memory_bytes: int, tasks: int) -> _Rows:
    return {
        "memory": [
            ("memory.limit_in_bytes", str(memory_bytes), True),
            ("memory.memsw.limit_in_bytes", str(memory_bytes), False),
        ],
        "pids": [("pids.max", str(tasks), True)],
        "cpu": [("cpu.shares", str(_CPU_SHARES), False)],
        "cpuacct": [],
    }


def _settings_v2(memory_bytes: int, tasks: int) -> _Rows:
    return {
        "memory": [
            ("memory.max", str(memory_bytes), True),
            ("memory.swap.max", "0", False),
            ("memory.oom.group", "1", False),
        ],
        "pids": [("pids.max", str(tasks), True)],
        "cpu": [("cpu.weight", str(_CPU_WEIGHT), False)],
    }


_USED_V1 = ("memory", "pids", "cpu", "cpuacct")
_SETTINGS = {1: _settings_v1, 2: _settings_v2}


def find_groups(mounts: Path = _PROC_MOUNTS, own: Path = _PROC_CGROUP) -> Groups:
    """Return the folders in which groups can be made now. If there are none, `version` is 0.

    Args:
        mounts, own: the files of /proc that list the mounted file systems, and the groups of this process.
    """
    try:
        mounted = [line.split() for line in mounts.read_text().splitlines()]
        places = [line.split(":", 2) for line in own.read_text().splitlines()]
    except OSError:
        return Groups()
    unified = [Path(row[1]) for row in mounted if row[2] == "cgroup2"]
    for root in unified:
        path = next((place[2] for place in places if place[0] == "0"), None)
        if path is not None and (found := _delegated(root, path)):
            return Groups(2, found)
    parents: dict[str, str] = {}
    for row in mounted:
        for place in places:
            names = place[1].split(",")
            if row[2] == "cgroup" and set(names) & set(row[3].split(",")):
                folder = f"{row[1]}{place[2]}".rstrip("/")
                if os.access(folder, os.W_OK):
                    parents |= {name: folder for name in names if name in _USED_V1}
    return Groups(1, parents) if parents else Groups()


def sessions_share(setting: Path = _AUTOGROUP) -> bool:
    """Return whether the system shares the processors among sessions, instead of among processes.

    Args:
        setting: the file with this setting. If it cannot be read, the result is False.
    """
    try:
        return setting.read_text().strip() == "1"
    except OSError:
        return False


def _delegated(root: Path, path: str) -> dict[str, str]:
    """Return the controllers that can be used for new groups, each with the folder for these groups. The
    folder is the nearest one, from the group of this process upwards, in which this process may make and
    enter groups. If there is none, return {}.
    """
    for folder in _upwards(root, path):
        try:
            controllers = (folder / "cgroup.subtree_control").read_text().split()
        except OSError:
            continue
        may_enter = os.access(folder, os.W_OK) and os.access(folder / "cgroup.procs", os.W_OK)
        if "memory" in controllers and may_enter:
            return {name: str(folder) for name in ("memory", "pids", "cpu") if name in controllers}
    return {}


def _upwards(root: Path, path: str) -> Sequence[Path]:
    own = root / path.lstrip("/")
    return [own, *(folder for folder in own.parents if folder == root or root in folder.parents)]
