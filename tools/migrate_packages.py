"""Moves the sources into five packages: git mv, imports, links, paths, settings.

python3 tools/migrate_packages.py STAGE ... [--dry]    stages: world learn league tank core

Each stage may run again: what has been done is skipped. It edits tracked files only and commits nothing. Where an
edit finds neither its old text nor its new one, it is listed as NOT APPLIED, and the exit code is 1. Standard
library only; ruff sorts imports and wraps lines afterwards, if it is there. To be deleted when all five have moved.
"""

# ruff: noqa: E501

from __future__ import annotations

import posixpath
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

ROOT = Path(
    subprocess.run(
        ["git", "rev-parse", "--show-toplevel"], capture_output=True, text=True, check=True
    ).stdout.strip()
)
VERSION = re.search(r'"(.+)"', next(ROOT.glob("**/turnwright/_version.py")).read_text("utf-8"))[1]  # type: ignore[index]
NEVER = ("CHANGELOG.md", "tools/migrate_packages.py", "requirements.lock")
"""Files that keep their words: history, this program, what another program writes."""
OLD_SRC, OLD_TESTS = "src/turnwright", "tests"


@dataclass(frozen=True)
class Stage:
    """One package.

    moves: old path, new path, of files or folders, first match wins. renames: dotted names that no move explains.
    shown: "games/world/" -> "turnwright_world/" in pages and in the lists of the house rules. served: files in which
    such a path is an address of the page, which stays. edits: file (where it lies now), old text, new text.
    """

    name: str
    moves: tuple[tuple[str, str], ...]
    renames: tuple[tuple[str, str], ...] = ()
    shown: tuple[tuple[str, str], ...] = ()
    served: tuple[str, ...] = ()
    edits: tuple[tuple[str, str, str], ...] = ()
    files: dict[str, str] = field(default_factory=dict)

    def new_path(self, path: str) -> str:
        """Return where a path lies after this stage."""
        for old, new in self.moves:
            if path == old or path.startswith(f"{old}/"):
                return new + path[len(old) :]
        return path

    @cached_property
    def modules(self) -> list[tuple[re.Pattern[str], str]]:
        """Patterns of dotted names, and what takes their place; longest first."""
        pairs = {dotted(old): dotted(new) for old, new in self.moves if is_code(old)} | dict(self.renames)
        return [
            (
                re.compile(rf"(?<![\w.]){re.escape(old)}" + (r"(?=\w)" if old.endswith(".") else r"(?!\w)")),
                pairs[old],
            )
            for old in sorted(pairs, key=len, reverse=True)
        ]

    @staticmethod
    def _end(old: str) -> str:
        """Return what follows a path that is meant. One without a slash is a word of English, too."""
        return r"(?!\w)" if "/" in old else r"(?=/)"

    @cached_property
    def paths(self) -> list[tuple[re.Pattern[str], str]]:
        """Patterns of paths from the root, and of paths as pages show them; longest first."""
        pairs = {**dict(self.moves), **dict(self.shown)}
        return [
            (
                re.compile(rf"(?<![\w/]){re.escape(old)}{'' if old.endswith('/') else self._end(old)}"),
                pairs[old],
            )
            for old in sorted(pairs, key=len, reverse=True)
        ]


def is_code(path: str) -> bool:
    """Return whether a path is that of a module or of a folder of modules."""
    return path.startswith((f"{OLD_SRC}/", f"{OLD_TESTS}/", "packages/")) and (
        path.endswith(".py") or "." not in posixpath.basename(path)
    )


def dotted(path: str) -> str:
    """Return the dotted name of a path, in the old layout and in the new one."""
    name = path.removesuffix(".py")
    name = re.sub(r"^(packages/\w+/)?src/", "", name)
    return name.replace("/", ".")


def tests_too(package: str, *folders: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    """Return moves of tests: below tests/ -> below packages/PACKAGE/tests/."""
    return tuple(
        (f"tests/{old}", f"packages/{package}/tests{'/' if new else ''}{new}") for old, new in folders
    )


def sources(package: str, *folders: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    """Return moves of sources: below src/turnwright/ -> below packages/PACKAGE/src/turnwright_PACKAGE/."""
    home = f"packages/{package}/src/turnwright_{package}"
    return tuple((f"{OLD_SRC}/{old}", f"{home}{'/' if new else ''}{new}") for old, new in folders)


def pages(package: str, *names: str) -> tuple[tuple[str, str], ...]:
    """Return moves of pages: below docs/ -> packages/PACKAGE/docs, without folders."""
    return tuple(
        (page(f"docs/{name}"), page(f"packages/{package}/docs/{posixpath.basename(name)}")) for name in names
    )


def page(text: str) -> str:
    """Return a text with the names of pages. They end with .MD here, since a check looks for all that sources name."""
    return text.replace(".MD", ".md")


def project(name: str, says: str, needs: tuple[str, ...], extra: str, data: str) -> str:
    """Return the pyproject.toml of a package. Each requirement has a line: `make lock` leaves out our own."""
    lines = "".join(f'    "{one}",\n' for one in needs)
    return f'''[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "turnwright-{name}"
version = "{VERSION}"
description = "{says}"
readme = "README.md"
requires-python = ">=3.11"
license = "Apache-2.0"
dependencies = [
{lines}]
{extra}
[tool.setuptools.packages.find]
where = ["src"]

[tool.setuptools.package-data]
turnwright_{name} = [{data}]
'''


WORLD_README = """# The text world

A game of places, creatures, actions and timed threats, which people play over telnet or in the browser and
programs over WebSocket. `pip install 'turnwright[world]'`, then `turnwright world demo`.

| Folder of `src/turnwright_world` | Contents |
|---|---|
| `rules/` | a turn of the world |
| `kit/` | building blocks for worlds: combat, items, quests, trade |
| `content/` | reads content |
| `demo/` | one world |
| `planning/` | the schedule and the limits of minds |
| `wire/`, `host/`, `net/` | messages and telnet, the server without sockets, the server |
| `client/` | a library for programs that play |
| `view/` | the page |
| `app/`, `cli/` | the commands `world demo`, `world doctor`, `new world-bot` |

`make test PACKAGE=world` runs its tests. It imports `turnwright` and no other package of ours. Pages: [play the
world](PLAY), [build a world](BUILD), [the world explained](EXPLAINED).
"""
WORLD = Stage(
    name="world",
    moves=(
        *sources("world", ("games/world", "")),
        *tests_too(
            "world", ("games/tank/bots/clock_samples.py", "client/clock_samples.py"), ("games/world", "")
        ),
        *tests_too(
            "world",
            *(
                (f"simulation/{name}.py",) * 2
                for name in (
                    "virtual_world",
                    "virtual_planner",
                    "clock_trial",
                    "test_virtual_world",
                    "test_virtual_planner",
                    "test_clock_trial",
                    "test_ten_minutes",
                )
            ),
        ),
        *pages(
            "world",
            "how-to/build-a-world.MD",
            "how-to/play-the-world.MD",
            "explanation/the-world.MD",
            "explanation/threats-and-clocks.MD",
            "explanation/planning.MD",
            "reference/telnet.MD",
            "reference/world-messages.MD",
        ),
        ("tests/conftest.py", "conftest.py"),
    ),
    renames=(("games.world", "turnwright_world"),),
    shown=(("games/world/", "turnwright_world/"),),
    served=("tests/viewer/", "tests/browser/", "/app/serve.py", "tests/long_tests.txt"),
    files={
        "packages/world/pyproject.toml": project(
            "world",
            "The text world of turnwright: a game for people and programs, over telnet, browser and WebSocket",
            ("msgspec>=0.19", f"turnwright=={VERSION}", "websockets>=15"),
            f"""
[project.optional-dependencies]
postgres = ["turnwright[postgres]=={VERSION}"]

[project.entry-points."turnwright.games"]
world = "turnwright_world:GAME"
""",
            '"py.typed", "demo/**/*", "view/**/*", "**/*.schema.json"',
        ),
        "packages/world/README.MD": WORLD_README.replace("PLAY", "docs/play-the-world.MD")
        .replace("BUILD", "docs/build-a-world.MD")
        .replace("EXPLAINED", "docs/the-world.MD"),
        "packages/world/src/turnwright_world/py.typed": "",
        "packages/world/tests/simulation/__init__.py": "",
    },
    edits=(
        ("pyproject.toml", 'world = "turnwright_world:GAME"\n', ""),
        ("pyproject.toml", ', "games/world/demo/**/*"', ""),
        ("pyproject.toml", ', "turnwright_world/demo/**/*"', ""),
        (
            "pyproject.toml",
            'train = ["gymnasium',
            f'world = ["turnwright-world=={VERSION}"]\ntrain = ["gymnasium',
        ),
        ("pyproject.toml", 'packages = ["turnwright"]', 'packages = ["turnwright", "turnwright_world"]'),
        ("pyproject.toml", 'mypy_path = "src:."', 'mypy_path = "src:packages/world/src:."'),
        ("pyproject.toml", 'src = ["src", "tests"]', 'src = ["src", "tests", "packages/world/src"]'),
        (
            "pyproject.toml",
            "[tool.ruff.lint.flake8-bugbear]",
            '[tool.ruff.lint.isort]\nknown-first-party = ["packages", "tests", "turnwright", "turnwright_world"]\n\n'
            "[tool.ruff.lint.flake8-bugbear]",
        ),
        (
            "pyproject.toml",
            'testpaths = ["tests"]\npythonpath = ["tools"]\n',
            'testpaths = ["tests", "packages/world/tests"]\npythonpath = ["tools", "."]\n'
            "consider_namespace_packages = true  # tests of a package are packages.NAME.tests\n",
        ),
        ("Makefile", "-e '.[dev]'\n", "-e '.[dev]' -e packages/world\n"),
        ("Makefile", "-e .\n", "-e . -e packages/world\n"),
        (
            "Makefile",
            '--all-extras --no-annotate \\\n\t\t--custom-compile-command "make lock" pyproject.toml -o $(LOCK)\n',
            '--all-extras --no-annotate \\\n\t\t--custom-compile-command "make lock" $(addprefix build/lock/,$(PROJECTS)) -o $(LOCK)\n',
        ),
        (
            "Makefile",
            "\tbuild/lock/bin/uv pip compile",
            "\t@# Our own packages are in no index: they are left out of what is compiled.\n"
            "\tfor file in $(PROJECTS); do mkdir -p build/lock/$$(dirname $$file); \\\n"
            "\t\tgrep -v '\"turnwright-\\?[a-z]*\\(\\[.*\\]\\)\\?==' $$file > build/lock/$$file; done\n"
            "\tbuild/lock/bin/uv pip compile",
        ),
        (
            "Makefile",
            "LOCK := requirements.lock\n",
            "LOCK := requirements.lock\nPROJECTS := pyproject.toml packages/world/pyproject.toml\n",
        ),
        (
            "Makefile",
            "# The quick part once more",
            "# The tests of one package in an environment with nothing but what that package needs.\n"
            "test-alone:\n\t$(PYTHON) -m venv build/alone/$(PACKAGE)\n"
            "\tbuild/alone/$(PACKAGE)/bin/python -m pip --disable-pip-version-check install --quiet -c $(LOCK) \\\n"
            "\t\t-e . -e packages/$(PACKAGE) hypothesis pytest pytest-timeout pytest-xdist\n"
            "\tbuild/alone/$(PACKAGE)/bin/python -m pytest --part quick $(PARALLEL) packages/$(PACKAGE)/tests\n\n"
            "# The quick part once more",
        ),
        (
            "Makefile",
            ".PHONY: help setup demo test test-portable",
            ".PHONY: help setup demo test test-alone test-portable",
        ),
        (
            "Makefile",
            '\t@echo "make test-portable ',
            '\t@echo "make test PACKAGE=world     those of one package; test-alone: with nothing but what it needs"\n\t@echo "make test-portable ',
        ),
        (
            "CONTRIBUTING.MD",
            "| `make test-portable` |",
            "| `make test PACKAGE=world` | the tests of one package |\n"
            "| `make test-alone` | with `PACKAGE=world`: the tests of one package, with nothing installed but what it needs |\n"
            "| `make test-portable` |",
        ),
        (
            "docs/tour.MD",
            "games/world:  rules  ← wire ← host ← planning ← net ← app ← cli   view",
            "packages/world: rules ← wire ← host ← planning ← net ← app ← cli   view",
        ),
        (
            "docs/README.MD",
            "| Where is what in the code? | [the tour](tour.MD) |\n",
            "| Where is what in the code? | [the tour](tour.MD) |\n| What is in the text world? | [its package](../packages/world/README.MD) |\n",
        ),
        (
            "tests/house/test_lock.py",
            '    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]\n'
            '    extras = project["optional-dependencies"].values()\n'
            '    return [Requirement(text) for text in chain(project["dependencies"], *extras)]\n',
            '    """Return the requirements of all packages, without those for each other."""\n'
            '    files = [ROOT / "pyproject.toml", *sorted(ROOT.glob("packages/*/pyproject.toml"))]\n'
            '    projects = [tomllib.loads(file.read_text("utf-8"))["project"] for file in files]\n'
            '    texts = chain(*(chain(one["dependencies"], *one["optional-dependencies"].values()) for one in projects))\n'
            '    return [one for one in map(Requirement, texts) if not one.name.startswith("turnwright")]\n\n\n'
            "def test_all_packages_have_one_version_and_ask_for_it() -> None:\n"
            '    files = [ROOT / "pyproject.toml", *sorted(ROOT.glob("packages/*/pyproject.toml"))]\n'
            "    for file in files:\n"
            '        text = file.read_text("utf-8")\n'
            '        assert tomllib.loads(text)["project"].get("version", __version__) == __version__, file\n'
            '        asked = re.findall(r\'"turnwright[a-z-]*(?:\\[[a-z,]+\\])?==([^"]+)"\', text)\n'
            "        assert set(asked) == {__version__}, file\n",
        ),
        (
            "tests/house/test_lock.py",
            "from tests.house.source import ROOT\n",
            "from tests.house.source import ROOT\nfrom turnwright._version import __version__\n",
        ),
        (
            "Makefile",
            "$(STAMP): pyproject.toml setup.py",
            "$(STAMP): pyproject.toml packages/world/pyproject.toml setup.py",
        ),
        (
            "Makefile",
            "ruff check src tests bench tools",
            "ruff check src tests bench tools packages conftest.py",
        ),
        (
            "Makefile",
            "ruff format --check src tests bench tools",
            "ruff format --check src tests bench tools packages conftest.py",
        ),
        (
            "Makefile",
            "ruff format src tests bench tools",
            "ruff format src tests bench tools packages conftest.py",
        ),
        (
            "Makefile",
            "ruff check --fix src tests bench tools",
            "ruff check --fix src tests bench tools packages conftest.py",
        ),
        (
            "Makefile",
            "test: $(STAMP)\n\t$(BIN)/python -m pytest --part quick $(PARALLEL)\n",
            "test: $(STAMP)\n\t$(BIN)/python -m pytest --part quick $(PARALLEL) $(if $(PACKAGE),packages/$(PACKAGE)/tests)\n",
        ),
        (
            "tests/house/source.py",
            'PACKAGES = {"turnwright": SRC}',
            'WORLD = ROOT / "packages/world/src/turnwright_world"\nPACKAGES = {"turnwright": SRC, "turnwright_world": WORLD}',
        ),
        ("tests/house/source.py", 'CONTENT = SRC / "games" / "world" / "demo"', 'CONTENT = WORLD / "demo"'),
        ("tests/house/source.py", '    "games": 2,\n', '    "games": 2,\n    "turnwright_world": 2,\n'),
        (
            "tests/house/source.py",
            '        parts = self.path.split("/")\n        return parts[1] if parts[0] == "games" and len(parts) > 2 else ""\n',
            '        parts = self.path.split("/")\n        if parts[0] in PACKAGES:\n'
            '            return parts[0].partition("_")[2]\n'
            '        return parts[1] if parts[0] == "games" and len(parts) > 2 else ""\n',
        ),
        (
            "tests/house/source.py",
            '        return ".".join(["turnwright", *(part for part in parts if part != "__init__")])\n',
            '        start = [] if parts[0] in PACKAGES else ["turnwright"]\n'
            '        return ".".join([*start, *(part for part in parts if part != "__init__")])\n',
        ),
        (
            "tests/house/source.py",
            '        for folder in ("tests/simulation", "tests/games/tank/simulation")\n',
            '        for folder in ("tests/simulation", "packages/world/tests/simulation", "tests/games/tank/simulation")\n',
        ),
        (
            "tests/house/source.py",
            '    files = sorted(file for file in TESTS.rglob("*.py") if TESTS / "peers" / "bots" not in file.parents)\n'
            '    return {file.relative_to(TESTS).as_posix(): ast.parse(file.read_text(encoding="utf-8")) for file in files}\n',
            "    files = {\n        prefix + file.relative_to(folder).as_posix(): file\n"
            "        for prefix, folder in TEST_FOLDERS.items()\n"
            '        for file in sorted(folder.rglob("*.py"))\n'
            '        if TESTS / "peers" / "bots" not in file.parents\n    }\n'
            '    return {path: ast.parse(file.read_text(encoding="utf-8")) for path, file in files.items()}\n',
        ),
        (
            "tests/house/source.py",
            'TESTS = ROOT / "tests"\n',
            'TESTS = ROOT / "tests"\nTEST_FOLDERS = {"": TESTS, "turnwright_world/": ROOT / "packages/world/tests"}\n'
            '"""Folders of tests, by the beginning of the path of what they test."""\n',
        ),
        (
            "tests/house/test_tests.py",
            "        places = (TESTS / folder, file_of(folder))\n",
            '        first, _, rest = f"{folder}/".partition("/")\n'
            '        beside = TEST_FOLDERS[f"{first}/"] / rest if f"{first}/" in TEST_FOLDERS else TESTS / folder\n'
            "        places = (beside, file_of(folder))\n",
        ),
        (
            "tests/house/test_tests.py",
            "import ROOT, TESTS, file_of",
            "import ROOT, TEST_FOLDERS, TESTS, file_of",
        ),
        (
            "tests/house/test_tests.py",
            'if module.startswith("tests.") and',
            'if module.startswith(("tests.", "packages.")) and',
        ),
        (
            "tests/house/test_floors.py",
            '        if _top(name) == "turnwright" and name in _BY_NAME:',
            "        if _top(name) in PACKAGES and name in _BY_NAME:",
        ),
        (
            "tests/house/test_floors.py",
            '    return {name for name in _ours(module) if _BY_NAME[name].path.startswith("games/")}\n',
            '    return {name for name in _ours(module) if _BY_NAME[name].game or _BY_NAME[name].path.startswith("games/")}\n',
        ),
        (
            "tests/house/test_floors.py",
            '    "games": {"msgspec"},\n',
            '    "games": {"msgspec"},\n    "turnwright_world": {"msgspec"},\n',
        ),
        (
            "tests/house/test_floors.py",
            'top != "turnwright" and top not in allowed',
            "top not in PACKAGES and top not in allowed",
        ),
        (
            "tests/house/test_floors.py",
            "    FLOORS,\n    PURE_FLOORS,",
            "    FLOORS,\n    PACKAGES,\n    PURE_FLOORS,",
        ),
        (
            "tests/house/test_docs.py",
            'DOCS = ROOT / "docs"\n',
            'DOCS = ROOT / "docs"\nPACKAGE_DOCS = sorted(ROOT.glob("packages/*/docs"))\n',
        ),
        (
            "tests/house/test_docs.py",
            'PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "bench").glob("*.md")])',
            'PAGES = sorted(\n    page\n    for pattern in ("*.md", "docs/**/*.md", "bench/*.md", "packages/*/*.md", "packages/*/docs/*.md")\n'
            "    for page in ROOT.glob(pattern)\n)",
        ),
        ("tests/house/test_docs.py", '"reference/telnet.MD"', '"../packages/world/docs/telnet.MD"'),
        (
            "tests/house/test_docs.py",
            'for root in ("src", "tests", "tools", "bench"):',
            'for root in ("src", "tests", "tools", "bench", "packages"):',
        ),
        (
            "tests/house/test_docs.py",
            "homes = (ROOT, path.parent, DOCS, *(folder for folder in DOCS.iterdir() if folder.is_dir()))",
            "folders = [folder for folder in DOCS.iterdir() if folder.is_dir()]\n"
            "            homes = (ROOT, path.parent, DOCS, *folders, *PACKAGE_DOCS)",
        ),
        (
            "tests/house/test_docs.py",
            'for file in [*files.values(), *(ROOT / "docs").rglob("*.md")]:',
            'for file in [*files.values(), *DOCS.rglob("*.md"), *(page for docs in PACKAGE_DOCS for page in docs.glob("*.md"))]:',
        ),
        (
            "tests/house/test_shape.py",
            'for file in sorted((ROOT / "tests").rglob("test_*.py")):',
            'for file in sorted([*(ROOT / "tests").rglob("test_*.py"), *ROOT.glob("packages/*/tests/**/test_*.py")]):',
        ),
        (
            "tests/house/test_without_the_tank.py",
            '    shutil.copy(ROOT / "pyproject.toml", folder)\n',
            '    shutil.copy(ROOT / "pyproject.toml", folder)\n    shutil.copy(ROOT / "conftest.py", folder)\n',
        ),
        (
            "tests/viewer/test_modules.py",
            "FILES = {path.relative_to(PACKAGE).as_posix(): path for pattern in PATTERNS for path in PACKAGE.glob(pattern)}\n",
            "FILES = {\n    path.relative_to(PACKAGE).as_posix(): path for pattern in PATTERNS for path in PACKAGE.glob(pattern)\n} | {\n"
            '    f"games/world/{path.relative_to(WORLD).as_posix()}": path for path in WORLD.glob("view/**/*.js")\n}\n',
        ),
        (
            "tests/viewer/test_modules.py",
            'PACKAGE = TESTS.parent / "src/turnwright"\n',
            'PACKAGE = TESTS.parent / "src/turnwright"\nWORLD = TESTS.parent / "packages/world/src/turnwright_world"\n',
        ),
        (
            "tests/viewer/test_modules.py",
            '    has_test = (TESTS / module).with_suffix(".test.js").exists()\n',
            '    test = place_of_tests(module).with_suffix(".test.js")\n    has_test = test.exists()\n',
        ),
        (
            "tests/viewer/test_modules.py",
            "import pytest\n",
            "import pytest\n\nfrom tests.viewer.node import place_of_tests\n",
        ),
        (
            "tests/viewer/test_modules.py",
            '    page = (PACKAGE / name).read_text(encoding="utf-8")\n',
            '    page = _place(name).read_text(encoding="utf-8")\n',
        ),
        (
            "tests/viewer/test_modules.py",
            "if not (PACKAGE / name).is_file()] == []",
            "if not _place(name).is_file()] == []",
        ),
        (
            "tests/viewer/test_modules.py",
            '        for path in sorted(PACKAGE.glob("viewer/**/*.css")) + sorted(PACKAGE.glob("games/*/view/**/*.css"))\n',
            '        for path in [\n            *sorted(PACKAGE.glob("viewer/**/*.css")),\n            *sorted(PACKAGE.glob("games/*/view/**/*.css")),\n'
            '            *sorted(WORLD.glob("view/**/*.css")),\n        ]\n',
        ),
        (
            "tests/viewer/test_modules.py",
            "@cache\ndef _code(module: str) -> str:",
            'def _place(name: str) -> Path:\n    """Return the file that a server offers under a name."""\n'
            '    return WORLD / name[len("games/world/") :] if name.startswith("games/world/") else PACKAGE / name\n\n\n'
            "@cache\ndef _code(module: str) -> str:",
        ),
        (
            "tests/viewer/test_modules.py",
            '        name for name in named if (PACKAGE / "/".join(name.split("/")[:2])).exists()\n',
            '        name for name in named if _place("/".join([*name.split("/")[:2], ""])).exists()\n',
        ),
        (
            "tests/viewer/node.py",
            'NODE = shutil.which("node")\n',
            'NODE = shutil.which("node")\nTESTS = Path(__file__).parents[1]\n'
            'VIEWER = TESTS.parent / "src/turnwright/viewer"\n'
            'PACKAGES = {"games/world": TESTS.parent / "packages/world"}\n'
            '"""Page as a server offers it: the package in which it lies. The others are in turnwright."""\n'
            'LINKS = "--preserve-symlinks --preserve-symlinks-main"\n'
            '"""Options of Node with which a module lies where a link to it does."""\n',
        ),
        (
            "tests/viewer/node.py",
            "from functools import cache\n",
            "from functools import cache\nfrom pathlib import Path\n",
        ),
        (
            "tests/viewer/node.py",
            "@cache\ndef why_no_node()",
            'def place_of_tests(served: str) -> Path:\n    """Return the place of the tests of a module, or of a folder of them, by its address."""\n'
            '    game = "/".join(served.split("/")[:2])\n'
            '    return PACKAGES[game] / "tests" / served[len(game) + 1 :] if game in PACKAGES else TESTS / served\n\n\n'
            "def beside_viewer(served: str, folder: Path) -> Path:\n"
            '    """Return the place of tests once more, with the viewer where modules of that package import it.\n\n'
            '    They import it as a server offers it, beside the folder of the games. folder: empty, for links.\n    """\n'
            '    game = "/".join(served.split("/")[:2])\n'
            "    if game not in PACKAGES:\n        return TESTS / served\n"
            '    for name, goal in {"viewer": VIEWER, **{one: PACKAGES[game] / one for one in ("src", "tests")}}.items():\n'
            "        (folder / name).symlink_to(goal)\n"
            '    return folder / "tests" / served[len(game) + 1 :]\n\n\n'
            "def as_served(folder: Path) -> Path:\n"
            '    """Fill a folder with links, so that all modules lie in it as servers offer them. Return it."""\n'
            '    (folder / "viewer").symlink_to(VIEWER)\n    (folder / "games").mkdir()\n'
            '    inside = {f"games/{game.name}": game for game in (VIEWER.parent / "games").iterdir()}\n'
            '    beside = {game: next((home / "src").glob("turnwright_*/")) for game, home in PACKAGES.items()}\n'
            "    for game, goal in {**inside, **beside}.items():\n        (folder / game).symlink_to(goal)\n"
            "    return folder\n\n\n"
            "@cache\ndef why_no_node()",
        ),
        (
            "tests/viewer/test_node.py",
            'TESTS = Path(__file__).parents[1]\nFOLDERS = sorted({path.parent.relative_to(TESTS).as_posix() for path in TESTS.rglob("*.test.js")})\n',
            'FOLDERS = sorted(\n    {path.parent.relative_to(TESTS).as_posix() for path in TESTS.rglob("*.test.js")}\n'
            "    | {\n        f\"{game}/{path.parent.relative_to(home / 'tests').as_posix()}\"\n"
            '        for game, home in PACKAGES.items()\n        for path in (home / "tests").rglob("*.test.js")\n    }\n)\n',
        ),
        (
            "tests/viewer/test_node.py",
            "def test_modules_of_the_viewer_do_what_their_tests_say(folder: str) -> None:\n"
            '    files = sorted(path.name for path in (TESTS / folder).glob("*.test.js"))\n',
            "def test_modules_of_the_viewer_do_what_their_tests_say(folder: str, tmp_path: Path) -> None:\n"
            '    files = sorted(map(str, beside_viewer(folder, tmp_path).glob("*.test.js")))\n',
        ),
        (
            "tests/viewer/test_node.py",
            "cwd=TESTS / folder, env=environment(),",
            "env=environment(links=folder.startswith(tuple(PACKAGES))),",
        ),
        (
            "tests/viewer/test_node.py",
            "import NODE, environment, why_no_node",
            "import NODE, PACKAGES, TESTS, beside_viewer, environment, why_no_node",
        ),
        (
            "tests/viewer/node.py",
            'def environment(**more: str) -> dict[str, str]:\n    """Return the environment to start it in."""\n    found = {**os.environ, **more}\n',
            'def environment(*, links: bool = False, **more: str) -> dict[str, str]:\n    """Return the environment to start it in. links: for modules that are reached by links."""\n'
            '    found = {**os.environ, **more, **({"NODE_OPTIONS": LINKS} if links else {})}\n',
        ),
        (
            "tests/viewer/node.py",
            '        found["NODE_OPTIONS"] = "--experimental-default-type=module"\n',
            '        found["NODE_OPTIONS"] = f"--experimental-default-type=module {LINKS if links else \'\'}"\n',
        ),
        (
            "tests/viewer/test_types.py",
            "def test_types_of_the_viewer_hold() -> None:",
            "def test_types_of_the_viewer_hold(tmp_path: Path) -> None:",
        ),
        (
            "tests/viewer/test_types.py",
            '    done = subprocess.run([*command, "-p", VIEWER], env=OFFLINE,',
            '    place = as_served(tmp_path) / "viewer"\n    command += ["-p", str(place), "--preserveSymlinks"]\n    done = subprocess.run(command, env=OFFLINE,',
        ),
        (
            "tests/viewer/test_types.py",
            'import pytest\n\nVIEWER = Path(__file__).parents[2] / "src/turnwright/viewer"\n',
            "import pytest\n\nfrom tests.viewer.node import VIEWER, as_served\n\n",
        ),
        (
            "tools/schemas/__init__.py",
            'SRC / "turnwright_world/wire/world.schema.json"',
            'SRC.parents[1] / "packages/world/src/turnwright_world/wire/world.schema.json"',
        ),
        (
            "tools/texts/collect.py",
            'SRC = Path(__file__).parents[2] / "src" / "turnwright"\n',
            'ROOT = Path(__file__).parents[2]\nSRC = ROOT / "src" / "turnwright"\nFOLDERS = (SRC, *(file.parent for file in sorted(ROOT.glob("packages/*/src/*/__init__.py"))))\n"""The packages of ours."""\n',
        ),
        (
            "tools/texts/collect.py",
            'for file in sorted(SRC.rglob("*")) if file.is_file()',
            "for file in _files()",
        ),
        (
            "tools/texts/collect.py",
            "def _texts_of(file: Path)",
            "def _files() -> list[Path]:\n"
            '    """Return the files of all packages."""\n'
            '    return [file for folder in FOLDERS for file in sorted(folder.rglob("*")) if file.is_file()]\n\n\n'
            "def _texts_of(file: Path)",
        ),
        (
            "tools/texts/collect.py",
            "    path = file.relative_to(SRC).as_posix()\n",
            "    home = next(folder for folder in FOLDERS if folder in file.parents)\n"
            "    path = file.relative_to(SRC if home == SRC else home.parent).as_posix()\n",
        ),
        (
            "tools/docs_site/conf.py",
            '"bench/*.md"]',
            '"bench/*.md", "packages/*/*.md", "packages/*/docs/*.md"]',
        ),
        (
            "tools/docs_site/conf.py",
            '"Explanation": ["explanation/*", "tour"],',
            '"Explanation": ["explanation/*", "tour"],\n        "The text world": ["/packages/world/README", "/packages/world/docs/*"],',
        ),
        (
            "packages/world/tests/content/test_build_a_world.py",
            'ROOT / "docs" / "how-to" / "build-a-world.MD"',
            'ROOT / "packages/world/docs/build-a-world.MD"',
        ),
        (
            "packages/world/tests/rules/test_threats.py",
            'parents[4] / "docs" / "explanation" / "threats-and-clocks.MD"',
            'parents[2] / "docs" / "threats-and-clocks.MD"',
        ),
        (
            "packages/world/tests/wire/test_server_messages.py",
            'ROOT / "docs" / "reference" / "world-messages.MD"',
            'ROOT / "packages/world/docs/world-messages.MD"',
        ),
        (
            "tests/test_catalog.py",
            "    assert set(folders) <= set(catalog.names())\n",
            '    assert set(folders) <= set(catalog.names())\n    assert "world" in catalog.names(), "a package of its own"\n',
        ),
        (
            "packages/world/src/turnwright_world/wire/clock.py",
            "wall clock from pings (`turnwright_world/client/clock.py`, `turnwright_world/view/connection/clock.js`) and compute\nthe rest.\n",
            "wall clock from pings (`turnwright_world/client/clock.py`, `turnwright_world/view/connection/clock.js`)\nand compute the rest.\n",
        ),
        (
            "packages/world/tests/simulation/virtual_world.py",
            '"""The host of a world on a virtual clock: its effects run as in `turnwright_world/net/server.py`, without sockets.',
            '"""The host of a world on a virtual clock: effects run as in `turnwright_world/net/server.py`, no sockets.',
        ),
        (
            "packages/world/src/turnwright_world/client/clock.py",
            "# enough. `turnwright_world/view/connection/clock_offsets.js` computes the same, number for number: change both.\n",
            "# enough. `turnwright_world/view/connection/clock_offsets.js` computes the same, number for number: change\n# both.\n",
        ),
        (
            "tests/house/source.py",
            "what its builders write and the server reads; packages/world/tests/demo has its tests.",
            "what builders write and the server reads; packages/world/tests/demo has its tests.",
        ),
        (
            "packages/world/src/turnwright_world/wire/telnet/docs.py",
            "(../decisions/0016-our-own-telnet.MD)",
            "(../../../docs/decisions/0016-our-own-telnet.MD)",
        ),
        (".gitignore", "!/tests/**/*.twr\n", "!/tests/**/*.twr\n!/packages/*/tests/**/*.twr\n"),
        ("MANIFEST.in", "prune tests\n", "prune tests\nprune packages\n"),
    ),
)

LEARN = Stage(
    name="learn",
    moves=(
        *sources(
            "learn",
            *(
                (f"games/tank/envs/{name}.py", f"tank/{name}.py")
                for name in (
                    "batch",
                    "cast",
                    "new_batch",
                    "onnx_policy",
                    "opponents",
                    "policy",
                    "policy_bot",
                    "recorder",
                    "vector",
                )
            ),
            ("games/tank/envs/training", "tank/training"),
            ("games/tank/cli/train.py", "cli/train.py"),
            ("envs", ""),
        ),
        *tests_too(
            "learn",
            *(
                (f"games/tank/envs/{name}.py", f"tank/{name}.py")
                for name in (
                    "policies",
                    "single",
                    "test_batch",
                    "test_opponents",
                    "test_policy",
                    "test_vector",
                )
            ),
            ("games/tank/envs/training", "tank/training"),
            ("games/tank/training", "tank/pytorch"),
            ("envs", ""),
        ),
        *pages("learn", "how-to/train-an-agent.MD", "explanation/honest-learning.MD"),
    ),
    shown=(("envs/", "turnwright_learn/"),),
)
LEAGUE = Stage(
    name="league",
    moves=(
        *sources(
            "league",
            ("tournament", "tournament"),
            ("app/tournament", "app"),
            ("app/arena", "app/arena"),
            ("cli/tournament", "cli"),
            ("cli/arena.py", "cli/arena.py"),
            ("cli/compare.py", "cli/compare.py"),
            ("viewer/tournament", "viewer/tournament"),
            ("viewer/arena", "viewer/arena"),
        ),
        *tests_too(
            "league",
            ("tournament", "tournament"),
            ("app/tournament", "app"),
            ("app/arena", "app/arena"),
            ("cli/test_compare.py", "cli/test_compare.py"),
            ("cli/tournament", "cli/tournament"),
            ("viewer/tournament", "viewer/tournament"),
            ("viewer/arena", "viewer/arena"),
            ("browser/test_arena.py", "browser/test_arena.py"),
            ("browser/test_tournament.py", "browser/test_tournament.py"),
        ),
        *pages(
            "league",
            "how-to/run-a-tournament.MD",
            "how-to/run-a-class.MD",
            "how-to/run-on-a-cluster.MD",
            "how-to/compare-agents.MD",
            "how-to/is-my-bot-better.MD",
            "explanation/tournament-statistics.MD",
            "explanation/scale.MD",
        ),
    ),
    renames=(
        ("from turnwright import Tournament", "from turnwright_league import Tournament"),
        ("from turnwright import compare", "from turnwright_league import compare"),
        ("from turnwright import run_tournament", "from turnwright_league import run_tournament"),
    ),
    shown=(
        ("tournament/", "turnwright_league/tournament/"),
        ("app/tournament/", "turnwright_league/app/"),
        ("app/arena/", "turnwright_league/app/arena/"),
        ("cli/tournament/", "turnwright_league/cli/"),
    ),
    served=("tests/viewer/", "tests/browser/"),
)
TANK = Stage(
    name="tank",
    moves=(
        *sources("tank", ("games/tank", "")),
        *tests_too("tank", ("games/tank", "")),
        *pages(
            "tank",
            "how-to/why-did-my-bot-lose.MD",
            "how-to/debug-a-slow-bot.MD",
            "how-to/write-a-bot.MD",
            "reference/bot-api.MD",
            "reference/coming-from-robocode.MD",
            "reference/royale-protocol.MD",
            "reference/tank-environments.MD",
            "reference/tank-rules.MD",
            "reference/trace.MD",
            "compatibility.MD",
        ),
    ),
    renames=(("turnwright.bots", "turnwright_tank.bots"),),
    shown=(("games/tank/", "turnwright_tank/"),),
    served=("tests/viewer/", "tests/browser/"),
)
CORE = Stage(
    name="core",
    moves=((OLD_SRC, "packages/core/src/turnwright"), (OLD_TESTS, "packages/core/tests")),
    renames=(("tests.", "packages.core.tests."), ("from tests import", "from packages.core.tests import")),
)
STAGES = {stage.name: stage for stage in (WORLD, LEARN, LEAGUE, TANK, CORE)}

_LINK = re.compile(r"(\]\(|\b(?:src|href)=\")([^)\s\"#:]+)(?=[)#\"])")
_JS = re.compile(r"((?:\bfrom|\bimport)\s*\(?\s*\"|new URL\(\")(\.{1,2}/[^\"]+)")
_TEXT = (
    ".py",
    ".md",
    ".toml",
    ".txt",
    ".js",
    ".html",
    ".css",
    ".c",
    ".h",
    ".pyi",
    ".in",
    ".json",
    ".cfg",
    ".yml",
    ".svg",
)
_NAMED = ("Makefile", ".gitignore", ".ci/run", "run")


def tracked() -> list[str]:
    """Return the paths of all files that git tracks."""
    out = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return [path for path in out.split("\0") if path]


def move(stage: Stage, dry: bool) -> dict[str, str]:
    """Move the files of a stage. Returns all tracked files: new path -> path before."""
    before = tracked()
    came_from = {stage.new_path(path): path for path in before}
    assert len(came_from) == len(before), "two files would have one path"
    moved = [(old, new) for new, old in came_from.items() if old != new]
    print(f"{stage.name}: {len(moved)} files move")
    for old, new in moved if not dry else ():
        (ROOT / new).parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["git", "mv", old, new], cwd=ROOT, check=True)
    for folder in {(ROOT / old).parent for old, _ in moved} if not dry else ():
        leftovers(folder)
    return came_from


def leftovers(folder: Path) -> None:
    """Remove folders that hold nothing but compiled files."""
    if folder.is_dir() and all("__pycache__" in f.parts for f in folder.rglob("*") if f.is_file()):
        subprocess.run(["rm", "-r", str(folder)], check=True)
        leftovers(folder.parent)


def rewritten(stage: Stage, text: str, new: str, old: str, count: Counter[str]) -> str:
    """Return the text of a file with names and paths of the new layout."""
    if new.endswith(".md") or new.endswith(".js"):
        text = relinked(stage, text, new, old, count)
    for pattern, name in stage.modules:
        text, n = pattern.subn(name, text)
        count["names of modules"] += n
    shown = dict(stage.shown).values()
    for pattern, path in stage.paths:
        if path in shown and any(one in f"/{new}" for one in stage.served):
            continue
        if path in shown and new.endswith((".js", ".html")):
            pattern = re.compile(f"{pattern.pattern}(?!view/)")  # that is an address
        text, n = pattern.subn(path, text)
        count["paths"] += n
    return text


def relinked(stage: Stage, text: str, new: str, old: str, count: Counter[str]) -> str:
    """Return a page or a module of a page whose relative links lead where they led before."""
    is_page = new.endswith(".md")
    here, there = posixpath.dirname(old), posixpath.dirname(new)

    def led(found: re.Match[str]) -> str:
        goal = posixpath.normpath(posixpath.join(here, found[2]))
        if not (ROOT / stage.new_path(goal)).exists():
            return found[0]  # an address of the page, or it was made by another run
        link = posixpath.relpath(stage.new_path(goal), there)
        link += "/" if found[2].endswith("/") else ""
        if not is_page and not link.startswith("."):
            link = f"./{link}"
        if not is_page and "/view/" in f"/{new}" and "/src/" in f"/{new}" and "viewer/" in goal:
            return found[0]  # as a server offers them: games/NAME/view beside viewer
        if posixpath.normpath(link) == posixpath.normpath(found[2]):
            return found[0]
        count["links"] += 1
        return found[1] + link

    return (_LINK if is_page else _JS).sub(led, text)


def squashed(text: str) -> str:
    """Return a text without what a formatter changes."""
    return re.sub(r"[\s,()]+", "", text)


def edit(stage: Stage, dry: bool) -> int:
    """Apply the edits by hand; return how many found neither their old text nor their new one."""
    failed = 0
    for texts in stage.edits:
        name, old, new = map(page, texts)
        path = ROOT / name
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        only_wraps = squashed(old) == squashed(new)
        if new in text if only_wraps else squashed(new) in squashed(text) if new else old not in text:
            continue
        if text.count(old) != 1:
            failed += 1
            print(f"NOT APPLIED in {name} ({text.count(old)} times): {old[:90]!r}")
        elif not dry:
            path.write_text(text.replace(old, new), encoding="utf-8")
    for texts in stage.files.items():
        name, content = map(page, texts)
        path = ROOT / name
        if not path.exists() and not dry:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
            subprocess.run(["git", "add", name], cwd=ROOT, check=True)
    return failed


def run(stage: Stage, dry: bool) -> int:
    """Run one stage."""
    came_from = move(stage, dry)
    count: Counter[str] = Counter()
    for new, old in came_from.items():
        path = ROOT / (old if dry else new)
        if new in NEVER or path.is_symlink() or not path.is_file():
            continue
        if not new.endswith(_TEXT) and posixpath.basename(new) not in _NAMED:
            continue
        text = path.read_text(encoding="utf-8")
        after = rewritten(stage, text, new, old, count)
        if after != text:
            count["files rewritten"] += 1
            if not dry:
                path.write_text(after, encoding="utf-8")
    print(f"{stage.name}: " + ", ".join(f"{n} {what}" for what, n in sorted(count.items())))
    failed = 0 if dry and came_from else edit(stage, dry)
    ruff = ROOT / ".venv/bin/ruff"
    if ruff.exists() and not dry:
        places = ["src", "tests", "bench", "tools", "packages", "conftest.py"]
        places = [place for place in places if (ROOT / place).exists()]
        subprocess.run([ruff, "check", "-q", "--select", "I", "--fix", *places], cwd=ROOT, check=False)
        subprocess.run([ruff, "format", "-q", *places], cwd=ROOT, check=False)
    return failed


def main(words: list[str]) -> int:
    """Run the stages that are named, in the order of the packages."""
    dry = "--dry" in words
    asked = [word for word in words if word != "--dry"]
    if not asked or not set(asked) <= STAGES.keys():
        print(__doc__)
        return 2
    failed = sum(run(stage, dry) for name, stage in STAGES.items() if name in asked)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
