"""Checks the files of an upload, and writes its bot directory.

    the uploaded file ──▶ its files ──▶ problems, or a bot directory with our JSON file

It runs in a worker process, so that a file that crashes a parser does no other harm.
"""

from __future__ import annotations

import ast
import json
import shutil
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from turnwright.errors import SetupError
from turnwright.net.files.new_file import whole_folder, write_file
from turnwright.net.participants.command import command
from turnwright.net.participants.config import BotConfig, read_config
from turnwright.net.participants.directory import BotEntry, load
from turnwright_league.app.folder import bot_of
from turnwright_league.app.ladder.uploads import BotFiles, RefusedUpload, UploadProblem, unpacked
from turnwright_league.tournament.entries import TournamentEntry

NAME_CHARS_MAX = 40
TEXT_CHARS_MAX = 300
_SOURCE_BYTES_MAX = 1 << 20
_PROBLEMS_MAX = 20
_TEXTS = ("base", "license", "description", "homepage", "platform", "initial_position")
_PLAIN_JSON = {
    "programming_lang": "programmingLang",
    "initial_position": "initialPosition",
    "country_codes": "countryCodes",
    "game_types": "gameTypes",
}


@dataclass(frozen=True, slots=True)
class UploadCheck:
    """An upload to check.

    Attributes:
        path: the path of the uploaded file.
        name: the name of the uploaded file.
        player: the name of its owner.
        place: the folder for its bot directory. An existing folder is deleted first.
    """

    path: Path
    name: str
    player: str
    place: Path


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The result of checking an upload.

    Attributes:
        problems: the problems. A bot plays only if all of them are notes.
        bot: the name of its directory, or "" if it is not known.
        directory, entry: None if the bot does not play.
    """

    problems: tuple[UploadProblem, ...]
    bot: str = ""
    directory: str | None = None
    entry: TournamentEntry | None = None


def check_upload(job: UploadCheck) -> CheckReport:
    """Check an upload, and write the bot directory from which it plays.

    No code of the upload is executed.

    Raises:
        OSError: a file cannot be read or written.
    """
    try:
        found = unpacked(job.path, job.name)
    except RefusedUpload as error:
        return CheckReport(error.problems)
    problems = [*_team_problems(found)] or [*_json_problems(found), *_code_problems(found)]
    if any(not one.is_note for one in problems):
        return CheckReport(tuple(problems[:_PROBLEMS_MAX]), found.name)
    directory = job.place / found.name
    shutil.rmtree(job.place, ignore_errors=True)
    job.place.parent.mkdir(parents=True, exist_ok=True)
    try:
        with whole_folder(job.place) as folder:
            entry = _written(found, folder / found.name, job.player)
        return CheckReport(tuple(problems[:_PROBLEMS_MAX]), found.name, str(directory), entry)
    except RefusedUpload as error:
        return CheckReport((*error.problems, *problems)[:_PROBLEMS_MAX], found.name)


def _team_problems(bot: BotFiles) -> Iterator[UploadProblem]:
    """Yield a problem if an upload is a team: X.json, in a folder X or at the top, names members."""
    for path, data in bot.files.items():
        place = PurePosixPath(path)
        if place.suffix != ".json" or place.stem != (place.parent.name or bot.name):
            continue
        try:
            members = json.loads(data.decode("utf-8-sig"))["teamMembers"]
        except (ValueError, RecursionError, KeyError, TypeError):
            continue
        if members:
            yield UploadProblem(
                "it is a team, but the ladder takes only single bots: upload its bots one by one", path
            )
            return


# ---- the JSON file -----------------------------------------------------------------------------------------


def _json_problems(bot: BotFiles) -> Iterator[UploadProblem]:
    name = f"{bot.name}.json"
    data = bot.files.get(name)
    if data is None:
        near = [one for one in bot.files if "/" not in one and one.lower().endswith(".json")]
        if near:
            text = f"this JSON file is ignored: the bot's JSON file is called {name}, like its folder"
            yield UploadProblem(text, near[0], is_note=True)
        return
    try:
        json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        yield UploadProblem("this is not UTF-8: save the file as UTF-8", name, line)
    except json.JSONDecodeError as error:
        yield UploadProblem(f"invalid JSON: {error.msg} (column {error.colno})", name, error.lineno)
    except (RecursionError, ValueError):
        yield UploadProblem("its JSON is nested too deeply, or has a number that is too long", name)


def _refuse_bad_config(config: BotConfig, name: str) -> None:
    """Raise RefusedUpload for unreasonable texts in a JSON file."""
    found = {"name": config.name, "version": config.version}
    found |= {key: value for key in _TEXTS if (value := getattr(config, key)) is not None}
    for key, text in found.items():
        most = NAME_CHARS_MAX if key in ("name", "version", "base") else TEXT_CHARS_MAX
        if not text.strip() or len(text) > most:
            raise RefusedUpload(UploadProblem(f'"{key}" has {len(text)} characters: 1 to {most}', name))
        if not all(one.isprintable() or one in "\n\t" for one in text):
            raise RefusedUpload(UploadProblem(f'"{key}" has characters that cannot be seen', name))
    lists = [*(config.country_codes or ()), *(config.game_types or ())]
    if len(lists) > 50 or any(len(one) > NAME_CHARS_MAX for one in lists):
        raise RefusedUpload(UploadProblem("its lists have too many texts, or too long ones", name))


def _config_data(config: BotConfig, bot: str, player: str) -> dict[str, Any]:
    """Return the content of a bot's JSON file, with its known fields and its owner.

    The bot's name is "DIRECTORY (OWNER)". No two playing bots of one person have the same name.
    """
    given: Mapping[str, Any] = {
        key: getattr(config, key) for key in (*_TEXTS, "programming_lang", "country_codes", "game_types")
    }
    rest = {_PLAIN_JSON.get(key, key): value for key, value in given.items() if value is not None}
    return {"name": f"{bot} ({player})", "version": config.version, "authors": [player], **rest}


# ---- the directory -----------------------------------------------------------------------------------------


def _written(bot: BotFiles, directory: Path, player: str) -> TournamentEntry:
    """Write a bot directory, and return its entry.

    Raises:
        RefusedUpload: the JSON file is not accepted, or the bot cannot be started.
    """
    for path, data in bot.files.items():
        place = directory.joinpath(*path.split("/"))
        place.parent.mkdir(parents=True, exist_ok=True)
        write_file(place, data)
        place.chmod(0o755 if data.startswith(b"#!") or place.suffix == ".sh" else 0o644)
    for folder in (directory, *(one for one in directory.rglob("*") if one.is_dir())):
        folder.chmod(0o755)
    directory.parent.chmod(0o755)
    json_file = directory / f"{bot.name}.json"
    try:
        config = read_config(json_file) if json_file.exists() else BotConfig(bot.name, "1", (player,))
        _refuse_bad_config(config, json_file.name)
        write_file(
            json_file, json.dumps(_config_data(config, bot.name, player), ensure_ascii=False, indent=2)
        )
        entry = load(directory)
        _refuse_mute(entry, bot)
        return bot_of(entry, "").entry
    except SetupError as error:
        text = str(error).replace(f"{directory}{'/'}", "").replace(str(directory), bot.name)
        raise RefusedUpload(UploadProblem(text)) from None


def _refuse_mute(entry: BotEntry, bot: BotFiles) -> None:
    """Raise RefusedUpload if no program can start the bot."""
    try:
        command(entry)
    except SetupError:
        names = ", ".join(sorted(bot.files)[:5])
        raise RefusedUpload(
            UploadProblem(
                f"nothing in it can be started: expected {bot.name}.py, {bot.name}.java, {bot.name}.sh or"
                f" another main file with the name of the bot; the zip has {names}"
            )
        ) from None


# ---- source code -------------------------------------------------------------------------------------------


def _code_problems(bot: BotFiles) -> Iterator[UploadProblem]:
    local = {PurePosixPath(path).stem for path in bot.files if path.endswith(".py")}
    for path in sorted(bot.files):
        if path.endswith(".py"):
            is_main = path == f"{bot.name}.py" and f"{bot.name}.sh" not in bot.files
            yield from python_problems(path, bot.files[path], local if is_main else None)


def python_problems(
    path: str, source: bytes, local: set[str] | frozenset[str] | None
) -> Iterator[UploadProblem]:
    """Yield the mistakes in a Python file. The file is parsed, and never executed.

    Args:
        local: the modules next to it if it is a bot's main file, and None otherwise.
    """
    if len(source) > _SOURCE_BYTES_MAX:
        yield UploadProblem(f"it has more than {_SOURCE_BYTES_MAX >> 20} MiB: is it Python?", path)
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source, path)
    except SyntaxError as error:
        yield UploadProblem(f"{type(error).__name__}: {_plain(str(error.msg))}", path, error.lineno)
        return
    except (ValueError, RecursionError, MemoryError) as error:
        yield UploadProblem(f"Python cannot read it: {_plain(str(error)) or type(error).__name__}", path)
        return
    if local is not None:
        yield from _main_problems(path, tree, local)


def _main_problems(path: str, tree: ast.Module, local: set[str] | frozenset[str]) -> Iterator[UploadProblem]:
    """Yield why a main file cannot play: it starts nothing, or it lacks the bot's class."""
    froms = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    imported = {node.module.split(".")[0] for node in froms if node.module}
    imported |= {
        a.name.split(".")[0] for node in tree.body if isinstance(node, ast.Import) for a in node.names
    }
    does = [node for node in tree.body if not isinstance(node, _DEFINITIONS) and not _is_text(node)]
    if not does and not imported & (local - {PurePosixPath(path).stem}):
        last = max((getattr(node, "end_lineno", 1) or 1 for node in tree.body), default=1)
        own = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
        begin = (
            f"{own[-1]}.main()" if own and any(name.startswith("turnwright_") for name in imported) else "…"
        )
        text = f'nothing here starts the bot: expected at the end, e.g. if __name__ == "__main__": {begin}'
        yield UploadProblem(text, path, last)
    bases = {
        alias.asname or alias.name: node.lineno
        for node in froms
        for alias in node.names
        if alias.name.endswith("Bot")
    }
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    stem = PurePosixPath(path).stem
    for name, line in bases.items():
        if name not in used:
            text = f"{name} is imported, but no class derives from it: expected class {stem}({name})"
            yield UploadProblem(text, path, line, is_note=True)


_DEFINITIONS = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Import,
    ast.ImportFrom,
    ast.AnnAssign,
    ast.Pass,
)


def _is_text(node: ast.stmt) -> bool:
    """Return whether a statement does nothing: a string, or a constant assignment."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)


def _plain(text: str) -> str:
    return "".join(one for one in text[:200] if one.isprintable())
