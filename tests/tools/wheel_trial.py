"""Builds the distributions once for all tests, and runs what a wheel installs, without this repository."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from release.build import DOCS, Built, build, build_wheel, built_in, export

from tests.docs import site
from tests.house.source import ROOT
from tests.once import one_at_a_time

GIVEN = "TURNWRIGHT_DIST"
"""Names a folder with distributions from `make release`, to try with the newest dependencies."""
INSTALLED = ("turnwright", "turnwright-core", "turnwright-tank", "turnwright-league", "turnwright-world")
"""The tested distributions, those of `pip install 'turnwright[world]'`."""
_TIMEOUT_S = 280
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+\S*|http://localhost:\d+\S*")


def built_once(shared: Path) -> Mapping[str, Built]:
    """Return all distributions. The first process that asks builds them in the folder `shared`."""
    if given := os.environ.get(GIVEN):
        return built_in(ROOT, Path(given))
    dist = shared / "dist"
    with one_at_a_time(shared, "wheel"):
        if not dist.is_dir():
            build(export(ROOT, shared / "source"), shared / "dist.new", site.built_once(shared))
            (shared / "dist.new").rename(dist)
    return built_in(ROOT, dist)


def installed_once(built: Mapping[str, Built], shared: Path) -> Installed:
    """Return an environment with INSTALLED, in the folder `shared`. The first process that asks makes it."""
    done = shared / "wheel" / "done"
    with one_at_a_time(shared, "wheel"):
        if done.is_file():
            return Installed(done.parent)
        installed = _install([built[name].wheel for name in INSTALLED], done.parent)
        done.touch()
    return installed


def from_the_source_itself(built: Mapping[str, Built], name: str, folder: Path) -> Path:
    """Return a wheel that is built from the source, not from the sdist, with the same documentation."""
    source = export(ROOT, folder / "source")
    with zipfile.ZipFile(built["turnwright-core"].wheel) as packed:
        (source / DOCS).write_bytes(packed.read("turnwright/docs.tar.xz"))
    return build_wheel(source, name, folder / "dist")


class Installed:
    """A virtual environment with nothing but wheels.

    Attributes:
        folder: where commands run; all tests share it.
    """

    def __init__(self, at: Path) -> None:
        self._bin = at / "environment" / "bin"
        self.folder = at / "empty"
        self.environ = {"PATH": f"{self._bin}:/usr/bin:/bin", "HOME": str(self.folder), "LANG": "C.UTF-8"}

    def run(self, program: str, *words: str, cwd: Path | None = None, code: int = 0) -> str:
        """Run a program of the environment, and return its standard output. Fail for another exit code."""
        done = subprocess.run(
            [self._bin / program, *words],
            cwd=cwd or self.folder,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
        )
        assert done.returncode == code, f"{program} {words}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    @contextmanager
    def serving(self, *words: str, cwd: Path) -> Iterator[list[str]]:
        """Run a server, and yield the addresses of its first lines. Stopped, it must end without error."""
        server = subprocess.Popen(
            [self._bin / "turnwright", *words],
            cwd=cwd,
            env=self.environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert server.stdout is not None
        try:
            addresses: list[str] = []
            for line in server.stdout:
                addresses += _ADDRESS.findall(line)
                if addresses:
                    break
            assert addresses, f"{words} ended without an address"
            yield addresses
            server.send_signal(signal.SIGTERM)
            server.communicate(timeout=_TIMEOUT_S)
            assert server.returncode == 0
        finally:
            server.kill()
            server.communicate()


def _install(wheels: list[Path], at: Path) -> Installed:
    """Install wheels into a new environment, as a newcomer does."""
    installed = Installed(at)
    installed.folder.mkdir(parents=True)
    subprocess.run([sys.executable, "-m", "venv", at / "environment"], check=True, timeout=_TIMEOUT_S)
    locked = () if os.environ.get(GIVEN) else ("-c", str(ROOT / "requirements.lock"))
    registry = {
        name: value
        for name, value in os.environ.items()
        if name.startswith("PIP_") or name == "SSL_CERT_FILE"
    }
    install = ["-m", "pip", "install", "-q", *locked, *map(str, wheels)]
    done = subprocess.run(
        [at / "environment" / "bin" / "python", *install],
        cwd=installed.folder,
        env={**installed.environ, **registry},
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
    )
    assert done.returncode == 0, done.stderr
    return installed


def fetch(address: str) -> bytes:
    """Return the content at an address."""
    with urlopen(address, timeout=_TIMEOUT_S) as answer:
        content: bytes = answer.read()
    return content
