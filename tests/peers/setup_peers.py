"""Prepare the programs of another project that our tests play with.

    python tests/peers/setup_peers.py

makes, in ~/.cache/turnwright/peers (or the folder TURNWRIGHT_PEERS_CACHE), one virtual environment for each
version of the official Python bot API. It fetches the newest 1.x Java bot API from Maven Central with its
dependencies, if there is one, and the newest 1.x TypeScript bot API with a Node that it plays on. It makes
two environments with our packages: one with Ray, and one with PyTorch. A file there lists what is not
available, and why. All this takes about 900 MB, and 5.5 GB for PyTorch, whose packages for Linux bring CUDA.
TURNWRIGHT_JAVA_BOT_API may name a folder of jars to use instead of the fetched ones, and
TURNWRIGHT_TYPESCRIPT_BOT_API what `npm pack` made of the TypeScript API's source.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PYTHON_API_VERSIONS = ("1.0.2", "1.1.0", "1.2.0", "1.3.1", "1.4.0")
JAVA_BOT_API = ("dev.robocode.tankroyale", "robocode-tankroyale-bot-api", "[1.0,2.0)")
TYPESCRIPT_BOT_API = "@robocode.dev/tank-royale-bot-api"
NODE = "24"
"""The API plays in a worker thread, which Node below 22.18 cannot start from TypeScript under tsx."""
ROOT = Path(__file__).parents[2]
FETCH_TIMEOUT_S = 600
INSTALL_TIMEOUT_S = 1500
"""PyTorch's packages are gigabytes."""

_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>scratch</groupId><artifactId>scratch</artifactId><version>1</version><dependencies><dependency>
<groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency></dependencies></project>
"""


def cache() -> Path:
    """Return the folder that contains everything."""
    given = os.environ.get("TURNWRIGHT_PEERS_CACHE")
    return Path(given) if given else Path.home() / ".cache" / "turnwright" / "peers"


def python_of(version: str) -> Path | None:
    """Return the interpreter that has this version of the Python bot API, or None if it is not prepared."""
    folder = cache() / f"py-{version}"
    return folder / "bin" / "python" if (folder / ".ready").exists() else None


def ray_python() -> Path | None:
    """Return the interpreter that has Ray and turnwright's dependencies, or None if it is not prepared."""
    folder = cache() / "ray"
    return folder / "bin" / "python" if (folder / ".ready").exists() else None


def training_python() -> Path | None:
    """Return the interpreter with PyTorch and the other libraries for training, or None if it is missing."""
    folder = cache() / "training"
    return folder / "bin" / "python" if (folder / ".ready").exists() else None


def java_bot_api() -> list[Path]:
    """Return the jars of the Java bot API and its dependencies, or [] if there are none."""
    given = os.environ.get("TURNWRIGHT_JAVA_BOT_API")
    return sorted((Path(given) if given else cache() / "java-bot-api").glob("*.jar"))


def why_no_java() -> str | None:
    """Return the note that the registry had no Java bot API at the last request, or None."""
    note = cache() / "java-bot-api" / "not-to-be-had.txt"
    return note.read_text(encoding="utf-8").strip() if note.exists() else None


def typescript_bot_api() -> Path | None:
    """Return the node_modules with the TypeScript bot API, tsx and Node, or None where there are none."""
    folder = cache() / "typescript"
    return folder / "node_modules" if (folder / ".ready").exists() else None


def why_no_typescript() -> str | None:
    """Return the note that the registry had no TypeScript bot API at the last request, or None."""
    note = cache() / "typescript" / "not-to-be-had.txt"
    return note.read_text(encoding="utf-8").strip() if note.exists() else None


def prepare_python(version: str) -> str:
    """Make the virtual environment of one version, and return a line with the result."""
    if python_of(version):
        return f"Python bot API {version}: there"
    folder = cache() / f"py-{version}"
    shutil.rmtree(folder, ignore_errors=True)
    _install(folder, f"robocode-tank-royale=={version}")
    (folder / ".ready").touch()
    return f"Python bot API {version}: installed"


def prepare_ours(name: str, *wanted: str) -> str:
    """Make an environment with our packages, from their folders, and return a line with the result."""
    folder = cache() / name
    wanted = ("core", *wanted)
    projects = [ROOT / "packages" / one.partition("[")[0] / "pyproject.toml" for one in wanted]
    says = "".join([*wanted, *(project.read_text(encoding="utf-8") for project in projects)])
    ready = folder / ".ready"
    if ready.exists() and ready.read_text(encoding="utf-8") == says:
        return f"{name}: there"
    if not ready.exists():
        shutil.rmtree(folder, ignore_errors=True)
    places = [f"{ROOT}/packages/{one}" for one in wanted]
    _install(folder, "-c", str(ROOT / "requirements.lock"), *places)
    ready.write_text(says, encoding="utf-8")
    return f"{name}: installed"


def prepare_java() -> str:
    """Fetch the Java bot API, and return a line with the result."""
    if jars := java_bot_api():
        return f"Java bot API: {next((jar.name for jar in jars if 'bot-api' in jar.name), 'jars')}"
    folder = cache() / "java-bot-api"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "not-to-be-had.txt").unlink(missing_ok=True)
    if not shutil.which("mvn"):
        return "Java bot API: not fetched, there is no mvn"
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch, "pom.xml").write_text(_POM.format(*JAVA_BOT_API), encoding="utf-8")
        command = ["mvn", "-B", "-q", "dependency:copy-dependencies", f"-DoutputDirectory={folder}"]
        done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, timeout=FETCH_TIMEOUT_S)
    if done.returncode == 0:
        return f"Java bot API: {len(java_bot_api())} jars"
    if "No versions available" in done.stdout:
        text = "the registry has no 1.x version of " + ":".join(JAVA_BOT_API[:2])
        (folder / "not-to-be-had.txt").write_text(text + "\n", encoding="utf-8")
        return f"Java bot API: {text}"
    return f"Java bot API: not fetched: {done.stdout.strip()[:300] or 'mvn failed'}"


def prepare_typescript() -> str:
    """Fetch the TypeScript bot API, tsx and a Node, and return a line with the result."""
    if typescript_bot_api():
        return "TypeScript bot API: there"
    folder = cache() / "typescript"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "not-to-be-had.txt").unlink(missing_ok=True)
    if not shutil.which("npm"):
        return "TypeScript bot API: not fetched, there is no npm"
    api = os.environ.get("TURNWRIGHT_TYPESCRIPT_BOT_API") or f"{TYPESCRIPT_BOT_API}@1"
    command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder)]
    command += [api, "tsx@4", "ws@8", f"node@{NODE}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=FETCH_TIMEOUT_S)
    if done.returncode == 0:
        (folder / ".ready").touch()
        return "TypeScript bot API: installed"
    if "E404" in done.stderr and api.startswith(TYPESCRIPT_BOT_API):
        text = f"the registry has no {TYPESCRIPT_BOT_API}"
        (folder / "not-to-be-had.txt").write_text(text + "\n", encoding="utf-8")
        return f"TypeScript bot API: {text}"
    return f"TypeScript bot API: not fetched: {done.stderr.strip()[-300:] or 'npm failed'}"


def prepare() -> bool:
    """Prepare everything, with a line for each step, and return whether all that is available is there."""
    good = True
    for version in PYTHON_API_VERSIONS:
        try:
            print(prepare_python(version), flush=True)
        except (OSError, subprocess.SubprocessError) as error:
            good = False
            print(f"Python bot API {version}: NOT installed: {error}", flush=True)
    for name, *wanted in (("ray", "league[ray,dask]"), ("training", "tank", "learn[dev-train]")):
        try:
            print(prepare_ours(name, *wanted), flush=True)
        except (OSError, subprocess.SubprocessError) as error:
            good = False
            print(f"{name}: NOT installed: {error}", flush=True)
    print(prepare_java(), flush=True)
    print(prepare_typescript(), flush=True)
    good = good and bool(typescript_bot_api() or why_no_typescript())
    return good and bool(java_bot_api() or why_no_java())


def _install(folder: Path, *arguments: str) -> None:
    """Install into the virtual environment of a folder, which is made where there is none.

    Raises:
        CalledProcessError: a command failed.
        TimeoutExpired: a command took too long.
    """
    interpreter = str(folder / "bin" / "python")
    if not os.path.exists(interpreter):
        _run([sys.executable, "-m", "venv", "--without-pip", str(folder)])
    _run([sys.executable, str(ROOT / "tools" / "install.py"), interpreter, *arguments])


def _run(command: list[str]) -> None:
    subprocess.run(
        command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=INSTALL_TIMEOUT_S
    )


if __name__ == "__main__":
    sys.exit(0 if prepare() else 1)
