from __future__ import annotations

import fcntl
import os
import threading
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

import msgspec
import pytest

from tests.games.tank.battles import digests, play, sights
from tests.parts import few
from turnwright.games.tank.backends import compile as compiled
from turnwright.games.tank.game import TankGame
from turnwright.games.tank.rules.rows import TANK
from turnwright.kernel.state_checks import fields

if not compiled.available():
    pytest.skip("numba is not installed", allow_module_level=True)

PYTHON = TankGame("python")
LONG_BATTLES = 2000


@pytest.fixture(scope="module")
def fast() -> TankGame:
    compiled.load()
    return TankGame("numba")


@pytest.mark.parametrize("number", few(range(1000, 1060), 20))
def test_both_speeds_have_the_same_digests(fast: TankGame, number: int) -> None:
    assert digests(PYTHON, number) == digests(fast, number)


@pytest.mark.parametrize("number", range(1060, 1070))
def test_both_speeds_show_the_same_to_everybody(fast: TankGame, number: int) -> None:
    encode = msgspec.json.encode
    assert sights(PYTHON, number, encode, turns=60) == sights(fast, number, encode, turns=60)


@pytest.mark.parametrize("number", [8, 9, 11, 12, 16, 17, 18, 21])
def test_a_battle_that_goes_over_to_the_compiled_rules_comes_out_the_same(number: int) -> None:
    compiled.load()
    told: list[bool] = []

    def game() -> TankGame:
        answers = iter((False, True))

        def faster() -> bool:
            told.append(next(answers))
            return told[-1]

        return TankGame("python", faster=faster)

    interpreted = digests(PYTHON, number, tanks=3, turns=300)
    changing = game()
    assert digests(changing, number, tanks=3, turns=300) == interpreted
    assert (changing.speed, told) == ("numba", [False, True])
    encode = msgspec.json.encode
    shown = sights(PYTHON, number, encode, tanks=3, turns=300)
    assert sights(game(), number, encode, tanks=3, turns=300) == shown


def test_rules_that_must_be_interpreted_never_go_over_to_compiled_ones() -> None:
    game = TankGame("python", on_error="continue", faster=lambda: True)
    assert digests(game, 8, tanks=3, turns=300) == digests(PYTHON, 8, tanks=3, turns=300)
    assert game.speed == "python"


def test_both_speeds_name_the_same_parts_of_the_state(fast: TankGame) -> None:
    (one, _), (two, _) = list(play(PYTHON, 5))[-1], list(play(fast, 5))[-1]
    parts = list(fields(PYTHON, one))
    assert parts == list(fields(fast, two))
    assert b"".join(value for _, value in parts) == fast.snapshot(two)


@pytest.mark.long
def test_two_thousand_battles_have_the_same_digests(fast: TankGame) -> None:
    for number in range(LONG_BATTLES):
        assert digests(PYTHON, number) == digests(fast, number), number


def test_a_row_of_an_array_has_the_bytes_of_a_packed_row() -> None:
    dtype = compiled.dtype_of(TANK)
    assert dtype.itemsize == 8 * len(TANK.names) == TANK.all_struct.size


def test_the_cache_follows_the_environment_and_the_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    directory = compiled.cache_directory()
    assert directory is not None
    assert Path(directory).parent == tmp_path / "turnwright"
    assert directory == compiled.cache_directory()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary files, where the home cannot be written."""
    (tmp_path / "file").write_text("not a directory")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    return tmp_path / "temporary"


def test_an_unwritable_cache_falls_back_to_a_temporary_one_that_is_private(temporary: Path) -> None:
    directory = compiled.cache_directory()
    assert directory is not None
    (place,) = temporary.iterdir()
    assert Path(directory).parent == place
    assert {path.stat().st_mode & 0o777 for path in (place, Path(directory))} == {0o700}
    assert compiled.cache_directory() == directory


@pytest.mark.parametrize("prepared", ["open", "of a group", "link", "of another"])
def test_a_cache_that_another_user_could_write_is_not_used(
    temporary: Path, monkeypatch: pytest.MonkeyPatch, prepared: str
) -> None:
    """Pickles of compiled code run what their author wants."""
    if prepared == "of another":
        mine = os.geteuid()
        monkeypatch.setattr("os.geteuid", lambda: mine + 1)
    place = temporary / f"turnwright-{os.geteuid()}"
    if prepared == "link":
        (temporary / "theirs").mkdir()
        place.symlink_to(temporary / "theirs")
    else:
        place.mkdir()
        place.chmod({"open": 0o777, "of a group": 0o770}.get(prepared, 0o700))
    assert compiled.cache_directory() is None


@pytest.mark.long
def test_the_first_compile_says_what_it_does_and_a_later_one_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    said: list[str] = []
    for _ in range(2):
        monkeypatch.setattr(compiled, "_loaded", {})
        compiled.load(said.append)
    assert len(said) == 2
    assert "compiling" in said[0]
    assert "compiled in" in said[1]
    for index in tmp_path.rglob("*.nbi"):
        index.write_bytes(b"damaged")
    monkeypatch.setattr(compiled, "_loaded", {})
    damaged = TankGame("numba")
    assert digests(damaged, 1, turns=20) == digests(PYTHON, 1, turns=20)


def test_what_one_installation_compiled_another_one_of_the_same_sources_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    compilers = []

    def entry() -> tuple[FunctionType, Any]:
        numba = import_module("numba")
        file = tmp_path / str(len(compilers)) / "rules.py"
        file.parent.mkdir()
        file.touch()
        compilers.append(file)
        space: dict[str, Any] = {"__name__": "rules"}
        exec(compile("def one(n):\n    return n\n", str(file), "exec"), space)
        return space["one"], (numba.types.int64,)

    program = compiled.CompiledProgram("one", "one", 1, (compiled,), entry)
    found = []
    for _ in range(2):
        monkeypatch.setattr(compiled, "_loaded", {})
        compiled.load_program(program)
        found.append({file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.nbc")})
    assert len(compilers) == 2
    assert len(found[0]) == 1
    assert found[0] == found[1]


def test_of_several_that_start_at_once_one_compiles_and_the_others_wait(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(compiled, "_loaded", {})
    monkeypatch.setattr(compiled, "cache_directory", lambda program=None: str(tmp_path))
    began = threading.Event()
    monkeypatch.setattr(compiled, "_compile", lambda program, directory: began.set())
    with (tmp_path / "lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        waiting = threading.Thread(target=compiled.load)
        waiting.start()
        assert not began.wait(0.2)
    waiting.join(60)
    assert began.is_set()


def test_what_is_cached_is_loaded_while_another_process_has_the_lock(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(compiled, "_loaded", {})
    monkeypatch.setattr(compiled, "cache_directory", lambda program=None: str(tmp_path))
    monkeypatch.setattr(compiled, "_compile", lambda program, directory: max)
    (tmp_path / "step.1.nbc").touch()
    with (tmp_path / "lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        loading = threading.Thread(target=compiled.load, daemon=True)
        loading.start()
        loading.join(60)
        assert compiled.is_loaded()


def test_a_cache_without_room_for_a_lock_is_used_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(compiled, "_loaded", {})
    monkeypatch.setattr(compiled, "cache_directory", lambda program=None: str(tmp_path))
    monkeypatch.setattr(compiled, "_compile", lambda program, directory: max)
    (tmp_path / "lock").mkdir()
    assert compiled.load() is max
