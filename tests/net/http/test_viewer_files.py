from __future__ import annotations

import re
from pathlib import Path

import pytest

from turnwright.net.http import viewer_files
from turnwright.net.http.viewer_files import CONTENT_TYPES, PACKAGE, load_viewer

PAGE = '<script type="module" src="viewer/main.js"></script>'


def write(package: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = package / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_files_are_found_by_their_path_with_their_type(tmp_path: Path) -> None:
    write(tmp_path, viewer__index_html="<p>", viewer__tsconfig_json="{}", net__log_js="0")
    write(tmp_path, games__a__view__log_js="1", games__b__view_js="2", games__b__other_js="3")
    found = load_viewer(package=tmp_path)
    assert {name: file.content_type for name, file in found.items()} == {
        "games/a/view/log.js": "text/javascript; charset=utf-8",
        "games/b/view.js": "text/javascript; charset=utf-8",
        "viewer/index.html": "text/html; charset=utf-8",
    }
    assert found["games/a/view/log.js"].content == b"1"


def test_the_module_of_a_page_comes_with_all_that_it_imports(tmp_path: Path) -> None:
    write(tmp_path, viewer__index_html=PAGE, viewer__other_js="export const other = 1;\n")
    write(tmp_path, viewer__main_js='import { log } from "../games/a/view/log.js";\nlog();\n')
    write(tmp_path, games__a__view__log_js="export function log() {}\n")
    found = load_viewer(package=tmp_path)
    script = found["viewer/main.js"].content.decode()
    order = ["// games/a/view/log.js", "function log() {}", "// viewer/main.js"]
    assert not re.search("^(?:import|export)", script, re.MULTILINE)
    assert sorted(order, key=script.index) == order
    assert "other" not in script
    assert found["games/a/view/log.js"].content == b"export function log() {}\n"
    write(tmp_path, games__a__view__log_js="export function log() { return 1; }\n")
    assert load_viewer(package=tmp_path)["viewer/main.js"].tag != found["viewer/main.js"].tag


def test_a_tag_changes_with_the_content(tmp_path: Path) -> None:
    write(tmp_path, viewer__a_js="1")
    first = load_viewer(package=tmp_path)["viewer/a.js"].tag
    assert first == load_viewer(package=tmp_path)["viewer/a.js"].tag
    write(tmp_path, viewer__a_js="2")
    assert load_viewer(package=tmp_path)["viewer/a.js"].tag != first


def test_a_file_written_later_is_not_served(tmp_path: Path) -> None:
    found = load_viewer(package=tmp_path)
    write(tmp_path, viewer__late_js="1")
    assert found == {}


def test_no_folder_holds_no_files(tmp_path: Path) -> None:
    assert load_viewer(package=tmp_path / "none") == {}


@pytest.mark.parametrize(("name", "limit"), [("FILES_MAX", 1), ("FILE_BYTES_MAX", 0)])
def test_too_much_is_our_own_mistake(
    name: str, limit: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, viewer__a_js="1", viewer__b_js="1")
    monkeypatch.setattr(viewer_files, name, limit)
    with pytest.raises(AssertionError, match="more than"):
        load_viewer(package=tmp_path)


def test_every_file_of_the_viewer_has_a_type_or_is_no_part_of_the_page() -> None:
    folders = [PACKAGE / "viewer", *PACKAGE.glob("games/*/view")]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    other = {path.name for path in files if path.suffix not in CONTENT_TYPES}
    assert other <= {"tsconfig.json"}
