"""Names, passphrases and limits on guesses."""

from __future__ import annotations

import pytest

from turnwright.host.accounts import (
    ATTEMPTS_MAX,
    ATTEMPTS_WINDOW_NS,
    KEYS_MAX,
    Attempts,
    check_name,
    check_passphrase,
    fold,
    hash_passphrase,
    matches,
)

SECOND = 1_000_000_000


@pytest.mark.parametrize(
    ("typed", "name"), [("anna", "Anna"), ("  Bert ", "Bert"), ("o'neill", "O'neill"), ("łukasz", "Łukasz")]
)
def test_a_name_is_letters_and_begins_with_a_capital(typed: str, name: str) -> None:
    assert check_name(typed) == (name, None)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "a",
        "x" * 21,
        "an na",
        "anna1",
        "an\x1b[31mna",
        "an\x00na",
        "anna\u202e",
        "-anna",
        "anna'",
        "--",
        "admin",
        "Аnna",  # the first letter is Cyrillic
        "\u0301\u0301",
    ],
)
def test_a_text_that_is_not_a_name_is_refused_with_a_reason(typed: str) -> None:
    name, problem = check_name(typed, {"admin"})
    assert name == ""
    assert problem is not None
    assert problem.endswith(".")


def test_names_that_look_the_same_to_a_computer_are_one() -> None:
    assert fold("ANNA") == fold("anna") == fold("Ａｎｎａ")
    assert fold("Straße") == fold("STRASSE")


@pytest.mark.parametrize("text", ["short", "aaaaaaaaaa", "anna1234", "x" * 201])
def test_a_poor_passphrase_is_refused(text: str) -> None:
    assert check_passphrase(text, "Anna") is not None


def test_a_few_words_are_a_good_passphrase() -> None:
    assert check_passphrase("three green apples", "Anna") is None


def test_a_hash_matches_its_passphrase_and_no_other() -> None:
    hashed = hash_passphrase("three green apples", b"s" * 16)
    assert matches("three green apples", hashed)
    assert not matches("three green apple", hashed)
    assert "apples" not in hashed


def test_equal_passphrases_have_different_hashes_by_their_salt() -> None:
    assert hash_passphrase("three green apples", b"s" * 16) != hash_passphrase(
        "three green apples", b"t" * 16
    )


@pytest.mark.parametrize(
    "hashed", ["", "scrypt$1$2", "md5$1$1$1$AA==$AA==", "scrypt$7$8$1$AA==$AA==", "x$y$z$a$b$c"]
)
def test_a_hash_that_cannot_be_read_matches_nothing(hashed: str) -> None:
    assert not matches("", hashed)


def test_after_the_maximum_of_wrong_passphrases_a_login_waits_for_the_end_of_the_window() -> None:
    attempts = Attempts()
    for k in range(ATTEMPTS_MAX):
        assert attempts.wait_s("anna", k * SECOND) == 0
        attempts.made("anna", k * SECOND)
    assert attempts.wait_s("anna", 10 * SECOND) == 290
    assert attempts.wait_s("bert", 10 * SECOND) == 0
    assert attempts.wait_s("anna", ATTEMPTS_WINDOW_NS) == 0


def test_the_right_passphrase_clears_the_count() -> None:
    attempts = Attempts()
    for _ in range(ATTEMPTS_MAX):
        attempts.made("anna", 0)
    attempts.forget("anna")
    assert attempts.wait_s("anna", 0) == 0


def test_the_memory_of_attempts_is_bounded() -> None:
    attempts = Attempts()
    for number in range(KEYS_MAX + 10):
        for _ in range(ATTEMPTS_MAX):
            attempts.made(f"from {number}", 0)
    assert attempts.wait_s("from 0", 0) == 0
    assert attempts.wait_s(f"from {KEYS_MAX + 9}", 0) > 0


def test_an_attempt_that_was_right_takes_back_itself_and_no_other() -> None:
    attempts = Attempts(most=2, window_ns=10 * SECOND)
    attempts.made("from 1", 0)
    attempts.made("from 1", SECOND)
    attempts.take_back("from 1")
    assert attempts.wait_s("from 1", SECOND) == 0
    attempts.made("from 1", 2 * SECOND)
    assert attempts.wait_s("from 1", 2 * SECOND) == 8
    attempts.take_back("from 2")
