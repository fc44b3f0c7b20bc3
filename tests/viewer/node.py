"""Finds Node and says how it has to be started, for the tests that run the viewer's modules with it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

NODE = shutil.which("node")
TESTS = Path(__file__).parents[1]
VIEWER = TESTS.parent / "src/turnwright/viewer"
PACKAGES = {"games/world": TESTS.parent / "packages/world"}
"""Page as a server offers it: the package in which it lies. The others are in turnwright."""
LINKS = "--preserve-symlinks --preserve-symlinks-main"
"""Options of Node with which a module lies where a link to it does."""
OLDEST = (18, 19)
SEES_MODULES = (20, 19)
"""Older ones do not see by themselves that a .js file is a module."""


@cache
def _version() -> tuple[int, int]:
    text = subprocess.run([str(NODE), "--version"], capture_output=True, text=True, check=True).stdout
    found = re.match(r"v(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def place_of_tests(served: str) -> Path:
    """Return the place of the tests of a module, or of a folder of them, by its address."""
    game = "/".join(served.split("/")[:2])
    return PACKAGES[game] / "tests" / served[len(game) + 1 :] if game in PACKAGES else TESTS / served


def beside_viewer(served: str, folder: Path) -> Path:
    """Return the place of tests once more, with the viewer where modules of that package import it.

    They import it as a server offers it, beside the folder of the games. folder: empty, for links.
    """
    game = "/".join(served.split("/")[:2])
    if game not in PACKAGES:
        return TESTS / served
    for name, goal in {"viewer": VIEWER, **{one: PACKAGES[game] / one for one in ("src", "tests")}}.items():
        (folder / name).symlink_to(goal)
    return folder / "tests" / served[len(game) + 1 :]


def as_served(folder: Path) -> Path:
    """Fill a folder with links, so that all modules lie in it as servers offer them. Return it."""
    (folder / "viewer").symlink_to(VIEWER)
    (folder / "games").mkdir()
    inside = {f"games/{game.name}": game for game in (VIEWER.parent / "games").iterdir()}
    beside = {game: next((home / "src").glob("turnwright_*/")) for game, home in PACKAGES.items()}
    for game, goal in {**inside, **beside}.items():
        (folder / game).symlink_to(goal)
    return folder


@cache
def why_no_node() -> str | None:
    """Return why the tests cannot run, or None if they can."""
    if NODE is None:
        return "node is not installed (apt-get install nodejs)"
    if _version() < OLDEST:
        return f"node is older than {OLDEST[0]}.{OLDEST[1]}"
    return None


def environment(*, links: bool = False, **more: str) -> dict[str, str]:
    """Return the environment to start it in. links: for modules that are reached by links."""
    found = {**os.environ, **more, **({"NODE_OPTIONS": LINKS} if links else {})}
    if _version() < SEES_MODULES:
        found["NODE_OPTIONS"] = f"--experimental-default-type=module {LINKS if links else ''}"
    return found
