"""Files that are dropped on the page: read there, sent nowhere. Invalid ones are reported in one line.

TURNWRIGHT_OFFICIAL_BATTLES may name recordings that the official server's recorder wrote:

    TURNWRIGHT_OFFICIAL_BATTLES=a.battle.gz:b.battle.gz pytest tests/browser/test_dropped.py
"""

from __future__ import annotations

import gzip
import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from packages.core.tests.cli.running import Running
from packages.tank.tests.view.resim.random_battles import play_random
from tests.browser.screen import Screen
from turnwright.kernel.record import Record
from turnwright.wire.record.v2 import Encoder
from turnwright_tank.game import TankGame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.conftest import Films

OFFICIAL = [Path(name) for name in os.environ.get("TURNWRIGHT_OFFICIAL_BATTLES", "").split(":") if name]


@pytest.fixture(scope="module")
def empty_server() -> Iterator[str]:
    """A server on which nothing is played."""
    with Running("serve", "--port", "0", "--no-open") as command:
        yield command.page().partition("#")[0]


def plays_and_leads_to_results(screen: Screen, file: Path, name: str) -> None:
    """Drop a recording; it plays, every round can be reached, results are shown, and nothing is sent."""
    screen.page.wait_for_load_state("networkidle")  # what the page itself loads has been asked for
    screen.page.wait_for_timeout(200)  # and its hello to a live server, if there is one, has been said
    asked, sent = len(screen.witness.requests), screen.witness.sent
    screen.drop(file)
    screen.until_loaded()
    screen.until("time goes on", lambda: screen.spot()[1] > 5)
    screen.hold()
    rounds = screen.page.get_by_label("Jump to a round").locator("option").count()
    assert rounds > 0
    screen.page.get_by_label("Jump to a round").select_option(str(rounds))
    screen.until("the last round is shown", lambda: screen.spot()[0] == rounds)
    screen.press("Shift+ArrowRight")
    screen.shoot(f"dropped-{name}")
    screen.press("End")
    screen.until("its end", lambda: screen.index() == screen.ends()[1])
    screen.press("r")
    results = screen.page.get_by_role("dialog", name="Final results")
    results.wait_for()
    screen.shoot(f"dropped-{name}-results")
    assert results.locator("tbody tr").count() == len(screen.energies())
    left = [url for url in screen.witness.requests[asked:] if not url.startswith(("data:", "blob:"))]
    assert [url for url in left if not url.endswith("/viewer/favicon.svg")] == []
    assert screen.witness.sent == sent, "something was sent to the server"


def test_an_official_recording_plays_where_it_is_dropped(
    screen: Screen, films: Films, empty_server: str
) -> None:
    screen.open(empty_server)
    plays_and_leads_to_results(screen, films.royale, "royale")
    assert "verified" not in screen.status()
    with gzip.open(films.royale, "rt", encoding="utf-8") as lines:
        last = json.loads(list(lines)[-1])
    shown = screen.page.get_by_role("dialog").inner_text()
    for row in last["results"]:
        assert row["name"] in shown
        assert f"{row['totalScore']}" in shown


if OFFICIAL:  # nothing that would be skipped where there are none

    @pytest.mark.parametrize("file", OFFICIAL, ids=lambda file: file.name)
    def test_recordings_of_the_official_server_play(screen: Screen, file: Path, empty_server: str) -> None:
        screen.open(empty_server)
        screen.drop(file)
        screen.until_loaded()
        screen.shoot(f"official-{file.name}")
        screen.press("End")
        screen.until("its end", lambda: screen.index() == screen.ends()[1])
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            ticks = sum('"TickEventForObserver"' in line for line in lines)
        assert screen.ends() == (0, ticks - 1)
        screen.press("r")
        screen.page.get_by_role("dialog", name="Final results").wait_for()
        screen.shoot(f"official-{file.name}-results")


def test_a_record_of_ours_plays_where_it_is_dropped(screen: Screen, films: Films, empty_server: str) -> None:
    screen.open(empty_server)
    plays_and_leads_to_results(screen, films.twr, "record")
    assert "verified here" in screen.status()


def _lines(path: Path) -> list[bytes]:
    return gzip.decompress(path.read_bytes()).splitlines(keepends=True)


def no_record(_films: Films) -> bytes:
    return b"PNG or whatever it is, but no record\n" * 20


def nothing(_films: Films) -> bytes:
    return b""


def newer(films: Films) -> bytes:
    header, *rest = _lines(films.twr)
    return gzip.compress(header.replace(b'"turnwright":2', b'"turnwright":3') + b"".join(rest))


def other_rules(_films: Films) -> bytes:
    _, record = play_random(3)
    old = replace(record.header, behaviour_version=record.header.behaviour_version + 98)
    return _packed(Record(old, record.turns, record.footer))


def unknown_game(_films: Films) -> bytes:
    _, record = play_random(3)
    return _packed(Record(replace(record.header, game="chess"), record.turns, record.footer))


def _packed(record: Record) -> bytes:
    encoder = Encoder(TankGame("interpreted").write_intent)
    return gzip.compress(
        encoder.encode_header(record.header) + b"".join(map(encoder.encode_turn, record.turns))
    )


def other_json(_films: Films) -> bytes:
    return b'{"hello":"world"}\n[1,2,3]\n'


def nested(_films: Films) -> bytes:
    _, record = play_random(3)
    header, *rest = gzip.decompress(_packed(record)).splitlines(keepends=True)
    deep = b'"setup":{"x":' + b'{"a":[' * 100_000 + b"]}" * 100_000 + b","
    return gzip.compress(header.replace(b'"setup":{', deep) + b"".join(rest))


def corrupt_from_the_start(films: Films) -> bytes:
    data = bytearray(films.twr.read_bytes())
    data[30:90] = bytes(60)
    return bytes(data)


BAD = {
    no_record: "expected a record of turnwright",
    nothing: "the file is empty",
    newer: "version 3 of the format",
    other_rules: "behaviour version 99",
    unknown_game: 'the game "chess"',
    nested: "its hash is wrong",
    other_json: "expected a record of turnwright",
    corrupt_from_the_start: "the file is damaged",
}


def says(screen: Screen, name: str, said: str) -> None:
    """Wait until the page shows a message about a file."""
    screen.until(f"it says {said}", lambda: name in screen.message() and said in screen.message())


def test_unshowable_files_are_reported_in_one_line(
    screen: Screen, films: Films, empty_server: str, tmp_path: Path
) -> None:
    screen.open(empty_server)
    bad = {tmp_path / f"{make.__name__}.twr": said for make, said in BAD.items()}
    for make, path in zip(BAD, bad, strict=True):
        path.write_bytes(make(films))
    for path, said in bad.items():
        screen.drop(path)
        says(screen, path.name, said)
    screen.shoot("bad-file-alone")
    screen.drop(films.twr)  # the page stays usable
    screen.until_loaded()
    notice = screen.page.locator("#notice span")
    for path, said in bad.items():
        screen.drop(path)
        says(screen, path.name, said)
        assert "\n" not in notice.inner_text().strip()
        assert len(notice.inner_text()) < 300
    before = screen.turn()
    screen.until("what was shown goes on", lambda: screen.turn() > before)
    screen.shoot("bad-file-beside-a-battle")


@pytest.mark.parametrize("kind", ["twr", "royale"])
def test_page_shows_the_readable_part_of_a_truncated_file(
    kind: str, screen: Screen, films: Films, empty_server: str, tmp_path: Path
) -> None:
    whole = getattr(films, kind).read_bytes()
    screen.open(empty_server)
    ends = [0]
    for part in (0.25, 0.9):
        cut = tmp_path / ("cut.twr" if kind == "twr" else "cut.battle.gz")
        cut.write_bytes(whole[: int(len(whole) * part)])
        screen.drop(cut)
        screen.until(f"{part} of it is there", lambda: screen.ends()[1] > ends[-1] + 100)
        screen.until_loaded()
        assert "truncated" in screen.status()
        screen.press("End")
        screen.until("its end", lambda: screen.index() == screen.ends()[1])
        ends.append(screen.ends()[1])
    screen.hold()
    screen.press("Home")
    screen.until("its beginning", lambda: screen.index() == 0)
    screen.shoot(f"cut-{kind}")


def test_a_record_with_a_changed_byte_says_where(
    screen: Screen, films: Films, empty_server: str, tmp_path: Path
) -> None:
    lines = _lines(films.twr)
    lines[400] = lines[400].replace(b"{", b"{ ", 1)
    changed = tmp_path / "changed.twr"
    changed.write_bytes(gzip.compress(b"".join(lines)))
    screen.open(empty_server)
    screen.drop(changed)
    said = r"Line 4\d\d of the record cannot be read: its hash is wrong"  # it, or the next with a hash
    screen.until("the line is named", lambda: re.search(said, screen.status()))
    screen.shoot("changed-byte")


def test_a_dropped_file_leaves_no_link_to_the_record_before_it(
    screen: Screen, films: Films, replayed: str
) -> None:
    screen.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    screen.open(replayed + "#turn=2.7").until_loaded()
    screen.drop(films.royale)
    screen.until("it plays from its beginning", lambda: 1 < screen.index() < 200)
    screen.hold()
    screen.press("k")
    link = screen.until("it is copied", lambda: screen.page.evaluate("navigator.clipboard.readText()"))
    assert "replay" not in link
    assert "#turn=1." in link


def test_a_turn_that_the_battle_does_not_have_is_reported(screen: Screen, replayed: str) -> None:
    screen.open(replayed + "#turn=99.5").until_loaded()
    screen.until("it says so", lambda: "no turn 5 of round 99" in screen.message())
    assert "3 rounds" in screen.message()


def test_nesting_without_end_harms_no_page(
    screen: Screen, films: Films, empty_server: str, tmp_path: Path
) -> None:
    screen.open(empty_server)
    deep = b'{"a":[' * 100_000 + b"]}" * 100_000
    lines = _lines(films.royale)
    lines[0] = lines[0].replace(b"{", b'{"x":' + deep + b",", 1)
    lines[3] = lines[3].replace(b"{", b'{"x":' + deep + b",", 1)
    path = tmp_path / "nested.battle.gz"
    path.write_bytes(gzip.compress(b"".join(lines)))
    screen.drop(path)
    screen.until_loaded()
    screen.until("time goes on", lambda: screen.spot()[1] > 5)
    assert screen.witness.errors == []
