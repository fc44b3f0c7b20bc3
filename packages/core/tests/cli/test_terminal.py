from __future__ import annotations

import io
import os
import pty
import signal
import termios
from pathlib import Path

import pytest

from turnwright.cli.terminal import Keys, Screen, keys_in, restoring


@pytest.fixture
def size(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("LINES", "3")
    return monkeypatch


def _written(stream: io.StringIO) -> str:
    text = stream.getvalue()
    stream.seek(0)
    stream.truncate()
    return text


def test_only_lines_that_changed_are_written(size: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    screen = Screen(stream)
    screen.show(["one", "two"])
    assert _written(stream) == "\033[2J\033[1;1Hone\033[0m\033[K\033[2;1Htwo\033[0m\033[K"
    screen.show(["one", "three"])
    assert _written(stream) == "\033[2;1Hthree\033[0m\033[K"
    screen.show(["one", "three"])
    assert _written(stream) == ""
    screen.show(["one"])
    assert _written(stream) == "\033[2;1H\033[J"


def test_a_terminal_of_another_size_is_redrawn(size: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    screen = Screen(stream)
    screen.show(["one", "two", "three", "four"])
    assert "four" not in _written(stream)
    size.setenv("LINES", "4")
    screen.show(["one", "two", "three", "four"])
    assert _written(stream).startswith("\033[2J\033[1;1Hone")
    screen.forget()
    screen.show(["one"])
    assert "one" in _written(stream)


def test_the_terminal_is_given_back_once(size: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    screen = Screen(stream)
    screen.leave()
    assert _written(stream) == ""
    screen.enter()
    screen.enter()
    assert _written(stream) == "\033[?1049h\033[?25l\033[2J"
    screen.leave()
    screen.leave()
    assert _written(stream) == "\033[?25h\033[?1049l"


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b"q ", ["q", "space"]),
        (b"\033[A\033[B\033OC\033OD", ["up", "down", "right", "left"]),
        (b"\033[H\033[4~\033[1~+", ["home", "end", "home", "+"]),
        (b"\033[5~\033[6~\033[1;5C\033[<0;1;2m", ["page up", "page down"]),
        (b"\033", []),
        (b"\xff", ["\N{REPLACEMENT CHARACTER}"]),
        (b"", []),
    ],
)
def test_bytes_of_a_terminal_become_keys(data: bytes, keys: list[str]) -> None:
    assert list(keys_in(data)) == keys


def test_input_that_is_not_a_terminal_gives_no_keys(tmp_path: Path) -> None:
    with (tmp_path / "x").open("w+") as stream:
        stream.write("q")
        stream.seek(0)
        keys = Keys(stream)
        keys.enter()
        assert keys.wait(0.0) == []
        keys.leave()


@pytest.mark.process
def test_a_terminal_gives_single_keys_and_gets_its_settings_back() -> None:
    ours, theirs = pty.openpty()
    out = io.StringIO()
    with os.fdopen(theirs, "r") as stream:
        before = termios.tcgetattr(stream.fileno())
        keys = Keys(stream)

        def use() -> None:
            with restoring(Screen(out), keys):
                assert not termios.tcgetattr(stream.fileno())[3] & termios.ICANON
                os.write(ours, b"n\033[C")
                assert keys.wait(60) == ["n", "right"]
                assert keys.wait(0.0) == []
                signal.raise_signal(signal.SIGTERM)

        with pytest.raises(KeyboardInterrupt):
            use()
        assert termios.tcgetattr(stream.fileno()) == before
    os.close(ours)
    assert out.getvalue().endswith("\033[?25h\033[?1049l")


def test_signals_are_set_back_whatever_happens(size: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGTERM)
    screen = Screen(io.StringIO())

    def use() -> None:
        with restoring(screen):
            assert signal.getsignal(signal.SIGTERM) != before
            screen.show(["x"])
            signal.raise_signal(signal.SIGCONT)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        use()
    assert signal.getsignal(signal.SIGTERM) == before
