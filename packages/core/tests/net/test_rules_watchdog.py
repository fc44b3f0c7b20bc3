"""A call of a game that does not return is ended, in one line, wherever it hangs."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from packages.core.tests.messages import says
from turnwright import catalog
from turnwright.app.rooms import SILENT_END_S
from turnwright.errors import GameError
from turnwright.games.countdown.game import Countdown
from turnwright.kernel.checked_game import CheckedGame
from turnwright.net import rules_watchdog
from turnwright.net.rules_watchdog import CALL_S_MAX, RulesWatchdog, watchdog_of, watchdog_with_signals

SOON_S = 0.2
METHODS = ("setup", "asked", "observe", "resolve", "outcome", "read_intent", "snapshot", "frame", "restore")


def endless(**methods: Callable[..., Any]) -> CheckedGame:
    """Countdown, with other methods."""
    kind = type("Endless", (Countdown,), {name: staticmethod(method) for name, method in methods.items()})
    kind.__module__ = __name__  # not that of its metaclass
    return CheckedGame(kind())


def for_ever(*args: Any) -> Any:
    while True:
        pass


def call(method: str) -> str:
    """Call a method that never returns; return the message of the error that ends the call."""
    game = endless(**{method: for_ever})
    arguments = {"setup": 3, "resolve": 3, "observe": 2, "restore": 2}.get(method, 1)
    with pytest.raises(GameError) as caught, RulesWatchdog(SOON_S):
        getattr(game, method)(*[None] * arguments)
    return str(caught.value)


@pytest.mark.parametrize("method", METHODS)
def test_a_method_that_never_returns_is_ended_with_its_name_and_line(method: str) -> None:
    line = call(method)
    assert says(line, f"countdown.{method}() … 0.2 s … (test_rules_watchdog.py, line …)")
    assert "\n" not in line


def test_in_any_thread() -> None:
    with ThreadPoolExecutor(1) as pool:
        assert says(pool.submit(call, "resolve").result(timeout=60), "countdown.resolve() … return")


def test_a_game_that_catches_exceptions_is_ended_too() -> None:
    caught: list[BaseException] = []

    def stubborn(*args: Any) -> Any:
        while True:
            try:
                for_ever()
            except Exception as error:
                caught.append(error)

    game = endless(resolve=stubborn)
    with pytest.raises(GameError, match=r"resolve\(\) did not return"), RulesWatchdog(SOON_S):
        game.resolve(None, {}, None)  # type: ignore[arg-type]
    assert not caught


def test_many_short_calls_do_not_count_as_a_long_one(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = looks = 0
    seen = threading.Event()

    def clock() -> float:
        """Each call takes three seconds, also where the machine lets no call end between two looks."""
        nonlocal looks
        looks += 1
        if looks > 20 and calls > 20:
            seen.set()
        return 3.0 * calls

    monkeypatch.setattr(rules_watchdog, "monotonic", clock)
    monkeypatch.setattr(rules_watchdog, "LOOK_S", 0.001)
    game = endless(outcome=lambda state: None)
    with RulesWatchdog(5.0):
        while not seen.is_set():
            calls += 1
            game.outcome(None)


def test_a_signal_ends_a_long_call_and_runs_its_earlier_handler() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: heard.append(number))
    game = endless(resolve=for_ever)
    try:
        with RulesWatchdog() as watch:
            watch.hurry_on_signals()
            threading.Timer(0.05, signal.raise_signal, [signal.SIGTERM]).start()
            with pytest.raises(GameError, match=r"resolve\(\) did not return"):
                game.resolve(None, {}, None)  # type: ignore[arg-type]
    finally:
        signal.signal(signal.SIGTERM, before)
    assert heard == [signal.SIGTERM]


def test_games_of_ours_are_not_watched() -> None:
    with watchdog_of(catalog.find("snake")) as watch:
        assert watch is None
    with watchdog_with_signals(catalog.find("countdown")):
        assert threading.active_count() == len(threading.enumerate())
        assert not [one for one in threading.enumerate() if one.name == "turnwright-rules"]


def test_a_call_is_ended_before_the_process_of_its_table_would_be() -> None:
    assert CALL_S_MAX < SILENT_END_S
