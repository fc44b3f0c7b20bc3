"""The worker program: forks sealed processes that run batches of plans.

    python -m turnwright.games.world.planning.net.worker FD MEMORY_MIB

FD is one end of a pair of local sockets. What comes there: "F" with a descriptor (fork a process that reads
batches from it and answers there; its id comes back), "R" and an id (take leave of a process that was
killed; until then its id is not given to another). When the other end closes, this process kills all it
forked and ends. It runs no mind itself, and has no thread, so forking takes 2 to 3 ms and copies nothing.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import signal
import socket
import struct
import sys
from typing import NoReturn

from msgspec.structs import replace

from turnwright.games.world.planning.messages import frame_of, read_batch
from turnwright.games.world.planning.net import minds
from turnwright.games.world.planning.net import sandbox as seal

__all__ = ["COMMAND", "READY", "main"]

READY = struct.Struct("!B")
"""The first thing that is said: 1 when processes are sealed, 0 when this machine cannot."""
COMMAND = struct.Struct("!cI")
"""An order and a process id, 0 for "F"; a process id alone comes back, 0 when none could be forked."""
_CHANNEL = 3
_LENGTH = struct.Struct(">I")


def main(arguments: list[str]) -> None:
    """Fork on demand, until the other end closes."""
    control = socket.socket(fileno=int(arguments[0]))
    memory_mib = int(arguments[1])
    for name in minds.MODULES.split():
        importlib.import_module(name)
    sealed = seal.can_seal()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    control.sendall(READY.pack(sealed))
    children: set[int] = set()
    with contextlib.suppress(OSError):
        while _serve(control, children, memory_mib, sealed):
            pass
    for pid in children:
        os.kill(pid, signal.SIGKILL)


def _serve(control: socket.socket, children: set[int], memory_mib: int, sealed: bool) -> bool:
    """Carry out one order; return whether there may be more."""
    data, descriptors, _, _ = socket.recv_fds(control, COMMAND.size, 1)
    if not data:
        return False
    order, pid = COMMAND.unpack(data)
    if order == b"R" and pid in children:
        children.discard(pid)
        os.waitpid(pid, 0)
    elif order == b"F":
        pid = _forked(descriptors[0], memory_mib, sealed)
        os.close(descriptors[0])
        if pid:
            children.add(pid)
        control.sendall(struct.pack("!I", pid))
    return True


def _forked(channel: int, memory_mib: int, sealed: bool) -> int:
    """Return the id of a new process; 0 when the system has no room for one at the moment."""
    parent = os.getpid()
    try:
        pid = os.fork()
    except OSError:
        return 0
    if pid == 0:
        _work(channel, memory_mib, sealed, parent)
    return pid


def _work(channel: int, memory_mib: int, sealed: bool, parent: int) -> NoReturn:
    """Be a process that plans: answer batches until there are no more."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.dup2(channel, _CHANNEL)
        os.closerange(_CHANNEL + 1, 256)
        seal.limit(memory_mib, parent)
        if sealed:
            seal.seal()
        sys.meta_path[:] = [minds.OnlyThese()]
        known = minds.Minds()
        while (body := _receive()) is not None:
            batch = read_batch(body)
            for source in batch.sources:
                known.learn(source)
            for asked in batch.bodies:
                _send(frame_of(replace(known.ask(asked, batch.shared), batch=batch.number)))
            if batch.check is not None:
                _send(frame_of(replace(minds.check(batch.check), batch=batch.number)))
            if batch.canary:
                _send(frame_of(replace(minds.canary(batch.canary), batch=batch.number)))
    finally:
        os._exit(0)


def _receive() -> bytes | None:
    """Return the next frame's body; None when the other end is closed."""
    head = _receive_exactly(_LENGTH.size)
    return None if head is None else _receive_exactly(_LENGTH.unpack(head)[0])


def _receive_exactly(size: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < size:
        data = os.read(_CHANNEL, size - len(parts))
        if not data:
            return None
        parts += data
    return bytes(parts)


def _send(frame: bytes) -> None:
    view = memoryview(frame)
    while view:
        view = view[os.write(_CHANNEL, view) :]


if __name__ == "__main__":
    main(sys.argv[1:])
