"""A view.js from outside with mistakes: the page reports them in one line, and continues."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from packages.core.tests.app.snake_records import play_snake, written
from packages.core.tests.cli.running import Running
from packages.core.tests.messages import says
from turnwright import catalog
from turnwright.kernel.record import Record

if TYPE_CHECKING:
    from tests.browser.screen import Screen

VIEW = """export const view = {
  size: (state) => ({ width: state.grid.width, height: state.grid.height }),
  draw(context, { state }) {
    %s
  },
  %s
};
"""
DRAWS = "context.fillRect(0, 0, 3, 3);"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The folder of a game like snake, and next to it a record of it."""
    folder = tmp_path / "viper"
    folder.mkdir()
    rules = Path(str(catalog.find("snake").file("game.py"))).read_text()
    (folder / "game.py").write_text(rules.replace('defaults = "snake"', 'defaults = "viper"'))
    record = play_snake(turns=60)
    header = replace(record.header, game="viper")
    written(Record(header, record.turns, record.footer), tmp_path / "v.twr")
    return folder


@pytest.mark.parametrize(
    ("draw", "more", "logged", "said"),
    [
        (DRAWS, "", "", ""),
        ("context.fillRect(0, 0, nothing, 3);", "", "view.js", "view.js: draw() … ReferenceError … nothing"),
        (DRAWS, "status: () => null.x,", "view.js", "view.js: status() … TypeError … null"),
        (DRAWS, "status: 3,", "", "view.js: status is a number; … function"),
        ("if (", "", "Unexpected token", "view.js: … SyntaxError … (line 5) … text"),
    ],
)
@pytest.mark.parametrize("from_disk", [False, True], ids=["served", "from disk"])
def test_the_page_reports_a_mistake_in_a_view_and_continues(
    screen: Screen, game: Path, draw: str, more: str, logged: str, said: str, from_disk: bool
) -> None:
    (game / "view.js").write_text(VIEW % (draw, more))
    record, out = game.parent / "v.twr", game.parent / "v.html"
    if logged:
        screen.witness.expected.append(logged)
    screen.witness.expected.append("ERR_CONNECTION_REFUSED")  # the server ends before the page
    words = ["--html", out] if from_disk else ["--no-open"]
    with Running("replay", record, "--game", game, *words) as server:
        if from_disk:
            assert server.wait() == 0
            screen.open(out.as_uri()).until_loaded()
        else:
            screen.open(server.page()).until_loaded()
        notice = screen.page.locator("#notice")
        if said:
            screen.until("the mistake is said", lambda: says(notice.inner_text(), said))
        table = screen.page.get_by_role("table", name="Standings")
        screen.until("standings are there", lambda: table.get_by_role("button").count() == 2)
        screen.until("time goes on", lambda: screen.spot()[1] > 3)
        if not said:
            assert notice.is_hidden()
        screen.shoot(f"own-view-{logged or 'right'}".replace(" ", "-"))
