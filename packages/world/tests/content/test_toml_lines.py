"""Finding the line of a table or key."""

from __future__ import annotations

from turnwright_world.content.toml_lines import TomlLines

TEXT = '''# comment
[settings]
start = "a"

[place.a]
text = """
[place.fake]
name = "not me"
"""
name = "me"
"quoted key" = 1

[place.a.exits]
north = "b"

[[spawn]]
place = "a"
[[spawn]]
place = "b"
'''


def test_tables_keys_and_list_entries_are_found() -> None:
    lines = TomlLines(TEXT)
    assert lines.of("settings", "start") == 3
    assert lines.of("place.a") == 5
    assert lines.of("place.a", "name") == 10
    assert lines.of("place.a", "quoted key") == 11
    assert lines.of("place.a", "exits") == 13
    assert (lines.of("spawn#0", "place"), lines.of("spawn#1", "place")) == (17, 19)


def test_text_of_several_lines_contains_no_table() -> None:
    assert TomlLines(TEXT).of("place.fake") == 1


def test_a_missing_key_is_found_at_its_table_or_at_the_top() -> None:
    assert TomlLines(TEXT).of("place.a", "area") == 5
    assert TomlLines(TEXT).of("kind.x", "area") == 1


def test_a_text_may_begin_and_end_in_one_line() -> None:
    lines = TomlLines('[a]\nx = """one"""\ny = \'\'\'two\'\'\' # """\n[b]\nz = 1\n')
    assert lines.of("a", "y") == 3
