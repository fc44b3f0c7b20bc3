"""Pages of a server: the viewer, records, health and metrics.

Our pages may run only scripts of this server, and may connect only to this server (`PAGE_POLICY`). Other
answers may not run or load anything.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from urllib.parse import unquote

from turnwright.net.files.record_list import NO_RECORDS, RecordList, url_of
from turnwright.net.http.analysis import AnalysisProcess
from turnwright.net.http.request import HttpResponse, text
from turnwright.net.http.viewer_files import StaticFile

_READS = "/records"
_ANALYSES = "/analysis"
FRAMES_SUFFIX = ".frames"
"""The end of the path of a record's frames, for a page that cannot play the record itself."""
READS_FILES = (_READS, _ANALYSES)
"""The beginnings of paths whose answers are made in a thread, so that no turn waits for them."""

STALL_NS_MAX = 1_000_000_000
"""The server is reported as unhealthy if its event loop was blocked for longer than this time, in ns."""
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of the viewer."""

_METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_JSON_TYPE = "application/json"
_INDEX = "viewer/index.html"
_RECORDS = f"{_READS}/"
MorePages = Callable[[str, Mapping[str, str]], HttpResponse | None]
"""Answers a request for further pages. It gets the path with its query, and the headers with names in lower
case. It returns None if there is no such page.
"""
_ABOUT = """turnwright: a game server for games whose players are programs.

Programs connect here by WebSocket (ws://), on any path, and speak the protocol of its game. `turnwright docs`
has a page for each protocol.

  /healthz        health of the server
  /metrics        metrics, in Prometheus' text format
  /records.json   list of records
  /analysis       analysis of the running battle so far, if the game has one;
                  /analysis/NAME: of a record
"""


class Pages:
    """The viewer's files and the records that one server offers.

    Args:
        index: the file of the first page.
        analysis: answers /analysis, or None.
        frames: makes /records/NAME.frames from the record NAME, for a page that cannot play records itself.
            None means that the page can.
        documents: for each path, a function that makes the JSON text. It is called for each request, so it
            must be quick.
        policy: the Content-Security-Policy of the files.
        more: answers requests for further pages. It is called before the other pages are looked up.
    """

    def __init__(
        self,
        files: Mapping[str, StaticFile] | None = None,
        records: RecordList = NO_RECORDS,
        index: str = _INDEX,
        analysis: AnalysisProcess | None = None,
        frames: AnalysisProcess | None = None,
        documents: Mapping[str, Callable[[], bytes]] | None = None,
        policy: str = PAGE_POLICY,
        more: MorePages | None = None,
    ) -> None:
        self._policy = policy
        self._more = more
        self._documents = documents or {}
        self._frames = frames
        self._files = files or {}
        self._records = records
        self._index = index
        self._analysis = analysis

    def show(self, asked: str, headers: Mapping[str, str]) -> HttpResponse | None:
        """Return the page at a path, or None if the page does not exist. An analysis may take minutes.

        Args:
            asked: the path with its query.
            headers: the headers, with names in lower case.
        """
        path = asked.partition("?")[0]
        if self._more is not None and (found := self._more(asked, headers)) is not None:
            return found
        if path == "/":
            index = self._files.get(self._index)
            return HttpResponse(200, _ABOUT.encode()) if index is None else self._static(index, headers)
        if path.startswith("/") and (file := self._files.get(path[1:])) is not None:
            return self._static(file, headers)
        if (document := self._documents.get(path)) is not None:
            return fresh(document(), headers)
        if path == f"{_READS}.json":
            return self._listing()
        if path.startswith(_RECORDS):
            return self._record(unquote(path.removeprefix(_RECORDS), errors="replace"))
        if path == _ANALYSES or path.startswith(f"{_ANALYSES}/"):
            return self._analysed(path.removeprefix(_ANALYSES), headers)
        return None

    def close(self) -> None:
        """End the analyses for which callers wait."""
        for process in (self._analysis, self._frames):
            if process is not None:
                process.close()

    def _analysed(self, name: str, headers: Mapping[str, str]) -> HttpResponse | None:
        if self._analysis is None:
            return None
        if not name:
            kind, _, secret = headers.get("authorization", "").partition(" ")
            return self._analysis.of_live(unquote(secret.strip()) if kind.lower() == "bearer" else None)
        path = self._records.path_of(unquote(name[1:], errors="replace"))
        return None if path is None else self._analysis.of_file(path)

    def _static(self, file: StaticFile, headers: Mapping[str, str]) -> HttpResponse:
        """Return a file, or the answer that the browser's copy is still valid."""
        response = HttpResponse(
            200, file.content, file.content_type, {"ETag": file.tag}, policy=self._policy, cache="no-cache"
        )
        if file.tag in headers.get("if-none-match", ""):
            return replace(response, status=304, bodiless=True)
        return response

    def _listing(self) -> HttpResponse:
        records = [
            {"name": record.name, "url": url_of(record.name), "bytes": record.size}
            for record in self._records.listed()
        ]
        body = json.dumps({"records": records}, ensure_ascii=False).encode("utf-8", "replace")
        return HttpResponse(200, body, _JSON_TYPE)

    def _record(self, name: str) -> HttpResponse | None:
        if self._frames is not None and name.endswith(FRAMES_SUFFIX):
            path = self._records.path_of(name.removesuffix(FRAMES_SUFFIX))
            return None if path is None else self._frames.of_file(path)
        data = self._records.read(name)
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
    """Return the answer to a request to a game server.

    Args:
        path: the path with its query.
        late_ns: how late the event loop's heartbeat is, in ns. A value of 0 or less means that it is not
            late.
        metrics: returns the text of /metrics.
        trouble: another reason to report the server as unhealthy, or None.
    """
    page = path.partition("?")[0]
    known = _vital(page, late_ns, metrics, trouble) or pages.show(path, headers)
    if known is None:
        return text(404, f"There is no page {page[:80]!a} here: see /")
    if method == "HEAD":
        return replace(known, bodiless=True)
    return known if method == "GET" else text(405, "only GET and HEAD work here", Allow="GET, HEAD")


def _vital(page: str, late_ns: int, metrics: Callable[[], str], trouble: str | None) -> HttpResponse | None:
    """Return the page about the server itself (health or metrics), or None for another path."""
    if page == "/metrics":
        return HttpResponse(200, metrics().encode(), _METRICS_TYPE)
    if page != "/healthz":
        return None
    if late_ns > STALL_NS_MAX:
        return text(503, f"the event loop was blocked for {late_ns / 1e9:.1f} s")
    return text(200, "ok") if trouble is None else text(503, trouble)


def fresh(body: bytes, headers: Mapping[str, str]) -> HttpResponse:
    """Return a JSON document, or the status 304 if the browser already has the same document."""
    tag = f'"{sha256(body).hexdigest()[:32]}"'
    response = HttpResponse(200, body, _JSON_TYPE, {"ETag": tag}, cache="no-cache")
    if tag in headers.get("if-none-match", ""):
        return replace(response, status=304, bodiless=True)
    return response
