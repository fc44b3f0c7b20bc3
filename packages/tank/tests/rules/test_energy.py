from __future__ import annotations

import re
from pathlib import Path

from packages.tank.tests.small_battles import tank
from turnwright_tank.rules import energy

RULES = Path(energy.__file__).parent


def test_energy_is_added_and_may_fall_below_zero() -> None:
    row = tank(0, 0, energy=1.0)
    energy.change_energy(row, -2.5)
    assert row.energy == -1.5
    assert not energy.is_enabled(row)


def test_no_other_line_of_the_rules_changes_energy() -> None:
    changes = re.compile(r"(?<!event)\.energy\s*(\+|-|\*|/)?=[^=]")
    found = [
        f"{path.name}: {line.strip()}"
        for path in sorted(RULES.glob("*.py"))
        for line in path.read_text().splitlines()
        if changes.search(line)
    ]
    assert found == [
        "energy.py: tank.energy += amount",
        "placement.py: tank.energy = ENERGY_DROID if tank.droid else ENERGY_TANK",
    ]
