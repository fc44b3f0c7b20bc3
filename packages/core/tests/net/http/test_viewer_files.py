from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from turnwright import catalog
from turnwright.app.frames import view_files
from turnwright.net.http import viewer_files
from turnwright.net.http.viewer_files import CONTENT_TYPES, PACKAGE, bundle, load_viewer

PARSE_ALL = """
const {SourceTextModule} = require("vm"), wrong = {};
const scripts = JSON.parse(require("fs").readFileSync(0, "utf8"));
for (const [name, text] of Object.entries(scripts)) {
  try { new SourceTextModule(text); } catch (error) { wrong[name] = String(error); }
}
console.log(JSON.stringify({parsed: Object.keys(scripts).length, wrong}));
"""
PAGE = '<script type="module" src="viewer/main.js"></script>'


def write(package: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = package / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_files_are_found_by_their_path_with_their_type(tmp_path: Path) -> None:
    write(tmp_path, viewer__index_html="<p>", viewer__tsconfig_json="{}", net__log_js="0")
    write(tmp_path, games__a__view__log_js="1", games__a__other_js="2", games__b__view__other_js="3")
    write(tmp_path, games__a__view__main_js="0")
    found = load_viewer("a", tmp_path / "games/a/view/main.js", package=tmp_path)
    assert {name: file.content_type for name, file in found.items()} == {
        "games/a/view/log.js": "text/javascript; charset=utf-8",
        "games/a/view/main.js": "text/javascript; charset=utf-8",
        "viewer/index.html": "text/html; charset=utf-8",
    }
    assert found["games/a/view/log.js"].content == b"1"


def test_the_module_of_a_page_comes_with_all_that_it_imports(tmp_path: Path) -> None:
    write(tmp_path, viewer__index_html=PAGE, viewer__other_js="export const other = 1;\n")
    view = tmp_path / "elsewhere/view/main.js"
    write(tmp_path, viewer__main_js="", elsewhere__view__main_js='import { log } from "./log.js";\nlog();\n')
    write(tmp_path, elsewhere__view__log_js="export function log() {}\n")
    found = load_viewer("a", view, package=tmp_path)
    script = found["viewer/main.js"].content.decode()
    order = ["// games/a/view/log.js", "function log() {}", "// games/a/view/main.js"]
    assert not re.search("^(?:import|export)", script, re.MULTILINE)
    assert sorted(order, key=script.index) == order
    assert "other" not in script
    assert found["games/a/view/log.js"].content == b"export function log() {}\n"
    write(tmp_path, elsewhere__view__log_js="export function log() { return 1; }\n")
    assert load_viewer("a", view, package=tmp_path)["viewer/main.js"].tag != found["viewer/main.js"].tag


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


def test_every_file_of_the_viewer_has_a_type_or_is_not_served() -> None:
    folders = [PACKAGE / "viewer", *PACKAGE.glob("games/*/view")]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    other = {path.name for path in files if path.suffix not in CONTENT_TYPES}
    assert other <= {"tsconfig.json"}


needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def run(script: str) -> str:
    """Run a script as a browser runs a module of a page, and return what it printed."""
    done = subprocess.run(
        ["node", "--input-type=module"],
        input=script,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_node
def test_modules_run_once_each_after_their_imports() -> None:
    modules = {
        "main.js": 'import { b } from "./b.js";\nimport { a as first } from "./deep/a.js";\n'
        "console.log(first, b());",
        "b.js": 'import {\n  a,\n} from "./deep/a.js";\nconsole.log("b");\n'
        "export function b() {\n  return a + 1;\n}",
        "deep/a.js": 'import { base } from "../base.js";\nconsole.log("a");\nexport const a = base * 2;',
        "base.js": 'console.log("base");\nexport const base = 20;',
        "unused.js": 'console.log("unused");',
    }
    assert run(bundle(modules, "main.js")) == "base\na\nb\n40 41\n"


@needs_node
def test_every_kind_of_export_arrives_and_names_of_modules_do_not_meet() -> None:
    modules = {
        "main.js": 'import { C, f, g, h, k } from "./x.js";\n'
        "const own = 1;\nconsole.log(new C().v, f(), [...g()].length, await h(), k, own);",
        "x.js": "const own = 2;\nexport class C {\n  v = own;\n}\nexport function f() {\n  return 3;\n}\n"
        "export function* g() {\n  yield 1;\n}\n"
        "export async function h() {\n  return 4;\n}\nexport let k = 5;",
    }
    with pytest.raises(AssertionError, match="await"):
        run(bundle(modules, "main.js"))  # at the top of a module nothing may be awaited
    modules["main.js"] = modules["main.js"].replace("await h()", "typeof h")
    assert run(bundle(modules, "main.js")) == "2 3 1 function 5 1\n"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ('import x from "./x.js";', "one script: import x"),
        ('import * as x from "./x.js";', r"one script: import \*"),
        ('import "./x.js";', "one script"),
        ('import { x } from "library";', "one script"),
        ("export default 1;", "one script: export default"),
        ('export { x } from "./x.js";', "one script"),
        ("export const { x } = y;", "one script"),
        ('import { x } from "./none.js";', "main.js .*none.js.*not there"),
        ('import { x } from "../x.js";', r"main.js .*../x.js.*not there"),
        ('import { x } from "./main.js";', "in a circle: main.js -> main.js"),
    ],
)
def test_source_that_the_bundler_does_not_know_is_reported(source: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        bundle({"main.js": source, "x.js": "export const x = 1;"}, "main.js")


def test_a_page_without_its_first_module_is_a_mistake() -> None:
    with pytest.raises(ValueError, match=r"the page imports main.js"):
        bundle({}, "main.js")


def test_words_in_texts_and_comments_are_left_alone() -> None:
    source = '/**\n * import { a } from "./a.js";\n */\nexport const a = "export const b = 1;";'
    script = bundle({"main.js": source}, "main.js")
    assert '"export const b = 1;"' in script
    assert ' * import { a } from "./a.js";' in script


@needs_node
@pytest.mark.long
def test_every_module_of_the_viewer_can_be_put_into_one_script() -> None:
    files = {name: file for game in catalog.names() for name, file in view_files(catalog.find(game)).items()}
    texts = {name: file.content.decode() for name, file in files.items() if name.endswith(".js")}
    scripts = {name: bundle(texts, name) for name in texts}
    done = subprocess.run(
        ["node", "--experimental-vm-modules", "--no-warnings", "-e", PARSE_ALL],
        input=json.dumps(scripts),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {"parsed": len(texts), "wrong": {}}
