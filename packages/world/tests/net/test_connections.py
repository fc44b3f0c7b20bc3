"""Listeners deliver lines and messages, or report a mistake in them."""

from __future__ import annotations

import pytest

from packages.core.tests.messages import missing
from turnwright_world.intent import COMMAND_CHARS_MAX
from turnwright_world.net.connections import FRAME_BYTES_MAX, LINES_MAX, read_object, split_lines
from turnwright_world.wire.clock import TimePing
from turnwright_world.wire.messages import LineCommand
from turnwright_world.wire.telnet.events import Gmcp, Notice


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"look", ["look"]),
        (b"look\n", ["look"]),
        (b"look\r\nnorth\r\n", ["look", "north"]),
        (b"", [""]),
        ("größe".encode(), ["größe"]),
        (b"half \xc3", ["half \ufffd"]),
    ],
)
def test_a_binary_message_is_lines(data: bytes, lines: list[str]) -> None:
    assert split_lines(data) == (lines, None)


@pytest.mark.parametrize("data", [b"x" * 1_000_000, b"x\n" * (LINES_MAX + 1), b"y" * 1_001])
def test_too_long_input_is_reported(data: bytes) -> None:
    lines, problem = split_lines(data)
    assert problem is not None
    assert len(lines) <= LINES_MAX
    assert all(len(line) <= 1_000 for line in lines)


def test_a_fitting_line_before_a_too_long_one_is_read() -> None:
    lines, problem = split_lines(b"look\n" + b"y" * 2_000)
    assert lines == ["look"]
    assert not missing(problem, "line", "1000 characters")


def test_a_programs_message_is_an_object_with_a_type() -> None:
    assert read_object(b'{"type":"Command","text":"look"}') == Gmcp("Command", LineCommand("look"))
    assert read_object(b'{"type":"Time.Ping","n":1,"c":2}') == Gmcp("Time.Ping", TimePing(1, 2))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"7",
        b'{"type":7}',
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"type":"Time.Ping","n":-1,"c":{}}',
    ],
)
def test_an_invalid_message_is_reported_and_raises_nothing(data: bytes) -> None:
    assert isinstance(read_object(data[:FRAME_BYTES_MAX]), Notice)


@pytest.mark.parametrize("fields", ["", ',"text":["x"]', f',"text":"{"x" * 1001}"'])
def test_a_command_with_an_invalid_text_is_reported_by_its_name(fields: str) -> None:
    found = read_object(f'{{"type":"Command"{fields}}}'.encode())
    assert isinstance(found, Notice)
    assert not missing(found.text, "Command", "text" if not fields else "$.text")


def test_a_text_of_a_command_has_as_many_characters_as_a_line() -> None:
    text = "x" * COMMAND_CHARS_MAX
    assert read_object(f'{{"type":"Command","text":"{text}"}}'.encode()) == Gmcp("Command", LineCommand(text))


@pytest.mark.parametrize("depth", [50, 500, 940, 980, 1_000, 3_000])
def test_objects_of_any_depth_are_read_or_answered(depth: int) -> None:
    nested = b"[" * depth + b"]" * depth
    for package in (b"Command", b"Time.Ping", b"Anything"):
        found = read_object(b'{"type":"' + package + b'","text":' + nested + b',"n":' + nested + b"}")
        assert isinstance(found, Notice | Gmcp)
