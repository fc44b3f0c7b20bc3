from __future__ import annotations

import shutil
import subprocess

import pytest

from turnwright.net.http.viewer_files import bundle, load_viewer

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def run(script: str) -> str:
    """Run a script as a browser runs a module that stands in a page; return what it printed."""
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
def test_modules_run_once_each_after_what_they_import() -> None:
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
        ('import x from "./x.js";', "cannot be put into one script: import x"),
        ('import * as x from "./x.js";', "cannot be put into one script: import \\*"),
        ('import "./x.js";', "cannot be put into one script"),
        ('import { x } from "library";', "cannot be put into one script"),
        ("export default 1;", "cannot be put into one script: export default"),
        ('export { x } from "./x.js";', "cannot be put into one script"),
        ("export const { x } = y;", "cannot be put into one script"),
        ('import { x } from "./none.js";', "main.js imports none.js, which is not there"),
        ('import { x } from "../x.js";', r"main.js imports ../x.js, which is not there"),
        ('import { x } from "./main.js";', "in a circle: main.js -> main.js"),
    ],
)
def test_what_is_not_understood_is_said(source: str, said: str) -> None:
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
    texts = {name: file.content.decode() for name, file in load_viewer().items() if name.endswith(".js")}
    for name in texts:
        script = bundle(texts, name)
        done = subprocess.run(
            ["node", "--check", "--input-type=module", "-"],
            input=script,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, f"{name}: {done.stderr}"
