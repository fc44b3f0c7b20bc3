from __future__ import annotations

import base64
import json
import re
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from turnwright import catalog
from turnwright.app.frames import view_files
from turnwright.app.html import ANALYSIS_ID, RECORD_ID, one_page, write_page
from turnwright.errors import SetupError
from turnwright.net.http.viewer_files import StaticFile

INDEX = """<!doctype html>
<html>
  <head>
    <meta charset="utf-8">
    <link rel="icon" href="viewer/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="viewer/app.css">
    <link rel="stylesheet" href="viewer/widgets/panels.css">
    <script type="module" src="viewer/main.js"></script>
  </head>
  <body><a href="#arena">x</a></body>
</html>
"""
SOURCES = {
    "viewer/index.html": INDEX,
    "viewer/main.js": 'import { a } from "./a.js";\ndocument.title = a;',
    "viewer/a.js": 'export const a = "ä";',
    "viewer/app.css": "p { margin: 0 }",
    "viewer/widgets/panels.css": "b { margin: 1px }",
    "viewer/favicon.svg": "<svg/>",
}
RECORD = bytes(range(256))


def files(**changed: str) -> dict[str, StaticFile]:
    named = {f"viewer/{name.replace('_', '.')}": text for name, text in changed.items()}
    return {
        name: StaticFile(text.encode(), "image/svg+xml" if name.endswith("svg") else "text/x", '""')
        for name, text in {**SOURCES, **named}.items()
    }


class Elements(HTMLParser):
    """Every element with its attributes, and the text of scripts and styles."""

    def __init__(self, page: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None], str]] = []
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), ""))

    def handle_endtag(self, tag: str) -> None:
        self.found.append((f"/{tag}", {}, ""))

    def handle_data(self, data: str) -> None:
        if self.found:
            tag, attributes, text = self.found[-1]
            self.found[-1] = tag, attributes, text + data

    def of(self, tag: str) -> list[tuple[dict[str, str | None], str]]:
        return [(attributes, text) for name, attributes, text in self.found if name == tag]


def test_the_page_contains_script_styles_and_record() -> None:
    page = Elements(one_page(files(), "x.twr", RECORD))
    (data, text), (attributes, script) = page.of("script")
    assert data == {"type": "application/octet-stream", "id": RECORD_ID, "data-name": "x.twr"}
    assert base64.b64decode(text) == RECORD
    assert attributes == {"type": "module"}
    assert 'const a = "ä";' in script
    ((_, style),) = page.of("style")
    assert style.index("margin: 0") < style.index("margin: 1px")


def test_the_page_contains_the_analysis_and_no_name_ends_its_element() -> None:
    told = json.dumps({"lines": [{"name": "</script><b>"}]}).encode()
    page = Elements(one_page(files(), "x.twr", RECORD, told))
    _, (attributes, text), _ = page.of("script")
    assert attributes == {"type": "application/json", "id": ANALYSIS_ID}
    assert json.loads(text) == json.loads(told)


def test_the_policy_of_the_page_allows_only_its_own_script_and_style() -> None:
    page = Elements(one_page(files(), "x.twr", RECORD))
    (policy,) = [a["content"] for a, _ in page.of("meta") if a.get("http-equiv")]
    assert policy is not None
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    (_, (_, script)), ((_, style),) = page.of("script"), page.of("style")

    def hashed(text: str) -> str:
        return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"

    assert rules == {
        "default-src": "'none'",
        "script-src": hashed(script),
        "style-src": hashed(style),
        "img-src": "data: blob:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    tags = [tag for tag, _, _ in page.found]
    assert tags.index("meta") < tags.index("style")


@pytest.mark.parametrize("source", [pytest.param(False, id="sample"), pytest.param(True, id="the viewer")])
def test_nothing_is_loaded_from_elsewhere(source: bool) -> None:
    page = Elements(one_page(view_files(catalog.find("snake")) if source else files(), "x.twr", RECORD))
    for _, attributes, _ in page.found:
        for name in ("src", "href"):
            assert re.match("data:|#", attributes.get(name) or "#"), attributes
        assert not any(name.startswith("on") or name == "style" for name in attributes), attributes


def test_the_name_of_a_file_stays_a_name() -> None:
    name = '"><script>alert(1)</script>&amp;.twr'
    page = Elements(one_page(files(), name, RECORD))
    assert [a.get("data-name") for a, _ in page.of("script")] == [name, None]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"main_js": 'const a = "</script>";'}, "script"),
        ({"main_js": 'const a = "<!--";'}, "script"),
        ({"app_css": "@import 'x'"}, "styles"),
        ({"app_css": "p { background: url(https://x) }"}, "styles"),
        ({"index_html": INDEX.replace("#arena", "https://x")}, 'would load href="https://x"'),
        ({"index_html": INDEX.replace("</body>", "")}, "not exactly one </body>"),
        ({"index_html": INDEX.replace('<meta charset="utf-8">', "")}, "not exactly one <meta"),
    ],
)
def test_a_viewer_that_cannot_be_put_into_one_file_is_a_mistake(changed: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        one_page(files(**changed), "x.twr", RECORD)


def test_the_viewer_fits_into_a_page_far_below_three_megabytes() -> None:
    assert len(one_page(view_files(catalog.find("snake")), "x.twr", b"")) < 1_500_000


def test_a_page_is_never_written_over_another_file_unless_that_is_wished(tmp_path: Path) -> None:
    path = tmp_path / "out.html"
    write_page(path, b"first", force=False)
    with pytest.raises(SetupError, match="--force"):
        write_page(path, b"second", force=False)
    assert path.read_bytes() == b"first"
    write_page(path, b"third", force=True)
    assert [one.name for one in tmp_path.iterdir()] == ["out.html"]
    assert path.read_bytes() == b"third"


def test_a_place_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="No such file"):
        write_page(tmp_path / "none" / "out.html", b"", force=False)
    with pytest.raises(SetupError, match="cannot be written"):
        write_page(tmp_path, b"", force=True)
