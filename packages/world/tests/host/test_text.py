"""Text for terminals: wrapped, clean, and whole without colours."""

from __future__ import annotations

import re

import pytest

from packages.core.tests.messages import missing, naming
from packages.world.tests.host.views import THREAT, view
from turnwright_world.example import yard
from turnwright_world.host.text import (
    HERE_MAX,
    Look,
    answers_of,
    clean,
    heard_lines,
    prompt,
    room,
    threat_line,
    wrapped,
)
from turnwright_world.rules.threats import Reaction
from turnwright_world.rules.view import DARK

PLAIN = Look()


def test_a_room_names_exits_creatures_and_things_without_drawing() -> None:
    text = room(view(), PLAIN)
    assert text.split("\n")[0] == "Yard"
    assert "Exits: in." in text
    assert naming(text, "Wolf", "absent", "howling", "hurt")
    assert naming(text, "two stones")
    assert text.isascii()


def test_text_is_wrapped_to_the_width_of_the_window() -> None:
    assert max(map(len, room(view(), Look(width=20)).split("\n"))) <= 20
    assert wrapped("x" * 50, 20).split("\n") == ["x" * 20, "x" * 20, "x" * 10]


def test_a_number_stays_with_its_unit() -> None:
    text = "It lands in 0.5 s, and 20 % of it go back; 12 xp."
    for width in range(20, 50):
        lines = wrapped(text, width).split("\n")
        assert " ".join(lines) == text
        assert max(map(len, lines)) <= width
        assert not [line for line in lines if line[0] in "s%x"]


def test_colours_come_only_where_they_are_wanted_and_say_nothing_by_themselves() -> None:
    coloured = room(view(), Look(colours=True))
    assert "\x1b[1mYard\x1b[0m" in coloured
    assert coloured.replace("\x1b[1m", "").replace("\x1b[0m", "") == room(view(), PLAIN)


def test_nothing_in_a_text_steers_the_terminal() -> None:
    assert clean("a\x1b[2Jb\x07c\r\nd\u202ee") == "a[2Jbc\nde"
    place = {**view()["place"], "name": "Ya\x1b[2Jrd"}
    assert "\x1b" not in room(view(place=place), PLAIN)


def test_every_space_becomes_a_plain_space_and_letters_without_width_vanish() -> None:
    assert clean("5\u00a0kg\u202fand\u2009more\u3000of\tit") == "5 kg and more of it"
    assert clean("un\u00addo\u200b\ufeff\u2028\r\v\x85") == "undo"


def test_a_threat_is_one_line_with_its_time_left_and_its_number() -> None:
    assert threat_line(THREAT, 1_900_000, PLAIN) == "The wolf: bite in 2.1 s [3]"
    assert threat_line(THREAT, 9_000_000, PLAIN) == "The wolf: bite in 0.0 s [3]"


def test_a_threat_lists_its_reactions_the_cheapest_first() -> None:
    answers = answers_of(yard().threats.reactions.values())
    line, met = threat_line(THREAT, 1_900_000, PLAIN), answers("bite")
    assert threat_line(THREAT, 1_900_000, PLAIN, answers) == f"{line} - {met}"
    assert re.findall(r"\w+", met) == ["deflect", "parry", "counter", "or", "dodge"]
    assert re.findall(r"\w+", answers("fire")) == ["deflect", "ward", "counter", "or", "dodge"]
    assert answers_of([Reaction("ward", "id", kinds=("fire",))])("fire") == "ward?"
    assert answers_of([Reaction("ward", "id", kinds=("fire",))])("bite") == ""


def test_the_prompt_has_the_turn_the_action_the_threats_and_the_queue() -> None:
    busy = view(action={"verb": "dig", "ends_turn": 15}, threats=[THREAT])
    text = prompt(busy, 2, PLAIN)
    told = ["90/100 hp", "50/100 sp", "turn 12", "digging (3 turns)", "1 coming in 2.1 s", "2 queued"]
    assert text == f"[{', '.join(told)}] "
    assert len(text) <= 80
    assert "2 coming, first in 2.1 s" in prompt(view(threats=[THREAT, THREAT]), 0, PLAIN)
    assert prompt({}, 0, PLAIN) == "> "


def test_a_prompt_fits_its_terminal_and_drops_health_and_threats_last() -> None:
    busy = view(action={"verb": "search", "ends_turn": 15}, threats=[THREAT, THREAT])
    for width in range(40, 100):
        text = prompt(busy, 12, Look(width))
        assert len(text) <= width
        assert text.startswith("[90/100 hp")
        assert "2 coming, first in 2.1 s" in text
    assert naming(prompt(busy, 12, Look(100)), "turn 12", "searching", "12 queued", "50/100 sp")
    assert missing(prompt(busy, 12, PLAIN), "turn 12", "searching", "50/100 sp") == ["turn 12"]


def test_messages_become_lines_and_the_others_are_left_out() -> None:
    gone = {"id": 3, "from": 7, "name": "wolf", "why": "landed", "damage": 12}
    heard = [
        {"kind": "welcome", "body": 1},
        {"kind": "threat", "op": "add", "threat": THREAT},
        {"kind": "threat", "op": "gone", "threat": gone},
        {"kind": "threat", "op": "gone", "threat": {**gone, "why": "dodged", "damage": 0}},
        {"kind": "blow", "to": 7, "name": "wolf", "why": "landed", "damage": 9},
        {"kind": "react", "ok": True, "why": "dodged", "at": 1},
        {"kind": "react", "ok": False, "why": "you are too tired", "at": 1, "threats": []},
        {"kind": "stopped", "verb": "dig"},
        {"kind": "stopped", "verb": ""},
        {"kind": "refused", "verb": "fly", "text": "'fly' is not a command."},
        {"kind": "missed", "count": 4},
        {"kind": "event", "type": "death", "from": 7, "data": {}},
    ]
    told: list[tuple[object, ...]] = [
        ("Wolf", "bite", "2.1 s", 3),
        ("Wolf", "hits", "you", 12),
        ("you", "dodged", "attack", "wolf"),
        ("you", "hit", "wolf", 9),
        ("you are too tired",),
        ("stop", "dig"),
        ("nothing", "stop"),
        ("'fly' is not a command.",),
        (4, "more"),
    ]
    lines = heard_lines(heard, view(), PLAIN)
    assert [missing(line, *words) for line, words in zip(lines, told, strict=True)] == [[]] * len(told)


def test_attacks_that_vanish_with_their_target_are_not_mentioned() -> None:
    gone = {"id": 3, "from": 7, "name": "wolf", "why": "died", "damage": 0}
    assert heard_lines([{"kind": "threat", "op": "gone", "threat": gone}], view(), PLAIN) == []


def test_an_attacker_is_named_even_in_the_dark_or_after_it_left() -> None:
    gone = {"id": 3, "from": 7, "name": "cellar rat", "why": "landed", "damage": 4}
    heard = [{"kind": "threat", "op": "gone", "threat": gone}]
    (line,) = heard_lines(heard, view(here=[]), PLAIN)
    assert not missing(line, "the cellar rat", "hits", 4)


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("parried", ["Your attack on the grey wolf is parried."]),
        ("escaped", ["The grey wolf gets away from your attack."]),
        ("died", []),
        ("left", []),
    ],
)
def test_the_result_of_ones_own_attack_is_described_in_words(why: str, said: list[str]) -> None:
    blow = {"kind": "blow", "to": 7, "name": "grey wolf", "why": why, "damage": 0}
    assert heard_lines([blow], view(), PLAIN) == said


@pytest.mark.parametrize(
    ("verb", "doing"),
    [
        ("attack", "attacking"),
        ("strike", "striking"),
        ("flee", "fleeing"),
        ("dig", "digging"),
        ("rest", "resting"),
        ("buy", "buying"),
        ("open", "opening"),
    ],
)
def test_actions_of_others_are_described_in_plain_english(verb: str, doing: str) -> None:
    other = {**view()["here"][0], "doing": verb, "linkdead": False, "state": "unhurt"}
    assert f"A wolf is here, {doing}." in room(view(here=[other]), PLAIN)


def test_one_turn_more_is_one_turn() -> None:
    assert "digging (1 turn)" in prompt(view(action={"verb": "dig", "ends_turn": 13}), 0, PLAIN)


def test_equal_creatures_are_one_line_with_their_number() -> None:
    wolf = view()["here"][0]
    text = room(view(here=[wolf, {**wolf, "id": 8}, {**wolf, "id": 9, "state": "unhurt"}]), PLAIN)
    assert len(naming(text, "two wolves", "absent", "howling", "hurt")) == 1
    assert len(naming(text, "a wolf")) == 1
    crowd = [{**wolf, "id": n, "name": f"wolf{n}"} for n in range(HERE_MAX + 3)]
    assert "And 3 more are here." in room(view(here=crowd), PLAIN)


def test_a_blow_that_says_how_it_comes_is_one_line_with_its_time_and_number() -> None:
    text = {"kind": "text", "text": "the wolf springs.", "data": {"coming": 7}}
    added = {"kind": "threat", "op": "add", "threat": THREAT}
    (line,) = heard_lines([text, added], view(), PLAIN)
    assert not missing(line, "the wolf springs", "bite", "2.1 s", 3)
    assert heard_lines([text], view(), PLAIN) == ["The wolf springs."]


def test_an_older_blow_of_the_same_attacker_that_lands_first_takes_no_words_away() -> None:
    """A full queue lands its oldest blow before it takes the new one."""
    text = {"kind": "text", "text": "the wolf springs.", "data": {"coming": THREAT["from"]}}
    gone = {"id": 2, "why": "overflow", "damage": 4, "at": 0, "from": THREAT["from"], "name": "wolf"}
    landed = {"kind": "threat", "op": "gone", "threat": gone}
    added = {"kind": "threat", "op": "add", "threat": THREAT}
    line = heard_lines([text, landed, added], view(), PLAIN)[-1]
    assert not missing(line, "the wolf springs", "bite", "2.1 s", 3)


@pytest.mark.parametrize("why", ["landed", "overflow"])
def test_an_attack_and_the_death_that_comes_of_it_are_one_line(why: str) -> None:
    dead = {
        "kind": "text",
        "text": "The cellar rat is dead. You gain 12 xp and 1 coin.",
        "data": {"slain": 7},
    }
    blow = {"kind": "blow", "to": 7, "name": "cellar rat", "why": why, "damage": 10}
    (line,) = heard_lines([blow, dead], view(), PLAIN)
    assert not missing(line, "You hit", 10, "the cellar rat", "dead", "12 xp", "1 coin")
    assert "\n" not in line
    other = {**blow, "to": 8}
    assert len(heard_lines([other, dead], view(), PLAIN)) == 2
    assert len(heard_lines([dead, blow], view(), PLAIN)) == 2


def test_a_stopped_attack_and_the_death_that_follows_are_two_lines() -> None:
    dead = {"kind": "text", "text": "The wolf is dead.", "data": {"slain": 7}}
    parried = {"kind": "blow", "to": 7, "name": "wolf", "why": "parried", "damage": 0}
    assert len(heard_lines([parried, dead], view(), PLAIN)) == 2
    gone = {"id": 3, "from": 7, "name": "wolf", "why": "parried", "damage": 0}
    both = [{"kind": "threat", "op": "gone", "threat": gone}, {"kind": "died"}]
    assert len(heard_lines(both, view(), PLAIN)) == 2


def test_an_attack_that_kills_its_reader_is_reported_in_one_line() -> None:
    gone = {"id": 3, "from": 7, "name": "wolf", "why": "landed", "damage": 12}
    (line,) = heard_lines([{"kind": "threat", "op": "gone", "threat": gone}, {"kind": "died"}], view(), PLAIN)
    assert not missing(line, "wolf", 12, "You die")
    assert heard_lines([{"kind": "died"}], view(), PLAIN) == ["You die."]


def test_a_brief_room_is_all_but_its_description() -> None:
    text, brief = room(view(), PLAIN), room(view(), PLAIN, brief=True)
    assert brief == text.replace(view()["place"]["text"] + "\n", "")
    assert brief != text


def test_a_brief_room_says_that_it_is_dark() -> None:
    seen = view()
    seen["place"]["text"] = DARK
    assert DARK in room(seen, PLAIN, brief=True)
