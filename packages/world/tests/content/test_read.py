"""Content files: read as a whole, with every mistake in its file and line."""

from __future__ import annotations

from random import Random

import pytest

from packages.core.tests.messages import missing, says
from turnwright_world.content.read import (
    FILE_BYTES_MAX,
    FILES_MAX,
    MISTAKES_MAX,
    Content,
    ContentError,
    content_hash,
    read_content,
)
from turnwright_world.intent import SOURCE_SIZE_MAX

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
from turnwright_world.rules.verbs import Verb

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
        ("capacity = 0", "queue.capacity: found 0, expected … 1 to 64"),
        ('overflow = "drop"', "queue.overflow: found 'drop' … land, refuse"),
        ('window_ms = "long"', "queue.window_ms: found 'long' … number, 500 to 10,000"),
        ("instinct_ms = 1000", "queue.instinct_ms: found 1000 … 0 to 100"),
        ("window_ms = 800", "queue: window_ms 800 … window_min_ms 1500 … window_max_ms 6000"),
        ("capacity = 9", "queue: capacity 9 … capacity_max 6"),
        ("focus = 3", "queue: unknown field 'focus' … focus_points"),
    ],
)
def test_a_mistake_in_a_queue_is_reported_with_file_and_line(key: str, text: str) -> None:
    drops = "drops = { bone = 50 }"
    files = with_("land.toml", drops, f"{drops}\nqueue = {{ {key} }}")
    ((file, line, said),) = mistakes_of(files)
    assert (file, line) == ("land.toml", 24)
    assert says(said, f"[kind.dog] {text}")


def test_a_mistake_in_the_least_reaction_time_is_reported_with_file_and_line() -> None:
    files = with_("land.toml", 'home = "yard"\n', 'home = "yard"\nreact_ms = -4\n')
    ((file, line, said),) = mistakes_of(files)
    assert (file, line) == ("land.toml", 4)
    assert says(said, "[settings] react_ms: found -4 … 0 to 2,000")


def test_the_hash_covers_every_letter_and_name() -> None:
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
        ('home = "yard"', "", 1, "[settings] … 'home' … missing … id: lower case"),
        (
            'exits = { north = "barn" }',
            'exits = { north = "bran" }',
            9,
            "[place.yard] exits.north: … no place 'bran' … 'barn'",
        ),
        (
            'exits = { north = "barn" }',
            'exits = { north = "yard" }',
            9,
            "[place.yard] exits.north: found 'yard' … another place",
        ),
        (
            'exits = { north = "barn" }',
            'exits = { norht = "barn" }',
            9,
            "[place.yard] exits.norht: found 'norht' … north, east, south … mean 'north'",
        ),
        (
            'exits = { north = "barn" }',
            'exits = { north = "The Barn" }',
            9,
            "[place.yard] exits.north: found 'The Barn' … id: lower case … 'barn'",
        ),
        (
            'exits = { north = "barn" }',
            "exits = { north = 7 }",
            9,
            "[place.yard] exits.north: found 7 … id: lower case",
        ),
        (
            'exits = { north = "barn" }',
            'exits = { north = "barn" ',
            9,
            "[place.yard] exits: … not TOML … found 'exits = … }",
        ),
        ('area = "farm"', "", 5, "[place.yard] … 'area' … missing … id: lower case"),
        ('name = "Yard"', 'nmae = "Yard"', 6, "[place.yard] unknown field 'nmae' … did you mean 'name'"),
        ('name = "Yard"', 'name = ""', 6, "[place.yard] name: found '' … 1 to 60"),
        ('name = "Yard"', 'name = "Yard"\nhue = 3', 7, "unknown field 'hue' … there are name, text"),
        ('mind = "dog"', 'mind = "cat"', 22, "[kind.dog] mind: … 'cat' … minds/cat.py … there are dog"),
        (
            "drops = { bone = 50 }",
            "drops = { bne = 50 }",
            23,
            "[kind.dog] drops.bne: … no item 'bne' … 'bone'",
        ),
        (
            "drops = { bone = 50 }",
            "drops = { bone = 500 }",
            23,
            "[kind.dog] drops.bone: found 500 … 0 to 100",
        ),
        ("drops = { bone = 50 }", "money = [5, 2]", 23, "[kind.dog] money: found [5, 2] … [2, 5]"),
        ("drops = { bone = 50 }", "health = 0", 23, "[kind.dog] health: found 0 … 1 to 100,000"),
        ("drops = { bone = 50 }", 'health = "many"', 23, "[kind.dog] health: found 'many' … whole number"),
        ("[item.bone]", "[item.Bone]", 25, "'Bone' … not an id"),
        ("[item.bone]", "[itme.bone]", 25, "no table 'itme' … 'item'"),
        (
            'giver = "dog"',
            'giver = "cat"',
            30,
            "[quest.fetch] giver: … no kind 'cat' … there are dog, person",
        ),
        (
            'bring = "bone"',
            'bring = "bone"\nslay = "dog"',
            28,
            "[quest.fetch] found bring, slay … exactly one of",
        ),
        ('bring = "bone"', 'bring = "bone"\nafter = "fetch"', 34, "circle"),
        (
            'kind = "dog"\nplace',
            'kind = "dgo"\nplace',
            36,
            "[[spawn]] number 1 kind: … no kind 'dgo' … 'dog'",
        ),
        (
            'place = "barn"',
            'place = "attic"',
            37,
            "[[spawn]] number 1 place: … no place 'attic' … there are barn, yard",
        ),
        (
            'place = "barn"',
            'place = "barn"\ncount = 1000',
            38,
            "[[spawn]] number 1 count: found 1000 … 1 to 200",
        ),
        ('place = "barn"', 'place = "barn"\nitem = "bone"', 35, "found both … kind or an item"),
        ("[[spawn]]", "[spawn]", 35, "write [[spawn]]"),
        (
            'name = "person"',
            'name = "person"\nhelath = 9',
            19,
            "unknown field 'helath' … 'health'",
        ),
        (
            'name = "bone"',
            'name = "bone"\nslot = "hnad"',
            27,
            "slot: found 'hnad' … feet, hand … mean 'hand'",
        ),
        ('name = "bone"', 'name = "bone"\ntags = ["a", 7]', 27, "[item.bone] tags[1]: found 7 … id"),
        ('name = "bone"', 'name = "bone"\nshines = 1', 27, "[item.bone] shines: found 1 … true or false"),
        ('name = "bone"', 'name = "bone"\ngives = { mihgt = 3 }', 27, "gives.mihgt: … mean 'might'"),
        (
            'name = "bone"',
            'name = "bone"\nblow = { kind = "bite", damage = 9999 }',
            27,
            "[item.bone] blow.damage: found 9999 … 0 to 1,000",
        ),
        (
            'name = "bone"',
            'name = "bone"\n[[kind.person.blows]]\nkind = "hit"\ndamgae = 3',
            29,
            "[kind.person] blows[0]: unknown field 'damgae' … 'damage'",
        ),
    ],
)
def test_a_mistake_is_reported_with_its_line_and_cause(old: str, new: str, line: int, text: str) -> None:
    ((file, at, said), *_) = mistakes_of(with_("land.toml", old, new))
    assert (file, at) == ("land.toml", line), said
    assert says(said, text)


def test_a_mistake_in_a_separate_table_of_exits_is_reported_with_its_line() -> None:
    old, new = 'exits = { north = "barn" }', '[place.yard.exits]\nnorth = "barn"\nwset = "barn"'
    ((file, line, said),) = mistakes_of(with_("land.toml", old, new))
    assert (file, line) == ("land.toml", 11)
    assert says(said, "[place.yard] exits.wset: found 'wset' … mean 'west'")


def test_all_mistakes_of_a_row_and_of_all_files_are_reported_together() -> None:
    files = with_("land.toml", 'area = "farm"\nexits = { north', 'area = "The Farm"\nexits = { norht')
    files["more.toml"] = '[kind.cat]\nname = ""\n'
    told = [(file, line) for file, line, _ in mistakes_of(files)]
    assert told == [("land.toml", 8), ("land.toml", 9), ("more.toml", 2)]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("name = Yard", "name: … not TOML … found 'name = Yard' … quotes … mean \"Yard\""),
        ("name = ture", "name: … not TOML … found 'name = ture' … did you mean true"),
        ('name "Yard"', "… not TOML … found 'name \"Yard\"' … write key = value"),
        ('name = "Yard', "name: … not TOML … ends on its line"),
        ('name = "Yard"\nname = "Y"', "name: … not TOML … remove one"),
        ('name = "Yard" text = "y"', "name: … not TOML … one key = value"),
        ('name = "a\\yard"', "name: … not TOML … write \\\\ for"),
    ],
)
def test_invalid_toml_is_reported_with_table_key_and_advice(written: str, text: str) -> None:
    ((file, line, said),) = mistakes_of(with_("land.toml", 'name = "Yard"', written))
    assert (file, line) == ("land.toml", 6 + written.count("\n")), said
    assert says(said, f"[place.yard] {text}"), said


def test_two_rows_of_the_same_name_are_reported_with_both_places() -> None:
    files = {**GOOD, "more.toml": '\n[place.barn]\nname = "B"\ntext = ""\narea = "farm"\n'}
    ((file, line, text),) = mistakes_of(files)
    assert (file, line) == ("more.toml", 2)
    assert "land.toml:11" in text


def test_two_verbs_cannot_share_a_word() -> None:
    more = "from turnwright_world.rules.verbs import Verb\nclass W(Verb):\n    name = 'w'\n"
    ((file, _, text),) = mistakes_of({**GOOD, "verbs/more.py": more})
    assert file == "verbs/wag.py"
    assert "'w'" in text


def test_mistakes_in_several_files_are_reported_together() -> None:
    files = {**with_("land.toml", 'area = "farm"', ""), "verbs/x.py": "(", "minds/y.py": "x = 1"}
    assert [mistake[0] for mistake in mistakes_of(files)] == ["land.toml", "minds/y.py", "verbs/x.py"]


def test_missing_settings_are_reported() -> None:
    ((_, _, text),) = mistakes_of({"a.toml": ""})
    assert "[settings]" in text


def test_a_possible_mistake_is_a_warning() -> None:
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
        ("more.toml", 14, "exits.north"),
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


def test_only_a_bounded_number_of_mistakes_is_shown() -> None:
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
