from __future__ import annotations

import asyncio
import os

import pytest

from turnwright.errors import SetupError
from turnwright.games.tank import compiled
from turnwright.net.warmup import Warmth, new_game, warm_up
from turnwright.wire.royale import fast_ticks


def test_rules_that_go_on_after_an_error_are_interpreted() -> None:
    assert new_game(True).speed == "python"
    assert new_game(True).on_error == "continue"
    assert new_game(False).on_error == "raise"


def test_the_compiled_rules_are_loaded_only_for_battles_that_use_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[str] = []
    monkeypatch.setattr(compiled, "load", lambda tell: tell("loading rules"))
    monkeypatch.setattr(fast_ticks, "load", lambda tell: tell("loading ticks"))
    warm_up("continue", told.append)
    assert told == []
    warm_up("void", told.append)
    assert told == (["loading rules", "loading ticks"] if compiled.available() else [])


def test_a_server_begins_interpreted_and_goes_on_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    state = {"cached": False, "loaded": False, "writer": False}
    monkeypatch.setattr(compiled, "available", lambda: True)
    for program, loaded in ((compiled, "loaded"), (fast_ticks, "writer")):
        monkeypatch.setattr(program, "is_cached", lambda: state["cached"])
        monkeypatch.setattr(program, "is_loaded", lambda loaded=loaded: state[loaded])
        monkeypatch.setattr(program, "load", lambda tell=None, loaded=loaded: state.update({loaded: True}))
    monkeypatch.setattr("turnwright.net.warmup._COMPILE", "pass")
    told: list[str] = []
    warmth = Warmth("auto", "void", told.append)
    assert warmth.load_cached()
    assert warmth.new_game(False).speed == "python"
    warmth.take_over()
    assert not state["loaded"]
    asyncio.run(warmth.compile_aside())
    state["cached"] = True
    warmth.take_over()
    assert state["loaded"]
    assert state["writer"]
    assert not warmth.load_cached()
    assert warmth.new_game(False).speed == "numba"
    assert any("compiled in" in line for line in told)


def test_a_watched_battle_takes_the_compiled_rules_over_when_a_round_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = {"cached": False, "rules": False, "writer": False}
    monkeypatch.setattr(compiled, "available", lambda: True)
    for program, loaded in ((compiled, "rules"), (fast_ticks, "writer")):
        monkeypatch.setattr(program, "is_cached", lambda: state["cached"])
        monkeypatch.setattr(program, "is_loaded", lambda loaded=loaded: state[loaded])
        monkeypatch.setattr(program, "load", lambda tell=None, loaded=loaded: state.update({loaded: True}))
    monkeypatch.setattr("turnwright.net.warmup._COMPILE", "pass")
    told: list[str] = []
    warmth = Warmth("auto", "void", told.append, between_rounds=True)

    async def aside() -> None:
        warmth.begin_aside()
        warmth.begin_aside()  # once is enough
        assert warmth._compiling is not None
        await warmth._compiling

    game = warmth.new_game(False)
    assert game.faster is not None
    assert not game.faster()
    assert not warmth.is_preparing()
    asyncio.run(aside())
    assert warmth.is_preparing()
    state["cached"] = True
    assert game.faster()
    assert not warmth.is_preparing()
    assert (state["rules"], state["writer"]) == (True, True)
    assert [line.partition(";")[0] for line in told] == [
        "the battle begins with interpreted rules",
        told[1].partition(";")[0],
    ]
    assert "the next round runs compiled" in told[1]
    assert warmth.new_game(True).faster is None


def test_a_battle_that_ends_first_ends_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "available", lambda: True)
    for program in (compiled, fast_ticks):
        monkeypatch.setattr(program, "is_loaded", lambda: False)
    monkeypatch.setattr("turnwright.net.warmup._COMPILE", "import time; time.sleep(600)")
    started: list[int] = []
    monkeypatch.setattr("turnwright.net.warmup._yield_to_battles", started.append)
    warmth = Warmth("auto", "void", print, between_rounds=True)

    async def cut_short() -> None:
        warmth.begin_aside()
        while not started:
            await asyncio.sleep(0)
        assert warmth.is_preparing()
        await warmth.end_aside()
        assert not warmth.is_preparing()

    asyncio.run(cut_short())
    with pytest.raises(ProcessLookupError):
        os.kill(started[0], 0)


def test_a_compiler_that_fails_leaves_the_rules_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "available", lambda: True)
    for program in (compiled, fast_ticks):
        monkeypatch.setattr(program, "is_cached", lambda: False)
        monkeypatch.setattr(program, "is_loaded", lambda: False)
    monkeypatch.setattr("turnwright.net.warmup._COMPILE", "raise SystemExit(3)")
    told: list[str] = []
    warmth = Warmth("auto", "void", told.append)
    asyncio.run(warmth.compile_aside())
    assert not warmth.is_preparing()
    warmth.take_over()
    assert warmth.new_game(False).speed == "python"
    assert "exit code 3" in told[-1]


def test_interpreted_is_kept_when_asked_for_and_compiled_refused_where_it_cannot_be() -> None:
    assert not Warmth("interpreted", "void", print).load_cached()
    assert Warmth("interpreted", "void", print).new_game(False).speed == "python"


def test_compiled_is_refused_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "available", lambda: False)
    with pytest.raises(SetupError, match=r"install turnwright\[fast\]"):
        Warmth("compiled", "void", print)


def test_what_was_compiled_but_kept_nowhere_is_not_prepared_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "available", lambda: True)
    for program in (compiled, fast_ticks):
        monkeypatch.setattr(program, "is_cached", lambda: False)
        monkeypatch.setattr(program, "is_loaded", lambda: False)
    monkeypatch.setattr("turnwright.net.warmup._COMPILE", "pass")
    warmth = Warmth("auto", "void", [].append, between_rounds=True)
    asyncio.run(warmth.compile_aside())
    assert not warmth.take_over()
    assert not warmth.is_preparing()
