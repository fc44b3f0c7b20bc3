from __future__ import annotations

import json
import socket
import sys
from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from turnwright.cli import doctor
from turnwright.cli.__main__ import main
from turnwright.cli.doctor import Check, examine
from turnwright.net.processes import guard
from turnwright.net.sandbox import level
from turnwright.net.sandbox.level import SandboxAbility


def program(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A separate PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def found(name: str, python: str | None = None) -> Check:
    return next(check for check in examine(python) if check.name == name)


@pytest.mark.process
def test_installed_runtimes_are_found_with_their_versions(folder: Path) -> None:
    program(folder, "java", 'echo "openjdk version \\"17.0.9\\" 2023-10-17" >&2')
    program(folder, "javac", "")
    program(folder, "dotnet", "echo 8.0.100")
    program(folder, "node", "echo v20.1.0")
    assert found("Java bots") == Check("Java bots", "ok", f"java 17.0.9 ({folder / 'java'})")
    dotnet, node = found(".NET bots"), found("TypeScript bots")
    assert (dotnet.state, dotnet.value) == ("ok", f"dotnet 8.0.100 ({folder / 'dotnet'})")
    assert not missing(dotnet.advice, "stand-in", "official bots")
    assert (node.state, node.value) == ("ok", f"node 20.1.0 ({folder / 'node'})")


@pytest.mark.process
def test_missing_runtimes_are_optional_and_come_with_advice(folder: Path) -> None:
    for name in ("Java bots", ".NET bots", "TypeScript bots"):
        check = found(name)
        assert (check.state, check.value) == ("optional", None)
        assert "install" in check.advice


@pytest.mark.process
def test_a_program_that_fails_is_not_there(folder: Path) -> None:
    program(folder, "dotnet", "echo 8.0.100; exit 1")
    assert found(".NET bots").state == "optional"


@pytest.mark.process
@pytest.mark.parametrize(("version", "plays"), [("v20.20.2", False), ("v22.17.1", False), ("v22.18.0", True)])
def test_a_node_in_which_official_bots_stay_silent_is_reported(
    folder: Path, version: str, plays: bool
) -> None:
    program(folder, "node", f"echo {version}")
    advice = found("TypeScript bots").advice
    assert bool(advice) is not plays
    assert plays or not missing(advice, "official bots", "tsx", "Node 22.18")


@pytest.mark.parametrize(
    ("options", "slow"),
    [
        ("'--prefix=/home/me' '--enable-shared'", True),
        ("'--prefix=/usr/local' '--with-lto'", True),
        ("'--prefix=/home/me' '--enable-optimizations'", False),
        ("'--prefix=/usr' '--enable-shared'", False),
        (None, False),
    ],
)
def test_a_python_built_without_optimisations_is_reported(
    monkeypatch: pytest.MonkeyPatch, options: str | None, slow: bool
) -> None:
    monkeypatch.setattr(doctor.sysconfig, "get_config_var", lambda name: options)
    checks = [check for check in examine() if check.name == "build of Python"]
    assert [check.state for check in checks] == ["optional"] * slow
    assert not checks or not missing(checks[0].advice, "--enable-optimizations")


def test_a_java_without_its_compiler_is_reported(folder: Path) -> None:
    program(folder, "java", "echo openjdk 17.0.9")
    assert "need a JDK" in found("Java bots").advice


@pytest.mark.process
def test_doctor_examines_the_chosen_python(folder: Path) -> None:
    program(folder, "python", 'test "$1" = --version && echo Python 3.12.0')
    assert found("python bots").value == f"3.12.0 ({folder / 'python'})"
    assert found("its official bot API").state == "optional"
    assert found("its turnwright library", sys.executable).state == "ok"
    assert found("python bots", "nowhere").state == "missing"


@pytest.mark.process
def test_the_speed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "why_interpreted", lambda: "there is no compiler")
    assert (found("rules").value, found("rules").advice) == ("interpreted", "there is no compiler")
    monkeypatch.setattr(doctor, "why_interpreted", lambda: "")
    assert found("rules").value == "compiled"


@pytest.mark.process
def test_a_taken_port_is_only_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setattr(doctor, "DEFAULT_PORT", port)
        check = found(f"port {port}")
    assert check.state == "optional"
    assert "--port" in check.advice
    assert found(f"port {port}").state == "ok"


@pytest.mark.process
def test_the_command_prints_text_or_json_with_exit_code_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "ok  turnwright" in out
    assert main(["doctor", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert list(data) == ["version", "checks"]
    assert all(list(check) == ["name", "state", "value", "advice"] for check in data["checks"])


def test_doctor_says_which_processes_end_with_a_battle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "reaches_orphans", lambda: True)
    assert (one := found("ending bots")).state == "ok"
    assert "all that they started" in str(one.value)
    monkeypatch.setattr(guard, "reaches_orphans", lambda: False)
    assert (one := found("ending bots")).state == "optional"
    assert "may survive" in one.advice


def test_doctor_says_how_to_get_a_missing_sandbox(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    none = SandboxAbility("none", "bubblewrap is not installed", "apt-get install bubblewrap")
    monkeypatch.setattr(level, "ability", lambda: none)
    assert main(["doctor", "--sandbox", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["level"], told["cure"], told["escaped"]) == ("none", "apt-get install bubblewrap", [])
    check = found("sandbox")
    assert (check.state, check.advice) == ("optional", "apt-get install bubblewrap")


def test_doctor_names_escapes_from_the_sandbox_and_exits_with_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    leaks = SandboxAbility(
        "none", "a program in a sandbox reads files", "see there", escaped=("reads files",)
    )
    monkeypatch.setattr(level, "ability", lambda: leaks)
    assert main(["doctor", "--sandbox"]) == 1
    assert "reads files" in capsys.readouterr().out
    assert main(["doctor", "--sandbox", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["escaped"] == ["reads files"]


def test_a_sandbox_that_holds_ends_with_exit_code_0(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(level, "ability", lambda: SandboxAbility("full", memory="watchdog"))
    assert main(["doctor", "--sandbox"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("sandbox: full")
    assert not missing(lines[1], "read", "write", "connect", "processes")
    assert found("sandbox").state == "ok"
