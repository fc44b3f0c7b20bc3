"""Python files of content: verbs, minds, and the line of a mistake."""

from __future__ import annotations

import pytest

from turnwright_world.content.python_files import load_verbs
from turnwright_world.rules.verbs import Verb

HEAD = "from turnwright_world.rules.verbs import Verb\n"


def verbs_of(source: str) -> tuple[list[Verb], list[tuple[int, str]]]:
    noted: list[tuple[int, str]] = []
    return list(load_verbs("verbs/x.py", source, lambda line, text: noted.append((line, text)))), noted


def test_each_class_is_a_verb_unless_its_name_begins_with_an_underscore() -> None:
    verbs, noted = verbs_of(HEAD + "class _Base(Verb): pass\nclass Sing(_Base):\n    name = 'sing'\n")
    assert [verb.name for verb in verbs] == ["sing"]
    assert noted == []


@pytest.mark.parametrize(
    ("source", "line", "text"),
    [
        (HEAD + "class A(Verb:\n", 2, "not Python"),
        ("x = 1\0", 1, "not Python"),
        (HEAD + "\n1 / 0\n", 3, "ZeroDivisionError"),
        ("import nothing_of_this_name\n", 1, "ModuleNotFoundError"),
        (HEAD + "\nclass A: pass\n", 3, "write class A(Verb)"),
        (HEAD + "class A(Verb): pass\n", 2, "'' is not a name"),
        (HEAD + "class A(Verb):\n    name = 'Two Words'\n", 2, "not a name"),
        (HEAD + "class A(Verb):\n    name, aliases = 'a', ['b']\n", 2, "give a tuple"),
        (HEAD + "class A(Verb):\n    name, duration_turns = 'a', 0\n", 2, "duration_turns is 0"),
        (HEAD + "class A(Verb):\n    name, help = 'a', 3\n", 2, "help is 3"),
        (HEAD + "class A(Verb):\n    name, help, group = 'a', 'a', ['things']\n", 2, "group is"),
        (HEAD + "class A(Verb):\n    name = 'a'\n    def __init__(self, x): pass\n", 2, "without arguments"),
    ],
)
def test_a_mistake_in_a_verb_has_its_line(source: str, line: int, text: str) -> None:
    verbs, noted = verbs_of(source)
    assert verbs == []
    assert [at for at, _ in noted] == [line]
    assert text in noted[0][1]


def test_a_verb_that_fails_later_names_its_file_and_line() -> None:
    (verb,), _ = verbs_of(
        HEAD + "class A(Verb):\n    name = 'a'\n    def finish(self, act):\n        1 / 0\n"
    )
    with pytest.raises(ZeroDivisionError) as raised:
        verb.finish(None)  # type: ignore[arg-type]  # it does not come so far
    assert (str(raised.traceback[-1].path), raised.traceback[-1].lineno + 1) == ("verbs/x.py", 5)


@pytest.mark.parametrize(
    ("source", "line", "text"),
    [
        ("import sys\nsys.exit('no')\n", 2, "SystemExit: no"),
        (
            HEAD + "class A(Verb):\n    name = 'a'\n    def __init__(self): raise SystemExit\n",
            2,
            "SystemExit",
        ),
        ("x = " + "-" * 100_000 + "1\n", 1, "too deeply nested"),
    ],
)
def test_a_file_that_wants_to_leave_or_cannot_be_compiled_is_a_mistake_and_no_end(
    source: str, line: int, text: str
) -> None:
    verbs, noted = verbs_of(source)
    assert verbs == []
    assert [at for at, _ in noted] == [line]
    assert text in noted[0][1]
