from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path
from random import Random

import pytest

from packages.core.tests.messages import missing
from tests.house.source import ROOT
from turnwright.errors import SetupError
from turnwright.net.http.docs_site import SITE_INDEX, SITE_POLICY, pages_of_site, read_site
from turnwright.net.http.pages import Pages

FILES = {
    "index.html": b"<p>first",
    "docs/README.html": b"<p>all pages",
    "_static/a.css": b"p {}",
    "LICENSE": b"free",
}


def packed(folder: Path, name: str = "docs.tar.xz") -> Path:
    """Pack a small site as `make docs` does."""
    site = folder / "site"
    for path, content in {**FILES, "_static/a.css.map": b"{}", ".buildinfo": b"x"}.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_bytes(content)
    program = ROOT / "tools" / "docs_site" / "pack.py"
    subprocess.run([sys.executable, program, site, folder / name], check=True, timeout=120)
    return folder / name


def test_a_packed_site_is_read_without_unused_files(tmp_path: Path) -> None:
    assert read_site(packed(tmp_path)) == FILES


def test_the_same_site_is_packed_as_the_same_bytes(tmp_path: Path) -> None:
    first = packed(tmp_path).read_bytes()
    assert packed(tmp_path, "again.tar.xz").read_bytes() == first


def test_a_missing_site_is_refused_with_advice(tmp_path: Path) -> None:
    with pytest.raises(SetupError) as raised:
        read_site(tmp_path / "none.tar.xz")
    assert not missing(str(raised.value), "make docs", "docs/README.md")


def test_a_damaged_site_is_named(tmp_path: Path) -> None:
    archive = packed(tmp_path)
    archive.write_bytes(archive.read_bytes()[:60])
    with pytest.raises(SetupError) as raised:
        read_site(archive)
    assert not missing(str(raised.value), archive)


def test_a_site_that_is_damaged_in_its_middle_is_named(tmp_path: Path) -> None:
    content = Random(1).randbytes(100_000)  # more than is read at once
    (tmp_path / "page.html").write_bytes(content)
    archive = tmp_path / "docs.tar.xz"
    with tarfile.open(archive, "w:xz") as site:
        site.add(tmp_path / "page.html", "page.html")
    data = bytearray(archive.read_bytes())
    data[50_000:50_100] = bytes(100)
    archive.write_bytes(data)
    with pytest.raises(SetupError) as raised:
        read_site(archive)
    assert not missing(str(raised.value), archive)


def test_a_server_shows_the_site_with_the_scripts_of_its_theme() -> None:
    pages = Pages(pages_of_site(FILES), index=SITE_INDEX, policy=SITE_POLICY)
    first = pages.show("/", {})
    assert first is not None
    assert (first.body, first.policy) == (b"<p>first", SITE_POLICY)
    kinds = {name: shown.content_type for name in FILES if (shown := pages.show(f"/{name}", {}))}
    assert {name: kind.partition(";")[0] for name, kind in kinds.items()} == {
        "index.html": "text/html",
        "docs/README.html": "text/html",
        "_static/a.css": "text/css",
        "LICENSE": "text/plain",
    }
