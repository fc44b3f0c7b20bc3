"""The documentation is complete and true: commands, options, metrics, decisions, links and examples."""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.house.source import ROOT, file_of, modules, source_files
from turnwright import catalog, errors
from turnwright.app.options import LAN_CONNECTIONS_MAX
from turnwright.app.results import BattleResult, LatencyRow, ResultRow
from turnwright.cli.parser import parse
from turnwright.cli.reference import render_json
from turnwright.host import metrics
from turnwright.host.admission import AdmissionConfig
from turnwright.host.latency import SeatTiming, TurnTiming
from turnwright.host.lifecycle import Phase
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.on_late_drop import HOLDS, SILENCE_NS_MIN
from turnwright.kernel.skipped_turns import SkipCounts
from turnwright.net.http.room_front import RoomLink, metrics_of
from turnwright_league.app.ladder.start import ADDRESS_CONNECTIONS_MAX
from turnwright_tank.app.options import TankOptions
from turnwright_tank.settings import SETTINGS
from turnwright_world.net.connections import FRAME_BYTES_MAX
from turnwright_world.wire.telnet.parser import SUB_BYTES_MAX

DOCS = ROOT / "docs"
PACKAGE_DOCS = sorted(ROOT.glob("packages/*/docs"))
PAGES = sorted(
    page
    for pattern in ("*.md", "docs/**/*.md", "bench/*.md", "packages/*/*.md", "packages/*/docs/*.md")
    for page in ROOT.glob(pattern)
)
GENERATED = {
    "turnwright_tank.envs.docs": "../packages/tank/docs/tank-environments.md",
    "turnwright.cli.reference": "reference/cli.md",
    "turnwright_tank.wire.royale.docs": "../packages/tank/docs/royale-protocol.md",
    "turnwright.wire.record.docs": "../packages/core/docs/record.md",
    "turnwright.wire.generic_protocol_docs": "../packages/core/docs/generic-protocol.md",
    "turnwright_world.wire.telnet.docs": "../packages/world/docs/telnet.md",
    "turnwright_tank.cli.trace_docs": "../packages/tank/docs/trace.md",
    "turnwright_tank.bots.docs": "../packages/tank/docs/bot-api.md",
}
BOT_LINES_MAX = 15
"""A bot file of 15 lines works."""

SUFFIXES = frozenset({"py", "js", "cu", "json", "md", "toml", "txt", "twr", "typed"})
"""The ends of names of files."""
LIBRARIES = frozenset({"turnwright", "msgspec", "websockets", *sys.stdlib_module_names})
VARIABLES = frozenset({"act", "effect", "row", "world"})
"""Names before a dot that are values in examples."""

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_NAMED = re.compile(r"(?<![\w/.*\-])((?:[\w.-]+/)*[\w-]+\.md)\b((?:#[\w-]+)?(?:, #[\w-]+)*)")
_MADE_UP = frozenset({"x.md", "build/texts.md"})
"""Files that tests or `make` write themselves."""
_SECTIONS = ("Context", "Decision", "Consequences", "Alternatives")


def read(path: Path | str) -> str:
    return (DOCS / path).read_text(encoding="utf-8") if isinstance(path, str) else path.read_text("utf-8")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, language: str) -> list[str]:
    return [text for kind, text in _FENCE.findall(read(page)) if kind == language]


# ---- generated pages -----------------------------------------------------------------------------------


@pytest.mark.parametrize("module", sorted(GENERATED))
def test_a_generated_page_is_fresh(module: str) -> None:
    render = importlib.import_module(module).render
    page = GENERATED[module]
    assert read(page) == render(), f"run: python -m {module} > docs/{page}"


def test_the_page_of_json_objects_is_fresh() -> None:
    found = read("reference/json.md")
    assert found == render_json(), "run: python -m turnwright.cli.reference json > docs/reference/json.md"


# ---- commands ------------------------------------------------------------------------------------------


def commands_in(page: Path) -> Iterator[list[str]]:
    """Yield every `turnwright …` line of a shell example, without the shell's own syntax."""
    for block in blocks(page, "sh"):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            if words and words[0].rpartition("/")[2] == "turnwright":
                yield words[1:]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_in_examples_exist_with_their_options(page: Path) -> None:
    for words in commands_in(page):
        if words == ["--version"]:
            continue
        parse(words)  # raises SetupError for what does not exist


def test_every_word_of_the_makefile_is_explained() -> None:
    text = read(ROOT / "Makefile")
    words = set(re.findall(r"^\.PHONY: (.*)$", text, re.MULTILINE)[0].split())
    explained = set(re.findall(r"^\| `make ([\w-]+)", read(ROOT / "CONTRIBUTING.md"), re.MULTILINE))
    assert explained == words
    for page in PAGES:
        for block in blocks(page, "sh"):
            assert set(re.findall(r"^make ([\w-]+)", block, re.MULTILINE)) <= words, name_of(page)


# ---- links ---------------------------------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    """The fragments of a page's headings, as they are made from Markdown."""
    text = _FENCE.sub("", read(page))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    wrong = []
    for target in _LINK.findall(_FENCE.sub("", read(page))):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, fragment = target.partition("#")
        goal = (page.parent / file).resolve() if file else page
        if not goal.exists() or (fragment and fragment not in anchors(goal)):
            wrong.append(target)
    assert not wrong, wrong


def sources() -> Iterator[Path]:
    for root in ("tests", "tools", "bench", "packages"):
        yield from (
            p for kind in ("*.py", "*.js") for p in (ROOT / root).rglob(kind) if "_data" not in p.parts
        )


def pages_named(text: str) -> Iterator[tuple[str, list[str]]]:
    """The pages, and their sections, that comments name: `tank-rules.md#walls, #radars`."""
    for page, sections in _NAMED.findall(text):
        yield page, re.findall(r"#([\w-]+)", sections)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Source: rules.md.", [("rules.md", [])]),
        ("Source: tank-rules.md#walls, #radars. More", [("tank-rules.md", ["walls", "radars"])]),
        ("see docs/tour.md#layers", [("docs/tour.md", ["layers"])]),
    ],
)
def test_pages_named_by_a_comment_are_found(text: str, named: list[tuple[str, list[str]]]) -> None:
    assert list(pages_named(text)) == named


def test_every_page_and_section_that_sources_name_is_there() -> None:
    wrong = []
    for path in sources():
        if path.resolve() == Path(__file__).resolve():
            continue
        for page, sections in pages_named(read(path)):
            folders = [folder for folder in DOCS.iterdir() if folder.is_dir()]
            homes = (
                ROOT,
                path.parent,
                DOCS,
                *folders,
                *PACKAGE_DOCS,
                *(docs.parent for docs in PACKAGE_DOCS),
            )
            found = next((home / page for home in homes if (home / page).is_file()), None)
            if page not in _MADE_UP and (found is None or not set(sections) <= anchors(found)):
                wrong.append(f"{name_of(path)}: {page} {sections}")
    assert not wrong, wrong


def test_every_page_can_be_found_from_the_index() -> None:
    reached, waiting = set(), [DOCS / "README.md", ROOT / "README.md"]
    while waiting:
        page = waiting.pop().resolve()
        if page in reached or page.suffix != ".md" or not page.exists():
            continue
        reached.add(page)
        waiting += [
            page.parent / target.partition("#")[0]
            for target in _LINK.findall(read(page))
            if ":" not in target
        ]
    assert {page.resolve() for page in PAGES} <= reached


# ---- decisions -----------------------------------------------------------------------------------------


def test_every_decision_has_its_four_parts() -> None:
    wrong = []
    for record in sorted((DOCS / "decisions").glob("0*.md")):
        found = re.findall(r"^## (.*)$", read(record), re.MULTILINE)
        if found != list(_SECTIONS) or not read(record).startswith(f"# {record.name[:4]}: "):
            wrong.append(record.name)
    assert not wrong, wrong


def test_decisions_have_numbers_of_their_own_and_are_listed() -> None:
    numbers = [int(record.name[:4]) for record in sorted((DOCS / "decisions").glob("0*.md"))]
    assert numbers == sorted(set(numbers))
    index = read("decisions/README.md")
    rows = re.findall(r"^\| \[\d{4}\]\((.*?)\) \| (.*?) \| (.*?) \|$", index, re.MULTILINE)
    listed = {name: (title, status) for name, title, status in rows}
    there = {}
    for record in (DOCS / "decisions").glob("0*.md"):
        title, _, status = read(record).splitlines()[:3]
        found = re.fullmatch(r"\*(Accepted.*|Superseded by \[.*\))\. \d{4}-\d\d-\d\d\*", status)
        there[record.name] = (title.partition(": ")[2], found[1] if found else status)
    assert listed == there


# ---- examples ------------------------------------------------------------------------------------------


def python_blocks() -> list[Any]:
    """Every example; the files of a page with a transcript are run by `tests/docs/test_tutorial.py`."""
    return [
        pytest.param(text, id=f"{name_of(page)}-{number}")
        for page in PAGES
        for number, text in enumerate(blocks(page, "python"), 1)
        if not (blocks(page, "console") and re.match(r"# \S+\.py\n", text))
    ]


@pytest.mark.parametrize("text", python_blocks())
def test_examples_in_python_run(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole programs are run. Fragments, which do not import our packages, are compiled.

    What needs PyTorch is run by `packages/learn/tests/tank/pytorch/test_pages.py`.
    """
    code = compile(text, "example", "exec", dont_inherit=True)
    if "from turnwright" not in text or "import torch" in text:
        return
    monkeypatch.chdir(tmp_path)
    with contextlib.redirect_stdout(io.StringIO()):
        exec(code, {"__name__": "example"})


def test_the_bot_of_the_readme_is_short_and_plays() -> None:
    from turnwright import run_battle

    (text,) = [block for block in blocks(ROOT / "README.md", "python") if "class MyBot" in block]
    assert len([line for line in text.splitlines() if line.strip()]) <= BOT_LINES_MAX
    space: dict[str, Any] = {"__name__": "example"}
    exec(compile(text, "README.md", "exec"), space)
    result = run_battle(space["MyBot"], "Duck", rounds=1, seed=1)
    assert [row.name for row in result.results] == ["MyBot", "Duck"]


# ---- references ----------------------------------------------------------------------------------------


def rendered_metrics() -> str:
    """The metrics of a server with a battle of one seat, and of a front with one room."""
    room = SimpleNamespace(
        pacing_now="apart",
        phase=Phase.RUNNING,
        tps=30,
        turns_total=1,
        battles_over={"over": 0},
        timing=TurnTiming(),
        seat_timing=[SeatTiming()],
        battle=SimpleNamespace(
            header=SimpleNamespace(seats=[SeatInfo("a")]),
            seats=1,
            referee=SimpleNamespace(skips=SkipCounts(1)),
            collecting=SimpleNamespace(late_rule=SimpleNamespace(held_ns={})),
        ),
    )
    lobby = SimpleNamespace(clients={})
    return metrics.render(cast(Any, room), cast(Any, lobby), 0, {}) + metrics_of(
        [RoomLink("a", "snake")], 0.0
    )


def test_every_metric_is_documented_with_its_type() -> None:
    there = set(re.findall(r"^# TYPE (\w+) (\w+)$", rendered_metrics(), re.MULTILINE))
    documented = set(
        re.findall(r"^\| `(\w+)` \| (\w+) \|", read("../packages/core/docs/metrics.md"), re.MULTILINE)
    )
    assert documented == there


def test_every_exit_code_is_documented() -> None:
    codes = {getattr(errors, name) for name in vars(errors) if name.startswith("EXIT_")}
    documented = set(map(int, re.findall(r"^\| (\d+) \|", read("reference/exit-codes.md"), re.MULTILINE)))
    assert documented == codes


def test_the_threat_model_has_the_connection_limits_of_the_code() -> None:
    (row,) = re.findall(r"^\| connections .*", read("explanation/threat-model.md"), re.MULTILINE)
    gate = AdmissionConfig()
    limits = gate.connections_max, gate.connections_per_loopback_max, gate.connections_per_address_max
    assert [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", row)] == [
        *limits,
        LAN_CONNECTIONS_MAX,
        ADDRESS_CONNECTIONS_MAX,
    ]


HOLD_MS = SILENCE_NS_MIN // 1_000_000


@pytest.mark.parametrize(
    ("page", "limit"),
    [
        ("core/docs/turns-and-deadlines.md", f"at most {HOLD_MS} ms, or three turn timeouts"),
        ("core/docs/turns-and-deadlines.md", f"begins with {HOLDS * HOLD_MS} ms"),
        (
            "world/docs/world-messages.md",
            f"at most {FRAME_BYTES_MAX:,} bytes on a WebSocket and {SUB_BYTES_MAX:,} bytes on Telnet",
        ),
    ],
)
def test_a_page_has_the_limit_of_the_code(page: str, limit: str) -> None:
    assert limit in " ".join(read(f"../packages/{page}").split())


def test_every_marker_of_tests_is_explained() -> None:
    settings = tomllib.loads(read("../pyproject.toml"))["tool"]["pytest"]["ini_options"]
    table = read("../CONTRIBUTING.md").partition("| Marker |")[2].partition("\n\n")[0]
    explained = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert sorted(explained) == sorted(marker.partition(":")[0] for marker in settings["markers"])


def test_every_setting_and_result_of_the_python_api_is_documented() -> None:
    page = read("reference/python-api.md") + read("reference/json.md")
    names = [
        field.name for kind in (TankOptions, BattleResult, ResultRow, LatencyRow) for field in fields(kind)
    ]
    declared = {one.name for one in SETTINGS}
    """They are on the page of the protocol, which is made from their declarations."""
    assert [name for name in names if name not in declared and f"`{name}`" not in page] == []


def test_the_changelog_names_each_games_behaviour_version() -> None:
    changelog = read(ROOT / "CHANGELOG.md")
    for name in catalog.names():
        version = catalog.load(name).behaviour_version
        assert re.search(rf"{name} game has behaviour version {version}\b", changelog)


def test_every_scenario_that_we_answer_otherwise_has_its_line_in_the_compatibility_page() -> None:
    page = read("../packages/tank/docs/compatibility.md")
    known = (ROOT / "packages/tank/tests/conformance/known.txt").read_text(encoding="utf-8")
    names = [line.split("#")[0].strip() for line in known.splitlines()]
    assert [name for name in names if name and f"`{name}`" not in page] == []


def test_every_module_named_in_docstrings_and_pages_exists() -> None:
    files = source_files("*.py")
    layers = "|".join(sorted({name.partition("/")[0] for name in files if "/" in name}))
    path = re.compile(rf"`((?:{layers})(?:/[\w.]+)+\.(?:py|js))\b")
    file_name = re.compile(r"`(?:\w+/)*(\w+\.py)\b")
    there = {Path(name).name for name in files}
    wrong = []
    for file in [
        *files.values(),
        *DOCS.rglob("*.md"),
        *(page for docs in PACKAGE_DOCS for page in docs.glob("*.md")),
    ]:
        text = file.read_text(encoding="utf-8").replace("games/NAME/", "turnwright_tank/")
        wrong += [f"{file.name}: {name}" for name in path.findall(text) if not file_of(name).is_file()]
        names = file_name.findall(text) if file.suffix == ".py" else ()
        wrong += [f"{file.name}: {name}" for name in names if name not in there]
    assert not wrong, "\n".join(wrong)


def test_every_argument_named_in_docstrings_exists() -> None:
    """Under `Args:` of a function, and of a class with a constructor."""
    section = re.compile(r"^Args:\n((?: {4}.*\n?|\n)+)", re.MULTILINE)
    wrong = []
    for module in modules():
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            made = [one for one in node.body if getattr(one, "name", "") == "__init__"]
            function = made[0] if isinstance(node, ast.ClassDef) and made else node
            if isinstance(function, ast.ClassDef):
                continue
            there = {one.arg for one in ast.walk(function) if isinstance(one, ast.arg)}
            for text in section.findall(ast.get_docstring(node) or ""):
                told = re.findall(r"^ {4}([\w*]+(?:, [\w*]+)*):", text, re.MULTILINE)
                names = {name.strip("*") for line in told for name in line.split(", ")}
                wrong += [f"{module.path}:{node.lineno} {node.name}: {name}" for name in names - there]
    assert not wrong, "\n".join(wrong)


def test_every_dotted_name_in_docstrings_is_defined() -> None:
    """`module.name`, `module.Class.name` and `folder.module`, by their current names."""
    files = source_files("*.py")
    names = [path.removesuffix(".py").replace("/", ".") for path in files]
    modules = {name.removesuffix(".__init__") for name in names}
    endings = {name[start:] for name in modules for start in _starts(name)}
    defined: dict[str, set[str]] = {}
    for file in files.values():
        stem = file.parent.name if file.stem == "__init__" else file.stem
        defined.setdefault(stem, set()).update(re.findall(r"\w+", file.read_text(encoding="utf-8")))
    wrong = []
    for path, file in files.items():
        for name in re.findall(r"`([a-z_]\w*(?:\.\w+)+)[`(\[]", file.read_text(encoding="utf-8")):
            first, last = name.split(".")[0], name.rpartition(".")[2]
            if last in SUFFIXES or first in LIBRARIES | VARIABLES or name in endings:
                continue
            owners = [part for part in name.split(".")[:-1] if part in defined]
            inner = name.split(".")[len(owners) :]
            if not owners or ".".join(owners) not in endings or not set(inner) <= defined[owners[-1]]:
                wrong.append(f"{path}: {name}")
    assert not wrong, "\n".join(wrong)


def _starts(name: str) -> list[int]:
    """Return where the parts of a dotted name begin."""
    return [0, *(at + 1 for at, character in enumerate(name) if character == ".")]
