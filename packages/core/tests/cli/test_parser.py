from __future__ import annotations

import io
import re
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
from turnwright.cli.commands import ENTRY_POINTS, RARE, commands
from turnwright.cli.parser import GivenOptions, ParsedCommand, all_commands, parse
from turnwright.cli.terminal import COLOR, Style
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
            "--seed … 'x' … whole number … `turnwright battle --help`",
        ),
        ([*BATTLE, "--seed", "9" * 5000], "--seed … whole number"),
        ([*BATTLE, "--seed"], "--seed … value … `turnwright battle --help`"),
        ([*BATTLE, "--wait", "-1s"], "--wait … '-1s' … 0s to 1000000s"),
        ([*BATTLE, "--wait", "nan"], "--wait … 'nan' … unit"),
        ([*BATTLE, "--connect-timeout", "inf"], "--connect-timeout … 'inf' … unit"),
        ([*BATTLE, "--connect-timeout", "1000000.5s"], "--connect-timeout … '1000000.5s' … 0s to 1000000s"),
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
        (["new"], "missing … bot … game"),
        (["run"], "command 'run' … `turnwright --help`"),
        (["rerun", "x.twr"], "--seat and --with are missing … `turnwright rerun --help`"),
        (["rerun"], "FILE, --seat and --with are missing"),
        (["battle"], "BOT is missing"),
        (["doctor", "--color", "red"], "--color … 'red' … auto, always, never"),
        (["verify"], "FILE … missing … `turnwright verify --help`"),
        (["doctor", "x"], "'x' … `turnwright doctor --help`"),
    ],
)
def test_an_unparsable_command_line_is_refused_in_one_line(argv: list[str], words: str) -> None:
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
    assert [line for line in wide if not line.startswith(("  -", "  turnwright"))] == []


@pytest.mark.parametrize("name", [*commands(), ""])
def test_short_help_fits_on_a_screen_and_leads_to_the_whole(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert parse([*name.split(), "-h"]) == 0
    text = capsys.readouterr().out
    assert f"{' '.join(['turnwright', *name.split()])} --help" in text
    options = [line for line in text.splitlines() if line.startswith("  -")]
    examples = [line for line in text.splitlines() if line.startswith("  turnwright ")]
    assert len(options) <= 10
    assert len(examples) == (0 if name == "" or not commands()[name].module else min(2, len(examples) or 1))


def test_commands_are_listed_in_the_order_of_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse(["-h"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    use = ["demo", "new", "battle", "replay", "verify", "trace", "compare", "tournament", "train", "serve"]
    assert listed == [name for name in use if name in commands()]


def test_rare_commands_are_only_on_the_whole_help_page(capsys: pytest.CaptureFixture[str]) -> None:
    parse(["-h"])
    short = capsys.readouterr().out
    parse(["--help"])
    whole = capsys.readouterr().out
    rare = [name for name, row in commands().items() if row.heading == RARE and " " not in name]
    assert all(f"\n  {name} " not in short for name in rare)
    assert all(f"\n  {name} " in whole.partition(RARE)[2] for name in rare)


def test_help_of_a_command_may_be_asked_for_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "new", "bot"]) == 0
    by_name = capsys.readouterr().out
    assert main(["new", "bot", "--help"]) == 0
    assert capsys.readouterr().out == by_name
    assert main(["help"]) == 0
    assert "usage: turnwright COMMAND" in capsys.readouterr().out


@pytest.mark.process
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert not missing(capsys.readouterr().out, f"_TURNWRIGHT_COMPLETE={shell}_complete", "turnwright")


@pytest.mark.parametrize(("when", "painted"), [("always", True), ("never", False), ("auto", False)])
def test_colours_are_as_the_command_line_says(
    when: str, painted: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(COLOR, "auto")
    assert isinstance(parse(["--color", when, "doctor"]), ParsedCommand)
    assert Style(io.StringIO()).colours is painted
    assert isinstance(parse(["doctor", f"--color={when}"]), ParsedCommand)
    assert Style(io.StringIO()).colours is painted


def test_optional_arguments_are_in_brackets(capsys: pytest.CaptureFixture[str]) -> None:
    parse(["help", "-h"])
    assert "help [OPTIONS] [COMMAND]...\n" in capsys.readouterr().out
    parse(["verify", "-h"])
    assert "verify [OPTIONS] FILE...\n" in capsys.readouterr().out


def test_an_error_names_the_option_as_it_was_typed(capsys: pytest.CaptureFixture[str]) -> None:
    for typed in (["-s", "-1"], ["--seed", "-1"], ["--seed=-1"]):
        assert main([*BATTLE, "Greedy", "Wanderer", *typed]) == 2
        assert capsys.readouterr().err.startswith(f"turnwright: {typed[0].partition('=')[0]} is -1: ")


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ([*BATTLE, "A", "B", "-s", "x"], "-s"),
        ([*BATTLE, "A", "B", "-sx"], "-s"),
        ([*BATTLE, "A", "B", "--seed=x"], "--seed"),
        (["serve", "--game", "snake", "-s", "-1"], "-s"),
        (["serve", "--game", "snake", "-t", "0x"], "-t"),
        (["new", "game", "guess", "-o", "nowhere"], "-o"),
        (["new", "game", "guess", "--out", "nowhere"], "--out"),
    ],
)
def test_no_error_names_another_form_of_an_option_than_was_typed(
    words: list[str],
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    error = capsys.readouterr().err
    assert re.findall(r"(?<![\w-])-[-a-z]*", error.partition(" (see ")[0])[0] == name


def test_no_short_option_has_two_meanings() -> None:
    meanings: dict[str, set[str]] = {}
    for _, _, options in all_commands():
        for one in options:
            for name in one.names:
                if not name.startswith("--"):
                    meanings.setdefault(name, set()).add(one.names[-1])
    assert {name: sorted(long) for name, long in meanings.items() if len(long) > 1} == {}


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


def test_seconds_may_be_zero_or_eleven_days() -> None:
    found = given(*BATTLE, "A", "B", "--wait", "0s", "--connect-timeout", f"{SECONDS_MAX:.0f}s")
    assert (found.make(WatchOptions).wait, options_of(found).connect_timeout_s) == (0.0, SECONDS_MAX)


def test_the_timeouts_of_a_battle_take_units() -> None:
    words = ["--turn-timeout", "20ms", "--opening-timeout=2s", "--ready-timeout", "500ms"]
    options = options_of(given(*BATTLE, "A", "B", *words))
    assert (options.turn_timeout_us, options.opening_timeout_us) == (20_000, 2_000_000)
    assert options.ready_timeout_us == 500_000


def test_an_option_that_is_not_given_has_its_declared_default() -> None:
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
