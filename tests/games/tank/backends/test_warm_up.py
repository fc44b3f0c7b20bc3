from __future__ import annotations

import asyncio
import os
import re
from importlib import import_module

import pytest

from tests.messages import missing
from turnwright.errors import SetupError
from turnwright.games.tank.backends import compile as compiled
from turnwright.games.tank.backends.warm_up import COMPILE, RulesSpeed, new_game, warm_up
from turnwright.games.tank.wire.royale_fast import ticks


class PretendedPrograms:
    """The compiled rules and the compiled writer of observations: none is cached or loaded at first."""

    def __init__(self) -> None:
        self.cached = False
        self.loaded: set[str] = set()


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> PretendedPrograms:
    """Programs to compile; the compiler's process ends at once."""
    found = PretendedPrograms()
    monkeypatch.setattr(compiled, "available", lambda: True)
    for program, name in ((compiled, "rules"), (ticks, "writer")):
        monkeypatch.setattr(program, "is_cached", lambda: found.cached)
        monkeypatch.setattr(program, "is_loaded", lambda name=name: name in found.loaded)
        monkeypatch.setattr(program, "load", lambda tell=None, name=name: found.loaded.add(name))
    monkeypatch.setattr("turnwright.games.tank.backends.warm_up.COMPILE", "pass")
    return found


def test_rules_that_go_on_after_an_error_are_interpreted() -> None:
    assert new_game(True).speed == "python"
    assert new_game(True).on_error == "continue"
    assert new_game(False).on_error == "raise"


def test_the_compiled_rules_are_loaded_only_for_battles_that_use_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[str] = []
    monkeypatch.setattr(compiled, "load", lambda tell: tell("loading rules"))
    monkeypatch.setattr(ticks, "load", lambda tell: tell("loading ticks"))
    warm_up("continue", told.append)
    assert told == []
    warm_up("void", told.append)
    assert told == (["loading rules", "loading ticks"] if compiled.available() else [])


def test_a_server_begins_interpreted_and_goes_on_compiled(programs: PretendedPrograms) -> None:
    told: list[str] = []
    rules_speed = RulesSpeed("auto", "void", told.append)
    assert rules_speed.load_cached()
    assert rules_speed.new_game(False).speed == "python"
    rules_speed.take_over()
    assert not programs.loaded
    asyncio.run(rules_speed.compile_aside())
    programs.cached = True
    rules_speed.take_over()
    assert programs.loaded == {"rules", "writer"}
    assert not rules_speed.load_cached()
    assert rules_speed.new_game(False).speed == "numba"
    assert any("compiled in" in line for line in told)


def test_a_watched_battle_takes_the_compiled_rules_over_when_a_round_begins(
    programs: PretendedPrograms,
) -> None:
    told: list[str] = []
    rules_speed = RulesSpeed("auto", "void", told.append, between_rounds=True)

    async def aside() -> None:
        rules_speed.begin_aside()
        rules_speed.begin_aside()  # once is enough
        while len(told) < 2:
            await asyncio.sleep(0.001)

    game = rules_speed.new_game(False)
    assert game.faster is not None
    assert not game.faster()
    assert not rules_speed.is_preparing()
    asyncio.run(aside())
    assert rules_speed.is_preparing()
    programs.cached = True
    assert game.faster()
    assert not rules_speed.is_preparing()
    assert programs.loaded == {"rules", "writer"}
    first, second = told
    assert not missing(first, "begins", "interpreted rules")
    assert not missing(second, "next round", "compiled")
    assert rules_speed.new_game(True).faster is None


@pytest.mark.usefixtures("programs")
def test_a_battle_that_ends_first_ends_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwright.games.tank.backends.warm_up.COMPILE", "import time; time.sleep(600)")
    started: list[int] = []
    monkeypatch.setattr("turnwright.games.tank.backends.warm_up._yield_to_battles", started.append)
    rules_speed = RulesSpeed("auto", "void", print, between_rounds=True)

    async def cut_short() -> None:
        rules_speed.begin_aside()
        while not started:
            await asyncio.sleep(0)
        assert rules_speed.is_preparing()
        await rules_speed.end_aside()
        assert not rules_speed.is_preparing()

    asyncio.run(cut_short())
    with pytest.raises(ProcessLookupError):
        os.kill(started[0], 0)


@pytest.mark.usefixtures("programs")
def test_a_compiler_that_fails_leaves_the_rules_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwright.games.tank.backends.warm_up.COMPILE", "raise SystemExit(3)")
    told: list[str] = []
    rules_speed = RulesSpeed("auto", "void", told.append)
    asyncio.run(rules_speed.compile_aside())
    assert not rules_speed.is_preparing()
    rules_speed.take_over()
    assert rules_speed.new_game(False).speed == "python"
    assert "exit code 3" in told[-1]


def test_interpreted_is_kept_when_asked_for_and_compiled_refused_where_it_cannot_be() -> None:
    assert not RulesSpeed("interpreted", "void", print).load_cached()
    assert RulesSpeed("interpreted", "void", print).new_game(False).speed == "python"


def test_compiled_is_refused_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "available", lambda: False)
    with pytest.raises(SetupError, match=r"install turnwright\[fast\]"):
        RulesSpeed("compiled", "void", print)


@pytest.mark.usefixtures("programs")
def test_what_was_compiled_but_kept_nowhere_is_not_prepared_for_ever() -> None:
    rules_speed = RulesSpeed("auto", "void", [].append, between_rounds=True)
    asyncio.run(rules_speed.compile_aside())
    assert not rules_speed.take_over()
    assert not rules_speed.is_preparing()


def test_the_other_process_loads_modules_that_are_there() -> None:
    loaded = re.findall(r"from (\S+) import (\w+); \2\.load\(\)", COMPILE)
    assert len(loaded) == 2
    assert all(callable(import_module(f"{package}.{module}").load) for package, module in loaded)
