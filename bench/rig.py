"""Shared parts of the benches: options, C programs, servers, official servers as peers, the swarm, tables.

Everything runs on this machine, on the loopback addresses, and ends with the bench.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
OUT = HERE / "out"
CONTROLLER_SECRET, BOT_SECRET = "csec", "bsec"
INTENT = '{"type":"BotIntent","turnRate":5,"gunTurnRate":5,"radarTurnRate":45}'
LISTEN_LIMIT_S = 60.0
SETTLE_S = 0.7


@dataclass(frozen=True)
class Contestant:
    """A server to measure.

    Attributes:
        command: with {port} and {tps}.
        environment: variables in addition to those of this process.
    """

    name: str
    command: str
    environment: tuple[tuple[str, str], ...] = ()


_SERVE = "serve --port {port} --tps={tps}"
_NOT_COMPILED = (
    "import sys; sys.modules['turnwright_tank.backends._rules'] = None;"
    " from turnwright.cli.__main__ import main; sys.exit(main())"
)
_SECRETS = (
    ("TURNWRIGHT_CONTROLLER_SECRETS", CONTROLLER_SECRET),
    ("TURNWRIGHT_BOT_SECRETS", BOT_SECRET),
)
_PYTHON = shlex.quote(sys.executable)
COMPILED = Contestant("turnwright, compiled rules", f"{_PYTHON} -m turnwright.cli {_SERVE}", _SECRETS)
INTERPRETED = Contestant(
    "turnwright, interpreted rules", f"{_PYTHON} -c {shlex.quote(_NOT_COMPILED)} {_SERVE}", _SECRETS
)
BARE = Contestant("bare loop in C (moves bytes only)", f"{OUT / 'bare'} -p {{port}}")

_PEER_CACHE = Path.home() / ".cache" / "turnwright" / "peer"
_PEER = ("dev.robocode.tankroyale", "robocode-tankroyale-server", "[1.0,)")
_PEER_OPTIONS = "--port={port} --controller-secrets=csec --bot-secrets=bsec --tps={tps}"
_PEER_MAIN = "dev.robocode.tankroyale.server.MainKt"
_FETCH_TIMEOUT_S = 600

_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>scratch</groupId><artifactId>scratch</artifactId><version>1</version><dependencies><dependency>
<groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency></dependencies></project>
"""


@dataclass(frozen=True)
class Running:
    """A started server."""

    port: int
    pid: int


@dataclass(frozen=True)
class Swarm:
    """Options of the swarm.

    Attributes:
        width, height: of the arena.
        timeout_us: the timeout of an answer.
        measure_s: the measured time. It is shorter if the battle ends earlier.
    """

    bots: int
    width: int = 800
    height: int = 600
    observers: int = 0
    timeout_us: int = 30_000
    warm_s: float = 6.0
    measure_s: float = 6.0
    intent: str = INTENT
    rounds: int = 1

    @classmethod
    def of(cls, bots: int, **options: Any) -> Swarm:
        """Return a swarm in an arena of 800×600, or of 5000×5000 for 50 bots or more."""
        side = {"width": 5000, "height": 5000} if bots >= 50 else {}
        return cls(bots, **{**side, **options})


class _Help(argparse.RawDescriptionHelpFormatter, argparse.ArgumentDefaultsHelpFormatter):
    def _get_help_string(self, action: argparse.Action) -> str | None:
        return super()._get_help_string(action) if action.default else action.help


def parser(doc: str | None) -> argparse.ArgumentParser:
    """Return a parser whose `--help` prints a bench's docstring and the defaults of options."""
    return argparse.ArgumentParser(description=doc, formatter_class=_Help)


def build(name: str) -> Path:
    """Compile bench/NAME.c if it is newer than its program in bench/out, and return the program."""
    source, program = HERE / f"{name}.c", OUT / name
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        OUT.mkdir(exist_ok=True)
        subprocess.run(["cc", "-O2", "-o", str(program), str(source)], check=True)
    return program


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_until_listening(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + LISTEN_LIMIT_S
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended at once, exit code {process.returncode}")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError("the server does not listen")


@contextmanager
def serving(contestant: Contestant, tps: int = -1) -> Iterator[Running]:
    """Start a server on a free port, and wait until it listens. At the end, stop it and its children."""
    build("bare")
    port = _free_port()
    log = OUT / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            shlex.split(contestant.command.format(port=port, tps=tps)),
            env={**os.environ, **dict(contestant.environment)},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
        try:
            _wait_until_listening(port, process)
            time.sleep(SETTLE_S)
            yield Running(port, process.pid)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()


@contextmanager
def playing(server: Running, swarm: Swarm) -> Iterator[subprocess.Popen[str]]:
    """Start the swarm on a server. Its standard output has the measurements as JSON. At the end, kill it."""
    words: dict[str, object] = {"-p": server.port, "-n": swarm.bots, "-W": swarm.width, "-H": swarm.height}
    words |= {"-o": swarm.observers, "-w": swarm.warm_s, "-t": swarm.measure_s, "-T": swarm.timeout_us}
    words |= {
        "-P": server.pid,
        "-s": CONTROLLER_SECRET,
        "-b": BOT_SECRET,
        "-i": swarm.intent,
        "-r": swarm.rounds,
    }
    command = [str(build("swarm")), *(str(word) for pair in words.items() for word in pair)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def play(server: Running, swarm: Swarm, *, watch_metrics: bool = False) -> dict[str, Any]:
    """Play a swarm on a server, and return its measurements and the server's "rss_kb".

    "metrics" are the last metrics of the server with watch_metrics, and None without.

    Raises:
        RuntimeError: the swarm failed.
    """
    with playing(server, swarm) as process:
        seen = None
        if watch_metrics:
            time.sleep(swarm.warm_s + swarm.measure_s)
            seen = metrics(server.port)
        out, err = process.communicate(timeout=swarm.warm_s + swarm.measure_s + 60)
    if process.returncode:
        raise RuntimeError(f"the swarm ended with exit code {process.returncode}: {err.strip()[-300:]}")
    result: dict[str, Any] = json.loads(out)
    return {**result, "rss_kb": rss_kb(server.pid), "metrics": seen}


def find_peers() -> tuple[list[Contestant], str]:
    """Return the available official servers, and a line that names them or says why there is none.

    TURNWRIGHT_PEERS='NAME=command … {port} {tps} ;; NAME=…' names servers. Their secrets must be csec
    (controllers) and bsec (bots). Otherwise, mvn fetches the newest server from Maven Central. This server
    listens on all interfaces, so run it in a closed network.
    """
    if named := os.environ.get("TURNWRIGHT_PEERS"):
        pairs = [entry.strip().partition("=") for entry in named.split(";;")]
        peers = [Contestant(name, command) for name, _, command in pairs]
        return peers, f"peers: {', '.join(peer.name for peer in peers)} (TURNWRIGHT_PEERS)"
    if not shutil.which("mvn") or not shutil.which("java"):
        return [], "no peer: there is no mvn and java, and TURNWRIGHT_PEERS is not set"
    if not any(_PEER_CACHE.glob("*-server-*.jar")) and (problem := _fetch()):
        return [], f"no peer: {problem}; TURNWRIGHT_PEERS may name one"
    jar = max(_PEER_CACHE.glob("*-server-*.jar"))
    version = jar.stem.rsplit("-", 1)[1]
    command = f"java -cp {_PEER_CACHE}/* {_PEER_MAIN} {_PEER_OPTIONS}"
    return [Contestant(f"official server {version}", command)], f"peer: {jar.name}"


def _fetch() -> str | None:
    """Fetch the newest server and its dependencies, and return the error, or None."""
    _PEER_CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch, "pom.xml").write_text(_POM.format(*_PEER), encoding="utf-8")
        command = ["mvn", "-B", "-q", "dependency:copy-dependencies", f"-DoutputDirectory={_PEER_CACHE}"]
        done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, timeout=_FETCH_TIMEOUT_S)
    if done.returncode == 0:
        return None
    if "No versions available" in done.stdout:
        return f"the registry has no {':'.join(_PEER[:2])}"
    return f"mvn failed: {done.stdout.strip()[:200]}"


def metrics(port: int) -> dict[str, float]:
    """Return the metrics of our server: "name{labels}" → value."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    lines = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in lines}


def summary_us(seen: dict[str, float], name: str, labels: str = "") -> dict[str, float]:
    """Return mean, p50, p95 and p99 in µs of a summary in /metrics."""
    found = {}
    for quantile in ("0.5", "0.95", "0.99"):
        inner = ",".join(part for part in (labels, f'quantile="{quantile}"') if part)
        found[f"p{float(quantile) * 100:g}"] = seen[f"{name}{{{inner}}}"] * 1e6
    outer = f"{{{labels}}}" if labels else ""
    count = seen[f"{name}_count{outer}"]
    found["mean"] = seen[f"{name}_sum{outer}"] / count * 1e6 if count else 0.0
    return found


def rss_kb(pid: int) -> int:
    """Return the resident memory of a process, or 0 if it is unknown."""
    text = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+)", text)
    return int(found[1]) if found else 0


def median_of(values: Iterable[float], digits: int = 0) -> str:
    """Return "median (min … max)"."""
    all_values = sorted(values)
    low, high = all_values[0], all_values[-1]
    return f"{statistics.median(all_values):,.{digits}f} ({low:,.{digits}f} … {high:,.{digits}f})"


def markdown(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table in Markdown."""
    lines = [" | ".join(head), " | ".join("---" for _ in head)]
    lines += [" | ".join(str(cell) for cell in row) for row in rows]
    return "\n".join(f"| {line} |" for line in lines)
