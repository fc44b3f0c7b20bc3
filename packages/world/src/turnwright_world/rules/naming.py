"""Articles and plurals of the names of creatures and things.

A name that begins with a small letter is a common noun ("grey wolf"). Any other name is a proper name ("Red
Mott").
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_ARTICLES = ("the ", "a ", "an ")
_PRONOUNS = frozenset(("somebody", "something", "nobody", "nothing", "you"))
_PARTS = (" of ", " that ", " with ", " in ", " from ")
"""Words that follow the main noun of a name, as in "loaf of bread"."""
_IRREGULAR: Mapping[str, str] = {
    **{"goose": "geese", "mouse": "mice", "louse": "lice", "foot": "feet", "tooth": "teeth", "ox": "oxen"},
    **{"man": "men", "woman": "women", "child": "children", "person": "people"},
    **{"wolf": "wolves", "loaf": "loaves", "knife": "knives", "thief": "thieves", "elf": "elves"},
    **{"leaf": "leaves", "calf": "calves", "half": "halves", "wife": "wives", "life": "lives"},
    **{"shelf": "shelves"},
    **dict.fromkeys(("deer", "sheep", "fish", "trout", "salmon", "mail", "ore", "bread", "silver"), ""),
}
"""Irregular plurals. "" means that the plural equals the singular."""
_UNCOUNTED = frozenset(("mail", "ore", "bread", "silver", "water", "silk"))
_HIDDEN_H = ("hour", "heir", "honest", "honour")
_LIKE_Y = ("uni", "use", "eu", "one")
"""Beginnings that are written with a vowel but spoken with a consonant, as in "a unicorn"."""


def the(name: str) -> str:
    """Return a name with the definite article, if it takes one: "the owl", "Red Mott"."""
    return f"the {name}" if _is_common(name) else name


def a(name: str) -> str:
    """Return a name with the indefinite article, if it takes one: "an owl", "soft boots"."""
    head = _head(name).rpartition(" ")[2]
    if not _is_common(name) or head in _UNCOUNTED or _is_plural(head):
        return name
    return f"{'an' if _begins_with_vowel(name) else 'a'} {name}"


def plural(name: str) -> str:
    """Return the plural of a name: "geese", "loaves of bread"."""
    head = _head(name)
    first, space, noun = head.rpartition(" ")
    return f"{first}{space}{_many(noun)}{name[len(head) :]}"


def counted(name: str, count: int) -> str:
    """Return a number of creatures or things: "no owls", "a wolf", "two geese", "13 rats"."""
    if count == 1:
        return a(name)
    words = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    number = "no" if count == 0 else words[count - 2] if count <= len(words) + 1 else count
    bare = next((name.removeprefix(article) for article in _ARTICLES if name.startswith(article)), name)
    return f"{number} {plural(bare)}"


def coins(count: int) -> str:
    """Return an amount of money: "1 coin", "30 coins"."""
    return f"{count} coin{'' if count == 1 else 's'}"


def begun(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def _is_common(name: str) -> bool:
    return name[:1].islower() and not name.startswith(_ARTICLES) and name not in _PRONOUNS


def _head(name: str) -> str:
    """Return a name up to its main noun."""
    ends = [name.find(part) for part in _PARTS if part in name]
    return name[: min(ends)] if ends else name


def _is_plural(noun: str) -> bool:
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is"))


def _begins_with_vowel(name: str) -> bool:
    return name.startswith(_HIDDEN_H) or (name[:1] in "aeiou" and not name.startswith(_LIKE_Y))


def _many(noun: str) -> str:
    if noun in _IRREGULAR or _is_plural(noun):
        return _IRREGULAR.get(noun) or noun
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


_WORD = re.compile(r"[\w'-]+")
_FUNCTION_WORDS = frozenset(
    word
    for line in (
        "about above across after again all along also and any anybody are around away back because been",
        "before behind below beside between both but came can come comes could did does done down each",
        "even ever every everybody few for from goes gone had has have here how into it's its just know",
        "last less let like made make many more most much must near never next nobody none not nothing",
        "now off often once one only onto open other others out over own past same should since some",
        "somebody something still such than that the their them then there these they this those though",
        "through too took two under until upon very was were what when where which while who whole whom",
        "whose why will with without would yet you your",
    )
    for word in line.split()
)
_WORD_LETTERS_MIN = 3


def stands_in(word: str, text: str) -> bool:
    """Return whether a word is in a description and may name a thing. Short and function words name none."""
    wanted = word.lower()
    if len(wanted) < _WORD_LETTERS_MIN or wanted in _FUNCTION_WORDS:
        return False
    return wanted in _WORD.findall(text.lower())
