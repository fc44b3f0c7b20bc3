"""The server that carries out a host's effects, with real sockets on both loops and transports."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import time
from types import SimpleNamespace
from typing import Any, cast

import pytest

from packages.core.tests.net.fake_host import FakeHost
from packages.core.tests.net.fixtures import Stack, client, until
from packages.core.tests.net.raw_client import UPGRADE, RawClient, frame
from packages.core.tests.net.serving import serving
from turnwright.errors import SetupError
from turnwright.host import effects as fx
from turnwright.net.clock import now_ns
from turnwright.net.http.ports import ListenAddress
from turnwright.net.server import LiveServer

pytestmark = pytest.mark.process


def test_the_host_hears_of_every_client_message_and_farewell(stack: Stack) -> None:
    async def main() -> None:
        async with serving(stack) as (host, server):
            before_ns = now_ns()
            async with client(server.port) as raw:
                raw.say(b"hello")
                await until(lambda: host.told("receive"))
                port = raw.socket.getsockname()[1]
            await until(lambda: host.told("disconnect"))
            [(conn, address, peer_port, at_ns, listener)] = host.told("connect")
            assert (address, peer_port, listener) == ("127.0.0.1", port, "")
            assert before_ns <= at_ns <= now_ns()
            assert host.told("receive")[0][:2] == (conn, b"hello")
            assert host.told("disconnect")[0][0] == conn

    stack.run(main())


def test_effects_are_carried_out_in_order_until_none_is_left(stack: Stack) -> None:
    async def main() -> None:
        async with serving(stack) as (host, server):
            host.on["connect"] = lambda conn, *_: host.do(
                fx.Send(conn, b"one"), fx.SendTurn([conn, 99], [b"two", b"nobody"]), fx.Send(conn, b"three")
            )
            host.on["turn_sent"] = lambda _: host.do(fx.Publish((1,), b"four"), fx.Close(1, 1000, "done"))
            async with client(server.port) as raw:
                assert [await raw.hear() for _ in range(4)] == [b"one", b"two", b"three", b"four"]
                assert await raw.farewell() == (1000, "done")

    stack.run(main())


def test_each_observation_is_stamped_after_it_was_written(stack: Stack) -> None:
    async def main() -> None:
        async with serving(stack) as (host, server):
            clients = [await RawClient.connect(server.port) for _ in range(20)]
            conns = [conn for conn, *_ in host.told("connect")]
            host.on["receive"] = lambda *_: host.do(fx.SendTurn(conns, [b"x" * 700] * 20))
            for _ in range(10):
                before_ns = now_ns()
                clients[0].say(b"go")
                for raw in clients:
                    assert await raw.hear() == b"x" * 700
                [stamps] = host.told("turn_sent")[-1]
                assert before_ns <= stamps[0]
                assert stamps == sorted(stamps)
                assert len(stamps) == 20
            spreads = [stamps[-1] - stamps[0] for (stamps,) in host.told("turn_sent")]
            assert min(spreads) < 5_000_000
            for raw in clients:
                raw.abort()

    stack.run(main())


def test_the_alarm_that_the_host_asks_for_rings_once_and_never_early(stack: Stack) -> None:
    async def main() -> None:
        async with serving(stack) as (host, server):
            due = now_ns() + 30_000_000
            host.on["connect"] = lambda *_: host.do(fx.SetAlarm(due - 20_000_000), fx.SetAlarm(due))
            async with client(server.port):
                await until(lambda: host.told("wake"))
                await asyncio.sleep(0.02)
                [(rang,)] = host.told("wake")
                assert due <= rang

    stack.run(main())


def plain_clients(port: int, count: int) -> list[socket.socket]:
    """Upgraded blocking sockets: their messages are in the server's kernel buffer immediately."""
    return [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]


async def upgraded(sockets: list[socket.socket], port: int) -> None:
    request = UPGRADE.format(path="/", host=f"localhost:{port}", connection="Upgrade", extra="").encode()
    loop = asyncio.get_running_loop()
    for sock in sockets:
        sock.sendall(request)
    for sock in sockets:
        sock.setblocking(False)
        await loop.sock_recv(sock, 1_000)
        sock.setblocking(True)


@pytest.mark.parametrize("size", [10, 60_000])
@pytest.mark.parametrize("occasion", ["alarm", "message", "callback"])
def test_messages_received_before_a_drain_are_read_before_it_ends(
    stack: Stack, occasion: str, size: int
) -> None:
    """The loop is held up while 49 clients answer. No answer may be missing when the host gets them."""

    async def main() -> None:
        async with serving(stack) as (host, server):
            sockets = plain_clients(server.port, 50)
            await upgraded(sockets, server.port)
            await until(lambda: len(host.told("connect")) == 50)
            seen: list[int] = []
            host.on["pending_read"] = lambda _: seen.append(len(host.told("receive")))

            def stall(*_: object) -> None:
                host.on.pop("receive", None)
                for sock in sockets[1:]:
                    sock.sendall(frame(b"x" * size) * 2)
                time.sleep(0.005)
                host.do(fx.ReadPending())

            host.on["wake"] = stall
            host.on["receive"] = (lambda *_: host.do(fx.SetAlarm(1))) if occasion == "alarm" else stall
            if occasion == "callback":
                server.connect_local(lambda _: None).send(b"go")
            else:
                sockets[0].sendall(frame(b"go"))
            await until(lambda: seen)
            assert seen == [1 + 49 * 2]
            for sock in sockets:
                sock.close()

    stack.run(main())


def test_soon_comes_after_everything_that_was_read_with_it(stack: Stack) -> None:
    async def main() -> None:
        async with serving(stack) as (host, server):
            sockets = plain_clients(server.port, 20)
            await upgraded(sockets, server.port)
            await until(lambda: len(host.told("connect")) == 20)
            seen: list[int] = []
            host.on["inputs_read"] = lambda _: seen.append(len(host.told("receive")))

            def first(*_: object) -> None:
                if len(host.told("receive")) == 1:
                    host.do(fx.CallSettled())

            host.on["receive"] = first
            for sock in sockets:
                sock.sendall(frame(b"answer"))
            await until(lambda: seen)
            assert seen == [20]
            for sock in sockets:
                sock.close()

    stack.run(main())


def test_an_exception_out_of_the_host_ends_one_connection_and_the_server_lives(
    stack: Stack, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        async with serving(stack) as (host, server):

            def fail_on_bad(_conn: int, data: bytes, _now: int) -> None:
                if data == b"bad":
                    raise ZeroDivisionError("a defect")
                host.do(fx.Send(_conn, b"still here"))

            host.on["receive"] = fail_on_bad
            async with client(server.port) as good, client(server.port) as bad:
                bad.say(b"bad")
                assert (await bad.farewell())[0] == 1011
                good.say(b"good")
                assert await good.hear() == b"still here"

    stack.run(main())
    assert "a defect" in caplog.text


@pytest.mark.parametrize("where", ["disconnect", "wake", "inputs_read", "pending_read", "turn_sent", "abort"])
def test_the_server_survives_an_exception_anywhere_in_the_host(
    stack: Stack, where: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        async with serving(stack) as (host, server):

            def fail(*_: object) -> None:
                raise ZeroDivisionError("a defect")

            host.on[where] = fail
            host.on["receive"] = lambda conn, *_: host.do(
                fx.SetAlarm(1),
                fx.CallSettled(),
                fx.ReadPending(),
                fx.SendTurn([conn], [b"tick"]),
                fx.Send(conn, b"after"),
            )
            for _ in range(2):
                async with client(server.port) as raw:
                    raw.say(b"go")
                    assert [await raw.hear(), await raw.hear()] == [b"tick", b"after"]
            await until(lambda: len(host.told("pending_read")) == 2 and len(host.told("disconnect")) == 2)

    stack.run(main())
    assert "a defect" in caplog.text


def test_a_client_that_the_host_fails_to_take_in_is_closed_with_1011(stack: Stack) -> None:
    async def main() -> None:
        async with serving(stack) as (host, server):
            host.on["connect"] = lambda *_: [][0]
            async with client(server.port) as raw:
                assert (await raw.farewell())[0] == 1011
            host.on["connect"] = lambda conn, *_: host.do(fx.Send(conn, b"welcome"))
            async with client(server.port) as raw:
                assert await raw.hear() == b"welcome"

    stack.run(main())


def test_a_local_connection_is_like_any_other_without_a_socket(stack: Stack) -> None:
    async def main() -> None:
        async with serving(stack) as (host, server):
            host.on["receive"] = lambda conn, data, _: host.do(fx.SendTurn([conn], [data.upper()]))
            heard: list[bytes] = []
            ends: list[tuple[int, str]] = []
            link = server.connect_local(heard.append, lambda code, reason: ends.append((code, reason)))
            for n in range(100):
                link.send(b"m%d" % n)
            assert heard == []
            await until(lambda: len(heard) == 100)
            assert heard == [b"M%d" % n for n in range(100)]
            [(conn, address, port, *_)] = host.told("connect")
            assert (address, port) == (link.peer.host, link.peer.port)
            host.on["receive"] = lambda conn, *_: host.do(fx.Close(conn, 1008, "no"))
            link.send(b"x")
            link.send(b"not heard")
            await until(lambda: ends)
            assert ends == [(1008, "no")]
            assert host.told("disconnect")[0][0] == conn
            assert host.told("receive")[-1][1] == b"x"

    stack.run(main())


def test_stop_says_1001_to_everyone_tells_the_host_and_frees_the_port(stack: Stack) -> None:
    async def main() -> None:
        ends: list[tuple[int, str]] = []
        async with serving(stack) as (host, server):
            port = server.port
            server.connect_local(lambda _: None, lambda *end: ends.append(end))
            async with client(port) as raw:
                await until(lambda: len(host.told("connect")) == 2)
                stopping = asyncio.ensure_future(server.stop())
                assert await raw.farewell() == (1001, "the server is stopping")
                raw.write(frame(b"\x03\xe9", 8))
                raw.writer.write_eof()
                await stopping
            assert host.told("abort")
            assert len(host.told("disconnect")) == 2
            assert ends == [(1001, "the server is stopping")]
        async with serving(stack, address=ListenAddress(port=port)) as (_, again):
            assert again.port == port

    stack.run(main())


def test_a_taken_port_is_reported_to_the_operator_in_one_line_and_leaves_nothing(stack: Stack) -> None:
    async def main() -> None:
        async with serving(stack) as (_, server):
            with pytest.raises(SetupError, match=f"port {server.port} .* is taken"):
                await LiveServer(FakeHost(), ListenAddress(port=server.port)).start()

    stack.run(main())


def test_both_loopback_addresses_answer_for_localhost(stack: Stack) -> None:
    async def main() -> None:
        async with serving(stack) as (host, server):
            for address in ("127.0.0.1", "::1"):
                try:
                    reader, writer = await asyncio.open_connection(address, server.port)
                except OSError:
                    assert address == "::1", "only IPv6 may be missing"
                    continue
                name = f"[{address}]" if ":" in address else address
                request = UPGRADE.format(path="/", host=f"{name}:1", connection="Upgrade", extra="")
                writer.write(request.encode())
                assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
                assert host.told("connect")[-1][1] == address
                writer.transport.abort()

    stack.run(main())


class FakeArchive:
    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def open(self, battle: int, header: Any, line: bytes) -> None:
        self.calls.append(("open", battle, header, line))

    def turn(self, battle: int, entry: Any, line: bytes) -> None:
        self.calls.append(("turn", battle, entry, line))

    def close(self, battle: int, footer: Any, line: bytes) -> None:
        self.calls.append(("close", battle, footer, line))


def test_records_go_to_the_archive_and_the_end_of_a_battle_to_its_callback(
    stack: Stack, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "turnwright")

    async def main() -> None:
        archive = FakeArchive()
        overs: list[Any] = []
        options = {"archive": archive, "on_battle_over": lambda *over: overs.append(over)}
        thresholds, frozen = gc.get_threshold(), gc.get_freeze_count()
        async with serving(stack, **options) as (host, server):
            header: Any = object()
            host.on["connect"] = lambda conn, *_: host.do(
                fx.RecordOpen(7, header, b"1"), fx.RecordTurn(7, header, b"2"), fx.SendTurn([conn], [b"tick"])
            )
            async with client(server.port) as raw:
                await raw.hear()
                assert gc.get_threshold() != thresholds, "the collector keeps away from turns"
                host.on["receive"] = lambda *_: host.do(
                    fx.RecordClose(7, header), fx.BattleOver(7, header), fx.Log("info", "a\nb\x1b[1m")
                )
                raw.say(b"end")
                await until(lambda: overs)
            opened, turned = ("open", 7, header, b"1"), ("turn", 7, header, b"2")
            assert archive.calls == [opened, turned, ("close", 7, header, b"")]
            assert overs == [(7, header)]
            assert gc.get_threshold() == thresholds
            assert gc.get_freeze_count() == frozen

    stack.run(main())
    assert "a\\x0ab\\x1b[1m" in caplog.text


class FakeBooter:
    """Answers immediately, and records the requests."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def show(self, answer: Any) -> None:
        answer(b"list")

    def boot(self, ids: Any, answer: Any) -> None:
        self.told.append(ids)
        answer(b"started")

    def battle_began(self, seats: Any, secrets: Any, take_output: Any) -> None:
        self.told.append([seat.name for seat in seats])

    def battle_over(self) -> None:
        self.told.append("over")


def test_the_booter_is_asked_and_answers_the_operator_alone(stack: Stack) -> None:
    async def main() -> None:
        booter = FakeBooter()
        async with (
            serving(stack, booter=booter) as (host, server),
            client(server.port) as operator,
            client(server.port) as other,
        ):
            await until(lambda: len(host.told("connect")) == 2)
            conn = host.told("connect")[0][0]
            header = SimpleNamespace(seats=[SimpleNamespace(name="Duck")])
            effects: list[Any] = [
                fx.ShowDirectories(conn, b""),
                fx.StartBots(conn, ("1/Bot",), b""),
                fx.StartBots(99, ("1/Gone",), b""),
                fx.RecordOpen(1, cast(Any, header)),
                fx.BattleOver(1, cast(Any, None)),
                fx.Publish((2,), b"to all"),
            ]
            host.on["receive"] = lambda *_: host.do(*effects)
            other.say(b"go")
            assert [await operator.hear() for _ in range(2)] == [b"list", b"started"]
            assert await other.hear() == b"to all"
            assert booter.told == [("1/Bot",), ("1/Gone",), ["Duck"], "over"]

    stack.run(main())


def test_a_server_that_starts_no_bots_refuses_to_start_one(stack: Stack) -> None:
    async def main() -> None:
        async with serving(stack) as (host, server):
            host.on["connect"] = lambda conn, *_: host.do(
                fx.ShowDirectories(conn, b"none"), fx.StartBots(conn, ("1/Bot",), b"refused")
            )
            async with client(server.port) as raw:
                assert [await raw.hear() for _ in range(2)] == [b"none", b"refused"]

    stack.run(main())


def test_a_server_takes_sockets_that_are_bound_already(stack: Stack) -> None:
    async def main() -> None:
        given = socket.create_server(("127.0.0.1", 0))
        given.setblocking(False)
        port = given.getsockname()[1]
        async with serving(stack, address=ListenAddress(sockets=[given])) as (host, server):
            assert server.port == port
            async with client(port):
                await until(lambda: host.told("connect"))

    stack.run(main())
