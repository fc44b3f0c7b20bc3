"""`turnwright doctor`: lists the parts of turnwright that this machine can run, with advice."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import sysconfig
from dataclasses import asdict, dataclass, replace
from importlib import metadata
from typing import Literal

from turnwright._version import __version__
from turnwright.app.option_fields import option
from turnwright.cli.choice import JsonChoice
from turnwright.cli.parser import CommandSpec, GivenOptions, why_interpreted
from turnwright.cli.terminal import Style, print_json, table
from turnwright.errors import EXIT_INTERNAL, EXIT_OK, SetupError

_DESCRIPTION = """\
The exit code is 0. No process that the command starts is left running.

--sandbox starts a program in the sandbox, as `battle --sandbox full` starts a bot. The program tries to read
and write files of this machine, to connect to a port and to see other processes. If the program succeeds in
one of these attempts, the exit code is 1."""
_JSON = """\
The object has `version` and `checks`, a list of objects:

| Key | Value |
|---|---|
| `name` | what was checked |
| `state` | "ok", "missing", or "optional" (missing, but turnwright works without it) |
| `value` | what was found, or null |
| `advice` | what to do |

With `--sandbox` the object has other keys:

| Key | Value |
|---|---|
| `level` | "full" or "none" |
| `cause`, `cure` | why the sandbox is not available, and what to do |
| `memory` | what limits memory: "control group" or "watchdog" |
| `escaped` | what the test program could reach outside the sandbox |"""

DEFAULT_PORT = 7654
_ASK_TIMEOUT_S = 20.0
_VERSION = re.compile(r"\d+(\.\d+)+\S*")
_NODE_LEAST = (22, 18)
"""The first version of Node that runs TypeScript without other tools, also in a worker thread."""
_MARKS = {"ok": ("green", "ok"), "optional": ("yellow", "--"), "missing": ("red", "no")}


@dataclass(frozen=True, slots=True)
class Check:
    """The result of checking one part of the machine.

    Attributes:
        state: "optional" means that the part is missing and not needed.
        value: what was found, e.g. a version or a path. None means that nothing was found.
        advice: what the user can do to get this part.
    """

    name: str
    state: Literal["ok", "optional", "missing"]
    value: str | None
    advice: str = ""


@dataclass(frozen=True)
class DoctorOptions:
    """The settings of `turnwright doctor`."""

    python: str | None = option(None, "the interpreter for Python bots, as for `battle`", metavar="PATH")
    sandbox: bool = option(False, "test the sandbox with a program that tries to leave it")


def run(given: GivenOptions) -> int:
    """Print the results of all checks."""
    options, as_json = given.make(DoctorOptions), given.make(JsonChoice).json
    if options.sandbox:
        return _try_sandbox(as_json=as_json)
    checks = examine(options.python)
    if as_json:
        print_json({"version": __version__, "checks": [asdict(check) for check in checks]})
        return EXIT_OK
    style = Style(sys.stdout)
    rows = [
        (_MARKS[check.state][1], check.name, check.value or "not found", check.advice) for check in checks
    ]
    lines = table(("", "What", "Found", "Advice"), rows, "<" * 4, style)
    for check, line in zip(checks, lines[1:], strict=True):
        colour, mark = _MARKS[check.state]
        print(style.paint(mark, colour) + line[len(mark) :])
    return EXIT_OK


def _try_sandbox(*, as_json: bool) -> int:
    """Print the level of the sandbox, and whether a test program could get out of the sandbox."""
    from turnwright.net.sandbox.level import ability

    found = ability()
    if as_json:
        print_json(asdict(found))
    else:
        print(f"sandbox: {found.words}")
        if found.level == "full":
            print("A program in it could not read or write your files, connect, or see other processes.")
    return EXIT_INTERNAL if found.escaped else EXIT_OK


def _sandbox() -> Check:
    """Check which sandbox level this machine supports. A test program is started for this."""
    from turnwright.net.sandbox.level import ability

    found = ability()
    if found.level == "full":
        value = f"full (bubblewrap, memory limited by a {found.memory})"
        return Check("sandbox", "ok", value, "`turnwright doctor --sandbox` tests it")
    return Check("sandbox", "optional", f"none: {found.cause}", found.cure)


def examine(python: str | None = None) -> list[Check]:
    """Return the results of all checks, in the order of the output. Some checks start a program."""
    return [
        Check("turnwright", "ok", f"{__version__} on Python {sys.version.split()[0]} ({sys.executable})"),
        *_python_build(),
        *_rules(),
        *_python_bots(python),
        _java(),
        _dotnet(),
        _node(),
        _module("picows", "the fast WebSocket transport"),
        _module("uvloop", "the fast event loop"),
        _families(),
        _sandbox(),
        _port(),
    ]


def _python_build() -> list[Check]:
    """Return a warning if this Python was built without optimisations, otherwise an empty list.

    The check looks at a build option. A Linux distribution may optimise its Python without this option, so
    there is no warning for a Python below /usr.
    """
    options = sysconfig.get_config_var("CONFIG_ARGS") or ""
    if not options or "--enable-optimizations" in options or "'--prefix=/usr'" in options:
        return []
    advice = "a server is slower by a sixth; build Python with --enable-optimizations, or use your system's"
    return [Check("build of Python", "optional", "without optimisations", advice)]


def _rules() -> list[Check]:
    why = why_interpreted()
    if why is None:
        return []
    return [Check("rules", "optional", "interpreted", why) if why else Check("rules", "ok", "compiled")]


def _python_bots(python: str | None) -> list[Check]:
    """Check whether Python bots can be started, and which libraries for bots their Python has."""
    from turnwright.net.participants.command import choose_python
    from turnwright.net.participants.start_advice import OFFICIAL_MODULE, OFFICIAL_PACKAGE

    try:
        chosen = choose_python(python)
    except SetupError as error:
        return [Check("python bots", "missing", None, str(error))]
    path = shutil.which(chosen)
    version = _answer([path, "--version"]) if path else None
    if path is None or version is None:
        return [Check("python bots", "missing", None, "install Python, or give --python PATH")]
    advice = f"{path} -m pip install"
    return [
        Check("python bots", "ok", f"{version} ({path})"),
        _importable(path, OFFICIAL_MODULE, "its official bot API", f"{advice} {OFFICIAL_PACKAGE}"),
        _importable(
            path, "turnwright", "its turnwright library", "bots that use it are started with this one"
        ),
    ]


def _importable(python: str, module: str, name: str, advice: str) -> Check:
    code = f"import importlib.metadata as m, {module}; print(m.version({module.replace('_', '-')!r}))"
    version = _answer([python, "-c", code])
    return Check(name, "optional", None, advice) if version is None else Check(name, "ok", version)


def _java() -> Check:
    found = _program("java", "Java bots", ["-version"], "install a JDK (11 or newer) to play Java bots")
    if found.state == "ok" and shutil.which("javac") is None:
        return Check(
            found.name, "ok", found.value, "no javac: bots given as .java need a JDK, not only a JRE"
        )
    return found


def _dotnet() -> Check:
    found = _program("dotnet", ".NET bots", ["--version"], "install the .NET SDK to play .NET bots")
    if found.state == "ok":
        return replace(found, advice="starting them was tested with a stand-in, not with official bots")
    return found


def _node() -> Check:
    """Check whether Node is installed, and warn if it is older than _NODE_LEAST. Older versions cannot start
    the thread in which bots with the official API play.
    """
    found = _program("node", "TypeScript bots", ["--version"], "install Node.js to play TypeScript bots")
    version = _VERSION.search(found.value or "")
    if version is None or tuple(map(int, version[0].split(".")[:2])) >= _NODE_LEAST:
        return found
    least = ".".join(map(str, _NODE_LEAST))
    return replace(found, advice=f"official bots started with tsx never answer below Node {least}")


def _program(program: str, name: str, question: list[str], advice: str) -> Check:
    path = shutil.which(program)
    version = _answer([path, *question]) if path else None
    if path is None or version is None:
        return Check(name, "optional", None, advice)
    return Check(name, "ok", f"{program} {version} ({path})")


def _answer(argv: list[str]) -> str | None:
    """Run a program. Return the version that it prints, or None if it fails or prints no version."""
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=_ASK_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return None
    found = _VERSION.search(done.stdout + done.stderr) if done.returncode == 0 else None
    return found[0].strip('"') if found else None


def _module(module: str, name: str) -> Check:
    try:
        return Check(name, "ok", f"{module} {metadata.version(module)}")
    except metadata.PackageNotFoundError:
        return Check(name, "optional", None, f"pip install {module}; optional: it is slower without")


def _families() -> Check:
    """Check whether all processes that a bot starts end with its battle."""
    from turnwright.net.processes.guard import reaches_orphans

    if reaches_orphans():
        return Check("ending bots", "ok", "with all that they started (Linux child subreaper)")
    advice = (
        "a process that a bot starts detached and with an empty environment may survive:"
        " check after battles of such bots"
    )
    return Check("ending bots", "optional", "found by environment, session and parent", advice)


def _port() -> Check:
    """Check whether the default port of `turnwright serve` is free."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", DEFAULT_PORT))
        except OSError as error:
            advice = "`turnwright serve --port N` takes another one; `battle` needs no fixed port"
            return Check(f"port {DEFAULT_PORT}", "optional", error.strerror, advice)
    return Check(f"port {DEFAULT_PORT}", "ok", "free")


COMMAND = CommandSpec(
    run,
    _DESCRIPTION,
    (DoctorOptions, JsonChoice),
    examples={"": "list what is installed and what is missing", "--sandbox": "test the sandbox"},
    json=_JSON,
)
