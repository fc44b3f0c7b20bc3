"""Measures how long creatures' programs (minds) take to plan, and how much vicious minds disturb honest ones.

Two plans run at the same time. A plan may use 20 ms, and all plans of a turn (the phase) may take 100 ms. A
turn begins every 250 ms. An honest mind computes for about 2 ms. A vicious mind uses all its time ("maxer")
or never answers ("hung"). In the last load, an owner with an honest mind also has ten maxers.

    last honest  the time from the beginning of the phase until the last honest plan was accepted
    missed       the share of honest plans without a result
    overloaded   the phases in which the machine was too busy
    given        the share of the available processor time that the plans received. Well below 100 % means
                 that other programs used the machine

The table "small" has quick plans of the world's own creatures, and "vicious" has the loads above. "virtual"
has the same loads with simulated time instead of real processes.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rig import markdown, parser

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from packages.world.tests.simulation.virtual_planner import HUNG, Simulation
from turnwright.net import loop as loops
from turnwright_world.planning.limits import WORLD, Asked, PhaseReport, PlanRules
from turnwright_world.planning.net.phase import PlanResult
from turnwright_world.planning.net.planner import Planner

RULES = PlanRules(slots=2, plan_us=20_000, wall_us=60_000, phase_us=100_000, seats_max=1_000)
TURN_S = 0.25
HONEST = 50
SMALL = 2_000
MAXER_US = 18_000
HONEST_ROUNDS = 40_000
HEAD = ("load", "phase p50 / max ms", "last honest p25 / p50 ms", "missed", "overloaded")
SOURCES = {
    "small": (
        "def plan(view, random):\n"
        "    if view['vitals']['hp'] < 5: return 'flee'\n"
        "    return 'go ' + random.choice(sorted(view['place']['exits']))\n"
    ),
    "honest": (
        "def plan(view, random):\n    x = 1\n"
        f"    for i in range({HONEST_ROUNDS}): x = (x * 31 + i) & 65535\n"
        "    return f'go {x}'\n"
    ),
    "maxer": (
        "import time\ndef plan(view, random):\n    began = time.thread_time_ns()\n"
        f"    while time.thread_time_ns() - began < {MAXER_US * 1_000}: pass\n    return 'think'\n"
    ),
    "hung": "def plan(view, random):\n    while True: pass\n",
}
VIEW = {
    "turn": 1,
    "me": {"id": 1, "name": "a wolf", "kind": "wolf", "attributes": {"reflex": 10, "instinct": 4}},
    "place": {
        "id": "wood",
        "name": "A wood",
        "text": "Trees. " * 40,
        "exits": {"n": "a", "e": "b", "s": "c"},
    },
    "here": [{"id": n, "name": "a hare", "kind": "hare", "state": "unhurt"} for n in range(3)],
    "vitals": {"hp": 12, "maxhp": 20, "sp": 9, "maxsp": 10},
    "threats": [],
    "heard": [],
}
Body = tuple[int, str, str]


def main() -> None:
    """Measure and print the tables."""
    words = parser(__doc__)
    words.add_argument("--turns", type=int, default=60, help="turns of each load")
    words.add_argument("--only", choices=("small", "vicious", "virtual"), help="print only this table")
    options = words.parse_args()
    print("load average before:", ", ".join(f"{load:.1f}" for load in os.getloadavg()))
    tables: dict[str, Callable[[int], str]] = {"small": small, "vicious": vicious, "virtual": virtual}
    for name, table in tables.items():
        if options.only in (None, name):
            print(f"\n{name}\n\n{table(options.turns)}", flush=True)


@dataclass
class Series:
    """The figures of the phases of one load, summed up or one for each phase."""

    used_us: list[int] = field(default_factory=list)
    last_us: list[int] = field(default_factory=list)
    missed: int = 0
    asked: int = 0
    overloads: int = 0
    ran_us: int = 0
    wait_us: int = 0

    def row(self) -> tuple[str, ...]:
        """Return the cells of the table: phase, last honest, missed, overloaded, given."""
        last = statistics.quantiles(self.last_us, n=4)
        return (
            f"{statistics.median(self.used_us) / 1e3:.1f} / {max(self.used_us) / 1e3:.1f}",
            f"{last[0] / 1e3:.1f} / {last[1] / 1e3:.1f}",
            f"{self.missed / max(1, self.asked):.2%}",
            str(self.overloads),
            f"{self.ran_us / max(1, self.ran_us + self.wait_us):.0%}",
        )


def loads() -> dict[str, list[Body]]:
    """Return the vicious bodies of each row."""

    def crowd(first: int, count: int, owners: int, mind: str) -> list[Body]:
        return [(first + n, f"{mind}{n % owners}", mind) for n in range(count)]

    return {
        "50 honest": [],
        "+ 10 maxers, 1 owner": crowd(1_000, 10, 1, "maxer"),
        "+ 10 hung, 1 owner": crowd(2_000, 10, 1, "hung"),
        "+ 25 maxers + 25 hung, 2 owners": crowd(1_000, 25, 1, "maxer") + crowd(2_000, 25, 1, "hung"),
        "+ 100 maxers, 1 owner": crowd(1_000, 100, 1, "maxer"),
        "+ 100 hung, 1 owner": crowd(2_000, 100, 1, "hung"),
        "+ 200 maxers, 5 owners": crowd(1_000, 200, 5, "maxer"),
        "+ 50 maxers, 50 owners": crowd(1_000, 50, 50, "maxer"),
        "+ 10 maxers of an honest owner": [(1_000 + n, "owner0", "maxer") for n in range(10)],
    }


def vicious(turns: int) -> str:
    """Return the table of real processes."""
    good = [(n, f"owner{n}", "honest") for n in range(HONEST)]
    rows = [(name, *run(good, bad, turns, TURN_S).row()) for name, bad in loads().items()]
    return markdown((*HEAD, "given"), rows)


def virtual(turns: int) -> str:
    """Return the same table in virtual time, from ten times as many turns, without the column "given"."""
    rows = []
    for name, bad in loads().items():
        bodies = [Asked(n, f"owner{n}", "honest") for n in range(HONEST)] + [Asked(*body) for body in bad]
        kinds = {"honest": 2_000, "maxer": MAXER_US, "hung": HUNG}
        simulation = Simulation(RULES, {asked.id: kinds[asked.mind] for asked in bodies})
        series = Series()
        for turn in range(-5, 10 * turns):
            outcome = simulation.play(bodies)
            assert outcome.report is not None
            if turn >= 0:
                series.used_us.append(outcome.report.used_us)
                series.last_us.append(max(outcome.done_us.get(n, RULES.phase_us) for n in range(HONEST)))
                series.missed += sum(n in outcome.idle for n in range(HONEST))
                series.asked += HONEST
                series.overloads += outcome.report.overload
        rows.append((name, *series.row()[:-1]))
    return markdown(HEAD, rows)


def small(turns: int) -> str:
    """Return the table of quick plans of the world's own creatures."""
    rows = []
    for count in (100, 500, SMALL):
        good = [(n, WORLD, "small") for n in range(count)]
        began = time.process_time()
        series = run(good, [], turns, TURN_S)
        server_us = (time.process_time() - began) * 1e6 / (turns + 5) / count
        phase, _, missed, _, given = series.row()
        rows.append((f"{count:,}", phase, missed, f"{server_us:.1f}", given))
    return markdown(("plans per turn", "phase p50 / max ms", "missed", "server µs per plan", "given"), rows)


def run(good: list[Body], bad: list[Body], turns: int, turn_s: float) -> Series:
    """Play turns with real processes, and return their figures. Five more turns at the start do not count."""
    series = Series()
    done_us: dict[int, int] = {}
    missed: set[int] = set()
    reports: list[PhaseReport] = []
    began_ns = 0

    def take(result: PlanResult) -> None:
        done_us[result.body] = (time.monotonic_ns() - began_ns) // 1_000
        if result.command is None:
            missed.add(result.body)

    async def play() -> None:
        nonlocal began_ns
        async with Planner(RULES, seed=1, on_plan=take, on_report=reports.append) as planner:
            for name, text in SOURCES.items():
                planner.teach(name, text, f"minds/{name}.py")
            begins = time.monotonic()
            for turn in range(-5, turns):
                begins = max(begins + turn_s, time.monotonic())
                await asyncio.sleep(begins - time.monotonic())
                missed.clear()
                began_ns = time.monotonic_ns()
                planner.begin(turn + 5, good + bad, _view, began_ns + int(turn_s * 1e9))
                while planner.schedule.open:
                    await asyncio.sleep(0.001)
                if turn >= 0:
                    series.used_us.append(reports[-1].used_us)
                    series.last_us.append(max(done_us[body[0]] for body in good))
                    series.missed += sum(body[0] in missed for body in good)
                    series.asked += len(good)
                    series.overloads += reports[-1].overload
                    series.ran_us += reports[-1].ran_us
                    series.wait_us += reports[-1].wait_us

    loops.run(play())
    return series


def _view(body: int) -> tuple[dict[str, Any], None]:
    return VIEW, None


if __name__ == "__main__":
    main()
