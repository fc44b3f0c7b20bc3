"""Every attack fails inside the sandbox and succeeds outside, so the attacks are real."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.net.sandbox import attacks
from packages.core.tests.net.sandbox.attack_trial import ATTACKS, AttackResult, SandboxTrial, try_attacks
from packages.core.tests.net.sandbox.conftest import Ordinary
from turnwright.net.processes.bot_process import BotProcesses
from turnwright.net.sandbox.cgroups import Groups

pytestmark = pytest.mark.process

WORK_OUTSIDE = (
    "read the home of the server's user",
    "read the host's /tmp",
    "read another bot's code",
    "read through a link in its own directory",
    "read the server's environment",
    "see other processes",
    "connect to other ports of this machine",
    "connect to an abstract Unix socket",
    "connect to a Unix socket in a folder",
    "send UDP",
    "find /sys and /run",
    "find devices",
    "hold memory that is not counted",
    "open netlink",
)
"""Attacks with which any program outside of a sandbox succeeds."""


def escaped(results: list[AttackResult]) -> list[AttackResult]:
    return [one for one in results if one.escaped]


def test_there_are_enough_attacks_and_each_has_one_name() -> None:
    assert len(ATTACKS) == len(set(ATTACKS)) >= 60


@pytest.mark.usefixtures("sandboxed")
def test_nothing_is_reached_from_a_sandbox() -> None:
    results = try_attacks(tuple(attacks.QUIET))
    assert len(results) == len(attacks.QUIET)
    assert escaped(results) == []


@pytest.mark.long
@pytest.mark.usefixtures("sandboxed")
def test_without_control_groups_nothing_is_reached_either() -> None:
    assert escaped(try_attacks(("become root", "fork without end"), Groups())) == []


@pytest.mark.long
@pytest.mark.usefixtures("sandboxed")
@pytest.mark.parametrize("name", list(attacks.DEADLY))
def test_an_attack_that_ends_its_sandbox_reaches_nothing_outside(name: str) -> None:
    (result,) = try_attacks((name,))
    assert not result.escaped, result


@pytest.mark.long
@pytest.mark.usefixtures("sandboxed")
@pytest.mark.parametrize("name", [name for name in attacks.DEADLY if "hold" in name or "files" in name])
def test_a_watchdog_limits_memory_where_no_control_group_does(name: str) -> None:
    (result,) = try_attacks((name,), Groups())
    assert not result.escaped, result
    assert "ended by the limit" in result.said


@pytest.fixture
def busy() -> Iterator[None]:
    """24 processes compute at the same time, with the same claim to the processors as its keepers."""
    spin = [sys.executable, "-I", "-S", "-c", "while True: pass"]
    spinners = [subprocess.Popen(spin) for _ in range(24)]
    try:
        yield
    finally:
        for one in spinners:
            one.kill()
            one.wait()


@pytest.mark.long
@pytest.mark.usefixtures("sandboxed", "busy")
@pytest.mark.skipif(os.getuid() != 0, reason="an ordinary user's keeper cannot come before other processes")
def test_many_processes_do_not_outrun_the_watchdog_of_a_busy_machine() -> None:
    (result,) = try_attacks(("hold it in many processes",), Groups())
    assert not result.escaped, result
    assert "ended by the limit" in result.said


CODE = """
import json
from packages.core.tests.net.sandbox.attack_trial import try_attacks
print(json.dumps([[one.name, one.said] for one in try_attacks({}) if one.escaped]))
"""


def test_an_ordinary_user_has_the_same_sandbox(as_nobody: Ordinary) -> None:
    done = as_nobody(CODE.format(repr(tuple(attacks.QUIET))))
    assert (json.loads(done.stdout or "null"), done.stderr) == ([], "")


@pytest.mark.long
def test_an_ordinary_users_sandbox_holds_deadly_attacks_too(as_nobody: Ordinary) -> None:
    done = as_nobody(CODE.format(repr(tuple(attacks.DEADLY))))
    assert (json.loads(done.stdout or "null"), done.stderr) == ([], "")


def test_outside_of_a_sandbox_the_attacks_succeed(tmp_path: Path) -> None:
    """Otherwise they would show nothing."""

    async def outside() -> dict[str, Any]:
        with SandboxTrial(tmp_path) as trial, socket.create_server(("127.0.0.1", 0)) as listener:
            listener.setblocking(False)
            place = tmp_path / "attacker"
            orders = trial.orders(place, WORK_OUTSIDE) | {"port": listener.getsockname()[1], "stay_s": 0}
            argv = [sys.executable, "-I", "-S", str(place / "attacks.py"), json.dumps(orders)]
            async with BotProcesses() as processes:
                attacker = await processes.start("attacker", argv, place, {"TURNWRIGHT_DECOY": trial.secret})
                return await trial.told(listener, len(WORK_OUTSIDE), attacker) | {"reached": trial.reached}

    told = asyncio.run(outside())
    reached = told.pop("reached")
    assert [name for name, (got_out, _) in told.items() if not got_out and name not in reached] == []
    assert {name for name in WORK_OUTSIDE if "connect" in name} <= reached
