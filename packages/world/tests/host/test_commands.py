"""Commands that work immediately and change nothing in the world."""

from __future__ import annotations

import pytest

from packages.core.tests.messages import missing, naming
from packages.world.tests.demo.playing import demo
from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright_world.example import yard
from turnwright_world.host.commands import (
    IMMEDIATE,
    doubtful,
    immediate_of,
    no_command,
    reaction_of,
    split,
)
from turnwright_world.host.sessions import QUEUE_MAX
from turnwright_world.rules.entities import Action, Item
from turnwright_world.rules.verbs import Act, Rules, Verb


def two(rules: Rules | None = None) -> VirtualWorld:
    world = VirtualWorld.of(rules)
    world.enter(1, "Anna")
    world.enter(2, "Bert")
    world.text(1), world.text(2)
    return world


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("look", ("look", "")),
        ("  HIT  bert ", ("hit", "bert")),
        ("'hello there", ("say", "hello there")),
        ('"hello there', ("say", "hello there")),
        (":waves", ("emote", "waves")),
        ("in", ("go", "in")),
        ("n", ("go", "north")),
        ("north now", ("north", "now")),
        ("", ("", "")),
    ],
)
def test_a_line_is_a_word_and_the_rest_and_a_direction_is_a_way_to_go(
    line: str, expected: tuple[str, str]
) -> None:
    assert split(line, yard()) == expected


def test_short_words_mean_ways_and_looking_whatever_verbs_begin_with_them() -> None:
    rules = yard()
    rules.verbs["wear"], rules.verbs["list"] = rules.verbs["dig"], rules.verbs["hit"]
    assert split("w", rules) == ("go", "west")
    assert split("l bert", rules) == ("l", "bert")
    assert immediate_of("l", rules) is IMMEDIATE["look"]
    assert immediate_of("inv", rules) is IMMEDIATE["inventory"]
    assert immediate_of("q", rules) is None
    assert immediate_of("qu", rules) is None, "queue or quit"
    assert immediate_of("hi", rules) is None, "it is the start of a verb"
    rules.verbs["score"] = rules.verbs["dig"]
    assert immediate_of("score", rules) is None
    assert immediate_of("look", rules) is IMMEDIATE["look"]


def test_an_ambiguous_beginning_runs_no_command_and_lists_the_candidates() -> None:
    rules = yard()
    rules.verbs["consider"] = rules.verbs["recite"] = rules.verbs["dig"]
    assert immediate_of("co", rules) is None, "commands, consider or counter"
    assert immediate_of("rea", rules) is IMMEDIATE["reactions"]
    assert immediate_of("re", rules) is None, "reactions, recite or reply"
    assert not missing(no_command(rules, "re"), "'re'", "reactions", "recite")
    assert not missing(no_command(rules, "co"), "'co'", "consider", "counter")


def test_the_beginning_of_a_reaction_that_no_other_command_has_is_the_reaction() -> None:
    rules = yard()
    assert reacts("pa", rules) == reacts("parry", rules) == ("parry", "parry")
    assert reacts("p", rules) == reacts("x", rules) == ("", "")
    rules.verbs["pack"] = rules.verbs["dig"]
    assert (reacts("pa", rules), reacts("par", rules)) == (("", "parry"), ("parry", "parry"))


def reacts(word: str, rules: Rules) -> tuple[str, str]:
    """Return the reactions that a word means while no attack is coming, and while one is."""
    return reaction_of(word, rules, threatened=False), reaction_of(word, rules, threatened=True)


def test_whole_words_of_commands_never_count_as_beginnings_of_reactions() -> None:
    rules = yard()
    rules.verbs["par"] = rules.verbs["dig"]
    assert reacts("par", rules) == ("", "")
    for word in IMMEDIATE:
        assert reacts(word, rules) == ("", ""), word


@pytest.mark.parametrize(
    ("word", "reaction", "other"),
    [("do", "dodge", "douse"), ("war", "ward", "wares"), ("pa", "parry", "path")],
)
def test_the_beginning_of_a_reaction_and_of_an_alias_is_the_reaction_while_something_is_coming(
    word: str, reaction: str, other: str
) -> None:
    rules = demo().rules
    assert reacts(word, rules) == ("", reaction)
    assert not missing(doubtful(rules, word), f"'{word}'", reaction, other)
    for whole in (reaction, other, "look", "xyz", "wa"):
        assert doubtful(rules, whole) == "", whole


class Store(Verb):
    """A verb with an alias that begins like a reaction."""

    name, aliases = "store", ("dock",)

    def finish(self, act: Act) -> None:
        act.say(f"stored {act.text}")


def test_a_short_word_dodges_in_a_fight_and_is_asked_about_in_peace() -> None:
    rules = yard()
    rules.verbs["store"] = Store()
    stored = two(rules)
    stored.type(2, "do")
    stored.run_ms(600)
    assert not missing(stored.text(2), "dodge", "dock")
    stored.type(2, "do wood")
    stored.run_ms(600)
    assert "tored wood" in stored.text(2), "more words make it no reaction"
    stored.type(1, "hit bert")
    stored.run_ms(260)
    stored.text(2)
    stored.type(2, "do")
    assert naming(stored.text(2), "you", "dodged", "Anna")


def test_the_list_of_candidates_is_wrapped_to_the_width_of_the_client() -> None:
    rules = yard()
    rules.verbs |= {f"reckon{letter}": rules.verbs["dig"] for letter in "abcdefghijkl"}
    world = two(rules)
    world.host.terminal(1, width=40)
    world.type(1, "reck")
    lines = world.text(1).splitlines()
    assert len(lines) > 3
    assert max(map(len, lines)) <= 40


@pytest.mark.parametrize(("way", "short"), [("north", "(or n)"), ("up", "(or u)"), ("in", ""), ("out", "")])
def test_a_direction_with_further_words_is_refused_with_its_letter(way: str, short: str) -> None:
    world = two()
    world.type(1, f"{way} there")
    (line,) = naming(world.text(1), f"type {way} alone")
    assert ("(or" in line, short in line) == (short != "", True)


def test_talk_is_heard_immediately_and_changes_nothing_in_the_world() -> None:
    world = two()
    before = world.host.turns.state.world.pack(), len(world.turns)
    world.type(1, "chat good evening", "tell be psst")
    world.type(2, "reply yes?")
    heard = world.text(2).splitlines()
    assert heard.index("[chat] Anna: good evening") < heard.index("Anna tells you: psst")
    assert "Bert tells you: yes?" in world.text(1)
    assert (world.host.turns.state.world.pack(), len(world.turns)) == before


def test_programs_get_talk_as_a_message_without_control_characters() -> None:
    world = two()
    world.host.terminal(2, packages=True)
    world.type(1, "chat a\x1b[2Jb")
    assert world.got(2, "Comm.Channel.Text") == [{"channel": "chat", "talker": "Anna", "text": "a[2Jb"}]


def test_who_look_inventory_score_time_and_help_answer_immediately() -> None:
    world = two()
    world.type(1, "who", "look", "look bert", "look nothing", "i", "score", "time", "help", "help dig")
    text = world.text(1)
    for part in (
        "2 players online: Anna, Bert.",
        "Bert is here.",
        "Bert is unhurt.",
        "You see no",
        "0 coins",
        "100/100 health",
        "a turn takes 0.25 s",
        "Looking: ",
        yard().verbs["dig"].help,
    ):
        assert part in text, part


def test_a_listed_thing_is_found_by_its_whole_name() -> None:
    world = two()
    inside = world.host.turns.state.world
    place = inside.places[next(iter(inside.creatures.values())).place]
    stone = Item(inside.new_id(), "stone", "grey stone")
    inside.add(stone)
    inside.touch(place)
    place.items.append(stone.id)
    world.type(1, "dig")
    world.run_ms(2_000)
    world.text(1)
    for wanted in ("grey stone", "the grey stone", "at grey stone", "grey s", "stone"):
        world.type(1, f"look {wanted}")
        assert naming(world.text(1), "nothing special", "stone"), wanted


def test_talk_without_a_listener_or_a_text_is_answered_with_help() -> None:
    world = two()
    world.type(1, "tell zoe hi", "tell bert", "chat", "reply hi")
    text = world.text(1)
    assert naming(text, "no player", "'zoe'", "who")
    assert "tell NAME TEXT" in text
    assert naming(text, "nobody", "told you")


def test_the_queue_can_be_seen() -> None:
    world = two()
    world.type(1, "queue", "dig", "go in", "queue")
    text = world.text(1)
    assert "Nothing waits." in text
    shown = text.splitlines()
    first = shown.index("1. dig")
    assert shown[first + 1] == "2. go in"
    assert not missing(shown[first + 2], "2", QUEUE_MAX)


def test_a_mistyped_word_is_answered_with_a_similar_one() -> None:
    world = two()
    world.type(1, "digg", "loook", "xyzzyx")
    text = world.text(1)
    for typed, advice in (("digg", "dig"), ("loook", "look"), ("xyzzyx", "help")):
        assert naming(text, f"'{typed}'", "not a command", advice), typed


def test_commands_of_players_of_other_worlds_are_answered() -> None:
    world = two()
    world.type(1, "exits", "commands", "save", "whisper bert psst")
    text = world.text(1)
    assert "Exits: " in text
    assert naming(text, "Looking:", "look", "exits")
    assert naming(text, "every turn", "saved")
    assert "Anna tells you: psst" in world.text(2)


def test_looking_at_a_way_says_that_it_is_one() -> None:
    world = two()
    session = world.host.sessions.of(1)
    assert session is not None
    way = next(iter(world.host.context.view(session)["place"]["exits"]))
    world.type(1, f"look {way}")
    assert f"There is a way {way}." in world.text(1)


def test_looking_at_scenery_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    world = two()
    session = world.host.sessions.of(1)
    assert session is not None
    here = world.host.context.view(session)["place"]["id"]
    shown = {(here, "wall"): "Bare, and old."}
    monkeypatch.setattr(Rules, "scenery_text", lambda self, place, wanted: shown.get((place, wanted), ""))
    world.type(1, "look wall", "look at wall", "look roof")
    text = world.text(1)
    assert text.count("Bare, and old.") == 2
    assert naming(text, "You see no")


def test_looking_at_a_word_of_the_text_of_a_place_is_answered() -> None:
    world = two()
    session = world.host.sessions.of(1)
    assert session is not None
    word = max(world.host.context.view(session)["place"]["text"].rstrip(".").split(), key=len)
    world.type(1, f"look the {word}")
    assert naming(world.text(1), "nothing special", word)


def test_a_line_that_the_next_turn_takes_is_answered_by_it_alone() -> None:
    world = two()
    world.type(1, "fly", "shout hello")
    world.type(1, "hit nobody")
    before = world.text(1)
    world.run_ms(260)
    assert "queued" not in before
    assert world.text(1).count("turn ") == 1


def test_a_line_that_has_to_wait_names_the_action_before_it() -> None:
    world = two()
    world.type(1, "dig")
    world.run_ms(260)
    world.text(1)
    world.type(1, "hit bert")
    text = world.text(1)
    assert naming(text, "digging", "waits")
    assert "1 queued" in text


class Nap(Verb):
    name, duration_turns = "nap", 20


class Peek(Verb):
    name, at_once = "peek", True

    def check(self, act: Act) -> str | None:
        return None if act.text != "up" else "Nothing up there."

    def finish(self, act: Act) -> None:
        act.say(f"{act.actor.name} peeks {act.text}")
        if act.text == "hard":
            act.touch(act.actor)
        if act.text == "twice":
            act.say(f"{act.random.uniform():.1f}")


def napping() -> VirtualWorld:
    """Return a world in which connection 2 naps for twenty turns."""
    rules = yard()
    rules.verbs |= {"nap": Nap(), "peek": Peek()}
    world = two(rules)
    world.type(2, "nap")
    world.run_ms(600)
    world.text(2)
    return world


@pytest.mark.parametrize(
    ("line", "told"), [("peek", "peeks"), ("peek in", "peeks in"), ("peek up", "Nothing up there.")]
)
def test_a_verb_that_only_looks_answers_immediately_during_any_action(line: str, told: str) -> None:
    world = napping()
    world.type(2, line)
    text = world.text(2)
    assert told in text
    assert "waits" not in text


@pytest.mark.parametrize("line", ["peek hard", "peek twice"])
def test_a_verb_that_looks_and_would_change_the_world_changes_nothing(line: str) -> None:
    world = napping()
    before = world.host.turns.game.snapshot(world.host.turns.state)
    world.type(2, line)
    assert not missing(world.text(2), "peek", "does not work")
    assert not missing(
        next(log.text for log in world.logs if log.level == "error"), "peek", "must not change"
    )
    assert world.host.turns.game.snapshot(world.host.turns.state) == before


@pytest.mark.parametrize("line", ["score", "quests", "consider bram", "inventory"])
def test_informational_commands_of_the_demo_answer_during_an_action(line: str) -> None:
    world = VirtualWorld.of(demo().rules)
    world.connect(1)
    world.type(1, "Anna")
    world.run_ms(600)
    body = world.host.turns.state.world.creatures[world.host.sessions.of(1).body]
    body.action = Action("attack", "rat", 0, 10_000)
    world.text(1)
    world.type(1, line)
    text = world.text(1)
    assert text.strip()
    assert "waits until" not in text
