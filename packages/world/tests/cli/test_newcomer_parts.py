"""The log of the newcomers' tests is judged line by line."""

from __future__ import annotations

from packages.world.tests.cli.newcomer import own_errors

AT = "2026-11-27 20:19:52,818"
BUSY = (
    f"{AT} WARNING turn 12 was 31.5 ms late (plans 12.0 ms; slowest: nobody)",
    f"{AT} WARNING 3 turns missed their duration, the worst of them: turn 12 worked for 91.0 ms (rules;",
    f"{AT} ERROR turn 7: body 31 (mind goose of the world) does nothing, no_time: it had no time",
    f"{AT} ERROR turns 7 to 9: 5 plans of mind goose of the world were not finished, slow; the last",
    f"{AT} ERROR turn 9: 2 more plans of other minds were not finished",
)
OWN = (
    f"{AT} ERROR a late answer was lost",
    f"{AT} WARNING the machine has no disk",
    f"{AT} ERROR turn 7: body 31 (mind goose of the world) does nothing, broken: it is slow",
    f"{AT} ERROR turns 7 to 9: 5 plans of mind goose of the world were not finished, broken; the last: slow",
    "Traceback (most recent call last):",
)


def test_only_lines_of_a_busy_machine_are_excused() -> None:
    log = "\n".join((f"{AT} INFO a new world", *BUSY, *OWN))
    assert own_errors(log) == list(OWN)
