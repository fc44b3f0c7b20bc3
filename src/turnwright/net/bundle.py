"""Many ES modules, one script: so a page plays a battle from disk, where no module can be loaded. No I/O.

It understands what the viewer's modules keep to: `import { a, b as c } from "./x.js";` and exports of
declarations, each at the beginning of a line, no circles. Anything else is our own mistake, and said.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

__all__ = ["bundle"]

_IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"(\.{1,2}/[^"]+)";', re.MULTILINE)
_EXPORT = re.compile(
    r"^export\s+((?:async\s+function\s*\*?|function\s*\*?|class|const|let)\s+)([A-Za-z_$][\w$]*)",
    re.MULTILINE,
)
_LEFT = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
_RENAMED = re.compile(r"\s+as\s+")


def bundle(modules: Mapping[str, str], entry: str) -> str:
    """Return a script that does what module `entry` does. modules: source texts by path, e.g. "ui/log.js".

    Each module becomes a function that is called once, after those that it imports, and returns its exports.
    Raises: ValueError for a module that is not there, a circle, or syntax that is not understood.
    """
    names = {path: f"__module{number}" for number, path in enumerate(_in_order(modules, entry))}
    return "\n".join(_wrapped(modules[path], path, names) for path in names)


def _in_order(modules: Mapping[str, str], entry: str) -> list[str]:
    """Return the modules that are needed, each after those that it imports."""
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
