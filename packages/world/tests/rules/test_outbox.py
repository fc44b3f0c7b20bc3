"""The outbox: cut back to a mark, and nothing in it that could not be sent."""

from __future__ import annotations

import pytest

from packages.core.tests.messages import missing
from turnwright_world.rules.outbox import CONTENT, Outbox, Stimulus, WorldEvent


def filled(outbox: Outbox) -> Outbox:
    outbox.stimuli.append(Stimulus("yard", 1, "sight", 1.0, "x"))
    outbox.events.append(WorldEvent("death", 1))
    outbox.told.append((1, {"kind": "text", "text": "x"}))
    return outbox


def test_messages_after_a_mark_are_cut():
    outbox = filled(Outbox())
    mark = outbox.mark()
    filled(outbox).cut(mark)
    assert (len(outbox.stimuli), len(outbox.events), len(outbox.told)) == (1, 1, 1)


@pytest.mark.parametrize("bad", [{1, 2}, object(), {"x": [print]}])
def test_a_value_that_json_cannot_hold_is_refused(bad):
    outbox = Outbox()
    outbox.check(outbox.mark())
    outbox.events.append(WorldEvent("death", 1, {"bad": bad}))
    with pytest.raises((TypeError, ValueError)):
        outbox.check((0, 0, 0))
    outbox.check(outbox.mark())


def test_a_failure_is_noted_with_file_and_line():
    outbox = Outbox()
    try:
        raise KeyError("wolf")
    except KeyError as error:
        outbox.note("w" * 900, error)
    (trouble,) = outbox.troubles
    assert (trouble.error, trouble.text, len(trouble.what)) == ("KeyError", "KeyError: 'wolf'", 200)
    assert "test_outbox.py:" in trouble.where


def test_trouble_is_located_at_the_last_line_of_the_content():
    source = "def finish(numbers):\n    return index(numbers, 'x')\n"
    space = {"__name__": f"{CONTENT}verbs/odd.py", "index": lambda numbers, key: numbers[key]}
    exec(compile(source, "verbs/odd.py", "exec"), space)
    outbox = Outbox()
    try:
        space["finish"]([])
    except TypeError as error:
        outbox.note("odd", error)
    assert outbox.troubles[0].where == "verbs/odd.py:2"


class Mute(Exception):
    def __str__(self):
        raise ValueError("no")


def test_an_error_that_cannot_be_shown_is_noted():
    outbox = Outbox()
    outbox.note("it", Mute())
    assert not missing(outbox.troubles[0].text, "Mute", "cannot be shown")
