"""Builds the documentation site and reads the links of its pages."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

from release.build import build_site

from tests.once import one_at_a_time

ROOT = Path(__file__).parents[2]


class Page(HTMLParser):
    """The links, sources and anchors of a page of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.targets: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Record the links and anchors of an element."""
        for name, value in attributes:
            if name == "id" and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.targets.add(value)


def built_once(shared: Path) -> Path:
    """Return the folder of the site. The first process that asks builds it in the folder `shared`."""
    site = shared / "docs" / "site"
    with one_at_a_time(shared, "docs"):
        if not site.is_dir():
            build_site(ROOT, shared / "docs" / "new").rename(site)
    return site


def page_at(path: Path) -> Page:
    """Return the Page of a file of HTML."""
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page
