"""A recording in memory: one game, whole or not, with missing parts guessed and noted."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from packages.core.tests.messages import missing
from packages.tank.tests.wire.recording.shown_battles import a_setup, play, some_seats
from turnwright.errors import RecordError
from turnwright_tank.wire.recording import read as recording
from turnwright_tank.wire.recording.read import Notes, Recording, collect
from turnwright_tank.wire.royale.codec import decode_server

TOLD = play(a_setup(), some_seats(4, teams=True, droids=True))
MESSAGES: list[Any] = [decode_server(data) for data in TOLD.messages]
FRAMES = [message for message in MESSAGES if hasattr(message, "bot_states")]


def test_a_whole_game_is_collected_with_nothing_to_note() -> None:
    found = collect(MESSAGES)
    assert found == Recording(
        setup=MESSAGES[0].game_setup,
        participants={p.id: p for p in MESSAGES[0].participants},
        frames=FRAMES,
        rounds=[message for message in MESSAGES if type(message).__name__ == "RoundEndedEventForObserver"],
        results=MESSAGES[-1].results,
        ending="over",
        guessed=False,
        notes=Notes(),
    )
    assert len(found.rounds) == 2


def test_an_aborted_game_and_a_truncated_one_are_reported() -> None:
    assert collect([*MESSAGES[:9], decode_server(b'{"type":"GameAbortedEvent"}')]).ending == "aborted"
    cut = collect(MESSAGES[:9])
    assert cut.ending == "cut off"
    assert not missing(*cut.notes.lines, "end", "missing")


def test_the_newest_results_are_known_without_an_end() -> None:
    assert collect(MESSAGES[:-1]).results == MESSAGES[-1].results


def test_without_the_start_arena_and_participants_are_guessed() -> None:
    found = collect(MESSAGES[1:])
    assert found.guessed
    assert not missing(*found.notes.lines, "start", "arena", "participants")
    assert (found.setup.arena_width, found.setup.arena_height, found.setup.number_of_rounds) == (800, 600, 2)
    assert {i: (p.name, p.is_droid, p.session_id) for i, p in found.participants.items()} == {
        p.id: (p.name, p.is_droid, p.session_id) for p in MESSAGES[0].participants
    }


@pytest.mark.parametrize(
    ("x", "width"), [(782.0, 800), (782.1, 900), (982.0, 1000), (-5.0, 800), (1e300, 100_000)]
)
def test_a_guessed_arena_holds_every_tank(x: float, width: int) -> None:
    frame = msgspec.structs.replace(FRAMES[0], bot_states=[*FRAMES[0].bot_states])
    frame.bot_states[2] = msgspec.structs.replace(frame.bot_states[2], x=x)
    assert collect([frame]).setup.arena_width == width


def test_an_unannounced_tank_is_still_a_participant() -> None:
    started = msgspec.structs.replace(MESSAGES[0], participants=MESSAGES[0].participants[1:])
    found = collect([started, *MESSAGES[1:]])
    assert list(found.participants) == [1, 2, 3, 4]
    assert found.participants[1].authors == ()


def test_the_first_of_several_games_is_shown() -> None:
    for second in (MESSAGES, MESSAGES[1:]):
        found = collect([*MESSAGES, *second])
        assert len(found.frames) == len(FRAMES)
        assert not missing(*found.notes.lines, "another game", "first")
    assert len(collect([*MESSAGES[:9], *MESSAGES]).frames) == 8


def test_a_game_without_turns_is_shown_and_nothing_at_all_is_refused() -> None:
    assert collect(MESSAGES[:1]).frames == []
    with pytest.raises(RecordError, match="Tank Royale recording"):
        collect([])


def test_more_than_can_be_held_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    states = sum(1 + len(f.bot_states) + len(f.bullet_states) + len(f.events) for f in FRAMES)
    monkeypatch.setattr(recording, "STATES_MAX", states)
    assert collect(MESSAGES).frames == FRAMES
    monkeypatch.setattr(recording, "STATES_MAX", states - 1)
    with pytest.raises(RecordError, match="too large to hold"):
        collect(MESSAGES)
