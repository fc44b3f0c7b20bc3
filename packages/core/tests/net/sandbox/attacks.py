"""Attacks of a bot on the machine that it plays on, to be tried in the sandbox.

Run as a program (`python -I -S attacks.py ORDERS`, a JSON object) it tries the requested attacks, one
after the other. It reports each result over its server's port: a line of JSON with attack, escaped and
said. It knows everything that a bot could guess or find out: paths, ports, process ids. It imports no other
file of the project. None of the attacks harms a machine on which it succeeds, and each stops by itself.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import glob
import json
import mmap
import os
import platform
import signal
import socket
import stat
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterable

if sys.platform == "linux":
    import fcntl
    import resource

TYPE_CHECKING = False  # typing takes longer to load than all else here
if TYPE_CHECKING:
    from typing import Any

_Attack = Callable[["dict[str, Any]"], str]
if sys.platform == "linux":
    _libc = ctypes.CDLL(None, use_errno=True)
_IS_X86 = platform.machine() == "x86_64"
_TRIES_MAX = 4_096
_PIECE_BYTES = 16 << 20
_NOWHERE = "192.0.2.1"
"""An address that no machine has (RFC 5737)."""


def _call(x86: int, arm: int, *words: object) -> int:
    """Make a system call by its number.

    Raises:
        OSError
    """
    done = _libc.syscall(x86 if _IS_X86 else arm, *words)
    if done < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return int(done)


def _read(paths: Iterable[str], secret: str = "") -> str:
    """Return up to three of these files that can be read and contain the secret, as one text."""
    found = []
    for path in paths:
        with contextlib.suppress(OSError), open(path, "rb") as file:
            if secret.encode() in file.read(1 << 20):
                found.append(path)
    return ", ".join(found[:3])


def _written(paths: Iterable[str]) -> str:
    found = []
    for path in paths:
        with contextlib.suppress(OSError), open(path, "a"):
            found.append(path)
    return ", ".join(found[:3])


# ---- files ---------------------------------------------------------------------------------------------


def _home(given: dict[str, Any]) -> str:
    return _read(given["home_files"])


def _shadow(given: dict[str, Any]) -> str:
    return _read(["/etc/shadow", "/etc/sudoers", "/etc/ssh/ssh_host_ed25519_key", *given["host_etc"]])


def _host_tmp(given: dict[str, Any]) -> str:
    return _read([given["secret_file"]])


def _other_code(given: dict[str, Any]) -> str:
    return _read(given["other_files"])


def _link_out(given: dict[str, Any]) -> str:
    """A link in the bot's directory that leads out of it."""
    return _read([os.path.join(given["directory"], "link")])


def _write_own_code(given: dict[str, Any]) -> str:
    return _written([__file__, os.path.join(given["directory"], "new")])


def _write_system(given: dict[str, Any]) -> str:
    places = ("/usr/new", "/usr/bin/python3", "/etc/new", "/new", "/dev/new", "/proc/sys/kernel/hostname")
    return _written([*places, "/lib/new", "/launcher.py", *given["libraries"]])


def _sys(given: dict[str, Any]) -> str:
    return ", ".join(
        path for path in ("/sys/kernel", "/sys/fs/cgroup", "/run/systemd") if os.path.exists(path)
    )


def _host_through_proc(given: dict[str, Any]) -> str:
    """The host's files by way of other processes' roots and working folders."""
    ways = [f"/proc/{pid}/{name}" for pid in _pids() for name in ("root", "cwd")]
    return _read(way + given["secret_file"] for way in ways)


# ---- other processes -----------------------------------------------------------------------------------


def _pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _environment(given: dict[str, Any]) -> str:
    places = [f"/proc/{pid}/environ" for pid in ["self", *_pids()]]
    return _read(places, given["secret"]) + ("own" if given["secret"] in str(os.environ) else "")


def _processes(given: dict[str, Any]) -> str:
    others = set(_pids()) - {os.getpid()}
    return _read([f"/proc/{pid}/cmdline" for pid in others], given["secret"])


def _kill_by_number(given: dict[str, Any]) -> str:
    """Send signals to processes of the host, which checks whether they live."""
    for pid in given["victims"]:
        if pid not in _pids():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
                return f"{pid} was there to be killed"
    return ""


def _kill_first(given: dict[str, Any]) -> str:
    """The first process of the sandbox: with it the sandbox would end, and nothing more."""
    for number in (signal.SIGSTOP, signal.SIGTERM):
        with contextlib.suppress(PermissionError):
            os.kill(1, number)
    return ""


def _ptrace(given: dict[str, Any]) -> str:
    _call(101, 117, 16, 1, 0, 0)  # PTRACE_ATTACH to the first process
    return "attached to process 1"


def _is_sealed(pid: int) -> bool:
    with open(f"/proc/{pid}/status") as file:
        rows = dict(line.split(":", 1) for line in file if ":" in line)
    rights = [int(rows[name], 16) for name in ("CapEff", "CapPrm", "CapAmb")]
    return not any(rights) and rows["Seccomp"].strip() == "2" and rows["NoNewPrivs"].strip() == "1"


def _memory_of_others(given: dict[str, Any]) -> str:
    """Open the memory of a process with more rights than the bot.

    The first process of a user's sandbox has the same rights as the bot.
    """
    for pid in set(_pids()) - {os.getpid()}:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/mem", "r+b"):
            if not _is_sealed(pid):
                return f"/proc/{pid}/mem is open"
    buffer = ctypes.create_string_buffer(8)
    part = struct.pack("PN", ctypes.addressof(buffer), 8)
    _call(310, 270, 1, part, 1, part, 1, 0)
    return "process_vm_readv"


def _descriptors_of_others(given: dict[str, Any]) -> str:
    if given["inherited"]:
        return f"inherited {given['inherited']}"
    pidfd = _call(434, 434, 1, 0)
    _call(438, 438, pidfd, 0, 0)  # pidfd_getfd
    return "took a descriptor of process 1"


# ---- network -------------------------------------------------------------------------------------------


def _connected(family: int, kind: int, address: Any) -> str:
    with socket.socket(family, kind) as one:
        one.settimeout(0.5)
        one.connect(address)
        one.send(b"escaped")
    return f"reached {address}"


def _loopback(given: dict[str, Any]) -> str:
    for port in given["ports"]:
        with contextlib.suppress(OSError):
            return _connected(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", port))
    return ""


def _loopback_six(given: dict[str, Any]) -> str:
    return _connected(socket.AF_INET6, socket.SOCK_STREAM, ("::1", given["ports"][0]))


def _internet(given: dict[str, Any]) -> str:
    return _connected(socket.AF_INET, socket.SOCK_STREAM, (_NOWHERE, 80))


def _udp(given: dict[str, Any]) -> str:
    """Send datagrams: the host sees those that arrive; one that only leaves is an escape, too."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        with contextlib.suppress(OSError):
            one.sendto(b"escaped", ("127.0.0.1", given["udp_port"]))
        one.sendto(b"escaped", (_NOWHERE, 53))
    return f"a datagram left for {_NOWHERE}"


def _dns(given: dict[str, Any]) -> str:
    found = socket.getaddrinfo("example.org", 80)
    return f"example.org is {found[0][4]}"


def _family(family: int, kind: int, protocol: int = 0) -> str:
    socket.socket(family, kind, protocol).close()
    return f"a socket of family {family}"


def _vsock(given: dict[str, Any]) -> str:
    return _family(40, socket.SOCK_STREAM)


def _netlink(given: dict[str, Any]) -> str:
    return _family(16, socket.SOCK_RAW)


def _packet(given: dict[str, Any]) -> str:
    with contextlib.suppress(OSError):
        return _family(17, socket.SOCK_RAW, 3)
    return _family(socket.AF_INET, socket.SOCK_RAW, 1)


def _odd_families(given: dict[str, Any]) -> str:
    """Bluetooth, RDS, TIPC, AF_ALG and others: kernel code that a bot has no need of."""
    made = []
    for family in set(range(46)) - {1, 2, 10}:
        with contextlib.suppress(OSError):
            made.append(_family(family, socket.SOCK_DGRAM))
    return ", ".join(made)


def _abstract(given: dict[str, Any]) -> str:
    return _connected(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + given["abstract"])


def _unix_file(given: dict[str, Any]) -> str:
    for path in (given["unix_file"], "/run/docker.sock", "/run/dbus/system_bus_socket"):
        with contextlib.suppress(OSError):
            return _connected(socket.AF_UNIX, socket.SOCK_STREAM, path)
    return ""


def _other_port(given: dict[str, Any]) -> str:
    """The port of the other bot has the same number as ours. The host shows whether ours answers there."""
    for address in ("127.0.0.1", "127.0.0.2", "localhost"):
        with contextlib.suppress(OSError), socket.create_connection((address, given["port"]), 0.5) as one:
            one.settimeout(0.2)
            one.sendall(b"other\n")
    return ""


# ---- the kernel ----------------------------------------------------------------------------------------


def _unshare(given: dict[str, Any]) -> str:
    _call(272, 97, 0x1000_0000)
    return "a user namespace"


def _clone(given: dict[str, Any]) -> str:
    pid = _call(56, 220, 0x1000_0000 | int(signal.SIGCHLD), 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return "a process in a user namespace"


def _clone_three(given: dict[str, Any]) -> str:
    arguments = struct.pack("=8Q", 0x1000_0000, 0, 0, 0, int(signal.SIGCHLD), 0, 0, 0)
    pid = _call(435, 435, arguments, len(arguments))
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return "a process by clone3"


def _setns(given: dict[str, Any]) -> str:
    for name in ("net", "mnt", "pid"):
        with contextlib.suppress(OSError):
            fd = os.open(f"/proc/1/ns/{name}", os.O_RDONLY)
            _call(308, 268, fd, 0)
            return f"entered {name} of process 1"
    fd = os.open("/proc/self/ns/net", os.O_RDONLY)
    _call(308, 268, fd, 0)
    return "entered a namespace"


def _mount(given: dict[str, Any]) -> str:
    for words in (
        (b"none", b"/tmp", b"tmpfs", 0, 0),
        (b"/", b"/tmp", 0, 4096, 0),
        (0, b"/usr", 0, 0x1020, 0),
    ):
        with contextlib.suppress(OSError):
            _call(165, 40, *words)
            return "mounted"
    _call(430, 430, b"tmpfs", 0)  # fsopen
    return "a file system is open"


def _unmount(given: dict[str, Any]) -> str:
    _call(166, 39, b"/proc", 2)
    return "unmounted /proc"


def _chroot(given: dict[str, Any]) -> str:
    os.chroot("/tmp")
    return "changed its root"


def _io_uring(given: dict[str, Any]) -> str:
    _call(425, 425, 8, ctypes.create_string_buffer(256))
    return "a ring"


def _keyctl(given: dict[str, Any]) -> str:
    _call(250, 219, 0, -3, 1)
    return "a keyring"


def _bpf(given: dict[str, Any]) -> str:
    _call(321, 280, 0, struct.pack("=IIII", 2, 4, 4, 1), 16)
    return "a map of bpf"


def _userfaultfd(given: dict[str, Any]) -> str:
    _call(323, 282, 1)
    return "a userfaultfd"


def _perf(given: dict[str, Any]) -> str:
    attributes = struct.pack("=IIQ", 1, 112, 0).ljust(112, b"\0")
    _call(298, 241, attributes, 0, -1, -1, 0)
    return "a counter of events"


def _handles(given: dict[str, Any]) -> str:
    _call(304, 265, os.open("/", os.O_RDONLY), struct.pack("=II", 8, 1) + struct.pack("=II", 2, 0), 0)
    return "a file by its handle"


def _module(given: dict[str, Any]) -> str:
    _call(313, 273, 0, b"", 0)
    return "a kernel module"


def _kernel_log(given: dict[str, Any]) -> str:
    _call(103, 116, 3, ctypes.create_string_buffer(1024), 1024)
    return "the kernel's log"


def _clock(given: dict[str, Any]) -> str:
    time.clock_settime(time.CLOCK_REALTIME, time.time())
    return "set the clock"


def _hostname(given: dict[str, Any]) -> str:
    socket.sethostname("escaped")
    return "named the machine"


def _rights(given: dict[str, Any]) -> str:
    """Rights that the bot has, or gets by a program that has them."""
    with contextlib.suppress(OSError):
        os.setuid(0)
        return "became user 0"
    return "" if _is_sealed(os.getpid()) and os.getuid() != 0 else f"rights of user {os.getuid()}"


def _set_user_id_program(given: dict[str, Any]) -> str:
    for program in ("/usr/bin/su", "/usr/bin/mount", "/usr/bin/passwd"):
        if os.path.exists(program) and os.stat(program).st_mode & stat.S_ISUID:
            with os.popen(f"{program} --version </dev/null 2>&1; cat /proc/self/status") as said:
                if "CapEff:\t0000000000000000" not in said.read():
                    return program
    return ""


# ---- devices -------------------------------------------------------------------------------------------


def _devices(given: dict[str, Any]) -> str:
    wanted = ("mem", "kmsg", "kvm", "sda", "vda", "nvme0n1", "fuse", "net/tun", "loop0", "dri/card0", "zero")
    found = [f"/dev/{name}" for name in wanted if os.path.exists(f"/dev/{name}")]
    return ", ".join(found)


def _make_device(given: dict[str, Any]) -> str:
    path = "/tmp/device"
    os.mknod(path, stat.S_IFBLK | 0o600, os.makedev(254, 0))
    with open(path, "rb") as file:
        return f"read {len(file.read(512))} bytes of a disk"


def _terminal(given: dict[str, Any]) -> str:
    """Types a command into the terminal from which the server was started."""
    for path in ("/dev/tty", "/proc/self/fd/0", "/proc/self/fd/1", "/proc/self/fd/2"):
        with contextlib.suppress(OSError):
            fd = os.open(path, os.O_RDWR | os.O_NOCTTY)
            fcntl.ioctl(fd, 0x5412, b"\n")
            return f"typed into {path}"
    with contextlib.suppress(OSError):
        fcntl.ioctl(0, 0x5412, b"\n")
        return "typed into stdin"
    return ""


# ---- memory, files and processes without end -----------------------------------------------------------


def _uncounted_memory(given: dict[str, Any]) -> str:
    """Memory that no count of a process's memory has."""
    found = []
    with contextlib.suppress(OSError):
        os.memfd_create("x")
        found.append("memfd_create")
    with contextlib.suppress(OSError, ValueError):
        mmap.mmap(-1, 4096)
        found.append("shared memory without a file")
    with contextlib.suppress(OSError):
        _call(29, 194, 0, 4096, 0o1600)
        found.append("shmget")
    with contextlib.suppress(OSError, ValueError), open("/dev/zero", "r+b") as zero:
        mmap.mmap(zero.fileno(), 4096)
        found.append("/dev/zero")
    return ", ".join(found)


def _descriptors(given: dict[str, Any]) -> str:
    opened: list[int] = []
    with contextlib.suppress(OSError):
        for _ in range(_TRIES_MAX):
            opened.append(os.open("/dev/null", os.O_RDONLY))
    count = len(opened)
    for fd in opened:
        os.close(fd)
    return f"{count} descriptors" if count > given["descriptors"] else ""


def _higher_limits(given: dict[str, Any]) -> str:
    raised = []
    for name in ("RLIMIT_NPROC", "RLIMIT_NOFILE", "RLIMIT_FSIZE", "RLIMIT_CORE"):
        _, hard = resource.getrlimit(getattr(resource, name))
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(getattr(resource, name), (hard + 1, hard + 1))
            raised.append(name)
    with contextlib.suppress(OSError):
        os.nice(-5)
        raised.append("priority")
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
        raised.append("real time")
    with contextlib.suppress(OSError):
        os.setsid()
        raised.append("a session of its own")
    return ", ".join(raised)


def _long_file(given: dict[str, Any]) -> str:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open("/tmp/long", "wb") as file:
        file.truncate((given["file_mib"] << 20) + 1)
    return "a file over its limit"


def _fill_disk(given: dict[str, Any]) -> str:
    """All places that can be written, together."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    total = 0
    places = [
        path for path in ("/tmp", "/dev/shm", "/var/tmp", os.environ["HOME"], "/run") if os.path.isdir(path)
    ]
    for at, place in enumerate(places):
        with contextlib.suppress(OSError):
            for number in range(64):
                with open(f"{place}/fill{at}-{number}", "wb") as file:
                    for _ in range(8):
                        total += file.write(bytes(1 << 20))
    for path in glob.glob("/tmp/fill*"):
        os.unlink(path)
    return f"{total >> 20} MiB" if total > given["file_mib"] << 20 else ""


QUIET: dict[str, _Attack] = {
    "read the home of the server's user": _home,
    "read /etc/shadow and the like": _shadow,
    "read the host's /tmp": _host_tmp,
    "read another bot's code": _other_code,
    "read through a link in its own directory": _link_out,
    "write its own code": _write_own_code,
    "write the system": _write_system,
    "find /sys and /run": _sys,
    "read the host's files through /proc": _host_through_proc,
    "read the server's environment": _environment,
    "see other processes": _processes,
    "kill processes of the host": _kill_by_number,
    "stop the first process of its sandbox": _kill_first,
    "trace another process (ptrace)": _ptrace,
    "open another process's memory": _memory_of_others,
    "take another process's descriptors": _descriptors_of_others,
    "connect to other ports of this machine": _loopback,
    "connect to them by IPv6": _loopback_six,
    "connect to the Internet": _internet,
    "send UDP": _udp,
    "ask DNS": _dns,
    "open vsock": _vsock,
    "open netlink": _netlink,
    "open raw sockets": _packet,
    "open odd families of sockets": _odd_families,
    "connect to an abstract Unix socket": _abstract,
    "connect to a Unix socket in a folder": _unix_file,
    "talk to the other bot's port": _other_port,
    "make a user namespace (unshare)": _unshare,
    "make one by clone": _clone,
    "make one by clone3": _clone_three,
    "enter a namespace (setns)": _setns,
    "mount": _mount,
    "unmount": _unmount,
    "change its root (chroot)": _chroot,
    "make a ring (io_uring)": _io_uring,
    "use keyrings (keyctl)": _keyctl,
    "load a program (bpf)": _bpf,
    "handle page faults (userfaultfd)": _userfaultfd,
    "count events (perf)": _perf,
    "open files by handle": _handles,
    "load a kernel module": _module,
    "read the kernel's log": _kernel_log,
    "set the clock": _clock,
    "rename the machine": _hostname,
    "become root": _rights,
    "become root by a program": _set_user_id_program,
    "find devices": _devices,
    "make a device": _make_device,
    "type into the terminal (TIOCSTI)": _terminal,
    "hold memory that is not counted": _uncounted_memory,
    "open descriptors without end": _descriptors,
    "raise its limits and priority": _higher_limits,
    "write a long file": _long_file,
    "fill the disk": _fill_disk,
}
"""Attacks that leave the attacker alive: all of them are tried in one sandbox."""


def _fork_bomb(given: dict[str, Any]) -> str:
    count = 0
    with contextlib.suppress(OSError):
        for _ in range(_TRIES_MAX):
            if os.fork() == 0:
                time.sleep(60)
                os._exit(0)
            count += 1
    return f"{count} processes" if count > given["tasks"] else ""


def _thread_bomb(given: dict[str, Any]) -> str:
    count = 0
    with contextlib.suppress(RuntimeError, MemoryError):
        for _ in range(_TRIES_MAX):
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
            count += 1
    return f"{count} threads" if count > given["tasks"] else ""


def _memory_bomb(given: dict[str, Any]) -> str:
    held: list[bytes] = []
    most = 3 * (given["memory_mib"] << 20)
    while len(held) * _PIECE_BYTES < most:
        held.append(b"x" * _PIECE_BYTES)
        time.sleep(0.002)
    return f"{most >> 20} MiB"


def _hold(telling: int, number: int) -> None:
    held: list[bytes] = []
    while True:
        held.append(b"x" * _PIECE_BYTES)
        os.write(telling, bytes((number,)))
        time.sleep(0.05)


def _memory_of_many(given: dict[str, Any]) -> str:
    """Hold more and more memory in 24 processes. The memory of killed processes does not count."""
    told, telling = os.pipe()
    held: dict[int, int] = {}
    for number in range(24):
        pid = os.fork()
        if pid == 0:
            _hold(telling, number)
        held[pid] = 0
    pids = list(held)
    while held and sum(held.values()) < 3 * (given["memory_mib"] << 20):
        for number in os.read(told, 1024):
            if pids[number] in held:
                held[pids[number]] += _PIECE_BYTES
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG)[0]) != 0:
                held.pop(ended, None)
    return f"{sum(held.values()) >> 20} MiB" if held else ""


def _many_files(given: dict[str, Any]) -> str:
    most = 3 * (given["memory_mib"] << 10)  # each takes a KiB or so
    for number in range(most):
        os.close(os.open(f"/tmp/{number}", os.O_CREAT | os.O_WRONLY))
    return f"{most} files"


def _survive(given: dict[str, Any]) -> str:
    """Leave descendants that close everything and ignore signals. The host searches for them."""
    for _ in range(3):
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            with contextlib.suppress(OSError):
                os.setsid()
            if os.fork() == 0:
                os.execve(
                    sys.executable,
                    [sys.executable, "-c", f"import time; time.sleep(60) # {given['mark']}"],
                    {},
                )
            os._exit(0)
    time.sleep(0.1)
    return ""


def _print_flood(given: dict[str, Any]) -> str:
    piece = b"flood " * 10_000 + b"\n"
    for _ in range((1 << 30) // len(piece)):
        os.write(1, piece)
        os.write(2, piece)
    return ""


def _spin(given: dict[str, Any]) -> str:
    """Keeps every processor busy, with as many processes as it may have."""
    with contextlib.suppress(OSError):
        for _ in range(_TRIES_MAX):
            if os.fork() == 0:
                while True:
                    pass
    while True:
        pass


def _kill_all(given: dict[str, Any]) -> str:
    """Signals to everything that it may signal; the decoys of the host must live on."""
    os.kill(-1, signal.SIGKILL)
    return ""


DEADLY: dict[str, _Attack] = {
    "fork without end": _fork_bomb,
    "start threads without end": _thread_bomb,
    "hold memory without end": _memory_bomb,
    "hold it in many processes": _memory_of_many,
    "make files without end": _many_files,
    "kill all it can (kill -9 -1)": _kill_all,
    "outlive its own end": _survive,
    "print 1 GB": _print_flood,
    "keep every processor busy": _spin,
}
"""Attacks that may end their sandbox: each is tried in a separate one."""


def _inherited() -> list[str]:
    """Return the targets of all open descriptors except the standard streams."""
    found = []
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            if int(name) > 2:
                found.append(os.readlink(f"/proc/self/fd/{name}"))
    return found


def _tried(attack: _Attack, given: dict[str, Any]) -> tuple[bool, str]:
    try:
        evidence = attack(given)
    except OSError as error:
        return False, errno.errorcode.get(error.errno or 0, str(error))
    except (MemoryError, ValueError, RuntimeError) as error:
        return False, type(error).__name__
    return bool(evidence), evidence


def main(given: dict[str, Any]) -> None:
    """Run the requested attacks and send each result to the server's port."""
    known = {**QUIET, **DEADLY}
    given["inherited"] = _inherited()
    with socket.create_connection(("127.0.0.1", given["port"])) as line:
        line.set_inheritable(False)
        for name in given["attacks"]:
            escaped, said = _tried(known[name], given)
            row = {"attack": name, "escaped": escaped, "said": said}
            line.sendall(json.dumps(row).encode() + b"\n")
        time.sleep(given["stay_s"])
        os._exit(0)  # without waiting for threads


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
