"""The hash of the rules' source is fresh, and follows the code only."""

from __future__ import annotations

from rules_source.rules_hash import code_of, hash_of_rules

from turnwright_tank.game import TankGame


def test_the_hash_is_fresh() -> None:
    assert hash_of_rules() == TankGame.rules_hash, "run `make setup`"


def test_comments_and_docstrings_do_not_count_but_code_does() -> None:
    plain = 'def f(x: int) -> int:\n    return x + 1 if x else "# no comment"  \n'
    worded = (
        '"""A module."""\n\n# says\ndef f(x: int) -> int:  # more\n    """Two\n\n    lines."""\n\n'
        '    return x + 1 if x else "# no comment"\n'
    )
    assert code_of(plain) == code_of(worded)
    assert code_of(plain) != code_of(plain.replace("+ 1", "+ 2"))
