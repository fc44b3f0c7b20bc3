"""JSON as bots really write it."""

from __future__ import annotations

import sys

import pytest

from turnwright.games.tank.wire.royale.recover import NumberText, parse, plain, to_float, whole_text


def test_numbers_stay_as_they_were_written() -> None:
    parsed = parse('[1, -2.50, 1e999, NaN, -Infinity, "3"]')
    assert parsed == ["1", "-2.50", "1e999", "NaN", "-Infinity", "3"]
    assert [type(item) is NumberText for item in parsed] == [True] * 5 + [False]


@pytest.mark.parametrize(
    ("number", "value"),
    [
        ("0", 0.0),
        ("-0.0", -0.0),
        ("2.5e3", 2500.0),
        ("1e308", 1e308),
        ("1e309", sys.float_info.max),
        ("-1e309", -sys.float_info.max),
        ("Infinity", sys.float_info.max),
        ("1" + "0" * 5_000, sys.float_info.max),
        ("NaN", None),
    ],
)
def test_a_number_becomes_a_finite_float_or_nothing(number: str, value: float | None) -> None:
    found = to_float(number)
    assert found == value


def test_minus_zero_keeps_its_sign() -> None:
    assert str(to_float("-0.0")) == "-0.0"


@pytest.mark.parametrize(
    ("written", "value"),
    [("30.0", 30), ("30", 30), ("0.1", 0.1), ("-1", -1), ("1e3", 1000), ("9007199254740993.5", 2.0**53 + 2)],
)
def test_a_plain_number_is_whole_where_it_can_be(written: str, value: float) -> None:
    found = plain(NumberText(written))
    assert found == value
    assert isinstance(found, int) == (float(written).is_integer() and abs(value) < 2**53)


def test_nulls_and_non_finite_numbers_are_left_out_of_objects() -> None:
    assert plain(parse('{"a": null, "b": NaN, "c": {"d": Infinity, "e": 1}, "f": [null, 2]}')) == {
        "c": {"e": 1},
        "f": [None, 2],
    }


def test_lone_surrogates_are_replaced_and_pairs_kept() -> None:
    assert whole_text("a\ud800b") == "a\ufffdb"
    assert whole_text("\udc00") == "\ufffd"
    assert plain(parse('"\\ud83d\\ude00"')) == "😀"
    assert plain({"\ud800": "x"}) == {"\ufffd": "x"}


def test_a_number_taken_as_text_is_a_plain_str() -> None:
    assert type(whole_text(NumberText("1.50"))) is str
