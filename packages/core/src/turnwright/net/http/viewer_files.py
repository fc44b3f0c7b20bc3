"""The viewer's files, read once and bundled.

A page has more than a hundred modules. Each connection to our server answers only one request, and a browser
opens six connections at a time. So loading the modules separately would take 20 round trips. Therefore a page
loads one module that contains all others.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

# `bundle` makes one script of many ES modules, so that a page plays a battle from disk, where no module can
# be loaded. It accepts only the forms that the viewer's modules use: `import { a, b as c } from "./x.js";`
# and exports of declarations, each at the beginning of a line, without circles. Anything else raises
# ValueError.


_IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"(\.{1,2}/[^"]+)";', re.MULTILINE)
_EXPORT = re.compile(
    r"^export\s+((?:async\s+function\s*\*?|function\s*\*?|class|const|let)\s+)([A-Za-z_$][\w$]*)",
    re.MULTILINE,
)
_LEFT = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
_RENAMED = re.compile(r"\s+as\s+")


def bundle(modules: Mapping[str, str], entry: str) -> str:
    """Return one script with the effect of the module `entry` and its imports.

    Each module becomes a function that returns the module's exports. The function is called once, after the
    functions of the imported modules.

    Args:
        modules: source texts by path.

    Raises:
        ValueError: a module is missing, there is a circle of imports, or the syntax is not understood.
    """
    names = {path: f"__module{number}" for number, path in enumerate(_in_order(modules, entry))}
    return "\n".join(_wrapped(modules[path], path, names) for path in names)


def _in_order(modules: Mapping[str, str], entry: str) -> list[str]:
    """Return the modules that are needed. Each module comes after the modules that it imports."""
    done: list[str] = []
    open_now: list[str] = []

    def visit(path: str) -> None:
        if path in done:
            return
        if path in open_now:
            raise ValueError(f"modules import each other in a circle: {' -> '.join([*open_now, path])}")
        if path not in modules:
            raise ValueError(f"{open_now[-1] if open_now else 'the page'} imports {path}, which is not there")
        open_now.append(path)
        for found in _IMPORT.finditer(modules[path]):
            visit(_target(path, found[2]))
        open_now.pop()
        done.append(path)

    visit(entry)
    return done


def _target(path: str, imported: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), imported))


def _wrapped(source: str, path: str, names: Mapping[str, str]) -> str:
    exported = [found[2] for found in _EXPORT.finditer(source)]

    def bound(found: re.Match[str]) -> str:
        wanted = [": ".join(_RENAMED.split(name.strip())) for name in found[1].split(",") if name.strip()]
        return f"const {{ {', '.join(wanted)} }} = {names[_target(path, found[2])]};"

    body = _EXPORT.sub(r"\1\2", _IMPORT.sub(bound, source))
    left = _LEFT.search(body)
    if left is not None:
        raise ValueError(f"{path}: cannot be put into one script: {left[0][:80]}")
    return f"const {names[path]} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


PACKAGE = Path(__file__).parents[2]
"""The folder of this package."""
FILES_MAX = 300
FILE_BYTES_MAX = 2 << 20
CONTENT_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
"""The content types for browsers by suffix. Files with other suffixes (tsconfig.json) are not
served.
"""
_PAGE = "main.js"
_NO_VIEW = "export const view = {};"
_MAIN = "viewer/main.js"
_GENERIC = "viewer/generic/main.js"
_INDEX = "viewer/index.html"
_ERRORS = "viewer/generic/errors.js"
_OWN_VIEW = "viewer/own_view.js"
"""The path of a view that consists of one file. It is a separate script, so that a mistake in it does not
stop the page.
"""
_LEAVES_SCRIPT = re.compile(r"</script|<!--", re.IGNORECASE)
_ENTRY = re.compile(r'<script type="module" src="([^"]+)"></script>')


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file of a page.

    Attributes:
        tag: its ETag, made from its bytes, with quotes.
    """

    content: bytes
    content_type: str
    tag: str


def load_viewer(
    game: str = "any", view: Path | None = None, *, package: Path = PACKAGE, beside: Path | None = None
) -> Mapping[str, StaticFile]:
    """Return the files of a game's page, by the path under which the page finds them.

    The common files are below `viewer`, and the files of the game's view are below `games/NAME`. A missing
    folder counts as empty. A module that a page loads is one script that contains all imported modules. Each
    module in the script begins with its name, to help people who read a stack trace.

    Args:
        view: the view of the game. It is a file `main.js` that starts the page, with all files in its folder,
            or a single module that exports `view` (see `viewer/generic/game_view.js`). None means that frames
            are shown as text.
        beside: a folder of another package, whose files are also served below `viewer`.

    Raises:
        AssertionError: there are too many files, or a file is too large.
        ValueError: the view is not a module of the required form.
        OSError: `view` cannot be read.
    """
    found = dict(_files_in(package / "viewer", "viewer"))
    if beside is not None:
        found |= _files_in(beside, "viewer")
    is_page = view is not None and view.name == _PAGE
    if view is not None and is_page:
        found |= _files_in(view.parent, f"games/{game}/{view.parent.name}")
    assert len(found) <= FILES_MAX, f"{package} holds more than {FILES_MAX} files of the viewer"
    scripts = {
        name: f"// {name}\n{file.content.decode()}" for name, file in found.items() if name.endswith(".js")
    }
    entry = _MAIN
    if view is not None and is_page:
        entry = f"games/{game}/{view.parent.name}/{_PAGE}"
    elif _GENERIC in scripts:
        entry = f"games/{game}/page.js"
        scripts[entry] = f'import {{ startOwn }} from "../../{_GENERIC}";\nstartOwn();\n'
        source = _NO_VIEW if view is None else view.read_text(encoding="utf-8")
        found[_OWN_VIEW] = _file(_as_script(source).encode(), CONTENT_TYPES[".js"])
        page = found[_INDEX]
        scripts_first = "".join(f'<script src="{name}"></script>\n    ' for name in (_ERRORS, _OWN_VIEW))
        shown = _ENTRY.sub(lambda tag: scripts_first + tag[0], page.content.decode())
        found[_INDEX] = _file(shown.encode(), page.content_type)
    for name in sorted(_entries(found)):
        script = bundle(scripts, entry if name == _MAIN else name)
        found[name] = _file(script.encode(), found[name].content_type)
    return found


def _files_in(folder: Path, name: str) -> Iterator[tuple[str, StaticFile]]:
    """Yield the files of a folder and of its subfolders.

    Args:
        name: the path of the folder for the page.
    """
    for path in sorted(folder.rglob("*")):
        content_type = CONTENT_TYPES.get(path.suffix)
        if content_type is not None and path.is_file():
            content = path.read_bytes()
            assert len(content) <= FILE_BYTES_MAX, f"{path} has more than {FILE_BYTES_MAX} bytes"
            yield f"{name}/{path.relative_to(folder).as_posix()}", _file(content, content_type)


def _as_script(source: str) -> str:
    """Return a view's module as a script that stores the view in a global variable.

    The script has the same line numbers as the module.

    Raises:
        ValueError: the module imports something, or exports no view.
    """
    if (leaves := _LEAVES_SCRIPT.search(source)) is not None:
        raise ValueError(f"it contains {leaves[0]!r}, which cannot be part of a page")
    body = _EXPORT.sub(r"\1\2", source)
    if (left := _LEFT.search(body)) is not None:
        raise ValueError(f"it is one module without imports, but has: {left[0][:80]}")
    if "view" not in [found[2] for found in _EXPORT.finditer(source)]:
        raise ValueError("it exports no view; expected `export const view = {…}`")
    return f'globalThis.turnwrightView = (() => {{ "use strict"; {body}\nreturn view;\n}})();\n'


def _file(content: bytes, content_type: str) -> StaticFile:
    return StaticFile(content, content_type, f'"{sha256(content).hexdigest()[:32]}"')


def _entries(files: Mapping[str, StaticFile]) -> set[str]:
    """Return the modules that pages load directly."""
    pages = [file.content.decode() for name, file in files.items() if name.endswith(".html")]
    return {name for page in pages for name in _ENTRY.findall(page) if name in files}
