"""The seam of games of text: telnet fits into it."""

from __future__ import annotations

import inspect

from turnwright.net.lines import LineConnection, Lines


def test_the_application_hears_of_all_that_a_player_can_do() -> None:
    told = {name for name, member in vars(Lines).items() if inspect.isfunction(member) and name[0] != "_"}
    assert told == {"on_open", "on_line", "on_gmcp", "on_size", "on_terminal", "on_close", "listing"}


def test_a_connection_can_be_told_all_that_a_game_says() -> None:
    assert {"write", "prompt", "gmcp", "echo", "close", "abort"} <= set(vars(LineConnection))
