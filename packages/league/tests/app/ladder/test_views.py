"""The content of an arena's pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from turnwright.host import accounts
from turnwright_league.app.ladder.battle_runner import ArenaBattleRunner
from turnwright_league.app.ladder.folder import ArenaFolder
from turnwright_league.app.ladder.options import ArenaOptions
from turnwright_league.app.ladder.store import Upload
from turnwright_league.app.ladder.views import ArenaViews


class CountedArena(ArenaFolder):
    """An arena that counts how many uploads it has handed out."""

    handed_out = 0

    def uploads(self) -> list[Upload]:
        found = super().uploads()
        self.handed_out += len(found)
        return found


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CountedArena]:
    monkeypatch.setattr(accounts, "SCRYPT_COST", 2)  # no passphrase is typed here
    opened = CountedArena(ArenaOptions(data=tmp_path))
    yield opened
    opened.close()


def let_in(arena: ArenaFolder, name: str, *uploads: bytes) -> None:
    arena.people.register(name, "a long passphrase", "", name)
    for data in uploads:
        part = arena.places.part()
        part.write_bytes(data)
        arena.take_upload(name, "Bot.zip", part, data.hex())


def teacher(arena: ArenaFolder) -> dict[str, tuple[int, int]]:
    """Return uploads and bytes of each person, as the teacher's page has them."""
    views = ArenaViews(arena, cast(ArenaBattleRunner, None), "none", "")
    return {one["folded"]: (one["uploads"], one["bytes"]) for one in views.teacher()["people"]}


def test_the_teacher_sees_what_each_person_has_on_the_disk(arena: CountedArena) -> None:
    let_in(arena, "anna", b"x" * 700, b"y" * 300)
    let_in(arena, "bert", b"z" * 50)
    let_in(arena, "cleo")
    assert teacher(arena) == {"anna": (2, 1000), "bert": (1, 50), "cleo": (0, 0)}


def test_its_work_grows_with_the_uploads_alone_however_many_people_there_are(arena: CountedArena) -> None:
    for letter in "abcdefghijkl":
        let_in(arena, f"person-{letter}", letter.encode())
    arena.handed_out = 0
    assert len(teacher(arena)) == 12
    assert arena.handed_out <= 24
