"""Exceptions that are raised on purpose, and their exit codes."""

from __future__ import annotations

import pytest

from turnwright import errors

CODES = {
    errors.TurnwrightError: 2,
    errors.SetupError: 2,
    errors.GameError: 2,
    errors.RecordError: 2,
    errors.MismatchError: 4,
    errors.ParticipantStartError: 3,
    errors.MissingProgramError: 3,
    errors.VoidBattleError: 1,
}


def test_every_exception_is_a_turnwright_error_with_its_exit_code() -> None:
    raised = {getattr(errors, name) for name in vars(errors) if name.endswith("Error")}
    assert raised == set(CODES)
    assert all(issubclass(kind, errors.TurnwrightError) and kind.exit_code == CODES[kind] for kind in raised)


def test_the_tree_in_the_docstring_names_every_exception() -> None:
    assert errors.__doc__ is not None
    assert all(kind.__name__ in errors.__doc__ for kind in CODES)


def test_exit_codes_are_all_different() -> None:
    codes = [getattr(errors, name) for name in vars(errors) if name.startswith("EXIT_")]
    assert sorted(codes) == sorted(set(codes)) == [0, 1, 2, 3, 4, 5, 130]
    assert sorted(errors.MEANINGS) == sorted(codes)


def test_a_void_battle_error_has_the_bundle_that_reproduces_it() -> None:
    error = errors.VoidBattleError("the rules failed", bundle="void-1", entry="turn 7")
    assert (str(error), error.bundle, error.entry) == ("the rules failed", "void-1", "turn 7")
    with pytest.raises(errors.TurnwrightError):
        raise error
