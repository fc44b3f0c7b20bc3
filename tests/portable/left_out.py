"""Tests that `make test-portable` leaves out, each group with its reason, and one line that counts them."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

IS_PORTABLE = os.environ.get("TURNWRIGHT_PORTABLE") == "1"
"""Whether the portable ways are forced."""
LINUX_ONLY: Mapping[str, tuple[str, ...]] = {
    "they read files of the repository, and run nothing of it in Python": (
        "tests/house/",
        "tests/docs/",
        "tests/tools/",
        "tests/viewer/",
    ),
    "sandboxes for untrusted bots: namespaces, seccomp, control groups": (
        "packages/core/tests/net/sandbox/",
        "packages/core/tests/app/test_prints.py::test_a_program_in_a_sandbox_is_heard",
    ),
    "the alarm on a kernel timer": (
        "packages/core/tests/net/test_clock_timerfd.py",
        "packages/core/tests/net/test_clock.py::test_an_alarm_never_rings_early[asyncio-timerfd]",
        "packages/core/tests/net/test_clock.py::test_the_latest_instant_counts_whether_earlier_or_later[asyncio-timerfd]",
        "packages/core/tests/net/test_clock.py::test_an_alarm_that_was_taken_back_is_silent[asyncio-timerfd]",
        "packages/core/tests/net/test_clock.py::test_an_alarm_can_be_set_again_from_its_own_ring[asyncio-timerfd]",
        "packages/core/tests/net/test_clock.py::test_a_deadline_that_moves_on_each_turn_costs_few_system_calls",
    ),
    "the guard of processes: keepers, subreapers, /proc": (
        "packages/core/tests/net/processes/test_guard.py",
        "packages/core/tests/net/participants/test_start_bots.py::test_a_script_that_only_starts_the_bot_and_ends_is_not_a_failure",
        "packages/core/tests/net/processes/test_bot_process.py::test_a_bot_that_obeys_is_stopped_immediately",
        "packages/core/tests/net/processes/test_bot_process.py::test_children_that_outlive_their_parent_still_count_as_alive",
        "packages/core/tests/net/processes/test_bot_process.py::test_a_bot_that_does_not_end_in_time_gets_a_signal",
        "packages/core/tests/net/processes/test_bot_process.py::test_a_killed_guard_is_replaced",
    ),
    "copies of this process by fork": (
        "packages/core/tests/net/participants/test_forked.py",
        "packages/core/tests/app/test_game_battle_live.py::test_a_directory_a_built_in_bot_and_a_function_play",
        "packages/core/tests/app/test_game_battle_live.py::test_a_game_that_reads_no_intent_voids_a_battle_of_programs",
        "packages/core/tests/app/test_game_battle_live.py::test_a_game_whose_rules_fail_voids_a_battle_of_programs",
        "packages/core/tests/app/test_game_battle_live.py::test_a_limit_for_each_turn_holds_for_functions_too",
        "packages/tank/tests/app/test_battle.py::test_directories_built_in_bots_classes_and_functions_play",
        "packages/core/tests/net/test_late_bots.py::test_a_bot_that_always_needs_more_than_the_timeout_misses_every_turn",
        "packages/world/tests/planning/net/test_pool.py::test_a_killed_process_is_gone_and_its_id_is_free",
        "packages/world/tests/planning/net/test_pool.py::test_a_failed_fork_is_retried",
        "packages/world/tests/planning/net/test_pool.py::test_a_program_that_does_not_start_is_reported_in_one_line",
        "packages/world/tests/planning/net/test_pool.py::test_the_usage_of_a_process_is_read_from_the_system",
    ),
    "folders of other users, told by their owner and mode": (
        "packages/league/tests/app/clusters/test_archives.py::test_a_folder_that_others_may_write_is_not_used",
    ),
    "permissions, signals, pipes, limits and processors, asked of POSIX or Linux": (
        "packages/core/tests/app/test_serve.py::test_participants_keep_places_where_few_files_may_be_open",
        "packages/core/tests/net/files/test_new_file.py::test_a_new_file_has_the_permissions_of_the_one_before",
        "packages/core/tests/net/http/test_analysis.py::test_only_a_server_lowers_the_priority_of_an_analysis",
        "packages/core/tests/net/http/test_ports_room.py::test_a_low_limit_is_raised_as_far_as_is_needed",
        "packages/core/tests/net/http/test_ports_room.py::test_a_limit_above_that_of_the_system_is_reduced_and_reported",
        "packages/core/tests/net/processes/test_output_to_log.py::test_a_pipe_is_read_until_it_ends_however_much_comes",
        "packages/core/tests/net/processes/test_processors.py::test_a_pinned_process_counts_only_its_processors",
        "packages/core/tests/net/test_loop.py::test_signal_handlers_are_restored_afterwards",
        "packages/core/tests/net/test_loop.py::test_uvloop_runs_where_it_is_installed_and_asyncio_elsewhere",
        "packages/world/tests/net/test_telnet_port.py::test_the_system_knows_the_round_trip_of_a_line",
    ),
    "copies of modules: the stand-in for time has no names to copy": (
        "packages/world/tests/planning/net/test_minds.py::test_allowed_imports_of_a_mind_work",
    ),
    "single keys by termios": (
        "packages/core/tests/cli/test_terminal.py::test_a_terminal_gives_single_keys_and_gets_its_settings_back",
    ),
    "a front that hands open sockets to tables": (
        "packages/core/tests/net/http/test_room_front.py",
        "packages/core/tests/app/test_rooms.py",
        "packages/league/tests/app/ladder/test_live.py",
        "packages/core/tests/app/test_serve.py::test_bots_with_one_address_are_distinguished_by_their_listeners[a",
    ),
    "processes sealed by seccomp": (
        "packages/world/tests/planning/net/test_sandbox.py",
        "packages/world/tests/planning/net/test_planner.py::test_each_body_gets_its_plan_or_the_reason_why_not",
        "packages/world/tests/planning/net/test_planner.py::test_the_memory_of_a_mind_survives_the_death_of_its_process",
        "packages/world/tests/planning/net/test_planner.py::test_a_mind_remembers_only_the_memory_that_the_world_saved",
        "packages/world/tests/planning/net/test_planner.py::test_a_new_version_of_a_mind_plans_in_the_next_phase",
        "packages/world/tests/planning/net/test_planner.py::test_cutting_a_phase_ends_it_immediately_and_the_next_one_is_clean",
        "packages/world/tests/planning/net/test_planner.py::test_a_waiting_batch_takes_a_process_that_is_given_back",
        "packages/world/tests/planning/net/test_planner.py::test_an_answer_in_time_counts_even_if_it_is_read_after_the_end",
        "packages/world/tests/planning/net/test_world_planner.py::test_a_players_mind_that_sits_out_plans_again_once_it_is_started_or_replaced",
        "packages/world/tests/planning/net/test_pool.py::test_an_owners_process_is_stopped_between_its_turns",
        "packages/world/tests/planning/net/test_pool.py::test_the_owner_who_planned_longest_ago_loses_its_process",
        "packages/world/tests/planning/net/test_pool.py::test_a_process_that_has_computed_for_long_is_replaced",
    ),
}
"""By reason: the tests of a feature of Linux, as beginnings of their ids."""


class LeftOut:
    """Leaves these tests out, and counts them."""

    def __init__(self) -> None:
        if "other_system" not in sys.modules:
            raise pytest.UsageError("TURNWRIGHT_PORTABLE is set, PYTHONPATH is not: see `make test-portable`")
        self._places = {place: why for why, places in LINUX_ONLY.items() for place in places}
        self.counts: Counter[str] = Counter()

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Deselect these tests. Report an entry that names no test."""
        kept, left_out, used = [], [], set()
        for item in items:
            place = next((one for one in self._places if item.nodeid.startswith(one)), None)
            if place is None:
                kept.append(item)
                continue
            used.add(place)
            left_out.append(item)
            self.counts[self._places[place]] += 1
        unused = sorted(place for place in self._places.keys() - used if place.startswith(tuple(config.args)))
        if unused and not config.getoption("lf"):
            raise pytest.UsageError(f"{__name__} names tests that do not exist: {unused}")
        items[:] = kept
        config.hook.pytest_deselected(items=left_out)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send the counts to the process that started this one, if there is one."""
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["not_portable"] = dict(self.counts)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Take over the counts of a worker. All workers count the same."""
        self.counts |= Counter(getattr(node, "workeroutput", {}).get("not_portable", {}))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the number of tests that were left out, by reason."""
        terminalreporter.write_line(f"portable ways: {self.counts.total()} tests are left out")
        for why, count in self.counts.most_common():
            terminalreporter.write_line(f"  {count} {why}")
