from __future__ import annotations

import pytest

from packages.core.tests.messages import missing
from turnwright.app.lan.notice import ClassNotice


def test_a_server_on_all_addresses_names_each_and_what_it_opens() -> None:
    notice = ClassNotice.of("0.0.0.0", 7654, "quick-otter-42", "s3cret", lambda: ["192.168.1.20", "10.0.0.5"])
    assert notice.pages == ["http://192.168.1.20:7654/get", "http://10.0.0.5:7654/get"]
    text = "\n".join(notice.lines(colored=None))
    assert not missing(text, *notice.pages, "join word: quick-otter-42", "operator secret: s3cret")
    assert "█" not in text


@pytest.mark.parametrize(
    ("host", "page"), [("127.0.0.1", "http://127.0.0.1:1/get"), ("::1", "http://[::1]:1/get")]
)
def test_a_server_on_one_address_names_that_one(host: str, page: str) -> None:
    assert ClassNotice.of(host, 1, "w", "s", list).pages == [page]


def test_a_secret_that_was_given_is_not_shown() -> None:
    lines = ClassNotice(["a"], 1, "w", "").lines(colored=None)
    assert not [line for line in lines if line.startswith("operator secret")]


def test_a_machine_without_a_network_gets_one_line() -> None:
    assert len(ClassNotice.of("", 1, "w", "s", list).lines(colored=True)) == 1


def test_a_terminal_gets_the_code_unless_it_is_too_long_for_one() -> None:
    assert "█" in "".join(ClassNotice(["10.0.0.5"], 1, "w", "s").lines(colored=True))
    assert "█" not in "".join(ClassNotice(["10.0.0.5"], 1, "w" * 200, "s").lines(colored=True))
