"""Start a server, play one scenario on it, end it."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from packages.tank.tests.conformance.player import Message, Run, play_now

LISTEN_LIMIT_S = 120.0
SERVE = (
    f"{shlex.quote(sys.executable)} -m turnwright.cli serve --port {{port}} --controller-secrets csec "
    "--bot-secrets bsec --on-late next --on-disconnect official --max-skipped 0 --tps={tps} {args}"
)
"""Ours, with the options that make it behave as the official server where our defaults differ."""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_until_listening(port: int, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + LISTEN_LIMIT_S
    while time.monotonic() < end and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError("the server did not listen")


def play_on(serve: str, scenario: Message, log: Path) -> Run:
    """Play a scenario on a fresh server and return what was seen.

    Args:
        serve: with {port}, {tps} and {args}.

    Raises:
        RuntimeError: with the end of what the server said, which is all in `log`.
    """
    port, wanted = _free_port(), scenario["server"]
    command = shlex.split(serve.format(port=port, tps=wanted["tps"], args=" ".join(wanted["args"])))
    with log.open("wb") as out:
        server = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True
        )
        try:
            _wait_until_listening(port, server)
            return play_now(scenario, port)
        except Exception as error:
            tail = log.read_text(encoding="utf-8", errors="replace")[-1500:]
            raise RuntimeError(f"{error}; the server said: {tail}") from error
        finally:
            if server.poll() is None:
                os.killpg(server.pid, signal.SIGKILL)
            server.wait()
