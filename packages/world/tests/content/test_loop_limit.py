"""Every endless loop of a verb is ended, and other code of a file works unchanged."""

from __future__ import annotations

import ast
import contextlib
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.messages import missing
from packages.world.tests.worlds import Play, rules_with
from turnwright.kernel.verify import verify
from turnwright_world.content.loop_limit import NAMES, ROUNDS_MAX, Endless, bounded
from turnwright_world.content.python_files import load_verbs
from turnwright_world.intent import WorldIntent
from turnwright_world.rules.verbs import Verb

LIBRARY = sorted(Path(ast.__file__).parent.glob("[a-d]*.py"))


def load(source: str) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": "m", **NAMES}
    exec(compile(bounded(ast.parse(source)), "verbs/x.py", "exec"), space)
    return space


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("    while True: pass\n", 2),
        ("    'says'\n    for _ in forever: pass\n", 3),
        ("    if 1:\n        with here:\n            while 1: continue\n", 4),
        ("    try: 1 / 0\n    except Exception:\n        while 1: pass\n", 4),
        ("    try: pass\n    finally:\n        while 1: pass\n", 4),
        ("    match 1:\n        case 1:\n            while 1: pass\n", 4),
        ("    while 0: pass\n    else:\n        while 1: pass\n", 4),
        ("    while 1:\n        try:\n            while 1: pass\n        except Exception: pass\n", 2),
        ("    def g():\n        while 1: pass\n    g()\n", 3),
        ("    class A:\n        while 1: pass\n", 3),
        ("    def g():\n        while 1: yield 1\n    sum(g())\n", 3),
        ("    grows = [1]\n    for one in grows: grows.append(one)\n", 3),
    ],
)
def test_a_loop_that_never_ends_is_ended_and_named(body: str, line: int) -> None:
    space = load("def f():\n" + body)
    space |= {"forever": iter(int, 1), "here": contextlib.nullcontext()}
    with pytest.raises(Endless, match="more than 100,000 rounds") as raised:
        space["f"]()
    assert (str(raised.traceback[-1].path), raised.traceback[-1].lineno + 1) == ("verbs/x.py", line)


@pytest.mark.parametrize(
    "body",
    [
        "    [1 for one in forever]\n",
        "    any(one for one in forever)\n",
        "    {one: 1 for _ in (1,) for one in forever}\n",
        "    return lambda: {one for one in [two for two in forever]}\n",
    ],
)
def test_a_comprehension_that_never_ends_is_ended_and_named(body: str) -> None:
    space = load("def f():\n" + body)
    space["forever"] = iter(int, 1)
    with pytest.raises(Endless, match="more than 100,000 rounds") as raised:
        space["f"]()()
    places = [(str(step.path), step.lineno + 1) for step in raised.traceback]
    assert ("verbs/x.py", 2) in places


def test_a_comprehension_gives_its_usual_result_up_to_the_bound() -> None:
    space = load("def f(n): return sum(a * b for a in range(n) if a % 2 for b in (1, 2))\n")
    assert space["f"](ROUNDS_MAX) == 3 * sum(range(1, ROUNDS_MAX, 2))
    with pytest.raises(Endless):
        space["f"](ROUNDS_MAX + 1)


def test_a_file_whose_own_loop_never_ends_is_ended() -> None:
    with pytest.raises(Endless):
        load("while True: pass\n")


def test_each_call_may_loop_up_to_the_maximum_of_rounds() -> None:
    space = load("def f(n):\n    for _ in range(n): pass\n    for _ in range(3): pass\n    return n\n")
    for _ in range(3):
        assert space["f"](ROUNDS_MAX - 3) == ROUNDS_MAX - 3
    with pytest.raises(Endless):
        space["f"](ROUNDS_MAX - 2)


def test_other_code_of_a_file_works_unchanged() -> None:
    source = (
        '"""About."""\nfrom __future__ import annotations\n'
        "for k in range(3): last = k\n"
        'def f(n: int) -> list[int]:\n    "says"\n    found = []\n'
        "    for k in range(n):\n        if k == 2: continue\n        if k == 4: break\n"
        "        found.append(k)\n"
        "    else:\n        found.append(-1)\n    return found\n"
    )
    space = load(source)
    assert (space["__doc__"], space["last"], space["f"].__doc__) == ("About.", 2, "says")
    assert space["f"].__annotations__ == {"n": "int", "return": "list[int]"}
    assert (space["f"](4), space["f"](9)) == ([0, 1, 3, -1], [0, 1, 3])


@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: path.stem)
def test_any_file_of_pythons_own_library_can_be_bounded(path: Path) -> None:
    tree = ast.parse(path.read_bytes())
    loops = sum(isinstance(node, ast.For | ast.AsyncFor | ast.While) for node in ast.walk(tree))
    compile(bounded(tree), str(path), "exec", dont_inherit=True)
    counts = [node for node in ast.walk(tree) if isinstance(node, ast.AugAssign)]
    assert sum(isinstance(one.target, ast.Name) and one.target.id == ".rounds" for one in counts) == loops


# ---- in a world ----------------------------------------------------------------------------------------


SPIN = """
from turnwright_world.rules.verbs import Verb
class Spin(Verb):
    name = "spin"
    def finish(self, act):
        act.touch(act.actor)
        act.actor.money = 999
        act.say("Whee!")
        while act.actor.money:
            pass
"""


def spinning() -> Verb:
    (verb,) = load_verbs("verbs/spin.py", SPIN, lambda line, text: pytest.fail(text))
    return verb


def test_an_endless_verb_is_undone_and_named_and_the_world_continues() -> None:
    play = Play(rules_with(spinning()))
    money = play.world.creatures[1].money
    closed = play.turn({1: WorldIntent("spin"), 2: WorldIntent("say", "ho")})
    assert closed.entry.faults == (("ann (1): spin", "Endless"),)
    (trouble,) = play.battle.state.troubles
    assert trouble.where == "verbs/spin.py:9"
    assert not missing(trouble.text, "Endless", "loop", "100,000")
    assert play.world.creatures[1].money == money
    assert play.world.creatures[1].action is None
    assert {"kind": "failed", "verb": "spin"} in play.heard(1)
    assert not any(message.get("text") == "Whee!" for message in play.heard(1))
    assert play.do(2, "go", "in").entry.faults == ()


def test_its_record_comes_out_the_same_when_it_is_played_again() -> None:
    play = Play(rules_with(spinning()))
    play.do(1, "spin")
    play.do(2, "say", "ho")
    found = verify(play.record, Play(rules_with(spinning())).game)
    assert (found.ok, found.turns) == (True, 2)


def test_a_file_that_never_ends_while_it_is_loaded_is_a_mistake_with_its_line() -> None:
    noted: list[tuple[int, str]] = []
    source = "import re\nwhile re:\n    pass\n"
    assert list(load_verbs("verbs/x.py", source, lambda line, text: noted.append((line, text)))) == []
    assert [line for line, _ in noted] == [2]
    assert not missing(noted[0][1], "Endless", "loop", "100,000")
