"""Tries attacks in the sandbox, with decoys outside, and reports which were refused.

attacks.py in a sandbox ──▶ its own server's port ──▶ how each attack went, as the attacker sees it
decoys of the host: ports, sockets, files, a process, another bot ──▶ whether one of them was reached
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packages.core.tests.net.sandbox import attacks
from turnwright.net.processes.bot_process import BotProcess, BotProcesses
from turnwright.net.sandbox.bubblewrap import PORT, SandboxLimits, python_of_ours
from turnwright.net.sandbox.cgroups import Groups, find_groups
from turnwright.net.sandbox.sandboxes import Sandboxes

if sys.platform == "linux":
    import resource

ATTACKS = (*attacks.QUIET, *attacks.DEADLY)
"""The names of all attacks."""
_HOST_SEES = {
    "connect to other ports of this machine",
    "send UDP",
    "ask DNS",
    "connect to an abstract Unix socket",
    "connect to a Unix socket in a folder",
    "talk to the other bot's port",
}
"""Attacks that succeeded if something reached a decoy."""
_ENDLESS = {"print 1 GB": 1.0, "keep every processor busy": 0.5, "hold it in many processes": 2.0}
"""Attacks that never end, and the seconds after which they are ended."""
_WATCHED = {"hold it in many processes": 30.0}
"""Attacks that a watchdog for memory ends, with or without their sandbox, and the most seconds until then."""
_ATTACK_TIMEOUT_S = 8.0
_SOON_S = 2.0
_KEPT_BYTES_MAX = 64 << 10
_TRIAL_LIMITS = SandboxLimits(memory_mib=96, tasks=64, file_mib=16, files=2_000)
"""Limits that are lower than in a battle, so that attacks reach them soon."""


@dataclass(frozen=True, slots=True)
class AttackResult:
    """The result of one attack.

    Attributes:
        escaped: whether it succeeded.
        said: the evidence of its success, or the error that refused it.
    """

    name: str
    escaped: bool
    said: str


class SandboxTrial:
    """Sandboxes with attackers, and their decoys outside. Use it as a context manager.

    Args:
        folder: for the decoys and the attackers' directories.
        groups: where control groups can be made; None: looked up.
    """

    def __init__(self, folder: Path, groups: Groups | None = None) -> None:
        self.secret = f"secret-{secrets.token_hex(8)}"
        self.mark = f"turnwright-decoy-{secrets.token_hex(8)}"
        self.reached: set[str] = set()
        self._folder = folder
        self._groups = groups
        self._sockets: dict[str, socket.socket] = {}
        self._closing = contextlib.ExitStack()
        self._listeners: asyncio.Queue[socket.socket] = asyncio.Queue()

    def __enter__(self) -> SandboxTrial:
        folder = self._folder
        folder.chmod(0o755)
        (folder / "secret").write_text(self.secret)
        for name in ("attacker", "other"):
            (folder / name).mkdir()
            shutil.copy(attacks.__file__, folder / name / "attacks.py")
        (folder / "other" / "code").write_text(self.secret)
        (folder / "attacker" / "link").symlink_to(folder / "secret")
        self._open("tcp", socket.AF_INET, ("127.0.0.1", 0))
        self._open("udp", socket.AF_INET, ("127.0.0.1", 0), socket.SOCK_DGRAM)
        self._open("abstract", socket.AF_UNIX, f"\0{self.mark}")
        self._open("unix", socket.AF_UNIX, str(folder / "socket"))
        self.victim = subprocess.Popen(
            [f"sleep-{self.secret}", "600"],
            executable=shutil.which("sleep"),
            env={"MARK": self.secret},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._closing.callback(self._end_victim)
        os.environ["TURNWRIGHT_DECOY"] = self.secret
        self._closing.callback(os.environ.pop, "TURNWRIGHT_DECOY", None)
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def _open(self, name: str, family: int, address: Any, kind: int = socket.SOCK_STREAM) -> None:
        one = self._closing.enter_context(socket.socket(family, kind))
        one.bind(address)
        if kind == socket.SOCK_STREAM:
            one.listen()
        one.setblocking(False)
        self._sockets[name] = one

    def _end_victim(self) -> None:
        self.victim.kill()
        self.victim.wait()

    # ---- attackers -------------------------------------------------------------------------------------

    async def quiet(self, only: Sequence[str] = ()) -> list[AttackResult]:
        """Try the attacks that leave their attacker alive, while another bot plays. Return the results."""
        names = [name for name in attacks.QUIET if not only or name in only]
        async with BotProcesses() as processes:
            other, others_port = await self._started(processes, "other", [], stay_s=60)
            attacker, listener = await self._started(processes, "attacker", names)
            with listener, others_port:
                told = await self.told(listener, len(names), attacker)
                self._note(others_port, "talk to the other bot's port", skip=1)
            alive = not other.exited.is_set()
        found = [self._judged(name, told) for name in names]
        if not alive:
            found.append(AttackResult("end another bot", True, "the other bot has ended"))
        return found

    async def deadly(self, name: str) -> AttackResult:
        """Try one attack in its own sandbox, check what it leaves on the host, and return the result."""
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        async with BotProcesses() as processes:
            attacker, listener = await self._started(processes, "attacker", [name])
            with listener:
                groups = find_groups() if self._groups is None else self._groups
                ending = {} if groups.limit_memory else _WATCHED
                wait_s = {**_ENDLESS, **ending}.get(name, _ATTACK_TIMEOUT_S)
                told = await self.told(listener, 1, attacker, wait_s)
            await attacker.stop(0.0)
            how = attacker.exit_text()
            printed = sum(map(len, attacker.output.last_lines()))
        result = self._judged(name, told)
        if left := await _left_of(self.mark):
            return AttackResult(name, True, f"processes {left} live on")
        if self.victim.poll() is not None:
            return AttackResult(name, True, "a process of the host was ended")
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        if printed > _KEPT_BYTES_MAX or grown > (_KEPT_BYTES_MAX >> 10) * 512:
            return AttackResult(name, True, f"the server holds {grown} KiB more")
        if name not in told:
            return AttackResult(name, False, f"its sandbox was {how}" if attacker.over else f"ended: {how}")
        return result

    def _judged(self, name: str, told: Mapping[str, tuple[bool, str]]) -> AttackResult:
        escaped, said = told.get(name, (False, "it did not get that far"))
        if name in self.reached:
            return AttackResult(name, True, "it reached a decoy")
        if name in attacks.QUIET and name not in told:
            return AttackResult(name, True, "the attacker ended before it: not known to be refused")
        return AttackResult(name, escaped, said or "refused")

    async def _started(
        self, processes: BotProcesses, directory: str, names: Sequence[str], stay_s: int = 0
    ) -> tuple[BotProcess, socket.socket]:
        sandboxes = Sandboxes(self._listen, limits=_TRIAL_LIMITS, groups=self._groups)
        place = self._folder / directory
        program = [
            python_of_ours(),
            "-I",
            "-S",
            str(place / "attacks.py"),
            json.dumps({**self.orders(place, names), "stay_s": stay_s}),
        ]
        sandboxed = await sandboxes.start(processes, directory, program, place, sandboxes.environment())
        return sandboxed.process, await self._listeners.get()

    async def _listen(self, bound: socket.socket, _name: str) -> Callable[[], None]:
        bound.setblocking(False)
        self._listeners.put_nowait(bound)
        return bound.close

    def orders(self, directory: Path, names: Sequence[str]) -> dict[str, Any]:
        """Return the orders for an attacker: the attacks, and all facts that a bot could find out."""
        home = os.path.expanduser("~")
        files = [os.path.join(home, name) for name in _names_in(home)] + [str(self._folder / "secret")]
        return {
            "attacks": list(names),
            "directory": str(directory),
            "home_files": [path for path in files if os.path.isfile(path)],
            "host_etc": ["/etc/machine-id", "/etc/hostname", "/etc/fstab"],
            "secret_file": str(self._folder / "secret"),
            "secret": self.secret,
            "mark": self.mark,
            "other_files": [str(self._folder / "other" / name) for name in ("code", "attacks.py")],
            "libraries": [os.path.join(os.path.dirname(os.__file__), "new")],
            "victims": [self.victim.pid, os.getpid(), os.getppid()],
            "ports": [self._sockets["tcp"].getsockname()[1]],
            "udp_port": self._sockets["udp"].getsockname()[1],
            "abstract": self.mark,
            "unix_file": str(self._folder / "socket"),
            "port": PORT,
            "descriptors": _TRIAL_LIMITS.descriptors,
            "file_mib": _TRIAL_LIMITS.file_mib,
            "memory_mib": _TRIAL_LIMITS.memory_mib,
            "tasks": _TRIAL_LIMITS.tasks,
            "files": _TRIAL_LIMITS.files,
        }

    async def told(
        self, listener: socket.socket, count: int, attacker: BotProcess, wait_s: float = _ATTACK_TIMEOUT_S
    ) -> dict[str, tuple[bool, str]]:
        """Return the results that an attacker reports in time, by attack. Record the reached decoys."""
        loop = asyncio.get_running_loop()
        text = b""
        with contextlib.suppress(TimeoutError, OSError):
            async with asyncio.timeout(wait_s):
                line, _ = await loop.sock_accept(listener)
                with line:
                    line.setblocking(False)
                    while text.count(b"\n") < count and (piece := await loop.sock_recv(line, 65_536)):
                        text += piece
        for name, one in self._sockets.items():
            self._note(one, name)
        rows = [json.loads(row) for row in text.splitlines() if row.endswith(b"}")]
        return {row["attack"]: (row["escaped"], row["said"]) for row in rows}

    def _note(self, decoy: socket.socket, name: str, skip: int = 0) -> None:
        """Record whether an attacker reached a decoy.

        Args:
            skip: the number of connections from its own bot.
        """
        by_decoy = {
            "tcp": "connect to other ports of this machine",
            "udp": "send UDP",
            "abstract": "connect to an abstract Unix socket",
            "unix": "connect to a Unix socket in a folder",
        }
        with contextlib.suppress(OSError):
            if decoy.type == socket.SOCK_DGRAM:
                decoy.recv(64)
            else:
                for _ in range(skip + 1):
                    decoy.accept()[0].close()
            self.reached.add(by_decoy.get(name, name))


def try_attacks(
    only: Sequence[str] = (), groups: Groups | None = None, told: Callable[[AttackResult], None] | None = None
) -> list[AttackResult]:
    """Try the attacks and return their results.

    Args:
        only: names of attacks; default: all.
        told: called with each result immediately.
        groups: where control groups can be made; None: looked up.

    Raises:
        TurnwrightError: the sandbox is not available.
    """

    async def run() -> list[AttackResult]:
        found: list[AttackResult] = []
        for names in _runs(only):
            with (
                tempfile.TemporaryDirectory(prefix="turnwright-attacks-") as folder,
                SandboxTrial(Path(folder), groups) as trial,
            ):
                quiet = names[0] in attacks.QUIET
                results = await trial.quiet(names) if quiet else [await trial.deadly(names[0])]
            for one in results:
                found.append(one)
                if told is not None:
                    told(one)
        return found

    return asyncio.run(run())


def _runs(only: Sequence[str]) -> Iterator[list[str]]:
    """Yield the attacks for one sandbox after the other."""
    wanted = [name for name in ATTACKS if not only or name in only]
    if quiet := [name for name in wanted if name in attacks.QUIET]:
        yield quiet
    yield from ([name] for name in wanted if name in attacks.DEADLY)


def _names_in(folder: str) -> list[str]:
    with contextlib.suppress(OSError):
        return sorted(os.listdir(folder))[:100]
    return []


async def _left_of(mark: str) -> list[int]:
    """Return the processes whose command line has the mark, after a moment in which they may end."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + _SOON_S
    while (found := _marked(mark)) and loop.time() < deadline:
        await asyncio.sleep(0.02)
    return found


def _marked(mark: str) -> list[int]:
    found = []
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            if name.isdigit() and mark.encode() in Path(f"/proc/{name}/cmdline").read_bytes():
                found.append(int(name))
    return found
