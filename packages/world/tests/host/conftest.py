"""Cheap hashes of passphrases for the tests of this folder: real ones take 150 ms on purpose."""

from __future__ import annotations

import pytest

from turnwright.host import accounts


@pytest.fixture(autouse=True)
def _cheap_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "SCRYPT_COST", 2)
