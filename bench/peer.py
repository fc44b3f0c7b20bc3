"""The official server as a peer of the benches: the newest release that can be had, or those that are named.

    python bench/peer.py

1. TURNWRIGHT_PEERS='NAME=command … {port} {tps} ;; NAME=…' names servers got elsewhere. Their secrets
   must be csec (controllers) and bsec (bots).
2. Else the newest server in Maven Central, fetched with mvn into ~/.cache/turnwright/peer.

Nothing of it is part of this project. It listens on all interfaces: run it where nobody else can reach.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rig import Contestant

CACHE = Path.home() / ".cache" / "turnwright" / "peer"
SERVER = ("dev.robocode.tankroyale", "robocode-tankroyale-server", "[1.0,)")
OPTIONS = "--port={port} --controller-secrets=csec --bot-secrets=bsec --tps={tps}"
MAIN = "dev.robocode.tankroyale.server.MainKt"
FETCH_TIMEOUT_S = 600

_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>scratch</groupId><artifactId>scratch</artifactId><version>1</version><dependencies><dependency>
<groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency></dependencies></project>
"""


def find_peers() -> tuple[list[Contestant], str]:
    """Return the peers that there are, and a line that says what was found."""
    if named := os.environ.get("TURNWRIGHT_PEERS"):
        pairs = [entry.strip().partition("=") for entry in named.split(";;")]
        peers = [Contestant(name, command) for name, _, command in pairs]
        return peers, f"peers: {', '.join(peer.name for peer in peers)} (TURNWRIGHT_PEERS)"
    if not shutil.which("mvn") or not shutil.which("java"):
        return [], "no peer: there is no mvn and java, and TURNWRIGHT_PEERS is not set"
    if not any(CACHE.glob("*-server-*.jar")) and (problem := _fetch()):
        return [], f"no peer: {problem}; TURNWRIGHT_PEERS may name one"
    jar = max(CACHE.glob("*-server-*.jar"))
    version = jar.stem.rsplit("-", 1)[1]
    command = f"java -cp {CACHE}/* {MAIN} {OPTIONS}"
    return [Contestant(f"official server {version}", command)], f"peer: {jar.name}"


def _fetch() -> str | None:
    """Fetch the newest server and what it needs; return what went wrong."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch, "pom.xml").write_text(_POM.format(*SERVER), encoding="utf-8")
        command = ["mvn", "-B", "-q", "dependency:copy-dependencies", f"-DoutputDirectory={CACHE}"]
        done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, timeout=FETCH_TIMEOUT_S)
    if done.returncode == 0:
        return None
    if "No versions available" in done.stdout:
        return f"the registry has no {':'.join(SERVER[:2])}"
    return f"mvn failed: {done.stdout.strip()[:200]}"


if __name__ == "__main__":
    found, said = find_peers()
    print(said)
    sys.exit(0 if found else 1)
