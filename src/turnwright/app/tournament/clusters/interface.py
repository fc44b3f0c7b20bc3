"""The interface to a cluster engine (Dask, Ray): what tournaments need of one."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Protocol

from turnwright.errors import SetupError

__all__ = ["CONNECT_S", "ClusterEngine", "knock"]

CONNECT_S = 10.0
"""Seconds in which a cluster must answer."""


class ClusterEngine(Protocol):
    """Runs `play_remote` on the workers of a cluster.

    A future of `submit` raises WorkerLost when the job was lost with its worker, SetupError when the cluster
    is gone.
    """

    where: str

    def workers(self) -> int:
        """Return how many jobs run at once; it may change at any time."""
        ...

    def keep(self, digest: str, archive: bytes) -> None:
        """Hold an archive, by its hash, for workers to fetch."""
        ...

    def submit(self, key: str, job: bytes, archives: Sequence[str]) -> Future[bytes]:
        """Begin a job.

        key: equal keys are one job. archives: hashes of those that it may fetch.
        """
        ...

    def stop(self) -> None:
        """Let go of the cluster, whatever runs there."""
        ...


def knock(address: str, where: str) -> None:
    """Check that something listens at HOST:PORT, since engines try for long.

    Raises: SetupError.
    """
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_S).close()
    except (OSError, ValueError, OverflowError) as error:
        raise SetupError(f"{where} does not answer: {error}: start it, and check the address") from None
