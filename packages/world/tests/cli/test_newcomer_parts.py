"""The parts of the newcomers' tests: their log is judged line by line, their patience ends."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

import pytest

from packages.world.tests.cli.demo_players import Telnet
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


@pytest.mark.process
def test_patience_ends_while_other_text_keeps_coming() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def talk() -> None:
            connection, _ = server.accept()
            with connection, suppress(OSError):
                while True:
                    connection.sendall(b"x" * 10)

        talker = threading.Thread(target=talk, daemon=True)
        talker.start()
        player = Telnet(server.getsockname()[1])
        with pytest.raises(AssertionError, match="none of"):
            player.sees("never", within_s=0.2)
        player.close()
        talker.join(10)
