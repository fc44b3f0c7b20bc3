"""Hides from turnwright what Windows or macOS lack, so that only portable ways remain.

The modules of turnwright, and they alone, see Python as it is on Windows: modules, functions, signals and
flags that CPython does not have there are missing, and what is there but works differently (signals by
`os.kill`, pairs of sockets, pipes in an event loop, files in /proc) works as it does there or is refused.
The tests, Python's own library and other projects see Linux. `sys.platform` is "portable" for turnwright:
neither Linux nor any other name.

Source: CPython's documentation, "Availability" of each name, and its Lib for Windows.
"""

from __future__ import annotations

import builtins
import importlib
import os
import re
import signal
import stat
import sys
import types


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


HIDDEN_MODULES = _words("""
    _posixsubprocess curses fcntl grp posix pty pwd readline resource syslog termios tty uvloop
""")
"""Modules that cannot be imported."""
_SIGNALS_THERE = _words("SIGABRT SIGFPE SIGILL SIGINT SIGSEGV SIGTERM SIG_DFL SIG_IGN")
HIDDEN_NAMES = {
    "os": _words("""
        fork forkpty killpg getpgid setpgid getpgrp setpgrp setsid getsid getuid geteuid getgid getegid
        getgroups setuid seteuid setgid setegid setgroups setresuid setresgid setreuid setregid initgroups
        getresuid getresgid setpriority getpriority nice wait wait3 wait4 waitid WNOHANG WUNTRACED WEXITED
        sysconf sysconf_names confstr mkfifo mknod statvfs fstatvfs pread pwrite preadv pwritev readv writev
        sendfile posix_fallocate posix_fadvise fdatasync lockf fchown chown lchown chroot openpty ttyname
        ctermid tcgetpgrp tcsetpgrp memfd_create MFD_CLOEXEC pipe2 set_blocking get_blocking fchmod fchdir
        getloadavg uname eventfd timerfd_create timerfd_settime timerfd_settime_ns TFD_NONBLOCK TFD_CLOEXEC
        TFD_TIMER_ABSTIME pidfd_open posix_spawn posix_spawnp register_at_fork O_NOFOLLOW O_CLOEXEC O_NONBLOCK
        O_DIRECTORY O_TMPFILE O_SYNC O_DSYNC O_PATH O_NOCTTY WIFEXITED WEXITSTATUS WIFSIGNALED WTERMSIG
        PRIO_PROCESS copy_file_range splice getxattr setxattr listxattr removexattr environb sync
        sched_getaffinity sched_setaffinity sched_yield sched_getscheduler sched_setscheduler
    """),
    "signal": frozenset(name for name in dir(signal) if name.startswith(("SIG", "ITIMER_"))) - _SIGNALS_THERE
    | _words("""
        alarm setitimer getitimer pause pthread_kill pthread_sigmask sigwait sigwaitinfo sigtimedwait
        sigpending siginterrupt pidfd_send_signal
    """),
    "socket": _words("""
        AF_UNIX AF_NETLINK AF_PACKET send_fds recv_fds SCM_RIGHTS SCM_CREDENTIALS SO_PEERCRED SO_REUSEPORT
        MSG_DONTWAIT MSG_NOSIGNAL MSG_CMSG_CLOEXEC TCP_INFO TCP_QUICKACK TCP_USER_TIMEOUT CMSG_LEN CMSG_SPACE
        SOCK_NONBLOCK SOCK_CLOEXEC sethostname
    """),
    "select": _words("epoll poll kqueue EPOLLIN EPOLLOUT POLLIN POLLOUT"),
    "time": _words("""
        clock_gettime clock_gettime_ns clock_getres CLOCK_MONOTONIC CLOCK_REALTIME pthread_getcpuclockid
    """),
    "faulthandler": _words("register unregister"),
    "multiprocessing.context": _words("ForkContext ForkProcess ForkServerContext ForkServerProcess"),
    "asyncio": _words("open_unix_connection start_unix_server DefaultEventLoopPolicy ThreadedChildWatcher"),
}
"""By module, the names that it does not have."""
_PLACES_OF_LINUX = ("/proc", "/sys/")
_FRAMES_MAX = 40

_real_import = builtins.__import__
_real_import_module = importlib.import_module
_seen: dict[str, types.ModuleType] = {}


def hide() -> None:
    """Let turnwright see the other system from now on."""
    builtins.__import__ = _import
    importlib.import_module = _import_module
    sys.addaudithook(_audit)


def _is_product(names: dict) -> bool:
    """Return whether a module's global names are those of a module of turnwright."""
    name = names.get("__name__") or ""
    if name == "__main__":
        spec = names.get("__spec__")
        name = getattr(spec, "name", None) or names.get("__package__") or ""
    return re.match(r"turnwright(_\w+)?(\.|$)", name) is not None


def _asked_by_product() -> bool:
    """Return whether the nearest caller outside of libraries is a module of turnwright."""
    frame = sys._getframe(2)
    for _ in range(_FRAMES_MAX):
        if frame is None:
            return False
        names = frame.f_globals
        if _is_product(names):
            return True
        if (names.get("__name__") or "").startswith(("tests", "packages.", "test_", "conftest", "_pytest")):
            return False
        frame = frame.f_back
    return False


def _import(name, globals=None, locals=None, fromlist=(), level=0):
    if globals is None or not _is_product(globals):
        return _real_import(name, globals, locals, fromlist, level)
    if level == 0 and name.partition(".")[0] in HIDDEN_MODULES:
        raise ModuleNotFoundError(f"No module named {name!r} (it is hidden)", name=name)
    return _as_seen(_real_import(name, globals, locals, fromlist, level))


def _import_module(name, package=None):
    if not _is_product(sys._getframe(1).f_globals):
        return _real_import_module(name, package)
    if name.partition(".")[0] in HIDDEN_MODULES:
        raise ModuleNotFoundError(f"No module named {name!r} (it is hidden)", name=name)
    return _as_seen(_real_import_module(name, package))


def _as_seen(module: types.ModuleType) -> types.ModuleType:
    name = module.__name__
    if name not in HIDDEN_NAMES and name not in _CHANGED:
        return module
    if name not in _seen:
        change = _CHANGED.get(name)
        _seen[name] = _Seen(module, HIDDEN_NAMES.get(name, frozenset()), change() if change else {})
    return _seen[name]


class _Seen(types.ModuleType):
    """A module as turnwright sees it. Setting or deleting a name changes the module itself."""

    def __init__(self, real: types.ModuleType, hidden: frozenset, changed: dict) -> None:
        super().__init__(real.__name__, real.__doc__)
        vars(self).update(_real=real, _hidden=hidden, _changed=changed, _first=dict(vars(real)))
        for name in ("__spec__", "__loader__", "__package__", "__file__"):
            vars(self).pop(name, None)

    def __getattr__(self, name: str):
        if name in self._hidden:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r} (it is hidden)")
        found = getattr(self._real, name)
        if name in self._changed and found is self._first.get(name):  # a test may have replaced it
            return self._changed[name]
        return found

    def __setattr__(self, name: str, value) -> None:
        if name.startswith("__"):
            super().__setattr__(name, value)
        else:
            setattr(self._real, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._real, name)

    def __dir__(self):
        return [name for name in dir(self._real) if name not in self._hidden]


def _audit(event: str, arguments: tuple) -> None:
    """Refuse turnwright the files that only Linux has."""
    if event in ("open", "os.listdir", "os.scandir"):
        place = arguments[0]
        if isinstance(place, bytes):
            place = os.fsdecode(place)
        if isinstance(place, str) and place.startswith(_PLACES_OF_LINUX) and _asked_by_product():
            raise FileNotFoundError(2, "No such file or directory (it is hidden)", place)


# ---- what is there, but differs --------------------------------------------------------------------------


def _changed_os() -> dict:
    real_kill, real_open = os.kill, os.open

    def kill(pid, number):
        """End a process immediately, whatever the signal, as TerminateProcess does."""
        if not number:
            raise OSError(22, "signal 0 is Ctrl-C there")
        real_kill(pid, signal.SIGKILL)

    def open_file(path, flags, *rest, **more):
        if os.path.isdir(path):
            raise PermissionError(13, "a directory cannot be opened there", path)
        return real_open(path, flags, *rest, **more)

    return {"kill": kill, "open": open_file}


def _changed_signal() -> dict:
    names = {name: getattr(signal, name) for name in _SIGNALS_THERE}
    real_signal, real_get = signal.signal, signal.getsignal

    def checked(number):
        if number not in names.values():
            raise ValueError("signal number out of range")
        return number

    def set_handler(number, handler):
        return real_signal(checked(number), handler)

    def getsignal(number):
        return real_get(checked(number))

    return {"signal": set_handler, "getsignal": getsignal}


def _changed_socket() -> dict:
    import socket

    def socketpair(*_):
        """Return two sockets of 127.0.0.1 that are connected."""
        with socket.create_server(("127.0.0.1", 0), backlog=1) as bound:
            one = socket.create_connection(bound.getsockname()[:2])
            while True:
                other, address = bound.accept()
                if address == one.getsockname():
                    break
                other.close()
        for end in (one, other):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return one, other

    return {"socketpair": socketpair}


def _is_socket(file) -> bool:
    number = file if isinstance(file, int) else file.fileno()
    return stat.S_ISSOCK(os.fstat(number).st_mode)


def _changed_select() -> dict:
    import select

    real = select.select

    def select_sockets(read, write, error, *timeout):
        every = [*read, *write, *error]
        if not every or not all(map(_is_socket, every)):
            raise OSError(10022, "select takes sockets there, at least one")
        return real(read, write, error, *timeout)

    return {"select": select_sockets}


def _changed_subprocess() -> dict:
    import subprocess

    class Popen(subprocess.Popen):
        def __init__(self, *positional, **named):
            for name in ("preexec_fn", "pass_fds", "user", "group", "umask", "process_group"):
                if named.get(name):
                    raise ValueError(f"{name} is not supported there")
            named.pop("start_new_session", None)
            super().__init__(*positional, **named)

        def send_signal(self, number):
            if number not in (signal.SIGTERM, signal.SIGKILL):
                raise ValueError(f"Unsupported signal: {number}")
            super().send_signal(number)

    return {"Popen": Popen}


def _changed_ctypes() -> dict:
    import ctypes

    class CDLL(ctypes.CDLL):
        def __init__(self, name, *positional, **named):
            if name is None:
                raise TypeError("bad argument type for built-in operation")
            super().__init__(name, *positional, **named)

    return {"CDLL": CDLL}


def _changed_asyncio() -> dict:
    """Set a policy whose event loops accept only sockets, so that `asyncio.run` of tests uses them, too."""
    import asyncio

    class Loop(asyncio.SelectorEventLoop):
        """An event loop for sockets, as the selector loop of Windows is."""

    def refuse(name):
        real = getattr(asyncio.SelectorEventLoop, name)

        def refusing(self, *positional, **named):
            if _asked_by_product():
                raise NotImplementedError(f"{name} is not there")
            return real(self, *positional, **named)

        setattr(Loop, name, refusing)

    for name in _words("""
        add_signal_handler remove_signal_handler connect_read_pipe connect_write_pipe subprocess_exec
        subprocess_shell create_unix_server create_unix_connection
    """):
        refuse(name)

    def only_sockets(name):
        real = getattr(asyncio.SelectorEventLoop, name)

        def checking(self, file, *rest):
            if not _is_socket(file) and _asked_by_product():
                raise OSError(10038, f"{name} takes sockets there")
            return real(self, file, *rest)

        setattr(Loop, name, checking)

    only_sockets("add_reader")
    only_sockets("add_writer")

    class Policy(asyncio.DefaultEventLoopPolicy):
        _loop_factory = Loop

    asyncio.set_event_loop_policy(Policy())
    return {"SelectorEventLoop": Loop}


def _changed_multiprocessing() -> dict:
    import multiprocessing

    real = multiprocessing.get_context

    def get_context(method=None):
        if method not in (None, "spawn"):
            raise ValueError(f"cannot find context for {method!r}")
        return real("spawn")

    return {"get_context": get_context}


_CHANGED = {
    "os": _changed_os,
    "signal": _changed_signal,
    "socket": _changed_socket,
    "select": _changed_select,
    "subprocess": _changed_subprocess,
    "ctypes": _changed_ctypes,
    "asyncio": _changed_asyncio,
    "multiprocessing": _changed_multiprocessing,
    "sys": lambda: {"platform": "portable"},
}
