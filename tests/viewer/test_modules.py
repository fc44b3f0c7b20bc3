"""House rules of the viewer's modules: forms that a small bundler knows, no circles, no hostile code."""

from __future__ import annotations

import posixpath
import re
from functools import cache

import pytest

from tests.viewer.node import files, place_of_tests

LINES_MAX = 500
FILES = files(".js")
MODULES = sorted(FILES)

LONG = {"games/tank/view/resim/rules.js": "generated from the rules in Python"}
"""Module: why it is longer than others may be."""

TESTED_IN_A_BROWSER = {
    "games/snake/view.js": "draws; tests/browser/test_snake.py shows it",
    "games/tank/view/arena.js": "needs a page",
    "games/world/view/panels/map_view.js": "draws; tests/browser/test_world.py shows it",
    "games/tank/view/draw/arena_canvas.js": "needs a page",
    "games/tank/view/draw/debug/debug_drawings.js": "needs images; what is kept of a drawing is safe_svg.js",
    "games/tank/view/draw/draw_target.js": "packages/tank/tests/view/draw/arena.test.js draws with it",
    "games/tank/view/draw/pointer.js": "needs a mouse",
    "games/tank/view/draw/tanks/sprites.js": "packages/tank/tests/view/draw/arena.test.js draws with it",
    "games/tank/view/draw/tanks/tank_art.js": "packages/tank/tests/view/draw/arena.test.js draws with it",
    "games/tank/view/draw/tanks/tanks.js": "packages/tank/tests/view/draw/arena.test.js draws with it",
    "games/tank/view/files/file_source.js": "its kinds: packages/tank/tests/view/files/source_royale.test.js",
    "games/tank/view/failures.js": "packages/tank/tests/view/panels/bot/console.test.js reads it",
    "games/tank/view/game_view.js": "puts the view together",
    "games/tank/view/main.js": "one line that begins",
    "games/tank/view/model.js": "types, and a unit of time",
    "games/tank/view/panels/bot/bot_panel.js": "needs a page",
    "games/tank/view/panels/bot/last_frames.js": "needs a page; tests/browser/test_room.py shows a dead bot",
    "games/tank/view/panels/bot/bot_view_panel.js": "needs a page; what it shows is bot_view.js",
    "games/tank/view/panels/charts_panel.js": "needs a page",
    "games/tank/view/panels/ranking.js": "needs a page; what it shows is standings.js",
    "games/tank/view/panels/results_table.js": "needs a page",
    "games/tank/view/panels/sparkline.js": "needs a page; what it shows is latency.js",
    "games/tank/view/panels/start_dialog.js": "needs a page; what it asks for is setup.js",
    "games/tank/view/panels/tank_panels.js": "needs a page",
    "games/tank/view/panels/view_buttons.js": "needs a page",
    "games/tank/view/panels/why/why_list.js": "tests/browser; what it shows is facts.js",
    "games/tank/view/panels/why/why_panel.js": "needs a page; what it shows is facts.js",
    "games/world/view/connection/connection.js": "needs a page; login.js, clock.js and ansi.js do not",
    "games/world/view/connection/socket.js": "needs a page; what it reads is messages.js",
    "games/world/view/main.js": "one line that begins",
    "games/world/view/page.js": "needs a page",
    "games/world/view/panels/command_view.js": "needs a page; history and completion are command_history.js",
    "games/world/view/panels/help_view.js": "needs a page",
    "games/world/view/panels/log_view.js": "needs a page; what it keeps is scrollback.js",
    "games/world/view/panels/login_view.js": "needs a page; what it asks is login.js",
    "games/world/view/panels/reactions_view.js": "needs a page",
    "games/world/view/panels/rings_view.js": "needs a page; its arithmetic is threat_times.js",
    "games/world/view/panels/room_view.js": "needs a page",
    "games/world/view/panels/self_view.js": "needs a page",
    "games/tank/view/events.js": "made from declarations; panels/log.test.js reads it",
    "games/tank/view/score_columns.js": "made from declarations; resim/scores.test.js reads it",
    "games/tank/view/settings.js": "made from declarations; resim/setup.test.js reads it",
    "games/world/view/sound.js": "needs a page",
    "games/world/view/threat_announcer.js": "needs a page; what it says is threat_times.js",
    "viewer/ladder/account.js": "needs a page; tests/browser/test_ladder.py logs in",
    "viewer/ladder/api.js": "needs a server; tests/browser/test_ladder.py",
    "viewer/ladder/bots.js": "needs a page; tests/browser/test_ladder.py shows it",
    "viewer/ladder/ladder_view.js": "needs a page; tests/browser/test_ladder.py shows it",
    "viewer/ladder/main.js": "puts the page together",
    "viewer/ladder/model.js": "types alone",
    "viewer/ladder/start_part.js": "needs a page; tests/browser/test_ladder.py gets a bot with it",
    "viewer/ladder/teacher.js": "needs a page; tests/browser/test_ladder.py gives its commands",
    "viewer/ladder/upload.js": "needs a page; tests/browser/test_ladder.py sends a bot",
    "viewer/main.js": "four lines that put everything together",
    "viewer/model.js": "types",
    "viewer/page/address.js": "needs a page; what addresses say is links.js",
    "viewer/page/app.js": "needs a page",
    "viewer/page/files.js": "needs a page",
    "viewer/page/live.js": "needs a page",
    "viewer/page/log_panel.js": "needs a page; what it shows is the log.js of a game",
    "viewer/page/notice.js": "needs a page",
    "viewer/page/operator_bar.js": "needs a page",
    "viewer/page/panels.js": "needs a page",
    "viewer/page/ranking_table.js": "needs a page; the order of rows is reordering_rows.js",
    "viewer/room/sound.js": "needs a page; which sounds a turn has is the room.js of a game",
    "viewer/share/picture.js": "packages/core/tests/viewer/share/video.test.js has its arithmetic",
    "viewer/share/share_dialog.js": "needs a page; tests/browser/test_room.py shares with it",
    "viewer/generic/game_canvas.js": "generic/game_view.test.js has its arithmetic",
    "viewer/generic/errors.js": "tests/browser/test_own_view.py",
    "viewer/generic/frame_panel.js": "needs a page",
    "viewer/generic/main.js": "one line that begins",
    "viewer/lan/get.js": "one line that begins",
    "viewer/generic/results.js": "needs a page",
    "viewer/generic/standings.js": "generic/game_view.test.js has its order",
    "viewer/generic/start_dialog.js": "generic/game_view.test.js has what it reads",
    "viewer/sources/source_live.js": "packages/tank/tests/view/live/royale.test.js joins with it",
    "viewer/time/timeline.js": "needs a page; what it marks is timeline_marks.js",
    "viewer/time/transport.js": "needs a page; what it offers is rates.js",
    "viewer/tournament/battles.js": "needs a page; what it shows is figures.js",
    "viewer/tournament/bracket.js": "needs a page; names of rounds are rounds_data.js",
    "viewer/tournament/drawing.js": "needs a page",
    "viewer/tournament/lines.js": "needs a page",
    "viewer/tournament/main.js": "needs a page",
    "viewer/tournament/matrix.js": "needs a page",
    "viewer/tournament/model.js": "types; its one list is compared in packages/league/tests/app",
    "viewer/tournament/page.js": "needs a page",
    "viewer/tournament/rounds.js": "needs a page",
    "viewer/tournament/scroll_box.js": "needs a page; tests/browser/test_tournament.py scrolls it",
    "viewer/tournament/swiss.js": "needs a page; what it shows is rounds_data.js",
    "viewer/tournament/trouble.js": "needs a page",
    "viewer/tournament/versions.js": "needs a page",
    "viewer/widgets/announcer.js": "needs a page",
    "viewer/widgets/badge.js": "needs a page",
    "viewer/widgets/canvas_util.js": "needs a page",
    "viewer/widgets/chart.js": "needs a page",
    "viewer/widgets/dialog.js": "needs a page",
    "viewer/widgets/dom.js": "needs a page",
    "viewer/widgets/help_dialog.js": "needs a page",
    "viewer/widgets/icons.js": "needs a page",
    "viewer/widgets/keyboard.js": "needs a page; what keys do is keys.js",
    "viewer/widgets/status_bar.js": "needs a page; what it says is state_text.js",
    "viewer/widgets/tabs.js": "needs a page",
}
"""Module: why Node does not test it alone. All of them are in the pages that tests/browser drives."""

FORBIDDEN = {
    r"\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write": "texts of strangers would become markup",
    r"\beval\s*\(|new Function\b|setTimeout\(\s*[\"'`]|setInterval\(\s*[\"'`]": "texts would run",
    r"setAttribute\(\s*[\"'](?:style|on\w+|srcdoc)[\"']": "the policy of the page forbids it",
    r"\bimport\s*\(": "the bundler knows static imports alone",
    r"\bexport\s+(?:default|\*|\{)|\bimport\s+(?:\*|[\w$]+\s*(?:,|from))": "a form that is not bundled",
    r"createContextualFragment|\.srcdoc\b|importScripts|new Worker\b": "nothing else is loaded or run",
    r"https?://(?!www\.w3\.org/2000/svg)[\w.-]+\.\w": "nothing comes from elsewhere",
}
"""Patterns that no module may contain, and why."""

CLOCK = re.compile(r"Date\.now|new Date\b|performance\.now")
CHANCE = re.compile(r"Math\.random|getRandomValues|randomUUID")
MAY_LOOK_AT_A_CLOCK = {
    "viewer/tournament/figures.js": "writes a given instant as a date, looks at no clock",
    "games/tank/view/panels/results_card.js": "how long it has been shown; what it shows depends on none",
    "viewer/page/reordering_rows.js": "how long ago rows moved; the order itself depends on none",
    "viewer/page/panel_context.js": "how long ago panels were shown anew; what they show depends on none",
    "viewer/share/video.js": "how long the last picture has stayed",
    "viewer/room/kiosk.js": "how long something has been shown; what comes next depends on none",
    "viewer/room/overlay.js": "how long a winner has been shown; which one depends on none",
    "games/tank/view/files/time_slices.js": "how long a slice of work may take",
}
"""Module that Node tests and that still knows the time: why."""

QUESTION = re.compile(r"(?:Who|What|Whose|How|When|Where|Which|Why)\b")
DOC = re.compile(r"/\*\*\s+(?:\* )?(.*?)(?: \*/)?$", re.MULTILINE)
IMPORT = re.compile(r'^import\s*\{[^}]*\}\s*from\s*"(\.{1,2}/[^"]+\.js)";', re.MULTILINE)
ANY_IMPORT = re.compile(r"^\s*import\b", re.MULTILINE)
EXPORT = re.compile(r"^export\s+(?:async\s+function\*?|function\*?|class|const)\s+[\w$]+", re.MULTILINE)
ANY_EXPORT = re.compile(r"^\s*export\b", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`\\])//[^\n]*", re.DOTALL)


@cache
def _code(module: str) -> str:
    """Return a module without its comments."""
    return COMMENT.sub("", FILES[module].read_text(encoding="utf-8"))


def _imports(module: str) -> list[str]:
    folder = posixpath.dirname(module)
    return [posixpath.normpath(f"{folder}/{found}") for found in IMPORT.findall(_code(module))]


@pytest.mark.parametrize("module", MODULES)
def test_imports_and_exports_have_one_form(module: str) -> None:
    code = _code(module)
    assert len(IMPORT.findall(code)) == len(ANY_IMPORT.findall(code)), 'import { a } from "./x.js"; only'
    assert len(EXPORT.findall(code)) == len(ANY_EXPORT.findall(code)), "export function, class or const only"
    missing = [name for name in _imports(module) if name not in MODULES]
    assert not missing, f"{module} imports {missing}, which is not there"


@pytest.mark.parametrize("module", MODULES)
def test_no_module_runs_or_loads_text_of_other_people(module: str) -> None:
    found = {
        why: match[0] for pattern, why in FORBIDDEN.items() if (match := re.search(pattern, _code(module)))
    }
    assert not found


@pytest.mark.parametrize("module", MODULES)
def test_modules_are_short(module: str) -> None:
    lines = FILES[module].read_text(encoding="utf-8").count("\n")
    assert lines <= LINES_MAX or module in LONG, f"{lines} lines"


@pytest.mark.parametrize("module", MODULES)
def test_computations_depend_on_no_clock_and_no_chance(module: str) -> None:
    assert CHANCE.search(_code(module)) is None
    if module not in TESTED_IN_A_BROWSER and module not in MAY_LOOK_AT_A_CLOCK:
        assert CLOCK.search(_code(module)) is None


@pytest.mark.parametrize("module", MODULES)
def test_first_lines_are_statements(module: str) -> None:
    text = FILES[module].read_text(encoding="utf-8")
    assert text.startswith("/**"), "a module begins with a comment"
    assert not [first for first in DOC.findall(text) if QUESTION.match(first)]


@pytest.mark.parametrize("module", MODULES)
def test_each_module_is_tested(module: str) -> None:
    test = place_of_tests(module).with_suffix(".test.js")
    has_test = test.exists()
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


def test_the_page_knows_no_game() -> None:
    """Its modules and styles name no game; only comments may, as an example."""
    wrong = [
        f"{module} imports {name}"
        for module in MODULES
        if module.startswith("viewer/")
        for name in _imports(module)
        if not name.startswith("viewer/")
    ]
    assert not wrong


def test_no_game_shows_another() -> None:
    wrong = [
        f"{module} imports {name}"
        for module in MODULES
        if module.startswith("games/")
        for name in _imports(module)
        if not name.startswith(("viewer/", "/".join(module.split("/")[:2]) + "/"))
    ]
    assert not wrong


def test_drawing_knows_no_panel_and_no_source() -> None:
    wrong = [
        f"{module} imports {name}"
        for module in MODULES
        if module.startswith("games/tank/view/draw/")
        for name in _imports(module)
        if "/panels/" in name or name.startswith(("viewer/page/", "viewer/sources/"))
    ]
    assert not wrong


@pytest.mark.parametrize(
    "name", ["viewer/index.html", "viewer/tournament/index.html", "games/world/view/index.html"]
)
def test_the_page_has_nothing_inline_and_loads_only_its_own(name: str) -> None:
    there = files()
    page = there[name].read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\bsrc=)|javascript:", page)
    loads = re.findall(r'(?:src|href)="([^"#]+)"', page)
    assert loads
    assert [name for name in loads if name not in there] == []
    sheets = [path.read_text(encoding="utf-8") for path in files(".css").values()]
    assert not [sheet for sheet in sheets if re.search(r"@import|url\((?!['\"]?data:)", sheet)]


def test_lists_name_modules_that_exist() -> None:
    named = {*LONG, *TESTED_IN_A_BROWSER, *MAY_LOOK_AT_A_CLOCK}
    here = {"/".join(name.split("/")[:2]) for name in FILES}  # games that are here
    named = {name for name in named if "/".join(name.split("/")[:2]) in here}
    assert named <= set(MODULES), sorted(named - set(MODULES))
