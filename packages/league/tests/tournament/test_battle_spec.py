"""A battle's id covers everything that decides its outcome."""

from __future__ import annotations

import pickle
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright_league.tournament.battle_spec import BATTLE_ID_DIGITS, BattleSpec, settings_text
from turnwright_league.tournament.entries import ENTRY_ID_DIGITS, TournamentEntry

SPEC = BattleSpec("snake", 7, settings_text({"turns": 10, "width": 20}), ("aa", "bb"), 12)


@given(
    st.text(),
    st.integers(),
    st.dictionaries(st.text(), st.none() | st.integers() | st.text() | st.booleans(), max_size=4),
    st.lists(st.text(), max_size=4),
    st.integers(min_value=0),
)
def test_a_specification_survives_its_text(game, behaviour, settings, seats, seed) -> None:  # type: ignore[no-untyped-def]
    spec = BattleSpec(game, behaviour, settings_text(settings), tuple(seats), seed)
    assert BattleSpec.from_json(spec.to_json()) == spec
    assert BattleSpec.from_json(spec.to_json()).id == spec.id
    assert len(spec.id) == BATTLE_ID_DIGITS


def test_the_order_of_settings_does_not_matter() -> None:
    assert settings_text({"b": 1, "a": 2}) == settings_text({"a": 2, "b": 1})


@pytest.mark.parametrize(
    "other",
    [
        {"game": "countdown"},
        {"behaviour": 8},
        {"settings": settings_text({"rounds": 11, "game_type": "1v1"})},
        {"seats": ("bb", "aa")},
        {"seed": 13},
    ],
)
def test_every_field_changes_the_id(other: dict[str, object]) -> None:
    assert replace(SPEC, **other).id != SPEC.id  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "1", "{}", "[1,2]", '["snake","7",{},[],1]', '["snake",7,[],["a"],1]'])
def test_a_text_that_is_not_a_specification_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        BattleSpec.from_json(text)


def test_an_entry_is_a_program_in_one_version() -> None:
    entry = TournamentEntry("Ace", "1.0", "house", "00ff")
    others = [replace(entry, name="Bce"), replace(entry, version="1.1"), replace(entry, source="00fe")]
    assert len({entry.id, *(other.id for other in others)}) == 4
    assert len(entry.id) == ENTRY_ID_DIGITS


def test_an_id_is_hashed_once_and_is_neither_written_nor_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, other = BattleSpec("g", 1, "{}", ("a",), 1), BattleSpec("g", 1, "{}", ("a",), 1)
    number, text = one.id, one.to_json()
    monkeypatch.setattr(BattleSpec, "to_json", lambda _: "another text")
    assert one.id == number
    assert one == other
    assert other.id != number
    assert set(msgspec.json.decode(msgspec.json.encode(one))) == {
        "game",
        "behaviour",
        "settings",
        "seats",
        "seed",
    }
    monkeypatch.undo()
    again = msgspec.json.decode(msgspec.json.encode(one), type=BattleSpec)
    assert (again.id, again.to_json(), pickle.loads(pickle.dumps(one)).id) == (number, text, number)
    assert replace(one, seed=2).id != number
