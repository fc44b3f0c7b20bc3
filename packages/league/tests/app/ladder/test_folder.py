"""An arena keeps an upload that it took over a restart; limits; who plays."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.messages import missing
from turnwright.errors import SetupError
from turnwright.net import portability
from turnwright_league.app.ladder.files import OWN
from turnwright_league.app.ladder.folder import BOTS_OF_ONE_MAX, ArenaFolder
from turnwright_league.app.ladder.options import SECRET_CHARS_MIN, ArenaOptions
from turnwright_league.app.ladder.people import Refusal
from turnwright_league.app.ladder.store import ArenaStore, Person, PrintedText, Upload
from turnwright_league.tournament.entries import TournamentEntry

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


def test_an_upload_is_taken_where_folders_cannot_be_opened(
    opened: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_file(path: str | Path, *arguments: object, real: Any = os.open) -> int:
        if os.path.isdir(path):
            raise PermissionError(13, "Permission denied", str(path))  # as on Windows
        return int(real(path, *arguments))

    monkeypatch.setattr(portability, "IS_LINUX", False)
    monkeypatch.setattr(os, "open", open_file)
    assert send(opened(), b"first").id == 1


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


KIB = 1 << 10


def lying(arena: ArenaFolder) -> list[str]:
    """The files of uploads that are on the disk, in a few letters each."""
    files, bots = arena.places.uploads.iterdir(), arena.places.bots.iterdir()
    return sorted([*(one.name for one in files), *(f"bot {one.name}" for one in bots)])


def give_directory(arena: ArenaFolder, one: Upload, size: int = 1) -> None:
    place = arena.places.bot(one.id) / "Bot"
    place.mkdir(parents=True)
    (place / "Bot.py").write_bytes(b"x" * size)


def test_one_person_does_not_fill_the_arena(opened: OpenArena) -> None:
    arena = opened(person_mib=1, uploads_mib=2)
    send(arena, b"a" * 700 * KIB)
    with pytest.raises(Refusal) as refused:
        send(arena, b"b" * 700 * KIB)
    assert refused.value.status == 507
    assert not missing(refused.value.text, "0.7", "1 MiB", "--person-mib", "teacher")
    send(arena, b"c" * 300 * KIB)
    assert send(arena, b"d" * 700 * KIB, "bert").folded == "bert"
    assert list(arena.places.incoming.iterdir()) == []


def test_an_unpacked_bot_counts_for_its_owner(opened: OpenArena) -> None:
    arena = opened(person_mib=1)
    one = send(arena, b"small")
    give_directory(arena, one, 900 * KIB)
    assert arena.quota_problem(one.id, "Bot") == ""
    with pytest.raises(Refusal):
        send(arena, b"b" * 200 * KIB)
    (arena.places.bot(one.id) / "Bot" / "more").write_bytes(b"x" * 200 * KIB)
    assert not missing(arena.quota_problem(one.id, "Bot"), "--person-mib", "1 MiB")
    assert opened(person_mib=2).quota_problem(one.id, "Bot") == ""


def test_a_new_version_may_have_the_room_of_the_one_that_it_replaces(opened: OpenArena) -> None:
    arena = opened(person_mib=1)
    old = let_play(arena, "Bot", b"old")
    give_directory(arena, old, 900 * KIB)
    arena.measure(old.id)
    new = send(arena, b"new")
    give_directory(arena, new, 900 * KIB)
    assert arena.quota_problem(new.id, "Bot") == ""
    assert not missing(arena.quota_problem(new.id, "Other"), "--person-mib")


def test_what_does_not_play_any_more_is_freed_but_for_the_newest(
    opened: OpenArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwright_league.app.ladder.folder.HISTORY_MAX", 2)
    arena = opened()
    for number in range(5):
        give_directory(arena, let_play(arena, "Bot", b"%d" % number))
    other = let_play(arena, "Bot", b"of another", "bert")
    arena.free_unneeded(())
    assert lying(arena) == ["3", "4", "5", "6", "bot 5"]
    assert [one.id for one in arena.uploads() if one.freed] == [1, 2]
    arena.remove(other.id)
    arena.free_unneeded(())
    assert [one.id for one in opened().uploads() if one.freed] == [1, 2]
    assert send(arena, b"4").id == 5, "its last upload is still the same"


def test_freed_and_removed_files_make_room_for_others(opened: OpenArena) -> None:
    arena = opened(uploads_mib=1)
    one = let_play(arena, "Bot", b"a" * 900 * KIB)
    give_directory(arena, one, 100 * KIB)
    with pytest.raises(Refusal):
        send(arena, b"b" * 500 * KIB, "bert")
    arena.remove(one.id)
    two = send(arena, b"b" * 500 * KIB, "bert")
    arena.free_unneeded(())
    assert lying(arena) == [str(two.id)]
    assert arena.bytes_by_person()["anna"] == 0
    assert opened().bytes_by_person()["bert"] == 500 * KIB


def test_a_directory_that_is_played_in_is_not_freed(opened: OpenArena) -> None:
    arena = opened()
    for bot in ("A", "B"):
        give_directory(arena, let_play(arena, bot, bot.encode()))
    arena.start_cup("Cup", 1)
    arena.remove(1)
    arena.remove(2)
    arena.free_unneeded(())
    assert lying(arena) == ["1", "2", "bot 1", "bot 2"]
    arena.stop_cup()
    arena.free_unneeded({2})
    assert lying(arena) == ["1", "2", "bot 2"]
    arena.free_unneeded(())
    assert lying(arena) == ["1", "2"]


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
    monkeypatch.setattr("turnwright_league.app.ladder.store.PRINTS_MAX", 3)
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


def test_a_teachers_secret_that_could_be_guessed_is_refused(tmp_path: Path) -> None:
    ArenaOptions(data=tmp_path, teacher_secrets=frozenset({"x" * SECRET_CHARS_MIN}))
    with pytest.raises(SetupError) as refused:
        ArenaOptions(data=tmp_path, teacher_secrets=frozenset({"x" * (SECRET_CHARS_MIN - 1)}))
    assert not missing(str(refused.value), SECRET_CHARS_MIN, "longer")
