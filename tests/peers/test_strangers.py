"""The table of bots of other projects: a short result for each battle, and the list of battles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from packages.core.tests.messages import missing
from tests.peers.strangers import battles, outcome, table


def printed(skipped: int = 0, **failures: dict[str, str]) -> str:
    latency: dict[str, Any] = {"One": {"skipped": skipped}, "Spinner": {"skipped": 99}}
    return json.dumps({"turns": 700, "latency": latency, "failures": failures})


def test_a_battle_is_summarized_in_a_few_words() -> None:
    assert not missing(outcome(printed(), ""), "plays", "700 turns", "none missed")
    assert not missing(outcome(printed(3), ""), "plays", "3 missed")
    failed = outcome(printed(One={"text": "exited", "error": "outdated: old, and more"}), "")
    assert not missing(failed, "700 turns", "One exited", "outdated: old")
    assert missing(failed, "more")
    assert not missing(outcome("", "note\nturnwright: One ended\n"), "did not play", "One ended")


def test_each_bot_plays_alone_and_all_of_a_source_play_together(tmp_path: Path) -> None:
    for name in ("One", "Two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.json").touch()
    (tmp_path / "docs").mkdir()
    source = {"repository": "a/b", "commit": "0" * 40, "api": "Java 0.30", "root": str(tmp_path)}
    names = [name for name, _, _ in battles([source])]
    assert names == ["a/b One", "a/b Two", "a/b all 2 together"]
    rows = table([source], {"a/b One": {"patient": "plays"}}).splitlines()
    assert rows[2] == "| a/b | `000000000000` | One | Java 0.30 | plays | – |"
    assert len(rows) == 5
