"""Secrets, one-time codes and tokens: the role that each opens, and for how long."""

from __future__ import annotations

import random

import pytest

from packages.core.tests.host.support import Room, S
from packages.core.tests.messages import missing
from turnwright.host.credentials import (
    CODE_LIFETIME_NS,
    CODES_MAX,
    LONG_SECRET_CHARS,
    TOKENS_MAX,
    WRONG_SECRETS_MAX,
    WRONG_SECRETS_NS,
    Credentials,
)

NONE: frozenset[str] = frozenset()
entropy = random.Random(1).randbytes


def keys() -> Credentials:
    return Credentials(NONE, frozenset({"secret"}))


def token_of(it: Credentials, now_ns: int = 0) -> str:
    token = it.redeem(it.issue_code(entropy, now_ns), entropy, now_ns)
    assert token is not None
    return token


def test_a_code_opens_once_and_its_token_again_and_again() -> None:
    it = keys()
    code = it.issue_code(entropy, 0)
    token = it.redeem(code, entropy, 1)
    assert token not in (None, code)
    assert it.redeem(code, entropy, 2) is None
    assert [it.fit(role, token) for role in ("operator", "spectator", "operator")] == [True] * 3
    assert not Credentials(frozenset({"b"}), NONE).fit("bot", token)


def test_codes_and_tokens_are_144_bits_and_never_the_same() -> None:
    it = keys()
    said = [it.issue_code(entropy, 0) for _ in range(5)] + [token_of(it)]
    assert len(set(said)) == 6
    assert {len(text) for text in said} == {24}
    assert all(text.isascii() and "+" not in text and "/" not in text for text in said)


@pytest.mark.parametrize(("age_ns", "good"), [(CODE_LIFETIME_NS - 1, True), (CODE_LIFETIME_NS, False)])
def test_a_code_gets_too_old(age_ns: int, good: bool) -> None:
    it = keys()
    assert (it.redeem(it.issue_code(entropy, 5), entropy, 5 + age_ns) is not None) == good


def test_only_the_newest_codes_wait() -> None:
    it = keys()
    codes = [it.issue_code(entropy, 0) for _ in range(CODES_MAX + 1)]
    assert it.redeem(codes[0], entropy, 0) is None
    assert it.redeem(codes[1], entropy, 0) is not None
    assert it.redeem(codes[-1], entropy, 0) is not None


def test_the_tokens_used_last_are_good() -> None:
    it = keys()
    first, second = token_of(it), token_of(it)
    for _ in range(TOKENS_MAX - 2):
        token_of(it)
    assert it.fit("operator", first)
    token_of(it)
    assert it.fit("operator", first)
    assert not it.fit("operator", second)


WORD = "quick-otter-40273"
ELSEWHERE = "10.0.0.7"


def wrong_guesses(it: Credentials, number: int, caller: str = ELSEWHERE) -> None:
    assert not any(it.fit("bot", f"quick-otter-{nth}", caller, now_ns=1) for nth in range(number))


@pytest.mark.parametrize(("wrong", "good"), [(WRONG_SECRETS_MAX - 1, True), (WRONG_SECRETS_MAX, False)])
def test_after_too_many_wrong_secrets_an_address_is_blocked_for_a_while(wrong: int, good: bool) -> None:
    it = Credentials(frozenset({WORD}), NONE)
    wrong_guesses(it, wrong)
    assert it.fit("bot", WORD, ELSEWHERE, WRONG_SECRETS_NS) is good
    assert (it.wait_s(ELSEWHERE, WRONG_SECRETS_NS) == 0) is good
    assert it.fit("bot", WORD, ELSEWHERE, WRONG_SECRETS_NS + 1)


def test_guesses_of_one_address_lock_no_other_one_out() -> None:
    it = Credentials(frozenset({WORD}), NONE)
    wrong_guesses(it, 5 * WRONG_SECRETS_MAX)
    assert it.fit("bot", WORD, "10.0.0.8", now_ns=2)


def test_a_client_without_a_secret_guesses_nothing() -> None:
    it = Credentials(frozenset({WORD}), NONE)
    assert not any(it.fit("bot", None, ELSEWHERE, now_ns=1) for _ in range(5 * WRONG_SECRETS_MAX))
    assert it.fit("bot", WORD, ELSEWHERE, now_ns=2)


def test_no_guess_locks_out_a_secret_that_is_too_long_to_be_guessed() -> None:
    drawn = "x" * LONG_SECRET_CHARS
    it = Credentials(frozenset({WORD, drawn}), NONE)
    wrong_guesses(it, 5 * WRONG_SECRETS_MAX)
    assert it.fit("bot", drawn, ELSEWHERE, now_ns=2)
    assert not it.fit("bot", WORD, ELSEWHERE, now_ns=2)


def test_a_bot_that_guesses_secrets_learns_how_long_to_wait() -> None:
    room = Room(bot_secrets=frozenset({WORD}))
    for number in range(WRONG_SECRETS_MAX):
        refused = room.stranger(ELSEWHERE).hello("bot", secret=f"guess {number}")
    assert refused.closed is not None
    assert refused.closed[0] == 1008
    assert not missing(refused.closed[1], "wrong secrets", "60 s")
    assert room.stranger(ELSEWHERE).hello("bot", secret=WORD).closed == refused.closed
    assert room.stranger().hello("bot", secret=WORD).closed is None


@pytest.mark.parametrize("guess", ["", "\ud800", "x" * 1_024, "é"])
def test_odd_guesses_open_nothing(guess: str) -> None:
    it = keys()
    it.issue_code(entropy, 0)
    token_of(it)
    assert it.redeem(guess, entropy, 0) is None
    assert not it.fit("operator", guess)


# ---- with a host ---------------------------------------------------------------------------------------


def test_an_operators_page_begins_with_a_code_and_comes_back_with_its_token() -> None:
    room = Room(controller_secrets=frozenset({"secret"}))
    page = room.stranger()
    page.hello(
        "operator",
        code=room.host.issue_code(room.now_ns),
    )
    assert page.kinds()[1:3] == ["token", "bots"]
    token = page.last("token")["token"]
    for role in ("operator", "spectator"):
        again = room.stranger().hello(role, secret=token)
        assert again.closed is None
        assert again.of("token") == []
    assert token not in room.log
    assert room.host.lobby.clients[page.conn].hello.code is None


@pytest.mark.parametrize("secrets", [NONE, frozenset({"secret"})], ids=["open", "with secrets"])
def test_a_used_code_is_refused_also_where_no_secret_is_asked(secrets: frozenset[str]) -> None:
    room = Room(controller_secrets=secrets)
    code = room.host.issue_code(room.now_ns)
    room.stranger().hello("operator", code=code)
    page = room.stranger().hello("operator", code=code, secret="secret")
    assert page.closed == (1008, "Invalid code")
    assert room.host.lobby.spectators() == (1,)


def test_a_code_is_not_used_up_by_a_handshake_of_another_session() -> None:
    room = Room(controller_secrets=frozenset({"secret"}))
    code = room.host.issue_code(room.now_ns)
    assert room.stranger().hello("operator", code=code, session="x").closed == (
        1008,
        "Missing session id",
    )
    assert room.stranger().hello("operator", code=code).closed is None


def test_a_code_opens_no_other_role() -> None:
    room = Room(controller_secrets=frozenset({"secret"}), bot_secrets=frozenset({"b"}))
    code = room.host.issue_code(room.now_ns)
    assert room.stranger().hello("spectator", code=code).closed == (1008, "Invalid secret")
    assert room.stranger().hello("bot", code=code).closed == (1008, "Invalid secret")


def test_an_old_code_is_refused() -> None:
    room = Room(controller_secrets=frozenset({"secret"}))
    code = room.host.issue_code(room.now_ns)
    room.run(CODE_LIFETIME_NS + S)
    assert room.stranger().hello("operator", code=code).closed == (1008, "Invalid code")


def test_a_battle_may_be_open_to_all_spectators() -> None:
    it = Credentials(frozenset({"b"}), frozenset({"c"}), open_to_spectators=True)
    assert it.fit("spectator", None)
    assert not it.fit("operator", None)
    assert not it.fit("bot", None)
    assert not Credentials(NONE, frozenset({"c"})).fit("spectator", None)


def test_a_secret_can_be_checked_for_a_role_without_using_it() -> None:
    it = keys()
    token = token_of(it)
    assert [it.would_fit("spectator", given) for given in (token, "secret", "x", None)] == [
        True,
        True,
        False,
        False,
    ]
    assert Credentials(NONE, frozenset({"secret"}), open_to_spectators=True).would_fit("spectator", None)
