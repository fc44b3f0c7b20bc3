from __future__ import annotations

import sys
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.net.bot_directories import make_bot, make_team
from packages.core.tests.net.small_server import SNAKES
from turnwright.errors import SetupError
from turnwright.games.snake.bots import BOTS
from turnwright.host.protocol import DIRECTORY_ID_CHARS_MAX
from turnwright.net.participants import start_for_operator as bootable
from turnwright.net.participants.start_for_operator import Start, find, listing, starts_of

GIVEN: dict[str, Any] = {"server_url": "ws://127.0.0.1:1", "secrets": repeat("s3"), "seed": 5, "team_id": 7}


@pytest.fixture
def roots(tmp_path: Path) -> list[Path]:
    one, two = tmp_path / "one", tmp_path / "two"
    make_bot(one, "Corners", ["Corners.py"], {"description": "sits in corners"})
    make_bot(one, "Walls", ["Walls.py"])
    make_team(one, "Both", ["Corners", "Walls", "Walls"])
    make_bot(two, "Corners", ["Corners.py"], {"name": "Other"})
    return [one, two]


def test_built_in_bots_and_directories_are_listed_with_ids_of_their_own(roots: list[Path]) -> None:
    found = find(roots, SNAKES)
    assert [one for one in found if one.startswith("house/")] == [f"house/{name}" for name in BOTS]
    others = {key: (one.name, one.kind) for key, one in found.items() if one.kind != "house"}
    assert others == {
        "1/Both": ("Both", "team"),
        "1/Corners": ("Corners", "bot"),
        "1/Walls": ("Walls", "bot"),
        "2/Corners": ("Other", "bot"),
    }
    rows = {row.id: row for row in listing(found)}
    assert rows.keys() == found.keys()
    assert (rows["1/Corners"].kind, rows["1/Corners"].description) == ("bot", "sits in corners")


def test_a_root_that_cannot_be_read_holds_nothing(tmp_path: Path) -> None:
    root = tmp_path / ("B" * 253)
    root.mkdir()
    assert find([root], SNAKES) == find([], SNAKES)


def test_broken_and_missing_directories_are_left_out(roots: list[Path], tmp_path: Path) -> None:
    (roots[0] / "Walls" / "Walls.json").write_text("{")
    make_bot(roots[1], "L" * DIRECTORY_ID_CHARS_MAX)
    found = find([*roots, tmp_path / "gone"], SNAKES)
    assert [key for key in found if key[0].isdigit()] == ["1/Both", "1/Corners", "2/Corners"]


def test_the_list_has_an_end(roots: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootable, "ENTRIES_MAX", len(BOTS) + 2)
    assert len(find(roots, SNAKES)) == len(BOTS) + 2


def test_a_bot_is_started_as_a_battle_starts_it(roots: list[Path]) -> None:
    (start,) = starts_of(find(roots, SNAKES)["1/Corners"], SNAKES, **GIVEN, python=sys.executable)
    directory = roots[0] / "Corners"
    assert start.argv == (sys.executable, str(directory / "Corners.py"))
    assert (start.name, start.version, start.directory) == ("Corners", "1.0", directory)
    given = {key: start.environ[key] for key in ("SERVER_URL", "SERVER_SECRET", "BOT_SEED", "BOT_NAME")}
    assert given == {
        "SERVER_URL": "ws://127.0.0.1:1",
        "SERVER_SECRET": "s3",
        "BOT_SEED": "5",
        "BOT_NAME": "Corners",
    }


def test_no_secret_is_on_a_command_line(roots: list[Path]) -> None:
    for one in find(roots, SNAKES).values():
        for start in starts_of(one, SNAKES, **GIVEN):
            assert not any("s3" in word for word in start.argv)


def test_a_team_is_one_process_for_each_member(roots: list[Path]) -> None:
    starts = starts_of(find(roots, SNAKES)["1/Both"], SNAKES, **GIVEN)
    assert [start.name for start in starts] == ["Corners", "Walls", "Walls"]
    assert {(s.environ["TEAM_ID"], s.environ["TEAM_NAME"]) for s in starts} == {("7", "Both")}


def test_a_built_in_bot_is_a_process_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TURNWRIGHT_CONTROLLER_SECRETS", "hidden")
    (start,) = starts_of(find([], SNAKES)["house/Greedy"], SNAKES, **GIVEN)
    assert start == Start("Greedy", start.version, start.argv, start.directory, start.environ, is_ours=True)
    assert start.argv[-3:] == ("turnwright.app.game.built_in_bot", "snake", "Greedy")
    assert "TURNWRIGHT_CONTROLLER_SECRETS" not in start.environ


def test_a_directory_that_cannot_be_started_is_refused_in_one_line(roots: list[Path]) -> None:
    (roots[0] / "Walls" / "Walls.py").unlink()
    with pytest.raises(SetupError, match="Walls"):
        starts_of(find(roots, SNAKES)["1/Both"], SNAKES, **GIVEN)
