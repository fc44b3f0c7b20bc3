"""A bot in Java with the JDK's own WebSocket client: the JVM template, and a client that is not Python's."""

from __future__ import annotations

import shutil

import pytest

from tests.peers.conftest import BOTS, Battle

pytestmark = [pytest.mark.process, pytest.mark.peer, pytest.mark.long]


def test_a_bot_with_nothing_but_the_jdk_plays_and_answers_in_time(battle: Battle) -> None:
    if not shutil.which("javac"):
        pytest.skip("there is no JDK (java and javac) here")
    drifter = BOTS / "java-plain" / "Drifter"
    played = battle([drifter, drifter], rounds=8)
    assert [row["name"] for row in played.result["results"]].count("Drifter") == 1
    assert {row["name"] for row in played.result["results"]} == {"Drifter", "Drifter (2)"}
    assert sum(row["bullet_damage"] for row in played.result["results"]) > 0
    for latency in played.result["latency"].values():
        assert latency["malformed"] == 0
        assert latency["skipped"] <= played.result["turns"] / 50
