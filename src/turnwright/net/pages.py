"""What this port answers to plain HTTP: the viewer, records, whether the server lives, and its figures.

Pages of ours may run their own scripts and talk to their own server, nothing else (`PAGE_POLICY`); an answer
that is no page may do nothing at all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from urllib.parse import unquote

from turnwright.net.http import HttpResponse, text
from turnwright.net.shelf import NO_RECORDS, Shelf, url_of
from turnwright.net.viewer_files import StaticFile

__all__ = ["PAGE_POLICY", "READS_FILES", "STALL_NS_MAX", "Pages", "answer"]

READS_FILES = "/records"
"""How paths begin whose answers read files; these are made in a thread, so that no turn waits for a disk."""

STALL_NS_MAX = 1_000_000_000
"""A server whose event loop was held up longer than this is not healthy."""
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of the viewer."""

_METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_INDEX = "index.html"
_FILES = "/viewer/"
_RECORDS = f"{READS_FILES}/"
_ABOUT = """turnwright: a game server for games whose players are programs.

Programs connect here by WebSocket (ws://), on any path, and speak Robocode Tank Royale's protocol.

  /healthz        whether the server lives
  /metrics        its figures, in Prometheus' text format
  /records.json   the records that it offers
"""


class Pages:
    """The viewer's files and the records that one server offers. index: the file of the first page."""

    def __init__(
        self,
        files: Mapping[str, StaticFile] | None = None,
        shelf: Shelf = NO_RECORDS,
        index: str = _INDEX,
    ) -> None:
        self._files = files or {}
        self._shelf = shelf
        self._index = index

    def show(self, path: str, headers: Mapping[str, str]) -> HttpResponse | None:
        """Return what is there, or None. path: without its query; headers: names in lower case."""
        if path == "/":
            index = self._files.get(self._index)
            return HttpResponse(200, _ABOUT.encode()) if index is None else _static(index, headers)
        if path.startswith(_FILES):
            file = self._files.get(path.removeprefix(_FILES))
            return None if file is None else _static(file, headers)
        if path == f"{READS_FILES}.json":
            return self._listing()
        if path.startswith(_RECORDS):
            return self._record(unquote(path.removeprefix(_RECORDS), errors="replace"))
        return None

    def _listing(self) -> HttpResponse:
        records = [
            {"name": offer.name, "url": url_of(offer.name), "bytes": offer.size}
            for offer in self._shelf.offers()
        ]
        body = json.dumps({"records": records}, ensure_ascii=False).encode("utf-8", "replace")
        return HttpResponse(200, body, "application/json")

    def _record(self, name: str) -> HttpResponse | None:
        data = self._shelf.read(name)
        return None if data is None else HttpResponse(200, data, "application/octet-stream")


def answer(
    method: str,
    path: str,
    headers: Mapping[str, str],
    pages: Pages,
    late_ns: int,
    metrics: Callable[[], str],
    trouble: str | None = None,
) -> HttpResponse:
    """Answer a request to a game server.

    late_ns: by how much the event loop's heartbeat is overdue (<= 0: it is not). trouble: what else is wrong
    with the server, or None.
    """
    page = path.partition("?")[0]
    known = _vital(page, late_ns, metrics, trouble) or pages.show(page, headers)
    if known is None:
        return text(404, f"there is no page {page[:80]!a} here; see /")
    if method == "HEAD":
        return replace(known, bodiless=True)
    return known if method == "GET" else text(405, "only GET and HEAD work here", Allow="GET, HEAD")


def _vital(page: str, late_ns: int, metrics: Callable[[], str], trouble: str | None) -> HttpResponse | None:
    """Return the server's own pages."""
    if page == "/metrics":
        return HttpResponse(200, metrics().encode(), _METRICS_TYPE)
    if page != "/healthz":
        return None
    if late_ns > STALL_NS_MAX:
        return text(503, f"the event loop was held up for {late_ns / 1e9:.1f} s")
    return text(200, "ok") if trouble is None else text(503, trouble)


def _static(file: StaticFile, headers: Mapping[str, str]) -> HttpResponse:
    """Return a file, or that the browser's copy of it is still good."""
    response = HttpResponse(
        200, file.content, file.content_type, {"ETag": file.tag}, policy=PAGE_POLICY, cache="no-cache"
    )
    if file.tag in headers.get("if-none-match", ""):
        return replace(response, status=304, bodiless=True)
    return response
