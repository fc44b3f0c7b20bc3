"""Makes the wheel with the bot library from this package's own files.

The wheel contains the modules that a bot imports, and the modules of ours that these import. None of them
needs another package, because a laptop in a class may have no internet (docs/decisions/0069).
"""

from __future__ import annotations

import ast
import base64
import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from turnwright._version import __version__

_CLIENT = "turnwright.client"
"""The module that bots of any game import. The wheel contains it and its imports."""
_FIXED_TIME = (2020, 1, 1, 0, 0, 0)
_HASH_DIGITS = 8
_TOP = "turnwright"
"""The name of the core package. The names of our other packages begin with it."""
_EMPTY = '"""A part of the bot library of turnwright."""\n\nGAME = None  # it is not in here\n'
_INIT = '''"""The bot library of turnwright: what a bot needs to play over a network."""

from turnwright._version import __version__

__all__ = ["__version__"]
'''


@dataclass(frozen=True, slots=True)
class BotWheel:
    """A wheel: its file name and its bytes."""

    name: str
    content: bytes


@cache
def bot_wheel(library: str = "") -> BotWheel:
    """Return the wheel with the bot library. The same files give the same bytes.

    The version of the wheel depends on its content, so that pip replaces an older wheel of the same release.

    Args:
        library: the module of another package that bots of the game import; "" for none.
    """
    files = {_path_of(name): _source(name).encode() for name in bot_modules(library)}
    files["turnwright/py.typed"] = b""
    digest = sha256(b"".join(name.encode() + files[name] for name in sorted(files))).hexdigest()
    version = f"{__version__}+bots.h{digest[:_HASH_DIGITS]}"
    info = f"turnwright_core-{version}.dist-info"
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: turnwright-core\nVersion: {version}\n"
        "Summary: The bot library of turnwright alone\nLicense: Apache-2.0\nRequires-Python: >=3.11\n"
    ).encode()
    files[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: turnwright\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    rows = [f"{name},sha256={_urlsafe(content)},{len(content)}" for name, content in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,", ""]).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _FIXED_TIME), content, zipfile.ZIP_DEFLATED)
    return BotWheel(f"turnwright_core-{version}-py3-none-any.whl", packed.getvalue())


def bot_modules(library: str = "") -> list[str]:
    """Return the names of the modules in the wheel, sorted.

    Args:
        library: see `bot_wheel`.
    """
    found: set[str] = set()
    left = [_CLIENT, *filter(None, [library])]
    while left:
        name = left.pop()
        if name in found or _file_of(name) is None:
            continue
        found.add(name)
        left += _imports_of(name)
        if "." in name:
            left.append(name.rpartition(".")[0])
    return sorted(found)


def _imports_of(name: str) -> Iterator[str]:
    """Yield the names that the module `name` imports at run time: modules, and objects as "module.object"."""
    for node in _running(ast.parse(_source(name)).body):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _running(nodes: list[ast.stmt]) -> Iterator[ast.AST]:
    """Yield these nodes and all nodes in them, except what only type checkers read (`if TYPE_CHECKING`)."""
    left: list[ast.AST] = list(nodes)
    while left:
        node = left.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            left += node.orelse
            continue
        yield node
        left += ast.iter_child_nodes(node)


def _source(name: str) -> str:
    if "." not in name:  # the package itself does not belong to the library
        return _INIT if name == _TOP else _EMPTY
    file = _file_of(name)
    assert file is not None, "it was found"
    return file.read_text(encoding="utf-8")


def _file_of(name: str) -> Path | None:
    """Return the file of one of our modules, or None if it does not exist."""
    first, *rest = name.split(".")
    if first != _TOP and not first.startswith(f"{_TOP}_"):
        return None
    base = _folder_of(first).joinpath(*rest)
    module, package = base.with_suffix(".py"), base / "__init__.py"
    if rest and module.is_file():
        return module
    return package if package.is_file() else None


def _folder_of(package: str) -> Path:
    """Return the folder of one of our packages."""
    found = find_spec(package)
    assert found is not None, "one of our modules imports it"
    assert found.origin is not None, "it has a file"
    return Path(found.origin).parent


def _path_of(name: str) -> str:
    file, first = _file_of(name), name.partition(".")[0]
    assert file is not None, "it was found"
    return f"{first}/{file.relative_to(_folder_of(first)).as_posix()}"


def _urlsafe(content: bytes) -> str:
    return base64.urlsafe_b64encode(sha256(content).digest()).rstrip(b"=").decode()
