"""Processors of a process: those it is pinned to, and quotas of its groups."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from turnwright.net.processes import processors
from turnwright.net.processes.processors import quota


def tree(folder: Path, groups: str, files: dict[str, str]) -> tuple[Path, Path]:
    """Write control groups; return the file that names those of a process, and the folder of all groups."""
    (folder / "cgroup").write_text(groups)
    for name, text in files.items():
        (folder / "fs" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "fs" / name).write_text(text)
    return folder / "cgroup", folder / "fs"


@pytest.mark.parametrize(
    ("groups", "files", "wanted"),
    [
        ("0::/\n", {"cpu.max": "max 100000\n"}, None),
        ("0::/\n", {"cpu.max": "150000 100000\n"}, 1.5),
        ("0::/a/b\n", {"a/b/cpu.max": "max 100000", "a/cpu.max": "50000 100000"}, 0.5),
        ("0::/a/b\n", {"a/b/cpu.max": "100000 100000", "a/cpu.max": "400000 100000"}, 1.0),
        ("0::/host/path\n", {"cpu.max": "200000 100000\n"}, 2.0),
        ("0::/../..\n", {"cpu.max": "200000 100000\n"}, 2.0),
        ("0::/a\n", {"unified/a/cpu.max": "300000 100000\n"}, 3.0),
        ("4:cpu,cpuacct:/a\n", {"cpu,cpuacct/a/cpu.cfs_quota_us": "-1"}, None),
        (
            "5:memory:/m\n4:cpu,cpuacct:/a\n0::/\n",
            {"cpu,cpuacct/a/cpu.cfs_quota_us": "250000\n", "cpu,cpuacct/a/cpu.cfs_period_us": "100000\n"},
            2.5,
        ),
        ("1:cpu:/\n", {"cpu/cpu.cfs_quota_us": "100000", "cpu/cpu.cfs_period_us": "100000"}, 1.0),
        ("5:cpuset:/a\n", {"cpuset/a/cpu.max": "100000 100000"}, None),
        ("nonsense", {}, None),
        ("0::/\n", {"cpu.max": "nonsense"}, None),
        ("0::/\n", {"cpu.max": "0 0"}, None),
    ],
)
def test_a_quota_is_that_of_the_tightest_group(
    tmp_path: Path, groups: str, files: dict[str, str], wanted: float | None
) -> None:
    assert quota(*tree(tmp_path, groups, files)) == wanted


def test_without_control_groups_there_is_no_quota(tmp_path: Path) -> None:
    assert quota(tmp_path / "none", tmp_path) is None


def test_a_pinned_process_counts_only_its_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {3, 5}, raising=False)
    monkeypatch.setattr(processors, "quota", lambda: None)
    assert processors.processors() == 2.0
    monkeypatch.setattr(processors, "quota", lambda: 1.5)
    assert processors.processors() == 1.5
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(processors, "quota", lambda: None)
    assert processors.processors() == 64.0
