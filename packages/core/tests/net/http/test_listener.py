"""The listener handles a connection until it becomes a WebSocket."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from functools import partial

import pytest

from packages.core.tests.messages import missing
from packages.core.tests.net.echo import Recorder
from packages.core.tests.net.fixtures import PATIENCE_S, Stack, client, listening, until
from packages.core.tests.net.raw_client import UPGRADE, RawClient
from turnwright.host.admission import AdmissionConfig
from turnwright.host.proxies import Proxies
from turnwright.net.http import listener as front
from turnwright.net.http.ports import bind
from turnwright.net.http.request import HttpResponse
from turnwright.net.websocket.connection import attach

pytestmark = pytest.mark.process


async def ask(port: int, request: bytes) -> bytes:
    """Send a request and return the whole answer."""
    raw = await RawClient.open(port)
    raw.write(request)
    answer = await raw.reader.read()
    raw.abort()
    return answer


def upgrade(host: str = "localhost", extra: str = "") -> bytes:
    return UPGRADE.format(path="/", host=host, connection="Upgrade", extra=extra).encode()


def test_plain_http_is_answered_on_the_same_port(stack: Stack) -> None:
    async def main() -> None:
        async with listening() as (app, port):
            answer = await ask(port, b"GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
            assert answer.endswith(b"\r\n\r\nGET /page")
            assert b"\r\nX-Test: 1\r\n" in answer
            answer = await ask(
                port, b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\n" + b"x" * 99_999
            )
            assert answer.endswith(b"POST /")
            assert app.requests == [("GET", "/page"), ("POST", "/")]
            assert app.open == []

    stack.run(main())


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        pytest.param(b"nonsense\r\n\r\n", 400, id="nonsense"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400, id="TLS"),
        pytest.param(b"GET / HTTP/1.1\r\n\r\n", 400, id="no host"),
        pytest.param(upgrade("evil.example"), 403, id="foreign name"),
        pytest.param(upgrade(extra="Origin: http://evil.example\r\n"), 403, id="foreign page"),
        pytest.param(upgrade().replace(b": 13", b": 8"), 426, id="old version"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 9_000, 431, id="endless head"),
        pytest.param(
            b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 9_000 + b"\r\n\r\n", 431, id="long head"
        ),
    ],
)
def test_a_refused_request_gets_one_line(stack: Stack, request_bytes: bytes, status: int) -> None:
    async def main() -> None:
        async with listening() as (app, port):
            answer = await ask(port, request_bytes)
            assert answer.startswith(f"HTTP/1.1 {status} ".encode())
            body = answer.partition(b"\r\n\r\n")[2]
            assert body.count(b"\n") == 1
            assert app.open == []

    stack.run(main())


def test_a_page_of_this_server_may_connect(stack: Stack) -> None:
    async def main() -> None:
        async with listening() as (_, port):
            origin = f"Origin: http://localhost:{port}\r\n"
            async with client(port, extra=origin) as raw:
                raw.say(b"hello")
                assert await raw.hear() == b"hello"

    stack.run(main())


def test_the_system_limit_bounds_the_number_of_connections(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front, "make_room", lambda wanted: front.OVERFLOW_MAX + 1)

    async def main() -> None:
        async with listening(AdmissionConfig(connections_max=100)) as (_, port), client(port):
            answer = await ask(port, upgrade())
            assert answer.startswith(b"HTTP/1.1 503 ")
            assert b"1 connections" in answer

    stack.run(main())


def test_connections_above_the_limits_are_turned_away_until_one_leaves(stack: Stack) -> None:
    async def main() -> None:
        async with listening(AdmissionConfig(connections_per_loopback_max=3)) as (app, port):
            inside = [await RawClient.connect(port) for _ in range(3)]
            answer = await ask(port, upgrade())
            assert answer.startswith(b"HTTP/1.1 429 ")
            assert b"\r\nRetry-After: 10\r\n" in answer
            inside[0].abort()
            await until(lambda: app.front.callers.total == 2)
            inside[0] = await RawClient.connect(port)
            for raw in inside:
                raw.abort()
        async with listening(AdmissionConfig(connections_max=1)) as (_, port), client(port):
            assert (await ask(port, upgrade())).startswith(b"HTTP/1.1 503 ")

    stack.run(main())


def test_silent_clients_take_only_the_places_of_their_address(stack: Stack) -> None:
    async def main() -> None:
        gate = AdmissionConfig(connections_max=4, connections_per_loopback_max=2)
        async with listening(gate) as (app, port):
            here = ("127.0.0.2", 0)
            calls = [asyncio.open_connection("127.0.0.1", port, local_addr=here) for _ in range(200)]
            silent = [RawClient(*await call) for call in calls]
            await until(lambda: app.front.callers.total == 2)
            for raw in silent[2:]:
                assert b"127.0.0.2: 2" in await raw.reader.read()
            assert app.front.refusals.count <= front.OVERFLOW_MAX
            async with client(port):
                assert app.front.callers.total == 3
            for raw in silent:
                raw.abort()
            await until(lambda: app.front.callers.total == 0 and app.front.refusals.count == 0)

    stack.run(main())


def forwarded(*said: str) -> str:
    return "".join(f"X-Forwarded-For: {one}\r\n" for one in said)


BEHIND = AdmissionConfig(
    connections_per_address_max=2, connections_per_loopback_max=3, proxies=Proxies.named(["localhost"])
)


def test_behind_a_trusted_proxy_each_visitor_has_places_of_his_own(stack: Stack) -> None:
    async def main() -> None:
        async with listening(BEHIND) as (app, port):
            inside = []
            for visitor in ("203.0.113.1", "203.0.113.2", "203.0.113.3"):
                for _ in range(2):
                    inside.append(await RawClient.connect(port, extra=forwarded(visitor)))
                answer = await ask(port, upgrade(extra=forwarded(visitor)))
                assert answer.startswith(b"HTTP/1.1 429 ")
                assert f"from {visitor}: 2 are open".encode() in answer
            assert {peer.host for peer in app.peers} == {"203.0.113.1", "203.0.113.2", "203.0.113.3"}
            assert len(set(app.peers)) == 6, "each has an address of its own, host and port together"
            inside[0].abort()
            await until(lambda: app.front.callers.total == 5)
            inside[0] = await RawClient.connect(port, extra=forwarded("203.0.113.1"))
            for raw in inside:
                raw.abort()
            await until(lambda: app.front.callers.total == 0)

    stack.run(main())


@pytest.mark.parametrize("forged", ["127.0.0.1", "198.51.100.7", "unknown", "127.0.0.1, ::1"])
def test_a_visitor_who_forges_the_header_keeps_the_real_address(stack: Stack, forged: str) -> None:
    async def main() -> None:
        async with listening(BEHIND) as (app, port):
            said = (forwarded(f"{forged}, 203.0.113.1"), forwarded(forged, "203.0.113.1"))
            inside = [await RawClient.connect(port, extra=extra) for extra in said]
            answer = await ask(port, upgrade(extra=forwarded(f"{forged}, 203.0.113.1")))
            assert b"from 203.0.113.1: 2 are open" in answer
            assert {peer.host for peer in app.peers} == {"203.0.113.1"}
            for raw in inside:
                raw.abort()

    stack.run(main())


def test_without_a_trusted_proxy_the_header_says_nothing(stack: Stack) -> None:
    async def main() -> None:
        async with listening(AdmissionConfig(connections_per_loopback_max=1)) as (app, port):
            raw = await RawClient.connect(port, extra=forwarded("203.0.113.1"))
            answer = await ask(port, upgrade(extra=forwarded("203.0.113.2")))
            assert b"from 127.0.0.1: 1 are open" in answer
            assert app.peers[0].host == "127.0.0.1"
            raw.abort()

    stack.run(main())


def test_a_proxy_that_names_no_address_is_refused_with_a_reason(stack: Stack) -> None:
    async def main() -> None:
        async with listening(BEHIND) as (app, port):
            answer = await ask(port, upgrade(extra=forwarded("unix:")))
            assert answer.startswith(b"HTTP/1.1 400 ")
            assert not missing(answer.decode(), "X-Forwarded-For", "'unix:'")
            assert not app.peers
            await until(lambda: app.front.callers.total == 0)

    stack.run(main())


def test_far_above_the_limit_all_get_a_reason_and_few_are_waited_for(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front, "OVERFLOW_MAX", 2)

    async def main() -> None:
        async with listening(AdmissionConfig(connections_max=1)) as (app, port):
            waiting = [await RawClient.open(port) for _ in range(6)]
            for raw in waiting[1:]:
                assert not missing((await raw.reader.read()).decode(), "full", "1 connections")
            assert not waiting[0].reader.at_eof()
            assert app.front.refusals.count <= 2
            for raw in waiting:
                raw.abort()

    stack.run(main())


def test_a_proxys_callers_far_above_the_limit_are_not_even_heard(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front, "OVERFLOW_MAX", 2)
    gate = AdmissionConfig(connections_max=1, proxies=Proxies.named(["localhost"]))

    async def main() -> None:
        async with listening(gate) as (_, port):
            waiting = [await RawClient.open(port) for _ in range(6)]
            assert [await waiting[n].reader.read() for n in (3, 4, 5)] == [b""] * 3
            assert not waiting[0].reader.at_eof()
            for raw in waiting:
                raw.abort()

    stack.run(main())


class Slow(Recorder):
    """Answers requests for records in a thread, and only after `go` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()
        self.threads: list[str] = []

    def on_http(self, method: str, path: str, headers: Mapping[str, str]) -> HttpResponse:
        self.threads.append(threading.current_thread().name)
        if path.startswith("/records"):
            assert self.go.wait(PATIENCE_S)
        return super().on_http(method, path, headers)


GET_RECORD = b"GET /records/x.twr HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_a_record_on_a_slow_disk_delays_no_other_client(stack: Stack) -> None:
    async def main() -> None:
        async with listening(application=Slow()) as (app, port):
            asking = [await RawClient.open(port) for _ in range(2)]
            asking[0].write(GET_RECORD)
            asking[1].write(GET_RECORD + b"more")
            await until(lambda: len(app.threads) == 2)
            asking[0].writer.write_eof()
            page = b"GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n"
            assert (await ask(port, page)).endswith(b"GET /page")
            app.go.set()
            for raw in asking:
                assert (await raw.reader.read()).endswith(b"GET /records/x.twr")
                raw.abort()
            main_thread = threading.current_thread().name
            assert [name == main_thread for name in app.threads] == [False, False, True]

    stack.run(main())


def test_a_client_that_leaves_while_a_record_is_read_does_no_harm(
    stack: Stack, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        async with listening(application=Slow()) as (app, port):
            raw = await RawClient.open(port)
            raw.write(GET_RECORD)
            await until(lambda: app.threads)
            raw.abort()
            await asyncio.sleep(0)
            app.go.set()
            await until(lambda: app.requests)
            assert (await ask(port, GET_RECORD)).startswith(b"HTTP/1.1 200 ")
            await until(lambda: app.front.callers.total == 0)
            assert app.front.read_bytes == 0

    stack.run(main())
    assert not caplog.records


def test_a_record_that_cannot_be_read_is_the_servers_failure_and_its_alone(
    stack: Stack, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(Recorder):
        def on_http(self, method: str, path: str, headers: Mapping[str, str]) -> HttpResponse:
            raise OSError("the disk is gone")

    async def main() -> None:
        async with listening(application=Broken()) as (app, port):
            assert (await ask(port, GET_RECORD)).startswith(b"HTTP/1.1 500 ")
            await until(lambda: app.front.callers.total == 0)

    stack.run(main())
    assert not missing(caplog.text, "record", "not be read")


def test_records_on_their_way_have_a_bound_together(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    size = len("GET /records/x.twr")
    monkeypatch.setattr(front, "READ_BYTES_MAX", 2 * size)

    async def main() -> None:
        async with listening() as (app, port):
            holders = [await RawClient.open(port) for _ in range(2)]
            for raw in holders:
                raw.write(GET_RECORD)
                assert (await raw.reader.read()).endswith(b"GET /records/x.twr")
            refused = await ask(port, GET_RECORD)
            assert refused.startswith(b"HTTP/1.1 503 ")
            assert b"Retry-After: 5" in refused
            holders[0].abort()
            await until(lambda: app.front.read_bytes == size)
            assert (await ask(port, GET_RECORD)).startswith(b"HTTP/1.1 200 ")
            holders[1].abort()

    stack.run(main())


def test_a_client_without_a_complete_request_is_refused_in_time(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front, "HEAD_WAIT_S", 0.1)

    async def main() -> None:
        async with listening() as (_, port):
            silent, dripping = await RawClient.open(port), await RawClient.open(port)
            for byte in b"GET / HT":
                dripping.write(bytes([byte]))
                await asyncio.sleep(0.02)
            assert (await silent.reader.read()).startswith(b"HTTP/1.1 408 ")
            assert (await dripping.reader.read()).startswith(b"HTTP/1.1 408 ")
            async with client(port) as raw:
                await asyncio.sleep(0.15)
                raw.say(b"who came in stays")
                assert await raw.hear() == b"who came in stays"

    stack.run(main())


def test_a_door_that_closes_sends_waiting_visitors_away_and_leaves_no_count(stack: Stack) -> None:
    async def main() -> None:
        async with listening() as (app, port):
            waiting = await RawClient.open(port)
            left_early = await RawClient.open(port)
            left_early.abort()
            await asyncio.sleep(0.01)
            async with client(port):
                await until(lambda: app.open)
        assert (await waiting.reader.read()).startswith(b"HTTP/1.1 503 ")
        waiting.abort()

    stack.run(main())


def test_every_way_out_is_counted(stack: Stack) -> None:
    async def main() -> None:
        app = Recorder()
        entrance = front.Listener(app.on_http, partial(attach, app), AdmissionConfig())
        sockets = bind("127.0.0.1", 0)
        port = sockets[0].getsockname()[1]
        await entrance.open(sockets)
        for _ in range(3):
            await ask(port, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await ask(port, upgrade("evil.example"))
            (await RawClient.open(port)).abort()
            async with client(port) as raw:
                raw.write(b"\x81\x00")  # not masked
                await raw.farewell()
            async with client(port):
                await until(lambda: app.open)
                app.open[0].close(1000)
        await until(lambda: entrance.callers.total == 0)
        assert not entrance.requests
        assert entrance.callers.total == 0
        entrance.close()

    stack.run(main())


@pytest.mark.parametrize("failing", ["hand_over", "_feed"])
def test_a_transport_that_fails_costs_one_connection(
    stack: Stack, failing: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a defect")

    async def main() -> None:
        async with listening() as (_, port):
            with monkeypatch.context() as patch:
                patch.setattr(f"turnwright.net.websocket.connection.{failing}", fail)
                assert await ask(port, upgrade()) == b""
            async with client(port) as raw:
                raw.say(b"next")
                assert await raw.hear() == b"next"

    stack.run(main())
    assert "a defect" in caplog.text
