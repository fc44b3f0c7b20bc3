"""Battles on a Ray cluster, whose objects are the archives of bots."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any

from turnwright.errors import SetupError
from turnwright_league.app.clusters.interface import ClusterWorker, RemoteAnswer, knock
from turnwright_league.app.clusters.remote import play_remote
from turnwright_league.app.pool import WorkerLost

_COUNT_EVERY_S = 2.0
_NODE = "ray.io/node-id"
"""The label by which Ray knows a machine."""
_RETRIES = 3
"""How often Ray begins a battle again after its worker or machine was lost."""


class RayEngine:
    """A driver of Ray. A worker is a machine (node).

    Args:
        address: ray://HOST:PORT, or "" for the cluster that runs this program (RAY_ADDRESS). Without such a
            cluster, "" starts one on this machine that ends with the program.
        resource: a resource that a machine must have to play, or None.

    Raises:
        SetupError: Ray is not installed, or the cluster does not answer.
    """

    def __init__(self, address: str, resource: str | None = None) -> None:
        try:
            os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
            import ray
        except ImportError:
            raise SetupError("clusters of Ray need the extra [ray]: pip install 'turnwright[ray]'") from None
        self._ray: Any = ray
        self.where = f"the Ray cluster at {address}" if address else "Ray"
        self._resource = resource
        self._counted: Sequence[ClusterWorker] = ()
        self._counted_at = 0.0
        self._kept: dict[str, Any] = {}
        self._jobs: dict[str, Any] = {}
        if address:
            knock(address.removeprefix("ray://"), self.where)
        with suppress(AttributeError):  # it prints what machines report to stdout, among our results
            ray._private.worker.print_to_stdstream = _ignore
        own = {} if address or "RAY_ADDRESS" in os.environ else {"include_dashboard": False}
        try:
            ray.init(address or None, log_to_driver=False, logging_level=logging.CRITICAL, **own)
        except Exception as error:  # of any kind: any program may listen there
            why = " ".join(str(error).split())[:200] or type(error).__name__
            raise SetupError(f"{self.where} does not answer: {why}: check its address and versions") from None
        resources = None if resource is None else {resource: 1}
        self._options: dict[str, Any] = {"num_cpus": 1, "max_retries": _RETRIES, "resources": resources}
        self._play = ray.remote(**self._options)(_play)

    def workers(self) -> Sequence[ClusterWorker]:
        """Return the machines of the cluster, counted at most _COUNT_EVERY_S ago.

        Each plays one battle for each processor, or for each unit of the resource if there are fewer.

        Raises:
            SetupError: the cluster is gone.
        """
        now = time.monotonic()
        if not self._counted_at or now - self._counted_at > _COUNT_EVERY_S:
            try:
                nodes = [node for node in self._ray.nodes() if node["Alive"]]
            except Exception as error:
                raise self._gone(error) from None
            wanted = ["CPU"] if self._resource is None else ["CPU", self._resource]
            self._counted = [
                ClusterWorker(node["NodeID"], int(min(node["Resources"].get(one, 0) for one in wanted)))
                for node in nodes
            ]
            self._counted_at = now
        return self._counted

    def keep(self, digest: str, archive: Path) -> None:
        """Provide an archive for workers to fetch."""
        self._kept[digest] = self._ray.put(archive.read_bytes())

    def submit(
        self, key: str, job: bytes, archives: Sequence[str], without: Collection[str]
    ) -> Future[RemoteAnswer]:
        """Begin a job, and return its future answer.

        Raises:
            SetupError: the cluster is gone.
        """
        references = {digest: [self._kept[digest]] for digest in archives}  # lists: Ray sends what is in none
        answer: Future[RemoteAnswer] = Future()
        try:
            self._jobs[key] = self._without(without).options(name=key).remote(job, references)
            inner = self._jobs[key].future()
        except Exception as error:
            raise self._gone(error) from None
        inner.add_done_callback(lambda done: self._pass_on(key, done, answer))
        return answer

    def _without(self, nodes: Collection[str]) -> Any:
        """Return the function that plays a job.

        If this version of Ray knows labels, the job runs only on machines that are not in `nodes`.
        """
        if nodes:
            with suppress(ValueError):
                return self._ray.remote(
                    **self._options, label_selector={_NODE: f"!in({','.join(sorted(nodes))})"}
                )(_play)
        return self._play

    def drop(self, key: str) -> str:
        """Give up a job that takes too long, and end its process. Return "": Ray does not name the worker."""
        with suppress(Exception):
            self._ray.cancel(self._jobs[key], force=True)
        return ""

    def _pass_on(self, key: str, done: Future[Any], answer: Future[RemoteAnswer]) -> None:
        self._jobs.pop(key, None)
        errors = self._ray.exceptions
        error = done.exception()
        lost = (
            errors.WorkerCrashedError,
            errors.NodeDiedError,
            errors.OutOfMemoryError,
            errors.ObjectLostError,
            errors.LocalRayletDiedError,
        )
        if error is None:
            answer.set_result(done.result())
        elif isinstance(error, lost):
            answer.set_exception(WorkerLost(str(error).split("\n")[0][:200]))
        elif isinstance(error, errors.RayTaskError):
            answer.set_exception(SetupError(f"a worker of {self.where} cannot play: {_last_line(error)}"))
        else:
            answer.set_exception(self._gone(error))

    def _gone(self, error: BaseException) -> SetupError:
        why = " ".join(str(error).split())[:200]
        return SetupError(
            f"{self.where} does not answer any more ({why}): no result is lost; run the same"
            " command when it is back"
        )

    def stop(self) -> None:
        """Disconnect from the cluster. Ray ends what still runs there."""
        self._ray.shutdown()


def _ignore(*_: Any, **__: Any) -> None:
    """Replaces a function of Ray that prints."""


def _last_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[-1][:200]


def _play(job: bytes, archives: Mapping[str, Sequence[Any]]) -> RemoteAnswer:
    """Play a job. This runs on a worker."""
    import ray

    def fetch(digest: str) -> bytes:
        found: bytes = ray.get(archives[digest][0])
        return found

    return ray.get_runtime_context().get_node_id(), play_remote(job, fetch)
