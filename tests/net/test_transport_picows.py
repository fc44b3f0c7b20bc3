"""What only the picows transport has to answer for; the rest is in test_transport."""

from __future__ import annotations

import asyncio

import pytest

from turnwright.net import transport_picows


async def check() -> None:
    transport_picows.check()


def test_the_picows_that_is_installed_fits() -> None:
    asyncio.run(check())


def test_a_picows_with_another_constructor_is_an_import_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Changed:
        def __init__(self, **options: object) -> None:
            raise TypeError("unexpected keyword argument 'host_port'")

    monkeypatch.setattr(transport_picows, "_Protocol", Changed)
    with pytest.raises(ImportError, match="host_port"):
        asyncio.run(check())
