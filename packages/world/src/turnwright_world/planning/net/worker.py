"""The worker program: forks sealed processes that run batches of plans.

    python -m turnwright_world.planning.net.worker FD MEMORY_MIB

FD is one end of a pair of local sockets, on which the server sends orders:

* "F" with a descriptor: fork a process that reads batches from the descriptor and answers there. The program
  sends back the id of the process.
* "R" with an id: reap a process that was killed. Until then the system gives its id to no other process.

When the server closes its end, this program kills all forked processes and ends. It runs no mind itself and
has no threads, so forking takes 2 to 3 ms and copies no memory.

On systems other than Linux the program itself is a worker (see `spawned`). Its first argument is then a port
of 127.0.0.1. It connects to the port with a secret that it reads from its standard input.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import socket
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NoReturn

from msgspec.structs import replace

from turnwright.net.portability import IS_LINUX
from turnwright_world.planning.messages import frame_of, read_batch
from turnwright_world.planning.net import minds
from turnwright_world.planning.net import sandbox as seal

READY = struct.Struct("!B")
"""The program's first message: 1 if processes are sealed, or 0 if this machine cannot seal them."""
COMMAND = struct.Struct("!cI")
"""An order and a process id (0 for "F"). The answer is a process id, or 0 if forking failed."""
_CHANNEL = 3
_LENGTH = struct.Struct(">I")


def main(arguments: list[str]) -> None:
    """Fork processes on request until the server closes its end.

    On systems that cannot fork, answer batches instead.
    """
    where, memory_mib = map(int, arguments)
    for name in minds.MODULES.split():
        importlib.import_module(name)
    if not IS_LINUX:
        _work_alone(where, memory_mib)
        return
    control = socket.socket(fileno=where)
    sealed = seal.can_seal()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    control.sendall(READY.pack(sealed))
    children: set[int] = set()
    with suppress(OSError):
        while _serve(control, children, memory_mib, sealed):
            pass
    for pid in children:
        os.kill(pid, signal.SIGKILL)


def _serve(control: socket.socket, children: set[int], memory_mib: int, sealed: bool) -> bool:
    """Carry out one order, and return whether more orders may follow."""
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
    """Return the id of a new process, or 0 if the system cannot start one at the moment."""
    parent = os.getpid()
    try:
        pid = os.fork()
    except OSError:
        return 0
    if pid == 0:
        _work(channel, memory_mib, sealed, parent)
    return pid


def _work(channel: int, memory_mib: int, sealed: bool, parent: int) -> NoReturn:
    """Run as a planning process: answer batches until there are no more."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.dup2(channel, _CHANNEL)
        os.closerange(_CHANNEL + 1, 256)
        seal.limit(memory_mib, parent)
        if sealed:
            seal.seal()
        _answer(partial(os.read, _CHANNEL), _send)
    finally:
        os._exit(0)


def _work_alone(port: int, memory_mib: int) -> None:
    """Run as a worker that was not forked."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    secret = sys.stdin.readline().strip()
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)) as channel:
        channel.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        channel.sendall(secret.encode())
        seal.limit(memory_mib, os.getppid())
        gc.collect()
        gc.freeze()
        _answer(channel.recv, channel.sendall)


def _answer(read: Callable[[int], bytes], send: Callable[[bytes], None]) -> None:
    """Answer batches until there are no more. `read(size)` returns up to `size` bytes, b"" at the end."""
    sys.meta_path[:] = [minds.OnlyThese()]
    known = minds.Minds()
    while (body := _receive(read)) is not None:
        batch = read_batch(body)
        for source in batch.sources:
            known.learn(source)
        for asked in batch.bodies:
            send(frame_of(replace(known.ask(asked, batch.shared), batch=batch.number)))
        if batch.check is not None:
            send(frame_of(replace(minds.check(batch.check), batch=batch.number)))
        if batch.canary:
            send(frame_of(replace(minds.canary(batch.canary), batch=batch.number)))


def _receive(read: Callable[[int], bytes]) -> bytes | None:
    """Return the next frame's body, or None if the other end is closed."""
    head = _receive_exactly(read, _LENGTH.size)
    return None if head is None else _receive_exactly(read, _LENGTH.unpack(head)[0])


def _receive_exactly(read: Callable[[int], bytes], size: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < size:
        data = read(size - len(parts))
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
