from __future__ import annotations

import json
from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from turnwright.net.files.record_list import RecordList
from turnwright.net.http.pages import PAGE_POLICY, STALL_NS_MAX, Pages, answer
from turnwright.net.http.request import NOTHING, HttpResponse, encode
from turnwright.net.http.viewer_files import StaticFile

JS = "text/javascript; charset=utf-8"
VIEWER = {
    "viewer/index.html": StaticFile(b"<!doctype html>", "text/html; charset=utf-8", '"1"'),
    "games/tank/view/panels/log.js": StaticFile(b"export const a = 1;", JS, '"2"'),
}


@pytest.fixture
def pages(tmp_path: Path) -> Pages:
    (tmp_path / "a.twr").write_bytes(b"record")
    (tmp_path / "secret.txt").write_bytes(b"no record")
    return Pages(VIEWER, RecordList.of_folder(tmp_path))


def ask(path: str, pages: Pages | None = None, method: str = "GET", **headers: str) -> HttpResponse:
    return answer(method, path, headers, pages or Pages(), 0, lambda: "m 1\n")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/?replay=/records/a.twr", 200),
        ("GET", "/healthz", 200),
        ("GET", "/healthz?verbose=1", 200),
        ("GET", "/metrics", 200),
        ("GET", "/viewer/index.html", 200),
        ("GET", "/games/tank/view/panels/log.js", 200),
        ("GET", "/records.json", 200),
        ("GET", "/records/a.twr", 200),
        ("HEAD", "/", 200),
        ("HEAD", "/records/a.twr", 200),
        ("GET", "/healthz/", 404),
        ("GET", "/../etc/passwd", 404),
        ("GET", "/viewer/", 404),
        ("GET", "/viewer/../net/pages.py", 404),
        ("GET", "/viewer/page/../index.html", 404),
        ("GET", "/viewer//index.html", 404),
        ("GET", "/records/", 404),
        ("GET", "/records/secret.txt", 404),
        ("GET", "/records/../a.twr", 404),
        ("GET", "/records/%2e%2e%2fa.twr", 404),
        ("GET", "/records/a.twr%00", 404),
        ("GET", "http://localhost/", 404),
        ("POST", "/", 405),
        ("POST", "/metrics", 405),
        ("PUT", "/records/a.twr", 405),
        ("DELETE", "/nothing", 404),
    ],
)
def test_every_request_has_its_status(method: str, path: str, status: int, pages: Pages) -> None:
    assert ask(path, pages, method).status == status


def test_health_is_ok_or_says_how_long_the_loop_was_held_up() -> None:
    assert answer("GET", "/healthz", {}, Pages(), -5, str).body == b"ok\n"
    assert answer("GET", "/healthz", {}, Pages(), STALL_NS_MAX, str).body == b"ok\n"
    late = answer("GET", "/healthz", {}, Pages(), STALL_NS_MAX + 1, str)
    assert (late.status, missing(late.body.decode(), "event loop", "1.0 s")) == (503, [])


def test_metrics_are_plain_text_of_prometheus() -> None:
    page = ask("/metrics")
    assert page.body == b"m 1\n"
    assert page.content_type.startswith("text/plain; version=0.0.4")


def test_a_path_is_quoted_when_it_is_not_found() -> None:
    assert b"<script>\\x1b" in ask("/<script>\x1b").body


def test_without_a_viewer_the_first_page_names_the_server() -> None:
    assert ask("/").body.startswith(b"turnwright: a game server")
    assert ask("/viewer/index.html").status == 404


def test_the_viewer_may_run_only_its_own_scripts(pages: Pages) -> None:
    page = ask("/", pages)
    assert (page.body, page.policy) == (b"<!doctype html>", PAGE_POLICY)
    assert "script-src 'self'" in page.policy
    assert "unsafe" not in page.policy
    for other in ("/records.json", "/records/a.twr", "/metrics", "/nothing"):
        assert ask(other, pages).policy == NOTHING


def test_a_browser_caches_a_file_until_it_changes(pages: Pages) -> None:
    first = ask("/games/tank/view/panels/log.js", pages)
    assert (first.headers["ETag"], first.cache) == ('"2"', "no-cache")
    again = ask("/games/tank/view/panels/log.js", pages, **{"if-none-match": '"2"'})
    assert again.status == 304
    assert encode(again).endswith(b"\r\n\r\n")
    assert ask("/games/tank/view/panels/log.js", pages, **{"if-none-match": '"1"'}).status == 200


def test_head_counts_the_body_and_leaves_it_out(pages: Pages) -> None:
    sent = encode(ask("/games/tank/view/panels/log.js", pages, "HEAD"))
    assert b"Content-Length: 19\r\n" in sent
    assert sent.endswith(b"\r\n\r\n")


def test_records_are_listed_and_sent_as_they_are(pages: Pages) -> None:
    listed = json.loads(ask("/records.json", pages).body)
    assert listed == {"records": [{"name": "a.twr", "url": "/records/a.twr", "bytes": 6}]}
    sent = ask("/records/a.twr", pages)
    assert (sent.body, sent.content_type, sent.cache) == (b"record", "application/octet-stream", "no-store")
    assert json.loads(ask("/records.json").body) == {"records": []}


def test_a_document_is_rebuilt_for_each_request() -> None:
    texts = iter((b"1", b"2"))
    pages = Pages(documents={"/standings.json": lambda: next(texts)})
    answers = [ask("/standings.json", pages) for _ in range(2)]
    assert [one.body for one in answers] == [b"1", b"2"]
    assert {(one.content_type, one.policy, one.cache) for one in answers} == {
        ("application/json", NOTHING, "no-cache")
    }
