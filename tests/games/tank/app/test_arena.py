"""An arena for tanks: its first battles do not wait for the compiler."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from tests.app.arena.client import ArenaClient
from tests.app.arena.served import Served
from tests.messages import missing
from turnwright.games.tank.backends import compile as compiled

pytestmark = [pytest.mark.process, pytest.mark.long]

TANK = b"from turnwright.bots import Bot\n\n\nclass Tank(Bot):\n    pass\n\n\nTank.main()\n"


@pytest.mark.skipif(not compiled.available(), reason="nothing is compiled without Numba")
def test_first_battles_and_the_ladder_are_played_while_the_compiler_is_not_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    place = compiled.cache_directory()
    assert place is not None
    with Path(place, "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # whoever compiles, or waits for that, waits for us
        words = ("--data", str(tmp_path / "club"), "--rounds", "1", "--sandbox", "none")
        served = Served(*words)
        try:
            client = ArenaClient(served.page())
            client.register("Anna")
            one = client.until_settled(client.upload(TANK, "Tank.py")[1]["upload"])
            assert one["state"] == "plays", one
            client.until("a battle is over", lambda: client.get("/api/arena")["battles"] >= 1)
        finally:
            assert served.stop() == 0
        assert not missing("".join(served.lines), "compiling the rules", "interpreted", "the next run")
    assert not compiled.is_cached()
