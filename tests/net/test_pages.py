from __future__ import annotations

import pytest

from turnwright.net.pages import STALL_NS_MAX, answer


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/healthz", 200),
        ("GET", "/healthz?verbose=1", 200),
        ("GET", "/metrics", 200),
        ("GET", "/healthz/", 404),
        ("GET", "/../etc/passwd", 404),
        ("GET", "http://localhost/", 404),
        ("HEAD", "/", 405),
        ("POST", "/metrics", 405),
        ("DELETE", "/nothing", 404),
    ],
)
def test_every_request_has_its_status(method: str, path: str, status: int) -> None:
    assert answer(method, path, 0, lambda: "m 1\n").status == status


def test_health_is_ok_or_says_how_long_the_loop_was_held_up() -> None:
    assert answer("GET", "/healthz", -5, str).body == b"ok\n"
    assert answer("GET", "/healthz", STALL_NS_MAX, str).body == b"ok\n"
    late = answer("GET", "/healthz", STALL_NS_MAX + 1, str)
    assert (late.status, late.body) == (503, b"the event loop was held up for 1.0 s\n")


def test_metrics_are_plain_text_of_prometheus() -> None:
    page = answer("GET", "/metrics", 0, lambda: "turns_total 3\n")
    assert page.body == b"turns_total 3\n"
    assert page.content_type.startswith("text/plain; version=0.0.4")


def test_a_path_is_quoted_when_it_is_not_found() -> None:
    assert b"<script>\\x1b" in answer("GET", "/<script>\x1b", 0, str).body
