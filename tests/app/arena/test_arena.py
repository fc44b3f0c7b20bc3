"""What an arena keeps: an upload that was taken is there after a restart; limits; who plays."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.messages import missing
from turnwright.app.arena.arena import BOTS_OF_ONE_MAX, OWN, ArenaFolder
from turnwright.app.arena.options import ArenaOptions
from turnwright.app.arena.people import Refusal
from turnwright.app.arena.store import ArenaStore, Person, PrintedText, Upload
from turnwright.errors import SetupError
from turnwright.tournament.entries import TournamentEntry

OpenArena = Callable[..., ArenaFolder]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenArena]:
    """Opens the arena of a folder, again and again."""
    made: list[ArenaFolder] = []

    def opened(**options: object) -> ArenaFolder:
        place = tmp_path / "club"
        place.mkdir(exist_ok=True)
        arena = ArenaFolder(ArenaOptions(data=place, **options))  # type: ignore[arg-type]  # as the test says
        made.append(arena)
        arena.store.put_person(Person("Anna", "anna", "x"))
        return arena

    yield opened
    for one in made:
        one.close()


def send(arena: ArenaFolder, data: bytes, who: str = "anna") -> Upload:
    part = arena.places.part()
    part.write_bytes(data)
    return arena.take_upload(who, "Bot.zip", part, str(hash(data)))


def let_play(arena: ArenaFolder, bot: str, data: bytes, who: str = "anna") -> Upload:
    one = send(arena, data, who)
    number = arena.next_number(who, bot, one.id)
    entry = TournamentEntry(bot, str(number), "bot", str(one.id))
    return arena.let_play(one.id, bot=bot, number=number, entry=entry, directory=f"{OWN}/bots/{one.id}/{bot}")


def test_an_upload_that_was_taken_is_there_after_a_restart(opened: OpenArena) -> None:
    arena = opened()
    one, two = send(arena, b"first"), send(arena, b"second")
    (arena.places.part()).write_bytes(b"on its way when the arena was killed")
    again = opened()
    assert [(up.id, up.state) for up in again.uploads()] == [(one.id, "received"), (two.id, "received")]
    assert [again.places.upload(up.id).read_bytes() for up in again.uploads()] == [b"first", b"second"]
    assert list(again.places.incoming.iterdir()) == []


def test_a_file_without_a_row_was_never_taken_and_its_number_is_used_again(opened: OpenArena) -> None:
    arena = opened()
    arena.places.upload(1).write_bytes(b"killed between the file and the row")
    one = send(opened(), b"first")
    assert (one.id, arena.places.upload(1).read_bytes()) == (1, b"first")


def test_the_same_bytes_again_are_the_same_upload(opened: OpenArena) -> None:
    arena = opened()
    assert send(arena, b"first").id == send(arena, b"first").id
    assert send(arena, b"second").id != send(arena, b"first").id
    assert list(arena.places.incoming.iterdir()) == []


def test_a_person_has_so_many_uploads_an_hour_and_others_are_not_held_up(opened: OpenArena) -> None:
    arena = opened(uploads_per_hour=3)
    for number in range(3):
        send(arena, b"%d" % number)
    with pytest.raises(Refusal) as refused:
        send(arena, b"one more")
    assert refused.value.status == 429
    assert list(arena.places.incoming.iterdir()) == []
    assert send(arena, b"one more", "bert").id == 4


def test_all_uploads_together_have_a_bound_which_a_restart_with_another_changes(opened: OpenArena) -> None:
    arena = opened(uploads_mib=1)
    half = 1 << 19
    send(arena, b"a" * half)
    with pytest.raises(Refusal) as refused:
        send(arena, b"b" * (half + 1), "bert")
    assert refused.value.status == 507
    assert "--uploads-mib" in refused.value.text
    send(arena, b"c" * half, "bert")
    with pytest.raises(Refusal):
        arena.check_upload("anna")
    assert list(arena.places.incoming.iterdir()) == []
    assert send(opened(uploads_mib=2), b"d").id == 3


def test_no_upload_is_taken_while_they_are_frozen_also_after_a_restart(opened: OpenArena) -> None:
    opened().freeze(frozen=True)
    arena = opened()
    with pytest.raises(Refusal):
        send(arena, b"first")
    arena.freeze(frozen=False)
    assert send(arena, b"first").id == 1


def test_a_new_version_takes_the_place_of_the_old_one(opened: OpenArena) -> None:
    arena = opened()
    let_play(arena, "Bot", b"1")
    let_play(arena, "Other", b"2")
    newer = let_play(arena, "Bot", b"3")
    assert newer.number == 2
    assert [(one.bot, one.number) for one in arena.playing()] == [("Other", 1), ("Bot", 2)]
    let_play(arena, "Bot", b"4", "bert")
    assert len(arena.playing()) == 3


def test_a_person_has_so_many_bots_on_the_ladder_the_newest(opened: OpenArena) -> None:
    arena = opened()
    for number in range(BOTS_OF_ONE_MAX + 2):
        let_play(arena, f"Bot{number}", b"%d" % number)
    assert [one.bot for one in arena.playing()] == [f"Bot{n}" for n in range(2, BOTS_OF_ONE_MAX + 2)]


def test_a_removed_bot_stays_away_also_when_its_check_ends_later(opened: OpenArena) -> None:
    arena = opened()
    one = send(arena, b"1")
    arena.remove(one.id)
    assert arena.let_play(one.id).state == "removed"
    assert arena.playing() == []
    with pytest.raises(Refusal):
        arena.remove(99)


def test_a_tournament_is_of_those_that_play_one_at_a_time(opened: OpenArena) -> None:
    arena = opened()
    let_play(arena, "A", b"1")
    with pytest.raises(Refusal):
        arena.start_cup("Cup", 2)
    let_play(arena, "B", b"2")
    cup = arena.start_cup("  Friday\u202e cup ", 2)
    assert (cup.name, len(cup.bots)) == ("Tournament 1", 2) or "\u202e" not in cup.name
    with pytest.raises(Refusal):
        arena.start_cup("Another", 2)
    arena.stop_cup()
    assert [one.state for one in opened().cups()] == ["stopped"]


def test_prints_are_kept_for_the_newest_battles(opened: OpenArena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwright.app.arena.store.PRINTS_MAX", 3)
    store = opened().store
    for number in range(6):
        store.put_prints(f"b{number}", [PrintedText(f"b{number}", "e", number, (f"line {number}",))])
    assert sorted(store.prints_of("e")) == ["b3", "b4", "b5"]


def test_a_folder_of_another_format_or_that_cannot_be_made_is_refused(
    opened: OpenArena, tmp_path: Path
) -> None:
    arena = opened()
    arena.store.put_setting("format", "0")
    with pytest.raises(SetupError) as refused:
        opened()
    assert not missing(str(refused.value), "arena.sqlite", "'0'")
    (tmp_path / "file").touch()
    with pytest.raises(SetupError):
        ArenaFolder(ArenaOptions(data=tmp_path / "file"))
    garbage = tmp_path / "garbage.sqlite"
    garbage.write_bytes(b"no database at all, but long enough to be looked at" * 40)
    with pytest.raises(SetupError):
        ArenaStore(garbage)


def test_passphrases_are_in_a_file_that_its_owner_alone_reads(opened: OpenArena) -> None:
    arena = opened()
    assert arena.places.database.stat().st_mode & 0o077 == 0
    with sqlite3.connect(arena.places.database) as rows:
        assert rows.execute("SELECT count(*) FROM people").fetchone() == (1,)
