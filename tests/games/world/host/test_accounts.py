"""Names and passphrases."""

from __future__ import annotations

import pytest

from turnwright.games.world.host.accounts import check_name, check_passphrase, fold, hash_passphrase, matches


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
def test_what_is_no_name_is_refused_with_a_reason(typed: str) -> None:
    name, problem = check_name(typed)
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
