"""Start a server, play one scenario on it, end it."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

from packages.core.tests.cli.running import free_port, wait_until_listening
from packages.tank.tests.conformance.player import Message, Run, play_now

SERVE = (
    f"{shlex.quote(sys.executable)} -m turnwright.cli serve --port {{port}} --controller-secrets csec "
    "--bot-secrets bsec --on-late next --on-disconnect official --max-skipped 0 --tps={tps} {args}"
)
"""Ours, with the options that make it behave as the official server where our defaults differ."""


def play_on(serve: str, scenario: Message, log: Path) -> Run:
    """Play a scenario on a new server and return the messages of its clients.

    Args:
        serve: the command of the server, with {port}, {tps} and {args}.

    Raises:
        RuntimeError: the scenario failed. The text has the end of the server's output, which is in `log`.
    """
    port, wanted = free_port(), scenario["server"]
    command = shlex.split(serve.format(port=port, tps=wanted["tps"], args=" ".join(wanted["args"])))
    with log.open("wb") as out:
        server = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True
        )
        try:
            wait_until_listening(port, server)
            return play_now(scenario, port)
        except Exception as error:
            tail = log.read_text(encoding="utf-8", errors="replace")[-1500:]
            raise RuntimeError(f"{error}; the server said: {tail}") from error
        finally:
            if server.poll() is None:
                os.killpg(server.pid, signal.SIGKILL)
            server.wait()
