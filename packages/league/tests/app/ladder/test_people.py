"""Accounts and logins survive a restart, and guesses of passphrases are limited."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from turnwright_league.app.ladder import people as module
from turnwright_league.app.ladder.people import ADDRESS_ATTEMPTS_MAX, NAME_ATTEMPTS_MAX, People, Refusal
from turnwright_league.app.ladder.store import LadderStore

WORD = "three green apples"
AWAY = "10.0.0.9"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "hash_passphrase", lambda word, salt: f"hash of {word}")
    monkeypatch.setattr(module, "matches", lambda word, hashed: hashed == f"hash of {word}")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LadderStore]:
    store = LadderStore(tmp_path / "arena.sqlite")
    yield store
    store.close()


def test_an_account_is_a_name_and_a_passphrase(store: LadderStore) -> None:
    people = People(store)
    person, token = people.register("anna", WORD, "", AWAY)
    assert (person.name, people.who(token)) == ("Anna", "anna")
    _, again = people.login(" ANNA ", WORD, AWAY)
    assert people.who(again) == "anna"
    with pytest.raises(Refusal):
        people.login("Anna", "three red apples", AWAY)


def test_a_restart_keeps_accounts_and_logins_and_no_token_is_on_the_disk(store: LadderStore) -> None:
    _, token = People(store).register("Anna", WORD, "", AWAY)
    people = People(store)
    assert people.who(token) == "anna"
    assert token not in store.logins()
    people.logout(token)
    assert People(store).who(token) is None


@pytest.mark.parametrize("name", ["Anna", "ANNA", "Ａｎｎａ", "Teacher", "a", "x\u202ey", "Аnna", "<b>"])
def test_names_that_are_taken_or_no_names_are_refused(name: str, store: LadderStore) -> None:
    people = People(store)
    people.register("Anna", WORD, "", AWAY)
    with pytest.raises(Refusal):
        people.register(name, WORD, "", AWAY)
    assert list(people.names()) == ["anna"]


def test_guesses_of_a_passphrase_are_limited_by_name(store: LadderStore) -> None:
    people = People(store)
    people.register("Anna", WORD, "", AWAY)
    for nth in range(NAME_ATTEMPTS_MAX):
        with pytest.raises(Refusal):
            people.login("Anna", f"guess number {nth}", f"10.0.0.{nth}")
    with pytest.raises(Refusal) as refused:
        people.login("Anna", WORD, AWAY)
    assert refused.value.status == 429


def test_guesses_of_passphrases_are_limited_by_address_also_from_this_machine(store: LadderStore) -> None:
    people = People(store)
    people.register("Anna", WORD, "", AWAY)
    for nth in range(ADDRESS_ATTEMPTS_MAX):
        with pytest.raises(Refusal):
            people.login(f"Name {nth}", "a guess", "127.0.0.1")
    with pytest.raises(Refusal) as refused:
        people.login("Anna", WORD, "127.0.0.1")
    assert refused.value.status == 429
    people.login("Anna", WORD, AWAY)


def test_a_join_word_is_needed_and_its_guesses_are_limited(store: LadderStore) -> None:
    people = People(store, "blue")
    with pytest.raises(Refusal):
        people.register("Anna", WORD, "red", AWAY)
    people.register("Anna", WORD, " blue ", AWAY)
    for _ in range(20):
        with pytest.raises(Refusal):
            people.register("Bert", WORD, "red", "10.0.0.7")
    with pytest.raises(Refusal) as refused:
        people.register("Bert", WORD, "blue", "10.0.0.7")
    assert refused.value.status == 429


def test_the_teacher_gives_a_new_passphrase_and_old_logins_end(store: LadderStore) -> None:
    people = People(store)
    _, token = people.register("Anna", WORD, "", AWAY)
    word = people.new_passphrase("anna")
    assert people.who(token) is None
    with pytest.raises(Refusal):
        people.login("Anna", WORD, AWAY)
    people.login("Anna", word, AWAY)
    assert People(store).login("Anna", word, AWAY)[0].name == "Anna"
