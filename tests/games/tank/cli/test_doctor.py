"""`turnwright doctor` names the cache of compiled rules where there is a compiler."""

from __future__ import annotations

import pytest

from turnwright.cli.doctor import examine
from turnwright.games.tank.cli import doctor as tank


@pytest.mark.process
@pytest.mark.parametrize("compiler", [None, "0.61"])
def test_the_cache_is_checked_where_there_is_a_compiler(
    compiler: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tank, "compiled_by", lambda: compiler)
    assert ("cache" in [check.name for check in examine()]) == (compiler is not None)
