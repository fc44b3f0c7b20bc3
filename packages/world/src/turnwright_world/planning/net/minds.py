"""Loads minds from Python source and asks them for plans.

    def plan(view, random):                 class Wolf:
        return "north"                          hungry = True

                                                def plan(self, view, random):
                                                    self.hungry = not self.hungry
                                                    return "hunt" if self.hungry else None

`view` is what the creature perceives. `random` is a `random.Random` with a seed for this turn and creature. A
mind remembers only the attributes of its object, as plain data. Every mistake of a mind is reported as an
error text with the line of the mistake.
"""

from __future__ import annotations

import builtins
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from traceback import walk_tb
from types import ModuleType
from typing import Any

import msgspec

from turnwright_world.content.mind_source import check_mind
from turnwright_world.planning.messages import (
    CHECKED,
    COMMAND_CHARS_MAX,
    ERROR_CHARS_MAX,
    MEMORY_SIZE_MAX,
    PRINTED_CHARS_MAX,
    BodyToPlan,
    PlanAnswer,
    Source,
)

MODULES = (
    "abc bisect collections copy dataclasses enum fractions functools heapq itertools json math operator"
    " random re statistics string textwrap time typing"
)
"""The modules that a mind may import: modules that only compute, and `time`."""
_IMPORTS = frozenset((*MODULES.split(), "__future__"))

_encoder = msgspec.json.Encoder()
Plan = Callable[[dict[str, Any], Random, msgspec.Raw], tuple[object, msgspec.Raw]]


class BadMind(Exception):
    """A source is not a mind, or a mind's answer is not a plan. The text says what was expected."""


class Minds:
    """The minds of a process, by name."""

    def __init__(self) -> None:
        self._sources: dict[str, Source] = {}
        self._plans: dict[str, Plan] = {}

    def learn(self, source: Source) -> None:
        """Store the source of a new or changed mind. The source runs before its first plan."""
        self._sources[source.name] = source
        self._plans.pop(source.name, None)

    def ask(self, body: BodyToPlan, shared: Sequence[bytes] = ()) -> PlanAnswer:
        """Let a body's mind plan, and return the answer.

        Nothing that a mind does raises an exception here. sys.stdout and sys.stderr are replaced.
        """
        printed = _Printed()
        sys.stdout = sys.stderr = printed
        command: object = None
        memory, error = body.memory, ""
        began_ns, cpu_ns = time.perf_counter_ns(), time.thread_time_ns()
        try:
            plan = self._plans.get(body.mind) or self._load(body.mind)
            view = _view_of(body, shared)
            command, memory = plan(view, Random(body.seed), body.memory)
            command = _checked(command)
        except BaseException as raised:
            command, memory, error = None, body.memory, _error_text(raised, self._file_of(body.mind))
        cpu_ns, wall_ns = time.thread_time_ns() - cpu_ns, time.perf_counter_ns() - began_ns
        text = "".join(printed.parts)[:PRINTED_CHARS_MAX]
        assert command is None or isinstance(command, str)
        return PlanAnswer(body.id, command, memory, error, _plain(text), wall_ns, cpu_ns)

    def _file_of(self, name: str) -> str:
        source = self._sources.get(name)
        return name if source is None else source.file

    def _load(self, name: str) -> Plan:
        source = self._sources.get(name)
        if source is None:
            raise BadMind(f"there is no mind {name!r}")
        own = {**vars(builtins), "__import__": Imports()}
        space: dict[str, Any] = {"__name__": "mind", "__file__": source.file, "__builtins__": own}
        exec(compile(source.text, source.file, "exec", dont_inherit=True), space)
        plan = self._plans[name] = _plan_of(space, source.file)
        return plan


def _view_of(body: BodyToPlan, shared: Sequence[bytes]) -> Any:
    """Return a body's view. Parts that others share are copied, because a mind may change them."""
    view = msgspec.json.decode(body.view)
    if body.shared >= 0:
        common = msgspec.json.decode(shared[body.shared])
        view.update(common)
        if body.mine >= 0:
            del view["here"][body.mine]
    return view


class Imports:
    """The `__import__` of one mind.

    A mind gets a copy of a module in MODULES, with its public names but without the modules that it imports.
    A mind can still reach other modules through Python's objects. Only the sandbox protects against that.
    """

    def __init__(self) -> None:
        self._copies: dict[str, ModuleType] = {}

    def __call__(
        self,
        name: str,
        space: object = None,
        local: object = None,
        wanted: Sequence[str] = (),
        level: int = 0,
    ) -> ModuleType:
        """Return the module for an import statement.

        Raises:
            ImportError: a mind may not import this module.
        """
        if type(name) is not str or level or name.partition(".")[0] not in _IMPORTS or "._" in name:
            raise _refused(f"{name!s:.80}")
        found = self._copy(name)
        for one in wanted or ():
            if not one.startswith("_") and not hasattr(found, one) and f"{name}.{one}" in sys.modules:
                self._copy(f"{name}.{one}")
        return found if wanted else self._copy(name.partition(".")[0])

    def _copy(self, name: str) -> ModuleType:
        """Return the copy of a module. It is also an attribute of its package's copy."""
        if name not in self._copies:
            public = {
                one: value
                for one, value in vars(import_module(name)).items()
                if (not one.startswith("_") or one == "__all__") and not isinstance(value, ModuleType)
            }
            # another name, because `from re import _parser` looks up "re._parser" in sys.modules
            copied = self._copies[name] = ModuleType(f"mind {name}")
            vars(copied).update(public)
            package, _, last = name.rpartition(".")
            if package:
                setattr(self._copy(package), last, copied)
        return self._copies[name]


def _refused(name: str) -> ImportError:
    return ImportError(f"a mind cannot import {name}; it may use: {', '.join(MODULES.split())}")


class OnlyThese:
    """Refuses to load modules.

    Use it as the only entry of sys.meta_path.
    """

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Refuse a module.

        Raises:
            ImportError: always.
        """
        raise _refused(name)


class _Printed:
    """Collects what a mind prints, up to a limit."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._room = PRINTED_CHARS_MAX

    def write(self, text: str) -> int:
        if self._room > 0 and text:
            self.parts.append(text[: self._room])
            self._room -= len(text)
        return len(text)

    def flush(self) -> None:
        """Do nothing, because nothing is buffered."""


def canary(rounds: int) -> PlanAnswer:
    """Do a known amount of work, and return how long it took.

    10,000 rounds take about half a millisecond.
    """
    began_ns, cpu_ns = time.perf_counter_ns(), time.thread_time_ns()
    value = 1
    for number in range(rounds):
        value = (value * 31 + number) & 0xFFFF
    cpu_ns, wall_ns = time.thread_time_ns() - cpu_ns, time.perf_counter_ns() - began_ns
    return PlanAnswer(-1, None, wall_ns=wall_ns, cpu_ns=cpu_ns)


def check(source: Source) -> PlanAnswer:
    """Check whether a player's program is a valid mind, and return the answer for the server.

    The answer's error is the first mistake: its line, a colon and the text. It is "" for a valid mind.
    """
    found: list[str] = []
    if check_mind(source.file, source.text, lambda line, text: found.append(f"{line}:{_plain(text)}")):
        return PlanAnswer(CHECKED, None)
    return PlanAnswer(CHECKED, None, error=(found or ["0:it cannot be read"])[0][:ERROR_CHARS_MAX])


def _plan_of(space: dict[str, Any], file: str) -> Plan:
    """Return the planning function of a mind's file: the function `plan`, or the method `plan` of the only
    class that has one.
    """
    function = space.get("plan")
    if callable(function):
        return lambda view, random, memory: (function(view, random), memory)
    classes = [
        value
        for value in space.values()
        if isinstance(value, type) and value.__module__ == "mind" and callable(getattr(value, "plan", None))
    ]
    if len(classes) != 1:
        raise BadMind(f"{file}: wanted a function plan(view, random), or one class with that method")
    return _plan_of_class(classes[0])


def _plan_of_class(kind: type[Any]) -> Plan:
    def plan(view: dict[str, Any], random: Random, memory: msgspec.Raw) -> tuple[object, msgspec.Raw]:
        mind = kind()
        vars(mind).update(msgspec.json.decode(memory) or {})
        command = mind.plan(view, random)
        kept = _encoder.encode(vars(mind))
        if len(kept) > MEMORY_SIZE_MAX:
            raise BadMind(f"it remembers {len(kept)} bytes, at most {MEMORY_SIZE_MAX} are kept")
        return command, msgspec.Raw(kept)

    return plan


def _checked(command: object) -> str | None:
    if command is None:
        return None
    if type(command) is not str:
        raise BadMind(f"plan() returned {type(command).__name__}, wanted a command (str) or None")
    command = command.strip()
    if len(command) > COMMAND_CHARS_MAX or not command.isprintable():
        raise BadMind(f"plan() returned a text, wanted one line of at most {COMMAND_CHARS_MAX} characters")
    return command or None


def _error_text(raised: BaseException, file: str) -> str:
    """Return one line with the place in the mind's file, the kind of the exception, and its text."""
    try:
        if isinstance(raised, BadMind):
            return _plain(str(raised))[:ERROR_CHARS_MAX]
        if isinstance(raised, SyntaxError):
            line = raised.lineno
        else:
            lines = [at for frame, at in walk_tb(raised.__traceback__) if frame.f_code.co_filename == file]
            line = lines[-1] if lines else None
        where = f"{file} line {line}: " if line else f"{file}: "
        said = " ".join(str(raised)[:ERROR_CHARS_MAX].split())
        return _plain(f"{where}{type(raised).__name__}: {said}")[:ERROR_CHARS_MAX]
    except BaseException:
        return "it raised something that cannot even be shown"


def _plain(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
