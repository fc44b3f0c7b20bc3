"""The pages of a class, without a server."""

from __future__ import annotations

from turnwright.app.lan.starter import StarterPages
from turnwright.net.http.request import HttpResponse


def ask(pages: StarterPages, path: str) -> HttpResponse:
    answer = pages.respond(path)
    assert answer is not None
    return answer
