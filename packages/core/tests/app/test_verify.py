"""`verify` finds every changed byte of a file, and no file makes it raise."""

from __future__ import annotations

import dataclasses
import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.messages import missing
from turnwright import run_battle
from turnwright.app.verify import verify_file
from turnwright.games.snake.game import SnakeGame
from turnwright.kernel.record import Footer, Record
from turnwright.net.files.reader import read_record
from turnwright.wire.record.v2 import Encoder


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unchanged record of a short battle."""
    path = tmp_path_factory.mktemp("records") / "good.twr"
    run_battle("Greedy", "Wanderer", game="snake", turns=200, seed=5, record=path)
    return path


def written(record: Record, path: Path) -> Path:
    """Write a record with correct hashes."""
    encoder = Encoder(SnakeGame().write_intent)
    lines = [encoder.encode_header(record.header), *map(encoder.encode_turn, record.turns)]
    if record.footer is not None:
        lines.append(encoder.encode_footer(record.footer))
    path.write_bytes(gzip.compress(b"".join(lines)))
    return path


def verdict(path: Path) -> str:
    """Return the result of `verify` in a few words, and check the form of its report."""
    one = verify_file(path)
    data = one.to_data()
    assert json.loads(json.dumps(data)) == data
    if one.error is not None:
        assert str(path) in one.error
        assert "\n" not in one.error
        return "error"
    return "differs" if one.differs else "cut" if one.truncated else "ok" if one.as_packed else "packed anew"


def test_a_good_record_is_verified(good: Path) -> None:
    one = verify_file(good)
    assert verdict(good) == "ok"
    assert one.found is not None
    assert one.record is not None
    assert (one.found.turns, one.found.rounds) == (len(one.record.turns), 0)


# ---- any byte ------------------------------------------------------------------------------------------


def test_a_change_of_any_byte_of_any_line_is_caught(good: Path, tmp_path: Path) -> None:
    """Also where it alters no state: every kind of line, and a sample of the bytes of each."""
    content = gzip.decompress(good.read_bytes())
    lines = content.splitlines(keepends=True)
    chance = random.Random("bytes")
    starts = [sum(map(len, lines[:k])) for k in range(len(lines))]
    kinds = {0, 1, 2, len(lines) // 2, len(lines) - 2, len(lines) - 1}
    kinds |= set(range(8, len(lines), 20))
    places = [starts[k] + chance.randrange(len(lines[k])) for k in sorted(kinds) for _ in range(4)]
    path = tmp_path / "changed.twr"
    told = {"error": 0, "differs": 0}
    for at in places:
        changed = bytearray(content)
        changed[at] ^= 1 << chance.randrange(8)
        path.write_bytes(gzip.compress(bytes(changed), 1))
        one = verify_file(path)
        told["error" if one.error is not None else "differs" if one.differs else "not caught"] += 1
        if one.found is not None and one.found.mismatch is not None and one.found.mismatch.line is not None:
            assert one.found.mismatch.line == content[: at + 1].count(b"\n") + (content[at] != 10)
    assert told["differs"] > 20
    assert told["error"] >= 2


def test_a_change_of_any_byte_of_the_packed_file_is_caught_or_changes_nothing(
    good: Path, tmp_path: Path
) -> None:
    """Before a flush, and at its end, deflate leaves up to seven bits unused: they say nothing."""
    data = good.read_bytes()
    content, unused = gzip.decompress(data), 0
    chance = random.Random("packed")
    path = tmp_path / "changed.twr"
    sample = [*range(10), *chance.sample(range(10, len(data) - 8), 60), *range(len(data) - 8, len(data))]
    for at in sample:
        changed = bytearray(data)
        changed[at] ^= 1 << chance.randrange(8)
        path.write_bytes(changed)
        if verdict(path) == "ok":
            assert gzip.decompress(changed) == content, at
            unused += 1
    assert unused <= len(sample) // 10


# ---- a record that lies ----------------------------------------------------------------------------------


def test_the_first_turn_and_seat_that_differ_are_named(good: Path, tmp_path: Path) -> None:
    record = read_record(good)
    index = next(k for k, entry in enumerate(record.turns) if k > 4 and len(entry.intents) == 2)
    entry = record.turns[index]
    back = {"up": "left", "left": "down", "down": "right", "right": "up"}[entry.intents[1]]
    record.turns[index] = dataclasses.replace(entry, intents={**entry.intents, 1: back})
    data = verify_file(written(record, tmp_path / "lie.twr")).to_data()
    assert data["ok"] is False
    assert data["turns"] == index
    mismatch = data["mismatch"]
    assert mismatch["turn"] == index + 1
    assert dict(zip(mismatch["seats"], mismatch["names"], strict=True)).get(1) == "Wanderer"
    assert mismatch["line"] is None


@pytest.mark.parametrize(
    ("footer", "field"),
    [
        (lambda f: dataclasses.replace(f, turns=f.turns + 1), "turns"),
        (lambda f: dataclasses.replace(f, results=f.results[::-1]), "results"),
        (lambda f: dataclasses.replace(f, results=None), "results"),
        (lambda f: dataclasses.replace(f, results=[{**f.results[0], "rank": 2}, f.results[1]]), "results"),
    ],
)
def test_results_that_did_not_come_out_are_found(good: Path, tmp_path: Path, footer: Any, field: str) -> None:
    record = read_record(good)
    record.footer = footer(record.footer)
    found = verify_file(written(record, tmp_path / "lie.twr")).found
    assert found is not None
    assert found.mismatch is not None
    assert (found.mismatch.turn, found.mismatch.what) == (None, field)


def test_a_record_that_says_it_is_over_when_it_is_not_is_found(good: Path, tmp_path: Path) -> None:
    record = read_record(good)
    del record.turns[-5:]
    record.footer = Footer("over", len(record.turns), record.footer.results if record.footer else None)
    found = verify_file(written(record, tmp_path / "lie.twr")).found
    assert found is not None
    assert found.mismatch is not None
    assert found.mismatch.what == "ending"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "chess"}, "'chess'"),
        ({"behaviour_version": 99}, "behaviour version 99"),
        ({"setup": {"width": -1}}, "width"),
        ({"seats": ()}, "no seats"),
        ({"seed": -1}, "seed"),
    ],
)
def test_a_header_that_cannot_be_played_is_refused(
    good: Path, tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    record = read_record(good)
    record.header = dataclasses.replace(record.header, **change)
    record.turns.clear()
    one = verify_file(written(record, tmp_path / "other.twr"))
    assert one.error is not None
    assert words in one.error


def test_a_header_that_was_changed_to_another_game_raises_nothing(good: Path, tmp_path: Path) -> None:
    lines = gzip.decompress(good.read_bytes()).replace(b'"game":"snake"', b'"game":"chess"', 1)
    path = tmp_path / "chess.twr"
    path.write_bytes(gzip.compress(lines, mtime=0))
    found = verify_file(path)
    assert found.error is not None
    assert not missing(found.error, path, "'chess'", "countdown", "snake")
