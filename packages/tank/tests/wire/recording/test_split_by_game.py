"""Messages that become lines of a recording."""

from __future__ import annotations

import pytest

from turnwright_tank.wire.recording.split_by_game import (
    BEGINS,
    ENDS,
    RECORDED,
    GameCutter,
    as_line,
    type_of,
)

STARTED = b'{"gameSetup":{},"type":"GameStartedEventForObserver"}'
TICK = b'{"type":"TickEventForObserver","events":[{"type":"BotDeathEvent"}]}'
ROUND_ENDED = b'{"type":"RoundEndedEventForObserver"}'
ENDED = b'{"type":"GameEndedEventForObserver"}'
ABORTED = b'{"type":"GameAbortedEvent"}'


def _cuts(*messages: bytes) -> list[tuple[int, str]]:
    """Return, for each line, its game and "[" where it begins, "]" where it ends."""
    cutter = GameCutter()
    cuts = [cut for cut in map(cutter.cut, messages) if cut is not None]
    return [(cut.game, "[" * cut.begins + "]" * cut.ends) for cut in cuts]


def test_a_game_goes_from_its_start_to_its_end() -> None:
    assert _cuts(STARTED, TICK, TICK, ROUND_ENDED, ENDED) == [(1, "["), (1, ""), (1, ""), (1, ""), (1, "]")]


def test_each_game_is_a_separate_recording() -> None:
    assert _cuts(STARTED, ENDED, STARTED, ABORTED) == [(1, "["), (1, "]"), (2, "["), (2, "]")]


def test_a_new_start_ends_the_game_before() -> None:
    assert _cuts(STARTED, TICK, STARTED, TICK) == [(1, "["), (1, ""), (2, "["), (2, "")]


def test_a_game_that_was_joined_late_begins_with_its_first_line() -> None:
    assert _cuts(TICK, TICK, ENDED, TICK) == [(1, "["), (1, ""), (1, "]"), (2, "[")]


def test_an_abortion_without_a_game_makes_no_recording() -> None:
    assert _cuts(ABORTED, ENDED, ABORTED) == []


OTHERS = (
    "ServerHandshake BotListUpdate RoundStartedEvent GamePausedEventForObserver GameResumedEventForObserver "
    "TpsChangedEvent SkippedTurnEvent ErrorReply TickEventForBot Keyframe"
)
NOISE = [b"", b"null", b"[]", b"{", b'{"type":1}', b"\xff", b"[" * 100_000, b'"TickEventForObserver"', b"{}"]


@pytest.mark.parametrize("kind", OTHERS.split())
def test_other_messages_are_not_written(kind: str) -> None:
    assert _cuts(STARTED, b'{"type":"%s"}' % kind.encode(), TICK) == [(1, "["), (1, "")]


@pytest.mark.parametrize("noise", NOISE)
def test_noise_is_not_a_line(noise: bytes) -> None:
    assert type_of(noise) is None
    assert _cuts(noise) == []


def test_a_type_is_found_at_any_place_and_next_to_invalid_numbers() -> None:
    assert type_of(b'{"x":[{"type":"a"}],"type":"b"}') == "b"
    assert type_of(b'{"x":NaN,"type":"b"}') == "b"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (TICK, TICK + b"\n"),
        (b'{"name":"\xc3\x84 \\n"}', b'{"name":"\xc3\x84 \\n"}\n'),
        (b'{\r\n "a": 1\n}', b'{   "a": 1 }\n'),
    ],
)
def test_a_line_is_the_text_that_came_on_one_line(text: bytes, line: bytes) -> None:
    assert as_line(text) == line


def test_the_types_that_are_recorded_are_the_official_ones() -> None:
    assert {
        "GameStartedEventForObserver",
        "TickEventForObserver",
        "RoundEndedEventForObserver",
        "GameEndedEventForObserver",
        "GameAbortedEvent",
    } == RECORDED
    assert ENDS | {BEGINS} <= RECORDED
