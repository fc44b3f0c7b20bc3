"""Attacks that begin at the upload, and a program that tries them.

It needs nothing of the other tests, so that an ordinary user can run it (`main`). A program that runs outside
of its sandbox leaves a trophy, and one that sees the operator's folder prints its secret.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from socket import socket

from turnwright.errors import TurnwrightError
from turnwright.net.participants.command import command
from turnwright.net.participants.directory import load, members
from turnwright.net.participants.source_hash import source_hash
from turnwright.net.processes.bot_process import BotProcesses
from turnwright.net.sandbox.readable import program_of
from turnwright.net.sandbox.sandboxes import Sandboxes

SECRET = "the-operators-secret"
_END_S = 3.0
_AT_THE_GUARD = ("environment", "module", "program in the working directory")
"""The kinds of attacks that the start of a guard could run. Each of them gets its own guard."""
_LIBRARIES = ("lib", "libs", "deps", ".deps", "venv", ".venv", "node_modules")


@dataclass(frozen=True, slots=True)
class Place:
    """A folder of an operator.

    Attributes:
        root: contains the untrusted bots and the operator's private files.
    """

    root: Path

    @property
    def theirs(self) -> Path:
        return self.root / "theirs"

    @property
    def private(self) -> Path:
        return self.root / "private"

    @property
    def bot(self) -> Path:
        return self.theirs / "Evil"

    @property
    def trophy(self) -> Path:
        return self.root / "trophy"

    def set_up(self) -> None:
        """Make the operator's files: a secret, a program, a Python, a bot and a virtual environment."""
        self.private.mkdir(parents=True)
        self.bot.mkdir(parents=True)
        (self.private / "secret.txt").write_text(SECRET)
        (self.private / "secret.py").write_text(f"# {SECRET}\nimport turnwright\n")
        (self.private / "private.json").write_text(_config(SECRET))
        for name in ("tool", "python3", "java", "bin/python", "bin/python3"):
            write(self.private / name, thief(self))
        (self.private / "pyvenv.cfg").write_text(f"home = {self.private}/bin\n")
        os.mkfifo(self.private / "fifo")


def write(path: Path, text: str, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def thief(place: Place) -> str:
    """Return a program that leaves its trophy and steals the secret, and answers like an interpreter."""
    return (
        f"#!/bin/sh\nid > {place.trophy}\ncat {place.private}/secret.* >&2\n"
        f'echo \'["{place.private}/bin/python3", ["{place.private}"]]\'\n'
    )


def _config(name: str = "Evil", **more: object) -> str:
    return json.dumps({"name": name, "version": "1", "authors": ["Eve"], **more})


def _link(path: Path, to: str | Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(to)


Attack = Callable[[Place], Path]
"""Writes a bot, and returns its directory."""
ATTACKS: dict[str, Attack] = {}


def _add(name: str, writes: Callable[[Place], object]) -> None:
    """Add an attack.

    Args:
        writes: returns the bot's directory, or anything else for the usual one.
    """
    assert name not in ATTACKS

    def attack(place: Place) -> Path:
        made = writes(place)
        return made if isinstance(made, Path) and made.is_dir() else place.bot

    ATTACKS[name] = attack


# ---- its own environment -----------------------------------------------------------------------------------


def _in_environment(prepare: Callable[[Place, Path], object]) -> Callable[[Place], None]:
    def writes(place: Place) -> None:
        write(place.bot / "Evil.py", f"import os\nos.system('sh {place.bot}/thief')\n", 0o644)
        write(place.bot / "thief", thief(place))
        prepare(place, place.bot / ".venv")

    return writes


def _packages(venv: Path, name: str, text: str) -> None:
    _link(venv / "bin/python", sys.executable)
    write(venv / "pyvenv.cfg", f"home = {os.path.dirname(os.path.realpath(sys.executable))}\n", 0o644)
    version = "python{}.{}".format(*sys.version_info)
    write(venv / "lib" / version / "site-packages" / name, text, 0o644)


def _run_thief(place: Place) -> str:
    return f"import os; os.system('sh {place.bot}/thief')\n"


for _name, _prepare in {
    "a script as its Python": lambda p, v: write(v / "bin/python", thief(p)),
    "a script as its Python of Windows": lambda p, v: write(v / "Scripts/python.exe", thief(p)),
    "its Python links to a script in its folder": lambda p, v: _link(v / "bin/python", "../../thief"),
    "its Python links to the operator's program": lambda p, v: _link(v / "bin/python", p.private / "tool"),
    "its Python links to the operator's Python": lambda p, v: _link(
        v / "bin/python", p.private / "bin/python3"
    ),
    "its Python links to another bot's": lambda p, v: (
        write(p.theirs / "Friend/python3", thief(p)),
        _link(v / "bin/python", "../../../Friend/python3"),
    ),
    "its Python by a chain of links": lambda p, v: (
        _link(v / "bin/python", "python3"),
        _link(v / "bin/python3", f"/proc/self/root{p.bot}/thief"),
    ),
    "its environment is the operator's folder": lambda p, v: _link(v, p.private),
    "its programs are the operator's": lambda p, v: _link(v / "bin", p.private / "bin"),
    "a module that every Python loads": lambda p, v: _packages(v, "sitecustomize.py", _run_thief(p)),
    "a file of paths with a program": lambda p, v: _packages(v, "evil.pth", _run_thief(p)),
    "a file of paths that names the operator's folder": lambda p, v: _packages(v, "a.pth", f"{p.private}\n"),
    "its settings name the operator's folder": lambda p, v: (
        write(v / "bin/python", thief(p)),
        write(v / "pyvenv.cfg", f"home = {p.private}/bin\n", 0o644),
    ),
    "its settings are a pipe": lambda p, v: (
        write(v / "bin/python", thief(p)),
        os.mkfifo(v / "pyvenv.cfg"),
    ),
    "its library in place of ours": lambda p, v: (
        _packages(v, "turnwright.py", _run_thief(p)),
        write(p.bot / "Evil.py", "import turnwright\n"),
    ),
}.items():
    _add(f"environment: {_name}", _in_environment(_prepare))


# ---- first lines -------------------------------------------------------------------------------------------

_FIRST_LINES = {
    "a program in its folder": "{bot}/python3",
    "a program beside it, from its folder": "./python3",
    "a program in its folder, from above": "Evil/python3",
    "another bot's program": "{theirs}/Friend/python3",
    "another bot's program, from its folder": "../Friend/python3",
    "another bot's program, by way of its own": "{bot}/../Friend/python3",
    "doubled slashes": "/{bot}//python3",
    "env with a path": "/usr/bin/env {bot}/python3",
    "env -S with a path": "/usr/bin/env -S {bot}/python3 -x",
    "env -S with another PATH": "/usr/bin/env -S PATH={bot} python3",
    "its folder by /proc": "/proc/self/cwd/python3",
    "its folder by the root of a process": "/proc/self/root{bot}/python3",
    "the server's folder by /proc": "/proc/{pid}/root{bot}/python3",
    "an open file": "/dev/fd/0",
    "the operator's program": "{private}/tool",
    "the operator's Python": "{private}/bin/python3",
    "the operator's Python by a link": "{bot}/linked",
    "a Java of the operator's": "{private}/java",
    "a shell with a command": "/bin/sh {bot}/python3",
    "a bare name": "python3 {bot}/thief.py",
    "a name of no runtime": "tool",
    "an open quote": "/bin/sh 'x",
    "a zero": "/bin/\0sh",
    "nothing but blanks": "   ",
    "more than a path may have": "/{bot}" + "/x" * 2_000,
}


def _with_first_line(words: str, mode: int, name: str) -> Callable[[Place], None]:
    def writes(place: Place) -> None:
        write(place.bot / "python3", thief(place))
        write(place.theirs / "Friend/python3", thief(place))
        write(place.bot / "thief.py", f"import os\nos.system('sh {place.bot}/python3')\n")
        _link(place.bot / "linked", place.private / "bin/python3")
        named = words.format(bot=place.bot, theirs=place.theirs, private=place.private, pid=os.getpid())
        write(place.bot / name, f"#!{named}\ncat {place.private}/secret.*\n", mode)

    return writes


for _name, _words in _FIRST_LINES.items():
    _add(f"first line: {_name}", _with_first_line(_words, 0o755, "Evil"))
    _add(f"first line without its mode: {_name}", _with_first_line(_words, 0o644, "Evil"))
    _add(f"first line of a file with a suffix: {_name}", _with_first_line(_words, 0o755, "Evil.rb"))


# ---- JSON --------------------------------------------------------------------------------------------------


def _with_json(**fields: object) -> Callable[[Place], None]:
    def writes(place: Place) -> None:
        text = _config(**fields).replace("{private}", str(place.private))
        write(place.bot / "Evil.json", text, 0o644)
        for suffix in (".py", ".java", ".dll", ".class"):
            shutil.copy(place.private / "secret.py", place.private / f"Secret{suffix}")

    return writes


for _platform in ("Python 3", "JVM", ".NET"):
    for _base in ("../../private/Secret", "{private}/Secret", "Evil/../../private/Secret", "-Dx=/y"):
        _add(f"JSON: {_platform}, base {_base}", _with_json(platform=_platform, base=_base))
for _member in ("../private", "{private}", "..", ".", "Evil/../../private", "", "~", "..\\private"):
    _add(f"JSON: member {_member!r}", _with_json(teamMembers=[_member]))
for _key in ("name", "description", "programmingLang", "homepage"):
    _add(f"JSON: {_key} of two lines", _with_json(**{"platform": "Python", _key: "x\nLD_PRELOAD=/x\n$(id)"}))
for _name, _target in {
    "the operator's JSON": "../../private/private.json",
    "the operator's text": "../../private/secret.txt",
    "a pipe": "../../private/fifo",
    "the log of the kernel": "/proc/kmsg",
    "endless zeros": "/dev/zero",
    "itself": "Evil.json",
}.items():
    _add(
        f"JSON: a link to {_name}",
        lambda place, target=_target: (
            write(place.bot / "Evil.sh", thief(place)),
            _link(place.bot / "Evil.json", target),
        ),
    )
_add(
    "JSON: a pipe",
    lambda place: (write(place.bot / "Evil.sh", thief(place)), os.mkfifo(place.bot / "Evil.json"))[1],
)


# ---- links, names, folders next to it ----------------------------------------------------------------------

for _file in ("Evil.py", "Evil.sh", "Evil", "Evil.java", "Evil.jar", "Evil.rb"):
    for _name, _target in {
        "the operator's program": "../../private/tool",
        "the operator's text": "../../private/secret.py",
        "what only root reads": "/etc/shadow",
        "a process": "/proc/self/environ",
    }.items():
        _add(
            f"link: {_file} to {_name}",
            lambda place, file=_file, target=_target: _link(place.bot / file, target),
        )


def _a_link_as_its_directory(place: Place) -> Path:
    _link(place.theirs / "tool", place.private)
    return place.theirs / "tool"


def _a_link_as_a_member(place: Place) -> None:
    _link(place.theirs / "tool", place.private)
    write(place.bot / "Evil.json", _config(teamMembers=["tool"]))


_add("link: its directory", _a_link_as_its_directory)
_add("link: a member's directory", _a_link_as_a_member)


def _named(name: str) -> Callable[[Place], Path]:
    def writes(place: Place) -> Path:
        directory = place.theirs / name.replace("{trophy}", f"{place.trophy}".replace("/", "$"))
        write(directory / f"{directory.name}.sh", thief(place))
        return directory

    return writes


for _name in (
    "$(id)",
    "`id`",
    "; id",
    "--bind",
    "-c",
    "a b\n c",
    "lib",
    ".venv",
    "python3",
    "../theirs/Other",
):
    _add(f"name: {_name!r}", _named(_name))


def _beside(name: str, prepare: Callable[[Place, Path], object]) -> Callable[[Place], None]:
    def writes(place: Place) -> None:
        write(place.bot / "Evil.sh", f"cat {place.theirs / name}/secret.* {place.theirs / name}/*/secret.*\n")
        prepare(place, place.theirs / name)

    return writes


for _library in _LIBRARIES:
    _add(f"beside it: {_library} is a link", _beside(_library, lambda p, f: _link(f, p.private)))
    _add(
        f"beside it: {_library} has a link",
        _beside(_library, lambda p, f: _link(f / "private", p.private)),
    )
    _add(
        f"beside it: {_library} has a Python",
        _beside(_library, lambda p, f: (write(f / "bin/python", thief(p)), write(f / "python3", thief(p)))),
    )

# ---- modules in place of others, with its directory as the working directory -------------------------------

for _module in ("turnwright", "json", "sitecustomize", "usercustomize", "os", "site"):
    _add(
        f"module: {_module}",
        lambda place, module=_module: (
            write(place.bot / "Evil.py", "import turnwright\n"),
            write(place.bot / f"{module}.py", f"open({str(place.trophy)!r}, 'w')\n"),
        ),
    )
for _program in ("python", "python3", "bwrap", "java", "id", "setpriv"):
    _add(
        f"program in the working directory: {_program}",
        lambda place, program=_program: (
            write(place.bot / "Evil.py", "import turnwright\n"),
            write(place.bot / program, thief(place)),
        ),
    )


# ---- tried -------------------------------------------------------------------------------------------------


@contextmanager
def _working_in(directory: Path) -> Iterator[None]:
    """Work in a bot's directory, with a PATH that names it by relative folders."""
    before, path = os.getcwd(), os.environ["PATH"]
    os.chdir(directory)
    os.environ["PATH"] = f".::../Friend:{path}"
    try:
        yield
    finally:
        os.chdir(before)
        os.environ["PATH"] = path


def prepared(attack: Attack, place: Place) -> str:
    """Prepare the start of a bot, as every command does, and return how it escaped, or ""."""
    place.set_up()
    directory = attack(place)
    with _working_in(directory), suppress(TurnwrightError):
        for entry in members(load(directory)):
            source_hash(entry.directory)
            program = program_of(command(entry), entry.directory)
            if any(_shows(shown, place.private) for shown in program.readable):
                return f"the sandbox would show {program.readable}"
            if SECRET in repr(entry):
                return "the secret is in its description"
    return "it ran outside" if place.trophy.exists() else ""


def _shows(shown: str, private: Path) -> bool:
    real = os.path.realpath(shown)
    return f"{private}/".startswith(f"{real}/") or real.startswith(f"{private}/")


async def _started(processes: BotProcesses, directory: Path) -> str:
    """Start a sandboxed bot, and return what it printed."""

    async def listen(bound: socket, _name: str) -> Callable[[], None]:
        return bound.close

    sandboxes, printed = Sandboxes(listen), []
    for entry in members(load(directory)):
        sandboxed = await sandboxes.start(
            processes, entry.directory.name, command(entry), entry.directory, sandboxes.environment()
        )
        with suppress(TimeoutError):
            async with asyncio.timeout(_END_S):
                await sandboxed.process.exited.wait()
        await sandboxed.process.stop()
        printed += sandboxed.process.output.last_lines()
    return "\n".join(printed)


async def _played(processes: BotProcesses, attack: Attack, place: Place) -> str:
    """Start a bot in a sandbox; return how it escaped, or ""."""
    place.set_up()
    directory = attack(place)
    for folder in (place.root, place.theirs, place.private):
        folder.chmod(0o755)
    with _working_in(directory):
        try:
            printed = await _started(processes, directory)
        except TurnwrightError as error:
            printed = str(error)
    if SECRET in printed:
        return f"it read the operator's secret: {printed}"
    return "it ran outside" if place.trophy.exists() else ""


async def played(attacks: Mapping[str, Attack], root: Path) -> dict[str, str]:
    """Start bots one after another, with one guard of processes. Return how bots escaped, by attack."""
    escaped = {}
    async with BotProcesses() as processes:
        for number, (name, attack) in enumerate(attacks.items()):
            try:
                how = await _played(processes, attack, Place(root / str(number)))
            except Exception as error:
                how = f"{type(error).__name__}: {error}"
            if how:
                escaped[name] = how
    return escaped


def main() -> None:
    """Play all attacks; print those that escaped, and how many there were."""
    groups: dict[str, dict[str, Attack]] = {}
    for name, attack in ATTACKS.items():
        kind = name.partition(":")[0]
        groups.setdefault(name if kind in _AT_THE_GUARD else kind, {})[name] = attack
    escaped = {}
    with tempfile.TemporaryDirectory(prefix="turnwright-uploads-") as folder:
        Path(folder).chmod(0o755)
        for number, group in enumerate(groups.values()):
            escaped |= asyncio.run(played(group, Path(folder) / str(number)))
    print(json.dumps({"attacks": sum(map(len, groups.values())), "escaped": escaped}))


if __name__ == "__main__":
    main()
