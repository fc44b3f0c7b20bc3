"""The telnet port with real sockets, on both event loops."""

from __future__ import annotations

import asyncio
import itertools
import socket
import sys
from collections.abc import Coroutine
from typing import Any

import pytest

from packages.core.tests.messages import missing
from packages.core.tests.net.fixtures import LOOPS, PATIENCE_S, until
from packages.world.tests.net.text_game import DEFECT, VITALS, game, player
from packages.world.tests.wire.telnet.peer import do, said, sub, will
from turnwright.host.admission import AdmissionConfig
from turnwright.net.websocket.connection import ReadThrottle
from turnwright_world.net import telnet_port as telnet
from turnwright_world.net.telnet_port import (
    BACKLOG_BYTES_MAX,
    GONE_AFTER_S,
    REFUSED_MAX,
    keep_alive,
    round_trip_us,
)
from turnwright_world.wire.messages import Hello
from turnwright_world.wire.telnet.parser import Command, Option

pytestmark = pytest.mark.process


def run(loop_name: str, main: Coroutine[Any, Any, Any]) -> None:
    with asyncio.Runner(loop_factory=LOOPS[loop_name]) as runner:
        runner.run(asyncio.wait_for(main, PATIENCE_S))


def test_the_first_bytes_come_to_a_silent_client_in_one_piece(loop_name: str) -> None:
    async def main() -> None:
        async with game() as (_, _, port), player(port) as silent:
            await silent.more()
            assert silent.screen.text == "Welcome, Zoë.\r\nName? "

    run(loop_name, main())


def test_a_line_is_answered_in_one_piece(loop_name: str) -> None:
    async def main() -> None:
        async with game() as (app, _, port), player(port) as zoe:
            await zoe.sees("Name? ")
            zoe.reads = 0
            zoe.type("Zoë\r\n".encode())
            await zoe.sees("You said: Zoë\r\n> ")
            assert zoe.reads == 1
            assert app.lines == ["Zoë"]

    run(loop_name, main())


def test_all_output_of_a_turn_is_one_write_for_each_player(loop_name: str) -> None:
    async def main() -> None:
        async with game() as (app, _, port), player(port) as one, player(port) as two:
            await one.sees("Name? ")
            await two.sees("Name? ")
            one.reads = two.reads = 0
            for connection in app.open:
                for part in ("a wolf comes\n", "it growls\n"):
                    connection.write(part)
                connection.prompt("> ")
            await one.sees("it growls\r\n> ")
            await two.sees("it growls\r\n> ")
            assert (one.reads, two.reads) == (1, 1)

    run(loop_name, main())


def test_facts_and_messages_go_both_ways_and_compressed(loop_name: str) -> None:
    async def main() -> None:
        async with game() as (app, _, port), player(port) as zoe:
            zoe.type(
                do(Option.MCCP2) + do(Option.GMCP) + will(Option.NAWS) + will(Option.TTYPE) + do(Option.MSSP)
            )
            zoe.type(sub(Option.NAWS, b"\0\x50\0\x18") + sub(Option.TTYPE, b"\0MUDLET"))
            zoe.type(sub(Option.GMCP, b'Core.Hello {"client":"Mudlet"}') + b"vitals\r\n")
            await zoe.sees("You said: vitals")
            assert app.sizes == [(80, 24)]
            assert app.terminals[-1].client == "MUDLET"
            assert app.open[0].codec.has_gmcp
            assert app.messages == [("Core.Hello", Hello("Mudlet"))]
            assert zoe.screen.compressed
            (message,) = zoe.screen.messages
            assert message == b'Char.Vitals {"hp":12,"maxhp":20,"name":"Zo\xc3\xab"}'
            assert VITALS["name"] == "Zoë"
            assert any(token for token in zoe.screen.tokens if getattr(token, "option", 0) == Option.MSSP)

    run(loop_name, main())


def test_a_farewell_arrives_before_the_end_also_when_bytes_lie_unread(loop_name: str) -> None:
    async def main() -> None:
        async with game() as (app, door, port), player(port) as zoe:
            zoe.type(do(Option.MCCP2) + b"bye\r\n" + b"more\r\n" * 100)
            await zoe.ended()
            assert zoe.screen.text.endswith("Farewell.\r\n")
            assert not zoe.screen.compressed  # the stream was ended as it should be
            zoe.writer.close()
            await until(lambda: not door.connections)
            assert app.closed == ["Farewell."]
            assert app.lines == ["bye"]

    run(loop_name, main())


@pytest.mark.parametrize("last", [b"vanish\r\n", None])
def test_an_end_is_reported_once_whichever_side_ends(loop_name: str, last: bytes | None) -> None:
    async def main() -> None:
        async with game() as (app, door, port):
            async with player(port) as zoe:
                await zoe.sees("Name? ")
                if last is not None:
                    zoe.type(last)
                    await zoe.ended()
            await until(lambda: not door.connections)
            assert len(app.closed) == 1
            assert app.closed[0].startswith("cut off" if last else ("left", "lost: "))
            assert door.callers.total == 0

    run(loop_name, main())


def test_a_door_that_closes_says_farewell_to_all(loop_name: str) -> None:
    async def main() -> None:
        async with game() as (app, door, port), player(port) as zoe:
            await zoe.sees("Name? ")
            door.close("until tomorrow")
            await zoe.ended()
            assert zoe.screen.text.endswith("until tomorrow\r\n")
            assert app.closed == ["until tomorrow"]
            with pytest.raises(OSError):
                await asyncio.open_connection("127.0.0.1", port)

    run(loop_name, main())


def test_a_defect_of_the_game_costs_that_connection_only(
    loop_name: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        async with game() as (app, _, port), player(port) as zoe, player(port) as other:
            await other.sees("Name? ")
            zoe.type(b"crash\r\nnorth\r\n")
            await zoe.ended()
            assert "something went wrong here" in zoe.screen.text
            other.type(b"look\r\n")
            await other.sees("You said: look")
            assert app.lines == ["crash", "look"]

    run(loop_name, main())
    assert DEFECT in caplog.text


def test_a_storm_of_commands_is_closed_with_a_reason_and_others_play_on(loop_name: str) -> None:
    async def main() -> None:
        async with game() as (app, _, port), player(port) as storm, player(port) as other:
            await other.sees("Name? ")
            storm.type(do(200) * 300_000)
            other.type(b"look\r\n")
            await other.sees("You said: look")
            await storm.ended()
            assert "too much at once" in storm.screen.text
            assert "too much at once" in app.closed[0]

    run(loop_name, main())


@pytest.mark.parametrize("storm", [b"\xff\xff", b"\xff\xfa\x1f", b"a\x08"])
def test_bytes_that_are_slow_to_read_leave_the_loop_to_the_others(
    loop_name: str, storm: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a clock on which each of them is slow, nothing more is read after it for a while."""
    reads: list[int] = []
    rests: list[int] = []
    clock = itertools.count(0, 2 * telnet.HEAVY_NS)
    read, rest = telnet.TelnetConnection.buffer_updated, ReadThrottle.pause

    def counted_read(self: telnet.TelnetConnection, nbytes: int) -> None:
        if nbytes >= telnet.HEAVY_BYTES:
            reads.append(len(rests))
        read(self, nbytes)

    def counted_rest(self: ReadThrottle) -> None:
        rests.append(len(reads))
        rest(self)

    monkeypatch.setattr(telnet, "now_ns", lambda: next(clock))
    monkeypatch.setattr(telnet.TelnetConnection, "buffer_updated", counted_read)
    monkeypatch.setattr(ReadThrottle, "pause", counted_rest)

    async def main() -> None:
        async with game() as (_, _, port), player(port) as stormy:
            await stormy.sees("Name? ")
            stormy.type(storm * 400_000)
            await until(lambda: len(reads) >= 5)

    run(loop_name, main())
    assert reads[:5] == list(range(5))  # never two without a rest


def test_mistakes_are_reported_and_the_connection_continues(loop_name: str) -> None:
    async def main() -> None:
        async with game() as (app, _, port), player(port) as zoe:
            zoe.type(
                do(Option.GMCP) + sub(Option.GMCP, b"Core.Hello {oops") + b"x" * 1_000_000 + b"\r\nlook\r\n"
            )
            await zoe.sees("You said: look")
            assert "[GMCP Core.Hello: " in zoe.screen.text
            assert zoe.screen.text.count("longer than 1,000 characters") == 1
            assert app.lines == ["x" * 1_000, "look"]

    run(loop_name, main())


def test_a_player_that_does_not_read_is_cut_off_and_others_continue(loop_name: str) -> None:
    async def main() -> None:
        async with game() as (app, _, port), player(port) as deaf, player(port) as other:
            await other.sees("Name? ")
            deaf.writer.transport.pause_reading()  # type: ignore[attr-defined]  # not even into memory
            for _ in range(20):
                deaf.type(b"flood\r\n")
            await until(lambda: len(app.closed) == 1)
            assert app.closed[0].startswith("does not read") or "reset" in app.closed[0]
            assert f"{BACKLOG_BYTES_MAX:,}" in app.closed[0]
            other.type(b"look\r\n")
            await other.sees("You said: look")

    run(loop_name, main())


def test_a_player_that_reads_much_output_is_not_cut_off(loop_name: str) -> None:
    async def main() -> None:
        async with game() as (app, _, port), player(port) as zoe:
            await zoe.sees("Name? ")
            for _ in range(500):
                app.open[0].write("x" * 1_000 + "\n")
                await asyncio.sleep(0)
                if app.open[0].backlog > BACKLOG_BYTES_MAX // 2:
                    await zoe.more()
            app.open[0].write("the end\n")
            await zoe.sees("the end")
            assert app.closed == []

    run(loop_name, main())


def test_too_many_connections_from_one_address_are_refused_with_a_reason(loop_name: str) -> None:
    async def main() -> None:
        gate = AdmissionConfig(connections_per_loopback_max=2)
        async with game(gate) as (app, door, port), player(port) as one, player(port) as two:
            await one.sees("Name? ")
            await two.sees("Name? ")
            async with player(port) as three:
                await three.ended()
                (told,) = three.screen.text.split("\r\n")[:-1]
                assert not missing(told, "too many connections", "127.0.0.1", 2)
            assert len(app.open) == 2
            one.writer.transport.abort()
            await until(lambda: len(app.open) == 1)
            await until(lambda: door.refusals.count == 0)
            async with player(port) as four:
                await four.sees("Name? ")

    run(loop_name, main())


def test_hundreds_of_refused_callers_take_no_places_and_players_continue(loop_name: str) -> None:
    async def main() -> None:
        gate = AdmissionConfig(connections_max=2)
        async with game(gate) as (app, door, port), player(port) as one:
            await one.sees("Name? ")
            async with player(port) as two:
                await two.sees("Name? ")
                crowd = [await asyncio.open_connection("127.0.0.1", port) for _ in range(4 * REFUSED_MAX)]
                one.type(b"look\r\n")
                await one.sees("You said: look")
                assert door.refusals.count <= REFUSED_MAX
                assert door.callers.total == 2
                for reader, _ in crowd:
                    assert not missing((await reader.read()).decode(), "full", "2 connections")
            await until(lambda: door.callers.total == 1)
            async with player(port) as three:
                await three.sees("Name? ")
            for _, writer in crowd:
                writer.transport.abort()
            await until(lambda: door.refusals.count == 0)
            assert len(app.closed) >= 1

    run(loop_name, main())


def test_an_interrupt_with_an_urgent_mark_breaks_no_command(loop_name: str) -> None:
    """telnet programs send IAC IP, IAC DM with DM as TCP's urgent byte."""

    async def main() -> None:
        async with game() as (app, _, port), player(port) as zoe:
            await zoe.sees("Name? ")
            raw: socket.socket = zoe.writer.get_extra_info("socket")
            zoe.type(b"wrong" + said(Command.INTERRUPT) + b"\xff")
            await until(lambda: zoe.writer.transport.get_write_buffer_size() == 0)
            _send_urgent(raw, bytes([Command.DATA_MARK]))
            zoe.type(b"right\r\n")
            await zoe.sees("You said: right")
            assert app.lines == ["right"]

    run(loop_name, main())


def _send_urgent(raw: socket.socket, byte: bytes) -> None:
    with socket.fromfd(raw.fileno(), socket.AF_INET, socket.SOCK_STREAM) as again:
        again.send(byte, socket.MSG_OOB)


def test_calls_after_the_end_of_a_connection_are_ignored(loop_name: str) -> None:
    async def main() -> None:
        async with game() as (app, _, port), player(port) as zoe:
            await zoe.sees("Name? ")
            connection = app.open[0]
            zoe.type(b"bye\r\n")
            await zoe.ended()
            connection.write("x")
            connection.prompt("x")
            connection.echo(False)
            connection.close("again")
            connection.abort()
            assert not connection.gmcp("Char.Vitals", {})
            await asyncio.sleep(0)
            assert app.closed == ["Farewell."]

    run(loop_name, main())


def test_a_game_may_refuse_a_visitor_immediately(loop_name: str) -> None:
    async def main() -> None:
        async with game() as (app, door, port):
            app.refuses = "not today"
            async with player(port) as zoe:
                await zoe.ended()
                assert zoe.screen.text == "not today\r\n"
            await until(lambda: not door.connections)
            assert app.closed == ["not today"]

    run(loop_name, main())


# ---- connections whose other end vanished are found out by the operating system ------------------


def test_the_operating_system_looks_after_a_connection() -> None:
    async def main() -> None:
        server = await asyncio.start_server(lambda r, w: None, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            keep_alive(writer.transport)
            connected = writer.get_extra_info("socket")
            assert connected.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
            probes = [
                connected.getsockopt(socket.IPPROTO_TCP, option)
                for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
            ]
            assert probes[0] + probes[1] * probes[2] == GONE_AFTER_S
            writer.transport.abort()

    asyncio.run(main())


def test_a_closed_connection_causes_no_error() -> None:
    class Gone:
        def get_extra_info(self, name: str) -> socket.socket:
            closed = socket.socket()
            closed.close()
            return closed

    keep_alive(Gone())  # type: ignore[arg-type]
    assert round_trip_us(Gone()) is None  # type: ignore[arg-type]


def test_the_system_knows_the_round_trip_of_a_line() -> None:
    async def main() -> tuple[int, int] | None:
        server = await asyncio.start_server(lambda r, w: None, "127.0.0.1", 0)
        async with server:
            _, writer = await asyncio.open_connection("127.0.0.1", server.sockets[0].getsockname()[1])
            measured = round_trip_us(writer.transport)
            writer.transport.abort()
            return measured

    measured = asyncio.run(main())
    if sys.platform == "linux":
        assert measured is not None
        assert 0 < measured[0] < 1_000_000
