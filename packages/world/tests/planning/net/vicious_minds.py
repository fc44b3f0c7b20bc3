"""Sources of minds that do harm."""

from __future__ import annotations


def climbed(*modules: str) -> str:
    """Return lines that get modules that no mind may import, by way of Python's own objects.

    What they do with them meets the process's own walls.
    """
    lines = ["from random import Random", "loaded = Random.seed.__globals__['_os'].sys.modules"]
    for module in modules:
        name = module.rpartition(".")[2]
        lines.append(f"{name} = loaded[{module!r}]")
    return "\n".join(lines) + "\n"


_OS = climbed("os")
_ANSWERS = (
    climbed("os", "turnwright_world.planning.messages")
    + "def say(*of, **more): os.write(3, messages.frame_of(messages.PlanAnswer(*of, **more)))\n"
)

HUNG = "def plan(view, random):\n    while True: pass"
ASLEEP = f"""
{climbed("_thread", "signal")}
def plan(view, random):
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    lock = _thread.allocate_lock()
    while True: lock.acquire()
"""
NASTY = {
    "hung": (HUNG, {"slow"}),
    "asleep": (ASLEEP, {"slow"}),
    "catches": (
        "def plan(view, random):\n  while 1:\n    try:\n      while 1: pass\n    except: pass",
        {"slow"},
    ),
    "forks": (_OS + "def plan(view, random):\n    while True: os.fork()", {"error"}),
    "threads": (
        climbed("_thread") + "def plan(view, random):\n    while True: _thread.start_new_thread(print, ())",
        {"error"},
    ),
    "eats": (
        "kept = []\ndef plan(view, random):\n    while True: kept.append(bytearray(1 << 20))",
        {"error", "slow"},
    ),
    "prints": ("def plan(view, random):\n    for _ in range(1000): print('x' * 1000)", {None}),
    "floods": (
        _OS + "def plan(view, random):\n    while True: os.write(3, b'x' * 65536)",
        {"broken"},
    ),
    "writes": (
        _OS + "def plan(view, random):\n    while True: os.write(1, b'x' * 65536)",
        {"slow"},
    ),
    "raises": ("def plan(view, random):\n    raise BaseException('x' * 10 ** 6)", {"error"}),
    "garbage": (_OS + "def plan(view, random):\n    os.write(3, b'\\0\\0\\0\\5hello')", {"broken"}),
    "huge": ("def plan(view, random):\n    return 'x' * 10 ** 7", {"error"}),
    "deep": (
        "class D:\n  def plan(self, view, random):\n"
        "    self.x = []\n    for _ in range(10 ** 5): self.x = [self.x]",
        {"error", "broken"},
    ),
    "remembers": ("class R:\n  def plan(self, view, random):\n    self.x = 'x' * 10 ** 6", {"error"}),
    "patricide": (_OS + "def plan(view, random):\n    os.kill(os.getppid(), 9)", {"error"}),
    "genocide": (_OS + "def plan(view, random):\n    os.kill(-1, 9)", {"error"}),
    "suicide": (_OS + "def plan(view, random):\n    os._exit(0)", {"broken"}),
    "crash": (climbed("ctypes") + "def plan(view, random):\n    ctypes.string_at(0)", {"broken"}),
    "closes": (_OS + "def plan(view, random):\n    os.close(3)", {"broken"}),
    "impostor": (
        _ANSWERS + "def plan(view, random):\n    say(1, 'i am ada')",
        {"broken"},
    ),
    "canary": (
        _ANSWERS + "def plan(view, random):\n    say(-1, None, wall_ns=10 ** 12)",
        {"broken"},
    ),
    "reads": (_OS + "def plan(view, random):\n    while True: os.read(3, 1)", {"slow", "broken"}),
    "spies": ("def plan(view, random):\n    return open('/etc/hostname').read()", {"error"}),
    "calls": (
        climbed("socket") + "def plan(view, random):\n    socket.create_connection(('127.0.0.1', 22))",
        {"error"},
    ),
    "unimports": (
        climbed("sys") + "loaded.clear()\ndef plan(view, random):\n    return 'gone'",
        {None, "error", "broken"},
    ),
}
