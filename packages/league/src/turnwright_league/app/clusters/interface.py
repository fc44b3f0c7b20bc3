"""The interface to a cluster engine (Dask or Ray)."""

from __future__ import annotations

import socket
from collections.abc import Collection, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from turnwright.errors import SetupError

CONNECT_S = 10.0
"""Seconds in which a cluster must answer."""

RemoteAnswer = tuple[str, object]
"""The name of the worker that played, and what it returned."""


@dataclass(frozen=True, slots=True)
class ClusterWorker:
    """A worker of a cluster, or a machine with several of them.

    Attributes:
        battles: the number of battles that it plays at the same time.
        trouble: why it cannot play, in a few words, or "".
    """

    name: str
    battles: int = 1
    trouble: str = ""


class ClusterEngine(Protocol):
    """Runs `play_remote` on the workers of a cluster.

    A future of `submit` raises WorkerLost if the job was lost with its worker, and SetupError if the cluster
    is gone.
    """

    where: str

    def workers(self) -> Sequence[ClusterWorker]:
        """Return the workers of the last count, which is at most some seconds old.

        Raises:
            SetupError: the cluster is gone.
        """
        ...

    def keep(self, digest: str, archive: Path) -> None:
        """Provide an archive, by its hash, for workers to fetch."""
        ...

    def submit(
        self, key: str, job: bytes, archives: Sequence[str], without: Collection[str]
    ) -> Future[RemoteAnswer]:
        """Begin a job.

        Args:
            key: the key of the job. Equal keys mean the same job.
            archives: the hashes of the archives that it may fetch.
            without: the workers that must not play it.
        """
        ...

    def drop(self, key: str) -> str:
        """Give up a job that takes too long. Return the worker that still plays it, or ""."""
        ...

    def stop(self) -> None:
        """Disconnect from the cluster, even if jobs are running there."""
        ...


def knock(address: str, where: str) -> None:
    """Check that something listens at HOST:PORT. Without this check, an engine tries to connect for a long
    time.

    Raises:
        SetupError: nothing answers at this address.
    """
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_S).close()
    except (OSError, ValueError, OverflowError) as error:
        raise SetupError(f"{where} does not answer: {error}: start it, and check the address") from None
