from __future__ import annotations

import sys
from pathlib import Path

import pytest

from turnwright.net.participants.installation import find_program, links_to, python_files


def python_in(prefix: Path) -> Path:
    """Make a folder that looks like an installed Python 3.12."""
    (prefix / "bin").mkdir(parents=True)
    (prefix / "lib/python3.12/site-packages").mkdir(parents=True)
    program = prefix / "bin/python3.12"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    return program


def test_our_own_python_finds_our_library() -> None:
    files = python_files(sys.executable)
    assert any((Path(folder) / "turnwright/client.py").is_file() for folder in files.packages)
    assert {sys.prefix, sys.base_prefix} <= set(files.prefixes)


def test_a_virtual_environment_has_the_files_of_the_python_below(tmp_path: Path) -> None:
    base, environment, source = python_in(tmp_path / "base"), tmp_path / "venv", tmp_path / "source"
    packages = environment / "lib/python3.12/site-packages"
    for folder in (environment / "bin", packages, source):
        folder.mkdir(parents=True)
    (environment / "pyvenv.cfg").write_text(f"home = {base.parent}\n")
    (packages / "one.pth").write_text(f"import os\n{source}\n{tmp_path}/gone\nrelative\n")
    program = environment / "bin/python"
    program.symlink_to(base)
    files = python_files(str(program))
    assert files.program == str(program)
    assert files.links == (str(program),)
    assert files.prefixes == (str(environment), str(tmp_path / "base"))
    assert set(files.packages) == {
        str(packages),
        str(source),
        str(tmp_path / "base/lib/python3.12/site-packages"),
    }


@pytest.mark.parametrize("version", ["3.12.1", "3.12.1\n3.11.0", "system", ""])
def test_a_shim_is_resolved_to_the_version_that_its_manager_has_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    monkeypatch.delenv("PYENV_VERSION", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}/shims:{tmp_path}/usr/bin")
    system, chosen = (python_in(tmp_path / prefix) for prefix in ("usr", "versions/3.12.1"))
    (tmp_path / "version").write_text(version)
    (tmp_path / "shims").mkdir()
    shim = tmp_path / "shims/python3.12"
    shim.write_text("#!/bin/sh\n")
    shim.chmod(0o755)
    assert python_files(str(shim)).program == str(chosen if version.startswith("3") else system)


def test_a_circle_of_links_ends(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert len(links_to(str(tmp_path / "a"))) == 8
    assert python_files(str(tmp_path / "a")).packages == ()


def test_relative_folders_of_the_path_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = python_in(tmp_path / "bot")
    monkeypatch.chdir(program.parent)
    monkeypatch.setenv("PATH", f".::{tmp_path}/none")
    assert find_program("python3.12") is None
    monkeypatch.setenv("PATH", f".:{program.parent}")
    assert find_program("python3.12") == str(program)
