"""The page of a tournament of tanks has its records played again by the page itself."""

from __future__ import annotations

from turnwright.app.game.playable import find_game
from turnwright_league.app.page.server import TournamentPages


def test_records_of_tanks_are_replayed_by_the_page() -> None:
    assert TournamentPages(find_game("tank"), lambda _: None).replays == "server"
