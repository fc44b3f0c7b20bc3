"""Unpacks an upload (a zip or one file) into the files of one bot, within limits.

No code of an upload is executed here, and no file is written before all files are known.
"""

from __future__ import annotations

import re
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from turnwright.host.accounts import fold, script_of

UPLOAD_BYTES_MAX = 10 << 20
"""The most bytes of an uploaded file."""
UNPACKED_BYTES_MAX = 20 << 20
"""The most bytes of all files of a bot together, counted while they are unpacked."""
FILES_MAX = 200
LISTED_MAX = 4_000
"""The most names in a zip, including those that are left out."""
DEPTH_MAX = 8
"""The most nested folders."""
PATH_CHARS_MAX = 160
BOT_NAME_CHARS_MAX = 30
ONE_FILE = (".py", ".java", ".cs", ".sh", ".jar")
"""The endings of bots that are one file. Such a bot gets a directory with its name."""
_ZIP = b"PK"
_LEFT_OUT = frozenset(("__pycache__", "__macosx", "thumbs.db", "desktop.ini", "node_modules"))
_BOT_NAME = re.compile(r"[^\W\d_][\w-]*")
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 1
_ROOTS_MAX = 4
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class UploadProblem:
    """A problem in an upload, as shown to its owner.

    Attributes:
        file: the file's path in the upload, or "" if the problem is about the whole upload.
        line: the number of the line, from 1, or None.
        is_note: whether the bot can play in spite of it.
    """

    text: str
    file: str = ""
    line: int | None = None
    is_note: bool = False


class RefusedUpload(Exception):
    """The upload is not a bot. `problems` say why."""

    def __init__(self, *problems: UploadProblem) -> None:
        super().__init__(problems[0].text)
        self.problems = problems


@dataclass(frozen=True, slots=True)
class BotFiles:
    """The files of one bot.

    Attributes:
        name: the name of its directory.
        files: the bytes of each file, by its path in the directory with / between folders.
    """

    name: str
    files: Mapping[str, bytes]


def unpacked(path: Path, name: str) -> BotFiles:
    """Return the bot in an uploaded file.

    Args:
        name: the name of the file on its owner's machine.

    Raises:
        RefusedUpload: the file is not an acceptable bot. The error says why.
        OSError: the file cannot be read.
    """
    stem, suffix = _stem_of(name)
    with path.open("rb") as stream:
        begin = stream.read(len(_ZIP))
    if begin == _ZIP and suffix != ".jar":
        files = _without_roots(_from_zip(path))
        found = BotFiles(files.name or _named(files.files) or stem, files.files)
    elif suffix in ONE_FILE:
        found = BotFiles(stem, {f"{stem}{suffix}": path.read_bytes()})
    else:
        ends = ", ".join(ONE_FILE)
        raise RefusedUpload(UploadProblem(f"{_shown(name)} is neither a zip nor one file of {ends}"))
    if problem := bot_name_problem(found.name):
        raise RefusedUpload(UploadProblem(problem))
    if not found.files:
        raise RefusedUpload(UploadProblem("the zip has no file that could be part of a bot"))
    return found


def bot_name_problem(name: str) -> str | None:
    """Return why a text cannot be the name of a bot's directory, or None."""
    if not 1 <= len(name) <= BOT_NAME_CHARS_MAX:
        return f"the bot's name {_shown(name)} has {len(name)} characters: give it 1 to {BOT_NAME_CHARS_MAX}"
    if not _BOT_NAME.fullmatch(name) or unicodedata.normalize("NFKC", name) != name:
        return (
            f"the bot's name {_shown(name)} is not a plain word: use letters, digits, _ and -, a letter first"
        )
    if len({script_of(one) for one in name if one.isalpha()}) > 1:
        return f"the bot's name {_shown(name)} mixes letters of several scripts, which look alike: use one"
    return None


def _stem_of(name: str) -> tuple[str, str]:
    """Return the name of a file without its folders and ending, and the ending."""
    base = PurePosixPath(name.replace("\\", "/")).name
    stem, dot, suffix = base.rpartition(".")
    return (unicodedata.normalize("NFC", stem), f".{suffix.lower()}") if dot else (base, "")


# ---- a zip -------------------------------------------------------------------------------------------------


def _from_zip(path: Path) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(path) as archive:
            infos = archive.infolist()
            if len(infos) > LISTED_MAX:
                raise RefusedUpload(
                    UploadProblem(f"the zip lists {len(infos)} names, at most {LISTED_MAX} are allowed")
                )
            wanted = [one for one in infos if not _is_left_out(one.filename)]
            _refuse_bad_names(wanted)
            return _contents(archive, [one for one in wanted if not one.is_dir()])
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise RefusedUpload(UploadProblem(f"the zip is damaged: {_shown(str(error))}")) from None


def _is_left_out(name: str) -> bool:
    """Return whether a file is left out: hidden, byte code, in node_modules, or an operating system's."""
    parts = name.replace("\\", "/").split("/")
    return any(
        part.lower() in _LEFT_OUT or (part.startswith(".") and part.strip(".") != "") for part in parts
    )


def _refuse_bad_names(infos: Iterable[zipfile.ZipInfo]) -> None:
    """Raise RefusedUpload for names and kinds of files that a bot cannot have."""
    seen: dict[str, str] = {}
    folders: set[str] = set()
    files = 0
    for info in infos:
        name = info.orig_filename
        problem = _kind_problem(info) or _path_problem(name)
        folded = fold(name.rstrip("/"))
        if problem is None and not info.is_dir() and folded in seen:
            problem = f"there is another file of that name: {_shown(seen[folded])}"
        if problem is not None:
            raise RefusedUpload(UploadProblem(problem, _shown(name)))
        parts = folded.split("/")
        folders.update("/".join(parts[:nth]) for nth in range(1, len(parts)))
        if not info.is_dir():
            seen[folded] = name
            files += 1
    if files > FILES_MAX:
        raise RefusedUpload(UploadProblem(f"it has {files} files, at most {FILES_MAX} are allowed"))
    if both := sorted(folders & seen.keys()):
        raise RefusedUpload(UploadProblem("it is a file and a folder", _shown(seen[both[0]])))


def _kind_problem(info: zipfile.ZipInfo) -> str | None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return "it is a link: put the file itself into the zip"
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "it is neither a file nor a folder"
    if info.flag_bits & _ENCRYPTED:
        return "it is encrypted: make a zip without a password"
    if info.compress_type not in _COMPRESSIONS:
        return "its compression is not supported: make an ordinary zip (deflate)"
    return None


def _path_problem(name: str) -> str | None:
    """Return why a path in a zip is refused, or None."""
    parts = name.rstrip("/").split("/")
    if not name.isprintable():
        return "its name has characters that cannot be seen"
    if name.startswith("/") or "\\" in name or ":" in name or ".." in parts:
        return "its name points outside the zip"
    if any(part in ("", ".") or part != part.strip() or part.endswith(".") for part in parts):
        return "its name has an empty part, or one that begins or ends with a blank or a dot"
    if len(name) > PATH_CHARS_MAX:
        return f"its name has {len(name)} characters, at most {PATH_CHARS_MAX} are allowed"
    return f"more than {DEPTH_MAX} nested folders" if len(parts) > DEPTH_MAX + 1 else None


def _contents(archive: zipfile.ZipFile, infos: Iterable[zipfile.ZipInfo]) -> dict[str, bytes]:
    """Return the bytes of each file. The sizes that the zip states are not trusted."""
    left = UNPACKED_BYTES_MAX
    found = {}
    for info in infos:
        with archive.open(info) as stream:
            data = stream.read(left + 1)
        left -= len(data)
        if left < 0:
            most = UNPACKED_BYTES_MAX >> 20
            raise RefusedUpload(UploadProblem(f"its files have more than {most} MiB when unpacked"))
        found[unicodedata.normalize("NFC", info.filename)] = data
    return found


def _without_roots(files: Mapping[str, bytes]) -> BotFiles:
    """Remove the outer folders that contain all files. The name of the innermost one is the bot's name."""
    name = ""
    for _ in range(_ROOTS_MAX):
        tops = {path.partition("/")[0] for path in files}
        if len(tops) != 1 or any("/" not in path for path in files):
            break
        (name,) = tops
        files = {path.partition("/")[2]: data for path, data in files.items()}
    return BotFiles(name, files)


def _named(files: Mapping[str, bytes]) -> str | None:
    """Return the name of a bot whose files are not in a folder, or None if it is unknown.

    It is X if X.json is next to a program X, or if X is the only program and there is no JSON file.
    """
    top = [PurePosixPath(path) for path in files if "/" not in path]
    stems = [path.stem for path in top if path.suffix.lower() == ".json"]
    beside = {path.stem for path in top if path.suffix.lower() in (*ONE_FILE, ".class", ".csproj", ".dll")}
    found = [stem for stem in stems if stem in beside]
    if not stems and len(beside) == 1:
        found = list(beside)
    return found[0] if len(found) == 1 else None


def _shown(text: str) -> str:
    """Return a text in quotes, without characters that reverse, hide or break text."""
    plain = "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in text[: _SHOWN + 1])
    return f"“{plain if len(plain) <= _SHOWN else plain[:_SHOWN] + '…'}”"
