from __future__ import annotations

import re

from turnwright.app.lan.join_word import draw_join_word
from turnwright.host.credentials import LONG_SECRET_CHARS
from turnwright.net.http.options import parse


def test_a_word_is_a_secret_that_can_be_read_aloud() -> None:
    drawn = {draw_join_word() for _ in range(100)}
    assert len(drawn) > 90
    for word in drawn:
        assert re.fullmatch(r"[a-z]+-[a-z]+-[1-9][0-9]{4}", word)
        assert parse(word) == {word}
        assert len(word) < LONG_SECRET_CHARS, "wrong guesses of it are limited"
