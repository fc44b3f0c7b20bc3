from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import msgspec
import pytest

from packages.tank.tests.analysis.scenes import frame, tank
from turnwright import run_battle
from turnwright.app import battle
from turnwright.app.results import Progress
from turnwright.cli.battle import options_of
from turnwright.cli.parser import parse
from turnwright.net.files.reader import read_record
from turnwright_tank.app.options import TankOptions
from turnwright_tank.cli import text_display
from turnwright_tank.cli.text_display import TextDisplay
from turnwright_tank.game import TankGame
from turnwright_tank.wire.recording.from_record import messages_of
from turnwright_tank.wire.royale import messages as m

COMMAND = [sys.executable, "-m", "turnwright.cli", "battle", "Spinner", "Duck", "--rounds", "1",
           "--tps", "-1", "--watch=text"]  # fmt: skip


def test_bots_do_not_wait_for_the_terminal_which_shows_every_turn_at_its_speed() -> None:
    heard: list[tuple[float, bytes]] = []
    options = TankOptions(("Spinner", "Rammer"), rounds=1, seed=3, tps=400, watched=True, pacing="apart")
    result = battle.run(options, on_spectator_message=lambda data: heard.append((monotonic(), data)))
    ticks = [at_s for at_s, data in heard if b"TickEventForObserver" in data]
    assert len(ticks) == result.turns
    assert ticks[-1] - ticks[0] >= 0.9 * (result.turns - 1) / 400, "at the speed that was asked for"
    assert b"GameEndedEventForObserver" in heard[-1][1], "and it waits for the end"


@pytest.mark.parametrize(("game", "bot", "pacing"), [("tank", "Spinner", "apart"), ("snake", "Greedy", None)])
def test_a_battle_waits_for_the_terminal_only_where_its_game_has_no_picture(
    game: str, bot: str, pacing: str | None
) -> None:
    command = parse(["battle", "--game", game, bot, bot, "--watch=text"])
    assert not isinstance(command, int)
    assert options_of(command.given).pacing == pacing


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class DrawsAtTheEnd:
    """A thread that gets no time until it is waited for."""

    def __init__(self, target: Callable[[], None], name: str, daemon: bool) -> None:
        self._target = target

    def start(self) -> None:
        pass

    def join(self, timeout_s: float) -> None:
        self._target()


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """All messages to the observers of a small battle."""
    path = tmp_path_factory.mktemp("live") / "x.twr"
    run_battle("Spinner", "Rammer", rounds=1, seed=3, record=path)
    return [msgspec.json.encode(one) for one in messages_of(read_record(Path(path)), TankGame("interpreted"))]


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")


def _feed(display: TextDisplay, messages: list[bytes]) -> None:
    """Let the display take messages as its thread would, without a thread."""
    for data in messages:
        display.scene.take(data)


def test_the_picture_follows_the_messages_of_observers(told: list[bytes]) -> None:
    display = TextDisplay(Terminal())
    _feed(display, told[:41])
    lines = display.picture(80, 24)
    assert lines[0].startswith("round 1/1  turn 40  playing")
    assert any("Spinner" in line for line in lines)
    _feed(
        display,
        [msgspec.json.encode(m.TpsChangedEvent(tps=30)), msgspec.json.encode(m.GamePausedEventForObserver())],
    )
    assert "paused  30 turns/s" in display.picture(80, 24)[0]
    _feed(display, told[41:])
    lines = display.picture(80, 24)
    assert "over" in lines[0]
    assert any("Rammer" in line and line.rstrip()[-1].isdigit() for line in lines)


def test_before_the_battle_awaited_bots_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "Thread", DrawsAtTheEnd)
    display = TextDisplay(Terminal())
    display.show(Progress("starting", waiting_for=("Ann",)))
    assert display.picture(80, 24) == ["waiting for Ann"]


def test_garbage_and_frames_without_a_battle_change_nothing() -> None:
    display = TextDisplay(Terminal())
    _feed(display, [b"\xff", b"{}", msgspec.json.encode(frame(1, tank(1)))])
    assert display.picture(80, 24) == ["starting"]


def test_only_the_newest_frames_wait_to_be_drawn(monkeypatch: pytest.MonkeyPatch, told: list[bytes]) -> None:
    drawn: list[bytes] = []
    monkeypatch.setattr(threading, "Thread", DrawsAtTheEnd)
    display = TextDisplay(Terminal())
    monkeypatch.setattr(display.scene, "take", drawn.append)
    for data in told:
        display.take(data)
    assert drawn == []
    display.close()
    ticks = [data for data in told if b"TickEvent" in data]
    assert [data for data in drawn if data in ticks] == ticks[-4:]
    assert len(drawn) == 4 + 3


@pytest.mark.process
def test_the_thread_draws_and_gives_the_terminal_back(told: list[bytes]) -> None:
    stream = Terminal()
    display = TextDisplay(stream)
    display.show(Progress("starting"))
    display.note("a note")
    for data in told[:41]:
        display.take(data)
    display.close()
    text = stream.getvalue()
    assert text.startswith("\033[?1049h")
    assert "turn 40" in text
    assert text.endswith("\033[?25h\033[?1049la note\n")
    display.close()
    display.take(told[0])
    assert stream.getvalue() == text, "a display that was closed stays so"
    assert text_display.DRAW_S >= 1 / 15


@pytest.mark.process
def test_a_battle_is_watched_in_a_terminal_and_its_results_follow(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=theirs, cwd=tmp_path)
    os.close(theirs)
    drawn = b""
    while True:
        try:
            part = os.read(ours, 65_536)
        except OSError:
            break
        if not part:
            break
        drawn += part
    out, _ = process.communicate(timeout=60)
    os.close(ours)
    assert process.returncode == 0
    assert drawn.startswith(b"\033[?1049h")
    assert b"\033[?1049l" in drawn
    assert "┌─".encode() in drawn
    assert b"Spinner" in out


@pytest.mark.process
def test_without_a_terminal_lines_are_printed_instead(tmp_path: Path) -> None:
    done = subprocess.run(COMMAND, capture_output=True, timeout=60, cwd=tmp_path, check=True)
    assert b"\033" not in done.stderr
    assert b"Spinner" in done.stdout
