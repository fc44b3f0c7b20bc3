"""Attacks that begin at the upload: nothing runs outside of a sandbox."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from packages.core.tests.net.sandbox import upload_attacks
from packages.core.tests.net.sandbox.conftest import Ordinary
from packages.core.tests.net.sandbox.upload_attacks import ATTACKS, SECRET, Place, prepared, thief, write

KINDS = sorted({name.split(":")[0] for name in ATTACKS})
AS_A_PROGRAM = f"{Path(upload_attacks.__file__).read_text()}"
"""The attacks as another user runs them, without these tests."""


def test_there_are_more_than_a_hundred_of_every_kind() -> None:
    assert len(ATTACKS) > 100
    assert {"environment", "first line", "JSON", "link", "name", "beside it", "module"} <= set(KINDS)


@pytest.mark.process
@pytest.mark.parametrize("kind", KINDS)
def test_no_program_of_a_bot_runs_and_nothing_of_the_operators_is_shown(kind: str, tmp_path: Path) -> None:
    of_kind = [(name, attack) for name, attack in ATTACKS.items() if name.startswith(f"{kind}:")]
    tried = {name: prepared(attack, Place(tmp_path / str(at))) for at, (name, attack) in enumerate(of_kind)}
    assert {name: how for name, how in tried.items() if how} == {}


@pytest.mark.process
def test_a_thief_outside_of_a_sandbox_has_its_trophy_and_the_secret(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.set_up()
    said = subprocess.run(
        [write(tmp_path / "thief", thief(place))], capture_output=True, text=True, check=True
    )
    assert place.trophy.exists()
    assert SECRET in said.stderr


def escaped(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["attacks"] == len(ATTACKS)
    return dict(told["escaped"])


@pytest.mark.process
@pytest.mark.long
@pytest.mark.usefixtures("sandboxed")
def test_no_upload_escapes_from_this_users_sandbox() -> None:
    run = [sys.executable, "-c", AS_A_PROGRAM]
    assert escaped(subprocess.run(run, capture_output=True, text=True, cwd="/", check=False)) == {}


@pytest.mark.process
@pytest.mark.long
def test_no_upload_escapes_from_an_ordinary_users_sandbox(as_nobody: Ordinary) -> None:
    assert escaped(as_nobody(AS_A_PROGRAM)) == {}
