"""The sandbox of one bot: its bubblewrap command line, its user id and its limits.

The sandbox shows the system (/usr) and the bot's own directory, both read-only. /tmp is in memory, and
contains the bot's home. The bot sees only its own processes. The only thing in its network is the server's
listening socket. If root runs the server, each bot gets a separate user id. Otherwise the sandbox has its own
user namespace. In this namespace, the bot has the id of the user who runs the server, but no special rights.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from turnwright.errors import SetupError
from turnwright.net.participants.installation import find_program
from turnwright.net.sandbox import launcher
from turnwright.net.sandbox.cgroups import Groups, sessions_share
from turnwright.net.sandbox.readable import HOME, Program, etc, is_system, system_folders

PORT = 7654
"""The server's port from inside a sandbox."""
LINE_FD, SECCOMP_FD = 3, 4
"""The descriptors that bubblewrap inherits. The first is the launcher's socket, and the second is the filter
of system calls.
"""
USER_FIRST, USERS_MAX = 60_000, 1_000
"""The first user id for bots, and the number of these ids, if root runs the server."""
_LAUNCHER = "/launcher.py"
_BEHIND = ("hosts", "nsswitch.conf", "passwd", "group")
_HIDDEN = ("keys", "key-users", "kcore", "kallsyms", "modules", "locks", "timer_list")
"""Files of /proc that describe the whole machine and that no bot needs."""
_DEVICES = ("null", "full", "random", "urandom")
"""The devices that a sandbox shows. /dev/zero is missing, because a program could map shared memory from it
that is not counted.
"""
_NICE = 10
"""The niceness of a bot whose memory the keeper counts, if the system shares the processors among processes.
With it, the keeper and the server run before the bot.
"""
_PLACES_REFUSED = ("/", "/usr", "/etc", "/proc", "/dev", "/sys", "/run", "/var", "/home", "/root", "/tmp")


@dataclass(frozen=True, slots=True)
class SandboxLimits:
    """Limits of one bot.

    Attributes:
        memory_mib: the memory of all processes of the bot together, in MiB.
        tasks: the number of processes and threads.
        file_mib: the size of one file, in MiB. The same limit applies to all files in the bot's /tmp
            together.
        descriptors: the number of descriptors of one process.
        files: the number of files in the bot's /tmp, if no control group counts their memory.
    """

    memory_mib: int = 512
    tasks: int = 128
    file_mib: int = 64
    descriptors: int = 256
    files: int = 20_000

    def of_processes(self) -> dict[str, int]:
        """Return the limits of each single process, by the name of its constant RLIMIT_…"""
        return {
            "RLIMIT_NPROC": self.tasks,
            "RLIMIT_NOFILE": self.descriptors,
            "RLIMIT_FSIZE": self.file_mib << 20,
            "RLIMIT_CORE": 0,
            "RLIMIT_MEMLOCK": 64 << 10,
            "RLIMIT_MSGQUEUE": 0,
            "RLIMIT_RTPRIO": 0,
            "RLIMIT_NICE": 0,
            "RLIMIT_SIGPENDING": 256,
        }

    def of_family(self, groups: Groups, mark: str) -> dict[str, object]:
        """Return the limits that the bot's keeper enforces, in the form of `guard.request`.

        Args:
            mark: the mark of the bot's processes.
        """
        name = f"turnwright-{mark}"
        wanted: dict[str, object] = {"groups": groups.orders(name, self.memory_mib << 20, self.tasks)}
        if groups.limit_memory and (busy := groups.busy_order(name)):
            wanted["busy"] = busy
        if not groups.limit_memory:
            wanted["memory_bytes"] = self.memory_mib << 20
            wanted["files"] = self.files
            if not sessions_share():
                wanted["nice"] = _NICE
        return wanted


@dataclass(frozen=True, slots=True)
class BotUser:
    """A user id that no other sandbox has until `claim` is closed."""

    id: int
    claim: socket.socket


def claim_user() -> BotUser:
    """Return a free user id for a bot on root's server.

    The claim is the name of an abstract socket. The system releases it at the latest when this process ends.

    Raises:
        SetupError: all ids are taken.
    """
    for number in range(USER_FIRST, USER_FIRST + USERS_MAX):
        claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            claim.bind(f"\0turnwright-user-{number}")
        except OSError:
            claim.close()
            continue
        import pwd  # only available on Unix

        with contextlib.suppress(KeyError):
            pwd.getpwuid(number)
            claim.close()
            continue
        return BotUser(number, claim)
    last = USER_FIRST + USERS_MAX - 1
    raise SetupError(f"all user ids for sandboxed bots, {USER_FIRST} to {last}, are taken: end some battles")


def bwrap_command(
    directory: Path, program: Program, limits: SandboxLimits, *, as_root: bool, bwrap: str = "bwrap"
) -> list[str]:
    """Return the command that makes a sandbox and starts the launcher in it.

    Args:
        directory: the directory of the bot.
        program: the program of the bot.
        as_root: whether root runs the server, so that each bot gets a separate user id.
    """
    words = [bwrap, "--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts"]
    words += ["--unshare-cgroup-try", "--new-session", "--die-with-parent", "--hostname", "sandbox"]
    words += ["--cap-drop", "ALL"]
    if as_root:
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        words += ["--unshare-user", "--disable-userns"]
    for folder, target in system_folders():
        words += ["--ro-bind", folder, folder] if target is None else ["--symlink", target, folder]
    words += _proc_and_dev()
    size = str(limits.file_mib << 20)
    words += ["--perms", "1777", "--size", size, "--tmpfs", "/tmp", "--dir", "/etc"]
    for name in etc():
        words += ["--ro-bind-try", name, name]
    for name in _BEHIND:
        words += ["--symlink", f"/tmp/.etc/{name}", f"/etc/{name}"]
    own = [sys.base_prefix] if not sys.base_prefix.startswith("/usr") else []
    places = (*own, *program.readable, str(directory))
    for folder in sorted({str(above) for place in places for above in Path(place).parents}):
        if not is_system(folder) and folder not in ("/", "/tmp", "/etc"):
            words += ["--perms", "0755", "--dir", folder]
    for place in places:
        words += ["--ro-bind", place, place]
    words += ["--ro-bind", os.path.abspath(launcher.__file__), _LAUNCHER]
    words += ["--remount-ro", "/", "--remount-ro", "/dev", "--chdir", "/"]
    words += ["--seccomp", str(SECCOMP_FD), "--", python_of_ours(), "-I", "-S", _LAUNCHER, str(LINE_FD)]
    return words


def _proc_and_dev() -> list[str]:
    words = ["--proc", "/proc", "--perms", "0755", "--size", "65536", "--tmpfs", "/dev"]
    for name in _HIDDEN:
        if os.path.exists(f"/proc/{name}"):
            words += ["--ro-bind", "/dev/null", f"/proc/{name}"]
    for name in _DEVICES:
        words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for name, target in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        words += ["--symlink", f"/proc/self/fd{target}", f"/dev/{name}"]
    return [*words, "--symlink", "../tmp", "/dev/shm"]


def python_of_ours() -> str:
    """Return the interpreter for the launcher. It is the interpreter of this process, without a virtual
    environment.
    """
    base: str = getattr(sys, "_base_executable", sys.executable)
    return os.path.realpath(base)


def launch_orders(
    argv: Sequence[str], environ: Mapping[str, str], directory: Path, limits: SandboxLimits, user: int | None
) -> bytes:
    """Return the orders for the launcher, as JSON. See `launcher.launch`.

    Args:
        user: the user id for the bot. None means the id of this process's user.
    """
    number = os.getuid() if user is None else user
    orders = {
        "argv": list(argv),
        "environ": dict(environ),
        "directory": str(directory),
        "home": HOME,
        "port": PORT,
        "user": user,
        "limits": limits.of_processes(),
        "files": {
            "/tmp/.etc/hosts": "127.0.0.1 localhost sandbox\n",
            "/tmp/.etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
            "/tmp/.etc/passwd": f"bot:x:{number}:{number}::{HOME}:/bin/sh\n",
            "/tmp/.etc/group": f"bot:x:{number}:\n",
        },
    }
    return json.dumps(orders).encode() + b"\n"


def refuse_unreadable(directory: Path, *, as_root: bool) -> None:
    """Raise SetupError if a bot's directory cannot be shown in the sandbox.

    A server that runs as root gives each bot a separate user id, so all users must be able to read the
    directory.
    """
    real = os.path.realpath(directory)
    if directory.is_symlink() and os.path.dirname(real) != os.path.realpath(directory.parent):
        raise SetupError(f"{directory} is a link to {real}: for a sandbox, give the directory itself")
    if real in _PLACES_REFUSED:
        raise SetupError(f"{directory} is a folder of the system: give the bot its own directory")
    if as_root and os.stat(real).st_mode & 0o005 != 0o005:
        raise SetupError(
            f"{directory} is readable by its owner only, but a sandboxed bot runs under its own user id:"
            f" run chmod -R o+rX {directory}"
        )


def find_bwrap() -> str | None:
    """Return the path of bubblewrap, or None if it is not installed."""
    return find_program("bwrap")
