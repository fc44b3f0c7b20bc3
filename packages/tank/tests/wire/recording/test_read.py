"""Recordings of Tank Royale are read as tolerantly as by the official reader, and within bounds."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.core.tests.messages import missing
from packages.tank.tests.wire.recording.shown_battles import a_setup, play, some_seats
from turnwright.errors import RecordError
from turnwright_tank.structs import Frame
from turnwright_tank.wire.recording import read
from turnwright_tank.wire.recording.read import Notes, RoyaleLine, read_messages
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.codec import encode

MESSAGES = play(a_setup(), some_seats(3), turns=40).messages
TEXT = b"\n".join(MESSAGES) + b"\n"
TICK = json.loads(MESSAGES[1])
SCORES = (
    "rank survival lastSurvivorBonus bulletDamage bulletKillBonus ramDamage ramKillBonus totalScore "
    "firstPlaces secondPlaces thirdPlaces"
)


def _read(data: bytes, *, size: int = 1000) -> tuple[list[RoyaleLine], Notes]:
    notes = Notes()
    chunks = (data[start : start + size] for start in range(0, len(data), size))
    return list(read_messages(chunks, notes)), notes


def _one(value: Any) -> tuple[Any, list[str]]:
    """Return the result of reading one message between two others, and the notes."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    lines, notes = _read(b"\n".join((MESSAGES[0], data, MESSAGES[-1])))
    between = [line.message for line in lines if line.number == 2]
    assert len(lines) == 2 + len(between)
    return (between[0] if between else None), notes.lines


# ---- the container -------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 7, 1000, 1 << 20])
@pytest.mark.parametrize("packed", [True, False])
def test_gzip_and_plain_text_are_read_in_pieces_of_any_size(size: int, packed: bool) -> None:
    lines, notes = _read(gzip.compress(TEXT) if packed else TEXT, size=size)
    assert [encode(line.message) for line in lines] == MESSAGES
    assert [line.data for line in lines] == MESSAGES
    assert notes.lines == []


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace(b"\n", b"\r\n"),
        b"\n\n  \n" + TEXT.replace(b"\n", b"\n\n"),
        TEXT.rstrip(b"\n"),
        b"\xef\xbb\xbf" + TEXT,
    ],
    ids=["CRLF", "blank lines", "no newline at the end", "byte order mark"],
)
def test_line_ends_and_blank_lines_do_not_matter(text: bytes) -> None:
    lines, notes = _read(text)
    assert [line.data for line in lines] == MESSAGES
    assert notes.lines == []


def test_several_members_of_gzip_are_one_text() -> None:
    lines, notes = _read(gzip.compress(TEXT[:5000]) + gzip.compress(TEXT[5000:]))
    assert [line.data for line in lines] == MESSAGES
    assert notes.lines == []


def test_data_after_the_gzip_is_noted() -> None:
    lines, notes = _read(gzip.compress(TEXT) + b"\0" * 3000)
    assert [line.data for line in lines] == MESSAGES
    (note,) = notes.lines
    assert not missing(note, "gzip", "skipped")


@given(st.integers(min_value=2, max_value=len(gzip.compress(TEXT)) - 1))
def test_a_gzip_that_was_cut_off_anywhere_is_read_up_to_there(size: int) -> None:
    lines, notes = _read(gzip.compress(TEXT)[:size])
    assert [line.data for line in lines] == MESSAGES[: len(lines)]
    assert notes.truncated
    (note,) = notes.lines
    assert not missing(note, "truncated")


@given(st.data())
def test_a_gzip_with_a_wrong_byte_never_breaks_the_reader(data: st.DataObject) -> None:
    packed = bytearray(gzip.compress(TEXT))
    at = data.draw(st.integers(0, len(packed) - 1))
    packed[at] ^= 1 << data.draw(st.integers(0, 7))
    _read(bytes(packed))


def test_a_damaged_gzip_is_noted_and_the_part_before_is_read() -> None:
    packed = bytearray(gzip.compress(TEXT))
    packed[-6] ^= 1
    lines, notes = _read(bytes(packed))
    assert [line.data for line in lines] == MESSAGES
    assert notes.truncated
    assert "damaged" in notes.lines[0]


# ---- lines ---------------------------------------------------------------------------------------------


def test_unknown_and_broken_lines_are_skipped_and_noted_with_the_first_number() -> None:
    lines, notes = _read(b'{"type":"Weather"}\nnonsense\n\n{"type":7}\n\xff\xff\n' + TEXT)
    assert [line.data for line in lines] == MESSAGES
    assert [line.number for line in lines] == list(range(6, 6 + len(MESSAGES)))
    (first,) = _read(b'{"type":"Weather"}\n' + TEXT)[1].lines
    assert not missing(first, "line 1", "unknown type", "skipped")
    (note,) = notes.lines
    assert note.startswith(first)
    assert not missing(note.removeprefix(first), "3 more", "line 5")
    assert _read(b'{"type":"Weather"}\n' + TEXT + b"x")[1].lines == [
        f"{first}; so was line {len(MESSAGES) + 2}"
    ]


@pytest.mark.parametrize("kind", ["RoundStartedEvent", "TpsChangedEvent", "BotListUpdate", "StartGame"])
def test_messages_that_official_clients_know_are_passed_over_in_silence(kind: str) -> None:
    assert _one({"type": kind, "roundNumber": 1, "tps": 30, "bots": []}) == (None, [])


def test_keys_in_any_order_and_unknown_keys_are_accepted() -> None:
    turned = dict(reversed([*TICK.items(), ("weather", {"rain": [1]})]))
    message, notes = _one(turned)
    assert encode(message) == MESSAGES[1]
    assert notes == []


def test_fields_that_the_official_reader_does_not_need_are_filled_in() -> None:
    tick = json.loads(MESSAGES[1])
    for bot in tick["botStates"]:
        del bot["name"], bot["version"], bot["isDebuggingEnabled"]
        bot["bodyColor"] = None
    message, notes = _one(tick)
    assert isinstance(message, Frame)
    assert (message.bot_states[1].name, message.bot_states[1].version) == ("Bot 2", "1.0")
    assert notes == []


def test_results_need_not_say_whether_they_are_of_a_team() -> None:
    row = {"id": 1, "name": "a", "version": "b"} | dict.fromkeys(SCORES.split(), 1)
    ended = {"type": "GameEndedEventForObserver", "numberOfRounds": 1, "results": [row]}
    message, notes = _one(ended)
    assert isinstance(message, m.GameEndedEventForObserver)
    assert message.results[0].is_team is False
    assert notes == []


@pytest.mark.parametrize("name", ["id", "energy", "sessionId", "isDroid", "enemyCount"])
def test_a_tick_without_a_required_field_is_skipped(name: str) -> None:
    tick = json.loads(MESSAGES[1])
    del tick["botStates"][0][name]
    message, notes = _one(tick)
    assert message is None
    assert "line 2" in notes[0]
    assert name in notes[0]


def test_events_of_unknown_types_are_left_out_of_their_tick() -> None:
    tick = json.loads(MESSAGES[1])
    tick["events"] = [
        {"type": "Thunder", "turnNumber": 1},
        {"type": "BotDeathEvent", "turnNumber": 1, "victimId": 2},
        {"type": []},
        5,
    ]
    message, notes = _one(tick)
    assert isinstance(message, Frame)
    assert [event.victim_id for event in message.events] == [2]  # type: ignore[union-attr]
    assert not missing(*notes, "line 2", "unknown", 3, "skipped")


def test_a_line_with_two_things_wrong_counts_once() -> None:
    tick = json.loads(MESSAGES[1]) | {"events": [{"type": "Thunder"}], "roundNumber": "one"}
    message, notes = _one(tick)
    assert message is None
    assert not missing(*notes, "line 2", "unknown", 1, "skipped")


@pytest.mark.parametrize(
    "bad",
    [
        {"botStates": None},
        {"botStates": [None]},
        {"botStates": {"id": 1}},
        {"events": [[]]},
        {"roundNumber": "1"},
        {"turnNumber": 1e999},
        {"bulletStates": [{"bulletId": 1}]},
    ],
)
def test_ticks_of_another_shape_are_skipped(bad: dict[str, Any]) -> None:
    message, notes = _one(TICK | bad)
    assert message is None or bad == {"events": [[]]}
    assert notes


def test_an_invalid_number_costs_only_its_line() -> None:
    message, notes = _one(MESSAGES[1].replace(b'"energy":100.0', b'"energy":NaN', 1))
    assert message is None
    assert len(notes) == 1


# ---- bounds --------------------------------------------------------------------------------------------


def test_a_line_of_the_longest_length_is_read_and_a_longer_one_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    longest = len(MESSAGES[0])
    assert max(map(len, MESSAGES[1:3])) < longest + 1000
    monkeypatch.setattr(read, "LINE_BYTES_MAX", longest)
    text = b"\n".join((MESSAGES[0], MESSAGES[0] + b" ", b'{"type":"GameAbortedEvent"}'))
    for size in (1, 100, 1 << 20):
        lines, notes = _read(text, size=size)
        assert [line.number for line in lines] == [1, 3]
        assert not missing(*notes.lines, "line 2", f"{longest:,} bytes", "skipped")
    _, notes = _read(text[:-1] + b" " * longest, size=10)
    assert not missing(*notes.lines, "line 2", f"{longest:,} bytes", "skipped", "line 3")


def test_a_file_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "TOTAL_BYTES_MAX", 5_000_000)
    _read(gzip.compress(b"\n" * 5_000_000))
    with pytest.raises(RecordError, match="unpacks to more than"):
        _read(gzip.compress(b"\n" * 5_000_001))


def test_a_bomb_is_unpacked_piece_by_piece() -> None:
    bomb = gzip.compress(b"x" * 200_000_000, 1)
    lines, notes = _read(bomb, size=len(bomb))
    assert lines == []
    assert not missing(*notes.lines, "line 1", "67,108,864 bytes", "skipped")


def test_a_note_about_invalid_json_has_no_advice_for_a_sender() -> None:
    (note,) = _one(b"nonsense")[1]
    assert not missing(note, "line 2", "not JSON", "line 1 column 1", "skipped")
    assert "send" not in note


def test_many_bad_lines_are_counted_and_not_kept() -> None:
    _, notes = _read(b"x\n" * 10_000)
    assert len(notes.lines) == 1
    assert not missing(notes.lines[0], "9,999 more", "line 10000")
    assert notes.texts == []


@given(st.lists(st.sampled_from([*MESSAGES[:3], b"{", b"", b"\xff", b'{"type":"TickEventForObserver"}'])))
def test_any_mixture_of_lines_gives_the_good_ones(chosen: list[bytes]) -> None:
    lines, _ = _read(b"\n".join(chosen))
    assert [line.data for line in lines] == [line for line in chosen if line in MESSAGES]
