"""Exit codes of a bot's program, by how its connection ended."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from turnwright.client import end_with
from turnwright.errors import ParticipantStartError, SetupError


def raising(error: BaseException) -> Callable[[], None]:
    def play() -> None:
        raise error

    return play


@pytest.mark.parametrize(
    ("play", "code", "said"),
    [
        (lambda: None, 0, ""),
        (raising(SetupError("no URL")), 2, "Mine: no URL\n"),
        (raising(ParticipantStartError("no server")), 3, "Mine: no server\n"),
        (raising(KeyboardInterrupt()), 130, ""),
    ],
)
def test_a_program_ends_with_its_exit_code_and_a_line(
    play: Callable[[], None], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        end_with("Mine", play)
    assert caught.value.code == code
    assert capsys.readouterr() == ("", said)


def test_a_mistake_of_the_bot_shows_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        end_with("Mine", raising(ZeroDivisionError("oh no")))
    assert caught.value.code == 1
    err = capsys.readouterr().err
    assert err.startswith("Traceback")
    assert err.endswith("ZeroDivisionError: oh no\n")
