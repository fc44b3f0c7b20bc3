"""Reads a content folder (TOML, verbs, minds) and checks it as a whole.

    places.toml …     [settings]  [place.ID]  [kind.ID]  [item.ID]  [quest.ID]  [reaction.NAME]  [[spawn]]
    verbs/*.py        classes of `turnwright_world.rules.verbs.Verb`
    minds/*.py        plan(view, random) -> command; the mind has the file's name

Any TOML file may have any table. All mistakes are reported together, each with its file and line. Only
content without mistakes becomes rules.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from turnwright.errors import SetupError
from turnwright_world.content.check import check_links
from turnwright_world.content.python_files import check_mind, load_verbs
from turnwright_world.content.row_mistakes import did_you_mean, row_mistakes
from turnwright_world.content.toml_lines import TomlLines, labelled
from turnwright_world.content.toml_mistakes import toml_mistake
from turnwright_world.intent import SOURCE_SIZE_MAX
from turnwright_world.kit.build import land_rules
from turnwright_world.kit.ruleset import LandRules
from turnwright_world.kit.schema import (
    ItemRow,
    KindRow,
    Land,
    PlaceRow,
    Quest,
    ReactionRow,
    Settings,
    Spawn,
)
from turnwright_world.rules.verbs import Verb

FILES_MAX = 500
FILE_BYTES_MAX = 262_144
MISTAKES_MAX = 50
"""The most mistakes in one report."""
_TABLES: Mapping[str, tuple[Any, int]] = {
    "place": (PlaceRow, 5_000),
    "kind": (KindRow, 500),
    "item": (ItemRow, 1_000),
    "quest": (Quest, 500),
    "reaction": (ReactionRow, 30),
    "spawn": (Spawn, 2_000),
    "settings": (Settings, 1),
}
_OF_IDS = frozenset(("place", "kind", "item", "quest"))
_VERBS_MAX = 300
_MINDS_MAX = 200
_ID = re.compile("^[a-z][a-z0-9_]{0,39}$")


class Mistake(NamedTuple):
    """A mistake in a file, and what to do about it."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


class ContentError(SetupError):
    """Content that cannot be used.

    Args:
        mistakes: all mistakes, in order of file and line.
    """

    def __init__(self, mistakes: list[Mistake]) -> None:
        self.mistakes = mistakes
        more = f"\n… and {len(mistakes) - MISTAKES_MAX} more" if len(mistakes) > MISTAKES_MAX else ""
        super().__init__("\n".join(map(str, mistakes[:MISTAKES_MAX])) + more)


@dataclass(frozen=True)
class Content:
    """Checked content.

    Attributes:
        rules: the rules of the game.
        minds: the source of each mind, by name.
        hash: the hash of all the files.
    """

    rules: LandRules
    minds: Mapping[str, str]
    warnings: tuple[Mistake, ...]
    hash: str


def content_hash(files: Mapping[str, str]) -> str:
    """Return 32 hexadecimal digits that identify these files."""
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(files):
        for part in (name.encode(), files[name].encode()):
            digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()


def read_content(files: Mapping[str, str]) -> Content:
    """Return the content of files. This runs the verb files.

    Args:
        files: the texts by name, e.g. "town.toml", "verbs/chop.py", "minds/wolf.py". Files of other names are
            ignored.

    Raises:
        ContentError: the files have mistakes. The error lists all mistakes.
    """
    reading = _Reading()
    _check_sizes(files, reading)
    if not reading.mistakes:
        for name in sorted(files):
            if name.endswith(".toml"):
                reading.read_toml(name, files[name])
        reading.read_tables()
    for name in sorted(files):
        if name.endswith(".py") and name.startswith("verbs/"):
            reading.read_verbs(name, files[name])
        elif name.endswith(".py") and name.startswith("minds/"):
            reading.read_mind(name, files[name])
    return reading.finish(content_hash(files))


def _check_sizes(files: Mapping[str, str], reading: _Reading) -> None:
    if len(files) > FILES_MAX:
        reading.note("", 1, f"there are {len(files)} files; {FILES_MAX} are allowed")
    for name, text in files.items():
        if len(text.encode()) > FILE_BYTES_MAX:
            reading.note(
                name, 1, f"it has {len(text.encode())} bytes; {FILE_BYTES_MAX} are allowed: split it"
            )


class _Reading:
    """Rows, verbs and minds read so far, with the positions of the rows."""

    def __init__(self) -> None:
        self.mistakes: list[Mistake] = []
        self.warnings: list[Mistake] = []
        self._rows: dict[str, dict[str, Any]] = {table: {} for table in _TABLES}
        self._where: dict[tuple[str, str], tuple[str, str]] = {}
        self._lines: dict[str, TomlLines] = {}
        self._data: dict[str, dict[str, Any]] = {}
        self._ids: set[str] = set()
        self._verbs: dict[str, Verb] = {}
        self._words: dict[str, str] = {}
        self._minds: dict[str, str] = {}

    def note(self, file: str, line: int, text: str) -> None:
        """Note a mistake."""
        self.mistakes.append(Mistake(file, line, text))

    # ---- TOML ----------------------------------------------------------------------------------------------

    def read_toml(self, file: str, text: str) -> None:
        """Read a TOML file. `read_tables` checks the tables of all files later."""
        self._lines[file] = lines = TomlLines(text)
        try:
            self._data[file] = data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            self.note(file, *toml_mistake(text, error, lines))
            return
        except RecursionError:
            self.note(file, 1, "this is not TOML: brackets are nested too deeply")
            return
        for table in _OF_IDS & data.keys():
            rows = data[table]
            self._ids.update(rows if isinstance(rows, dict) else ())

    def read_tables(self) -> None:
        """Read the rows of all TOML files."""
        for file, data in self._data.items():
            for table, content in data.items():
                if table not in _TABLES:
                    hint = did_you_mean(table, _TABLES) or f"; there are {', '.join(_TABLES)}"
                    self.note(file, self._lines[file].of(table), f"there is no table {table!r}{hint}")
                elif table == "spawn":
                    self._read_spawns(file, content)
                elif table == "settings":
                    self._add(file, table, table, "settings", content)
                else:
                    self._read_table(file, table, content)

    def _read_spawns(self, file: str, content: Any) -> None:
        if not isinstance(content, list):
            self.note(file, self._lines[file].of("spawn"), "spawn is a list of tables; write [[spawn]]")
            return
        for number, data in enumerate(content):
            self._add(file, "spawn", f"spawn#{number}", f"{file}#{number}", data)

    def _read_table(self, file: str, table: str, content: Any) -> None:
        lines = self._lines[file]
        if not isinstance(content, dict):
            self.note(file, lines.of("", table), f"{table} is a table of tables; write [{table}.ID]")
            return
        for name, data in content.items():
            header = f"{table}.{name}"
            if not _ID.match(name):
                line = lines.of(header)
                self.note(
                    file, line, f"{name!r} is not an id; give lower case letters, digits and _, 40 at most"
                )
                continue
            self._add(file, table, header, name, data)

    def _add(self, file: str, table: str, header: str, name: str, data: Any) -> None:
        """Check a row, and add it if it has no mistake."""
        line = self._lines[file].of(header)
        before = self._where.get((table, name))
        if before is not None:
            other = f"{before[0]}:{self._lines[before[0]].of(before[1])}"
            self.note(file, line, f"[{header}] exists twice; the other is at {other}: rename one of them")
            return
        row_type, most = _TABLES[table]
        if len(self._rows[table]) >= most:
            self.note(file, line, f"there are more than {most} rows of {table}; remove some")
            return
        mistakes = [
            Mistake(file, self._lines[file].of(header, place), labelled(header, key, text))
            for key, text, place in row_mistakes(data, row_type, self._ids)
        ]
        self.mistakes += mistakes
        if not mistakes:
            self._rows[table][name] = msgspec.convert(data, row_type)
            self._where[table, name] = file, header

    # ---- Python --------------------------------------------------------------------------------------------

    def read_verbs(self, file: str, source: str) -> None:
        """Run a verb file, and add its verbs."""
        for verb in load_verbs(file, source, lambda line, text: self.note(file, line, text)):
            words = (verb.name, *verb.aliases)
            taken = [word for word in words if word in self._words]
            for word in taken:
                self.note(file, 1, f"{word!r} of {verb.name!r} is already a word of {self._words[word]}")
            if len(self._verbs) >= _VERBS_MAX:
                self.note(file, 1, f"there are more than {_VERBS_MAX} verbs; remove some")
            elif not taken:
                self._verbs[verb.name] = verb
                self._words.update(dict.fromkeys(words, f"{verb.name!r} in {file}"))

    def read_mind(self, file: str, source: str) -> None:
        """Check the source of a mind, and add it if it has no mistake."""
        name = file.removeprefix("minds/").removesuffix(".py")
        if not _ID.match(name):
            self.note(file, 1, f"{name!r} is not a name for a mind; give lower case letters, digits and _")
        elif len(self._minds) >= _MINDS_MAX:
            self.note(file, 1, f"there are more than {_MINDS_MAX} minds; remove some")
        elif len(source.encode()) > SOURCE_SIZE_MAX:
            text = f"it has {len(source.encode())} bytes; a mind has {SOURCE_SIZE_MAX} at most"
            self.note(file, 1, text)
        elif check_mind(file, source, lambda line, text: self.note(file, line, text)):
            self._minds[name] = source

    # ---- the result ----------------------------------------------------------------------------------------

    def finish(self, hash_: str) -> Content:
        """Check the references between the rows, and return the content.

        Raises:
            ContentError: the files have mistakes. The error lists all mistakes.
        """
        rows = self._rows
        if not rows["settings"] and not self.mistakes:
            self.note("settings.toml", 1, 'there is no [settings]; give at least start = "…" and home = "…"')
        if not self.mistakes:
            settings, spawns = rows["settings"]["settings"], tuple(rows["spawn"].values())
            land = Land(
                settings, rows["place"], rows["kind"], rows["item"], spawns, rows["quest"], rows["reaction"]
            )
            for table, name, key, text, is_wrong in check_links(
                land, self._verbs, self._minds, rows["spawn"]
            ):
                file, header = self._where[table, name]
                found = Mistake(file, self._lines[file].of(header, key), labelled(header, key, text))
                (self.mistakes if is_wrong else self.warnings).append(found)
        if self.mistakes:
            raise ContentError(sorted(self.mistakes))
        rules = land_rules(land, self._verbs, hash_)
        return Content(rules, self._minds, tuple(sorted(self.warnings)), hash_)
