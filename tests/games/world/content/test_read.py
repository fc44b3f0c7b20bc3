"""Content files: read as a whole, with every mistake in its file and line."""

from __future__ import annotations

from random import Random

import pytest

from tests.messages import missing, says
from turnwright.games.world.content.read import (
    FILE_BYTES_MAX,
    FILES_MAX,
    MISTAKES_MAX,
    Content,
    ContentError,
    content_hash,
    read_content,
)
from turnwright.games.world.intent import SOURCE_SIZE_MAX

GOOD = {
    "land.toml": """\
[settings]
start = "yard"
home = "yard"

[place.yard]
name = "Yard"
text = "A yard."
area = "farm"
exits = { north = "barn" }

[place.barn]
name = "Barn"
text = "A barn."
area = "farm"
exits = { south = "yard" }

[kind.person]
name = "person"

[kind.dog]
name = "dog"
mind = "dog"
drops = { bone = 50 }

[item.bone]
name = "bone"

[quest.fetch]
name = "Fetch"
giver = "dog"
text = "Bone?"
done = "Bone!"
bring = "bone"

[[spawn]]
kind = "dog"
place = "barn"
""",
    "verbs/wag.py": """\
from turnwright.games.world.rules.verbs import Verb

class Wag(Verb):
    name, aliases = "wag", ("w",)
""",
    "minds/dog.py": "def plan(view, random):\n    return 'wag'\n",
    "README.md": "left alone",
}


def with_(name: str, old: str = "", new: str = "", **files: str) -> dict[str, str]:
    texts = dict(GOOD)
    if old:
        assert old in texts[name]
        texts[name] = texts[name].replace(old, new, 1)
    elif new:
        texts[name] = texts.get(name, "") + new
    return texts


def mistakes_of(files: dict[str, str]) -> list[tuple[str, int, str]]:
    with pytest.raises(ContentError) as raised:
        read_content(files)
    return [tuple(mistake) for mistake in raised.value.mistakes]


def test_good_content_becomes_rules() -> None:
    content = read_content(GOOD)
    assert isinstance(content, Content)
    assert list(content.rules.land.places) == ["yard", "barn"]
    assert list(content.rules.verbs) == ["wag"]
    assert list(content.minds) == ["dog"]
    assert content.warnings == ()
    assert content.rules.content_hash == content.hash == content_hash(GOOD)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("capacity = 0", "queue.capacity: Expected 'int' >= 1"),
        ('overflow = "drop"', "queue.overflow: … land, refuse"),
        ('window_ms = "long"', "queue.window_ms: Expected 'int', got 'str'"),
        ("instinct_ms = 1000", "queue.instinct_ms: Expected 'int' <= 100"),
        ("window_ms = 800", "queue: window_ms 800 … window_min_ms 1500 … window_max_ms 6000"),
        ("capacity = 9", "queue: capacity 9 … capacity_max 6"),
        ("focus = 3", "queue: … unknown field 'focus'"),
    ],
)
def test_a_mistake_in_a_queue_is_told_with_file_and_line(key: str, text: str) -> None:
    drops = "drops = { bone = 50 }"
    files = with_("land.toml", drops, f"{drops}\nqueue = {{ {key} }}")
    ((file, line, said),) = mistakes_of(files)
    assert (file, line) == ("land.toml", 24)
    assert says(said, f"[kind.dog] {text}")


def test_a_mistake_in_the_least_reaction_time_is_told_with_file_and_line() -> None:
    files = with_("land.toml", 'home = "yard"\n', 'home = "yard"\nreact_ms = -4\n')
    assert mistakes_of(files) == [("land.toml", 4, "[settings] react_ms: Expected 'int' >= 0")]


def test_the_hash_stands_for_every_letter_and_name() -> None:
    hashes = {
        content_hash(GOOD),
        content_hash(with_("land.toml", new="\n")),
        content_hash({("x" + name): text for name, text in GOOD.items()}),
    }
    assert len(hashes) == 3
    assert content_hash(dict(reversed(GOOD.items()))) == content_hash(GOOD)


@pytest.mark.parametrize(
    ("old", "new", "line", "text"),
    [
        ('start = "yard"', 'start = "yrad"', 2, "no place 'yrad' … 'yard'"),
        ('home = "yard"', "", 1, "missing required field 'home'"),
        (
            'exits = { north = "barn" }',
            'exits = { north = "bran" }',
            9,
            "exit north: … no place 'bran'",
        ),
        ('exits = { north = "barn" }', 'exits = { north = "yard" }', 9, "exit north … same place"),
        ('exits = { north = "barn" }', 'exits = { norht = "barn" }', 9, "exits: … north, east, south"),
        ('exits = { north = "barn" }', 'exits = { north = "The Barn" }', 9, "exits: … id: lower case"),
        ('exits = { north = "barn" }', "exits = { north = 7 }", 9, "Expected 'str', got 'int'"),
        ('exits = { north = "barn" }', 'exits = { north = "barn" ', 9, "no TOML"),
        ('area = "farm"', "", 5, "missing required field 'area'"),
        ('name = "Yard"', 'nmae = "Yard"', 6, "unknown field 'nmae'"),
        ('name = "Yard"', 'name = ""', 6, "length >= 1"),
        ('name = "Yard"', 'name = "Yard"\nhue = 3', 7, "unknown field 'hue'"),
        ('mind = "dog"', 'mind = "cat"', 22, "there is no minds/cat.py"),
        ("drops = { bone = 50 }", "drops = { bne = 50 }", 23, "no item 'bne'"),
        ("drops = { bone = 50 }", "drops = { bone = 500 }", 23, "<= 100"),
        ("drops = { bone = 50 }", "money = [5, 2]", 23, "the wrong way round"),
        ("drops = { bone = 50 }", "health = 0", 23, ">= 1"),
        ("drops = { bone = 50 }", 'health = "many"', 23, "Expected 'int', got 'str'"),
        ("[item.bone]", "[item.Bone]", 25, "'Bone' is no id"),
        ("[item.bone]", "[thing.bone]", 25, "no table 'thing'"),
        ('giver = "dog"', 'giver = "cat"', 30, "giver: … no kind 'cat'"),
        ('bring = "bone"', 'bring = "bone"\nslay = "dog"', 28, "exactly one of"),
        ('bring = "bone"', 'bring = "bone"\nafter = "fetch"', 34, "circle"),
        ('kind = "dog"\nplace', 'kind = "dgo"\nplace', 36, "no kind 'dgo' … 'dog'"),
        ('place = "barn"', 'place = "attic"', 37, "no place 'attic'"),
        ('place = "barn"', 'place = "barn"\ncount = 1000', 38, "<= 200"),
        ('place = "barn"', 'place = "barn"\nitem = "bone"', 35, "kind or an item"),
        ("[[spawn]]", "[spawn]", 35, "write [[spawn]]"),
    ],
)
def test_a_mistake_has_its_line_and_says_what_is_wrong(old: str, new: str, line: int, text: str) -> None:
    ((file, at, said), *_) = mistakes_of(with_("land.toml", old, new))
    assert (file, at) == ("land.toml", line), said
    assert says(said, text)


def test_two_of_the_same_name_are_told_with_both_places() -> None:
    files = {**GOOD, "more.toml": '\n[place.barn]\nname = "B"\ntext = ""\narea = "farm"\n'}
    ((file, line, text),) = mistakes_of(files)
    assert (file, line) == ("more.toml", 2)
    assert "land.toml:11" in text


def test_two_verbs_cannot_share_a_word() -> None:
    more = "from turnwright.games.world.rules.verbs import Verb\nclass W(Verb):\n    name = 'w'\n"
    ((file, _, text),) = mistakes_of({**GOOD, "verbs/more.py": more})
    assert file == "verbs/wag.py"
    assert "'w'" in text


def test_mistakes_in_several_files_are_told_together() -> None:
    files = {**with_("land.toml", 'area = "farm"', ""), "verbs/x.py": "(", "minds/y.py": "x = 1"}
    assert [mistake[0] for mistake in mistakes_of(files)] == ["land.toml", "minds/y.py", "verbs/x.py"]


def test_missing_settings_are_told() -> None:
    ((_, _, text),) = mistakes_of({"a.toml": ""})
    assert "[settings]" in text


def test_what_may_be_meant_so_is_a_warning() -> None:
    files = with_("land.toml", '[place.barn]\nname = "Barn"', '[place.barn]\nname = "Barn"')
    files["more.toml"] = (
        '[place.moor]\nname = "Moor"\ntext = ""\narea = "x"\n'
        '[place.lake]\nname = "Lake"\ntext = ""\narea = "x"\nexits = { south = "barn", north = "moor" }\n'
        '[place.path]\nname = "Path"\ntext = ""\narea = "x"\nexits = { north = "barn" }\n'
    )
    warned = [(w.file, w.line, w.text) for w in read_content(files).warnings]
    told = (
        ("more.toml", 1, "no exits"),
        ("more.toml", 1, "no way"),
        ("more.toml", 5, "no way"),
        ("more.toml", 10, "no way"),
        ("more.toml", 14, "exit north"),
    )
    assert [(file, line) for file, line, _ in warned] == [(file, line) for file, line, _ in told]
    assert [missing(text, words) for (*_, text), (*_, words) in zip(warned, told, strict=True)] == [[]] * 5


def test_too_much_is_refused() -> None:
    ((file, _, text),) = mistakes_of({**GOOD, "big.toml": "#" * (FILE_BYTES_MAX + 1)})
    assert (file, "split it" in text) == ("big.toml", True)
    ((_, _, text),) = mistakes_of({f"{k}.md": "" for k in range(FILES_MAX + 1)})
    assert str(FILES_MAX) in text
    mind = GOOD["minds/dog.py"] + "#" * SOURCE_SIZE_MAX
    ((file, _, text),) = mistakes_of({**GOOD, "minds/dog.py": mind})
    assert (file, missing(text, "mind", SOURCE_SIZE_MAX)) == ("minds/dog.py", [])
    kinds = "".join(f'[kind.k{k}]\nname = "k"\n' for k in range(501))
    (_, text) = mistakes_of({**GOOD, "kinds.toml": kinds})[0][1:]
    assert "more than 500" in text


def test_of_many_mistakes_not_all_are_shown() -> None:
    files = {"a.toml": "".join(f"[kind.k{k}]\n" for k in range(MISTAKES_MAX + 9))}
    with pytest.raises(ContentError, match="and 9 more"):
        read_content(files)


def test_whatever_happens_to_a_file_there_is_content_or_a_mistake_in_a_line_of_it() -> None:
    random = Random(4)
    whole, refused = GOOD["land.toml"], 0
    for _ in range(1500):
        start = random.randrange(len(whole))
        end = min(len(whole), start + random.choice((0, 1, 5, 40)))
        new = random.choice(
            ("", "[", '"', "=", "{", "9", "\n", "\0", '"""', "é", "[[spawn]]\n", "a.b = 1\n", "[x]\n")
        )
        text = whole[:start] + new + whole[end:]
        try:
            read_content({**GOOD, "land.toml": text})
        except ContentError as error:
            refused += 1
            for mistake in error.mistakes:
                assert mistake.file in ("land.toml", "settings.toml")
                assert 1 <= mistake.line <= text.count("\n") + 1
                assert "\n" not in mistake.text
    assert refused > 500


@pytest.mark.parametrize(
    "text", ["place = 3", "place = []", "settings = 3", "spawn = [1]", "[[place]]", "x = " + "[" * 5000]
)
def test_the_wrong_shape_is_a_mistake_and_no_crash(text: str) -> None:
    assert mistakes_of({**GOOD, "odd.toml": text})
