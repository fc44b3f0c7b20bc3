from __future__ import annotations

import pytest

from turnwright.cli.parser import COMMANDS, build_parser, parse
from turnwright.cli.times import SECONDS_MAX
from turnwright.errors import SetupError


@pytest.mark.parametrize("words", [["--tps", "-1"], ["--tps=-1"], ["-t", "-1"], ["-t-1"]])
def test_a_negative_number_may_follow_its_option_in_every_form(words: list[str]) -> None:
    argv = ["battle", "A", "B", *words]
    assert parse(build_parser(argv), argv).tps == -1


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
        (["battle", "--wait", "-1"], "'-1' is no time: give 0 to 1000000 seconds"),
        (["battle", "--wait", "nan"], "'nan' is no time"),
        (["battle", "--connect-timeout", "inf"], "'inf' is no time"),
        (["battle", "--connect-timeout", "1000000.5"], "'1000000.5' is no time"),
        (["demo", "--record", "x"], "'x' is no name of a record: give one that ends with .twr"),
        (["battle", "--on-skip", "wait"], "invalid choice: 'wait'"),
        (["battle", "--nonsense"], "unrecognized arguments: --nonsense (see `turnwright battle --help`)"),
        (["battle", "--roun", "3"], "unrecognized arguments: --roun"),
        (["chess"], "invalid choice: 'chess'"),
        (["new"], "the following arguments are required: WHAT"),
    ],
)
def test_what_cannot_be_parsed_is_refused_in_one_line(argv: list[str], words: str) -> None:
    with pytest.raises(SetupError) as caught:
        parse(build_parser(argv), argv)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_something_to_run(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        build_parser([name]).parse_args([name, "--help"])
    assert caught.value.code == 0
    assert COMMANDS[name].capitalize() in capsys.readouterr().out


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("name", [*COMMANDS, ""])
def test_help_is_as_wide_as_the_terminal(
    name: str, columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    words = [name] if name else []
    with pytest.raises(SystemExit):
        build_parser(words).parse_args([*words, "--help"])
    _, _, below_usage = capsys.readouterr().out.partition("\n\n")
    wide = [line for line in below_usage.splitlines() if len(line) > columns and " " in line.strip()]
    assert [line for line in wide if not line.startswith("  -")] == []


def test_the_list_of_commands_is_complete_without_importing_them(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        build_parser(["--help"]).parse_args(["--help"])
    text = capsys.readouterr().out
    for name, summary in COMMANDS.items():
        assert name in text
        assert summary.split()[0] in text


def test_an_arena_is_two_sides() -> None:
    argv = ["battle", "--arena", "800X600"]
    assert parse(build_parser(argv), argv).arena == (800, 600)


@pytest.mark.parametrize(
    "argv",
    [
        ["A", "B", "C"],
        ["--seed", "1", "A", "B", "C"],
        ["A", "--seed", "1", "B", "--json", "C"],
        ["A", "B", "--json", "C"],
    ],
)
def test_bots_keep_their_order_wherever_options_stand(argv: list[str]) -> None:
    words = ["battle", *argv]
    assert parse(build_parser(words), words).bots == ["A", "B", "C"]


def test_seconds_may_be_none_and_eleven_days() -> None:
    argv = ["battle", "--wait", "0", "--connect-timeout", f"{SECONDS_MAX:.0f}"]
    arguments = parse(build_parser(argv), argv)
    assert (arguments.wait, arguments.connect_timeout) == (0.0, SECONDS_MAX)
