"""The server answers every scenario as the official server did, to 1e-9.

`scenarios/` holds what the official server 1.1.0 answered. `unstable.txt` names those that it does not answer
the same twice; `known.txt` those in which we differ on purpose, and in what: all else is compared there too.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from packages.tank.tests.conformance.allowances import ALLOWANCES
from packages.tank.tests.conformance.compare import differences, load_official
from packages.tank.tests.conformance.scenarios import SCENARIOS, load
from packages.tank.tests.conformance.serving import SERVE, play_on

pytestmark = [pytest.mark.process, pytest.mark.long]

HERE = Path(__file__).parent


def names_in(file: str) -> dict[str, str]:
    """Return the scenarios named in a file, with the reason after #."""
    lines = (HERE / file).read_text(encoding="utf-8").splitlines()
    pairs = (line.partition("#") for line in lines if line.split("#")[0].strip())
    return {name.strip(): reason.strip() for name, _, reason in pairs}


UNSTABLE, KNOWN = names_in("unstable.txt"), names_in("known.txt")
NAMES = sorted(folder.name for folder in SCENARIOS.iterdir() if folder.name not in UNSTABLE)


def check(name: str, log: Path) -> list[str]:
    """Play a scenario on a new server and return the differences from the official answers."""
    scenario = load(name)
    ours = play_on(os.environ.get("TURNWRIGHT_CONFORMANCE_SERVE", SERVE), scenario, log)
    official = load_official(SCENARIOS / name / "official")
    if name in KNOWN:
        official, ours = ALLOWANCES[KNOWN[name].partition(":")[0]](official, ours)
    return differences(scenario, official, ours)


@pytest.mark.parametrize("name", NAMES)
def test_scenario_is_answered_as_the_official_server_did(name: str, tmp_path: Path) -> None:
    for attempt in range(6):  # a busy machine may make a scripted bot late
        found = check(name, tmp_path / f"{attempt}.log")
        if not found:
            break
    assert not found, "\n".join(found[:8])


def test_every_exception_names_a_scenario_and_its_reason() -> None:
    there = {folder.name for folder in SCENARIOS.iterdir()}
    for name, reason in {**UNSTABLE, **KNOWN}.items():
        assert name in there
        assert len(reason) > 10
