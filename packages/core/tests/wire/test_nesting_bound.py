from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.wire.nesting_bound import LEVELS_MAX, nested_too_deeply


def lists(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


def objects(levels: int) -> bytes:
    return b'{"a":' * levels + b"1" + b"}" * levels


def both(levels: int) -> bytes:
    text = b"1"
    for level in range(levels):
        text = b"[" + text + b"]" if level % 2 else b'{"a":' + text + b"}"
    return text


@pytest.mark.parametrize("nest", [lists, objects, both])
def test_levels_are_counted_to_the_last(nest) -> None:  # type: ignore[no-untyped-def]
    assert not nested_too_deeply(nest(LEVELS_MAX - 1))
    assert not nested_too_deeply(nest(LEVELS_MAX))
    assert nested_too_deeply(nest(LEVELS_MAX + 1))
    assert nested_too_deeply(nest(100_000))


def test_many_siblings_are_not_levels() -> None:
    assert not nested_too_deeply(b"[" + b",".join([b'{"a":[1]}'] * 1000) + b"]")


def test_brackets_in_strings_do_not_count_as_levels() -> None:
    assert not nested_too_deeply(json.dumps(["[" * 1000, "{" * 1000, '"[' * 1000, "\\[" * 1000]).encode())
    assert nested_too_deeply(json.dumps('"\\').encode() + b":" + lists(LEVELS_MAX + 1))


def test_invalid_json_counts_its_open_levels() -> None:
    assert nested_too_deeply(b"[" * (LEVELS_MAX + 1))
    assert not nested_too_deeply(b"]" * 1000 + b"[" * LEVELS_MAX)


def levels_of(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(levels_of, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(levels_of, value), default=0)
    return 0


texts = st.text(alphabet='[]{}"\\a', max_size=5)


@given(
    st.recursive(
        texts, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4)
    ),
    st.integers(0, 70),
)
def test_a_text_is_nested_too_deeply_exactly_if_its_value_is(value: object, around: int) -> None:
    for _ in range(around):
        value = [value]
    value = [value, *[[]] * LEVELS_MAX]  # so many that they are measured
    assert nested_too_deeply(json.dumps(value).encode()) == (levels_of(value) > LEVELS_MAX)
