from __future__ import annotations

from importlib import metadata

import pytest

from tests.messages import missing
from turnwright.app import version as speed
from turnwright.app.version import compiled_by, speed_text, version_text


@pytest.mark.parametrize("missing", ["numba", "numpy"])
def test_without_its_libraries_the_rules_are_interpreted(
    monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setattr(speed, "find_spec", lambda name: None if name == missing else object())
    assert compiled_by() is None
    assert speed_text() == "interpreted"
    assert version_text().endswith("rules: interpreted")


def test_with_them_the_compiler_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "find_spec", lambda name: object())
    monkeypatch.setattr(metadata, "version", lambda name: "0.99")
    assert speed_text() == "compiled (numba 0.99)"
    assert not missing(version_text().rpartition(", ")[2], "rules", "observations", speed_text())


def test_a_compiler_without_papers_is_still_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(speed, "find_spec", lambda name: object())
    monkeypatch.setattr(metadata, "version", unknown)
    assert not missing(speed_text(), "compiled", "numba", "unknown")
