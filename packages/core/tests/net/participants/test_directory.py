from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from packages.core.tests.net.bot_directories import make_bot, make_team
from turnwright.errors import SetupError
from turnwright.net.participants.directory import (
    TEAM_MEMBERS_MAX,
    System,
    config_file,
    detect_platform,
    find_script,
    first_line,
    load,
    members,
    scan,
)


def test_the_json_of_a_bot_decides_about_its_name_and_base(tmp_path: Path) -> None:
    entry = load(make_bot(tmp_path, "Bot", ["Bot.py"], {"name": "My Bot", "base": "Main"}))
    assert (entry.kind, entry.config.name, entry.base, entry.has_config) == ("bot", "My Bot", "Main", True)


def test_a_bot_without_a_json_gets_the_defaults(tmp_path: Path) -> None:
    entry = load(make_bot(tmp_path, "Bot", ["Bot.java"], with_config=False))
    assert (entry.config.name, entry.config.version, entry.config.authors) == ("Bot", "0.0.1", ("unknown",))
    assert (entry.base, entry.platform, entry.has_config) == ("Bot", "jvm", False)


def test_the_platform_of_the_json_wins_over_the_files(tmp_path: Path) -> None:
    entry = load(make_bot(tmp_path, "Bot", ["Bot.py"], {"platform": "Node.js"}))
    assert entry.platform == "Node.js"


def test_a_path_through_a_link_keeps_the_name_of_the_link(tmp_path: Path) -> None:
    directory = make_bot(tmp_path / "real", "Bot", ["Other.py"])
    link = tmp_path / "Other"
    link.symlink_to(directory)
    assert load(link).config.name == "Other"


def test_a_relative_path_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = make_bot(tmp_path, "Bot", ["Bot.py"])
    monkeypatch.chdir(directory)
    assert load(".").directory == directory
    assert load("../Bot/").directory == directory


def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"/Gone\b"):
        load(tmp_path / "Gone")


def test_a_file_is_refused_with_its_directory_as_the_advice(tmp_path: Path) -> None:
    directory = make_bot(tmp_path, "Bot", ["Bot.py"])
    with pytest.raises(SetupError, match=f"Bot.py is a file.* {directory}$"):
        load(directory / "Bot.py")


def test_an_empty_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"/Bot: .*empty.*Bot.json"):
        load(make_bot(tmp_path, "Bot", with_config=False))


def test_a_directory_without_a_bot_is_refused_with_its_content(tmp_path: Path) -> None:
    directory = make_bot(tmp_path, "Bot", ["a", "b", "c", "d", "e"], with_config=False)
    with pytest.raises(SetupError, match=r"a, b, c and 2 more.*Bot\.json"):
        load(directory)


def test_a_team_is_its_members_in_order_with_repeats(tmp_path: Path) -> None:
    make_bot(tmp_path, "Lead", ["Lead.py"])
    make_bot(tmp_path, "Droid", ["Droid.py"])
    team = load(make_team(tmp_path, "Team", ["Lead", "Droid", "Droid"]))
    assert team.kind == "team"
    assert [entry.directory.name for entry in members(team)] == ["Lead", "Droid", "Droid"]


def test_a_single_bot_is_its_own_only_member(tmp_path: Path) -> None:
    entry = load(make_bot(tmp_path, "Bot", ["Bot.py"]))
    assert members(entry) == [entry]


def test_a_missing_member_is_named_with_its_team(tmp_path: Path) -> None:
    team = load(make_team(tmp_path, "Team", ["Ghost"]))
    with pytest.raises(SetupError, match=r'team Team \(.*Team.json\).*"Ghost": no bot directory'):
        members(team)


def test_a_team_within_a_team_is_refused(tmp_path: Path) -> None:
    make_team(tmp_path, "Inner", ["Bot"])
    with pytest.raises(SetupError, match=r'"Inner".*bots'):
        members(load(make_team(tmp_path, "Outer", ["Inner"])))


@pytest.mark.parametrize("count", [TEAM_MEMBERS_MAX - 1, TEAM_MEMBERS_MAX])
def test_a_team_up_to_the_bound_is_loaded(tmp_path: Path, count: int) -> None:
    make_bot(tmp_path, "Bot", ["Bot.py"])
    assert len(members(load(make_team(tmp_path, "Team", ["Bot"] * count)))) == count


def test_a_team_over_the_bound_is_refused(tmp_path: Path) -> None:
    make_bot(tmp_path, "Bot", ["Bot.py"])
    team = load(make_team(tmp_path, "Team", ["Bot"] * (TEAM_MEMBERS_MAX + 1)))
    with pytest.raises(SetupError, match="101 members, at most 100"):
        members(team)


def test_a_scan_finds_exactly_the_bots_by_convention(tmp_path: Path) -> None:
    make_bot(tmp_path, "WithJson")
    make_bot(tmp_path, "WithScript", ["WithScript.sh"], with_config=False)
    make_bot(tmp_path, "WithMain", ["WithMain.cs"], with_config=False)
    make_bot(tmp_path, "WithBang", {"withbang.x": "#!/bin/sh\n"}, with_config=False)
    make_bot(tmp_path, "lib", ["api.jar"], with_config=False)
    make_bot(tmp_path, "deps", ["requirements.txt"], with_config=False)
    make_bot(tmp_path / "Deeper", "Bot", ["Bot.py"])
    (tmp_path / "file.py").touch()
    names = [entry.directory.name for entry in scan([tmp_path])]
    assert names == ["WithBang", "WithJson", "WithMain", "WithScript"]


def test_a_scan_lists_a_broken_directory_with_its_problem(tmp_path: Path) -> None:
    make_bot(tmp_path, "Broken", {"Broken.json": '{"name": }'})
    make_bot(tmp_path, "Good", ["Good.py"])
    broken, good = scan([tmp_path])
    assert broken.problem is not None
    assert "line 1, column 10" in broken.problem
    assert broken.config.name == "Broken"
    assert good.problem is None


def test_a_scan_takes_a_bot_directory_for_a_root_and_counts_nothing_twice(tmp_path: Path) -> None:
    directory = make_bot(tmp_path, "Bot", ["Bot.py"])
    assert [entry.directory for entry in scan([directory, tmp_path, tmp_path])] == [directory]


def test_a_missing_root_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="no directory at"):
        scan([tmp_path / "gone"])


UNREADABLE = "B" * 253
"""A possible name of a directory, but too long for a file of that name with ".json"."""


def test_a_directory_that_cannot_be_read_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / UNREADABLE).mkdir()
    for look in (load, lambda path: scan([path])):
        with pytest.raises(SetupError, match=r"cannot be read.*File name too long.*give") as caught:
            look(tmp_path / UNREADABLE)
        assert "\n" not in str(caught.value)


def test_a_scan_lists_an_unreadable_directory_and_continues(tmp_path: Path) -> None:
    (tmp_path / UNREADABLE).mkdir()
    make_bot(tmp_path, "Good", ["Good.py"])
    unreadable, good = scan([tmp_path])
    assert not missing(str(unreadable.problem), "cannot be read", "File name too long")
    assert good.problem is None


def test_ten_thousand_directories_are_scanned(tmp_path: Path) -> None:
    for number in range(10_000):
        os.mkdir(tmp_path / f"B{number}")
        (tmp_path / f"B{number}" / f"B{number}.py").touch()
    assert len(scan([tmp_path])) == 10_000


@pytest.mark.parametrize(
    ("files", "platform"),
    [
        (["Bot.jar"], "jvm"),
        (["Bot.class"], "jvm"),
        (["Bot.java", "Bot.py"], "jvm"),
        (["Bot.py", "Bot.cs"], "python"),
        (["Bot.cs"], "dotnet"),
        (["Bot.csproj"], "dotnet"),
        (["Bot.dll"], "dotnet"),
        (["Bot.ts"], None),
        (["Other.py"], None),
        (["bot.py"], None),
    ],
)
def test_the_platform_follows_the_main_file(tmp_path: Path, files: list[str], platform: str | None) -> None:
    assert detect_platform(make_bot(tmp_path, "Bot", files)) == platform


@pytest.mark.parametrize(
    ("system", "files", "script"),
    [
        ("linux", ["Bot.py", "Bot.sh", "Bot.cmd", "Bot.command"], "Bot.sh"),
        ("linux", ["Bot.py", "Bot"], "Bot.py"),
        ("darwin", ["Bot.sh", "Bot.command"], "Bot.command"),
        ("darwin", ["Bot.sh", "Bot.bat"], "Bot.sh"),
        ("windows", ["Bot.sh", "Bot.cmd", "Bot.bat"], "Bot.bat"),
        ("windows", ["Bot.sh", "Bot.cmd"], "Bot.cmd"),
        ("windows", ["Bot.py"], "Bot.py"),
        ("linux", ["Bot"], "Bot"),
        ("linux", ["bOT"], "bOT"),
        ("linux", ["Bot.java", "Bot.cs", "bot.py", "Botany"], None),
        ("linux", [], None),
    ],
)
def test_scripts_are_found_in_the_order_of_the_system(
    tmp_path: Path, system: System, files: Sequence[str], script: str | None
) -> None:
    directory = make_bot(tmp_path, "Bot", files)
    assert find_script(directory, system) == (None if script is None else directory / script)


def test_a_file_with_a_suffix_is_a_script_if_its_first_line_is_a_shebang(tmp_path: Path) -> None:
    directory = make_bot(tmp_path, "Bot", {"Bot.ts": "#!/usr/bin/env tsx\n", "Bot.a": "plain"})
    assert find_script(directory, "linux") == directory / "Bot.ts"


def test_a_directory_is_never_a_script(tmp_path: Path) -> None:
    directory = make_bot(tmp_path, "Bot")
    (directory / "Bot").mkdir()
    (directory / "Bot.sh").mkdir()
    assert find_script(directory, "linux") is None


def test_the_config_file_is_named_like_its_directory(tmp_path: Path) -> None:
    assert config_file(tmp_path / "A b") == tmp_path / "A b" / "A b.json"


def test_the_first_line_is_bounded_and_never_fails(tmp_path: Path) -> None:
    path = tmp_path / "binary"
    path.write_bytes(b"\xff" * 5000)
    assert len(first_line(path)) == 1024
    assert first_line(tmp_path / "gone") == ""
