"""Bots on the official TypeScript bot API play whole battles here, started with tsx.

The API is in no registry so far; `TURNWRIGHT_TYPESCRIPT_BOT_API` may name what `npm pack` made of its source.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.peers.conftest import BOTS, Battle
from tests.peers.setup_peers import typescript_bot_api

pytestmark = [pytest.mark.process, pytest.mark.peer, pytest.mark.long]

ROUNDS = 5


@pytest.fixture
def typescript_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the TypeScript bots, and next to them the API. Its Node comes first on the
    PATH.
    """
    modules = typescript_bot_api()
    if modules is None:
        pytest.skip("TypeScript bot API not prepared: run `python tests/peers/setup_peers.py`")
    bots = tmp_path / "bots"
    shutil.copytree(BOTS / "typescript", bots)
    (bots / "node_modules").symlink_to(modules)
    (bots / "package.json").write_text('{"private": true, "type": "module"}', encoding="utf-8")
    monkeypatch.setenv("PATH", f"{modules / 'node' / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return bots


def test_typescript_bots_answer_their_turns(battle: Battle, typescript_bots: Path) -> None:
    bots = [typescript_bots / name for name in ("Circler", "Watchman")]
    result = battle(bots, rounds=ROUNDS, options=("--turn-timeout", "500ms")).result
    assert result["rounds"] == ROUNDS
    assert result["last_lines"] == {}
    assert not any(row["never_answered"] or row["disqualified"] for row in result["results"])
    for name, latency in result["latency"].items():
        assert latency["malformed"] == 0, name
        assert latency["skipped"] < result["turns"] / 20, name
    assert sum(row["bullet_damage"] for row in result["results"]) > 0
