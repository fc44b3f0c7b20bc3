"""Minds: loading, asking, and the handling of their mistakes."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import msgspec
import pytest

from packages.core.tests.messages import missing, says
from packages.world.tests.planning.net.vicious_minds import climbed
from turnwright_world.planning.messages import (
    COMMAND_CHARS_MAX,
    MEMORY_SIZE_MAX,
    PRINTED_CHARS_MAX,
    BodyToPlan,
    PlanAnswer,
    Source,
)
from turnwright_world.planning.net.minds import MODULES, Minds, OnlyThese, canary

_WOLF = """
class Wolf:
    meals = 0

    def plan(self, view, random):
        self.meals += 1
        return f"eat {self.meals}"
"""


@pytest.fixture(autouse=True)
def _our_streams() -> Iterator[None]:
    """A process that plans gives its standard streams to its minds. Restore those of this process."""
    kept = sys.stdout, sys.stderr
    yield
    sys.stdout, sys.stderr = kept


def _ask(text: str, *, view: object = None, memory: bytes = b"null", seed: int = 5) -> PlanAnswer:
    minds = Minds()
    minds.learn(Source("m", "minds/m.py", text))
    raw_view = msgspec.Raw(msgspec.json.encode(view or {}))
    return minds.ask(BodyToPlan(1, "m", seed, raw_view, msgspec.Raw(memory)))


def test_a_function_plans_from_its_view() -> None:
    answer = _ask("def plan(view, random):\n    return 'go ' + view['way']", view={"way": "north"})
    assert (answer.command, answer.error, bytes(answer.memory)) == ("go north", "", b"null")


def test_the_shared_part_of_a_view_is_put_in_without_the_body_itself() -> None:
    minds = Minds()
    minds.learn(Source("m", "m.py", "def plan(view, random): return str(view)"))
    view, shared = msgspec.Raw(b'{"a":1,"here":null,"z":2}'), (b"[]", b'{"here":["x","y"]}')
    said = [
        minds.ask(BodyToPlan(1, "m", 1, view, msgspec.Raw(b"null"), 1, mine), shared).command
        for mine in (-1, 0)
    ]
    assert said == [str({"a": 1, "here": here, "z": 2}) for here in (["x", "y"], ["y"])]


def test_an_object_remembers_its_attributes_as_data() -> None:
    first = _ask(_WOLF)
    assert (first.command, bytes(first.memory)) == ("eat 1", b'{"meals":1}')
    assert _ask(_WOLF, memory=bytes(first.memory)).command == "eat 2"


def test_the_same_seed_gives_the_same_plan() -> None:
    text = "def plan(view, random):\n    return str(random.random())"
    assert _ask(text, seed=9).command == _ask(text, seed=9).command
    assert _ask(text, seed=9).command != _ask(text, seed=10).command


def test_another_version_of_a_mind_is_used_immediately() -> None:
    minds = Minds()
    body = BodyToPlan(1, "m", 1, msgspec.Raw(b"{}"), msgspec.Raw(b"null"))
    for word in ("old", "new"):
        minds.learn(Source("m", "m.py", f"def plan(view, random): return '{word}'"))
        assert minds.ask(body).command == word


def test_prints_are_returned_with_the_answer_up_to_a_bound() -> None:
    text = climbed("sys") + "def plan(view, random):\n    print('hello')\n    print('oh', file=sys.stderr)"
    assert _ask(text).printed == "hello\noh\n"
    flood = _ask("def plan(view, random):\n    for _ in range(1000): print('x' * 1000)")
    assert len(flood.printed) == PRINTED_CHARS_MAX


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "def plan(view, random):\n    return 1 / 0",
            "minds/m.py line 2: ZeroDivisionError",
        ),
        ("x = (", "minds/m.py line 1: SyntaxError"),
        ("import nothing_of_this_name", "minds/m.py line 1: ImportError"),
        ("x = 1", "minds/m.py: … plan(view, random) … class"),
        ("def plan(view, random): return 7", "plan() returned int … str … None"),
        ("def plan(view, random): return 'a\\nb'", "plan() returned … one line"),
        (f"def plan(view, random): return 'a' * {COMMAND_CHARS_MAX + 1}", "plan() returned … one"),
        ("def plan(view, random): raise SystemExit", "minds/m.py line 1: SystemExit"),
        ("def plan(view, random): raise KeyboardInterrupt", "minds/m.py line 1: KeyboardInterrupt"),
        ("def plan(view, random): return plan(view, random)", "minds/m.py line 1: RecursionError"),
        ("def plan(view): return 'x'", "minds/m.py: TypeError"),
        (
            "class A:\n    def plan(self, view, random): self.x = object()",
            "minds/m.py: TypeError: … type object",
        ),
        (
            f"class A:\n    def plan(self, view, random): self.x = 'x' * {MEMORY_SIZE_MAX}",
            f"remembers {MEMORY_SIZE_MAX + 17} bytes … {MEMORY_SIZE_MAX}",
        ),
        ("class A:\n    def plan(self, view, random): self.x = self.__dict__", "minds/m.py: RecursionError"),
        (
            "class E(Exception):\n    def __str__(self): raise ValueError\ndef plan(view, random): raise E",
            "raised … cannot … shown",
        ),
    ],
)
def test_a_mistake_is_reported_in_one_line_with_its_place(text: str, wanted: str) -> None:
    answer = _ask(text, memory=b'{"kept":1}')
    assert says(answer.error, wanted)
    assert answer.command is None
    assert bytes(answer.memory) == b'{"kept":1}'
    assert "\n" not in answer.error


def test_a_mind_that_was_never_taught_is_an_error() -> None:
    answer = Minds().ask(BodyToPlan(1, "ghost", 1, msgspec.Raw(b"{}"), msgspec.Raw(b"null")))
    assert not missing(answer.error, "no mind", "'ghost'")


@pytest.mark.parametrize(
    "attack",
    [
        *(f"import {name}" for name in ("os", "sys", "socket", "ctypes", "gc", "builtins", "_io", "signal")),
        *(f"import {name}" for name in ("importlib", "os.path", "msgspec", "turnwright", "random, os")),
        *(f"import {name}" for name in ("threading", "subprocess", "inspect", "pickle", "_thread", "types")),
        "from os import path",
        "from importlib import import_module",
        "from . import os",
        "from json import os",
        "from random import _os",
        "from re import _parser",
        "import re._parser",
        "__import__('os')",
        "__builtins__['__import__']('gc')",
        "exec('import os')",
        "exec('import os', {})",
        "eval('__import__(chr(111) + chr(115))')",
        "(lambda: __import__('socket'))()",
        "class os(str): pass\n__import__(os('json'))",
        "import random; random._os",
        "import collections; collections._sys",
        "import statistics; statistics.sys",
        "import typing; typing.sys",
        "import json.decoder; json.decoder.re",
        "import collections.abc as abc; abc.sys",
        "import re; re.enum.sys",
        "import dataclasses; dataclasses.inspect",
    ],
)
def test_no_import_leads_to_loaded_modules(attack: str) -> None:
    answer = _ask(f"{attack}\ndef plan(view, random): return 'in'")
    assert answer.command is None
    assert any(word in answer.error for word in ("ImportError", "AttributeError")), answer.error


WORKS = """
import collections.abc
from collections import abc as tables
from math import *
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

class Way(Enum):
    NORTH = "north"

@dataclass
class Plan:
    way: Way = Way.NORTH

class Point(NamedTuple):
    x: int = 1

assert tables.Mapping is collections.abc.Mapping and isinstance({}, tables.Mapping)
assert floor(2.5) == 2 and Point().x == 1 and time.monotonic() >= 0
assert json.loads(json.dumps([1])) == [1] and re.match("a", "ab")
assert statistics.mean([1, 3]) == 2 and copy.deepcopy([1]) == [1] and fractions.Fraction("1/2")

def plan(view, random):
    return Plan().way.value
"""


def test_allowed_imports_of_a_mind_work() -> None:
    answer = _ask("\n".join(f"import {name}" for name in MODULES.split()) + WORKS)
    assert (answer.command, answer.error) == ("north", "")
    future = _ask("from __future__ import annotations\ndef plan(view: Any, random): return 'go'")
    assert (future.command, future.error) == ("go", "")


def test_changes_of_a_mind_to_a_module_do_not_affect_others() -> None:
    minds = Minds()
    minds.learn(
        Source("bad", "bad.py", "import math\nmath.floor = lambda x: 7\ndef plan(view, random): return 'x'")
    )
    minds.learn(Source("good", "m.py", "import math\ndef plan(view, random): return str(math.floor(2.5))"))
    for name, command in (("bad", "x"), ("good", "2")):
        body = BodyToPlan(1, name, 1, msgspec.Raw(b"{}"), msgspec.Raw(b"null"))
        assert minds.ask(body).command == command


def test_a_refused_import_names_the_allowed_modules() -> None:
    with pytest.raises(ImportError, match=r"import socketserver.*: abc, bisect"):
        OnlyThese().find_spec("socketserver")


def test_the_canary_says_how_long_it_took() -> None:
    answer = canary(10_000)
    assert answer.id == -1
    assert answer.cpu_ns > 50_000
