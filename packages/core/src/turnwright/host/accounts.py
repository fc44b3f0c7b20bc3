"""Names, passphrases and limits on guesses, for servers on which people log in.

A passphrase is stored as its scrypt hash (RFC 7914). Python's standard library computes the hash with
OpenSSL. A hash needs 32 MiB of memory and about 150 ms, so `net` computes one hash at a time on a separate
thread. The cost is the third choice for scrypt in OWASP's cheat sheet on storing passwords.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import unicodedata
from collections import OrderedDict
from collections.abc import Set

NAME_CHARS_MIN, NAME_CHARS_MAX = 2, 20
PASSPHRASE_CHARS_MIN, PASSPHRASE_CHARS_MAX = 8, 200
SALT_BYTES = 16
SCRYPT_COST = 1 << 15
"""The scrypt cost of new hashes. A stored hash contains the cost with which it was computed."""
_BLOCK, _PARALLEL = 8, 3
_MEMORY_BYTES = 64 << 20
_HASH_BYTES = 32
KEYS_MAX = 4_096
"""The largest number of addresses or names whose attempts are counted."""
ATTEMPTS_MAX = 5
ATTEMPTS_WINDOW_NS = 300_000_000_000
"""The time within which one address may send at most ATTEMPTS_MAX wrong passphrases, in ns (five minutes)."""


def fold(name: str) -> str:
    """Return the key of a name. Names that differ only in case or in Unicode form have equal keys."""
    return unicodedata.normalize("NFKC", name).casefold()


def check_name(text: str, reserved: Set[str] = frozenset()) -> tuple[str, str | None]:
    """Return (name, None), or ("", the reason) for a text that cannot be a name.

    A name consists of letters of one script, with - or ' between them. Its first letter becomes upper case.

    Args:
        reserved: folded names that no account can have.
    """
    name = unicodedata.normalize("NFC", text.strip())
    letters = name.replace("-", "").replace("'", "")
    if not NAME_CHARS_MIN <= len(name) <= NAME_CHARS_MAX:
        return "", f"A name has {NAME_CHARS_MIN} to {NAME_CHARS_MAX} letters."
    if not all(unicodedata.category(c)[0] == "L" for c in letters) or not letters:
        return "", "A name has letters only (and - or ' between them)."
    if not (name[0].isalpha() and name[-1].isalpha()):
        return "", "A name begins and ends with a letter."
    if len({script_of(c) for c in letters}) > 1:
        return "", "A name has the letters of one script."
    if fold(name) in reserved:
        return "", f"Nobody can be called {name}. Any other name will do."
    return name[0].upper() + name[1:], None


def check_passphrase(text: str, name: str) -> str | None:
    """Return why a passphrase cannot be used, or None."""
    if not PASSPHRASE_CHARS_MIN <= len(text) <= PASSPHRASE_CHARS_MAX:
        return f"A passphrase has {PASSPHRASE_CHARS_MIN} to {PASSPHRASE_CHARS_MAX} characters."
    if fold(name) in fold(text) and len(text) < len(name) + PASSPHRASE_CHARS_MIN:
        return "A passphrase is more than your name."
    return "A passphrase has more than one character over and over." if len(set(text)) < 3 else None


def hash_passphrase(passphrase: str, salt: bytes) -> str:
    """Return a hash to store. This takes about 150 ms.

    Args:
        salt: SALT_BYTES random bytes.
    """
    key = _scrypt(passphrase, salt, SCRYPT_COST, _BLOCK, _PARALLEL)
    parts = (base64.b64encode(part).decode("ascii") for part in (salt, key))
    return "$".join(("scrypt", str(SCRYPT_COST), str(_BLOCK), str(_PARALLEL), *parts))


def matches(passphrase: str, hashed: str) -> bool:
    """Return whether a passphrase matches a hash. This takes about 150 ms.

    Return False if the hash cannot be read.
    """
    try:
        kind, cost, block, parallel, salt, key = hashed.split("$")
        wanted = base64.b64decode(key, validate=True)
        if kind != "scrypt":
            return False
        found = _scrypt(
            passphrase, base64.b64decode(salt, validate=True), int(cost), int(block), int(parallel)
        )
    except (ValueError, binascii.Error):
        return False
    return hmac.compare_digest(found, wanted)


def _scrypt(passphrase: str, salt: bytes, cost: int, block: int, parallel: int) -> bytes:
    secret = unicodedata.normalize("NFKC", passphrase).encode("utf-8", "surrogatepass")
    return hashlib.scrypt(
        secret, salt=salt, n=cost, r=block, p=parallel, maxmem=_MEMORY_BYTES, dklen=_HASH_BYTES
    )


def script_of(letter: str) -> str:
    """Return the first word of a letter's name: LATIN, GREEK, CYRILLIC … For a letter without a name, return
    "?".
    """
    return unicodedata.name(letter, "?").split(" ")[0].split("-")[0]


# ---- limits on guesses -----------------------------------------------------------------------------------


class Attempts:
    """Counts attempts by key (an address or a name). At most `most` are allowed within `window_ns`.

    An attempt counts as soon as it starts, so simultaneous attempts are limited, too. If there are more than
    KEYS_MAX keys, the oldest are deleted.
    """

    def __init__(self, most: int = ATTEMPTS_MAX, window_ns: int = ATTEMPTS_WINDOW_NS) -> None:
        self._most = most
        self._window_ns = window_ns
        self._made: OrderedDict[str, list[int]] = OrderedDict()

    def wait_s(self, key: str, now_ns: int) -> int:
        """Return the number of seconds until the next attempt is allowed. 0 means that it is allowed now."""
        times = [at for at in self._made.get(key, ()) if now_ns - at < self._window_ns]
        if len(times) < self._most:
            return 0
        return -(-(times[-self._most] + self._window_ns - now_ns) // 1_000_000_000)

    def made(self, key: str, now_ns: int) -> None:
        """Count an attempt of a key."""
        times = [at for at in self._made.pop(key, ()) if now_ns - at < self._window_ns]
        self._made[key] = [*times, now_ns][-self._most :]
        if len(self._made) > KEYS_MAX:
            self._made.popitem(last=False)

    def take_back(self, key: str) -> None:
        """Remove the newest attempt of a key from the count, because it succeeded."""
        if len(times := self._made.pop(key, [])) > 1:
            self._made[key] = times[:-1]

    def forget(self, key: str) -> None:
        """Forget the attempts of a key."""
        self._made.pop(key, None)
