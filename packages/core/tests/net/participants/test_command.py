from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from packages.core.tests.net.bot_directories import make_bot, make_team
from turnwright.errors import SetupError
from turnwright.net.participants.command import Team, choose_python, command, environment, python_for
from turnwright.net.participants.directory import load


def test_a_python_bot_starts_from_its_own_file(tmp_path: Path) -> None:
    directory = make_bot(tmp_path, "Bot", ["Bot.py"], {"platform": "Python"})
    assert command(load(directory), python=sys.executable) == [sys.executable, str(directory / "Bot.py")]


def test_a_python_bot_with_another_base_starts_by_the_template(tmp_path: Path) -> None:
    directory = make_bot(tmp_path, "Bot", ["main.py"], {"platform": "Python 3", "base": "main"})
    assert command(load(directory), python=sys.executable) == [sys.executable, "main.py"]


@pytest.mark.parametrize(
    ("files", "config", "argv"),
    [
        (["Bot.java"], {"platform": "JVM"}, ["java", "-cp", "../lib/*", "Bot.java"]),
        (["Main.java"], {"platform": "Kotlin", "base": "Main"}, ["java", "-cp", "../lib/*", "Main.java"]),
        (["Bot.java"], {}, ["java", "-cp", "../lib/*", "Bot.java"]),
        (["Bot.class"], {}, ["java", "-cp", f".{os.pathsep}../lib/*", "Bot"]),
        (["Bot.jar"], {}, ["java", "-cp", f"Bot.jar{os.pathsep}../lib/*", "Bot"]),
        (["Bot.cs"], {"platform": ".NET 6.0"}, ["dotnet", "run", "-c", "Release"]),
        (["Bot.csproj"], {"platform": "C#"}, ["dotnet", "run", "-c", "Release"]),
        (["Bot.cs"], {}, ["dotnet", "run", "-c", "Release"]),
        (["Bot.dll"], {}, ["dotnet", "Bot.dll"]),
        (["Bot.java", "Bot.sh"], {"platform": "JVM"}, ["bash", "Bot.sh"]),
        (["Bot.ts", "Bot.sh"], {"platform": "Node.js"}, ["bash", "Bot.sh"]),
    ],
)
def test_each_platform_has_its_command_line(
    tmp_path: Path, files: list[str], config: dict[str, str], argv: list[str]
) -> None:
    directory = make_bot(tmp_path, "Bot", files, config)
    expected = [str(directory / word) if word.endswith(".sh") else word for word in argv]
    assert command(load(directory)) == expected


def test_the_main_class_of_a_jar_is_read_from_its_manifest(tmp_path: Path) -> None:
    directory = make_bot(tmp_path, "Bot")
    with zipfile.ZipFile(directory / "Bot.jar", "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\nMain-Class: org.example.Main\r\n")
    assert command(load(directory))[-1] == "org.example.Main"


def test_windows_and_macos_have_their_own_command_lines(tmp_path: Path) -> None:
    java = load(make_bot(tmp_path, "Java", ["Java.java"]))
    assert command(java, system="windows") == ["cmd.exe", "/c", "java", "-cp", "../lib/*", "Java.java"]
    batch = load(make_bot(tmp_path, "Batch", ["Batch.cmd", "Batch.sh"]))
    assert command(batch, system="windows") == ["cmd.exe", "/c", str(batch.directory / "Batch.cmd")]
    mac = make_bot(tmp_path, "Mac", ["Mac.command"])
    (mac / "Mac.command").chmod(0o755)
    assert command(load(mac), system="darwin") == [str(mac / "Mac.command")]


def test_a_program_with_a_first_line_starts_even_when_it_lost_its_mode(tmp_path: Path) -> None:
    directory = make_bot(tmp_path, "Bot", {"Bot.rb": "#!/usr/bin/env -S ruby -w\n"})
    assert command(load(directory)) == ["/usr/bin/env", "-S", "ruby", "-w", str(directory / "Bot.rb")]
    (directory / "Bot.rb").chmod(0o755)
    assert command(load(directory)) == [str(directory / "Bot.rb")]


def test_a_plain_program_without_its_mode_is_refused_with_advice(tmp_path: Path) -> None:
    directory = make_bot(tmp_path, "Bot", {"Bot": b"\x7fELF"})
    with pytest.raises(SetupError, match="run `chmod"):
        command(load(directory))


@pytest.mark.parametrize(
    ("files", "config"),
    [
        ([], {}),
        (["Bot.ts"], {"platform": "Node.js"}),
        (["Bot.js"], {"platform": "JavaScript"}),
        ([], {"platform": "Python"}),
        ([], {"platform": "JVM"}),
        ([], {"platform": ".NET"}),
        (["Other.java"], {"platform": "JVM"}),
    ],
)
def test_a_directory_without_a_start_is_refused(
    tmp_path: Path, files: list[str], config: dict[str, str]
) -> None:
    with pytest.raises(SetupError, match=r"nothing to start in .*expected a script Bot.sh"):
        command(load(make_bot(tmp_path, "Bot", files, config)))


def test_a_team_itself_is_not_started(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="start its members instead"):
        command(load(make_team(tmp_path, "Team", ["Bot"])))


@pytest.mark.process
def test_a_script_in_a_path_with_blanks_and_letters_of_any_kind_runs(tmp_path: Path) -> None:
    root = tmp_path / "my bots; $(touch x) \\n ø"
    directory = make_bot(root, "A 'b' Bot", {"A 'b' Bot.sh": 'echo "$0"\n'})
    done = subprocess.run(command(load(directory)), cwd=directory, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(directory / "A 'b' Bot.sh")


def test_the_environment_identifies_the_bot_and_the_server(tmp_path: Path) -> None:
    config = {
        "name": "My Bot",
        "version": "2",
        "authors": ["Ann", "Bo"],
        "description": "d",
        "homepage": "h",
        "countryCodes": ["dk", "us"],
        "gameTypes": ["classic", "1v1"],
        "platform": "Python",
        "programmingLang": "Python 3",
        "initialPosition": "1,2,3",
    }
    entry = load(make_bot(tmp_path, "Bot", ["Bot.py"], config))
    values = environment(
        entry,
        server_url="ws://127.0.0.1:7654",
        secret="s3cret",
        seed=42,
        team=Team(3, "Reds", "1.1"),
        inherited={"PATH": "/bin"},
    )
    assert values == {
        "PATH": "/bin",
        "SERVER_URL": "ws://127.0.0.1:7654",
        "SERVER_SECRET": "s3cret",
        "BOT_BOOTED": "true",
        "BOT_SEED": "42",
        "PYTHONUNBUFFERED": "1",
        "BOT_NAME": "My Bot",
        "BOT_VERSION": "2",
        "BOT_AUTHORS": "Ann, Bo",
        "BOT_DESCRIPTION": "d",
        "BOT_HOMEPAGE": "h",
        "BOT_COUNTRY_CODES": "dk, us",
        "BOT_GAME_TYPES": "classic, 1v1",
        "BOT_PLATFORM": "Python",
        "BOT_PROG_LANG": "Python 3",
        "BOT_INITIAL_POS": "1,2,3",
        "TEAM_ID": "3",
        "TEAM_NAME": "Reds",
        "TEAM_VERSION": "1.1",
    }


def test_unset_values_stay_unset_and_no_stale_value_is_inherited(tmp_path: Path) -> None:
    entry = load(make_bot(tmp_path, "Bot", ["Bot.sh"]))
    stale = {"TEAM_ID": "9", "BOT_DESCRIPTION": "x", "SERVER_SECRET": "old", "TURNWRIGHT_BOT_SECRETS": "a"}
    values = environment(
        entry, server_url="ws://h:1", secret=None, seed=0, inherited={**stale, "BOT_DEBUG": "1"}
    )
    assert values == {
        "BOT_DEBUG": "1",
        "SERVER_URL": "ws://h:1",
        "BOT_BOOTED": "true",
        "BOT_SEED": "0",
        "PYTHONUNBUFFERED": "1",
        "BOT_NAME": "Bot",
        "BOT_VERSION": "1.0",
        "BOT_AUTHORS": "Ann",
    }


def test_no_secret_is_in_the_command_line(tmp_path: Path) -> None:
    entry = load(make_bot(tmp_path, "Bot", ["Bot.java"]))
    values = environment(entry, server_url="ws://h:1", secret="s3cret", seed=0, inherited={})
    assert "s3cret" in values.values()
    assert not any("s3cret" in word for word in command(entry))


@pytest.fixture
def only_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH that holds just this folder."""
    folder = tmp_path / "path"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def program(folder: Path, name: str) -> None:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)


@pytest.mark.parametrize(
    ("present", "chosen"),
    [(["python", "python3"], "python"), (["python3"], "python3"), ([], sys.executable)],
)
def test_python_is_looked_for_as_python_then_python3_then_ours(
    only_path: Path, present: list[str], chosen: str
) -> None:
    for name in present:
        program(only_path, name)
    assert choose_python(None) == chosen


def test_a_given_python_wins_and_must_exist(
    only_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(only_path, "python")
    program(tmp_path, "mine")
    assert choose_python(str(tmp_path / "mine")) == str(tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    assert choose_python("./mine") == str(tmp_path / "mine")
    with pytest.raises(SetupError, match="--python nowhere"):
        choose_python("nowhere")


def knowing(folder: Path, name: str, knows: bool) -> str:
    """Write a stand-in for a Python with or without our library. The check must not run it."""
    path = folder / f"{name}-prefix" / "bin" / name
    packages = path.parents[1] / "lib/python3.12/site-packages"
    packages.mkdir(parents=True)
    if knows:
        (packages / "turnwright").mkdir()
        (packages / "turnwright" / "client.py").touch()
    path.parent.mkdir()
    path.write_text(f"#!/bin/sh\ntouch {folder}/was-run\n")
    path.chmod(0o755)
    (folder / name).symlink_to(path)
    return name


@pytest.mark.process
@pytest.mark.parametrize(
    ("python", "python3", "chosen"),
    [
        (True, True, "python"),
        (False, True, "python3"),
        (False, False, sys.executable),
        (None, False, sys.executable),
        (None, None, sys.executable),
    ],
)
def test_a_bot_that_uses_our_library_gets_the_first_python_that_has_it(
    only_path: Path, tmp_path: Path, python: bool | None, python3: bool | None, chosen: str
) -> None:
    for name, knows in (("python", python), ("python3", python3)):
        if knows is not None:
            knowing(only_path, name, knows)
    script = tmp_path / "Bot.py"
    script.write_text("import os\nfrom turnwright_tank.bots import Bot\n")
    assert python_for(script, None) == chosen
    assert not (only_path / "was-run").exists()


@pytest.mark.parametrize(
    "code", ["import robocode_tank_royale", "# import turnwright", "import turnwrighty", ""]
)
def test_any_other_bot_gets_the_first_python_unasked(only_path: Path, tmp_path: Path, code: str) -> None:
    knowing(only_path, "python", False)
    script = tmp_path / "Bot.py"
    script.write_text(code)
    assert python_for(script, None) == "python"
    assert python_for(tmp_path / "gone.py", None) == "python"


def test_the_given_python_is_used_whatever_it_has(only_path: Path, tmp_path: Path) -> None:
    script = tmp_path / "Bot.py"
    script.write_text("import turnwright\n")
    knowing(only_path, "mine", False)
    assert python_for(script, "mine") == "mine"
