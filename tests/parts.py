"""The parts of the tests: `make test` leaves some out for `make test-all`, and lists them in one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.house.source import LAYERS, PURE_LAYERS
from tests.portable.left_out import IS_PORTABLE

LATER = {
    "long": "over a second",
    "peer": "with other projects' programs",
    "browser": "in a browser",
    "matrix": "with other event loops, transports, seeds or programs",
    "quiet": "measurements on a quiet machine",
    "explore": "with more seeds, for `make explore`",
}
"""The markers of tests that `make test` leaves out, with their descriptions in the summary."""
_SAID = {**LATER, "pure": "of pure layers"}
ALONE = ("quiet", "explore")
"""The markers of tests that run only if `-m` names them. `make test-all` runs `quiet` after all others."""
_REASON_CHARACTERS = 90
_MEASURED = Path(__file__).with_name("long_tests.txt")
"""Tests that took more than a second when measured, with one worker more than there are processors.
They count as `long` without a marker. Some of each kind are not listed, so `make test` runs them."""


def few(values: Iterable[Any], quick: int, later: int | None = None) -> list[Any]:
    """Return values as parameters, of which `quick`, evenly spread, run in `make test`.

    A tuple is a value for each of several parameters.

    Args:
        later: how many run in `make test-all`. Only `make explore` runs the rest. Default: all.
    """
    every = list(values)
    chosen = _spread(len(every), quick)
    kept = _spread(len(every), len(every) if later is None else later)
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else [value]),
            marks=() if place in chosen else pytest.mark.matrix if place in kept else pytest.mark.explore,
        )
        for place, value in enumerate(every)
    ]


def _spread(places: int, count: int) -> set[int]:
    return {nth * places // count for nth in range(count)}


class Parts:
    """Leaves tests out and counts them.

    `--part quick` leaves out LATER, and both parts leave out ALONE. `--part impure` is the part of quick that
    another system or environment can alter: it also leaves out the tests of pure layers. These are safe to
    skip, because the house rules limit their imports and they touch nothing outside.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._asked = config.getoption("-m") or ""
        self._quick = config.getoption("--part") != "all"
        self._impure = config.getoption("--part") == "impure"
        self.left_out: Counter[str] = Counter()
        self._measured = set(_MEASURED.read_text(encoding="utf-8").splitlines())

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Deselect the tests of other parts. Tests that `-m` names run; those of ALONE run only then."""
        whole = config.args == config.getini("testpaths") and not config.getoption("lf")
        if self._measured and whole and not IS_PORTABLE:  # there some tests have fewer parameters
            raise pytest.UsageError(
                f"{_MEASURED.name} names tests that do not exist: {sorted(self._measured)}"
            )
        asked = {name for name in LATER if name in self._asked}
        kept, left_out = [], []
        for item in items:
            marks = {mark.name for mark in item.iter_markers()}
            has = [name for name in LATER if name in marks]
            is_asked = not asked.isdisjoint(has)
            alone = [name for name in has if name in ALONE and name not in asked]
            why = next(iter(has if self._quick and not is_asked else alone), None)
            if why is None and self._impure and not is_asked and "process" not in marks and _is_pure(item):
                why = "pure"
            if why is None:
                kept.append(item)
            else:
                left_out.append(item)
                self.left_out[why] += 1
        workers = getattr(config, "workerinput", {"workercount": 1})["workercount"]
        items[:] = kept if self._quick else _dealt(kept, workers)
        if left_out:
            config.hook.pytest_deselected(items=left_out)

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Mark a test that was long when it was measured."""
        if item.nodeid in self._measured:
            item.add_marker("long")
            self._measured.discard(item.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send the counts of this worker to the process that started it, if there is one."""
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["left_out"] = dict(self.left_out)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Take over the counts of a worker. All workers leave out the same tests."""
        self.left_out |= Counter(getattr(node, "workeroutput", {}).get("left_out", {}))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print a line about the tests that were left out, and one about the skipped ones, with reasons."""
        if self.left_out:
            counts = ", ".join(f"{n} {_SAID[name]}" for name, n in self.left_out.most_common())
            terminalreporter.write_line(f"left out: {counts}; {self._instead()}")
        reasons: Counter[str] = Counter()
        for report in terminalreporter.stats.get("skipped", ()):
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
            reasons[reason.removeprefix("Skipped: ")[:_REASON_CHARACTERS]] += 1
        if reasons:
            listed = "; ".join(f"{n}: {reason}" for reason, n in reasons.most_common())
            terminalreporter.write_line(f"skipped, because this machine lacks something: {listed}")

    def _instead(self) -> str:
        if self._quick:
            return "`make test-all` runs them"
        return ", ".join(f"`-m {name}`" for name in self.left_out) + " runs them"


def _dealt(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Return tests in an order in which each worker gets an equal share of the long ones.

    Each worker begins with an equal piece. The long tests come first: they wait for programs and clocks, so
    all workers would wait for one that begins last.
    """
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    slow = {path: sum(map(_is_slow, tests)) for path, tests in files.items()}
    hands: list[list[pytest.Item]] = [[] for _ in range(workers)]
    shares = Counter(dict.fromkeys(range(workers), 0))
    for path in sorted(files, key=lambda path: -slow[path]):
        least = min(range(workers), key=lambda nth: (shares[nth] if slow[path] else 0, len(hands[nth])))
        hands[least] += files[path]
        shares[least] += slow[path]
    return [item for hand in hands for item in hand]


def _is_slow(item: pytest.Item) -> bool:
    return any(item.get_closest_marker(name) for name in ("long", "browser", "peer"))


def _is_pure(item: pytest.Item) -> bool:
    """Return whether a test is of a pure layer."""
    folders = item.path.relative_to(item.config.rootpath).parts[:-1]
    words = [word for word in folders if word in LAYERS]
    return bool(words) and words[-1] in PURE_LAYERS
