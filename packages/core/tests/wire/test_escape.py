from __future__ import annotations

import json

import pytest

from turnwright.wire.escape import escaped_json, one_line

HOSTILE = "a\r\n\x1b[31m\x07\x85\x9b\u2028\u200b\u202e\u2066\ufeff\ud800\U000e0001é日"


def test_letters_that_command_a_terminal_or_turn_a_name_round_are_spelt_out() -> None:
    assert one_line("plain é 日") == "plain é 日"
    assert one_line("a\r\nb\x1b[1m\x07\x85\u2028é") == "a\\x0d\\x0ab\\x1b[1m\\x07\\x85\\u2028é"
    assert one_line("evil\u202etxt.exe") == "evil\\u202etxt.exe"
    assert one_line("\U000e0001") == "\\U000e0001"
    assert one_line(HOSTILE).isprintable()


@pytest.mark.parametrize("value", [HOSTILE, [HOSTILE], {HOSTILE: HOSTILE}, "plain é 日", "\\u202e"])
def test_json_means_the_same_and_is_safe_to_read(value: object) -> None:
    text = escaped_json(json.dumps(value, ensure_ascii=False))
    assert text.isprintable()
    assert json.loads(text) == value
