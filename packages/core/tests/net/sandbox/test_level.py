from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from turnwright.errors import SetupError
from turnwright.net.sandbox import level, seccomp
from turnwright.net.sandbox.cgroups import Groups, find_groups
from turnwright.net.sandbox.level import (
    PROBE,
    SandboxAbility,
    examine_machine,
    level_of,
    probe_orders,
)


def bwrap(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "bwrap"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def as_if(monkeypatch: pytest.MonkeyPatch, found: SandboxAbility) -> None:
    monkeypatch.setattr(level, "ability", lambda: found)


NONE = SandboxAbility("none", "bubblewrap is not installed", "apt-get install bubblewrap")


def test_a_requested_level_is_provided_or_refused_with_cause_and_cure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    as_if(monkeypatch, NONE)
    assert level_of("none") == "none"
    with pytest.raises(SetupError) as raised:
        level_of("full")
    assert not missing(str(raised.value), "sandbox full", "not installed", "apt-get install bubblewrap")
    as_if(monkeypatch, SandboxAbility("full", memory="watchdog"))
    assert level_of("full") == level_of("auto") == "full"
    assert level_of("none") == "none"


def test_auto_that_finds_no_sandbox_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    as_if(monkeypatch, NONE)
    told: list[str] = []
    assert level_of("auto", told.append) == "none"
    (line,) = told
    assert not missing(line, "without a sandbox", "not installed", "apt-get install bubblewrap")


def test_a_machine_without_bubblewrap_gets_the_command_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    words = examine_machine(Groups()).words
    assert not missing(words, "none", "not installed", "apt-get install bubblewrap")


@pytest.mark.process
def test_an_old_bubblewrap_is_not_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bwrap(tmp_path, "echo bubblewrap 0.6.1", monkeypatch)
    assert not missing(examine_machine(Groups()).words, "bubblewrap is 0.6.1", "0.8")


@pytest.mark.process
def test_a_machine_that_forbids_namespaces_gets_advice_to_allow_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = (
        'test "$1" = --version && echo bubblewrap 0.9.0 && exit\n'
        "echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1"
    )
    bwrap(tmp_path, script, monkeypatch)
    found = examine_machine(Groups())
    assert found.level == "none"
    assert not missing(found.cause, "uid map", "Permission denied")
    assert "allow user namespaces" in found.cure


def test_an_unknown_architecture_or_an_old_kernel_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seccomp, "is_known", lambda: False)
    assert not missing(examine_machine(Groups()).cause, "filter", "system calls")
    monkeypatch.undo()
    monkeypatch.setattr(level, "_kernel", lambda: (5, 10))
    monkeypatch.setattr(level, "find_bwrap", lambda: "bwrap")
    monkeypatch.setattr(level, "_version_of", lambda _bwrap: (0, 9))
    monkeypatch.setattr("os.getuid", lambda: 1000)
    assert not missing(examine_machine(Groups()).cause, "processes of a user")


@pytest.mark.process
def test_outside_of_a_sandbox_every_tried_action_succeeds(tmp_path: Path) -> None:
    (tmp_path / "bot").mkdir()
    (tmp_path / "secret").touch()
    with socket.create_server(("127.0.0.1", 0)) as decoy:
        orders = probe_orders(tmp_path, decoy.getsockname()[1])
        argv = [sys.executable, "-I", "-S", "-c", PROBE, orders]
        done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=True)
    words = " ".join(json.loads(done.stdout))
    assert not missing(words, "rights", "reads", "writes", "connects", "sees")


@pytest.mark.process
@pytest.mark.usefixtures("sandboxed")
def test_a_sandbox_that_shows_the_machine_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(level, "PROBE", "print('[\"reads files\"]')")
    found = examine_machine(Groups())
    assert (found.level, found.escaped) == ("none", ("reads files",))
    assert "reads files" in found.cause


@pytest.mark.process
@pytest.mark.usefixtures("sandboxed")
@pytest.mark.parametrize("groups", [find_groups(), Groups()], ids=["groups", "watchdog"])
def test_a_sandbox_is_made_for_trial(groups: Groups) -> None:
    found = examine_machine(groups)
    assert (found.level, found.escaped) == ("full", ())
    assert found.memory == ("control group" if groups.limit_memory else "watchdog")
