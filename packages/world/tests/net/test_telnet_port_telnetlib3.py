"""telnetlib3's client, a telnet implementation that is not ours, plays over our telnet port."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest

from packages.core.tests.net.fixtures import until
from packages.world.tests.net.text_game import VITALS, Game, game
from turnwright_world.net.telnet_port import TelnetPort
from turnwright_world.wire.messages import Hello
from turnwright_world.wire.telnet.events import Terminal

telnetlib3 = pytest.importorskip("telnetlib3", reason='no telnetlib3: pip install -e ".[dev]"')

pytestmark = [pytest.mark.process, pytest.mark.peer]


class Client:
    """The client, the text that it has shown, and the messages that it was sent."""

    def __init__(self, reader: Any, writer: Any) -> None:
        self.reader, self.writer = reader, writer
        self.seen = ""
        self.messages: list[tuple[str, Any]] = []
        writer.set_ext_callback(telnetlib3.telopt.GMCP, lambda *message: self.messages.append(message))

    async def sees(self, text: str) -> None:
        while text not in self.seen:
            data = await asyncio.wait_for(self.reader.read(65_536), 60)
            assert data, f"it ended with {self.seen!r}"
            self.seen += data


@asynccontextmanager
async def connected(**settings: Any) -> AsyncIterator[tuple[Client, Game, TelnetPort]]:
    async with game() as (app, door, port):
        reader, writer = await telnetlib3.open_connection(
            "127.0.0.1", port, encoding="utf8", cols=91, rows=33, term="xterm-256color",
            connect_minwait=0.05, connect_maxwait=2.0, **settings,
        )  # fmt: skip
        try:
            yield Client(reader, writer), app, door
        finally:
            writer.close()


def run(main: Coroutine[Any, Any, Any]) -> None:
    asyncio.run(asyncio.wait_for(main, 30))


def test_the_client_sees_the_greeting_and_types_lines_in_utf_8() -> None:
    async def main() -> None:
        async with connected() as (client, app, _):
            await client.sees("Welcome, Zoë.\r\nName? ")
            client.writer.write("grüß dich ☃\r\n")
            await client.sees("You said: grüß dich ☃")
            assert app.lines == ["grüß dich ☃"]

    run(main())


def test_the_client_reports_its_window_and_its_terminal() -> None:
    async def main() -> None:
        async with connected() as (client, app, _):
            await client.sees("Name? ")
            await until(lambda: app.sizes == [(91, 33)])
            await until(lambda: app.terminals and app.terminals[-1] == Terminal("XTERM-256COLOR"))

    run(main())


def test_the_client_and_the_game_send_each_other_gmcp() -> None:
    async def main() -> None:
        async with connected() as (client, app, _):
            await client.sees("Name? ")
            client.writer.send_gmcp("Core.Hello", {"client": "oracle", "version": "5"})
            await until(lambda: ("Core.Hello", Hello("oracle", "5")) in app.messages)
            client.writer.write("vitals\r\n")
            await client.sees("You said: vitals")
            assert client.messages == [("Char.Vitals", VITALS)]

    run(main())


@pytest.mark.parametrize(("compression", "compressed"), [(None, True), (False, False)])
def test_the_client_reads_a_stream_compressed_or_not(compression: bool | None, compressed: bool) -> None:
    async def main() -> None:
        async with connected(compression=compression) as (client, app, door):
            await client.sees("Name? ")
            for turn in range(20):
                app.open[0].write(f"turn {turn} is over\n")
                await client.sees(f"turn {turn} is over")
            (connection,) = door.connections
            assert connection.codec.compressed is compressed
            client.writer.write("bye\r\n")
            await client.sees("Farewell.")

    run(main())


def test_a_client_learns_when_not_to_show_the_input() -> None:
    async def main() -> None:
        async with connected() as (client, _, _):
            for _ in range(2):
                client.writer.write("secret\r\n")
                await client.sees("Passphrase: ")
                assert client.writer.will_echo
                client.writer.write("shown\r\n")
                await client.sees("You said: shown")
                assert not client.writer.will_echo
                client.seen = ""

    run(main())


def test_the_client_agrees_on_utf_8_and_on_marks_after_prompts() -> None:
    async def main() -> None:
        async with connected() as (client, app, door):
            await client.sees("Name? ")
            (connection,) = door.connections
            client.writer.write("look\r\n")
            await client.sees("You said: look")
            assert connection.codec.encoding == "utf-8"
            assert client.writer.remote_option.enabled(telnetlib3.telopt.EOR)
            assert app.closed == []

    run(main())
