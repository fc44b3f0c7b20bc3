"""The number of processors that this process has, by affinity and CPU quota.

`os.cpu_count()` returns the number of processors of the machine. A pinned process (`taskset`), or a process
in a container with a quota (`docker run --cpus 1`), may use fewer. If there are more parallel processes than
usable processors, they only wait for each other. Sources: sched_getaffinity(2); Linux,
Documentation/admin-guide/cgroup-v2.rst (cpu.max), and Documentation/scheduler/sched-bwc.rst
(cpu.cfs_quota_us).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

_GROUPS = Path("/proc/self/cgroup")
_MOUNT = Path("/sys/fs/cgroup")


def processors() -> float:
    """Return how many processors this process may use at the same time.

    With a quota this need not be a whole number.
    """
    if hasattr(os, "sched_getaffinity"):
        count = len(os.sched_getaffinity(0))
    else:
        count = os.cpu_count() or 1
    found = quota()
    return float(count) if found is None else min(float(count), found)


def quota(groups: Path = _GROUPS, mount: Path = _MOUNT) -> float | None:
    """Return the smallest quota of this process, in processors. None means that the process has no quota.

    The process's control groups have quotas, and so do the groups that contain them.

    Args:
        groups: the file that names the control groups of the process.
        mount: the folder in which the control groups are mounted.
    """
    try:
        lines = groups.read_text().splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    found = [value for line in lines for value in _quotas(line, mount)]
    return min(found, default=None)


def _quotas(line: str, mount: Path) -> Iterator[float]:
    """Yield the quotas of the group that a line `number:controllers:path` names, and of all groups that
    contain it.
    """
    _, _, rest = line.partition(":")
    controllers, _, path = rest.partition(":")
    if controllers and "cpu" not in controllers.split(","):
        return
    # In a container the path may be that of the host. Then the mounted folder is the group itself.
    within = [part for part in PurePosixPath(path).parts if part not in ("/", "..")]
    for root in (mount / controllers, mount / "cpu") if controllers else (mount, mount / "unified"):
        for depth in range(len(within), -1, -1):
            found = _quota_of(root.joinpath(*within[:depth]))
            if found is not None:
                yield found


def _quota_of(group: Path) -> float | None:
    """Return the quota of one control group, version 2 or 1, in processors, or None if it has none."""
    try:
        if (group / "cpu.max").exists():
            used, period = (group / "cpu.max").read_text().split()
        else:
            used = (group / "cpu.cfs_quota_us").read_text().strip()
            period = (group / "cpu.cfs_period_us").read_text().strip()
        found = int(used) / int(period)
    except (OSError, ValueError, ZeroDivisionError):
        return None  # "max" means no quota
    return found if found > 0 else None
