from __future__ import annotations

import pytest

from turnwright.cli.parser import COMMANDS, build_parser
from turnwright.errors import SetupError


@pytest.mark.parametrize("words", [["--tps", "-1"], ["--tps=-1"], ["-t", "-1"], ["-t-1"]])
def test_a_negative_number_may_follow_its_option_in_every_form(words: list[str]) -> None:
    argv = ["battle", "A", "B", *words]
    assert build_parser(argv).parse_args(argv).tps == -1


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (
            ["battle", "--rounds", "x"],
            "argument -n/--rounds: 'x' is no whole number (see `turnwright battle --help`)",
        ),
        (["battle", "--rounds", "9" * 5000], "is no whole number"),
        (["battle", "--gun-cooling-rate", "x"], "'x' is no number"),
        (["battle", "--arena", "800"], "'800' is no size such as 800x600"),
        (["battle", "--on-skip", "wait"], "invalid choice: 'wait'"),
        (["battle", "--nonsense"], "unrecognized arguments: --nonsense (see `turnwright --help`)"),
        (["battle", "--roun", "3"], "unrecognized arguments: --roun"),
        (["chess"], "invalid choice: 'chess'"),
        (["new"], "the following arguments are required: WHAT"),
    ],
)
def test_what_cannot_be_parsed_is_refused_in_one_line(argv: list[str], words: str) -> None:
    with pytest.raises(SetupError) as caught:
        build_parser(argv).parse_args(argv)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_something_to_run(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        build_parser([name]).parse_args([name, "--help"])
    assert caught.value.code == 0
    assert COMMANDS[name].capitalize() in capsys.readouterr().out


def test_the_list_of_commands_is_complete_without_importing_them(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        build_parser(["--help"]).parse_args(["--help"])
    text = capsys.readouterr().out
    for name, summary in COMMANDS.items():
        assert name in text
        assert summary.split()[0] in text


def test_an_arena_is_two_sides() -> None:
    argv = ["battle", "--arena", "800X600"]
    assert build_parser(argv).parse_args(argv).arena == (800, 600)
