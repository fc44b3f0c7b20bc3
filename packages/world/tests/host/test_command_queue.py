"""The queue of commands is bounded and ordered, and reports every lost command."""

from __future__ import annotations

from packages.core.tests.messages import missing
from turnwright_world.host.sessions import QUEUE_MAX, REPEATS_MAX, CommandQueue


def test_commands_are_taken_in_the_order_in_which_they_were_typed() -> None:
    buffer = CommandQueue()
    assert [buffer.put(line) for line in ("north", "dig", "south")] == [None, None, None]
    assert [buffer.take() for _ in range(4)] == ["north", "dig", "south", None]


def test_a_full_queue_refuses_the_newest_command_with_a_message() -> None:
    buffer = CommandQueue()
    for number in range(QUEUE_MAX):
        assert buffer.put(f"go {number}") is None
    refused = buffer.put("go home")
    assert not missing(refused, "'go home'", "not taken")
    assert buffer.lines() == [f"go {number}" for number in range(QUEUE_MAX)]


def test_the_same_line_is_refused_after_some_repeats_until_another_comes() -> None:
    buffer = CommandQueue()
    for _ in range(REPEATS_MAX):
        assert buffer.put("dig") is None
    assert "waits 4 times already" in (buffer.put("dig") or "")
    assert buffer.put("north") is None
    assert buffer.put("dig") is None


def test_a_purge_empties_the_queue_immediately_and_returns_its_commands() -> None:
    buffer = CommandQueue()
    buffer.put("north")
    buffer.put("dig")
    before = buffer.version
    assert buffer.purge() == ["north", "dig"]
    assert (len(buffer), buffer.take()) == (0, None)
    assert buffer.version > before
    assert buffer.purge() == []
    assert buffer.version == before + 1
