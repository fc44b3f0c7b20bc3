from __future__ import annotations

import os
import signal
import threading
import urllib.request
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from turnwright.app.replay import Viewable, page_of, show


@pytest.mark.parametrize("name", ["x.twr", "a b.battle.gz", "50%?#&ü.twr"])
def test_the_page_is_told_where_the_record_lies(name: str) -> None:
    page = urlsplit(page_of(name))
    assert (page.path, page.fragment) == ("/", "")
    (replay,) = parse_qs(page.query)["replay"]  # what URLSearchParams gives to the page
    assert urllib.request.unquote(replay) == f"/records/{name}"


def test_a_link_leads_to_a_turn() -> None:
    assert page_of("x.twr", "2.140") == "/?replay=/records/x.twr#turn=2.140"


@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_record_is_served_until_a_signal_comes(number: signal.Signals, tmp_path: Path) -> None:
    path = tmp_path / "x.twr"
    path.write_bytes(b"record")
    got: list[bytes] = []

    def ask(url: str) -> None:
        record = parse_qs(urlsplit(url).query)["replay"][0]
        for address in (url, url.partition("?")[0] + record.lstrip("/")):
            with urllib.request.urlopen(address, timeout=60) as answer:
                got.append(answer.read())
        os.kill(os.getpid(), number)

    show(
        Viewable(path, "record", 6, False, "tank"),
        port=0,
        turn=None,
        on_listening=lambda url: threading.Thread(target=ask, args=(url,)).start(),
    )
    assert got[1] == b"record"
    assert b"<!doctype html>" in got[0]
