"""The vicious minds of document 004 and worse, with real processes: nobody else notices.

What is measured: how long after the phase began the honest plans were accepted. Turns with and without the
vicious ones alternate, so that a busy machine is equally busy for both, and the quartile of many turns is
compared, which leaves out the turns in which the machine was away. `tests/host/planning/test_phase.py` holds
the same 5 % exactly, in virtual time.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from pathlib import Path

import pytest

from net.planning_rig import Rig, honest, play
from turnwright.host.planning.rules import PlanRules
from turnwright.net.seal import can_seal

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not can_seal(), reason="no filter of system calls that we know on this machine"),
]

MAXER = """
import time

def plan(view, random):
    began = time.perf_counter_ns()
    while time.perf_counter_ns() - began < 15_000_000:
        pass
    return "still thinking"
"""
HUNG = "def plan(view, random):\n    while True: pass"
ASLEEP = """
import _thread, signal

def plan(view, random):
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    lock = _thread.allocate_lock()
    while True: lock.acquire()
"""

NASTY = {
    "hung": (HUNG, {"slow"}),
    "asleep": (ASLEEP, {"slow"}),
    "catches": (
        "def plan(view, random):\n  while 1:\n    try:\n      while 1: pass\n    except: pass",
        {"slow"},
    ),
    "forks": ("import os\ndef plan(view, random):\n    while True: os.fork()", {"error"}),
    "threads": (
        "import _thread\ndef plan(view, random):\n    while True: _thread.start_new_thread(print, ())",
        {"error"},
    ),
    "eats": (
        "kept = []\ndef plan(view, random):\n    while True: kept.append(bytearray(1 << 20))",
        {"error", "slow"},
    ),
    "prints": ("def plan(view, random):\n    for _ in range(1000): print('x' * 1000)", {None}),
    "floods": ("import os\ndef plan(view, random):\n    while True: os.write(3, b'x' * 65536)", {"broken"}),
    "writes": ("import os\ndef plan(view, random):\n    while True: os.write(1, b'x' * 65536)", {"slow"}),
    "raises": ("def plan(view, random):\n    raise BaseException('x' * 10 ** 6)", {"error"}),
    "garbage": ("import os\ndef plan(view, random):\n    os.write(3, b'\\0\\0\\0\\5hello')", {"broken"}),
    "huge": ("def plan(view, random):\n    return 'x' * 10 ** 7", {"error"}),
    "deep": (
        "class D:\n  def plan(self, view, random):\n"
        "    self.x = []\n    for _ in range(10 ** 5): self.x = [self.x]",
        {"error", "broken"},
    ),
    "remembers": ("class R:\n  def plan(self, view, random):\n    self.x = 'x' * 10 ** 6", {"error"}),
    "patricide": ("import os\ndef plan(view, random):\n    os.kill(os.getppid(), 9)", {"error"}),
    "genocide": ("import os\ndef plan(view, random):\n    os.kill(-1, 9)", {"error"}),
    "suicide": ("import os\ndef plan(view, random):\n    os._exit(0)", {"broken"}),
    "crash": ("import ctypes\ndef plan(view, random):\n    ctypes.string_at(0)", {"broken"}),
    "closes": ("import os\ndef plan(view, random):\n    os.close(3)", {"broken"}),
    "impostor": (
        "import os\nfrom turnwright.wire.planning import Answer, frame_of\n"
        "def plan(view, random):\n    os.write(3, frame_of(Answer(1, 'i am ada')))",
        {"broken"},
    ),
    "canary": (
        "import os\nfrom turnwright.wire.planning import Answer, frame_of\n"
        "def plan(view, random):\n    os.write(3, frame_of(Answer(-1, None, wall_ns=10 ** 12)))",
        {"broken"},
    ),
    "reads": ("import os\ndef plan(view, random):\n    while True: os.read(3, 1)", {"slow", "broken"}),
    "spies": ("def plan(view, random):\n    return open('/etc/hostname').read()", {"error"}),
    "calls": (
        "import socket\ndef plan(view, random):\n    socket.create_connection(('127.0.0.1', 22))",
        {"error"},
    ),
    "unimports": (
        "import sys\nsys.modules.clear()\ndef plan(view, random):\n    return 'gone'",
        {None, "error", "broken"},
    ),
}


@pytest.mark.parametrize("name", NASTY)
def test_a_nasty_mind_harms_only_itself(name: str) -> None:
    text, reasons = NASTY[name]

    async def scene(rig: Rig) -> None:
        bodies = [(1, "ada", "good"), (2, "world", "good"), (3, "mallory", "nasty"), (4, "mallory", "good")]
        await rig.phase(*bodies)
        assert rig.results[3].reason in reasons
        assert len(rig.results[3].printed) <= 2_000
        assert len(rig.results[3].text) <= 400
        for _ in range(4):
            await rig.phase(*bodies)
            assert [rig.results[n].command for n in (1, 2, 4)] == ["go", "go", "go"]
        assert os.getpid() in {int(p.name) for p in Path("/proc").iterdir() if p.name.isdigit()}
        assert not any(report.overload for report in rig.reports)

    play({"good": "def plan(view, random):\n    return 'go'", "nasty": text}, scene)


def test_a_process_that_works_on_after_its_answer_is_stopped() -> None:
    spins = (
        "import sys\n"
        "class Late:\n"
        "    def __del__(self):\n"
        "        while True: pass\n"
        "def plan(view, random):\n"
        "    sys.stdout.late = Late()\n"
        "    return 'ok'\n"
    )

    async def scene(rig: Rig) -> None:
        bodies = [(1, "ada", "good"), (3, "mallory", "spins")]
        await rig.phase(*bodies)
        assert rig.results[3].command == "ok"
        spent = [p for p in rig.planner.processes._homes.values() if p.home == "mallory"]
        before = spent[0].usage().cpu_us
        for _ in range(3):
            await rig.phase((1, "ada", "good"))
        assert spent[0].usage().cpu_us - before < 5_000
        await rig.phase(*bodies)
        assert (rig.results[1].command, rig.results[3].reason) == ("go", "slow")

    play({"good": "def plan(view, random):\n    return 'go'", "spins": spins}, scene)


HONEST_OWNERS = 24
_TURNS = 48
_BLOCK = 4
_TURN_S = 0.16
_ATTEMPTS = 4
PACED = PlanRules(slots=2, seats_max=100, plan_us=20_000, wall_us=20_000_000, phase_us=100_000)


def _compare(nasty: str, count: int) -> tuple[float, float]:
    """Return the lower quartiles of when the last honest plan was accepted: without and with the vicious."""
    good = [(n, f"owner{n}", "honest") for n in range(1, HONEST_OWNERS)] + [(900, "world", "honest")]
    bad = [(1_000 + n, "mallory", "nasty") for n in range(count)]
    alone: list[int] = []
    beside: list[int] = []

    async def scene(rig: Rig) -> None:
        for _ in range(3):
            await rig.phase(*good, *bad)
        begins = time.monotonic()
        for turn in range(_TURNS):
            begins = max(begins + _TURN_S, time.monotonic())
            await asyncio.sleep(begins - time.monotonic())
            vicious = turn // _BLOCK % 2
            await rig.phase(*good, *(bad if vicious else []))
            (beside if vicious else alone).append(max(rig.done_us[body[0]] for body in good))

    play({"honest": honest(10_000), "nasty": nasty}, scene, PACED)
    return statistics.quantiles(alone, n=4)[0], statistics.quantiles(beside, n=4)[0]


@pytest.mark.long
@pytest.mark.parametrize(
    ("nasty", "count"),
    [(MAXER, 1), (MAXER, 100), (HUNG, 1), (HUNG, 100), (ASLEEP, 100)],
    ids=["one maxer", "100 maxers", "one hung", "100 hung", "100 asleep"],
)
def test_vicious_minds_of_one_owner_change_no_honest_turn_by_five_percent(nasty: str, count: int) -> None:
    """A machine that others use, too, gets several attempts: a real difference fails each time."""
    found = []
    for _ in range(_ATTEMPTS):
        alone_us, beside_us = _compare(nasty, count)
        found.append(f"{alone_us:.0f} µs alone, {beside_us:.0f} µs beside them")
        if beside_us <= 1.05 * alone_us:
            return
    raise AssertionError("; ".join(found))


@pytest.mark.long
def test_vicious_minds_of_one_owner_cost_no_honest_plan_and_raise_no_duration() -> None:
    good = [(n, f"owner{n}", "honest") for n in range(1, HONEST_OWNERS)]
    bad = [(1_000 + n, "mallory", ("maxer", "hung", "asleep")[n % 3]) for n in range(100)]

    async def scene(rig: Rig) -> None:
        missed = 0
        for _ in range(60):
            await rig.phase(*good, *bad)
            missed += sum(rig.results[body[0]].reason not in (None, "machine", "cut") for body in good)
        assert missed <= 0.001 * 60 * len(good)
        late = [report for report in rig.reports if report.overload and not report.canary_late]
        assert not late

    play({"honest": honest(10_000), "maxer": MAXER, "hung": HUNG, "asleep": ASLEEP}, scene, PACED)
