"""Articles and plurals of names."""

from __future__ import annotations

import pytest

from packages.world.tests.demo.playing import demo
from turnwright_world.rules.naming import a, begun, coins, counted, plural, the


@pytest.mark.parametrize(
    ("name", "one", "known", "two"),
    [
        ("grey wolf", "a grey wolf", "the grey wolf", "two grey wolves"),
        ("owl", "an owl", "the owl", "two owls"),
        ("white goose", "a white goose", "the white goose", "two white geese"),
        ("unicorn", "a unicorn", "the unicorn", "two unicorns"),
        ("hour glass", "an hour glass", "the hour glass", "two hour glasses"),
        ("loaf of bread", "a loaf of bread", "the loaf of bread", "two loaves of bread"),
        ("soft boots", "soft boots", "the soft boots", "two soft boots"),
        ("ring mail", "ring mail", "the ring mail", "two ring mail"),
        ("red deer", "a red deer", "the red deer", "two red deer"),
        ("ember that sleeps", "an ember that sleeps", "the ember that sleeps", "two embers that sleeps"),
        ("Red Mott", "Red Mott", "Red Mott", "two Red Motts"),
        ("the troll", "the troll", "the troll", "two trolls"),
        ("somebody", "somebody", "somebody", "two somebodies"),
    ],
)
def test_a_name_gets_the_article_and_the_plural_that_it_takes(
    name: str, one: str, known: str, two: str
) -> None:
    assert (a(name), the(name), counted(name, 2)) == (one, known, two)
    assert counted(name, 1) == one


def test_many_are_counted_in_digits_and_a_sentence_begins_with_a_capital() -> None:
    assert (counted("rat", 12), counted("rat", 13)) == ("twelve rats", "13 rats")
    assert (counted("rat", 0), counted("loaf of bread", 0)) == ("no rats", "no loaves of bread")
    assert begun(the("owl")) == "The owl"
    assert begun("") == ""


def test_money_is_counted_in_digits() -> None:
    assert [coins(count) for count in (0, 1, 30)] == ["0 coins", "1 coin", "30 coins"]


def test_the_names_of_the_demo_have_articles_that_fit_and_plurals_that_differ() -> None:
    land = demo().rules.land
    names = [row.name for row in (*land.kinds.values(), *land.items.values())]
    for name in names:
        article = a(name).removesuffix(name)
        assert article in ("", "a ", "an ")
        if article:
            assert (article == "an ") is (name[0] in "aeiou"), name
            uncounted = ("deer", "trout", "fish")
            assert (plural(name) == name) is name.endswith(uncounted), name
        else:
            assert name[0].isupper() or name.startswith("the ") or plural(name) == name, name
