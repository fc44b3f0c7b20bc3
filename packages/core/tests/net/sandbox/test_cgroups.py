from __future__ import annotations

from pathlib import Path

import pytest

from turnwright.net.sandbox.cgroups import Groups, find_groups, sessions_share


def system(folder: Path, mounts: str, own: str) -> tuple[Path, Path]:
    """Write the files of /proc; ROOT in them is replaced by the folder."""
    files = folder / "mounts", folder / "cgroup"
    for file, text in zip(files, (mounts, own), strict=True):
        file.write_text(text.replace("ROOT", str(folder)))
    return files


def made(folder: Path, *names: str, controllers: str = "") -> None:
    for name in names:
        (folder / name).mkdir(parents=True)
        (folder / name / "cgroup.subtree_control").write_text(controllers)
        (folder / name / "cgroup.procs").write_text("")


def test_version_2_is_used_where_a_folder_above_is_delegated(tmp_path: Path) -> None:
    made(tmp_path, "v2", "v2/user", controllers="")
    (tmp_path / "v2/user/cgroup.subtree_control").write_text("cpu memory pids")
    made(tmp_path, "v2/user/own")
    files = system(tmp_path, "cgroup2 ROOT/v2 cgroup2 rw 0 0\n", "0::/user/own\n")
    found = find_groups(*files)
    assert found == Groups(2, dict.fromkeys(("memory", "pids", "cpu"), str(tmp_path / "v2" / "user")))
    (group,) = found.orders("turnwright-a.1", 1 << 20, 64)
    assert group["directory"] == str(tmp_path / "v2" / "user" / "turnwright-a.1")
    assert ("memory.max", str(1 << 20), True) in group["settings"]  # type: ignore[operator]
    assert ("pids.max", "64", True) in group["settings"]  # type: ignore[operator]


def test_version_2_without_the_memory_controller_is_of_no_use(tmp_path: Path) -> None:
    made(tmp_path, "v2", "v2/own", controllers="hugetlb")
    files = system(tmp_path, "cgroup2 ROOT/v2 cgroup2 rw 0 0\n", "0::/own\n")
    assert find_groups(*files) == Groups()
    assert not Groups().limit_memory
    assert Groups().orders("x", 1, 1) == []


def test_version_1_has_a_folder_for_each_controller(tmp_path: Path) -> None:
    made(tmp_path, "memory/here", "pids", "cpu")
    mounts = "".join(f"cgroup ROOT/{one} cgroup rw,relatime,{one} 0 0\n" for one in ("memory", "pids", "cpu"))
    files = system(tmp_path, mounts, "3:memory:/here\n2:pids:/\n1:cpu:/gone\n0::/\n")
    found = find_groups(*files)
    assert found.version == 1
    assert found.parents == {"memory": str(tmp_path / "memory" / "here"), "pids": str(tmp_path / "pids")}
    folders = [group["directory"] for group in found.orders("n", 1, 1)]
    assert folders == [f"{tmp_path}/memory/here/n", f"{tmp_path}/pids/n"]


@pytest.mark.parametrize("text", ["", "tmpfs / tmpfs rw 0 0\n"])
def test_a_machine_without_control_groups_has_none(tmp_path: Path, text: str) -> None:
    assert find_groups(*system(tmp_path, text, "0::/\n")) == Groups()
    assert find_groups(tmp_path / "gone", tmp_path / "gone") == Groups()


@pytest.mark.parametrize(("text", "shared"), [("1\n", True), ("0\n", False), (None, False)])
def test_shared_processors_of_sessions_are_read_from_the_kernel(
    tmp_path: Path, text: str | None, shared: bool
) -> None:
    setting = tmp_path / "sched_autogroup_enabled"
    if text is not None:
        setting.write_text(text)
    assert sessions_share(setting) is shared


def test_a_group_has_a_busy_order_if_its_processor_time_is_known(tmp_path: Path) -> None:
    names = ("memory", "pids", "cpu", "cpuacct")
    made(tmp_path, *names)
    mounts = "".join(f"cgroup ROOT/{one} cgroup rw,relatime,{one} 0 0\n" for one in names)
    files = system(tmp_path, mounts, "".join(f"1:{one}:/\n" for one in names))
    assert find_groups(*files).busy_order("n") == {
        "usage": f"{tmp_path}/cpuacct/n/cpuacct.usage",
        "share": f"{tmp_path}/cpu/n/cpu.shares",
        "shares": ["1024", "102"],
    }
    assert Groups(2, {"memory": "/g", "cpu": "/g"}).busy_order("n") == {
        "usage": "/g/n/cpu.stat",
        "share": "/g/n/cpu.weight",
        "shares": ["100", "10"],
    }
    assert Groups(1, {"memory": "/m", "cpu": "/c"}).busy_order("n") is None
    assert Groups(2, {"memory": "/g"}).busy_order("n") is None
    assert Groups().busy_order("n") is None
