"""The catalogue: our games by folder, others by entry point or path; mistakes in them are one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from packages.core.tests.adder_game import install_points
from packages.core.tests.dice_game import GOOD, folder
from packages.core.tests.messages import missing, says
from turnwright import catalog
from turnwright.errors import GameError, SetupError
from turnwright.kernel.battle import Battle
from turnwright.kernel.checked_game import CheckedGame
from turnwright.kernel.game import SeatInfo


@pytest.mark.parametrize("name", catalog.names())
def test_every_installed_game_is_found_by_its_name(name: str) -> None:
    assert catalog.load(name).name == name
    assert isinstance(catalog.load(name), CheckedGame) == catalog.find(name).checked


def test_each_folder_of_ours_has_an_entry_point() -> None:
    folders = [file.parent.name for file in Path(catalog.__file__).parent.glob("games/*/game.py")]
    assert set(folders) <= set(catalog.names())


@pytest.mark.process
def test_a_package_offers_its_game_as_the_default_and_without_one_a_game_has_to_be_named(
    tmp_path: Path,
) -> None:
    asked = "from turnwright import catalog; print(catalog.default_game()); catalog.find('')"
    install_points(tmp_path, "turnwright_tank", "none")  # it hides the one that is installed
    words = [sys.executable, "-c", asked]
    none = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert none.stdout == "\n"
    assert not missing(none.stderr.splitlines()[-1], "SetupError", "--game", "snake")
    install_points(tmp_path, "other", catalog.DEFAULT_ENTRY_POINT, snake="turnwright.games.snake:GAME")
    some = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert some.stdout == "snake\n"


def test_each_load_gives_its_own_rules() -> None:
    assert catalog.load("countdown") is not catalog.load("countdown")


def test_an_unknown_game_is_refused_with_the_names_of_the_known_ones() -> None:
    with pytest.raises(SetupError) as caught:
        catalog.load("chess")
    assert not missing(str(caught.value), "'chess'", *catalog.names(), "folder")
    with pytest.raises(SetupError) as caught:
        catalog.load("snak")
    assert not missing(str(caught.value), "'snak'", "snake?")


def test_a_folder_is_a_game_and_may_import_its_neighbour_modules(tmp_path: Path) -> None:
    game = catalog.load(folder(tmp_path / "my dice"))
    assert isinstance(game, CheckedGame)
    battle = Battle(game, {}, [SeatInfo("one")], 1)
    while battle.outcome is None:
        battle.open_turn()
        battle.end_collecting(0)
        battle.close_turn()
    assert battle.turn == 3


def test_two_folders_of_one_name_are_two_games(tmp_path: Path) -> None:
    one, other = tmp_path / "a" / "dice", tmp_path / "b" / "dice"
    folder(one)
    folder(other, GOOD.replace('name = "dice"', 'name = "other"'))
    assert [catalog.load(str(path)).name for path in (one, other, one / "game.py")] == [
        "dice",
        "other",
        "dice",
    ]


def test_a_folder_without_a_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"has no game\.py"):
        catalog.load(str(tmp_path))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("def observe(", "def look(", "does not write observe; "),
        ("class Dice(Game[State, int])", "class Dice", "has no class.*one class"),
        ('    name = "dice"\n', "", "has no name"),
        ("state.turn += 1", "state.turn +=", r"cannot be loaded: SyntaxError: [^<]*line \d+\)$"),
        ("ENDS\n", "MISSING\n", "cannot be loaded: ImportError"),
        ('"dice"\n', '"dice"\n    def __init__(self, x): pass\n', r"Dice\(\) raised TypeError"),
        ('"dice"\n', '"dice"\n    def __init__(self): exit(3)\n', r"Dice\(\) raised SystemExit"),
        ("class Dice", "raise SystemExit('enough')\nclass Dice", "cannot be loaded: .*SystemExit: enough"),
        ("class Dice", "class Other(Game): pass\nclass Dice", "has Other, Dice"),
    ],
)  # fmt: skip
def test_a_game_that_cannot_be_loaded_is_refused_with_the_reason(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    assert old in GOOD
    where = folder(tmp_path / "dice", GOOD.replace(old, new))
    with pytest.raises(GameError, match=words) as caught:
        catalog.load(where)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("wrong", ["1 / 0", "raise SystemExit(1)"])
def test_a_failing_package_file_of_a_folder_is_reported_each_time(tmp_path: Path, wrong: str) -> None:
    where = folder(tmp_path / "dice")
    (tmp_path / "dice" / "__init__.py").write_text(wrong, encoding="utf-8")
    for _ in range(2):
        with pytest.raises(GameError, match=r"__init__\.py cannot be loaded: (ZeroDivisionError|SystemExit)"):
            catalog.load(where)


@pytest.mark.process
def test_a_package_with_an_entry_point_is_found(tmp_path: Path) -> None:
    folder(tmp_path / "dice_game")
    (tmp_path / "dice_game" / "__init__.py").touch()
    install_points(tmp_path, "dice_game", catalog.ENTRY_POINTS, dice="dice_game.game:Dice")
    asked = "from turnwright import catalog; print(catalog.names(), catalog.load('dice').name)"
    done = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, cwd=tmp_path, timeout=60, check=True
    )
    assert "'dice'" in done.stdout
    assert done.stdout.split()[-1] == "dice"


def test_an_entry_point_has_the_name_of_its_game_since_records_are_found_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder(tmp_path / "named_dice")
    (tmp_path / "named_dice" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    assert catalog.FoundGame("dice", "named_dice.game", "Dice").rules().name == "dice"
    with pytest.raises(GameError) as caught:
        catalog.FoundGame("cubes", "named_dice.game", "Dice").rules()
    assert says(str(caught.value), "Dice … 'dice' … 'cubes' … expected")


def test_a_third_party_game_needs_its_own_name(tmp_path: Path) -> None:
    where = folder(tmp_path / "dice", GOOD.replace('name = "dice"', 'name = "snake"'))
    with pytest.raises(GameError) as caught:
        catalog.load(where)
    assert says(str(caught.value), "Dice … dice … 'snake' … another name")


def test_files_and_parts_of_a_game_are_found() -> None:
    snake = catalog.find("snake")
    assert sorted(snake.part("bots")) == ["Greedy", "Wanderer"]
    assert snake.part("protocol") is None
    assert snake.file("nothing.js") is None
    assert snake.file("game.py") is not None


def test_a_missing_part_is_reported(tmp_path: Path) -> None:
    where = folder(tmp_path / "dice")
    with (tmp_path / "dice" / "game.py").open("a") as file:
        file.write("""
from turnwright.game_package import GamePackage
GAME = GamePackage(rules=Dice, protocol=".words:NONE")
""")
    found = catalog.find(where)
    assert found.rules().name == "dice"
    with pytest.raises(GameError) as caught:
        found.part("protocol")
    assert not missing(str(caught.value), "protocol", "dice", ".words:NONE", "module:name")
