"""Builds the distributions once for all tests, and runs what a wheel installs, without this repository."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from release.build import Built, build, build_wheel, export

from tests.house.source import ROOT

__all__ = ["Installed", "built_once", "fetch", "from_the_source_itself", "install"]

GIVEN = "TURNWRIGHT_DIST"
"""A folder with distributions to try, from `make release`, and that the newest dependencies are wanted."""
_TIMEOUT_S = 280
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+\S*|http://localhost:\d+\S*")


def built_once(shared: Path) -> Built:
    """Return the distributions; the first process that asks builds them in the folder `shared`."""
    if given := os.environ.get(GIVEN):
        (sdist,), (wheel,) = Path(given).glob("*.tar.gz"), Path(given).glob("*.whl")
        return Built(sdist, wheel)
    dist = shared / "dist"
    with (shared / "dist.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not dist.is_dir():
            made = build(export(ROOT, shared / "source"), shared / "dist.new")
            made.wheel.parent.rename(dist)
    (sdist,), (wheel,) = dist.glob("*.tar.gz"), dist.glob("*.whl")
    return Built(sdist, wheel)


def from_the_source_itself(built: Built, folder: Path) -> Path:
    """Return a wheel that is built from the source, not from the sdist, with the same documentation."""
    import zipfile

    source = export(ROOT, folder / "source")
    with zipfile.ZipFile(built.wheel) as packed:
        (source / "src" / "turnwright" / "docs.tar.xz").write_bytes(packed.read("turnwright/docs.tar.xz"))
    return build_wheel(source, folder / "dist")


class Installed:
    """A virtual environment with the wheel alone. folder: empty, where commands run."""

    def __init__(self, environment: Path, folder: Path) -> None:
        self._bin = environment / "bin"
        self.folder = folder
        self.environ = {"PATH": f"{self._bin}:/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8"}

    def run(self, program: str, *words: str, cwd: Path | None = None, code: int = 0) -> str:
        """Run a program of the environment; return its standard output."""
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
        """Run a server; yield the addresses of its first lines. It must end well when it is told to."""
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


def install(wheel: Path, folder: Path) -> Installed:
    """Install a wheel into a new environment, as a newcomer does; return it."""
    environment, empty = folder / "environment", folder / "empty"
    empty.mkdir()
    subprocess.run([sys.executable, "-m", "venv", environment], check=True, timeout=_TIMEOUT_S)
    installed = Installed(environment, empty)
    locked = () if os.environ.get(GIVEN) else ("-c", str(ROOT / "requirements.lock"))
    installed.environ |= {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    installed.environ |= {
        name: os.environ[name] for name in ("PIP_CONFIG_FILE", "SSL_CERT_FILE") if name in os.environ
    }
    installed.run("python", "-m", "pip", "install", "-q", *locked, str(wheel))
    return installed


def fetch(address: str) -> bytes:
    """Return what a server answers."""
    with urlopen(address, timeout=_TIMEOUT_S) as answer:
        content: bytes = answer.read()
    return content
