"""Lines: what stands where, and what may be left out."""

from __future__ import annotations

import msgspec
import pytest

from turnwright.kernel.checks import SEAT_DIGITS
from turnwright.wire.record.v1_lines import CHECK_DIGITS_MAX, VERSION, FooterLine, HeaderLine, TurnLine

HEADER = {
    "turnwright": VERSION,
    "kind": "header",
    "game": "tank",
    "behaviour_version": 1,
    "seed": 5,
    "setup": {},
    "seats": [{"name": "A"}],
    "rules": {},
}


def read(**more: object) -> HeaderLine:
    return msgspec.json.decode(msgspec.json.encode({**HEADER, **more}), type=HeaderLine)


def test_a_turn_in_which_nothing_is_new_has_no_keys() -> None:
    assert msgspec.json.encode(TurnLine()) == b"{}"


def test_the_kind_is_the_first_key_of_a_footer() -> None:
    assert msgspec.json.encode(FooterLine("footer", "over", 7)).startswith(b'{"kind":"footer"')


def test_a_header_without_the_newer_keys_is_one_of_the_first_writers() -> None:
    line = read()
    assert (line.deltas, line.checks, line.rules_hash, line.announced) == (False, SEAT_DIGITS, "", {})


@pytest.mark.parametrize("checks", [SEAT_DIGITS, CHECK_DIGITS_MAX])
def test_a_header_says_how_many_digits_of_checks_there_are(checks: int) -> None:
    assert read(checks=checks).checks == checks


@pytest.mark.parametrize("checks", [SEAT_DIGITS - 1, CHECK_DIGITS_MAX + 1, -1, 4.5, "4", None])
def test_an_impossible_number_of_them_is_refused(checks: object) -> None:
    with pytest.raises(msgspec.ValidationError, match=r"\$.checks"):
        read(checks=checks)
