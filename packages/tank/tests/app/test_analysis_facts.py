"""One analysis: the page is given the facts that `turnwright trace` prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from turnwright import run_battle
from turnwright.cli.__main__ import main
from turnwright.net.files.record_list import RecordList
from turnwright.net.http.analysis import AnalysisProcess
from turnwright.net.http.pages import Pages

pytestmark = pytest.mark.process

EVENTS = {"hit", "death", "wall", "ram", "lead", "disabled", "out", "skips", "late"}


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A duel, a melee, the duel as a recording of Tank Royale, and a record that was cut off."""
    folder = tmp_path_factory.mktemp("records")
    duel, melee = folder / "duel.twr", folder / "melee.twr"
    recording, cut = folder / "duel.battle.gz", folder / "cut.twr"
    run_battle("Spinner", "Rammer", rounds=2, seed=3, record=duel)
    run_battle("Spinner", "Rammer", "Crawler", "Dodger", rounds=1, seed=5, record=melee)
    assert main(["convert", str(duel), str(recording)]) == 0
    cut.write_bytes(duel.read_bytes()[: duel.stat().st_size * 2 // 3])
    return [duel, melee, recording, cut]


def _traced(path: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert main(["trace", str(path), "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)["lines"]  # type: ignore[no-any-return]


def test_the_facts_of_the_page_are_those_of_the_trace(
    records: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    process = AnalysisProcess()
    pages = Pages(None, RecordList.of_files(*records), analysis=process)
    for path in records:
        shown = pages.show(f"/analysis/{path.name}", {})
        assert shown is not None
        assert shown.status == 200, shown.body
        traced = _traced(path, capsys)
        assert {line["kind"] for line in traced} & EVENTS
        assert json.loads(shown.body)["lines"] == [line for line in traced if line["kind"] not in EVENTS]


def test_the_live_record_has_facts_while_it_grows(records: list[Path]) -> None:
    shown = AnalysisProcess(lambda: records[-1]).of_live(None)
    facts = json.loads(shown.body)["lines"]
    assert facts[0]["ending"] is None
    assert [line["complete"] for line in facts if line["kind"] == "round"][-1] is False


def test_a_page_on_disk_holds_the_facts(
    records: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    assert main(["replay", str(records[0]), "--html", str(page)]) == 0
    _, _, rest = page.read_text(encoding="utf-8").partition('id="embedded-analysis">')
    held = json.loads(rest.partition("</script>")[0])["lines"]
    assert held == [line for line in _traced(records[0], capsys) if line["kind"] not in EVENTS]
