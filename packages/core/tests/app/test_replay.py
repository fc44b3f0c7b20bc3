from __future__ import annotations

import asyncio
import http.client
import socket

import pytest

from packages.core.tests.messages import missing
from packages.core.tests.net.fixtures import Stack
from packages.core.tests.net.raw_client import UPGRADE, RawClient
from turnwright.app.replay import PageServer
from turnwright.errors import SetupError
from turnwright.net.http.pages import Pages
from turnwright.net.http.viewer_files import StaticFile

pytestmark = pytest.mark.process
PAGES = Pages({"viewer/index.html": StaticFile(b"<p>", "text/html; charset=utf-8", '"1"')})
Answer = tuple[int, dict[str, str], bytes]


def ask_all(loop_name: str, *asked: tuple[str, str], home: str = "/") -> list[Answer]:
    """Start a server, request these pages (method, path), and return its answers."""
    answers: list[Answer] = []

    def ask(port: int) -> None:
        for method, path in asked:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request(method, path)
            answer = connection.getresponse()
            answers.append((answer.status, dict(answer.getheaders()), answer.read()))
            connection.close()

    async def main() -> None:
        server = PageServer(PAGES, home=home)
        await server.start()
        assert server.origin == f"http://127.0.0.1:{server.port}"
        try:
            await asyncio.to_thread(ask, server.port)
        finally:
            await server.stop()

    Stack(loop_name).run(main())
    return answers


def test_only_pages_are_served(loop_name: str) -> None:
    asked = [("GET", "/"), ("HEAD", "/"), ("POST", "/"), ("GET", "/metrics"), ("GET", "/records.json")]
    answers = ask_all(loop_name, *asked)
    assert [status for status, _, _ in answers] == [200, 200, 405, 404, 200]
    assert [body for _, _, body in answers][:2] == [b"<p>", b""]
    assert "script-src 'self'" in answers[0][1]["Content-Security-Policy"]


def test_the_bare_address_leads_to_the_record(loop_name: str) -> None:
    home = "/?replay=/records/a.twr"
    first, second = ask_all(loop_name, ("GET", "/"), ("GET", home), home=home)
    assert (first[0], first[1]["Location"]) == (302, home)
    assert second[0] == 200


def test_a_program_that_wants_to_play_learns_that_only_pages_are_served(loop_name: str) -> None:
    async def main() -> bytes:
        server = PageServer(PAGES)
        await server.start()
        raw = await RawClient.open(server.port)
        upgrade = UPGRADE.format(path="/", host="127.0.0.1", connection="Upgrade", extra="")
        raw.write(upgrade.encode())
        answer = await raw.reader.read()
        raw.abort()
        await server.stop()
        return answer

    answer = Stack(loop_name).run(main())
    assert answer.startswith(b"HTTP/1.1 404 ")
    assert not missing(answer.decode(), "pages", "no battles")


def test_a_taken_port_is_reported_in_one_line(loop_name: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SetupError, match=f"port {port} on 127.0.0.1 is taken"):
            Stack(loop_name).run(PageServer(PAGES, port).start())
