"""What this port answers to plain HTTP: what it is, whether it lives, and its figures."""

from __future__ import annotations

from collections.abc import Callable

from turnwright.net.http import HttpResponse, text

__all__ = ["STALL_NS_MAX", "answer"]

STALL_NS_MAX = 1_000_000_000
"""A server whose event loop was held up longer than this is not healthy."""

_METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_ABOUT = """turnwright: a game server for games whose players are programs.

Programs connect here by WebSocket (ws://), on any path, and speak Robocode Tank Royale's protocol.

  /healthz   whether the server lives
  /metrics   its figures, in Prometheus' text format
"""


def answer(method: str, path: str, late_ns: int, metrics: Callable[[], str]) -> HttpResponse:
    """Answer a request. late_ns: by how much the event loop's heartbeat is overdue (<= 0: it is not)."""
    page = path.partition("?")[0]
    if page not in ("/", "/healthz", "/metrics"):
        return text(404, f"there is no page {page[:80]!a} here; see /")
    if method != "GET":
        return text(405, "only GET works here", Allow="GET")
    if page == "/metrics":
        return HttpResponse(200, metrics().encode(), _METRICS_TYPE)
    if page == "/":
        return HttpResponse(200, _ABOUT.encode())
    if late_ns > STALL_NS_MAX:
        return text(503, f"the event loop was held up for {late_ns / 1e9:.1f} s")
    return text(200, "ok")
