"""Texts for the owner of a bot that fails."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from packages.core.tests.net.sandbox.conftest import sandboxed  # noqa: F401
from packages.league.tests.app.ladder.client import LadderClient, enroll
from packages.league.tests.app.ladder.served import Served
from packages.league.tests.app.ladder.zips import zip_of

pytestmark = [pytest.mark.process, pytest.mark.long, pytest.mark.usefixtures("sandboxed")]

CRASHES = "import nothing_of_that_name\n\nnothing_of_that_name.play()\n"
LIBRARY_CRASHES = "from turnwright.client import play\n\nplay(7)\n"
SAYS_WHERE = "pwd >&2\nexit 3\n"
GOES_NOWHERE = "#!/opt/no/such/tool\n"


@pytest.fixture
def eve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LadderClient]:
    """A person at a ladder server whose folder was given by a relative path, as in the tutorial."""
    monkeypatch.chdir(tmp_path)
    enroll(Path("club"), "Eve")
    with Served("--data", "club", "--game", "snake") as served:
        yield LadderClient(served.page(), "Eve")


def test_a_failed_start_has_advice_for_its_owner_names_its_sandbox_and_no_path(
    eve: LadderClient, tmp_path: Path
) -> None:
    bots = {
        "Crash": {"Crash.py": CRASHES},
        "Deep": {"Deep.py": LIBRARY_CRASHES},
        "Spy": {"Spy.sh": SAYS_WHERE},
        "Tool": {"Tool": GOES_NOWHERE, "Tool.json": '{"name":"T","version":"1","authors":["E"]}'},
    }
    settled = {}
    for name, files in bots.items():
        status, said = eve.upload(
            zip_of({f"{name}/{one}": text for one, text in files.items()}), f"{name}.zip"
        )
        assert status == 202, said
        settled[name] = eve.until_settled(said["upload"])
    assert all(one["first_check"] for one in settled.values()), settled
    assert all(one["first_check"]["sandbox"] == "full" for one in settled.values())
    assert not missing(settled["Crash"]["first_check"]["why"], "nothing_of_that_name", "upload")
    assert not missing(settled["Spy"]["first_check"]["why"], "exit code 3", "your own machine")
    assert settled["Spy"]["first_check"]["printed"] == ["Spy"]
    assert not missing(settled["Tool"]["first_check"]["why"], "first line", "sandbox does not show")
    seen = eve.ask("GET", "/api/me")[1].decode()
    assert not re.search(r"start it by hand|cd \S+ &&|pip install|--python", seen)
    for place in (str(tmp_path), "_arena", sys.prefix, sys.base_prefix, str(Path(__file__).parents[3])):
        assert place not in seen
