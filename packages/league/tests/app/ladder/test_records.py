"""Records of a ladder server have a bound. The oldest are deleted, and their results show this."""

from __future__ import annotations

import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from turnwright_league.app.ladder.files import OWN
from turnwright_league.app.ladder.folder import LadderFolder
from turnwright_league.app.ladder.options import LadderOptions
from turnwright_league.app.ladder.records import LadderRecords
from turnwright_league.app.ladder.store import FirstCheck, Upload
from turnwright_league.app.ladder.take_home import pack_home
from turnwright_league.app.store import ResultStore, open_store
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.played_battle import PlayedBattle

PLAYERS = frozenset({"anna", "bert", "house"})


class Ladder:
    """A ladder server whose battles are invented. Each record has 100 bytes, and 300 are kept."""

    def __init__(self, folder: Path) -> None:
        self.ladder_folder = LadderFolder(LadderOptions(data=folder))
        self.store: ResultStore = open_store(self.ladder_folder.folder.store, writing=True)
        self.results = {one.id: one for one in self.store.battles()}
        self.told: list[str] = []
        self.records = LadderRecords(self.ladder_folder, self.store, 300, self.told.append)
        self.records.scan(self.results)
        self.records.set_players(PLAYERS)

    def write(self, number: int, *seats: str, size: int = 100) -> PlayedBattle:
        """Write the record of a battle, and return its result; neither is kept yet."""
        spec = BattleSpec("dice", 1, "{}", seats or ("anna", "bert"), number)
        part = self.ladder_folder.folder.new_record(spec.id)
        part.write_bytes(b"x" * size)
        record, _ = self.ladder_folder.folder.keep_record(part, spec.id)
        return PlayedBattle(spec, "ok", (), record=record, played_us=number)

    def play(self, number: int, *seats: str, size: int = 100) -> str:
        """Play a battle at a time; return its id."""
        played = self.write(number, *seats, size=size)
        self.store.add(played)
        self.results[played.id] = played
        self.records.add_battle(played)
        self.make_room()
        return played.id

    def make_room(self) -> None:
        self.results |= {one.id: one for one in self.records.make_room(self.results)}

    def upload(self, name: str, record: str) -> Upload:
        """Let an upload play whose first battle has a record."""
        part = self.ladder_folder.places.part()
        part.write_bytes(name.encode())
        one = self.ladder_folder.take_upload(name, "Bot.zip", part, name)
        self.ladder_folder.places.first_check(record).write_bytes(b"x" * 100)
        entry = TournamentEntry(name, "1", "bot", name)
        check = FirstCheck("house", score=2.0, record=record)
        one = self.ladder_folder.let_play(
            one.id, bot=name, number=1, entry=entry, directory=f"{OWN}/bots/{one.id}/{name}", trial=check
        )
        self.records.add_first_check(one)
        return one

    def kept(self) -> set[str]:
        """Return the ids of the battles whose records are on the disk."""
        files = [
            *self.ladder_folder.folder.path.glob("records/*/*.twr"),
            *self.ladder_folder.places.first_checks.glob("*.twr"),
        ]
        return {one.stem for one in files}

    def noted(self) -> set[str]:
        """Return the ids of the battles whose results say that their records were deleted."""
        return {one.id for one in self.store.battles() if one.record_deleted and one.record is None}

    def close(self) -> None:
        self.store.close()
        self.ladder_folder.close()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[], Ladder]]:
    """Opens a ladder in one folder, again and again."""
    made: list[Ladder] = []

    def again() -> Ladder:
        made.append(Ladder(tmp_path))
        return made[-1]

    yield again
    for one in made:
        one.close()


def test_the_oldest_record_is_deleted_and_its_result_stays_with_a_note(opened: Callable[[], Ladder]) -> None:
    ladder = opened()
    ids = [ladder.play(number) for number in range(1, 6)]
    assert ladder.kept() == set(ids[2:])
    assert ladder.noted() == set(ids[:2])
    assert {one.id for one in ladder.store.battles()} == set(ids)
    assert [ladder.results[one].record_deleted for one in ids] == [True, True, False, False, False]
    assert ladder.records.bytes == 300
    assert len(ladder.told) == 1


def test_records_of_versions_that_no_longer_play_go_first(opened: Callable[[], Ladder]) -> None:
    ladder = opened()
    one, old, other = ladder.play(1), ladder.play(2, "old", "bert"), ladder.play(3)
    four = ladder.play(4)
    assert ladder.kept() == {one, other, four}
    assert ladder.noted() == {old}


def test_records_of_a_bot_that_stopped_are_old_from_then_on_oldest_first(
    opened: Callable[[], Ladder],
) -> None:
    ladder = opened()
    with_bert, with_anna, between = (
        ladder.play(1, "bert", "house"),
        ladder.play(2, "anna", "house"),
        ladder.play(3),
    )
    ladder.records.set_players({"anna", "house"})
    four = ladder.play(4, "anna", "house")
    assert ladder.kept() == {with_anna, between, four}
    ladder.records.set_players({"bert", "house"})
    five = ladder.play(5, "bert", "house")
    assert ladder.kept() == {between, four, five}
    assert ladder.noted() == {with_bert, with_anna}


def test_records_are_counted_again_after_a_restart(opened: Callable[[], Ladder]) -> None:
    ids = [opened().play(number) for number in (3, 1, 2)]
    ladder = opened()
    assert ladder.records.bytes == 300
    ladder.play(4)
    assert ladder.noted() == {ids[1]}


def test_a_battle_that_is_played_again_counts_once(opened: Callable[[], Ladder]) -> None:
    ladder = opened()
    first = ladder.play(1, size=200)
    assert ladder.play(1, size=100) == first
    ladder.play(2)
    assert (ladder.records.bytes, ladder.noted()) == (200, set())


def test_leftovers_of_a_kill_are_deleted_later(opened: Callable[[], Ladder]) -> None:
    ladder = opened()
    noted = ladder.write(1)
    ladder.store.add(replace(noted, record=None, record_deleted=True))
    unknown = ladder.write(2)
    again = opened()
    assert again.kept() == {unknown.id}
    again.make_room()
    assert again.kept() == {unknown.id}, "there is room for it"
    for number in (3, 4, 5):
        again.play(number)
    assert unknown.id not in again.kept()
    assert again.noted() == {noted.id}


def test_records_of_first_checks_count_and_their_owners_learn_of_deletion(
    opened: Callable[[], Ladder],
) -> None:
    ladder = opened()
    one = ladder.upload("cleo", "c" * 40)
    oldest = ladder.play(1)
    ladder.play(2)
    assert ladder.records.bytes == 300
    ladder.play(3)
    assert ladder.noted() == {oldest}, "a version that has just been tried is one that plays"
    assert "c" * 40 in ladder.kept()
    ladder.ladder_folder.remove(one.id)
    ladder.play(4)
    assert ladder.noted() == {oldest}
    assert "c" * 40 not in ladder.kept()
    for ladder_folder in (ladder.ladder_folder, opened().ladder_folder):
        check = ladder_folder.uploads()[one.id - 1].trial
        assert check is not None
        assert (check.record_deleted, check.score) == (True, 2.0)
        assert ladder_folder.is_first_check_record_deleted(check.record or "")
        assert not ladder_folder.is_first_check_record_deleted("")


def test_records_are_not_deleted_while_they_are_packed_for_download(
    opened: Callable[[], Ladder], tmp_path: Path
) -> None:
    ladder = opened()
    ids = [ladder.play(number) for number in (1, 2, 3)]
    ladder.ladder_folder.remove(ladder.upload("cleo", "c" * 40).id)

    def delete_now() -> None:
        ladder.make_room()
        ladder.ladder_folder.free_unneeded(())

    class Watched:
        """A lock of deletions that tries to delete while it is held."""

        def __init__(self, lock: threading.Lock) -> None:
            self._lock = lock
            self.acquire, self.release = lock.acquire, lock.release

        def __enter__(self) -> None:
            self._lock.acquire()
            delete_now()
            assert ladder.kept() == {*ids, "c" * 40}

        def __exit__(self, *_: object) -> None:
            with zipfile.ZipFile(ladder.ladder_folder.places.path / "home.zip") as packed:
                assert sum(name.endswith(".twr") for name in packed.namelist()) == 4
            self._lock.release()

    ladder.ladder_folder.deletions = Watched(ladder.ladder_folder.deletions)  # type: ignore[assignment]  # it is one
    pack_home(ladder.ladder_folder, ladder.ladder_folder.places.path / "home.zip")
    delete_now()
    assert ladder.kept() == set(ids), "afterwards the record of the removed one goes"


def test_a_record_freed_with_an_upload_makes_room(opened: Callable[[], Ladder]) -> None:
    ladder = opened()
    ladder.upload("cleo", "c" * 40)
    ladder.play(1)
    ladder.ladder_folder.places.first_check("c" * 40).unlink()
    ladder.records.forget("c" * 40)
    ladder.play(2)
    ladder.play(3)
    assert (ladder.records.bytes, ladder.noted()) == (300, set())
