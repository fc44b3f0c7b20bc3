"""The parts of the tests: what `make test` leaves out for `make test-all`, and one line that lists them."""

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
    "matrix": "of one claim once more: other event loops, transports, seeds and programs",
    "quiet": "measurements on a quiet machine",
    "explore": "of more seeds, which `make explore` plays",
}
"""The markers that `make test` leaves out, and what is said of them."""
_SAID = {**LATER, "pure": "of pure layers"}
ALONE = ("quiet", "explore")
"""The markers of what runs only when `-m` names it: `make test-all` names `quiet`, after all else."""
_REASON_CHARACTERS = 90
_MEASURED = Path(__file__).with_name("long_tests.txt")
"""Tests that took over a second with a worker more than there are processors. They are `long`
without saying so, but for some that stay in the quick part, so that each kind of test is there."""


def few(values: Iterable[Any], quick: int, later: int | None = None) -> list[Any]:
    """Return the values of a parameter: `quick` of them, spread evenly, stay quick, the others do not.

    A tuple is a value for each of several parameters.

    Args:
        later: as many in all are for `make test-all`, and the others for `make explore`; default: all.
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

    `--part quick` leaves out LATER, both parts leave out ALONE. `--part impure` is the part of quick that
    another system or environment can alter. It leaves out the tests of pure layers, too. Those import no more
    than the house rules let them, which collecting proves, and they touch nothing outside.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._asked = config.getoption("-m") or ""
        self._quick = config.getoption("--part") != "all"
        self._impure = config.getoption("--part") == "impure"
        self.left_out: Counter[str] = Counter()
        self._measured = set(_MEASURED.read_text(encoding="utf-8").splitlines())

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Deselect what is not of this part. What `-m` names is run; each of ALONE must be named."""
        whole = config.args == config.getini("testpaths") and not config.getoption("lf")
        if self._measured and whole and not IS_PORTABLE:  # there some tests have fewer parameters
            raise pytest.UsageError(f"{_MEASURED.name} names what is no test: {sorted(self._measured)}")
        asked = {name for name in LATER if name in self._asked}
        kept, left_out = [], []
        for item in items:
            has = [name for name in LATER if item.get_closest_marker(name)]
            is_asked = not asked.isdisjoint(has)
            alone = [name for name in has if name in ALONE and name not in asked]
            why = next(iter(has if self._quick and not is_asked else alone), None)
            if why is None and self._impure and not is_asked and _is_pure(item):
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
        """Tell the process that started this one, if one did, what was left out here."""
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["left_out"] = dict(self.left_out)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Take over what a worker left out; all leave out the same."""
        self.left_out |= Counter(getattr(node, "workeroutput", {}).get("left_out", {}))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say in one line each what was left out and what was skipped, and why."""
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
    """Return tests so that each worker, which begins with an equal piece of them, has its share of long ones.

    These come first: they wait for programs and clocks, and one that begins last is waited for by all.
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
    """Return whether a test is of a pure layer and starts nothing."""
    folders = item.path.relative_to(item.config.rootpath).parts[:-1]
    words = [word for word in folders if word in LAYERS]
    return bool(words) and words[-1] in PURE_LAYERS and item.get_closest_marker("process") is None
