"""`turnwright serve`: bots are started and battles begun from the page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from packages.core.tests.cli.running import Running
from packages.core.tests.net.bot_directories import make_bot
from packages.tank.tests.bot_programs import SPINNING_BOT
from tests.browser.screen import Screen

if TYPE_CHECKING:
    from tests.browser.conftest import NewScreen


def test_an_operator_starts_bots_and_a_battle_from_the_page(new_screen: NewScreen, tmp_path: Path) -> None:
    make_bot(tmp_path / "bots", "Whirl", {"Whirl.py": SPINNING_BOT})
    records = tmp_path / "records"
    records.mkdir()
    words = ["--port", "0", "--no-open", "--bots", tmp_path / "bots", "--records", records]
    words += ["--pacing", "together"]  # so that it lasts until it is stopped
    with Running("serve", *words) as server:
        chief = new_screen().open(server.page())
        chief.witness.expected.append("ERR_CONNECTION_REFUSED")  # the server ends before the page
        chief.until("nothing is played", lambda: "Waiting for a battle" in chief.message())
        chief.button("New battle").click()
        dialog = chief.page.get_by_role("dialog", name="New battle")
        for name in ("Whirl", "Duck", "Duck"):
            dialog.get_by_role("button", name=f"One more {name}").click()
        dialog.get_by_role("button", name="Start 3 bots").click()
        chief.until("they are there", lambda: "3 bots will play" in dialog.inner_text(), 60)
        chief.shoot("serve-dialog")
        dialog.get_by_label("Rounds").fill("1")
        dialog.get_by_role("button", name="Start the battle").click()
        chief.until_shown()
        assert sorted(chief.energies()) == ["Duck", "Duck", "Whirl"] or len(chief.energies()) == 2
        before = chief.turn()
        chief.until("turns go by", lambda: chief.turn() > before + 10)
        _stops_with_two_clicks(chief)
        assert chief.witness.outside(chief.host) == []
    assert list(records.glob("*.twr")), "the battle is recorded"


def _stops_with_two_clicks(chief: Screen) -> None:
    stop = chief.button("Stop the battle")
    stop.click()
    assert "stopped" not in chief.status(), "one click by mistake ends no battle"
    stop.click()
    chief.until("it is stopped", lambda: "stopped" in chief.status())
    chief.shoot("serve-stopped")
