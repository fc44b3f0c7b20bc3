from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from turnwright import run_battle
from turnwright.app.game.playable import find_game
from turnwright.catalog import load
from turnwright.errors import RecordError, SetupError
from turnwright.kernel.record import Header, TurnRules
from turnwright.kernel.verify import verify
from turnwright.net.files.reader import game_of_record, is_as_packed, kind_of_file, read_record
from turnwright.wire.record.v2 import Encoder
from turnwright.wire.record.v2_lines import LINE_BYTES_MAX


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a small battle."""
    path = tmp_path_factory.mktemp("records") / "b.twr"
    run_battle("Greedy", "Wanderer", game="snake", turns=200, seed=3, record=path)
    return path


def test_a_record_is_read_whole(recorded: Path) -> None:
    record = read_record(recorded)
    assert (record.header.game, record.header.seed, record.truncated) == ("snake", 3, False)
    assert record.footer is not None
    assert record.footer.turns == len(record.turns)


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.99])
def test_a_record_that_was_cut_off_is_read_up_to_there(recorded: Path, tmp_path: Path, kept: float) -> None:
    data = recorded.read_bytes()
    path = tmp_path / "cut.twr"
    path.write_bytes(data[: int(len(data) * kept)])
    record = read_record(path)
    assert record.truncated
    assert verify(record, load("snake")).ok


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty: .*record"),
        (b"hello", "is not a record"),
        (gzip.compress(b"", mtime=0), "not a record"),
        (gzip.compress(b"hello\n", mtime=0), "not a record"),
        (gzip.compress(b'{"turnwright"\n', mtime=0), "line 1"),
        (b'{"turnwright":1}\n', "unpacked.*gzip"),
        (
            gzip.compress(b'{"type":"TickEventForObserver"}\n', mtime=0),
            "Tank Royale recording",
        ),
        (b"\x1f\x8b" + b"\xff" * 100, "cut off"),
        pytest.param(
            gzip.compress(b'{"turnwright"'.ljust(LINE_BYTES_MAX + 1), mtime=0),
            f"line .*longer .*{LINE_BYTES_MAX}",
            id="long",
        ),
    ],
)
def test_a_file_that_is_not_a_record_is_refused_with_its_name(
    tmp_path: Path, content: bytes, words: str
) -> None:
    path = tmp_path / "bad.twr"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=words) as caught:
        read_record(path)
    assert str(path) in str(caught.value)
    assert "battle.gz" not in str(caught.value), "only records can be read here"
    assert "\n" not in str(caught.value)


def test_a_damaged_file_is_refused_with_advice(recorded: Path, tmp_path: Path) -> None:
    data = bytearray(recorded.read_bytes())
    data[-6] ^= 0xFF
    path = tmp_path / "bad.twr"
    path.write_bytes(data)
    with pytest.raises(RecordError, match=r"bad\.twr is damaged \(.*another copy"):
        read_record(path)


def test_a_file_is_named_even_if_its_name_is_in_the_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("e").write_bytes(gzip.compress(b'{"turnwright"\n', mtime=0))
    with pytest.raises(RecordError, match=r"^e: line 1 of the record"):
        read_record(Path("e"))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"there is no file .*gone\.twr"):
        read_record(tmp_path / "gone.twr")


def test_a_changed_byte_is_found(recorded: Path, tmp_path: Path) -> None:
    lines = gzip.decompress(recorded.read_bytes()).replace(b'"seed":3', b'"seed":4', 1)
    path = tmp_path / "changed.twr"
    path.write_bytes(gzip.compress(lines))
    with pytest.raises(RecordError, match="line"):
        read_record(path)


def test_a_recompressed_file_is_recognized_by_its_first_bytes(recorded: Path, tmp_path: Path) -> None:
    assert is_as_packed(recorded)
    path = tmp_path / "again.twr"
    path.write_bytes(gzip.compress(gzip.decompress(recorded.read_bytes())))
    assert not is_as_packed(path)
    assert read_record(path) == read_record(recorded)


def test_data_after_the_end_is_refused(recorded: Path, tmp_path: Path) -> None:
    path = tmp_path / "more.twr"
    for more in (b"x", recorded.read_bytes()):
        path.write_bytes(recorded.read_bytes() + more)
        with pytest.raises(RecordError, match=r"more\.twr.*data after the end of the record"):
            read_record(path)


def test_a_record_that_unpacks_to_too_much_is_refused(
    recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwright.net.files.reader.UNPACKED_BYTES_MAX", 1_000)
    with pytest.raises(RecordError, match="unpacks to more than"):
        read_record(recorded)


def test_a_game_that_is_not_installed_is_named(tmp_path: Path) -> None:
    path = tmp_path / "chess.twr"
    header = Header("chess", 1, 5, {}, (), TurnRules())
    path.write_bytes(gzip.compress(Encoder(lambda intent: intent).encode_header(header)))
    with pytest.raises(RecordError, match=r"'chess'.*not installed.*folder"):
        read_record(path)


def test_progress_of_reading_is_reported_up_to_the_end(recorded: Path) -> None:
    told: list[tuple[int, int, str]] = []
    read_record(recorded, on_progress=lambda *how: told.append(how))
    size = recorded.stat().st_size
    assert told == sorted(told)
    assert told[-1] == (size, size, "bytes")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no gzip",
        gzip.compress(b'{"turnwright":' + b"[" * 100_000, mtime=0),
        gzip.compress(b'{"game":7}', mtime=0),
    ],
)
def test_a_file_with_another_beginning_is_a_record_of_no_game(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.twr"
    path.write_bytes(data)
    assert game_of_record(path) == ""


def test_the_game_of_a_record_is_read_from_its_start(recorded: Path) -> None:
    assert game_of_record(recorded) == "snake"


def test_a_record_that_names_a_folder_runs_no_code_of_it(tmp_path: Path) -> None:
    folder = tmp_path / "chess"
    folder.mkdir()
    (folder / "game.py").write_text(f"open({str(tmp_path / 'was run')!r}, 'w')")
    path = tmp_path / "x.twr"
    encoder = Encoder(lambda intent: intent)
    path.write_bytes(gzip.compress(encoder.encode_header(Header(str(folder), 1, 3, {}, (), TurnRules()))))
    with pytest.raises(RecordError, match=r"not installed.*folder"):
        read_record(path)
    with pytest.raises(SetupError, match=r"no game"):
        find_game(str(folder), installed_only=True)
    assert not (tmp_path / "was run").exists()


OURS = b'{"turnwright":1}\n'
MUCH = bytes(random.Random(1).choices(range(32, 127), k=2_000))
TICK = b'{"type":"TickEventForObserver"}\n'


def packed(data: bytes) -> bytes:
    """Return the same bytes at any time of day."""
    return gzip.compress(data, mtime=0)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (packed(OURS), "record"),
        (OURS, "record"),
        (packed(TICK), "royale"),
        (TICK, "royale"),
        (b"\xef\xbb\xbf\r\n" + TICK, "royale"),
        (packed(TICK + MUCH)[:300], "royale"),
        (packed(OURS + MUCH)[:300], "record"),
    ],
)
def test_the_beginning_of_a_file_tells_its_kind(tmp_path: Path, data: bytes, kind: str) -> None:
    path = tmp_path / "any.name"
    path.write_bytes(data)
    assert kind_of_file(path) == kind


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "is empty: .*record"),
        (b"hello", "not a record"),
        (b"\x1f\x8bnonsense that is no gzip", "damaged or cut off"),
        (packed(OURS)[:11], "damaged or cut off"),
        (packed(b"<html>"), "is not a record"),
        (b"\n\n", "is not a record"),
    ],
)
def test_a_file_that_is_not_a_battle_is_refused_in_one_line(
    tmp_path: Path, data: bytes, complaint: str
) -> None:
    path = tmp_path / "x.twr"
    path.write_bytes(data)
    with pytest.raises(RecordError, match=complaint) as caught:
        kind_of_file(path)
    assert not missing(str(caught.value), path, ".twr", ".battle.gz")
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_refused_in_one_line(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(RecordError, match=r"cannot be read|there is no file"):
            kind_of_file(path)
