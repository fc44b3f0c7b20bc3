"""The people of a ladder server, with names, passphrases and logins."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import threading
import time

from turnwright.host.accounts import (
    SALT_BYTES,
    Attempts,
    check_name,
    check_passphrase,
    fold,
    hash_passphrase,
    matches,
)
from turnwright.host.admission import is_loopback
from turnwright.kernel.units import NS_PER_US
from turnwright_league.app.ladder.store import LadderStore, Person

PEOPLE_MAX = 1_000
"""The most people of one ladder server."""
ACCOUNTS_MAX = 20
"""The most new accounts from one address within an hour. This machine has no limit."""
ADDRESS_ATTEMPTS_MAX = 60
"""The most wrong passphrases from one address within five minutes. A class may share an address."""
NAME_ATTEMPTS_MAX = 10
"""The most wrong passphrases for one name within five minutes, from all addresses."""
RESERVED = frozenset(
    ("admin", "arena", "everybody", "house", "nobody", "operator", "server", "system", "teacher")
)
_HOUR_NS = 3_600_000_000_000
_TOKEN_BYTES = 24
_CODE_ATTEMPTS_MAX = 20


class Refusal(Exception):
    """A refused request of a person.

    Args:
        text: why, for the person.
        status: the HTTP status.
    """

    def __init__(self, text: str, status: int = 400) -> None:
        super().__init__(text)
        self.text, self.status = text, status


class People:
    """Accounts and logins. All threads may use it. Passphrases are compared one at a time.

    Args:
        join_word: the word that a new account needs, or "" for none.
    """

    def __init__(self, store: LadderStore, join_word: str = "") -> None:
        self._store = store
        self._join_word = join_word
        self._people = {one.folded: one for one in store.people()}
        self._logins = store.logins()
        self._lock = threading.Lock()
        self._hashing = threading.Lock()
        self._addresses = Attempts(ADDRESS_ATTEMPTS_MAX)
        self._names = Attempts(NAME_ATTEMPTS_MAX)
        self._codes = Attempts(_CODE_ATTEMPTS_MAX)
        self._new = Attempts(ACCOUNTS_MAX, _HOUR_NS)

    @property
    def needs_code(self) -> bool:
        """Whether a new account needs a join word."""
        return bool(self._join_word)

    def names(self) -> dict[str, str]:
        """Return the names by folded name, in the order of registration."""
        with self._lock:
            return {one.folded: one.name for one in self._people.values()}

    def name_of(self, folded: str) -> str:
        """Return a person's name, by the folded name."""
        return self._people[folded].name

    def register(self, name: str, passphrase: str, code: str, address: str) -> tuple[Person, str]:
        """Create an account. Return the account and a login token.

        Args:
            code: the join word that the person gave.

        Raises:
            Refusal: the join word is wrong, the name or the passphrase cannot be used, the name is taken, the
                server is full, or too many accounts were created from this address.
        """
        now_ns = time.monotonic_ns()
        self._check_code(code, address, now_ns)
        found, problem = check_name(name, RESERVED)
        problem = problem or check_passphrase(passphrase, found)
        if problem is not None:
            raise Refusal(problem)
        folded = fold(found)
        with self._lock:
            if not is_loopback(address) and self._new.wait_s(address, now_ns):
                raise Refusal("too many accounts were created from your address: ask the teacher", 429)
            self._refuse_taken(folded, found)
        with self._hashing:
            hashed = hash_passphrase(passphrase, os.urandom(SALT_BYTES))
        person = Person(found, folded, hashed, time.time_ns() // NS_PER_US)
        with self._lock:
            self._refuse_taken(folded, found)
            self._store.put_person(person)
            self._people[folded] = person
            self._new.made(address, now_ns)
        return person, self._logged_in(folded)

    def login(self, name: str, passphrase: str, address: str) -> tuple[Person, str]:
        """Check a passphrase, and return the person and a token.

        Raises:
            Refusal: the name or the passphrase is wrong, or there were too many attempts.
        """
        now_ns, folded = time.monotonic_ns(), fold(name.strip())[:100]
        with self._lock:
            wait_s = max(self._addresses.wait_s(address, now_ns), self._names.wait_s(folded, now_ns))
            if wait_s:
                raise Refusal(f"too many wrong passphrases: try again in {wait_s} s", 429)
            self._addresses.made(address, now_ns)
            self._names.made(folded, now_ns)
            person = self._people.get(folded)
        with self._hashing:
            fits = matches(passphrase[:1_000], _NO_HASH if person is None else person.hashed)
        if person is None or not fits:
            raise Refusal("wrong name or passphrase", 403)
        with self._lock:
            self._addresses.take_back(address)
            self._names.forget(folded)
        return person, self._logged_in(folded)

    def who(self, token: str) -> str | None:
        """Return the folded name of the person with a login token, or None if the token is not valid."""
        return self._logins.get(token_hash(token)) if token else None

    def logout(self, token: str) -> None:
        """Make the token of a login invalid."""
        hashed = token_hash(token)
        with self._lock:
            if self._logins.pop(hashed, None) is not None:
                self._store.drop_login(hashed)

    def new_passphrase(self, folded: str) -> str:
        """Give a person a new passphrase that is easy to say, and return it.

        All logins of this person end.

        Raises:
            Refusal: no account has this name.
        """
        person = self._people.get(folded)
        if person is None:
            raise Refusal("no account has that name", 404)
        word = "-".join(str(secrets.randbelow(9_000) + 1_000) for _ in range(3))
        with self._hashing:
            hashed = hash_passphrase(word, os.urandom(SALT_BYTES))
        with self._lock:
            person = Person(person.name, folded, hashed, person.made_us)
            self._store.put_person(person)
            self._store.drop_logins(folded)
            self._people[folded] = person
            self._logins = {token: who for token, who in self._logins.items() if who != folded}
            self._names.forget(folded)
        return word

    def _refuse_taken(self, folded: str, name: str) -> None:
        if folded in self._people:
            raise Refusal(f"{name} is taken: log in, or choose another name", 409)
        if len(self._people) >= PEOPLE_MAX:
            raise Refusal(
                f"the ladder server has {PEOPLE_MAX} accounts, the most that are allowed: ask the teacher",
                403,
            )

    def _check_code(self, code: str, address: str, now_ns: int) -> None:
        if not self._join_word:
            return
        with self._lock:
            if wait_s := self._codes.wait_s(address, now_ns):
                raise Refusal(f"too many wrong join words: try again in {wait_s} s", 429)
            self._codes.made(address, now_ns)
            if not hmac.compare_digest(code.strip().encode(), self._join_word.encode()):
                raise Refusal("the join word is wrong: ask the teacher", 403)
            self._codes.take_back(address)

    def _logged_in(self, folded: str) -> str:
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        with self._lock:
            self._store.put_login(token_hash(token), folded, time.time_ns() // NS_PER_US)
            self._logins = self._store.logins()
        return token


_NO_HASH = f"scrypt$32768$8$3${'A' * 22}==${'A' * 43}="
"""The hash for an unknown name. Comparing with it takes as long as for a known name."""


def token_hash(token: str) -> str:
    """Return the stored hash of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
