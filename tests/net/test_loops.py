from __future__ import annotations

import asyncio
import sys

import pytest

from turnwright.net.loops import run


async def loop_module() -> str:
    return type(asyncio.get_running_loop()).__module__


def test_uvloop_runs_where_it_is_installed_and_asyncio_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("uvloop")
    assert run(loop_module()).startswith("uvloop")
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert run(loop_module()).startswith("asyncio")


def test_the_result_and_the_exception_of_main_come_out() -> None:
    async def fail() -> None:
        raise ValueError("out")

    with pytest.raises(ValueError, match="out"):
        run(fail())
