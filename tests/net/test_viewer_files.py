from __future__ import annotations

import re
from pathlib import Path

import pytest

from turnwright.net import viewer_files
from turnwright.net.viewer_files import CONTENT_TYPES, VIEWER, load_viewer


def test_files_are_found_by_their_path_with_their_type(tmp_path: Path) -> None:
    (tmp_path / "ui").mkdir()
    (tmp_path / "index.html").write_text("<p>")
    (tmp_path / "ui" / "log.js").write_text("1")
    (tmp_path / "tsconfig.json").write_text("{}")
    found = load_viewer(tmp_path)
    assert {name: file.content_type for name, file in found.items()} == {
        "index.html": "text/html; charset=utf-8",
        "ui/log.js": "text/javascript; charset=utf-8",
    }
    assert found["ui/log.js"].content == b"1"


def test_the_first_module_comes_with_all_that_it_imports(tmp_path: Path) -> None:
    (tmp_path / "ui").mkdir()
    (tmp_path / "main.js").write_text('import { log } from "./ui/log.js";\nlog();\n')
    (tmp_path / "ui" / "log.js").write_text("export function log() {}\n")
    (tmp_path / "other.js").write_text("export const other = 1;\n")
    found = load_viewer(tmp_path)
    script = found["main.js"].content.decode()
    assert not re.search("^(?:import|export)", script, re.MULTILINE)
    assert script.index("// ui/log.js") < script.index("function log() {}") < script.index("// main.js")
    assert "other" not in script
    assert found["ui/log.js"].content == b"export function log() {}\n"
    (tmp_path / "ui" / "log.js").write_text("export function log() { return 1; }\n")
    assert load_viewer(tmp_path)["main.js"].tag != found["main.js"].tag


def test_a_tag_changes_with_the_content(tmp_path: Path) -> None:
    path = tmp_path / "a.js"
    path.write_text("1")
    first = load_viewer(tmp_path)["a.js"].tag
    assert first == load_viewer(tmp_path)["a.js"].tag
    path.write_text("2")
    assert load_viewer(tmp_path)["a.js"].tag != first


def test_a_file_written_later_is_not_served(tmp_path: Path) -> None:
    found = load_viewer(tmp_path)
    (tmp_path / "late.js").write_text("1")
    assert found == {}


def test_no_folder_holds_no_files(tmp_path: Path) -> None:
    assert load_viewer(tmp_path / "none") == {}


@pytest.mark.parametrize(("name", "limit"), [("FILES_MAX", 1), ("FILE_BYTES_MAX", 0)])
def test_too_much_is_our_own_mistake(
    name: str, limit: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in ("a.js", "b.js"):
        (tmp_path / file).write_text("1")
    monkeypatch.setattr(viewer_files, name, limit)
    with pytest.raises(AssertionError, match="more than"):
        load_viewer(tmp_path)


def test_every_file_of_the_viewer_has_a_type_or_is_no_part_of_the_page() -> None:
    other = {path.name for path in VIEWER.rglob("*") if path.is_file() and path.suffix not in CONTENT_TYPES}
    assert other <= {"tsconfig.json"}
