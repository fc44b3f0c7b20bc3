"""The first program in a sandbox. It makes the listening socket and becomes the bot.

As a program (`python -I -S launcher.py FD`), it reads its orders from the Unix socket FD. It makes a socket
that listens in the sandbox's own network namespace, and passes this socket out over FD. Then it gives up all
rights and starts the bot. FD closes when the bot's program has started. If another message comes on FD before
that, it is the reason for a failure. The launcher imports no file of turnwright and no file of the bot.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import signal
import socket
import sys

if sys.platform == "linux":  # other systems have no sandboxes and need only the names in this module
    import resource

TYPE_CHECKING = False  # typing takes longer to load than all other imports together
if TYPE_CHECKING:
    from typing import Any

ORDERS_BYTES_MAX = 1 << 20
LISTENING = b"L"
"""The message with which the launcher sends the listening socket."""
BACKLOG = 16
"""The number of connections that may wait to be accepted. The server's loop accepts all of them together."""
_PYTHON_IGNORES = (signal.SIGPIPE, signal.SIGXFSZ) if sys.platform == "linux" else ()


def launch(line: socket.socket) -> None:
    """Become the requested bot. This never returns.

    The orders are an object with the keys argv, environ, directory, home, port, user (the new user id, or
    null), files (texts by path) and limits (values by name of a constant RLIMIT_…).

    Raises:
        OSError: the system refuses a step.
    """
    orders = _orders(line)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", orders["port"]))
        listener.listen(BACKLOG)
        socket.send_fds(line, [LISTENING], [listener.fileno()])
    os.umask(0o022)
    for path, text in orders["files"].items():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
    for name, most in orders["limits"].items():
        which = getattr(resource, name, None)
        if which is not None:
            _lower(which, most)
    if orders["user"] is not None:
        os.setgroups([])
        os.setresgid(orders["user"], orders["user"], orders["user"])
        os.setresuid(orders["user"], orders["user"], orders["user"])
    for number in _PYTHON_IGNORES:
        signal.signal(number, signal.SIG_DFL)
    os.makedirs(orders["home"], exist_ok=True)
    os.chdir(orders["directory"])
    program = orders["argv"][0]
    try:
        os.execvpe(program, orders["argv"], orders["environ"])
    except FileNotFoundError:
        raise OSError(errno.ENOENT, _why_missing(program)) from None


def _why_missing(program: str) -> str:
    """Return why a program cannot be started, if the sandbox does not contain the program, or contains only a
    part of it.
    """
    if os.path.islink(program):
        return f"{program} leads to {os.path.realpath(program)}, which the sandbox does not show"
    if os.path.exists(program):
        return f"the first line of {program} names a program that the sandbox does not show"
    return f"{program}: {os.strerror(errno.ENOENT)}"


def _orders(line: socket.socket) -> Any:
    text = b""
    while not text.endswith(b"\n"):
        piece = line.recv(65_536)
        if not piece or len(text) > ORDERS_BYTES_MAX:
            raise OSError("the orders of the sandbox were cut off")
        text += piece
    return json.loads(text)


def _lower(which: int, most: int) -> None:
    _, hard = resource.getrlimit(which)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with contextlib.suppress(ValueError):
        resource.setrlimit(which, (most, most))


def _main(fd: int) -> None:
    line = socket.socket(fileno=fd)
    os.set_inheritable(fd, False)
    try:
        launch(line)
    except OSError as error:
        said = {"errno": error.errno, "why": error.strerror or str(error)}
        with contextlib.suppress(OSError):
            line.sendall(json.dumps(said).encode() + b"\n")
    sys.exit(127)


if __name__ == "__main__":
    _main(int(sys.argv[1]))
