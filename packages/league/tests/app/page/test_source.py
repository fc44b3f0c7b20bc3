from __future__ import annotations

import json
import re
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.app.bots import dice_game
from turnwright_league.app.options import TournamentOptions
from turnwright_league.app.page.files import EMBEDDED_ID, export_page
from turnwright_league.app.page.source import RunPage, source_of
from turnwright_league.app.run import RunProgress, play_tournament

pytestmark = pytest.mark.process


def embedded(path: Path) -> dict[str, Any]:
    found = re.search(rf'id="{EMBEDDED_ID}">([^<]*)</script>', path.read_text(encoding="utf-8"))
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_a_run_is_shown_while_it_is_played_and_after_its_end(tmp_path: Path) -> None:
    folder = tmp_path / "bots"
    folder.mkdir()
    game = dice_game(tmp_path / "dice")
    addresses: list[str] = []
    live: list[dict[str, Any]] = []
    told: list[str] = []
    page = RunPage(folder, None, addresses.append, told.append)

    def show(progress: RunProgress) -> None:
        page.show(progress)
        with urllib.request.urlopen(addresses[0].replace("/tournament", "/standings.json")) as answer:
            live.append(json.load(answer))

    asked = TournamentOptions(bots=("Low", "High", "Middle"), jobs=1, battles=4)
    end = play_tournament(folder, asked, game, on_progress=show, on_notice=told.append)
    page.close()
    assert len(addresses) == 1
    assert not told
    assert live[0]["progress"]["total"] == 12
    last = embedded(folder / "index.html")
    assert last["progress"] is None
    assert last["title"] == "bots"
    table = end.tournament.table
    assert [row["aps"] for row in last["entries"]] == pytest.approx([row.aps for row in table.rows], abs=1e-4)
    assert len(last["battles"]) == 12
    records = {one[0] for one in last["battles"]}
    assert records == {path.stem for path in folder.glob("records/*/*.twr")}


def test_an_export_has_a_page_for_each_replay(tmp_path: Path) -> None:
    folder = tmp_path / "bots"
    folder.mkdir()
    game = dice_game(tmp_path / "dice")
    end = play_tournament(folder, TournamentOptions(bots=("Low", "High"), jobs=1, battles=2), game)
    found = end.tournament
    told: list[str] = []
    path = export_page(
        source_of(found),
        tmp_path / "out",
        replays=True,
        record=found.folder.record,
        game=found.game,
        on_notice=told.append,
    )
    assert not told
    battles = embedded(path)["battles"]
    assert len(battles) == 2
    for battle in battles:
        assert battle[9]
        assert b"Content-Security-Policy" in (tmp_path / "out/replays" / f"{battle[0]}.html").read_bytes()
