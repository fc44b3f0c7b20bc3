"""Finds Node and says how it has to be started, for the tests that run the viewer's modules with it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

NODE = shutil.which("node")
PACKAGES = Path(__file__).parents[2] / "packages"
CORE = PACKAGES / "core"
VIEWER = CORE / "src/turnwright/viewer"
HOMES = {
    "games/tank/view": PACKAGES / "tank/src/turnwright_tank/view",
    "games/world/view": PACKAGES / "world/src/turnwright_world/view",
    "viewer/ladder": PACKAGES / "league/src/turnwright_league/viewer/ladder",
    "viewer/tournament": PACKAGES / "league/src/turnwright_league/viewer/tournament",
}
"""Folders of pages in other packages than core: the path at the server, and the place in the source."""
LINKS = "--preserve-symlinks --preserve-symlinks-main"
"""Options with which Node resolves a module's imports from the place of the link, not of the target."""
OLDEST = (18, 19)
SEES_MODULES = (20, 19)
"""Older versions do not detect that a .js file is a module."""


@cache
def _version() -> tuple[int, int]:
    text = subprocess.run([str(NODE), "--version"], capture_output=True, text=True, check=True).stdout
    found = re.match(r"v(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def files(suffix: str = ".*") -> dict[str, Path]:
    """Return all files of pages by the path under which a server offers them."""
    patterns = (f"viewer/**/*{suffix}", f"games/*/view/**/*{suffix}", f"games/*/view{suffix}")
    root = VIEWER.parent
    found = {path.relative_to(root).as_posix(): path for one in patterns for path in root.glob(one)}
    for served, home in HOMES.items():
        found |= {f"{served}/{path.relative_to(home).as_posix()}": path for path in home.rglob(f"*{suffix}")}
    return found


def place_of_tests(served: str) -> Path:
    """Return the place of the tests of a module, or of a folder of them, by its address."""
    for folder, home in HOMES.items():
        if f"{served}/".startswith(f"{folder}/"):
            source = next(place for place in home.parents if place.parent.name == "src")
            return source.parents[1] / "tests" / home.relative_to(source) / served[len(folder) + 1 :]
    return CORE / "tests" / served


def beside_viewer(served: str, folder: Path) -> Path:
    """Return a place of tests next to which the viewer is where the tested modules import it.

    Modules of other packages import it by its path at a server.

    Args:
        folder: empty, for links.
    """
    place = place_of_tests(served)
    package = PACKAGES / place.relative_to(PACKAGES).parts[0]
    if package == CORE:
        return place
    (source,) = (one.parent for one in (package / "src").glob("*/__init__.py"))
    home = folder / "packages" / package.name
    _link_all(home / "src" / source.name, source)
    (home / "tests").symlink_to(package / "tests")
    (home / "viewer").symlink_to(VIEWER)
    (folder / "packages" / CORE.name).symlink_to(CORE)
    if (pages := home / "src" / source.name / "viewer").is_symlink():
        pages.unlink()
        _link_all(pages, VIEWER, source / "viewer")
    return home / place.relative_to(package)


def as_served(folder: Path) -> Path:
    """Fill a folder with links, so that all modules lie in it as servers offer them. Return it."""
    _link_all(folder / "viewer", VIEWER)
    for game in (VIEWER.parent / "games").iterdir():
        if game.is_dir():
            _link_all(folder / "games" / game.name, game)
    for served, home in HOMES.items():
        (folder / served).parent.mkdir(exist_ok=True)
        (folder / served).symlink_to(home)
    return folder


def _link_all(folder: Path, *sources: Path) -> None:
    """Make a folder with links to all that some folders hold."""
    folder.mkdir(parents=True)
    for source in sources:
        for one in source.iterdir():
            (folder / one.name).symlink_to(one)


@cache
def why_no_node() -> str | None:
    """Return why the tests cannot run, or None if they can."""
    if NODE is None:
        return "node is not installed (apt-get install nodejs)"
    if _version() < OLDEST:
        return f"node is older than {OLDEST[0]}.{OLDEST[1]}"
    return None


def environment(*, links: bool = False, **more: str) -> dict[str, str]:
    """Return the environment in which Node starts.

    Args:
        links: whether modules are reached by links.
        more: further variables.
    """
    found = {**os.environ, **more, **({"NODE_OPTIONS": LINKS} if links else {})}
    if _version() < SEES_MODULES:
        found["NODE_OPTIONS"] = f"--experimental-default-type=module {LINKS if links else ''}"
    return found
