"""The options that the commands of a tournament share."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from turnwright.app.option_fields import argument, option
from turnwright.cli.parser import GivenOptions


@dataclass(frozen=True)
class FolderChoice:
    """The folder of a tournament."""

    folder: Path = argument("FOLDER", "the folder of the tournament", read=Path)


@dataclass(frozen=True)
class StoreChoice:
    """The place of the results."""

    store: str | None = option(
        None, "the place of the results if they are not in FOLDER: a file, or postgresql://…", metavar="WHERE"
    )


@dataclass(frozen=True)
class VersionsChoice:
    """The versions of bots that count."""

    all_versions: bool = option(False, "count earlier versions of bots as separate bots")


@dataclass(frozen=True)
class BotsChoice:
    """Bots that are added or removed."""

    bots: tuple[str, ...] = argument(
        "BOT", "built-in bots, directories in FOLDER, or paths of bot directories", many=True, default=()
    )


def given_settings(given: GivenOptions, kind: type) -> dict[str, Any]:
    """Return the settings of battles that the command line gives, by the field of the game's options."""
    made: Any = given.make(kind)
    return {
        name: getattr(made, name)
        for one in fields(kind)
        if one.name in given.values
        for name in one.metadata["option"].fills or (one.name,)
    }
