"""The wheel with the bot library, for bots of the tank arena: small, and nothing but Python."""

from __future__ import annotations

import ast
import io
import sys
import zipfile

import pytest

from turnwright.app.lan.bot_wheel import BotWheel, bot_modules, bot_wheel
from turnwright_tank import GAME

BYTES_MAX = 200_000


@pytest.fixture(scope="module")
def wheel() -> BotWheel:
    return bot_wheel(GAME.bot_library)


def sources(wheel: BotWheel) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(wheel.content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_the_wheel_is_small_and_contains_nothing_of_the_server(wheel: BotWheel) -> None:
    assert len(wheel.content) < BYTES_MAX
    assert not [
        name for name in bot_modules(GAME.bot_library) if {"host", "app", "cli"} & set(name.split("."))
    ]


def test_the_wheel_needs_nothing_but_python(wheel: BotWheel) -> None:
    ours = {
        name.removesuffix("/__init__.py").removesuffix(".py").replace("/", ".") for name in sources(wheel)
    }
    for name, text in sources(wheel).items():
        if not name.endswith(".py"):
            continue
        tree = ast.parse(text)
        for node in ast.walk(tree):
            found = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            found += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for one in found:
                assert one.split(".")[0] in sys.stdlib_module_names or one in ours, f"{name} imports {one}"
    metadata = next(text for name, text in sources(wheel).items() if name.endswith("METADATA"))
    assert "Requires-Dist" not in metadata


def test_its_name_changes_with_its_content_only(wheel: BotWheel) -> None:
    assert bot_wheel.__wrapped__(GAME.bot_library) == wheel
    assert wheel.name.startswith("turnwright_core-")
    assert wheel.name.endswith("-py3-none-any.whl")
