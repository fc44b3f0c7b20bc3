"""The hash of the rules' source is fresh, and follows the code only."""

from __future__ import annotations

from tests.games.tank.golden.rules_hash import PAGE, code_of, hash_of_rules, written
from turnwright.games.tank.game import TankGame
from turnwright.games.tank.rules.rules_hash import RULES_HASH


def test_the_hash_is_fresh() -> None:
    assert hash_of_rules() == RULES_HASH == TankGame.rules_hash, "run `make golden`"


def test_writing_it_again_changes_nothing() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert written(page, RULES_HASH) == page


def test_comments_and_docstrings_do_not_count_but_code_does() -> None:
    plain = 'def f(x: int) -> int:\n    return x + 1 if x else "# no comment"  \n'
    worded = (
        '"""A module."""\n\n# says\ndef f(x: int) -> int:  # more\n    """Two\n\n    lines."""\n\n'
        '    return x + 1 if x else "# no comment"\n'
    )
    assert code_of(plain) == code_of(worded)
    assert code_of(plain) != code_of(plain.replace("+ 1", "+ 2"))
