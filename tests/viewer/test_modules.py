"""House rules of the viewer's modules: forms that a small bundler knows, no circles, nothing hostile runs."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
VIEWER = HERE.parents[1] / "src/turnwright/viewer"
LINES_MAX = 500
MODULES = sorted(path.relative_to(VIEWER).as_posix() for path in VIEWER.rglob("*.js"))

LONG = {"rules.js": "generated from the rules in Python"}
"""Module: why it is longer than others may be."""

TESTED_IN_A_BROWSER = {
    "main.js": "four lines that put everything together",
    "draw/brush.js": "tests/viewer/draw/arena.test.js draws with it",
    "draw/debug.js": "needs images; what is kept of a drawing is svg.js",
    "draw/effects_art.js": "tests/viewer/draw/arena.test.js draws with it",
    "draw/pointer.js": "needs a mouse",
    "draw/sprites.js": "tests/viewer/draw/arena.test.js draws with it",
    "draw/stage.js": "needs a page",
    "draw/tank_art.js": "tests/viewer/draw/arena.test.js draws with it",
    "draw/tanks.js": "tests/viewer/draw/arena.test.js draws with it",
    "shell/address.js": "needs a page; what addresses say is links.js",
    "shell/app.js": "needs a page",
    "shell/files.js": "needs a page",
    "shell/glyphs.js": "needs a page",
    "shell/lens.js": "needs a page",
    "shell/live.js": "needs a page",
    "shell/notice.js": "needs a page",
    "shell/welcome.js": "needs a page",
    "ui/announcer.js": "needs a page",
    "ui/badge.js": "needs a page",
    "ui/bot_panel.js": "needs a page",
    "ui/chart.js": "needs a page",
    "ui/charts_panel.js": "needs a page",
    "ui/desk.js": "needs a page",
    "ui/dialog.js": "needs a page",
    "ui/dom.js": "needs a page",
    "ui/help_dialog.js": "needs a page",
    "ui/icons.js": "needs a page",
    "ui/keyboard.js": "needs a page; what keys do is keys.js",
    "ui/log_panel.js": "needs a page; what it shows is log.js",
    "ui/mount.js": "needs a page",
    "ui/operator.js": "needs a page",
    "ui/paint.js": "needs a page",
    "ui/ranking.js": "needs a page; what it shows is standings.js",
    "ui/results_card.js": "needs a page",
    "ui/results_table.js": "needs a page",
    "ui/sight_panel.js": "needs a page; what it shows is sight.js",
    "ui/spark.js": "needs a page; what it shows is latency.js",
    "ui/start_dialog.js": "needs a page; what it asks for is setup.js",
    "ui/status_bar.js": "needs a page; what it says is state_text.js",
    "ui/tabs.js": "needs a page",
    "ui/timeline.js": "needs a page; what it marks is marks.js",
    "ui/transport.js": "needs a page; what it offers is rates.js",
    "ui/why_list.js": "tests/browser; its words are fates.js",
    "ui/why_panel.js": "needs a page; what it says is why.js",
    "world/command_view.js": "needs a page; history and completion are typing.js",
    "world/crier.js": "needs a page; what it says is rings.js",
    "world/door_view.js": "needs a page; what it asks is entrance.js",
    "world/help_view.js": "needs a page",
    "world/line.js": "needs a page; what it does is entrance.js, clock.js and ansi.js",
    "world/log_view.js": "needs a page; what it keeps is scroll.js",
    "world/main.js": "one line that begins",
    "world/page.js": "needs a page",
    "world/reactions_view.js": "needs a page",
    "world/rings_view.js": "needs a page; its arithmetic is rings.js",
    "world/room_view.js": "needs a page",
    "world/self_view.js": "needs a page",
    "world/socket.js": "needs a page; what it reads is messages.js",
    "world/sound.js": "needs a page",
}
"""Module: why Node does not test it alone. All of them are in the page that tests/browser drives."""

FORBIDDEN = {
    r"\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write": "texts of strangers would become markup",
    r"\beval\s*\(|new Function\b|setTimeout\(\s*[\"'`]|setInterval\(\s*[\"'`]": "texts would run",
    r"setAttribute\(\s*[\"'](?:style|on\w+|srcdoc)[\"']": "the policy of the page forbids it",
    r"\bimport\s*\(": "the bundler knows static imports alone",
    r"\bexport\s+(?:default|\*|\{)|\bimport\s+(?:\*|[\w$]+\s*(?:,|from))": "a form that is not bundled",
    r"createContextualFragment|\.srcdoc\b|importScripts|new Worker\b": "nothing else is loaded or run",
    r"https?://(?!www\.w3\.org/2000/svg)[\w.-]+\.\w": "nothing comes from elsewhere",
}
"""What no module may contain, and why."""

CLOCK = re.compile(r"Date\.now|new Date\b|performance\.now")
CHANCE = re.compile(r"Math\.random|getRandomValues|randomUUID")
MAY_LOOK_AT_A_CLOCK = {
    "work.js": "how long a slice of work may take",
}
"""Module that Node tests and that still knows the time: why."""

IMPORT = re.compile(r'^import\s*\{[^}]*\}\s*from\s*"(\.{1,2}/[^"]+\.js)";', re.MULTILINE)
ANY_IMPORT = re.compile(r"^\s*import\b", re.MULTILINE)
EXPORT = re.compile(r"^export\s+(?:async\s+function\*?|function\*?|class|const)\s+[\w$]+", re.MULTILINE)
ANY_EXPORT = re.compile(r"^\s*export\b", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`\\])//[^\n]*", re.DOTALL)


@cache
def _code(module: str) -> str:
    """Return a module without its comments."""
    return COMMENT.sub("", (VIEWER / module).read_text(encoding="utf-8"))


def _imports(module: str) -> list[str]:
    folder = (VIEWER / module).parent
    return [
        (folder / found).resolve().relative_to(VIEWER.resolve()).as_posix()
        for found in IMPORT.findall(_code(module))
    ]


@pytest.mark.parametrize("module", MODULES)
def test_imports_and_exports_have_one_form(module: str) -> None:
    code = _code(module)
    assert len(IMPORT.findall(code)) == len(ANY_IMPORT.findall(code)), 'import { a } from "./x.js"; only'
    assert len(EXPORT.findall(code)) == len(ANY_EXPORT.findall(code)), "export function, class or const only"
    missing = [name for name in _imports(module) if name not in MODULES]
    assert not missing, f"{module} imports {missing}, which is not there"


@pytest.mark.parametrize("module", MODULES)
def test_nothing_runs_or_loads_what_strangers_wrote(module: str) -> None:
    found = {
        why: match[0] for pattern, why in FORBIDDEN.items() if (match := re.search(pattern, _code(module)))
    }
    assert not found


@pytest.mark.parametrize("module", MODULES)
def test_modules_are_short(module: str) -> None:
    lines = (VIEWER / module).read_text(encoding="utf-8").count("\n")
    assert lines <= LINES_MAX or module in LONG, f"{lines} lines"


@pytest.mark.parametrize("module", MODULES)
def test_what_is_computed_depends_on_no_clock_and_no_chance(module: str) -> None:
    assert CHANCE.search(_code(module)) is None
    if module not in TESTED_IN_A_BROWSER and module not in MAY_LOOK_AT_A_CLOCK:
        assert CLOCK.search(_code(module)) is None


@pytest.mark.parametrize("module", MODULES)
def test_each_module_is_tested(module: str) -> None:
    has_test = (HERE / module).with_suffix(".test.js").exists()
    assert has_test != (module in TESTED_IN_A_BROWSER), "one test file, or one reason why there is none"


def test_modules_import_in_no_circle() -> None:
    done: set[str] = set()

    def visit(module: str, way: tuple[str, ...]) -> None:
        assert module not in way, " -> ".join([*way, module])
        if module not in done:
            for name in _imports(module):
                visit(name, (*way, module))
            done.add(module)

    for module in MODULES:
        visit(module, ())


def test_drawing_knows_no_panel_and_no_source() -> None:
    wrong = [
        f"{module} imports {name}"
        for module in MODULES
        if module.startswith("draw/")
        for name in _imports(module)
        if name.startswith(("ui/", "shell/", "source_"))
    ]
    assert not wrong


@pytest.mark.parametrize("name", ["index.html", "world/index.html"])
def test_the_page_has_nothing_inline_and_loads_only_its_own(name: str) -> None:
    page = (VIEWER / name).read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\bsrc=)|javascript:", page)
    loads = re.findall(r'(?:src|href)="([^"#]+)"', page)
    assert loads
    assert [name for name in loads if not (VIEWER / name.removeprefix("viewer/")).is_file()] == []
    sheets = [path.read_text(encoding="utf-8") for path in VIEWER.rglob("*.css")]
    assert not [sheet for sheet in sheets if re.search(r"@import|url\((?!['\"]?data:)", sheet)]


def test_lists_name_modules_that_exist() -> None:
    named = {*LONG, *TESTED_IN_A_BROWSER, *MAY_LOOK_AT_A_CLOCK}
    assert named <= set(MODULES), sorted(named - set(MODULES))
