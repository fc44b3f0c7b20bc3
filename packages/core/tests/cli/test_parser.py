from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest

from packages.core.tests.adder_game import install_points
from packages.core.tests.messages import missing, says
from turnwright.app.times import SECONDS_MAX
from turnwright.cli.__main__ import main
from turnwright.cli.battle import options_of
from turnwright.cli.commands import ENTRY_POINTS, commands, renamed
from turnwright.cli.parser import GivenOptions, ParsedCommand, parse
from turnwright.cli.watch import WatchOptions
from turnwright.errors import SetupError

BATTLE = ("battle", "--game", "snake")


def given(*words: str) -> GivenOptions:
    command = parse(words)
    assert isinstance(command, ParsedCommand)
    return command.given


@pytest.mark.parametrize("words", [["--tps", "-1"], ["--tps=-1"], ["-t", "-1"], ["-t-1"]])
def test_a_negative_number_may_follow_its_option_in_every_form(words: list[str]) -> None:
    assert options_of(given(*BATTLE, "A", "B", *words)).tps == -1


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (
            [*BATTLE, "--seed", "x"],
            "-s/--seed … 'x' … whole number … `turnwright battle --help`",
        ),
        ([*BATTLE, "--seed", "9" * 5000], "-s/--seed … whole number"),
        ([*BATTLE, "--seed"], "--seed … value … `turnwright battle --help`"),
        ([*BATTLE, "--wait", "-1s"], "--wait … '-1s' … 0 to 1000000 seconds"),
        ([*BATTLE, "--wait", "nan"], "--wait … 'nan' … unit"),
        ([*BATTLE, "--connect-timeout", "inf"], "--connect-timeout … 'inf' … unit"),
        ([*BATTLE, "--connect-timeout", "1000000.5s"], "--connect-timeout … '1000000.5s' … seconds"),
        ([*BATTLE, "--connect-timeout", "60"], "--connect-timeout … '60' … unit … 60s or 60m?"),
        ([*BATTLE, "--turn-timeout", "30"], "--turn-timeout … '30' … unit … 30ms or 30us?"),
        (["serve", "--turn-timeout=30"], "--turn-timeout … '30' … unit … 30ms or 30us?"),
        (
            [*BATTLE, "--game", "snake", "--max-inactivity-turns", "9"],
            "--max-inactivity-turns … --max-skipped",
        ),
        (["serve", "--game", "snake", "--max-inactivity-turns=9"], "--max-inactivity-turns … --max-skipped"),
        ([*BATTLE, "--on-skip", "wait"], "--on-skip … 'wait' … repeat, idle"),
        ([*BATTLE, "--on-skip", "repaet"], "--on-skip … 'repaet' … repeat?"),
        ([*BATTLE, "--xyzzy"], "--xyzzy … `turnwright battle --help`"),
        ([*BATTLE, "--see", "3"], "--see: … --seed?"),
        (["--nonsense", "battle"], "--nonsense … `turnwright --help`"),
        (["chess"], "command 'chess' … `turnwright --help`"),
        (["batle"], "command 'batle' … battle? … `turnwright --help`"),
        (["new"], "missing … bot"),
        (["verify"], "FILE … missing … `turnwright verify --help`"),
        (["doctor", "x"], "'x' … `turnwright doctor --help`"),
    ],
)
def test_what_cannot_be_parsed_is_refused_in_one_line(argv: list[str], words: str) -> None:
    with pytest.raises(SetupError) as caught:
        parse(argv)
    assert says(str(caught.value), words)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", list(commands()))
def test_every_command_has_help_and_something_to_run(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert parse([*name.split(), "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert commands()[name].summary[1:] in shown
    assert commands()[name].module or "COMMAND" in shown


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("name", [*commands(), ""])
def test_help_is_as_wide_as_the_terminal(
    name: str, columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    parse([*name.split(), "--help"])
    _, _, below_usage = capsys.readouterr().out.partition("\n\n")
    wide = [line for line in below_usage.splitlines() if len(line) > columns and " " in line.strip()]
    assert [line for line in wide if not line.startswith("  -")] == []


def test_the_list_of_commands_is_complete_and_grouped(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse(["--help"]) == 0
    text = capsys.readouterr().out
    for name, row in commands().items():
        if " " not in name:
            assert f"\n  {name} " in text
            assert row.summary.split()[0] in text
            assert f"\n{row.heading}:\n" in text
    assert "exit codes:" in text


@pytest.mark.process
def test_a_package_without_a_game_brings_commands_and_a_broken_one_hides_no_other(tmp_path: Path) -> None:
    package = tmp_path / "judging"
    package.mkdir()
    (package / "__init__.py").write_text(
        'COMMANDS = {name: (".judge", f"{name} a battle", "records") for name in ("judge", "verify")}\n'
    )
    (package / "judge.py").write_text(
        "from turnwright.cli.parser import CommandSpec\n"
        'COMMAND = CommandSpec(lambda given: print("judged") or 0, "It judges.", ())\n'
    )
    (tmp_path / "broken_package.py").write_text("1 / 0\n")
    install_points(
        tmp_path,
        "judging",
        ENTRY_POINTS,
        broken="broken_package:COMMANDS",
        judging="judging:COMMANDS",
    )
    words = [sys.executable, "-m", "turnwright.cli"]
    judged = subprocess.run([*words, "judge"], capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert (judged.returncode, judged.stdout, judged.stderr) == (0, "judged\n", "")
    listed = subprocess.run([*words, "--help"], capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert not missing(listed.stdout, "judge a battle", "replay")
    assert "verify a battle" not in listed.stdout


def test_the_name_of_a_command_that_was_renamed_leads_to_the_new_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for before, now in renamed().items():
        assert now in commands()
        assert main(before.split()) == 2
        said = capsys.readouterr().err
        assert not missing(said, f"`turnwright {before}`", f"`turnwright {now}`")
        assert said.count("\n") == 1


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
    assert options_of(given(*BATTLE, *argv)).bots == ("A", "B", "C")


def test_seconds_may_be_none_and_eleven_days() -> None:
    found = given(*BATTLE, "A", "B", "--wait", "0", "--connect-timeout", f"{SECONDS_MAX:.0f}s")
    assert (found.make(WatchOptions).wait, options_of(found).connect_timeout_s) == (0.0, SECONDS_MAX)


def test_the_timeouts_of_a_battle_take_units() -> None:
    words = ["--turn-timeout", "20ms", "--opening-timeout=2s", "--ready-timeout", "500ms"]
    options = options_of(given(*BATTLE, "A", "B", *words))
    assert (options.turn_timeout_us, options.opening_timeout_us) == (20_000, 2_000_000)
    assert options.ready_timeout_us == 500_000


def test_what_is_not_given_has_the_default_of_its_declaration() -> None:
    assert given(*BATTLE, "A", "B").values == {"game": "snake", "bots": ("A", "B")}


def test_tracebacks_may_be_asked_for_before_and_behind_the_command() -> None:
    assert given("--verbose", "doctor", "--verbose").values == {}


def test_an_option_of_several_commands_is_declared_once() -> None:
    declared: dict[tuple[str, str], set[int]] = {}
    for row in commands().values():
        for cls in import_module(row.module).COMMAND.classes(()) if row.module else ():
            for one in (field for field in fields(cls) if "option" in field.metadata):
                option = one.metadata["option"]
                declared.setdefault((one.name, option.help), set()).add(id(option))
    assert ("json", "print one JSON object") in declared
    twice = [option for option, declarations in declared.items() if len(declarations) > 1]
    assert not twice, "declare it in one class, as cli/choice.py does"
