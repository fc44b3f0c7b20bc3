"""Tests that `make test-portable` leaves out, each group with its reason, and one line that counts them."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

__all__ = ["IS_PORTABLE", "LINUX_ONLY", "NOT_YET", "LeftOut"]

IS_PORTABLE = os.environ.get("TURNWRIGHT_PORTABLE") == "1"
"""Whether the portable ways are forced."""
LINUX_ONLY: Mapping[str, tuple[str, ...]] = {
    "they read files of the repository, and run nothing": ("tests/house/", "tests/docs/", "tests/tools/"),
    "boxes for untrusted bots: namespaces, seccomp, control groups": ("tests/net/sandbox/",),
    "the alarm on a kernel timer": ("tests/net/test_clock_timerfd.py",),
    "the guard of processes: keepers, subreapers, /proc": ("tests/net/processes/test_guard.py",),
    "copies of this process by fork": (
        "tests/net/participants/test_forked.py",
        "tests/app/test_game_battle_live.py::test_a_directory_a_house_bot_and_a_function_play",
        "tests/app/test_game_battle_live.py::test_a_game_that_reads_no_intent_voids_a_battle_of_programs",
        "tests/app/test_game_battle_live.py::test_a_game_whose_rules_fail_voids_a_battle_of_programs",
        "tests/app/test_game_battle_live.py::test_a_limit_for_each_turn_holds_for_functions_too",
        "tests/games/tank/app/test_battle.py::test_directories_house_bots_classes_and_functions_play",
    ),
    "folders of other users, told by their owner and mode": (
        "tests/app/tournament/clusters/test_archives.py::test_a_folder_that_others_may_write_is_not_used",
        "tests/games/tank/backends/test_compile.py::test_a_cache_that_another_user_could_write_is_not_used",
    ),
    "the compiler waits for another one by a lock of fcntl": (
        "tests/games/tank/backends/test_compile.py::test_of_several_that_start_at_once_one_compiles",
    ),
    "single keys by termios": (
        "tests/cli/test_terminal.py::test_a_terminal_gives_single_keys_and_gets_its_settings_back",
    ),
    "a front that hands open sockets to tables": (
        "tests/net/http/test_table_front.py",
        "tests/app/test_tables.py",
        "tests/app/arena/test_live.py",
        "tests/app/test_serve.py::test_bots_with_one_address_are_told_apart_by_their_listeners[a table]",
    ),
    "processes sealed by seccomp": ("tests/games/world/planning/net/test_sandbox.py",),
}
"""By reason, the tests whose subject is a thing of Linux: the beginnings of their ids."""
NOT_YET: Mapping[str, tuple[str, ...]] = {}
"""By reason, the tests that do not pass with the portable ways, and should."""


class LeftOut:
    """Leaves these tests out, and counts them."""

    def __init__(self) -> None:
        if "other_system" not in sys.modules:
            raise pytest.UsageError("TURNWRIGHT_PORTABLE is set, PYTHONPATH is not: see `make test-portable`")
        self._places = {
            place: (group, why)
            for group, reasons in (("Linux", LINUX_ONLY), ("not yet", NOT_YET))
            for why, places in reasons.items()
            for place in places
        }
        self.counts: Counter[str] = Counter()

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Deselect them; complain of an entry that names no test."""
        kept, left_out, used = [], [], set()
        for item in items:
            place = next((one for one in self._places if item.nodeid.startswith(one)), None)
            if place is None:
                kept.append(item)
                continue
            used.add(place)
            left_out.append(item)
            self.counts["{}: {}".format(*self._places[place])] += 1
        unused = sorted(self._places.keys() - used)
        if unused and config.args == config.getini("testpaths"):
            raise pytest.UsageError(f"{__name__} names what is no test: {unused}")
        items[:] = kept
        config.hook.pytest_deselected(items=left_out)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Tell the process that started this one, if one did."""
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["not_portable"] = dict(self.counts)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Take over what a worker counted; all count the same."""
        self.counts |= Counter(getattr(node, "workeroutput", {}).get("not_portable", {}))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print how many there are, by reason."""
        terminalreporter.write_line(f"portable ways: {self.counts.total()} tests are left out")
        for why, count in self.counts.most_common():
            terminalreporter.write_line(f"  {count} {why}")
