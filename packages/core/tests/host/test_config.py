"""The defaults of a host are the documented ones."""

from __future__ import annotations

import dataclasses

import pytest

from turnwright.host.config import HANDSHAKE_TIMEOUT_NS, HostConfig


def config(**fields):
    return HostConfig(new_game=lambda tolerant: None, protocol=None, random_bytes=bytes, **fields)


def test_the_defaults_are_the_documented_ones():
    it = config()
    assert (it.tps, it.rules.on_skip, it.rules.max_skipped, it.rules.on_disconnect) == (
        30,
        "repeat",
        30,
        "skip",
    )
    assert (it.on_rules_error_continue, it.record) == (False, False)
    assert it.bot_secrets == it.controller_secrets == frozenset()
    assert HANDSHAKE_TIMEOUT_NS == 5_000_000_000


def test_a_config_cannot_be_changed_while_the_server_runs():
    with pytest.raises(dataclasses.FrozenInstanceError):
        config().tps = 5
