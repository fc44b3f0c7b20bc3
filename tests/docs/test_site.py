"""The documentation site has every page, and each of its links leads somewhere without a network."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.docs.site import ROOT, Page, built_once, page_at
from tests.once import shared_folder

OUTSIDE = ("https:", "http:", "mailto:", "data:", "javascript:")


def broken(site: Path) -> list[str]:
    """Return the links of all pages that lead to no file or to no anchor."""
    pages: dict[Path, Page] = {path: page_at(path) for path in site.rglob("*.html")}
    wrong = []
    for path, page in pages.items():
        for target in page.targets:
            if target.startswith(OUTSIDE):
                continue
            file, _, anchor = target.partition("#")
            goal = (path.parent / unquote(file.partition("?")[0])).resolve() if file else path
            known = pages[goal].anchors if goal in pages else {anchor}
            if not goal.is_file() or (anchor and anchor not in known):
                wrong.append(f"{path.relative_to(site)}: {target}")
    return sorted(wrong)


@pytest.mark.process
@pytest.mark.long
def test_the_site_has_every_page_and_no_link_that_leads_nowhere(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> None:
    site = built_once(shared_folder(tmp_path_factory, request.config))
    sources = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "bench").glob("*.md")]
    missing = [
        page.name for page in sources if not (site / page.relative_to(ROOT)).with_suffix(".html").is_file()
    ]
    assert missing == []
    assert broken(site) == []
    fetched = [
        f"{path.relative_to(site)}: {target}"
        for path in site.rglob("*.html")
        for target in page_at(path).targets
        if target.startswith(("https:", "http:")) and target.endswith((".js", ".css", ".woff2"))
    ]
    assert fetched == [], "the site is for use without a network"


def test_links_that_lead_nowhere_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="b.html#there">b</a><a href="b.html#not">b</a><img src="c.png">'
    )
    (tmp_path / "b.html").write_text(
        '<h1 id="there">b</h1><a href="https://example.org/">out</a><a href="#">top</a>'
    )
    assert broken(tmp_path) == ["a.html: b.html#not", "a.html: c.png"]
