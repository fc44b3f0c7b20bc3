"""GMCP messages: "Package.Name" and JSON. They are also used over WebSockets."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import msgspec

from turnwright_world.wire.messages import MODULES_MAX, convert, find
from turnwright_world.wire.telnet.events import Gmcp, Notice

PACKAGE_CHARS_MAX = 64
_PACKAGE = re.compile(r"[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*")
_QUOTED_MAX = 40
_NAMES_KEPT = 256
_encode = msgspec.json.Encoder().encode
_WHY_MAX = 120


def read(message: bytes) -> Gmcp | Notice:
    """Return a message, or a notice about its mistake. The function raises no exception."""
    name, _, text = message.strip().partition(b" ")
    package = name.decode("ascii", "replace")
    if len(package) > PACKAGE_CHARS_MAX or not _PACKAGE.fullmatch(package):
        return Notice(f"GMCP: {package[:_QUOTED_MAX]!a} is not a name of a package")
    known = find(package)
    package = package if known is None else known.name
    try:
        data = msgspec.json.decode(text) if text.strip() else None
        return Gmcp(package, convert(package, data))
    except (ValueError, RecursionError) as error:
        return Notice(f"GMCP {package}: {_why(error)}")


def write(package: str, data: Any) -> bytes:
    """Return a message as bytes. If `data` is None, it consists of the name only."""
    name = _name_of(package)
    return name if data is None else name + b" " + _encode(data)


@lru_cache(_NAMES_KEPT)
def _name_of(package: str) -> bytes:
    assert _PACKAGE.fullmatch(package), package
    return package.encode("ascii")


def _why(error: Exception) -> str:
    text = "nested too deeply" if isinstance(error, RecursionError) else str(error)
    return "".join(c for c in text if c.isprintable())[:_WHY_MAX]


class Supports:
    """The modules that a client wants. Until the client names modules, it gets all of them."""

    __slots__ = ("_modules",)

    def __init__(self) -> None:
        self._modules: dict[str, str] | None = None

    @property
    def modules(self) -> dict[str, str] | None:
        """Modules in lower case → versions as the client wrote them, or None if the client has named none."""
        return self._modules

    def take(self, package: str, names: list[str]) -> None:
        """Handle the three messages of Core.Supports. Modules beyond MODULES_MAX are ignored."""
        modules = {} if self._modules is None or package == "Core.Supports.Set" else self._modules
        for name in names:
            module, _, version = name.strip().lower().partition(" ")
            if package == "Core.Supports.Remove":
                modules.pop(module, None)
            elif module and (module in modules or len(modules) < MODULES_MAX):
                modules[module] = version.strip()
        self._modules = modules

    def wants(self, package: str) -> bool:
        """Return whether the client wants a package or its module. The module Core is always included."""
        if self._modules is None:
            return True
        parts = package.lower().split(".")
        return parts[0] == "core" or any(
            ".".join(parts[:length]) in self._modules for length in range(1, len(parts) + 1)
        )
