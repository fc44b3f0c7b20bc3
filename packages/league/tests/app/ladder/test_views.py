"""The content of a ladder server's pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from turnwright.host import accounts
from turnwright_league.app.ladder.battle_runner import LadderBattleRunner
from turnwright_league.app.ladder.folder import LadderFolder
from turnwright_league.app.ladder.options import LadderOptions
from turnwright_league.app.ladder.store import Upload
from turnwright_league.app.ladder.views import LadderViews


class CountedFolder(LadderFolder):
    """A ladder server that counts how many uploads it has handed out."""

    handed_out = 0

    def uploads(self) -> list[Upload]:
        found = super().uploads()
        self.handed_out += len(found)
        return found


@pytest.fixture
def ladder_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CountedFolder]:
    monkeypatch.setattr(accounts, "SCRYPT_COST", 2)  # no passphrase is typed here
    opened = CountedFolder(LadderOptions(data=tmp_path))
    yield opened
    opened.close()


def let_in(ladder_folder: LadderFolder, name: str, *uploads: bytes) -> None:
    ladder_folder.people.register(name, "a long passphrase", "", name)
    for data in uploads:
        part = ladder_folder.places.part()
        part.write_bytes(data)
        ladder_folder.take_upload(name, "Bot.zip", part, data.hex())


def teacher(ladder_folder: LadderFolder) -> dict[str, tuple[int, int]]:
    """Return uploads and bytes of each person, as the teacher's page has them."""
    views = LadderViews(ladder_folder, cast(LadderBattleRunner, None), "none", "")
    return {one["folded"]: (one["uploads"], one["bytes"]) for one in views.teacher()["people"]}


def test_the_teacher_sees_the_disk_usage_of_each_person(ladder_folder: CountedFolder) -> None:
    let_in(ladder_folder, "anna", b"x" * 700, b"y" * 300)
    let_in(ladder_folder, "bert", b"z" * 50)
    let_in(ladder_folder, "cleo")
    assert teacher(ladder_folder) == {"anna": (2, 1000), "bert": (1, 50), "cleo": (0, 0)}


def test_its_work_grows_with_the_uploads_alone_however_many_people_there_are(
    ladder_folder: CountedFolder,
) -> None:
    for letter in "abcdefghijkl":
        let_in(ladder_folder, f"person-{letter}", letter.encode())
    ladder_folder.handed_out = 0
    assert len(teacher(ladder_folder)) == 12
    assert ladder_folder.handed_out <= 24
