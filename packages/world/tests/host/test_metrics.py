"""A world's metrics are Prometheus text, and each is documented."""

from __future__ import annotations

import re
from pathlib import Path

from packages.core.tests.host.prometheus import parse
from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright_world.host.metrics import render

DOCS = Path(__file__).parents[4] / "packages/world/docs/world-messages.md"


def test_metrics_have_their_kind_and_meaning() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    world.run_ms(1_000)
    misses = {("wolf", "", "slow"): 2, ("rat", "", "slow"): 1, ("rat", "", "error"): 4}
    samples, kinds = parse(render(world.host, misses, None))
    assert samples["turnwright_world_players", ()] == 1
    assert samples["turnwright_world_turns_total", ()] == world.host.turns.stats.turns > 0
    assert samples["turnwright_world_turn_seconds", ()] == 0.25
    assert samples["turnwright_world_kept", ()] == 1
    assert samples["turnwright_world_plans_missed_total", (("reason", "slow"),)] == 3
    assert samples["turnwright_world_plans_missed_total", (("reason", "error"),)] == 4
    documented = re.findall(r"^\| `(\w+)` \| (\w+) \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(documented) == kinds


def test_a_database_that_fails_is_seen() -> None:
    samples, _ = parse(render(VirtualWorld.of().host, {}, "disk full"))
    assert samples["turnwright_world_kept", ()] == 0
