"""Play the golden battles on every other available CPython, and on arm64.

    python packages/tank/tests/golden/cross.py [--strict]

Interpreters on the PATH and in ~/.pyenv, Debian's stable and newest python3, and Debian's python3 for arm64
under qemu. msgspec, the rules' only need, comes as a wheel for each. Everything is kept in
~/.cache/turnwright/golden. An unavailable interpreter is named with the reason; with --strict that fails.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from turnwright_tank.backends import extension

ROOT = Path(__file__).resolve().parents[4]
CACHE = Path.home() / ".cache" / "turnwright" / "golden"
OLDEST = (3, 11)
NEWEST_MINOR = 19
DEBIAN = (("amd64", "stable"), ("amd64", "sid"), ("arm64", "stable"))
PLATFORMS = ("manylinux2014", "manylinux_2_17", "manylinux_2_28")
ASK = "import json, platform, sys; print(json.dumps([sys.version_info[:3], platform.machine()]))"
STEP_TIMEOUT_S = 600


class CannotBeHadError(Exception):
    """An interpreter, or what it needs, is not available here. The text says why."""


@dataclass(frozen=True)
class Interpreter:
    """A command that runs a CPython.

    Attributes:
        version: (major, minor, micro).
    """

    command: tuple[str, ...]
    version: tuple[int, ...]
    machine: str

    @property
    def label(self) -> str:
        return f"CPython {'.'.join(map(str, self.version))} {self.machine}"


def ask(command: list[str]) -> Interpreter:
    """Return the interpreter that a command runs.

    Raises:
        CannotBeHadError: it does not run.
    """
    try:
        done = subprocess.run([*command, "-c", ASK], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise CannotBeHadError(f"{command[-1]} does not run: {error}") from error
    version, machine = json.loads(done.stdout)
    return Interpreter(tuple(command), tuple(version), machine)


def installed() -> Iterator[list[str]]:
    """Yield the commands of the interpreters that are installed here."""
    names = [f"python3.{minor}" for minor in range(OLDEST[1], NEWEST_MINOR + 1)]
    for folder in [Path("/usr/bin"), *sorted((Path.home() / ".pyenv" / "versions").glob("*/bin"))]:
        yield from ([str(folder / name)] for name in names if (folder / name).exists())
    yield from ([path] for name in names if (path := shutil.which(name)) and ".pyenv/shims" not in path)


def of_debian(architecture: str, suite: str) -> list[str]:
    """Return the command of Debian's python3. Unpack it into CACHE if it is missing.

    Raises:
        CannotBeHadError: it cannot be unpacked.
    """
    script = str(Path(__file__).with_name("debian_python.sh"))
    folder = CACHE / f"{architecture}-{suite}"
    done = subprocess.run(
        [script, architecture, suite, str(folder)], capture_output=True, text=True, timeout=STEP_TIMEOUT_S
    )
    if done.returncode:
        raise CannotBeHadError(done.stderr.strip() or f"exit code {done.returncode}")
    return shlex.split(done.stdout)


def site_of(interpreter: Interpreter) -> Path:
    """Return a folder with msgspec for an interpreter. Install it if it is missing.

    Raises:
        CannotBeHadError: it cannot be installed.
    """
    minor = ".".join(map(str, interpreter.version[:2]))
    folder = CACHE / f"site-{minor}-{interpreter.machine}"
    if (folder / "msgspec").exists():
        return folder
    platforms = [f"--platform={name}_{interpreter.machine}" for name in PLATFORMS]
    pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps"]
    pip += ["--only-binary=:all:", f"--python-version={minor}", *platforms, f"--target={folder}", "msgspec"]
    done = subprocess.run(pip, capture_output=True, text=True, timeout=STEP_TIMEOUT_S)
    if done.returncode:
        raise CannotBeHadError(f"no msgspec for it: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
    return folder


def play_on(interpreter: Interpreter) -> tuple[bool, str]:
    """Play the golden battles, and return whether the digests are the same, and the output.

    On this machine's architecture, play them with compiled rules, too, if the extension is available. It is
    for all versions of Python.

    Raises:
        CannotBeHadError: msgspec cannot be installed.
    """
    good, said = _played(interpreter, "interpreted")
    if good and extension.available() and interpreter.machine == os.uname().machine:
        good, more = _played(interpreter, "compiled")
        said = f"{said}\n{more}"
    return good, said


def _played(interpreter: Interpreter, speed: str) -> tuple[bool, str]:
    path = os.pathsep.join(
        map(str, (site_of(interpreter), ROOT / "packages/core/src", ROOT / "packages/tank/src", ROOT))
    )
    env = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [*interpreter.command, "-m", "packages.tank.tests.golden.battles", "--speed", speed]
    if interpreter.machine != os.uname().machine:  # emulated: twenty times as slow
        command += ["--seats-max", "10"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=STEP_TIMEOUT_S)
    return done.returncode == 0, (done.stdout.strip() or done.stderr.strip()[-1500:])


def all_interpreters() -> Iterator[Interpreter | str]:
    """Yield each version and machine once, except this interpreter, and a text for each unavailable one."""
    seen = {(sys.version_info[:3], os.uname().machine)}
    for command in [*installed(), *DEBIAN]:
        try:
            words = of_debian(*command) if isinstance(command, tuple) else command
            interpreter = ask(words)
        except CannotBeHadError as error:
            yield f"{' '.join(command)}: {error}"
            continue
        key = (interpreter.version, interpreter.machine)
        if key not in seen and interpreter.version >= OLDEST:
            seen.add(key)
            yield interpreter


def main() -> int:
    """Play on every platform and print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strict", action="store_true", help="fail for an interpreter that cannot be had")
    strict = parser.parse_args().strict
    same, failed, not_had = 0, 0, 0
    for interpreter in all_interpreters():
        try:
            good, said = (False, "") if isinstance(interpreter, str) else play_on(interpreter)
        except CannotBeHadError as error:
            interpreter = f"{interpreter.label}: {error}" if isinstance(interpreter, Interpreter) else ""
        if isinstance(interpreter, str):
            not_had += 1
            print(f"not to be had: {interpreter}", flush=True)
        else:
            same, failed = same + good, failed + (not good)
            print(said if good else f"FAILED on {interpreter.label}: {said}", flush=True)
    print(f"golden digests on other interpreters: {same} the same, {failed} failed, {not_had} not to be had")
    return 1 if failed or (strict and not_had) else 0


if __name__ == "__main__":
    sys.exit(main())
