"""The page on the lifecycle shows every state, move and message of the server."""

from __future__ import annotations

import re

import pytest

from tests.house.source import ROOT
from turnwright.host.lifecycle import TRANSITIONS, Move, Phase
from turnwright.wire.generic_protocol import CLIENT_MESSAGES, SERVER_MESSAGES
from turnwright_tank.wire.royale.messages import MAY_RECEIVE, MAY_SEND, type_name

PAGE = (ROOT / "packages/core/docs/lifecycle.md").read_text(encoding="utf-8")
PICTURE = " ".join(re.sub(r"[─│┌┐└┘├┤┬┴┼►◄▲▼]", " ", PAGE.split("```")[1]).split())
BESIDES = {
    *("BotPolicyUpdate", "EnableDebugMode", "DisableDebugMode", "ListDirectories", "BootBots"),
    *("Directories", "OperatorToken", "TpsChangedEvent", "BotPolicies", "RoundTrips"),
    *("debug", "policy", "boot", "directories", "token", "policies"),
}
"""Messages that belong to no step of a battle."""


def test_the_picture_has_every_state_and_move() -> None:
    words = PICTURE.replace("ready timeout start with too few", "ready timeout with too few")
    missing = [one.value for one in (*Phase, *Move) if one.value not in words]
    assert missing in ([], [Move.READY_TIMEOUT.value])
    assert "ready timeout" in words
    assert "with too few" in words


def test_the_table_has_every_message() -> None:
    kinds = [kind for side in (MAY_SEND, MAY_RECEIVE) for kinds in side.values() for kind in kinds]
    names = {type_name(kind) for kind in (*kinds, *CLIENT_MESSAGES, *SERVER_MESSAGES)}
    assert sorted(name for name in names - BESIDES if f"`{name}`" not in PAGE) == []
    assert names >= BESIDES


@pytest.mark.parametrize(
    ("step", "move"),
    [
        *(("start", Move.START), ("get ready", Move.ALL_READY), ("pause", Move.PAUSE)),
        *(("resume", Move.RESUME), ("results", Move.OVER), ("stop", Move.STOP)),
    ],
)
def test_the_table_has_the_states_after_each_move(step: str, move: Move) -> None:
    (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| {step} |")]
    after = row.strip("| ").split(" | ")[-1]
    assert all(then.value in after for (_, made), then in TRANSITIONS.items() if made is move)
