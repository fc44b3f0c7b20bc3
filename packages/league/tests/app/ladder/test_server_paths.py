from __future__ import annotations

import os
from pathlib import Path

import pytest

import turnwright
from turnwright_league.app.ladder.server_paths import ServerPaths

OURS = Path(turnwright.__file__).parent


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("{club}/_arena/bots/12/Spy", "Spy"),
        ('  File "{club}/_arena/bots/12/Spy/Spy.py", line 3', '  File "Spy/Spy.py", line 3'),
        ("cd club/_arena/bots/1/Spy && ls", "cd Spy && ls"),
        ("in {club}.", "in the server's folder."),
        ("{club}-of-chess stays", "{club}-of-chess stays"),
        ("{club}/results.sqlite cannot be read", "results.sqlite cannot be read"),
        (f'  File "{OURS}/client.py", line 9', '  File "turnwright/client.py", line 9'),
        ('  File "/opt/py/lib/python3.12/json/__init__.py", line 9', '  File "json/__init__.py", line 9'),
        ("/x/venv/lib/python3.11/site-packages/numpy/core.py", "numpy/core.py"),
        ("3/4 of /tmp/mine", "3/4 of /tmp/mine"),
    ],
)
def test_a_path_is_shown_from_the_folder_on_that_its_reader_knows(
    printed: str, shown: str, tmp_path: Path
) -> None:
    club = tmp_path / "club"
    assert ServerPaths(club).without(printed.format(club=club)) == shown.format(club=club)


def test_a_relative_folder_is_known_by_its_whole_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ServerPaths(Path("club")).without(f"{os.getcwd()}/club/x.py failed") == "x.py failed"
