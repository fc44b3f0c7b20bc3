from __future__ import annotations

import asyncio
import os

import pytest

from turnwright.net.processes.output_to_log import (
    LINE_BYTES_MAX,
    LINES_BURST,
    PrintedLines,
    log_printed,
)


def test_lines_that_come_in_pieces_are_logged_whole(caplog: pytest.LogCaptureFixture) -> None:
    printed = PrintedLines("table x")
    for piece in (b"on", b"e\ntw", b"o\r\n\n  \nthr", b"\xff\xe4"):
        printed.data_received(piece)
    printed.connection_lost(None)
    assert caplog.messages == [f"table x prints: {line}" for line in ("one", "two", "thr\ufffd\ufffd")]


@pytest.mark.parametrize("size", [LINE_BYTES_MAX - 1, LINE_BYTES_MAX, LINE_BYTES_MAX + 1, 1 << 20])
def test_a_line_is_logged_up_to_its_limit(size: int, caplog: pytest.LogCaptureFixture) -> None:
    printed = PrintedLines("t")
    for _ in range(2):
        for at in range(0, size, 65_536):
            printed.data_received(b"x" * min(65_536, size - at))
        printed.data_received(b"\n")
    assert caplog.messages == [f"t prints: {'x' * min(size, LINE_BYTES_MAX)}"] * 2


@pytest.mark.parametrize("lines", [LINES_BURST - 1, LINES_BURST, LINES_BURST + 1, 100_000])
def test_more_lines_than_a_burst_are_counted_and_nothing_more(
    lines: int, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwright.net.processes.output_to_log.now_ns", lambda: 10**12)
    printed = PrintedLines("t")
    printed.data_received(b"a\n" * lines)
    printed.connection_lost(None)
    left_out = [f"t prints too much: {lines - LINES_BURST} lines were dropped"] if lines > LINES_BURST else []
    assert caplog.messages == ["t prints: a"] * min(lines, LINES_BURST) + left_out


@pytest.mark.process
def test_a_pipe_is_read_until_it_ends_however_much_comes(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        reading, writing = os.pipe()
        pipe = await log_printed(reading, "t")
        with os.fdopen(writing, "wb") as stream:
            await asyncio.to_thread(stream.write, b"y\n" * 100_000)
        while "prints too much" not in caplog.text:
            await asyncio.sleep(0.01)
        pipe.close()

    asyncio.run(main())
    assert len(caplog.messages) < 2 * LINES_BURST
