from __future__ import annotations

import gzip
import json
import os
import signal
import threading
import urllib.request
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from packages.core.tests.messages import says
from turnwright import run_battle
from turnwright.app import replay as viewing
from turnwright.app.game.playable import find_game
from turnwright.app.replay import Viewable, look_at, page_of, show
from turnwright.cli.__main__ import main
from turnwright.errors import RecordError


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "a.twr"
    run_battle("Greedy", "Wanderer", game="snake", turns=60, seed=3, record=path)
    return path


def lines_of(record: Path) -> list[bytes]:
    return gzip.decompress(record.read_bytes()).splitlines(keepends=True)


def put(path: Path, *lines: bytes) -> Path:
    path.write_bytes(gzip.compress(b"".join(lines)))
    return path


def test_a_record_is_recognized_by_its_content(record: Path, tmp_path: Path) -> None:
    size = record.stat().st_size
    found = look_at(record)
    assert (found.path, found.kind, found.size, found.truncated) == (record, "record", size, False)
    assert found.game.name == "snake"
    renamed = tmp_path / "renamed.battle.gz"
    renamed.write_bytes(record.read_bytes())
    assert look_at(renamed).kind == "record"


def test_a_record_that_was_cut_off_is_shown(record: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.twr"
    cut.write_bytes(record.read_bytes()[: record.stat().st_size // 2])
    assert look_at(cut).truncated


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"", "is empty … record", id="empty"),
        pytest.param(b"\x89PNG", "record (.twr) … recording", id="picture"),
        pytest.param(b"\x1f\x8bnonsense", "is not a record", id="damaged gzip"),
        pytest.param(gzip.compress(b"text"), "is not a record", id="text"),
        pytest.param(
            gzip.compress(b'{"turnwright":3,"kind":"header"}\n'), "version 3 of the format", id="newer"
        ),
    ],
)
def test_an_unshowable_file_is_refused_in_one_line(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "x.twr"
    path.write_bytes(content)
    with pytest.raises(RecordError) as caught:
        look_at(path)
    assert says(str(caught.value), said)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_changed_record_is_refused_with_the_line(record: Path, tmp_path: Path) -> None:
    lines = lines_of(record)
    middle = len(lines[4]) // 2
    lines[4] = lines[4][:middle] + bytes([lines[4][middle] ^ 1]) + lines[4][middle + 1 :]
    with pytest.raises(RecordError, match="line 5 of the record"):
        look_at(put(tmp_path / "changed.twr", *lines))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("game", "world", "world"),
        ("game", "chess", "'chess' … installed … folder"),
        ("behaviour_version", 999, "behaviour version 999"),
    ],
)
def test_a_record_of_other_rules_is_refused(
    name: str, value: object, said: str, record: Path, tmp_path: Path
) -> None:
    from turnwright.wire.record.v2 import chained

    header = json.loads(lines_of(record)[0])
    del header["h"]
    body = json.dumps({**header, name: value}, separators=(",", ":")).encode()
    line, _ = chained(body)
    with pytest.raises(RecordError) as caught:
        look_at(put(tmp_path / "other.twr", line))
    assert says(str(caught.value), said)


def test_a_missing_file_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="there is no file"):
        look_at(tmp_path / "none.twr")
    with pytest.raises(RecordError, match="Is a directory"):
        look_at(tmp_path)


def test_a_file_too_large_for_a_page_is_refused(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewing, "RECORD_BYTES_MAX", record.stat().st_size)
    look_at(record)
    monkeypatch.setattr(viewing, "RECORD_BYTES_MAX", record.stat().st_size - 1)
    with pytest.raises(RecordError, match="at most"):
        look_at(record)


def test_an_option_that_a_game_does_not_support_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.twr"
    run_battle("Greedy", "Wanderer", game="snake", record=path, seed=1)
    assert look_at(path).game.name == "snake"
    assert main(["replay", str(path), "--text"]) == 2
    said = capsys.readouterr().err
    assert says(said, f"turnwright: {path} … 'snake' … --text … leave --text out")
    assert said.count("\n") == 1


@pytest.mark.parametrize("name", ["x.twr", "a b.battle.gz", "50%?#&ü.twr"])
def test_the_page_gets_the_path_of_its_record(name: str) -> None:
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
        Viewable(path, "record", 6, False, find_game("snake")),
        port=0,
        turn=None,
        on_listening=lambda url: threading.Thread(target=ask, args=(url,)).start(),
    )
    assert got[1] == b"record"
    assert b"<!doctype html>" in got[0]
