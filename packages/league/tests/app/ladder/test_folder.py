"""A ladder server keeps its uploads over a restart, limits their size, and knows which bots play."""

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
from turnwright_league.app.ladder.folder import BOTS_OF_ONE_MAX, LadderFolder
from turnwright_league.app.ladder.options import SECRET_CHARS_MIN, LadderOptions
from turnwright_league.app.ladder.people import Refusal
from turnwright_league.app.ladder.store import LadderStore, Person, PrintedText, Upload
from turnwright_league.tournament.entries import TournamentEntry

OpenLadder = Callable[..., LadderFolder]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenLadder]:
    """Opens the ladder server of a folder, again and again."""
    made: list[LadderFolder] = []

    def opened(**options: object) -> LadderFolder:
        place = tmp_path / "club"
        place.mkdir(exist_ok=True)
        ladder_folder = LadderFolder(LadderOptions(data=place, **options))  # type: ignore[arg-type]  # as the test says
        made.append(ladder_folder)
        ladder_folder.store.put_person(Person("Anna", "anna", "x"))
        return ladder_folder

    yield opened
    for one in made:
        one.close()


def send(ladder_folder: LadderFolder, data: bytes, who: str = "anna") -> Upload:
    part = ladder_folder.places.part()
    part.write_bytes(data)
    return ladder_folder.take_upload(who, "Bot.zip", part, str(hash(data)))


def let_play(ladder_folder: LadderFolder, bot: str, data: bytes, who: str = "anna") -> Upload:
    one = send(ladder_folder, data, who)
    number = ladder_folder.next_number(who, bot, one.id)
    entry = TournamentEntry(bot, str(number), "bot", str(one.id))
    return ladder_folder.let_play(
        one.id, bot=bot, number=number, entry=entry, directory=f"{OWN}/bots/{one.id}/{bot}"
    )


def test_an_upload_is_taken_where_folders_cannot_be_opened(
    opened: OpenLadder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_file(path: str | Path, *arguments: object, real: Any = os.open) -> int:
        if os.path.isdir(path):
            raise PermissionError(13, "Permission denied", str(path))  # as on Windows
        return int(real(path, *arguments))

    monkeypatch.setattr(portability, "IS_LINUX", False)
    monkeypatch.setattr(os, "open", open_file)
    assert send(opened(), b"first").id == 1


def test_an_upload_that_was_taken_is_there_after_a_restart(opened: OpenLadder) -> None:
    ladder_folder = opened()
    one, two = send(ladder_folder, b"first"), send(ladder_folder, b"second")
    (ladder_folder.places.part()).write_bytes(b"on its way when the ladder server was killed")
    again = opened()
    assert [(up.id, up.state) for up in again.uploads()] == [(one.id, "received"), (two.id, "received")]
    assert [again.places.upload(up.id).read_bytes() for up in again.uploads()] == [b"first", b"second"]
    assert list(again.places.incoming.iterdir()) == []


def test_a_file_without_a_row_was_never_taken_and_its_number_is_used_again(opened: OpenLadder) -> None:
    ladder_folder = opened()
    ladder_folder.places.upload(1).write_bytes(b"killed between the file and the row")
    one = send(opened(), b"first")
    assert (one.id, ladder_folder.places.upload(1).read_bytes()) == (1, b"first")


def test_the_same_bytes_again_are_the_same_upload(opened: OpenLadder) -> None:
    ladder_folder = opened()
    assert send(ladder_folder, b"first").id == send(ladder_folder, b"first").id
    assert send(ladder_folder, b"second").id != send(ladder_folder, b"first").id
    assert list(ladder_folder.places.incoming.iterdir()) == []


def test_the_uploads_of_each_person_in_an_hour_are_limited(opened: OpenLadder) -> None:
    ladder_folder = opened(uploads_per_hour=3)
    for number in range(3):
        send(ladder_folder, b"%d" % number)
    with pytest.raises(Refusal) as refused:
        send(ladder_folder, b"one more")
    assert refused.value.status == 429
    assert list(ladder_folder.places.incoming.iterdir()) == []
    assert send(ladder_folder, b"one more", "bert").id == 4


def test_all_uploads_together_have_a_bound_which_a_restart_with_another_changes(opened: OpenLadder) -> None:
    ladder_folder = opened(uploads_mib_max=1)
    half = 1 << 19
    send(ladder_folder, b"a" * half)
    with pytest.raises(Refusal) as refused:
        send(ladder_folder, b"b" * (half + 1), "bert")
    assert refused.value.status == 507
    assert "--max-uploads" in refused.value.text
    send(ladder_folder, b"c" * half, "bert")
    with pytest.raises(Refusal):
        ladder_folder.check_upload("anna")
    assert list(ladder_folder.places.incoming.iterdir()) == []
    assert send(opened(uploads_mib_max=2), b"d").id == 3


KIB = 1 << 10


def lying(ladder_folder: LadderFolder) -> list[str]:
    """Return the names of the uploads and bot directories on the disk."""
    files, bots = ladder_folder.places.uploads.iterdir(), ladder_folder.places.bots.iterdir()
    return sorted([*(one.name for one in files), *(f"bot {one.name}" for one in bots)])


def give_directory(ladder_folder: LadderFolder, one: Upload, size: int = 1) -> None:
    place = ladder_folder.places.bot(one.id) / "Bot"
    place.mkdir(parents=True)
    (place / "Bot.py").write_bytes(b"x" * size)


def test_one_person_does_not_fill_the_ladder_server(opened: OpenLadder) -> None:
    ladder_folder = opened(person_mib_max=1, uploads_mib_max=2)
    send(ladder_folder, b"a" * 700 * KIB)
    with pytest.raises(Refusal) as refused:
        send(ladder_folder, b"b" * 700 * KIB)
    assert refused.value.status == 507
    assert not missing(refused.value.text, "0.7", "1 MiB", "--max-person-uploads", "teacher")
    send(ladder_folder, b"c" * 300 * KIB)
    assert send(ladder_folder, b"d" * 700 * KIB, "bert").folded == "bert"
    assert list(ladder_folder.places.incoming.iterdir()) == []


def test_an_unpacked_bot_counts_for_its_owner(opened: OpenLadder) -> None:
    ladder_folder = opened(person_mib_max=1)
    one = send(ladder_folder, b"small")
    give_directory(ladder_folder, one, 900 * KIB)
    assert ladder_folder.quota_problem(one.id, "Bot") == ""
    with pytest.raises(Refusal):
        send(ladder_folder, b"b" * 200 * KIB)
    (ladder_folder.places.bot(one.id) / "Bot" / "more").write_bytes(b"x" * 200 * KIB)
    assert not missing(ladder_folder.quota_problem(one.id, "Bot"), "--max-person-uploads", "1 MiB")
    assert opened(person_mib_max=2).quota_problem(one.id, "Bot") == ""


def test_a_new_version_may_use_the_quota_of_the_one_it_replaces(opened: OpenLadder) -> None:
    ladder_folder = opened(person_mib_max=1)
    old = let_play(ladder_folder, "Bot", b"old")
    give_directory(ladder_folder, old, 900 * KIB)
    ladder_folder.measure(old.id)
    new = send(ladder_folder, b"new")
    give_directory(ladder_folder, new, 900 * KIB)
    assert ladder_folder.quota_problem(new.id, "Bot") == ""
    assert not missing(ladder_folder.quota_problem(new.id, "Other"), "--max-person-uploads")


def test_uploads_that_no_longer_play_are_freed_except_the_newest(
    opened: OpenLadder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwright_league.app.ladder.folder.HISTORY_MAX", 2)
    ladder_folder = opened()
    for number in range(5):
        give_directory(ladder_folder, let_play(ladder_folder, "Bot", b"%d" % number))
    other = let_play(ladder_folder, "Bot", b"of another", "bert")
    ladder_folder.free_unneeded(())
    assert lying(ladder_folder) == ["3", "4", "5", "6", "bot 5"]
    assert [one.id for one in ladder_folder.uploads() if one.freed] == [1, 2]
    ladder_folder.remove(other.id)
    ladder_folder.free_unneeded(())
    assert [one.id for one in opened().uploads() if one.freed] == [1, 2]
    assert send(ladder_folder, b"4").id == 5, "its last upload is still the same"


def test_freed_and_removed_files_make_room_for_others(opened: OpenLadder) -> None:
    ladder_folder = opened(uploads_mib_max=1)
    one = let_play(ladder_folder, "Bot", b"a" * 900 * KIB)
    give_directory(ladder_folder, one, 100 * KIB)
    with pytest.raises(Refusal):
        send(ladder_folder, b"b" * 500 * KIB, "bert")
    ladder_folder.remove(one.id)
    two = send(ladder_folder, b"b" * 500 * KIB, "bert")
    ladder_folder.free_unneeded(())
    assert lying(ladder_folder) == [str(two.id)]
    assert ladder_folder.bytes_by_person()["anna"] == 0
    assert opened().bytes_by_person()["bert"] == 500 * KIB


def test_a_directory_that_is_played_in_is_not_freed(opened: OpenLadder) -> None:
    ladder_folder = opened()
    for bot in ("A", "B"):
        give_directory(ladder_folder, let_play(ladder_folder, bot, bot.encode()))
    ladder_folder.tournaments.start("Cup", 1)
    ladder_folder.remove(1)
    ladder_folder.remove(2)
    ladder_folder.free_unneeded(())
    assert lying(ladder_folder) == ["1", "2", "bot 1", "bot 2"]
    ladder_folder.tournaments.stop()
    ladder_folder.free_unneeded({2})
    assert lying(ladder_folder) == ["1", "2", "bot 2"]
    ladder_folder.free_unneeded(())
    assert lying(ladder_folder) == ["1", "2"]


def test_no_upload_is_taken_while_they_are_frozen_also_after_a_restart(opened: OpenLadder) -> None:
    opened().freeze(frozen=True)
    ladder_folder = opened()
    with pytest.raises(Refusal):
        send(ladder_folder, b"first")
    ladder_folder.freeze(frozen=False)
    assert send(ladder_folder, b"first").id == 1


def test_a_new_version_takes_the_place_of_the_old_one(opened: OpenLadder) -> None:
    ladder_folder = opened()
    let_play(ladder_folder, "Bot", b"1")
    let_play(ladder_folder, "Other", b"2")
    newer = let_play(ladder_folder, "Bot", b"3")
    assert newer.number == 2
    assert [(one.bot, one.number) for one in ladder_folder.playing()] == [("Other", 1), ("Bot", 2)]
    let_play(ladder_folder, "Bot", b"4", "bert")
    assert len(ladder_folder.playing()) == 3


def test_only_the_newest_bots_of_a_person_play_on_the_ladder(opened: OpenLadder) -> None:
    ladder_folder = opened()
    for number in range(BOTS_OF_ONE_MAX + 2):
        let_play(ladder_folder, f"Bot{number}", b"%d" % number)
    assert [one.bot for one in ladder_folder.playing()] == [f"Bot{n}" for n in range(2, BOTS_OF_ONE_MAX + 2)]


def test_a_removed_bot_stays_away_also_when_its_check_ends_later(opened: OpenLadder) -> None:
    ladder_folder = opened()
    one = send(ladder_folder, b"1")
    ladder_folder.remove(one.id)
    assert ladder_folder.let_play(one.id).state == "removed"
    assert ladder_folder.playing() == []
    with pytest.raises(Refusal):
        ladder_folder.remove(99)


def test_tournaments_have_playing_bots_and_run_one_at_a_time(opened: OpenLadder) -> None:
    ladder_folder = opened()
    let_play(ladder_folder, "A", b"1")
    with pytest.raises(Refusal):
        ladder_folder.tournaments.start("Cup", 2)
    let_play(ladder_folder, "B", b"2")
    started = ladder_folder.tournaments.start("  Friday\u202e cup ", 2)
    assert (started.name, len(started.bots)) == ("Tournament 1", 2) or "\u202e" not in started.name
    with pytest.raises(Refusal):
        ladder_folder.tournaments.start("Another", 2)
    ladder_folder.tournaments.stop()
    assert [one.state for one in opened().tournaments.all()] == ["stopped"]


def test_prints_are_saved_for_the_newest_battles(opened: OpenLadder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwright_league.app.ladder.store.PRINTS_MAX", 3)
    store = opened().store
    for number in range(6):
        store.put_prints(f"b{number}", [PrintedText(f"b{number}", "e", number, (f"line {number}",))])
    assert sorted(store.prints_of("e")) == ["b3", "b4", "b5"]


def test_a_folder_of_another_format_or_that_cannot_be_made_is_refused(
    opened: OpenLadder, tmp_path: Path
) -> None:
    ladder_folder = opened()
    ladder_folder.store.put_setting("format", "0")
    with pytest.raises(SetupError) as refused:
        opened()
    assert not missing(str(refused.value), "arena.sqlite", "'0'")
    (tmp_path / "file").touch()
    with pytest.raises(SetupError):
        LadderFolder(LadderOptions(data=tmp_path / "file"))
    garbage = tmp_path / "garbage.sqlite"
    garbage.write_bytes(b"no database at all, but long enough to be looked at" * 40)
    with pytest.raises(SetupError):
        LadderStore(garbage)


def test_a_damaged_row_is_refused_in_one_line(tmp_path: Path) -> None:
    store = LadderStore(tmp_path / "ladder.sqlite")
    with sqlite3.connect(tmp_path / "ladder.sqlite") as rows:
        rows.execute("INSERT INTO uploads VALUES (1, 'anna', '{')")
        rows.execute("INSERT INTO prints VALUES ('b', 'e', 1, '[]')")
        rows.execute("INSERT INTO cups VALUES (1, '{}')")
    rows.close()
    for read in (store.uploads, store.tournaments, lambda: store.prints_of("e")):
        with pytest.raises(SetupError) as caught:
            read()
        assert not missing(str(caught.value), "ladder.sqlite", "damaged", "backup")
    store.close()


def test_passphrases_are_in_a_file_that_its_owner_alone_reads(opened: OpenLadder) -> None:
    ladder_folder = opened()
    assert ladder_folder.places.database.stat().st_mode & 0o077 == 0
    with sqlite3.connect(ladder_folder.places.database) as rows:
        assert rows.execute("SELECT count(*) FROM people").fetchone() == (1,)


def test_a_teachers_secret_that_could_be_guessed_is_refused(tmp_path: Path) -> None:
    LadderOptions(data=tmp_path, teacher_secrets=frozenset({"x" * SECRET_CHARS_MIN}))
    with pytest.raises(SetupError) as refused:
        LadderOptions(data=tmp_path, teacher_secrets=frozenset({"x" * (SECRET_CHARS_MIN - 1)}))
    assert not missing(str(refused.value), SECRET_CHARS_MIN, "longer")
