"""Help: one screen for all, one line for each."""

from __future__ import annotations

import pytest

from packages.core.tests.messages import says
from turnwright_world.example import yard
from turnwright_world.host.commands import AT_ONCE, IMMEDIATE, help_text


def test_all_commands_are_on_one_screen_of_a_terminal() -> None:
    rules, text = yard(), help_text(yard(), "", 80)
    assert len(text.split("\n")) <= 20
    assert max(map(len, text.split("\n"))) <= 80
    for word in (*rules.verbs, *AT_ONCE, *rules.threats.reactions):
        assert word in text


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("dig", yard().verbs["dig"].help),
        ("stop", AT_ONCE["stop"]),
        ("Parry", "parry: … blade, blow, bite … 12 stamina … 0.5 s"),
        ("counter", "counter: … 25 stamina … 1 s … 50 %"),
        ("fly", "'fly' … help"),
        ("north", "north … n; … west … in, out"),
        ("n", "north … n; … west … in, out"),
        ("out", "north … n; … west … in, out"),
        ("reactions", "reactions … ready … why … help NAME"),
    ],
)
def test_a_word_has_its_line(asked: str, said: str) -> None:
    text = help_text(yard(), asked, 200)
    assert "\n" not in text
    assert says(text, said)


def test_help_all_tells_everything() -> None:
    rules, text = yard(), help_text(yard(), "all", 200)
    for verb in rules.verbs.values():
        assert verb.help in text
    for word, line in AT_ONCE.items():
        assert (line in text) is (word not in rules.verbs)
    for name in rules.threats.reactions:
        assert f"{name}: stops" in text


def test_help_describes_a_verb_of_the_content_and_not_the_one_it_hides() -> None:
    rules = yard()
    rules.verbs["score"] = rules.verbs["dig"]
    assert help_text(rules, "score", 80) == rules.verbs["dig"].help
    assert AT_ONCE["score"] not in help_text(rules, "all", 200)


def test_help_describes_every_immediate_command() -> None:
    others = {"l", "i", "?", "help", "reply", "commands", "save", "whisper"}
    assert set(AT_ONCE) == set(IMMEDIATE) - others
